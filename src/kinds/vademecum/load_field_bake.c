#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <tactus/distance_field.h>
#include <tactus/reduced.h>
#include "asset/distance_field.h"
#include "asset/load_field.h"
#include "asset/load_slice.h"
#include "bake/fields/field_bake.h"
#include "base/clock.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/progress.h"
#include "base/threads/parallel.h"
#include "kinds/vademecum/crosses.h"
#include "kinds/vademecum/load_field_bake.h"
#include "kinds/vademecum/load_field_check.h"
#include "math/dense/vector.h"
#include "math/geometry/vec3.h"
#include "mesh/trimesh.h"

#define MARGIN 3.0 /* default margin, voxels */
/* Largest factor by which the tolerance of a block of samples is increased. The factor is the block's smallest
 * distance to any deformed surface, divided by the band. Samples far from every surface need less accuracy. */
#define FAR_TOLERANCE 3.0
enum { MOST_RESOLUTION = 512, FEWEST_VOXELS = 8 };

_Static_assert((int)TAC_CROSSES_ROWS == (int)TAC_LOAD_BLOCK, "a block is a matrix with a row for each sample");

TAC_OWNED_TYPE(tacDistanceField, tac_distance_field_destroy)
TAC_OWNED_TYPE(tacLoadField, tac_load_field_destroy)
TAC_OWNED_TYPE(tacTriMesh, tac_trimesh_destroy)

tacLoadFieldDef tac_load_field_def_default(void) {
  return (tacLoadFieldDef){
      .resolution = 64, .box = {{1.0, 1.0, 1.0}, {-1.0, -1.0, -1.0}}, .band = 4.0, .bytes_most = 1073741824.0};
}

/* Data of a running bake. A column is a deformation: node level_count + level. Blocks are cubes of TAC_LOAD_SIDE^3
 * samples. A slab is a range of grid layers along z that fits in memory. */
typedef struct {
  const tacLoadFieldDef *def;
  tacLoadFieldEstimate layout;
  int columns, threads;
  double tolerance;
  tacTriMesh **meshes;     /* [thread]: deformed surface */
  float *rest, *samples;   /* distances in a slab: at rest [nodes], and deformed [column][nodes] */
  int first_layer, layers; /* first grid layer of the slab, and number of layers */
  float **matrices;        /* [thread][column][TAC_LOAD_BLOCK]: changes of distance in a block */
  tacCrosses *crosses;     /* [block]: low-rank approximation of the samples */
  float *units;            /* [block]: unit of 16-bit samples, m */
  double *errors;          /* [block], m: error of the approximation; 0 for blocks far from the surface */
  atomic_int status;       /* tacStatus of the first thread that failed */
  tacError *errors_of;     /* [thread]: error of a thread that failed */
  /* ---- results ---- */
  tacLoadSlice **slices;  /* [thread]: evaluator of the baked field */
  tacFieldReach *reaches; /* [columns + 1]: lower bound of the distance to the body; the last entry is at rest */
  tacLoadSolid *solids;   /* [columns + 1]: ball around the deformed body */
  double *boundaries;     /* [columns + 1], m: lower bound of distances on the faces of the grid */
  tacArrays arrays;       /* owns all arrays except `samples` and `solids` */
} Bake;

static void fail(Bake *bake, tacStatus status) {
  int expected = TAC_OK;
  atomic_compare_exchange_strong(&bake->status, &expected, (int)status);
}

/* ---- layout ---- */

