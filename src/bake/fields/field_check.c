#include "bake/fields/field_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "asset/distance_field.h"
#include "base/log.h"
#include "base/memory/array.h"
#include "base/threads/parallel.h"
#include "math/geometry/vec3.h"
#include "math/random.h"
#include "mesh/query/thickness.h"
#include "mesh/query/triangle_point.h"

enum { MOST_SAMPLES = 96, FEWEST_SAMPLES = 6, TRIANGLES = 500000 /* that are measured in all */, TRIES = 200 };
#define FLOAT_ROUNDING 0x1p-24
#define EXCESS 4.5 /* voxels, beyond the band */
#define WARN_OF_VOLUME 0.1
#define MOST_VOLUME_ERROR 10.0 /* that is, any: what is lost may not matter, and it was told */
#define THIN_SHARE 0.1         /* of the area: what it is thinner than counts as thin */
#define THROUGH 2.0            /* voxels that a part needs across it */
#define MOST_RESOLUTION 1024

static int sample_count(const tacTriMesh *mesh) {
  int count = TRIANGLES / (mesh->triangle_count > 0 ? mesh->triangle_count : 1);
  return count < FEWEST_SAMPLES ? FEWEST_SAMPLES : count > MOST_SAMPLES ? MOST_SAMPLES : count;
}

int tac_field_check_choose(tacRandom *random, int count) {
  return (int)(tac_random_bits(random) % (uint64_t)count);
}

double tac_field_check_distance(const tacTriMesh *mesh, tacVec3 p) {
  double least = INFINITY;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *v = mesh->triangles[t].v;
    tacVec3 nearest = tac_triangle_closest(mesh->vertices[v[0]], mesh->vertices[v[1]], mesh->vertices[v[2]], p);
    least = fmin(least, tac_vec3_norm2(tac_vec3_sub(nearest, p)));
  }
  return sqrt(least);
}

bool tac_field_check_inside(const tacTriMesh *mesh, tacVec3 p) {
  double angle = 0.0;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *v = mesh->triangles[t].v;
    angle += tac_triangle_solid_angle(mesh->vertices[v[0]], mesh->vertices[v[1]], mesh->vertices[v[2]], p);
  }
  return fabs(angle) > 2.0 * M_PI;
}

static float value_at(const tacGrid *grid, const int n[3]) {
  return grid->values[((size_t)n[2] * (size_t)grid->ny + (size_t)n[1]) * (size_t)grid->nx + (size_t)n[0]];
}

/* A third of them on the box, a third in the band where one is found, the others anywhere. */
static void choose_node(const tacGrid *grid, double band, int kind, tacRandom *random, int n[3]) {
  const int nodes[3] = {grid->nx, grid->ny, grid->nz};
  for (int tries = 0; tries < TRIES; ++tries) {
    for (int axis = 0; axis < 3; ++axis) n[axis] = tac_field_check_choose(random, nodes[axis]);
    if (kind != 1 || fabs((double)value_at(grid, n)) <= band * grid->spacing) break;
  }
  if (kind == 0) {
    int face = tac_field_check_choose(random, 6);
    n[face / 2] = face % 2 == 0 ? 0 : nodes[face / 2] - 1;
  }
}

static bool on_box(const tacGrid *grid, const int n[3]) {
  return n[0] == 0 || n[1] == 0 || n[2] == 0 || n[0] == grid->nx - 1 || n[1] == grid->ny - 1 || n[2] == grid->nz - 1;
}

typedef struct {
  const tacTriMesh *mesh;
  const tacGrid *grid;
  double band;
  int node[MOST_SAMPLES][3];
  double off[MOST_SAMPLES]; /* voxels */
} Nodes;

static void compare_nodes(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  Nodes *nodes = context;
  const tacTriMesh *mesh = nodes->mesh;
  const tacGrid *grid = nodes->grid;
  for (size_t s = begin; s < end; ++s) {
    const int *n = nodes->node[s];
    tacVec3 p = tac_vec3_mad(grid->origin, grid->spacing, tac_vec3(n[0], n[1], n[2]));
    double distance = tac_field_check_distance(mesh, p), value = (double)value_at(grid, n);
    bool inside = tac_field_check_inside(mesh, p);
    double over = (inside ? -value : value) - distance; /* a wrong sign is as good as a value that is far too small */
    double most = on_box(grid, n) || distance <= nodes->band * grid->spacing ? 0.0 : EXCESS * grid->spacing;
    double off = over < 0.0 ? -over : fmax(over - most, 0.0);
    nodes->off[s] = (isfinite(value) ? off : INFINITY) / grid->spacing;
  }
}

