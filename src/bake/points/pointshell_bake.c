#include <tactus/pointshell.h>

#include <stdlib.h>
#include <tactus/meshing.h>
#include <tactus/trimesh.h>
#include "asset/pointshell.h"
#include "bake/points/particle_repulsion.h"
#include "bake/points/point_areas.h"
#include "bake/points/pointshell_check.h"
#include "bake/points/pseudo_normals.h"
#include "base/clock.h"
#include "base/memory/array.h"
#include "base/memory/physical_memory.h"
#include "base/progress.h"
#include "base/threads/parallel.h"
#include "math/geometry/vec3.h"

/* Points of the first level: as many as are chosen, as few as make sense, and as many as are laid out at a stroke. */
enum { FIRST_LEVEL = 300, FEWEST_FIRST = 4, MOST_AT_ONCE = 1200 };
#define BYTES_A_POINT 700.0 /* at the peak, measured */

tacPointshellDef tac_pointshell_def_default(void) {
  return (tacPointshellDef){.point_count = 65536, .level_count = 0, .thread_count = 0};
}

/* Steps of repulsion are many and short: what is told of them goes on ten times a second. */
typedef struct Pace {
  const tacProgress *progress;
  int64_t next; /* ns */
} Pace;

static bool report_at_pace(const char *what, double fraction, void *user) {
  Pace *pace = user;
  int64_t now = tac_clock_now();
  if (now < pace->next && fraction < 1.0) return true;
  pace->next = now + 100 * 1000 * 1000;
  return pace->progress->report(what, fraction, pace->progress->user);
}

typedef struct Bake {
  const tacDistanceField *field;
  const tacTriMesh *mesh; /* NULL: `level_set` */
  const tacProgress *progress;
  int thread_count, level_count;
  int sizes[TAC_POINTSHELL_MOST_LEVELS];
  tacTriMesh *level_set;
  tacSurfaceSamples samples;
  tacParticles particles;
  tacPseudoNormals pseudo_normals;
  tacVec3 *normals;
  double *distances; /* [point] to the mesh of the normals, m */
  double *areas;     /* [level][point] */
  int *level_of;
} Bake;

static tacStatus choose_levels(const tacPointshellDef *def, Bake *bake, tacError *error) {
  int points = def->point_count, levels = def->level_count;
  if (points < FEWEST_FIRST)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a pointshell of %d points; at least %d are needed", points,
                         FEWEST_FIRST);
  if ((double)points * BYTES_A_POINT > (double)tac_physical_memory())
    return tac_error_set(error, TAC_ERR_MEMORY,
                         "%d points need about %.1f GiB of memory, and there are %.1f; take fewer", points,
                         points * BYTES_A_POINT / 1073741824.0, (double)tac_physical_memory() / 1073741824.0);
  if (levels < 0 || levels > TAC_POINTSHELL_MOST_LEVELS)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a pointshell of %d levels; from 1 to %d are possible, 0 chooses",
                         levels, TAC_POINTSHELL_MOST_LEVELS);
  int most = 1; /* levels that the points are enough for */
  for (int n = points; n / 4 >= FEWEST_FIRST && most < TAC_POINTSHELL_MOST_LEVELS; n /= 4) ++most;
  if (levels > most)
    return tac_error_set(
        error, TAC_ERR_ARGUMENT,
        "%d points are too few for %d levels, each of a quarter of the next; take %d levels at most, or"
        " more points",
        points, levels, most);
  if (levels == 0) levels = 1 + (int)fmax(0.0, round(log((double)points / FIRST_LEVEL) / log(4.0)));
  bake->level_count = levels < most ? levels : most;
  for (int l = bake->level_count - 1, n = points; l >= 0; --l, n /= 4) bake->sizes[l] = n;
  return TAC_OK;
}

/* A surface that leaves the grid has no closed level set. */
static tacStatus check_box(const tacGrid *grid, tacError *error) {
  for (int k = 0; k < grid->nz; ++k)
    for (int j = 0; j < grid->ny; ++j) {
      bool face = k == 0 || k == grid->nz - 1 || j == 0 || j == grid->ny - 1;
      for (int i = 0; i < grid->nx; i += face ? 1 : grid->nx - 1)
        if (grid->values[((size_t)k * (size_t)grid->ny + (size_t)j) * (size_t)grid->nx + (size_t)i] < 0.0f)
          return tac_error_set(error, TAC_ERR_GEOMETRY,
                               "the field is negative at node (%d, %d, %d) on its box: the body is cut off there; make"
                               " the box larger",
                               i, j, k);
    }
  return TAC_OK;
}