static tacStatus check_def(const tacLoadFieldDef *def, tacError *error) {
  if (def->shape == NULL || def->vertices == NULL || def->levels == NULL || def->states == NULL)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a load field needs a shape, vertices, levels and states");
  if (def->node_count < 1 || def->level_count < 1)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "loads at %d nodes with %d sizes are not valid; at least one of "
                         "each is needed",
                         def->node_count, def->level_count);
  if (def->resolution < FEWEST_VOXELS || def->resolution > MOST_RESOLUTION)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "wrong resolution (%d voxels along the longest side); use %d to %d",
                         def->resolution, FEWEST_VOXELS, MOST_RESOLUTION);
  if (!(def->margin >= 0.0) || !(def->tolerance >= 0.0) || !(def->band >= 0.0) || !(def->bytes_most > 0.0))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "margin, tolerance and band must be 0 or more, and the byte limit "
                         "must be positive");
  const int vertices = tac_reduced_surface(def->shape)->vertex_count;
  for (int i = 0; i < def->node_count; ++i)
    if (def->vertices[i] < 0 || def->vertices[i] >= vertices)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "node %d refers to vertex %d, but the surface has %d vertices", i,
                           def->vertices[i], vertices);
  return tac_trimesh_require_closed(tac_reduced_surface(def->shape), error);
}

/* Moves the vertices of `mesh` to deformation `column`; -1 means the body at rest. */
static void deform(const tacLoadFieldDef *def, int column, tacTriMesh *mesh) {
  const tacTriMesh *rest = tac_reduced_surface(def->shape);
  const int n = tac_reduced_size(def->shape);
  const double *u = tac_reduced_displacements(def->shape),
               *q = column < 0 ? NULL : def->states + (size_t)column * (size_t)n;
  for (int v = 0; v < rest->vertex_count; ++v, u += 3 * n) {
    double sums[3] = {0.0, 0.0, 0.0};
    if (q != NULL) tac_vector_dot3(n, u, q, sums);
    mesh->vertices[v] = tac_vec3_add(rest->vertices[v], tac_vec3(sums[0], sums[1], sums[2]));
  }
}

static tacStatus bound_deformations(const tacLoadFieldDef *def, tacBox *box, tacError *error) {
  TAC_OWN(tacTriMesh, mesh) = NULL;
  TAC_TRY(tac_trimesh_copy(tac_reduced_surface(def->shape), &mesh, error));
  *box = tac_box_empty();
  for (int column = -1; column < def->node_count * def->level_count; ++column) {
    deform(def, column, mesh);
    for (int v = 0; v < mesh->vertex_count; ++v) {
      if (!tac_vec3_finite(mesh->vertices[v]))
        return tac_error_set(error, TAC_ERR_ARGUMENT,
                             "the deformation at node %d with load size %d has NaN or "
                             "infinite values",
                             column / def->level_count, column % def->level_count);
      *box = tac_box_add(*box, mesh->vertices[v]);
    }
  }
  return TAC_OK;
}

static double least3(double a, double b, double c) {
  return fmin(a, fmin(b, c));
}

/* Computes the grid of `to` around the deformations, which lie in the box `all`. On the faces of the grid, distances
 * must be positive, also between samples (tacLoadBounds). So the function requires a minimum margin. */
static tacStatus lay_grid(const tacLoadFieldDef *def, tacBox all, tacLoadFieldEstimate *to, tacError *error) {
  tacBox box = def->box;
  if (box.lower.x > box.upper.x) {
    double longest = tac_box_longest(all), margin = def->margin;
    if (!(longest > 0.0 && longest < 1e100))
      return tac_error_set(error, TAC_ERR_GEOMETRY, "a body with a size of %g m cannot have a load field", longest);
    if (margin == 0.0)
      margin = def->resolution > 4.0 * MARGIN ? MARGIN * longest / (def->resolution - 2.0 * MARGIN) : 0.5 * longest;
    box = tac_box_expand(all, margin);
  }
  to->spacing = tac_box_longest(box) / def->resolution;
  if (!(to->spacing > 0.0) || !isfinite(to->spacing))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a box of %g m", tac_box_longest(box));
  const double size[3] = {tac_box_size(box).x, tac_box_size(box).y, tac_box_size(box).z};
  for (int axis = 0; axis < 3; ++axis) {
    int voxels = (int)ceil(size[axis] / to->spacing - 1e-6);
    to->nodes[axis] = (voxels < 1 ? 1 : voxels) + 1;
  }
  const tacVec3 whole = tac_vec3(to->nodes[0] - 1, to->nodes[1] - 1, to->nodes[2] - 1);
  to->origin = tac_vec3_mad(tac_box_centre(box), -0.5 * to->spacing, whole);
  const tacVec3 below = tac_vec3_sub(all.lower, to->origin),
                above = tac_vec3_sub(tac_vec3_mad(to->origin, to->spacing, whole), all.upper);
  const double tolerance = def->tolerance > 0.0 ? def->tolerance : 0.1 * to->spacing,
               room = fmin(least3(below.x, below.y, below.z), least3(above.x, above.y, above.z)),
               wanted = 0.75 * to->spacing + 2.0 * FAR_TOLERANCE * tolerance;
  if (!(room >= wanted))
    return tac_error_set(
        error, TAC_ERR_ARGUMENT,
        "the box is too small by %g m: all deformations lie in (%g, %g, %g) to (%g, %g, %g) m, and a margin of %g m "
        "is needed around them",
        wanted - room, all.lower.x, all.lower.y, all.lower.z, all.upper.x, all.upper.y, all.upper.z, wanted);
  return TAC_OK;
}