static tacStatus check_nodes(const tacTriMesh *mesh, const tacGrid *grid, double band, double allowed,
                             tacBakeChecks *checks, tacError *error) {
  tacRandom random = tac_random_seed(10);
  tacWorst worst = {0};
  Nodes nodes = {.mesh = mesh, .grid = grid, .band = band};
  int count = sample_count(mesh);
  for (int s = 0; s < count; ++s) choose_node(grid, band, s % 3, &random, nodes.node[s]);
  TAC_TRY(tac_parallel_for(0, (size_t)count, 1, compare_nodes, &nodes, NULL, "a check", error));
  for (int s = 0; s < count; ++s) {
    const int *n = nodes.node[s];
    tac_worst_add(&worst, nodes.off[s], (n[2] * grid->ny + n[1]) * grid->nx + n[0]);
  }
  return tac_bake_checks_add(checks, "nodes with all triangles and their solid angles (voxels)", &worst, allowed,
                             "node", error);
}

/* By how much two neighbours differ more than they may, in voxels. Both are exact where they say that they are in the
 * band, or where one is so far inside of it that the other must be. */
static double step_error(double a, double b, double band, double voxel) {
  double least = fmin(fabs(a), fabs(b)), most = fmax(fabs(a), fabs(b));
  bool exact = most <= band * voxel || least <= (band - 1.0) * voxel;
  return fabs(a - b) / voxel - (exact ? 1.0 : 1.0 + EXCESS);
}

/* Layers of a grid, of which each thread takes some. */
typedef struct {
  const tacGrid *grid;
  double band;
  tacWorst *worst; /* [layer] */
  double *cells;   /* [layer]: that are inside, above it */
} Layers;

static void compare_steps(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Layers *layers = context;
  const tacGrid *grid = layers->grid;
  const size_t stride[3] = {1, (size_t)grid->nx, (size_t)grid->nx * (size_t)grid->ny};
  const int nodes[3] = {grid->nx, grid->ny, grid->nz};
  for (size_t k = begin; k < end; ++k)
    for (int j = 0; j < grid->ny; ++j)
      for (int i = 0; i < grid->nx; ++i) {
        const int n[3] = {i, j, (int)k};
        size_t at = k * stride[2] + (size_t)j * stride[1] + (size_t)i;
        double most = 0.0, here = (double)grid->values[at];
        for (int axis = 0; axis < 3; ++axis)
          if (n[axis] + 1 < nodes[axis])
            most = fmax(most, step_error(here, (double)grid->values[at + stride[axis]], layers->band, grid->spacing));
        tac_worst_add(&layers->worst[k], most, (int)at);
      }
}

static tacStatus check_steps(const tacGrid *grid, double band, double allowed, tacBakeChecks *checks, tacError *error) {
  Layers layers = {.grid = grid, .band = band};
  TAC_TRY(TAC_ARRAY(layers.worst, (size_t)grid->nz, "a check", error));
  tac_parallel_do((size_t)grid->nz, 1, compare_steps, &layers);
  tacWorst worst = {0};
  for (int k = 0; k < grid->nz; ++k) tac_worst_join(&worst, &layers.worst[k]);
  free(layers.worst);
  return tac_bake_checks_add(checks, "nodes with what distances may change to the next (voxels)", &worst, allowed,
                             "node", error);
}

/* Share of a cell in which the interpolant is negative: along 8 x 8 lines in the direction of z, on which it is linear, exactly. */
static double share_inside(const float *corner, const size_t stride[3]) {
  enum { LINES = 8 };
  double v[8], share = 0.0;
  int negative = 0;
  for (int c = 0; c < 8; ++c) {
    v[c] =
        (double)corner[(size_t)(c & 1) * stride[0] + (size_t)(c >> 1 & 1) * stride[1] + (size_t)(c >> 2) * stride[2]];
    negative += v[c] < 0.0;
  }
  if (negative == 0 || negative == 8) return negative / 8;
  for (int j = 0; j < LINES; ++j)
    for (int i = 0; i < LINES; ++i) {
      double x = (i + 0.5) / LINES, y = (j + 0.5) / LINES;
      double low = (1.0 - y) * ((1.0 - x) * v[0] + x * v[1]) + y * ((1.0 - x) * v[2] + x * v[3]);
      double high = (1.0 - y) * ((1.0 - x) * v[4] + x * v[5]) + y * ((1.0 - x) * v[6] + x * v[7]);
      if ((low < 0.0) == (high < 0.0))
        share += low < 0.0;
      else
        share += fmin(low, high) / (fmin(low, high) - fmax(low, high));
    }
  return share / (LINES * LINES);
}

static void count_cells(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Layers *layers = context;
  const tacGrid *grid = layers->grid;
  const size_t stride[3] = {1, (size_t)grid->nx, (size_t)grid->nx * (size_t)grid->ny};
  for (size_t k = begin; k < end; ++k)
    for (int j = 0; j + 1 < grid->ny; ++j)
      for (int i = 0; i + 1 < grid->nx; ++i)
        layers->cells[k] += share_inside(grid->values + k * stride[2] + (size_t)j * stride[1] + (size_t)i, stride);
}

