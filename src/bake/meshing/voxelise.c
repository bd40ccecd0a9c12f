#include <tactus/meshing.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/mesh.h>
#include "bake/meshing/volume_fit.h"
#include "base/error.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/progress.h"
#include "base/threads/parallel.h"
#include "math/geometry/vec3.h"
#include "mesh/query/scan_winding.h"
#include "mesh/query/triangle_box.h"

#define MOST_RESOLUTION 1024
#define MOST_BRICKS (1 << 27) /* 4 GiB */
#define LEAST_TRIED 16        /* resolutions of tac_voxelise_to_volume */
#define MOST_TRIED 512

/* Part of a voxel's side by which the surface may exceed the voxels, and by which they are larger than they are where the
 * surface is tested against them: rounding, also that of coordinates in single precision, then leaves no gap. That of large coordinates comes on top. */
#define OVERLAP 1e-6

enum { FREE = 0, FILLED = 1, REACHED = 2 };

typedef struct Voxels {
  int n[3];
  tacVec3 origin; /* lowest corner of voxel (0, 0, 0) */
  double side;
  double overlap;        /* part of a side */
  unsigned char *states; /* x fastest */
} Voxels;

tacVoxeliseDef tac_voxelise_def_default(void) {
  return (tacVoxeliseDef){.resolution = 64, .rule = TAC_VOXELS_CENTRE};
}

static size_t voxel_index(const Voxels *voxels, int i, int j, int k) {
  return ((size_t)k * (size_t)voxels->n[1] + (size_t)j) * (size_t)voxels->n[0] + (size_t)i;
}

static size_t voxel_count(const Voxels *voxels) {
  return voxel_index(voxels, 0, 0, voxels->n[2]);
}

/* `resolution` voxels along the longest side of the box, as many as needed along the others, centred on it. */
static tacStatus voxels_init(Voxels *voxels, tacBox box, int resolution, tacError *error) {
  *voxels = (Voxels){0};
  if (resolution < 1 || resolution > MOST_RESOLUTION)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the resolution must be 1 to %d, not %d", MOST_RESOLUTION,
                         resolution);
  double longest = tac_box_longest(box);
  if (!(longest > 0.0) || !isfinite(longest))
    return tac_error_set(error, TAC_ERR_GEOMETRY, "the surface has no extent");
  voxels->side = longest / resolution;
  tacVec3 reach = tac_vec3_max(box.upper, tac_vec3_scale(-1.0, box.lower));
  voxels->overlap = OVERLAP + 8.0 * DBL_EPSILON * fmax(reach.x, fmax(reach.y, reach.z)) / voxels->side;
  tacVec3 size = tac_box_size(box);
  const double sizes[3] = {size.x, size.y, size.z};
  for (int a = 0; a < 3; ++a) {
    int n = (int)ceil(sizes[a] / voxels->side - voxels->overlap);
    voxels->n[a] = n < 1 ? 1 : n;
  }
  voxels->origin =
      tac_vec3_mad(tac_box_centre(box), -0.5 * voxels->side, tac_vec3(voxels->n[0], voxels->n[1], voxels->n[2]));
  voxels->states = tac_array_create(voxel_count(voxels), 1, "voxels", error);
  return voxels->states != NULL ? TAC_OK : TAC_ERR_MEMORY;
}

static tacStatus fill_by_centre(const tacTriMesh *surface, Voxels *voxels, tacError *error) {
  double half = 0.5 * voxels->side;
  tacGrid centres = {voxels->n[0], voxels->n[1], voxels->n[2], tac_vec3_add(voxels->origin, tac_vec3(half, half, half)),
                     voxels->side, NULL};
  return tac_scan_winding(surface, &centres, 0, voxels->states, error);
}

/* ---- voxels that the surface touches ---- */

typedef struct Toucher {
  const tacTriMesh *surface;
  Voxels *voxels;
} Toucher;

/* A block of voxels: from first to last, both included. */
typedef struct Block {
  int first[3], last[3];
} Block;