static double nodes_of(const tacLoadFieldEstimate *layout, int layers) {
  return (double)layout->nodes[0] * layout->nodes[1] * layers;
}

static double bytes_of_slab(const tacLoadFieldDef *def, const tacLoadFieldEstimate *layout, int layers) {
  const double columns = (double)def->node_count * def->level_count;
  return 4.0 * nodes_of(layout, layers) * (columns + 1.0);
}

/* Returns the number of grid layers per slab, a multiple of TAC_LOAD_SIDE. A slab and the data of the threads must
 * fit in `bytes_most`. Also sets the byte counts of `layout`. */
static int choose_layers(const tacLoadFieldDef *def, tacLoadFieldEstimate *layout) {
  const double columns = (double)def->node_count * def->level_count;
  const int threads = def->thread_count > 0 ? def->thread_count : tac_parallel_core_count();
  const double own = threads * (4.0 * columns * TAC_LOAD_BLOCK + 5.0 * nodes_of(layout, layout->nodes[2]));
  const int whole = (layout->nodes[2] + TAC_LOAD_SIDE - 1) / TAC_LOAD_SIDE;
  int slabs = whole;
  while (slabs > 1 && own + bytes_of_slab(def, layout, slabs * TAC_LOAD_SIDE) > def->bytes_most) --slabs;
  layout->bytes_dense = 2.0 * nodes_of(layout, layout->nodes[2]) * columns;
  layout->bytes_bake = own + bytes_of_slab(def, layout, slabs * TAC_LOAD_SIDE);
  return slabs * TAC_LOAD_SIDE;
}

static tacStatus lay_out(const tacLoadFieldDef *def, tacLoadFieldEstimate *layout, int *layers, tacError *error) {
  *layout = (tacLoadFieldEstimate){0};
  tacBox all;
  TAC_TRY(check_def(def, error));
  TAC_TRY(bound_deformations(def, &all, error));
  TAC_TRY(lay_grid(def, all, layout, error));
  *layers = choose_layers(def, layout);
  if (layout->bytes_bake <= def->bytes_most) return TAC_OK;
  return tac_error_set(error, TAC_ERR_MEMORY,
                       "a load field of %d x %d x %d samples and %d loads needs %.0f MB to bake, but only %.0f MB "
                       "are allowed",
                       layout->nodes[0], layout->nodes[1], layout->nodes[2], def->node_count * def->level_count,
                       layout->bytes_bake * 1e-6, def->bytes_most * 1e-6);
}

tacStatus tac_load_field_estimate(const tacLoadFieldDef *def, tacLoadFieldEstimate *estimate, tacError *error) {
  int layers;
  return lay_out(def, estimate, &layers, error);
}

/* ---- distances ---- */