static tacStatus take_surface(Bake *bake, tacError *error) {
  const tacGrid *grid = tac_distance_field_grid(bake->field);
  if (grid == NULL)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "an analytic field has no samples; a pointshell needs a grid field");
  tacStatus status = bake->mesh != NULL ? tac_trimesh_validate(bake->mesh, error) : TAC_OK;
  if (status == TAC_OK && bake->mesh != NULL) status = tac_trimesh_require_closed(bake->mesh, error);
  if (status == TAC_OK) status = check_box(grid, error);
  if (status == TAC_OK) status = tac_isosurface_extract(grid, 0.0, &bake->level_set, error);
  return status == TAC_OK ? tac_surface_samples_create(bake->level_set, &bake->samples, error) : status;
}

/* Where the first level has many points, coarser ones that stay free lead to it. */
static tacStatus lay_first_level(Bake *bake, int size, const tacProgress *progress, tacError *error) {
  const tacProgressPart parts[2] = {{progress, 0.0, 0.25, NULL}, {progress, 0.25, 1.0, NULL}};
  const tacProgress coarse = tac_progress_part(&parts[0]), fine = tac_progress_part(&parts[1]);
  tacStatus status = size > MOST_AT_ONCE ? lay_first_level(bake, size / 4, &coarse, error) : TAC_OK;
  return status == TAC_OK ? tac_particles_refine(&bake->particles, size, 0, &fine, error) : status;
}

static tacStatus lay_points(Bake *bake, const tacProgress *progress, tacError *error) {
  int count = bake->sizes[bake->level_count - 1];
  /* On a surface with many handles there are a few more middles than wanted. */
  tacStatus status = tac_particles_create(bake->field, &bake->samples, count + count / 8 + 64, bake->thread_count,
                                          &bake->particles, error);
  for (int l = 0; l < bake->level_count && status == TAC_OK; ++l) {
    const tacProgressPart part = {progress, l > 0 ? (double)bake->sizes[l - 1] / count : 0.0,
                                  (double)bake->sizes[l] / count, NULL};
    const tacProgress now = tac_progress_part(&part);
    status = l == 0 ? lay_first_level(bake, bake->sizes[0], &now, error)
                    : tac_particles_refine(&bake->particles, bake->sizes[l], bake->sizes[l - 1], &now, error);
  }
  return status;
}

static void find_normals(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  Bake *bake = context;
  for (size_t i = begin; i < end; ++i) {
    tacVec3 n = tac_pseudo_normals_at(&bake->pseudo_normals, bake->particles.positions[i], &bake->distances[i]);
    /* Where parts touch, faces may cancel or look inward. */
    bool outward = tac_vec3_dot(n, bake->particles.normals[i]) > 0.0;
    bake->normals[i] = outward ? n : bake->particles.normals[i];
  }
}

static tacStatus set_normals(Bake *bake, const tacProgress *progress, tacError *error) {
  const int count = bake->particles.count;
  const double voxel = tac_distance_field_grid(bake->field)->spacing;
  bake->normals = tac_array_create((size_t)count, sizeof *bake->normals, "normals of points", error);
  bake->distances = tac_array_create((size_t)count, sizeof *bake->distances, "normals of points", error);
  if (bake->normals == NULL || bake->distances == NULL) return TAC_ERR_MEMORY;
  const tacTriMesh *mesh = bake->mesh != NULL ? bake->mesh : bake->level_set;
  tacStatus status = tac_pseudo_normals_create(mesh, &bake->pseudo_normals, error);
  if (status == TAC_OK)
    status = tac_parallel_for(bake->thread_count, (size_t)count, 256, find_normals, bake, progress, "normals of points",
                              error);
  double farthest = 0.0;
  for (int i = 0; i < count && status == TAC_OK; ++i) farthest = fmax(farthest, bake->distances[i]);
  /* A voxel that the level set crosses is crossed by the mesh as well. */
  if (farthest > 2.0 * voxel)
    status =
        tac_error_set(error, TAC_ERR_ARGUMENT,
                      "the field's surface is up to %.1f voxels away from the mesh; give the mesh that the field was"
                      " made of, or none",
                      farthest / voxel);
  return status;
}

static tacStatus set_areas(Bake *bake, const tacProgress *progress, tacError *error) {
  const int count = bake->particles.count;
  bake->level_of = tac_array_create((size_t)count, sizeof *bake->level_of, "levels of points", error);
  bake->areas =
      tac_array_create((size_t)bake->level_count * (size_t)count, sizeof *bake->areas, "areas of points", error);
  tacStatus status = bake->level_of != NULL && bake->areas != NULL ? TAC_OK : TAC_ERR_MEMORY;
  for (int l = 0; l < bake->level_count && status == TAC_OK; ++l) {
    int first = l > 0 ? bake->sizes[l - 1] : 0;
    const tacProgressPart part = {progress, (double)first / count, (double)bake->sizes[l] / count, NULL};
    const tacProgress now = tac_progress_part(&part);
    for (int i = first; i < bake->sizes[l]; ++i) bake->level_of[i] = l;
    status = tac_point_areas(&bake->samples, bake->sizes[l], bake->particles.positions, bake->particles.normals,
                             bake->thread_count, &now, &bake->areas[(size_t)l * (size_t)count], error);
  }
  return status;
}

