#include "bake/points/pointshell_check.h"

#include <math.h>
#include "asset/pointshell.h"
#include "bake/modes/embedding_check.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/threads/parallel.h"
#include "math/geometry/vec3.h"
#include "math/random.h"
#include "mesh/trimesh.h"

#define FLOAT_ROUNDING 0x1p-24
#define FLOATS_ALLOWED 1e-5 /* of numbers that are floats: rounding is 6e-8 of them */

double tac_pointshell_check_value(const tacGrid *grid, tacVec3 p, tacVec3 *gradient) {
  const double at[3] = {(p.x - grid->origin.x) / grid->spacing, (p.y - grid->origin.y) / grid->spacing,
                        (p.z - grid->origin.z) / grid->spacing};
  const int nodes[3] = {grid->nx, grid->ny, grid->nz};
  int low[3];
  double t[3], value = 0.0, slope[3] = {0.0, 0.0, 0.0};
  for (int a = 0; a < 3; ++a) {
    low[a] = (int)fmax(0.0, fmin(floor(at[a]), nodes[a] - 2.0));
    t[a] = at[a] - low[a];
  }
  for (int c = 0; c < 8; ++c) {
    const int up[3] = {c & 1, c >> 1 & 1, c >> 2 & 1};
    double w[3], v;
    for (int a = 0; a < 3; ++a) w[a] = up[a] ? t[a] : 1.0 - t[a];
    v = (double)
            grid->values[((size_t)(low[2] + up[2]) * (size_t)grid->ny + (size_t)(low[1] + up[1])) * (size_t)grid->nx +
                         (size_t)(low[0] + up[0])];
    value += w[0] * w[1] * w[2] * v;
    for (int a = 0; a < 3; ++a) slope[a] += (up[a] ? v : -v) * w[(a + 1) % 3] * w[(a + 2) % 3] / grid->spacing;
  }
  *gradient = tac_vec3(slope[0], slope[1], slope[2]);
  return value;
}

double tac_pointshell_check_allowed(const tacGrid *grid, double largest_coordinate) {
  return 1e-3 + 64.0 * FLOAT_ROUNDING * largest_coordinate / grid->spacing;
}

static double largest_coordinate(tacVec3 p) {
  return fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z)));
}

static tacStatus check_areas(const tacPointshell *shell, const tacTriMesh *level_set, tacBakeChecks *checks,
                             tacError *error) {
  const tacPointshellView *view = tac_pointshell_view(shell);
  double area = tac_trimesh_area(level_set);
  tacWorst worst = {0};
  for (int l = 0; l < view->level_count; ++l) {
    double sum = 0.0;
    for (int i = 0; i < view->sizes[l]; ++i) sum += (double)view->areas[l][i];
    tac_worst_add(&worst, fabs(sum - area) / area, l);
  }
  return tac_bake_checks_add(checks, "areas of a level together with that of the level set", &worst, FLOATS_ALLOWED,
                             "level", error);
}

/* Minus the cosine between the normal and the field's slope, the least of those within half a voxel: slopes jump from voxel to
 * voxel, and a point was led to its place by one beside it. */
static double inward_part(const tacGrid *grid, tacVec3 p, tacVec3 normal) {
  static const double reach[] = {0.0, 0.02, 0.1, 0.5}; /* voxels */
  double least = INFINITY;
  for (size_t r = 0; r < sizeof reach / sizeof *reach; ++r)
    for (int c = 0; c < (r == 0 ? 1 : 8); ++c) {
      double by = reach[r] * grid->spacing;
      tacVec3 slope, at = {p.x + (c & 1 ? by : -by), p.y + (c & 2 ? by : -by), p.z + (c & 4 ? by : -by)};
      tac_pointshell_check_value(grid, at, &slope);
      double steep = tac_vec3_norm(slope);
      if (steep > 0.0) least = fmin(least, -tac_vec3_dot(normal, slope) / steep);
    }
  return least < INFINITY ? least : 0.0;
}

enum { PIECE = 1024 }; /* points that are compared together */