static void measure_columns(size_t begin, size_t end, int thread, void *context) {
  Bake *bake = context;
  const tacLoadFieldEstimate *layout = &bake->layout;
  const size_t nodes = (size_t)layout->nodes[0] * (size_t)layout->nodes[1] * (size_t)bake->layers;
  for (size_t i = begin; i < end && atomic_load(&bake->status) == TAC_OK; ++i) {
    tacGrid grid = {
        layout->nodes[0], layout->nodes[1],
        bake->layers,     tac_vec3_mad(layout->origin, layout->spacing, tac_vec3(0.0, 0.0, bake->first_layer)),
        layout->spacing,  i == 0 ? bake->rest : bake->samples + nodes * (i - 1)};
    deform(bake->def, (int)i - 1, bake->meshes[thread]);
    tacStatus status =
        tac_field_bake_samples(bake->meshes[thread], &grid, bake->def->band, 1, NULL, &bake->errors_of[thread]);
    if (status != TAC_OK) fail(bake, status);
  }
}

/* ---- low-rank approximation ---- */

/* Copies the samples of the block at grid node `corner` to `to`; nodes outside the grid get 0. Returns the smallest
 * magnitude of a sample in the block. */
static float gather(const Bake *bake, const float *from, const int corner[3], float *to) {
  const int *nodes = bake->layout.nodes;
  float least = INFINITY;
  for (int k = 0; k < TAC_LOAD_SIDE; ++k)
    for (int j = 0; j < TAC_LOAD_SIDE; ++j)
      for (int i = 0; i < TAC_LOAD_SIDE; ++i, ++to) {
        const int x = corner[0] + i, y = corner[1] + j, z = corner[2] + k;
        *to = 0.0f;
        if (x >= nodes[0] || y >= nodes[1] || z >= bake->layers) continue;
        *to = from[((size_t)z * (size_t)nodes[1] + (size_t)y) * (size_t)nodes[0] + (size_t)x];
        least = fminf(least, fabsf(*to));
      }
  return least;
}

static int blocks_along(const Bake *bake, int axis) {
  return (bake->layout.nodes[axis] + TAC_LOAD_SIDE - 1) / TAC_LOAD_SIDE;
}

/* Returns the unit of 16-bit integers that can represent -largest to `largest`. */
static double unit_of(double largest) {
  return fmax(largest * 1.001 / 32767.0, 1e-20);
}

/* Approximates blocks [begin, end) of the slab. Blocks are numbered along x first, then along y, then along z. */
static void separate_blocks(size_t begin, size_t end, int thread, void *context) {
  Bake *bake = context;
  const size_t nodes = (size_t)bake->layout.nodes[0] * (size_t)bake->layout.nodes[1] * (size_t)bake->layers;
  const int bx = blocks_along(bake, 0), by = blocks_along(bake, 1);
  const double near = fmax(bake->def->band, 1.0) * bake->layout.spacing;
  float *matrix = bake->matrices[thread], rest[TAC_LOAD_BLOCK];
  for (size_t b = begin; b < end && atomic_load(&bake->status) == TAC_OK; ++b) {
    const int block = (int)b;
    const int corner[3] = {block % bx * TAC_LOAD_SIDE, block / bx % by * TAC_LOAD_SIDE,
                           block / bx / by * TAC_LOAD_SIDE};
    float least = gather(bake, bake->rest, corner, rest), largest = 0.0f;
    for (int c = 0; c < bake->columns; ++c) {
      float *column = matrix + (size_t)c * TAC_LOAD_BLOCK;
      least = fminf(least, gather(bake, bake->samples + nodes * (size_t)c, corner, column));
      for (int i = 0; i < TAC_LOAD_BLOCK; ++i) {
        column[i] -= rest[i];
        largest = fmaxf(largest, fabsf(column[i]));
      }
    }
    const double wider = fmin(fmax((double)least / near, 1.0), FAR_TOLERANCE);
    const int number = block + bake->first_layer / TAC_LOAD_SIDE * bx * by;
    tacCrosses *crosses = &bake->crosses[number];
    const double allowed = bake->tolerance * wider, unit = unit_of((double)largest + allowed);
    bake->units[number] = (float)unit;
    tacStatus status = tac_crosses_find(bake->columns, matrix, (float)fmax(allowed - 0.51 * unit, 0.5 * allowed),
                                        crosses, &bake->errors_of[thread]);
    bake->errors[number] = wider > 1.0 ? 0.0 : (double)crosses->error;
    if (status != TAC_OK) fail(bake, status);
  }
}