static tacStatus measure_volume(const tacGrid *grid, double *volume, tacError *error) {
  Layers layers = {.grid = grid};
  size_t count = (size_t)grid->nz - 1;
  TAC_TRY(TAC_ARRAY(layers.cells, count, "a check", error));
  tac_parallel_do(count, 1, count_cells, &layers);
  double cells = 0.0;
  for (size_t k = 0; k < count; ++k) cells += layers.cells[k];
  free(layers.cells);
  *volume = cells * grid->spacing * grid->spacing * grid->spacing;
  return TAC_OK;
}

static tacStatus warn_of_volume(const tacTriMesh *mesh, const tacGrid *grid, double share, tacError *error) {
  double thin;
  TAC_TRY(tac_thickness_of_share(mesh, THIN_SHARE, &thin, error));
  double side = (grid->nx - 1) * grid->spacing, wanted = ceil(THROUGH * side / thin - 1e-6);
  char remedy[120] = "more than a field may have; leave thin parts out, or thicken them (--soup --offset)";
  if (wanted <= MOST_RESOLUTION) snprintf(remedy, sizeof remedy, "so use %.0f instead of %d", wanted, grid->nx - 1);
  tac_log(TAC_LOG_WARNING,
          "the distance field encloses only %.2f of the solid's volume: a tenth of the surface is thinner than %.3g m, "
          "and voxels are %.3g m; two voxels through it need %.0f along a side, %s",
          share, thin, grid->spacing, wanted, remedy);
  return TAC_OK;
}

/* What is thinner than two voxels has hardly a node inside, and is lost. That is no error of the bake, and a coarse field may be
 * what is wanted, so nothing is refused: it is told, and stays in the asset with its checks. */
static tacStatus check_volume(const tacTriMesh *mesh, const tacGrid *grid, tacBakeChecks *checks, tacError *error) {
  double solid, enclosed;
  TAC_TRY(tac_trimesh_solid_volume(mesh, &solid, error));
  if (!(solid > 0.0)) return TAC_OK;
  TAC_TRY(measure_volume(grid, &enclosed, error));
  double share = enclosed / solid;
  tacWorst worst = {0};
  tac_worst_add(&worst, fabs(share - 1.0), 0);
  if (worst.error > WARN_OF_VOLUME) TAC_TRY(warn_of_volume(mesh, grid, share, error));
  return tac_bake_checks_add(checks, "the volume that it encloses with the solid's", &worst, MOST_VOLUME_ERROR, NULL,
                             error);
}

tacStatus tac_field_check(const tacTriMesh *mesh, const tacGrid *grid, double band, tacBakeChecks *checks,
                          tacError *error) {
  int most = grid->nx > grid->ny ? grid->nx : grid->ny;
  double allowed = fmax(1e-3, 100.0 * FLOAT_ROUNDING * (most > grid->nz ? most : grid->nz));
  TAC_TRY(check_nodes(mesh, grid, band, allowed, checks, error));
  TAC_TRY(check_steps(grid, band, allowed, checks, error));
  return check_volume(mesh, grid, checks, error);
}

tacStatus tac_field_check_offset(const tacTriMesh *soup, const tacTriMesh *surface, double offset, double voxel,
                                 double band, tacBakeChecks *checks, tacError *error) {
  tacRandom random = tac_random_seed(11);
  tacWorst worst = {0};
  for (int s = 0; s < sample_count(soup) && surface->vertex_count > 0; ++s) {
    int v = tac_field_check_choose(&random, surface->vertex_count);
    double distance = tac_field_check_distance(soup, surface->vertices[v]);
    tac_worst_add(&worst, fabs(distance - offset) / voxel, v);
  }
  return tac_bake_checks_add(checks, "vertices of the offset surface with their distance to the triangles (voxels)",
                             &worst, offset + voxel <= band * voxel ? 1.0 : 1.0 + EXCESS, "vertex", error);
}

tacStatus tac_field_check_cut(const tacDistanceField *solid, const tacDistanceField *region, const tacTriMesh *surface,
                              tacBakeChecks *checks, tacError *error) {
  double voxel = tac_distance_field_grid(solid)->spacing;
  tacRandom random = tac_random_seed(12);
  tacWorst worst = {0};
  for (int s = 0; s < MOST_SAMPLES && surface->vertex_count > 0; ++s) {
    int v = tac_field_check_choose(&random, surface->vertex_count);
    tacVec3 p = surface->vertices[v];
    double value = fmax(tac_distance_field_value(solid, p), tac_distance_field_value(region, p));
    tac_worst_add(&worst, fabs(value) / voxel, v);
  }
  return tac_bake_checks_add(checks, "vertices of the cut surface with solid and region (voxels)", &worst, 1.0,
                             "vertex", error);
}