typedef struct {
  tacWorst places, normals;
  double largest;
} Piece;

typedef struct {
  const tacPointshell *shell;
  const tacGrid *grid;
  Piece *pieces;
} Pieces;

static void compare_points(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Pieces *all = context;
  Piece *piece = &all->pieces[begin / PIECE];
  const tacGrid *grid = all->grid;
  for (size_t i = begin; i < end; ++i) {
    const float *n = tac_pointshell_view(all->shell)->normals[i];
    tacVec3 p = tac_pointshell_point(all->shell, (int)i), normal = {(double)n[0], (double)n[1], (double)n[2]}, gradient;
    double value = tac_pointshell_check_value(grid, p, &gradient);
    piece->largest = fmax(piece->largest, largest_coordinate(p));
    tac_worst_add(&piece->places, fabs(value) / grid->spacing, (int)i);
    tac_worst_add(&piece->normals, fmax(fabs(tac_vec3_norm(normal) - 1.0), inward_part(grid, p, normal)), (int)i);
  }
}

tacStatus tac_pointshell_check(const tacPointshell *shell, const tacGrid *grid, const tacTriMesh *level_set,
                               tacBakeChecks *checks, tacError *error) {
  const tacPointshellView *view = tac_pointshell_view(shell);
  tacWorst places = {0}, normals = {0};
  double largest = largest_coordinate(grid->origin);
  size_t points = (size_t)view->sizes[view->level_count - 1], pieces = (points + PIECE - 1) / PIECE;
  TAC_MEMORY(Piece, of_all) = NULL;
  TAC_TRY(TAC_ARRAY(of_all, pieces, "a check", error));
  Pieces all = {shell, grid, of_all};
  TAC_TRY(tac_parallel_for(0, points, PIECE, compare_points, &all, NULL, "a check", error));
  for (size_t i = 0; i < pieces; ++i) {
    largest = fmax(largest, of_all[i].largest);
    tac_worst_join(&places, &of_all[i].places);
    tac_worst_join(&normals, &of_all[i].normals);
  }
  TAC_TRY(tac_bake_checks_add(checks, "points with the zero level set (voxels)", &places,
                              tac_pointshell_check_allowed(grid, largest), "point", error));
  TAC_TRY(tac_bake_checks_add(checks, "normals with unit length and the field's outward side", &normals, FLOATS_ALLOWED,
                              "point", error));
  return check_areas(shell, level_set, checks, error);
}

tacStatus tac_pointshell_check_embedded(const tacPointshell *shell, const tacVolMesh *volume, const double *basis,
                                        tacBakeChecks *checks, tacError *error) {
  const tacPointshellView *view = tac_pointshell_view(shell);
  const tacEmbeddingCheck check = tac_embedding_check(volume, view->r, basis);
  size_t r = (size_t)view->r, stride = (size_t)view->stride;
  int count = view->sizes[view->level_count - 1];
  TAC_MEMORY(double, rows) = NULL;
  TAC_TRY(TAC_ARRAY(rows, 6 * r, "a check", error));
  tacRandom random = tac_random_seed(13);
  tacWorst worst = {0};
  for (int s = 0; s < TAC_EMBEDDING_SAMPLES; ++s) {
    int point = (int)(tac_random_bits(&random) % (uint64_t)count);
    for (size_t i = 0; i < 3 * r; ++i) {
      size_t from = (3 * (size_t)point + i / r) * stride + i % r;
      rows[i] = (double)view->displacements[from];
      rows[3 * r + i] = (double)view->normal_changes[from];
    }
    const tacEmbeddedRows embedded = {.point = tac_pointshell_point(shell, point),
                                      .normal = tac_pointshell_normal(shell, point),
                                      .displacement = rows,
                                      .normal_change = rows + 3 * r};
    tac_embedding_check_compare(&check, &embedded, point, &worst);
  }
  return tac_bake_checks_add(checks, "displacements and turns of points with their element", &worst, FLOATS_ALLOWED,
                             "point", error);
}