static void copy_rest(const Bake *bake, float *to) {
  const int bx = blocks_along(bake, 0), by = blocks_along(bake, 1);
  const int count = bx * by * ((bake->layers + TAC_LOAD_SIDE - 1) / TAC_LOAD_SIDE);
  to += (size_t)(bake->first_layer / TAC_LOAD_SIDE * bx * by) * TAC_LOAD_BLOCK;
  for (int b = 0; b < count; ++b, to += TAC_LOAD_BLOCK) {
    const int corner[3] = {b % bx * TAC_LOAD_SIDE, b / bx % by * TAC_LOAD_SIDE, b / bx / by * TAC_LOAD_SIDE};
    gather(bake, bake->rest, corner, to);
  }
}

/* ---- bounds ---- */

/* Returns a ball that contains all points with negative values. A cell contains negative values only if a corner is
 * negative. Outside the grid, all values are positive (tacLoadBounds). */
static tacLoadSolid solid_of(const tacGrid *grid) {
  tacBox box = tac_box_empty();
  const float *value = grid->values;
  for (int k = 0; k < grid->nz; ++k)
    for (int j = 0; j < grid->ny; ++j)
      for (int i = 0; i < grid->nx; ++i)
        if (*value++ < 0.0f) box = tac_box_add(box, tac_vec3(i, j, k));
  if (box.lower.x > box.upper.x) return (tacLoadSolid){grid->origin, 0.0};
  box = tac_box_expand(box, 1.0);
  return (tacLoadSolid){tac_vec3_mad(grid->origin, grid->spacing, tac_box_centre(box)),
                        0.5 * grid->spacing * tac_vec3_norm(tac_box_size(box)) * (1.0 + 1e-12)};
}

static tacStatus bound_column(Bake *bake, size_t c, int thread, tacError *error) {
  const int *nodes = bake->layout.nodes;
  TAC_OWN(tacDistanceField, field) = NULL;
  TAC_MEMORY(float, values) = NULL;
  TAC_TRY(TAC_ARRAY(values, (size_t)nodes[0] * (size_t)nodes[1] * (size_t)nodes[2], "a load field", error));
  tacGrid grid = {nodes[0], nodes[1], nodes[2], bake->layout.origin, bake->layout.spacing, values};
  tac_load_slice_set_column(bake->slices[thread], c < (size_t)bake->columns ? (int)c : -1);
  tac_load_slice_samples(bake->slices[thread], values);
  TAC_TRY(tac_distance_field_from_grid(&grid, &field, error));
  tac_give(&values); /* `field` now owns the values */
  bake->reaches[c] = tac_field_reach(field);
  bake->boundaries[c] = tac_distance_field_boundary(field);
  bake->solids[c] = solid_of(&grid);
  return TAC_OK;
}

/* Computes the bounds of columns [begin, end). The column after the last deformation is the body at rest. */
static void bound_columns(size_t begin, size_t end, int thread, void *context) {
  Bake *bake = context;
  for (size_t c = begin; c < end && atomic_load(&bake->status) == TAC_OK; ++c) {
    tacStatus status = bound_column(bake, c, thread, &bake->errors_of[thread]);
    if (status != TAC_OK) fail(bake, status);
  }
}

/* Returns a lower bound of the distance for all columns. At the lower end of a bin, this bound is the minimum over
 * all columns. Inside a bin, the bound rises with the smallest slope of all columns. */
static tacFieldReach join_reaches(int count, const tacFieldReach *reaches) {
  tacFieldReach all = {0};
  double flattest = 1.0;
  for (int c = 0; c < count; ++c) {
    all.bin = fmax(all.bin, reaches[c].bin);
    for (int b = 0; b < TAC_FIELD_REACH_BINS; ++b) flattest = fmin(flattest, reaches[c].slope[b]);
  }
  all.per_metre = 1.0 / all.bin;
  for (int b = 0; b < TAC_FIELD_REACH_BINS; ++b) {
    double least = INFINITY;
    for (int c = 0; c < count; ++c) least = fmin(least, tac_field_reach_at(&reaches[c], b * all.bin));
    all.at[b] = fmax(least * (1.0 - 1e-12), b > 0 ? all.at[b - 1] : 0.0);
    all.slope[b] = flattest * (1.0 - 1e-12);
  }
  return all;
}

