#include "bake/fields/field_bake.h"

#include <stdlib.h>
#include <tactus/distance_field.h>
#include <tactus/mesh.h>
#include <tactus/meshing.h>
#include "asset/distance_field.h"
#include "bake/fields/field_check.h"
#include "bake/isosurface.h"
#include "base/error.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/progress.h"
#include "base/threads/parallel.h"
#include "mesh/query/scan_winding.h"
#include "mesh/query/triangle_block.h"
#include "mesh/repair/outer_parts.h"

TAC_OWNED_TYPE(tacTriMesh, tac_trimesh_destroy)

/* Distances are exact at nodes within a band of the surface and on the faces of the box. Elsewhere a node measures only
 * the triangles that are nearest to the corners and to the middle of its cell of CELL^3 voxels: its value may be too large,
 * never too small. Of those nine places one is within sqrt(5)/4 CELL voxels of the node, so the triangle that is missed lies
 * about as far aside and the excess is about (sqrt(5)/4 CELL)^2 / (2 distance) in voxels; it cannot exceed twice that way. */
#define CELL 4
/* Cells are done in cubes of this many a side, so that neighbours come one after the other. */
#define CUBE 4
#define MOST_RESOLUTION 1024
/* Leaves that are listed before their triangles are measured. */
#define LEAVES 64

tacFieldDef tac_field_def_default(void) {
  return (tacFieldDef){.resolution = 128, .expansion = 1.5, .offset = 0.0, .band = 4.0, .thread_count = 0};
}

typedef struct {
  tacArrays arrays;
  tacBoxTree *boxes;
  tacTriangleBlock *blocks; /* of leaves, at block_of[WIDTH node + child] */
  int *block_of;
  const tacGrid *grid;
  double band; /* voxels */
  int cubes[3];
} Distances;

/* The nearest triangle so far: its block and the squared distance, in tree coordinates. */
typedef struct {
  int block;
  float distance2;
} Nearest;

/* Improves on `nearest`, whose block must be a real one. The bound that comes from the node before is nearly the answer, so
 * the walk keeps it fixed and only lists the leaves within it: then neither the walk nor the measuring of triangles waits
 * for the other's results. */
static void find_nearest(const Distances *d, const tacFloat4 p[3], Nearest *nearest) {
  int stack[TAC_BOX_TREE_STACK], leaves[LEAVES + TAC_BOX_TREE_WIDTH];
  int top = 0, leaf_count = 0;
  stack[top++] = 0;
  while (top > 0 || leaf_count > 0) {
    if (top == 0 || leaf_count > LEAVES) {
      for (int i = 0; i < leaf_count; ++i) {
        float least = tac_triangle_block_distance2(&d->blocks[leaves[i]], p);
        nearest->block = least < nearest->distance2 ? leaves[i] : nearest->block;
        nearest->distance2 = least < nearest->distance2 ? least : nearest->distance2;
      }
      leaf_count = 0;
      continue;
    }
    int index = stack[--top];
    const tacBoxTreeNode *node = &d->boxes->nodes[index];
    float distance2[TAC_BOX_TREE_WIDTH];
    unsigned near = tac_box_tree_nearer(node, p, nearest->distance2, distance2);
    for (; near != 0; near &= near - 1) {
      int c = __builtin_ctz(near);
      if (node->count[c] == 0)
        stack[top++] = node->first[c];
      else /* a leaf: an absent child is infinitely far */
        leaves[leaf_count++] = d->block_of[TAC_BOX_TREE_WIDTH * index + c];
    }
  }
}

static void splat(tacVec3 p, tacFloat4 out[3]) {
  out[0] = tac_float4((float)p.x);
  out[1] = tac_float4((float)p.y);
  out[2] = tac_float4((float)p.z);
}

static void place_node(const Distances *d, int i, int j, int k, tacFloat4 p[3]) {
  splat(tac_box_tree_local(d->boxes, tac_vec3_mad(d->grid->origin, d->grid->spacing, tac_vec3(i, j, k))), p);
}

/* Measures exactly, starting from a block that is likely to be near. */
static Nearest measure_node(const Distances *d, const tacFloat4 p[3], int block) {
  Nearest nearest = {block, tac_triangle_block_distance2(&d->blocks[block], p)};
  find_nearest(d, p, &nearest);
  return nearest;
}

/* Nodes on the box's faces are exact, wherever they are: the bound outside the box (inequality 3.14) stands on them. */
static bool on_boundary(const tacGrid *grid, int i, int j, int k) {
  return i == 0 || j == 0 || k == 0 || i == grid->nx - 1 || j == grid->ny - 1 || k == grid->nz - 1;
}

