#include <tactus/pointshell.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <tactus/mesh.h>
#include <tactus/meshing.h>
#include "asset/pointshell.h"
#include "bake/isosurface.h"
#include "bake/points/particle_repulsion.h"
#include "bake/points/pointshell_bake.h"
#include "bake/points/pointshell_check.h"
#include "bake/points/pseudo_normals.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/memory/owned.h"
#include "base/memory/physical_memory.h"
#include "base/progress.h"
#include "base/threads/parallel.h"
#include "math/geometry/vec3.h"

TAC_OWNED_TYPE(tacPointshell, tac_pointshell_destroy)

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
  tacArrays arrays;
} Bake;

static tacStatus choose_levels(const tacPointshellDef *def, Bake *bake, tacError *error) {
  int points = def->point_count, levels = def->level_count;
  if (points < FEWEST_FIRST)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "wrong number of points of a pointshell (%d); at least %d are "
                         "needed",
                         points, FEWEST_FIRST);
  if ((double)points * BYTES_A_POINT > (double)tac_physical_memory())
    return tac_error_set(error, TAC_ERR_MEMORY,
                         "%d points need about %.1f GiB of memory, but this machine has %.1f GiB; use fewer", points,
                         points * BYTES_A_POINT / 1073741824.0, (double)tac_physical_memory() / 1073741824.0);
  if (levels < 0 || levels > TAC_POINTSHELL_MOST_LEVELS)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "wrong number of levels of a pointshell (%d); 1 to %d are "
                         "possible, and 0 chooses automatically",
                         levels, TAC_POINTSHELL_MOST_LEVELS);
  int most = 1; /* levels that the points are enough for */
  for (int n = points; n / 4 >= FEWEST_FIRST && most < TAC_POINTSHELL_MOST_LEVELS; n /= 4) ++most;
  if (levels > most)
    return tac_error_set(
        error, TAC_ERR_ARGUMENT,
        "%d points are too few for %d levels, because each level has a quarter of the points of the next; use at "
        "most %d levels, or more points",
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
                               "the field is negative at node (%d, %d, %d) on its box, so the body is cut off there; "
                               "use a larger box",
                               i, j, k);
    }
  return TAC_OK;
}

static tacStatus take_surface(Bake *bake, tacError *error) {
  const tacGrid *grid = tac_distance_field_grid(bake->field);
  if (grid == NULL)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "an analytic field has no samples; a pointshell needs a grid field");
  if (bake->mesh != NULL) TAC_TRY(tac_trimesh_validate(bake->mesh, error));
  if (bake->mesh != NULL) TAC_TRY(tac_trimesh_require_closed(bake->mesh, error));
  TAC_TRY(check_box(grid, error));
  TAC_TRY(tac_isosurface_extract(grid, 0.0, &bake->level_set, error));
  return tac_surface_samples_create(bake->level_set, &bake->samples, error);
}

/* Where the first level has many points, coarser ones that stay free lead to it. */
static tacStatus place_first_level(Bake *bake, int size, const tacProgress *progress, tacError *error) {
  const tacProgress coarse = tac_progress_part(&(tacProgressPart){progress, 0.0, 0.25, NULL});
  const tacProgress fine = tac_progress_part(&(tacProgressPart){progress, 0.25, 1.0, NULL});
  if (size > MOST_AT_ONCE) TAC_TRY(place_first_level(bake, size / 4, &coarse, error));
  return tac_particles_refine(&bake->particles, size, 0, &fine, error);
}