/* ---- complete bake ---- */

static void free_bake(Bake *bake) {
  const int blocks = bake->crosses != NULL ? tac_load_field_block_count(bake->layout.nodes) : 0;
  for (int b = 0; b < blocks; ++b) tac_crosses_free(&bake->crosses[b]);
  for (int t = 0; t < bake->threads; ++t) {
    if (bake->meshes != NULL) tac_trimesh_destroy(bake->meshes[t]);
    if (bake->slices != NULL) tac_load_slice_destroy(bake->slices[t]);
  }
  tac_arrays_free(&bake->arrays);
  free(bake->samples);
  free(bake->solids);
}

static tacStatus allocate(Bake *bake, int layers, tacError *error) {
  const size_t threads = (size_t)bake->threads, columns = (size_t)bake->columns,
               blocks = (size_t)tac_load_field_block_count(bake->layout.nodes),
               nodes = (size_t)bake->layout.nodes[0] * (size_t)bake->layout.nodes[1] * (size_t)layers;
  bake->meshes = tac_arrays_add(&bake->arrays, threads, sizeof *bake->meshes);
  bake->matrices = tac_arrays_add(&bake->arrays, threads, sizeof *bake->matrices);
  bake->errors_of = tac_arrays_add(&bake->arrays, threads, sizeof *bake->errors_of);
  bake->rest = tac_arrays_add(&bake->arrays, nodes, sizeof *bake->rest);
  bake->crosses = tac_arrays_add(&bake->arrays, blocks, sizeof *bake->crosses);
  bake->errors = tac_arrays_add(&bake->arrays, blocks, sizeof *bake->errors);
  bake->units = tac_arrays_add(&bake->arrays, blocks, sizeof *bake->units);
  TAC_TRY(TAC_ARRAY(bake->samples, nodes * columns, "a load field", error));
  TAC_TRY(tac_arrays_status(&bake->arrays, "a load field", error));
  for (int t = 0; t < bake->threads; ++t) {
    TAC_TRY(tac_trimesh_copy(tac_reduced_surface(bake->def->shape), &bake->meshes[t], error));
    bake->matrices[t] = tac_arrays_add(&bake->arrays, columns * TAC_LOAD_BLOCK, sizeof **bake->matrices);
  }
  return tac_arrays_status(&bake->arrays, "a load field", error);
}

static tacStatus run(Bake *bake, size_t count, tacParallelFn function, const tacProgress *progress, double from,
                     double to, double *seconds, tacError *error) {
  const tacProgressPart part = {progress, from, to, "load field"};
  const tacProgress stage = tac_progress_part(&part);
  const int64_t begin = tac_clock_now();
  tacStatus status =
      tac_parallel_for(bake->threads, count, 1, function, bake, progress != NULL ? &stage : NULL, "load field", error);
  *seconds += tac_clock_seconds(tac_clock_now() - begin);
  if (status != TAC_OK) return status;
  status = (tacStatus)atomic_load(&bake->status);
  for (int t = 0; status != TAC_OK && error != NULL && t < bake->threads; ++t)
    if (bake->errors_of[t].text[0] != '\0') *error = bake->errors_of[t];
  return status;
}