/* The nodes of the cell whose lowest node is `lower`, given what is nearest to its eight corners. */
static void measure_cell(const Distances *d, const int lower[3], const Nearest corners[8]) {
  const tacGrid *grid = d->grid;
  const double voxel = grid->spacing * d->boxes->scale, to_metres = 1.0 / d->boxes->scale;
  tacFloat4 middle[3];
  place_node(d, lower[0] + CELL / 2, lower[1] + CELL / 2, lower[2] + CELL / 2, middle);
  Nearest nearest = measure_node(d, middle, corners[0].block);
  /* A node is at most half a diagonal from the middle. */
  bool exact = sqrt((double)nearest.distance2) < voxel * (d->band + 0.5 * CELL * sqrt(3.0));
  int candidates[9] = {nearest.block}, count = 1;
  for (int c = 0; c < 8; ++c) {
    int i = 0;
    while (i < count && candidates[i] != corners[c].block) ++i;
    candidates[i] = corners[c].block;
    count += i == count;
  }
  for (int k = lower[2]; k < lower[2] + CELL && k < grid->nz; ++k)
    for (int j = lower[1]; j < lower[1] + CELL && j < grid->ny; ++j)
      for (int i = lower[0]; i < lower[0] + CELL && i < grid->nx; ++i) {
        tacFloat4 p[3];
        place_node(d, i, j, k, p);
        if (exact || on_boundary(grid, i, j, k)) {
          nearest = measure_node(d, p, nearest.block);
        } else {
          nearest.distance2 = INFINITY;
          for (int c = 0; c < count; ++c) {
            float d2 = tac_triangle_block_distance2(&d->blocks[candidates[c]], p);
            nearest.distance2 = d2 < nearest.distance2 ? d2 : nearest.distance2;
          }
        }
        grid->values[((size_t)k * (size_t)grid->ny + (size_t)j) * (size_t)grid->nx + (size_t)i] =
            (float)(sqrt((double)nearest.distance2) * to_metres);
      }
}

static void measure_cube(const Distances *d, int cube) {
  const int place[3] = {cube % d->cubes[0], cube / d->cubes[0] % d->cubes[1], cube / d->cubes[0] / d->cubes[1]};
  Nearest corners[CUBE + 1][CUBE + 1][CUBE + 1];
  int block = 0;
  for (int k = 0; k <= CUBE; ++k)
    for (int j = 0; j <= CUBE; ++j)
      for (int i = 0; i <= CUBE; ++i) {
        tacFloat4 p[3];
        place_node(d, CELL * (place[0] * CUBE + i), CELL * (place[1] * CUBE + j), CELL * (place[2] * CUBE + k), p);
        corners[k][j][i] = measure_node(d, p, block);
        block = corners[k][j][i].block;
      }
  for (int k = 0; k < CUBE; ++k)
    for (int j = 0; j < CUBE; ++j)
      for (int i = 0; i < CUBE; ++i) {
        Nearest eight[8];
        for (int c = 0; c < 8; ++c) eight[c] = corners[k + (c >> 2)][j + (c >> 1 & 1)][i + (c & 1)];
        const int lower[3] = {CELL * (place[0] * CUBE + i), CELL * (place[1] * CUBE + j), CELL * (place[2] * CUBE + k)};
        measure_cell(d, lower, eight);
      }
}

static void measure_cubes(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  for (size_t cube = begin; cube < end; ++cube) measure_cube(context, (int)cube);
}

static tacStatus create_distances(const tacTriMesh *mesh, Distances *d, tacError *error) {
  TAC_TRY(tac_box_tree_of_triangles(mesh, &d->boxes, error));
  int leaves = 0;
  for (int node = 0; node < d->boxes->node_count; ++node)
    for (int c = 0; c < TAC_BOX_TREE_WIDTH; ++c) leaves += d->boxes->nodes[node].count[c] > 0;
  d->blocks = tac_arrays_add(&d->arrays, (size_t)leaves, sizeof *d->blocks);
  d->block_of = tac_arrays_add(&d->arrays, TAC_BOX_TREE_WIDTH * (size_t)d->boxes->node_count, sizeof *d->block_of);
  TAC_TRY(tac_arrays_status(&d->arrays, "triangles", error));
  leaves = 0;
  for (int node = 0; node < d->boxes->node_count; ++node)
    for (int c = 0; c < TAC_BOX_TREE_WIDTH; ++c) {
      const tacBoxTreeNode *n = &d->boxes->nodes[node];
      if (n->count[c] <= 0) continue;
      tac_triangle_block_fill(mesh, d->boxes, n->first[c], n->count[c], &d->blocks[leaves]);
      d->block_of[TAC_BOX_TREE_WIDTH * node + c] = leaves++;
    }
  d->cubes[0] = (d->grid->nx + CELL * CUBE - 1) / (CELL * CUBE);
  d->cubes[1] = (d->grid->ny + CELL * CUBE - 1) / (CELL * CUBE);
  d->cubes[2] = (d->grid->nz + CELL * CUBE - 1) / (CELL * CUBE);
  return TAC_OK;
}