static void free_bake(Bake *bake) {
  tac_particles_free(&bake->particles);
  tac_surface_samples_free(&bake->samples);
  tac_pseudo_normals_free(&bake->pseudo_normals);
  tac_trimesh_destroy(bake->level_set);
  free(bake->normals);
  free(bake->distances);
  free(bake->areas);
  free(bake->level_of);
}

/* The checks of the field that the points were fitted to go with them. */
static tacStatus check_result(const Bake *bake, tacPointshell **shell, tacError *error) {
  tacBakeChecks checks = {0};
  tacStatus status =
      tac_pointshell_check(*shell, tac_distance_field_grid(bake->field), bake->level_set, &checks, error);
  if (status == TAC_OK) {
    tac_bake_checks_join(&checks, tac_distance_field_checks(bake->field));
    tac_pointshell_set_checks(*shell, &checks);
    return TAC_OK;
  }
  tac_pointshell_destroy(*shell);
  *shell = NULL;
  return status;
}

tacStatus tac_pointshell_bake(const tacDistanceField *field, const tacTriMesh *mesh, const tacPointshellDef *def,
                              const tacProgress *progress, tacPointshell **shell, tacError *error) {
  *shell = NULL;
  Pace pace = {.progress = progress};
  const tacProgress paced = {report_at_pace, &pace};
  const tacProgress *whole = progress != NULL && progress->report != NULL ? &paced : NULL;
  const tacProgressPart parts[3] = {
      {whole, 0.0, 0.7, "pointshell"}, {whole, 0.7, 0.75, "pointshell"}, {whole, 0.75, 1.0, "pointshell"}};
  const tacProgress stages[3] = {tac_progress_part(&parts[0]), tac_progress_part(&parts[1]),
                                 tac_progress_part(&parts[2])};
  Bake bake = {.field = field, .mesh = mesh, .thread_count = def->thread_count};
  tacStatus status = choose_levels(def, &bake, error);
  if (status == TAC_OK) status = take_surface(&bake, error);
  if (status == TAC_OK) status = lay_points(&bake, &stages[0], error);
  if (status == TAC_OK) status = set_normals(&bake, &stages[1], error);
  if (status == TAC_OK) status = set_areas(&bake, &stages[2], error);
  if (status == TAC_OK) {
    const tacPointshellParts made = {bake.particles.count, bake.level_count, bake.particles.positions,
                                     bake.normals,         bake.level_of,    bake.areas};
    status = tac_pointshell_create(&made, NULL, shell, error);
  }
  if (status == TAC_OK) status = check_result(&bake, shell, error);
  if (status == TAC_OK && whole != NULL) progress->report("pointshell", 1.0, progress->user); /* too late to cancel */
  free_bake(&bake);
  return status;
}

tacStatus tac_pointshell_spacing(const tacPointshell *shell, int level, tacPointshellSpacing *spacing,
                                 tacError *error) {
  *spacing = (tacPointshellSpacing){0};
  if (level < 0) return tac_error_set(error, TAC_ERR_ARGUMENT, "level %d of a pointshell; the first is 0", level);
  int count = tac_pointshell_size(shell, level);
  if (count < 2) return tac_error_set(error, TAC_ERR_ARGUMENT, "one point has no neighbour; take a finer level");
  tacVec3 *positions = tac_array_create((size_t)count, sizeof *positions, "points", error);
  tacVec3 *normals = tac_array_create((size_t)count, sizeof *normals, "points", error);
  tacPointCells cells = {0};
  tacStatus status = positions != NULL && normals != NULL ? TAC_OK : TAC_ERR_MEMORY;
  if (status == TAC_OK) status = tac_point_cells_create(count, &cells, error);
  if (status != TAC_OK) goto done;
  for (int i = 0; i < count; ++i) {
    positions[i] = tac_pointshell_point(shell, i);
    normals[i] = tac_pointshell_normal(shell, i);
  }
  double size = tac_particles_even_spacing(tac_pointshell_surface_area(shell), count), sum = 0.0, squares = 0.0;
  tac_point_cells_fill(&cells, size > 0.0 ? size : 1.0, count, positions, normals);
  for (int i = 0; i < count; ++i) {
    const float normal[3] = {(float)normals[i].x, (float)normals[i].y, (float)normals[i].z};
    double distance;
    tac_point_cells_nearest(&cells, positions[i], normal, i, &distance);
    sum += distance;
    squares += distance * distance;
  }
  spacing->mean = sum / count;
  double variance = squares / count - spacing->mean * spacing->mean;
  spacing->variation = spacing->mean > 0.0 ? sqrt(fmax(variance, 0.0)) / spacing->mean : 0.0;
done:
  free(positions);
  free(normals);
  tac_point_cells_free(&cells);
  return status;
}