static tacStatus fill_slabs(Bake *bake, int layers, float *rest, const tacProgress *progress, tacLoadFieldInfo *info,
                            tacError *error) {
  const int all = bake->layout.nodes[2];
  for (bake->first_layer = 0; bake->first_layer < all; bake->first_layer += layers) {
    bake->layers = all - bake->first_layer < layers ? all - bake->first_layer : layers;
    const double begin = (double)bake->first_layer / all, share = (double)bake->layers / all;
    const int blocks =
        blocks_along(bake, 0) * blocks_along(bake, 1) * ((bake->layers + TAC_LOAD_SIDE - 1) / TAC_LOAD_SIDE);
    TAC_TRY(run(bake, (size_t)bake->columns + 1, measure_columns, progress, 0.8 * begin, 0.8 * (begin + 0.7 * share),
                &info->seconds_distances, error));
    TAC_TRY(run(bake, (size_t)blocks, separate_blocks, progress, 0.8 * (begin + 0.7 * share), 0.8 * (begin + share),
                &info->seconds_separation, error));
    copy_rest(bake, rest);
  }
  return TAC_OK;
}

static int padded(int rank) {
  return (rank + TAC_LOAD_LANES - 1) / TAC_LOAD_LANES * TAC_LOAD_LANES;
}

/* Concatenates the approximations of all blocks, in the order in which tacLoadSlice reads the blocks. */
static tacStatus assemble(const Bake *bake, tacLoadFieldParts *parts, tacError *error) {
  const int blocks = tac_load_field_block_count(bake->layout.nodes);
  size_t total = 0, ranks = 0;
  for (int b = 0; b < blocks; ++b) {
    const int rank = bake->crosses[b].rank;
    parts->ranks[b] = padded(rank);
    parts->units[b] = bake->units[b];
    total += (size_t)parts->ranks[b];
    ranks += (size_t)rank;
    parts->info.rank_most = rank > parts->info.rank_most ? rank : parts->info.rank_most;
    if (bake->errors[b] > 0.0)
      parts->info.error = fmax(parts->info.error, bake->errors[b] + 0.5 * (double)parts->units[b]);
  }
  parts->info.rank_mean = (double)ranks / blocks;
  const double bytes = (double)total * (2.0 * TAC_LOAD_BLOCK + 2.0 * bake->columns + 4.0);
  if (bytes > bake->def->bytes_most || (double)total * fmax(TAC_LOAD_BLOCK, bake->columns) > INT_MAX / 2)
    return tac_error_set(error, TAC_ERR_MEMORY,
                         "the load field has %.0f MB, but only %.0f MB are allowed; use a larger tolerance, fewer "
                         "voxels or fewer loads",
                         bytes * 1e-6, bake->def->bytes_most * 1e-6);
  TAC_TRY(TAC_ARRAY(parts->shapes, total * TAC_LOAD_BLOCK, "a load field", error));
  TAC_TRY(TAC_ARRAY(parts->loads, total * (size_t)bake->columns, "a load field", error));
  TAC_TRY(TAC_ARRAY(parts->scales, total, "a load field", error));
  size_t first = 0;
  for (int b = 0; b < blocks; first += (size_t)parts->ranks[b++]) {
    const tacCrosses *crosses = &bake->crosses[b];
    for (size_t j = 0; j < (size_t)crosses->rank; ++j) {
      parts->scales[first + j] = crosses->scales[j];
      for (size_t i = 0; i < TAC_LOAD_BLOCK; ++i)
        parts->shapes[first * TAC_LOAD_BLOCK + i * (size_t)parts->ranks[b] + j] =
            crosses->shapes[j * TAC_LOAD_BLOCK + i];
      for (size_t c = 0; c < (size_t)bake->columns; ++c)
        parts->loads[c * total + first + j] = crosses->loads[j * (size_t)bake->columns + c];
    }
  }
  return TAC_OK;
}

static tacStatus copy_def(const tacLoadFieldDef *def, tacLoadFieldParts *parts, tacError *error) {
  const size_t n = (size_t)tac_reduced_size(def->shape), nodes = (size_t)def->node_count,
               levels = (size_t)def->level_count, blocks = (size_t)tac_load_field_block_count(parts->info.nodes);
  parts->size = (int)n;
  parts->node_count = def->node_count;
  parts->level_count = def->level_count;
  TAC_TRY(TAC_ARRAY(parts->vertices, nodes, "a load field", error));
  TAC_TRY(TAC_ARRAY(parts->levels, levels, "a load field", error));
  TAC_TRY(TAC_ARRAY(parts->states, nodes * levels * n, "a load field", error));
  TAC_TRY(TAC_ARRAY(parts->rest, blocks * TAC_LOAD_BLOCK, "a load field", error));
  TAC_TRY(TAC_ARRAY(parts->ranks, blocks, "a load field", error));
  TAC_TRY(TAC_ARRAY(parts->units, blocks, "a load field", error));
  memcpy(parts->vertices, def->vertices, nodes * sizeof *parts->vertices);
  memcpy(parts->levels, def->levels, levels * sizeof *parts->levels);
  memcpy(parts->states, def->states, nodes * levels * n * sizeof *parts->states);
  return TAC_OK;
}