static void free_distances(Distances *d) {
  tac_box_tree_destroy(d->boxes);
  tac_arrays_free(&d->arrays);
}

/* Fills grid->values with unsigned distances. */
static tacStatus measure(const tacTriMesh *mesh, const tacGrid *grid, double band, int thread_count,
                         const tacProgress *progress, tacError *error) {
  TAC_FREED(free_distances, Distances, d) = {.grid = grid, .band = band};
  TAC_TRY(create_distances(mesh, &d, error));
  return tac_parallel_for(thread_count, (size_t)d.cubes[0] * (size_t)d.cubes[1] * (size_t)d.cubes[2], 4, measure_cubes,
                          &d, progress, "distance field", error);
}

tacStatus tac_field_bake_samples(const tacTriMesh *mesh, const tacGrid *grid, double band, int thread_count,
                                 const tacProgress *progress, tacError *error) {
  TAC_TRY(measure(mesh, grid, band, thread_count, progress, error));
  size_t count = (size_t)grid->nx * (size_t)grid->ny * (size_t)grid->nz;
  TAC_MEMORY(unsigned char, inside) = NULL;
  TAC_TRY(TAC_ARRAY(inside, count, "signs of a distance field", error));
  TAC_TRY(tac_scan_winding(mesh, grid, thread_count, inside, error));
  for (size_t i = 0; i < count; ++i)
    if (inside[i]) grid->values[i] = -grid->values[i];
  return TAC_OK;
}

/* A cube about the mesh: its longest side plus `margin` on both ends, times the expansion. */
static tacStatus choose_grid(const tacTriMesh *mesh, const tacFieldDef *def, double margin, tacGrid *grid,
                             tacError *error) {
  if (def->resolution < 1 || def->resolution > MOST_RESOLUTION)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the resolution is %d; it must be 1 to %d voxels per side",
                         def->resolution, MOST_RESOLUTION);
  if (!(def->expansion >= 1.0 && def->expansion <= 100.0))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the expansion is %g; it must be 1 to 100", def->expansion);
  if (!(def->band >= 0.0))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the band is %g voxels; it must be 0 or more", def->band);
  TAC_TRY(tac_trimesh_validate(mesh, error));
  if (mesh->triangle_count == 0) return tac_error_set(error, TAC_ERR_GEOMETRY, "the mesh has no triangles");
  tacBox box = tac_trimesh_box(mesh);
  double side = (tac_box_longest(box) + 2.0 * margin) * def->expansion;
  if (!(side > 0.0 && side < 1e100))
    return tac_error_set(error, TAC_ERR_GEOMETRY,
                         "the mesh has a size of %g m; a field needs a size above 0 and below 1e100",
                         tac_box_longest(box));
  int nodes = def->resolution + 1;
  double half = 0.5 * side;
  *grid = (tacGrid){
      nodes, nodes, nodes, tac_vec3_sub(tac_box_centre(box), tac_vec3(half, half, half)), side / def->resolution, NULL};
  return TAC_ARRAY(grid->values, (size_t)nodes * (size_t)nodes * (size_t)nodes, "a distance field", error);
}

static void free_samples(tacGrid *grid) {
  free(grid->values);
}

tacStatus tac_distance_field_bake(const tacTriMesh *mesh, const tacFieldDef *def, const tacProgress *progress,
                                  tacDistanceField **field, tacError *error) {
  TAC_REQUIRE(error, field);
  *field = NULL;
  TAC_REQUIRE(error, mesh, def);
  TAC_FREED(free_samples, tacGrid, grid) = {0};
  tacBakeChecks checks = {0};
  const double sampled = 0.6; /* the share of the samples; the rest is checks */
  const tacProgress stage = tac_progress_part(&(tacProgressPart){progress, 0.0, sampled, NULL});
  TAC_TRY(choose_grid(mesh, def, 0.0, &grid, error));
  TAC_TRY(tac_trimesh_require_closed(mesh, error));
  TAC_TRY(tac_field_bake_samples(mesh, &grid, def->band, def->thread_count, &stage, error));
  TAC_TRY(tac_progress_report(progress, "checks of the field", sampled, error));
  TAC_TRY(tac_field_check(mesh, &grid, def->band, &checks, error));
  TAC_TRY(tac_progress_report(progress, "checks of the field", 1.0, error));
  TAC_TRY(tac_distance_field_from_grid(&grid, field, error));
  grid.values = NULL; /* the field's */
  tac_distance_field_set_checks(*field, &checks);
  return TAC_OK;
}