static tacStatus place_points(Bake *bake, const tacProgress *progress, tacError *error) {
  int count = bake->sizes[bake->level_count - 1];
  /* On a surface with many handles there are a few more middles than wanted. */
  TAC_TRY(tac_particles_create(bake->field, &bake->samples, count + count / 8 + 64, bake->thread_count,
                               &bake->particles, error));
  for (int l = 0; l < bake->level_count; ++l) {
    const tacProgress now = tac_progress_part(&(tacProgressPart){
        progress, l > 0 ? (double)bake->sizes[l - 1] / count : 0.0, (double)bake->sizes[l] / count, NULL});
    TAC_TRY(l == 0 ? place_first_level(bake, bake->sizes[0], &now, error)
                   : tac_particles_refine(&bake->particles, bake->sizes[l], bake->sizes[l - 1], &now, error));
  }
  return TAC_OK;
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
  bake->normals = tac_arrays_add(&bake->arrays, (size_t)count, sizeof *bake->normals);
  bake->distances = tac_arrays_add(&bake->arrays, (size_t)count, sizeof *bake->distances);
  TAC_TRY(tac_arrays_status(&bake->arrays, "normals of points", error));
  const tacTriMesh *mesh = bake->mesh != NULL ? bake->mesh : bake->level_set;
  TAC_TRY(tac_pseudo_normals_create(mesh, &bake->pseudo_normals, error));
  TAC_TRY(tac_parallel_for(bake->thread_count, (size_t)count, 256, find_normals, bake, progress, "normals of points",
                           error));
  double farthest = 0.0;
  for (int i = 0; i < count; ++i) farthest = fmax(farthest, bake->distances[i]);
  /* A voxel that the level set crosses is crossed by the mesh as well. */
  if (farthest <= 2.0 * voxel) return TAC_OK;
  return tac_error_set(error, TAC_ERR_ARGUMENT,
                       "the field's surface is up to %.1f voxels away from the mesh; give the mesh from which the "
                       "field was made, or none",
                       farthest / voxel);
}

enum { SAMPLES_A_POINT = 64, FEWEST_SAMPLES = 1 << 16 };

typedef struct Count {
  const tacSurfaceSamples *samples;
  size_t sample_count;
  tacPointCells cells;
  atomic_int *hits; /* [point]: whole numbers, so that the order in which threads add them does not matter */
} Count;

static void count_samples(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Count *count = context;
  for (size_t i = begin; i < end; ++i) {
    tacVec3 n, p = tac_surface_samples_at(count->samples, i, count->sample_count, &n);
    const float normal[3] = {(float)n.x, (float)n.y, (float)n.z};
    double distance;
    int nearest = tac_point_cells_nearest(&count->cells, p, normal, -1, &distance);
    atomic_fetch_add_explicit(&count->hits[nearest], 1, memory_order_relaxed);
  }
}

static void free_count(Count *c) {
  tac_point_cells_free(&c->cells);
  free(c->hits);
}

/* The area (m^2) that is nearer to each point than to any other on the same side, by counting samples, about 64 a point. The
 * sum is the surface's area. `count` is at least 1; normals are unit. */
static tacStatus measure_areas(const tacSurfaceSamples *samples, int count, const tacVec3 *positions,
                               const tacVec3 *normals, int thread_count, const tacProgress *progress, double *areas,
                               tacError *error) {
  TAC_FREED(free_count, Count, c) = {.samples = samples, .sample_count = SAMPLES_A_POINT * (size_t)count};
  if (c.sample_count < FEWEST_SAMPLES) c.sample_count = FEWEST_SAMPLES;
  TAC_TRY(tac_point_cells_create(count, &c.cells, error));
  TAC_TRY(TAC_ARRAY(c.hits, (size_t)count, "areas of points", error));
  tac_point_cells_fill(&c.cells, tac_particles_even_spacing(samples->area, count), count, positions, normals);
  TAC_TRY(tac_parallel_for(thread_count, c.sample_count, 4096, count_samples, &c, progress, "areas of points", error));
  for (int i = 0; i < count; ++i) areas[i] = samples->area * (double)atomic_load(&c.hits[i]) / (double)c.sample_count;
  return TAC_OK;
}