/* Computes the bounds of the field from all samples of all columns, evaluated with tacLoadSlice. */
static tacStatus bound_field(Bake *bake, tacLoadField *field, const tacProgress *progress, tacError *error) {
  const size_t count = (size_t)bake->columns + 1;
  tacLoadFieldInfo info = *tac_load_field_info(field);
  bake->slices = tac_arrays_add(&bake->arrays, (size_t)bake->threads, sizeof *bake->slices);
  bake->reaches = tac_arrays_add(&bake->arrays, count, sizeof *bake->reaches);
  bake->boundaries = tac_arrays_add(&bake->arrays, count, sizeof *bake->boundaries);
  TAC_TRY(TAC_ARRAY(bake->solids, count, "a load field", error));
  TAC_TRY(tac_arrays_status(&bake->arrays, "a load field", error));
  for (int t = 0; t < bake->threads; ++t) TAC_TRY(tac_load_slice_create(field, &bake->slices[t], error));
  TAC_TRY(run(bake, count, bound_columns, progress, 0.8, 1.0, &info.seconds_bounds, error));
  tacLoadBounds bounds = {INFINITY, join_reaches((int)count, bake->reaches), bake->solids};
  for (size_t c = 0; c < count; ++c) bounds.boundary = fmin(bounds.boundary, bake->boundaries[c]);
  info.steepest = 1.0 / bounds.reach.slope[0];
  tac_load_field_set_info(field, &info);
  TAC_TRY(tac_load_field_set_bounds(field, &bounds, error));
  bake->solids = NULL; /* `field` now owns the array */
  return TAC_OK;
}

tacStatus tac_load_field_bake(const tacLoadFieldDef *def, const tacProgress *progress, tacLoadField **result,
                              tacError *error) {
  *result = NULL;
  TAC_FREED(free_bake, Bake, bake) = {.def = def};
  TAC_FREED(tac_load_field_parts_free, tacLoadFieldParts, parts) = {0};
  TAC_OWN(tacLoadField, field) = NULL;
  tacBakeChecks checks = {0};
  int layers = 0;
  TAC_TRY(lay_out(def, &bake.layout, &layers, error));
  bake.columns = def->node_count * def->level_count;
  bake.threads = def->thread_count > 0 ? def->thread_count : tac_parallel_core_count();
  bake.tolerance = def->tolerance > 0.0 ? def->tolerance : 0.1 * bake.layout.spacing;
  parts.info = (tacLoadFieldInfo){.origin = bake.layout.origin,
                                  .spacing = bake.layout.spacing,
                                  .tolerance = bake.tolerance,
                                  .bytes_bake = bake.layout.bytes_bake};
  memcpy(parts.info.nodes, bake.layout.nodes, sizeof parts.info.nodes);
  TAC_TRY(copy_def(def, &parts, error));
  TAC_TRY(allocate(&bake, layers, error));
  TAC_TRY(fill_slabs(&bake, layers, parts.rest, progress, &parts.info, error));
  free(tac_give(&bake.samples));
  TAC_TRY(assemble(&bake, &parts, error));
  TAC_TRY(tac_load_field_create(&parts, &field, error));
  parts = (tacLoadFieldParts){0};
  TAC_TRY(bound_field(&bake, field, progress, error));
  TAC_TRY(tac_load_field_check(field, def->shape, def->band, &checks, error));
  tac_load_field_set_checks(field, &checks);
  *result = tac_give(&field);
  return TAC_OK;
}