tacStatus tac_distance_field_bake_soup(const tacTriMesh *soup, const tacFieldDef *def, const tacProgress *progress,
                                       tacDistanceField **field, tacTriMesh **surface, tacError *error) {
  if (surface != NULL) *surface = NULL;
  TAC_REQUIRE(error, field);
  *field = NULL;
  TAC_REQUIRE(error, soup, def);
  if (!(def->offset >= 0.0 && def->offset < 1e100))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the offset is %g m; it must be positive, or 0 for 1.4 voxels",
                         def->offset);
  TAC_FREED(free_samples, tacGrid, grid) = {0};
  tacBakeChecks checks = {0};
  TAC_OWN(tacTriMesh, level) = NULL;
  TAC_OWN(tacTriMesh, outer) = NULL;
  const tacProgress stages[] = {tac_progress_part(&(tacProgressPart){progress, 0.0, 0.5, NULL}),
                                tac_progress_part(&(tacProgressPart){progress, 0.5, 1.0, NULL})};
  double offset = def->offset;
  if (offset == 0.0 && def->resolution > 0) {
    /* 1.4 voxels, where the side of the cube is (longest + 3 offset) expansion. */
    double voxels = 1.4 * def->expansion / def->resolution;
    offset = voxels * tac_box_longest(tac_trimesh_box(soup)) / fmax(1.0 - 3.0 * voxels, 0.1);
  }
  TAC_TRY(choose_grid(soup, def, 1.5 * offset, &grid, error));
  if (!(offset > 0.0) || offset < 0.5 * grid.spacing)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the offset of %g m is below half a voxel (%g m); use a larger offset or a finer field",
                         offset, 0.5 * grid.spacing);
  TAC_TRY(measure(soup, &grid, def->band, def->thread_count, &stages[0], error));
  TAC_TRY(tac_isosurface_extract(&grid, offset, &level, error));
  TAC_TRY(tac_outer_parts(level, &outer, error));
  TAC_TRY(tac_field_check_offset(soup, outer, offset, grid.spacing, def->band, &checks, error));
  TAC_TRY(tac_distance_field_bake(outer, def, &stages[1], field, error));
  tac_distance_field_add_checks(*field, &checks);
  if (surface != NULL) *surface = tac_give(&outer);
  return TAC_OK;
}

/* The largest of both distances is negative where both are, but no distance near the edges of the cut: its zero surface
 * is measured again, with voxels of the same size. */
tacStatus tac_distance_field_cut(const tacDistanceField *solid, const tacDistanceField *region,
                                 const tacProgress *progress, tacDistanceField **part, tacError *error) {
  *part = NULL;
  const tacGrid *grid = tac_distance_field_grid(solid);
  if (grid == NULL) return tac_error_set(error, TAC_ERR_ARGUMENT, "the solid is not a grid; sample it first");
  tacGrid cut = *grid;
  size_t count = (size_t)grid->nx * (size_t)grid->ny * (size_t)grid->nz, at = 0;
  TAC_OWN(tacTriMesh, surface) = NULL;
  TAC_MEMORY(float, values) = NULL;
  TAC_TRY(TAC_ARRAY(values, count, "a part of a solid", error));
  cut.values = values;
  bool any = false;
  for (int k = 0; k < grid->nz; ++k)
    for (int j = 0; j < grid->ny; ++j)
      for (int i = 0; i < grid->nx; ++i, ++at) {
        tacVec3 p = tac_vec3_mad(grid->origin, grid->spacing, tac_vec3(i, j, k));
        values[at] = fmaxf(grid->values[at], (float)tac_distance_field_value(region, p));
        any |= values[at] < 0.0f;
      }
  if (!any)
    return tac_error_set(error, TAC_ERR_GEOMETRY,
                         "no part of the solid lies inside the region; use another "
                         "region");
  TAC_TRY(tac_isosurface_extract(&cut, 0.0, &surface, error));
  free(tac_give(&values));
  tacBakeChecks checks = {0};
  tacFieldDef def = tac_field_def_default();
  def.resolution = (int)ceil(def.expansion * tac_box_longest(tac_trimesh_box(surface)) / grid->spacing);
  if (def.resolution < 8) def.resolution = 8;
  TAC_TRY(tac_field_check_cut(solid, region, surface, &checks, error));
  TAC_TRY(tac_distance_field_bake(surface, &def, progress, part, error));
  tac_distance_field_add_checks(*part, &checks);
  return TAC_OK;
}