/* Marks the voxels of the block that the triangle meets, halving the block along its longest side. */
static void touch_block(Voxels *voxels, const tacVec3 corners[3], Block block) {
  int axis = 0, length[3];
  for (int a = 0; a < 3; ++a) {
    length[a] = block.last[a] - block.first[a] + 1;
    if (length[a] > length[axis]) axis = a;
  }
  double half_side = 0.5 * voxels->side, grown = voxels->side * voxels->overlap;
  tacVec3 half = {half_side * length[0] + grown, half_side * length[1] + grown, half_side * length[2] + grown};
  tacVec3 centre = tac_vec3_mad(voxels->origin, half_side,
                                tac_vec3(block.first[0] + block.last[0] + 1, block.first[1] + block.last[1] + 1,
                                         block.first[2] + block.last[2] + 1));
  if (!tac_triangle_intersects_box(corners[0], corners[1], corners[2], centre, half)) return;
  if (length[axis] == 1) {
    voxels->states[voxel_index(voxels, block.first[0], block.first[1], block.first[2])] = FILLED;
    return;
  }
  Block lower = block, upper = block;
  lower.last[axis] = block.first[axis] + length[axis] / 2 - 1;
  upper.first[axis] = lower.last[axis] + 1;
  touch_block(voxels, corners, lower);
  touch_block(voxels, corners, upper);
}

/* The layers begin..end - 1 of voxels along z. */
static void touch_layers(size_t begin, size_t end, int thread, void *context) {
  Toucher *toucher = context;
  Voxels *voxels = toucher->voxels;
  (void)thread;
  for (int t = 0; t < toucher->surface->triangle_count; ++t) {
    const int *v = toucher->surface->triangles[t].v;
    const tacVec3 *p = toucher->surface->vertices;
    const tacVec3 corners[3] = {p[v[0]], p[v[1]], p[v[2]]};
    tacVec3 lower = tac_vec3_sub(tac_vec3_min(corners[0], tac_vec3_min(corners[1], corners[2])), voxels->origin);
    tacVec3 upper = tac_vec3_sub(tac_vec3_max(corners[0], tac_vec3_max(corners[1], corners[2])), voxels->origin);
    const double lowers[3] = {lower.x, lower.y, lower.z}, uppers[3] = {upper.x, upper.y, upper.z};
    Block block;
    for (int a = 0; a < 3; ++a) {
      double most = voxels->n[a] - 1;
      block.first[a] = (int)fmin(fmax(floor(lowers[a] / voxels->side - voxels->overlap), 0.0), most);
      block.last[a] = (int)fmin(fmax(floor(uppers[a] / voxels->side + voxels->overlap), 0.0), most);
    }
    if (block.first[2] < (int)begin) block.first[2] = (int)begin;
    if (block.last[2] > (int)end - 1) block.last[2] = (int)end - 1;
    if (block.first[2] <= block.last[2]) touch_block(voxels, corners, block);
  }
}

static tacStatus fill_touched(const tacTriMesh *surface, Voxels *voxels, const tacProgress *progress, tacError *error) {
  Toucher toucher = {surface, voxels};
  size_t layers = (size_t)voxels->n[2];
  return tac_parallel_for(0, layers, layers / 16 + 1, touch_layers, &toucher, progress, "voxels", error);
}

/* ---- voxels that the outside reaches ---- */

typedef struct Seeds {
  size_t count, room;
  struct Seed {
    int i, j, k;
  } * seeds;
} Seeds;

static tacStatus push_seed(Seeds *seeds, int i, int j, int k, tacError *error) {
  tacStatus status = tac_array_reserve((void **)&seeds->seeds, &seeds->room, seeds->count + 1, sizeof *seeds->seeds,
                                       "flood fill", error);
  if (status == TAC_OK) seeds->seeds[seeds->count++] = (struct Seed){i, j, k};
  return status;
}

/* One seed for each run of free voxels first..last of the row (j, k). */
static tacStatus seed_row(const Voxels *voxels, int first, int last, int j, int k, Seeds *seeds, tacError *error) {
  if (j < 0 || k < 0 || j >= voxels->n[1] || k >= voxels->n[2]) return TAC_OK;
  const unsigned char *row = voxels->states + voxel_index(voxels, 0, j, k);
  for (int i = first; i <= last; ++i) {
    if (row[i] != FREE || (i > first && row[i - 1] == FREE)) continue;
    TAC_TRY(push_seed(seeds, i, j, k, error));
  }
  return TAC_OK;
}