static tacStatus set_areas(Bake *bake, const tacProgress *progress, tacError *error) {
  const int count = bake->particles.count;
  bake->level_of = tac_arrays_add(&bake->arrays, (size_t)count, sizeof *bake->level_of);
  bake->areas = tac_arrays_add(&bake->arrays, (size_t)bake->level_count * (size_t)count, sizeof *bake->areas);
  TAC_TRY(tac_arrays_status(&bake->arrays, "areas of points", error));
  for (int l = 0; l < bake->level_count; ++l) {
    int first = l > 0 ? bake->sizes[l - 1] : 0;
    const tacProgress now =
        tac_progress_part(&(tacProgressPart){progress, (double)first / count, (double)bake->sizes[l] / count, NULL});
    for (int i = first; i < bake->sizes[l]; ++i) bake->level_of[i] = l;
    TAC_TRY(measure_areas(&bake->samples, bake->sizes[l], bake->particles.positions, bake->particles.normals,
                          bake->thread_count, &now, &bake->areas[(size_t)l * (size_t)count], error));
  }
  return TAC_OK;
}

static void free_bake(Bake *bake) {
  tac_particles_free(&bake->particles);
  tac_surface_samples_free(&bake->samples);
  tac_pseudo_normals_free(&bake->pseudo_normals);
  tac_trimesh_destroy(bake->level_set);
  tac_arrays_free(&bake->arrays);
}

tacStatus tac_pointshell_bake(const tacDistanceField *field, const tacTriMesh *mesh, const tacPointshellDef *def,
                              const tacProgress *progress, tacPointshell **shell, tacError *error) {
  TAC_REQUIRE(error, shell);
  *shell = NULL;
  TAC_REQUIRE(error, field, def);
  Pace pace = {.progress = progress};
  const tacProgress paced = {report_at_pace, &pace};
  const tacProgress *whole = progress != NULL && progress->report != NULL ? &paced : NULL;
  const tacProgress stages[] = {tac_progress_part(&(tacProgressPart){whole, 0.0, 0.7, "pointshell"}),
                                tac_progress_part(&(tacProgressPart){whole, 0.7, 0.75, "pointshell"}),
                                tac_progress_part(&(tacProgressPart){whole, 0.75, 1.0, "pointshell"})};
  TAC_FREED(free_bake, Bake, bake) = {.field = field, .mesh = mesh, .thread_count = def->thread_count};
  TAC_OWN(tacPointshell, made) = NULL;
  tacBakeChecks checks = {0};
  TAC_TRY(choose_levels(def, &bake, error));
  TAC_TRY(take_surface(&bake, error));
  TAC_TRY(place_points(&bake, &stages[0], error));
  TAC_TRY(set_normals(&bake, &stages[1], error));
  TAC_TRY(set_areas(&bake, &stages[2], error));
  const tacPointshellParts points = {bake.particles.count, bake.level_count, bake.particles.positions,
                                     bake.normals,         bake.level_of,    bake.areas};
  TAC_TRY(tac_pointshell_create(&points, NULL, &made, error));
  TAC_TRY(tac_pointshell_check(made, tac_distance_field_grid(field), bake.level_set, &checks, error));
  tac_bake_checks_join(&checks, tac_distance_field_checks(field)); /* of what the points were fitted to */
  tac_pointshell_set_checks(made, &checks);
  if (whole != NULL) progress->report("pointshell", 1.0, progress->user); /* too late to cancel */
  *shell = tac_give(&made);
  return TAC_OK;
}

tacStatus tac_pointshell_spacing(const tacPointshell *shell, int level, tacPointshellSpacing *spacing,
                                 tacError *error) {
  *spacing = (tacPointshellSpacing){0};
  if (level < 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "level %d of a pointshell is not valid; the first is 0", level);
  int count = tac_pointshell_size(shell, level);
  if (count < 2)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "a level with one point has no neighbours; use a "
                         "finer level");
  TAC_FREED(tac_point_cells_free, tacPointCells, cells) = {0};
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  tacVec3 *positions = tac_arrays_add(&work, (size_t)count, sizeof *positions);
  tacVec3 *normals = tac_arrays_add(&work, (size_t)count, sizeof *normals);
  TAC_TRY(tac_arrays_status(&work, "points", error));
  TAC_TRY(tac_point_cells_create(count, &cells, error));
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
  return TAC_OK;
}