/* Marks what is connected to the seeds by faces of free voxels, a run along x at a time. */
static tacStatus flood(Voxels *voxels, Seeds *seeds, tacError *error) {
  while (seeds->count > 0) {
    struct Seed seed = seeds->seeds[--seeds->count];
    unsigned char *row = voxels->states + voxel_index(voxels, 0, seed.j, seed.k);
    if (row[seed.i] != FREE) continue;
    int first = seed.i, last = seed.i;
    while (first > 0 && row[first - 1] == FREE) --first;
    while (last + 1 < voxels->n[0] && row[last + 1] == FREE) ++last;
    memset(row + first, REACHED, (size_t)(last - first + 1));
    for (int side = -1; side <= 1; side += 2) {
      TAC_TRY(seed_row(voxels, first, last, seed.j + side, seed.k, seeds, error));
      TAC_TRY(seed_row(voxels, first, last, seed.j, seed.k + side, seeds, error));
    }
  }
  return TAC_OK;
}

static void free_seeds(Seeds *seeds) {
  free(seeds->seeds);
}

/* The surface's voxels are there already: fills what the outside does not reach. */
static tacStatus fill_enclosed(Voxels *voxels, tacError *error) {
  TAC_FREED(free_seeds, Seeds, seeds) = {0};
  for (int k = 0; k < voxels->n[2]; ++k) {
    for (int j = 0; j < voxels->n[1]; ++j) {
      int end = voxels->n[0] - 1;
      bool whole = j == 0 || k == 0 || j == voxels->n[1] - 1 || k == voxels->n[2] - 1;
      TAC_TRY(seed_row(voxels, 0, whole ? end : 0, j, k, &seeds, error));
      if (!whole) TAC_TRY(seed_row(voxels, end, end, j, k, &seeds, error));
      TAC_TRY(flood(voxels, &seeds, error));
    }
  }
  size_t count = voxel_count(voxels);
  for (size_t v = 0; v < count; ++v) voxels->states[v] = voxels->states[v] == REACHED ? FREE : FILLED;
  return TAC_OK;
}

/* ---- bricks ---- */

static size_t filled_count(const Voxels *voxels) {
  size_t filled = 0, count = voxel_count(voxels);
  for (size_t v = 0; v < count; ++v) filled += voxels->states[v] == FILLED;
  return filled;
}

typedef struct Builder {
  const Voxels *voxels;
  tacVolMesh *mesh;
  tacArrays arrays;
  int *layers[2]; /* vertices of the nodes below and above a layer of voxels, -1 until used */
  size_t vertex_room;
  int brick_count;
} Builder;

static tacStatus add_brick(Builder *builder, int i, int j, int k, tacError *error) {
  static const int corners[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                    {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  const Voxels *voxels = builder->voxels;
  tacVolMesh *mesh = builder->mesh;
  tacBrick *brick = &mesh->bricks[builder->brick_count++];
  for (int c = 0; c < 8; ++c) {
    int x = i + corners[c][0], y = j + corners[c][1], z = k + corners[c][2];
    int *vertex = &builder->layers[corners[c][2]][(size_t)y * (size_t)(voxels->n[0] + 1) + (size_t)x];
    if (*vertex < 0) {
      TAC_TRY(tac_array_reserve((void **)&mesh->vertices, &builder->vertex_room, (size_t)mesh->vertex_count + 1,
                                sizeof *mesh->vertices, "vertices", error));
      *vertex = mesh->vertex_count;
      mesh->vertices[mesh->vertex_count++] = tac_vec3_mad(voxels->origin, voxels->side, tac_vec3(x, y, z));
    }
    brick->v[c] = *vertex;
  }
  return TAC_OK;
}

static tacStatus add_layers(Builder *builder, size_t layer_size, tacError *error) {
  const Voxels *voxels = builder->voxels;
  for (int k = 0; k < voxels->n[2]; ++k) {
    for (int j = 0; j < voxels->n[1]; ++j) {
      for (int i = 0; i < voxels->n[0]; ++i) {
        if (voxels->states[voxel_index(voxels, i, j, k)] != FILLED) continue;
        TAC_TRY(add_brick(builder, i, j, k, error));
      }
    }
    int *swapped = builder->layers[0];
    builder->layers[0] = builder->layers[1];
    builder->layers[1] = swapped;
    for (size_t n = 0; n < layer_size; ++n) swapped[n] = -1;
  }
  return TAC_OK;
}

static void free_builder(Builder *builder) {
  tac_volmesh_destroy(builder->mesh);
  tac_arrays_free(&builder->arrays);
}

static tacStatus build_bricks(const Voxels *voxels, tacVolMesh **mesh, tacError *error) {
  size_t filled = filled_count(voxels);
  if (filled == 0)
    return tac_error_set(error, TAC_ERR_GEOMETRY,
                         "no voxel of size %g has its centre inside the surface; use a higher resolution",
                         voxels->side);
  if (filled > MOST_BRICKS)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "too many bricks (%zu, limit %d); use a lower resolution", filled,
                         MOST_BRICKS);
  TAC_FREED(free_builder, Builder, builder) = {.voxels = voxels};
  size_t layer_size = (size_t)(voxels->n[0] + 1) * (size_t)(voxels->n[1] + 1);
  TAC_TRY(tac_volmesh_create(0, 0, (int)filled, &builder.mesh, error));
  for (int l = 0; l < 2; ++l) builder.layers[l] = tac_arrays_add(&builder.arrays, layer_size, sizeof(int));
  TAC_TRY(tac_arrays_status(&builder.arrays, "a layer of vertices", error));
  for (size_t n = 0; n < layer_size; ++n) builder.layers[0][n] = builder.layers[1][n] = -1;
  TAC_TRY(add_layers(&builder, layer_size, error));
  *mesh = tac_give(&builder.mesh);
  return TAC_OK;
}

static void free_voxels(Voxels *voxels) {
  free(voxels->states);
}

tacStatus tac_voxelise(const tacTriMesh *surface, const tacVoxeliseDef *def, const tacProgress *progress,
                       tacVolMesh **mesh, tacError *error) {
  TAC_REQUIRE(error, mesh);
  *mesh = NULL;
  TAC_REQUIRE(error, surface, def);
  if (surface->triangle_count == 0) return tac_error_set(error, TAC_ERR_GEOMETRY, "the surface has no triangles");
  TAC_FREED(free_voxels, Voxels, voxels) = {0};
  TAC_TRY(voxels_init(&voxels, tac_trimesh_box(surface), def->resolution, error));
  switch (def->rule) {
    case TAC_VOXELS_CENTRE:
      TAC_TRY(tac_trimesh_require_closed(surface, error));
      TAC_TRY(fill_by_centre(surface, &voxels, error));
      break;
    case TAC_VOXELS_COVER:
    case TAC_VOXELS_SHELL:
      TAC_TRY(fill_touched(surface, &voxels, progress, error));
      if (def->rule == TAC_VOXELS_COVER) TAC_TRY(fill_enclosed(&voxels, error));
      break;
    default: return tac_error_set(error, TAC_ERR_ARGUMENT, "unknown voxel rule %d", (int)def->rule);
  }
  return build_bricks(&voxels, mesh, error);
}

tacStatus tac_voxelise_to_volume(const tacTriMesh *surface, double tolerance, const tacProgress *progress,
                                 tacVolMesh **mesh, int *resolution, tacError *error) {
  TAC_REQUIRE(error, mesh);
  *mesh = NULL;
  TAC_REQUIRE(error, surface, resolution);
  TAC_FREED(tac_volume_fit_discard, tacVolumeFit, fit) = {0};
  TAC_TRY(tac_trimesh_require_closed(surface, error));
  TAC_TRY(tac_volume_fit_begin(surface, tolerance, false, &fit, error));
  tacBox box = tac_trimesh_box(surface);
  for (int tried = LEAST_TRIED; !fit.done && tried <= MOST_TRIED; tried += tried / 5 + 1) {
    TAC_TRY(tac_progress_report(progress, "voxels", (double)tried / MOST_TRIED, error));
    TAC_FREED(free_voxels, Voxels, voxels) = {0};
    tacVolMesh *built = NULL;
    TAC_TRY(voxels_init(&voxels, box, tried, error));
    TAC_TRY(fill_by_centre(surface, &voxels, error));
    double count = (double)filled_count(&voxels);
    if (!tac_volume_fit_wants(&fit, count * pow(voxels.side, 3.0), count)) continue;
    TAC_TRY(build_bricks(&voxels, &built, error));
    TAC_TRY(tac_volume_fit_offer(&fit, built, tried, error));
  }
  double chosen = 0.0;
  TAC_TRY(tac_volume_fit_end(&fit, mesh, &chosen, error));
  *resolution = (int)chosen;
  return TAC_OK;
}
