#include <tactus/interpenetration.h>

#include <stdlib.h>
#include "base/memory/array.h"
#include "collide/interpenetration.h"
#include "world/pairs/pair.h"
#include "world/world_parts.h"

/* A body in the moment that is looked at. */
typedef struct Solid {
  bool closed;
  tacTriMesh mesh;       /* triangles are the body's, vertices are its own */
  tacTriangleTree *tree; /* made when it is needed first; NULL before */
  tacBox box;
} Solid;

struct tacWorldInterpenetration {
  const tacWorld *world;
  Solid *solids;
  tacBodiesWithin *bodies;
  size_t capacity;
  tacTipWithin *tips; /* one for each point tool and body at most */
  size_t tip_capacity;
};

void tac_world_interpenetration_destroy(tacWorldInterpenetration *within) {
  if (within == NULL) return;
  for (int b = 0; within->solids != NULL && b < within->world->body_count; ++b) {
    tac_triangle_tree_destroy(within->solids[b].tree);
    free(within->solids[b].mesh.vertices);
  }
  free(within->solids);
  free(within->bodies);
  free(within->tips);
  free(within);
}

tacStatus tac_world_interpenetration_create(const tacWorld *world, tacWorldInterpenetration **result, tacError *error) {
  *result = NULL;
  if (!tac_world_is_sealed(world))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the world is not sealed: nothing is anywhere yet");
  tacWorldInterpenetration *within = tac_array_create(1, sizeof *within, "interpenetration", error);
  if (within == NULL) return TAC_ERR_MEMORY;
  within->world = world;
  within->solids = tac_array_create((size_t)world->body_count, sizeof *within->solids, "interpenetration", error);
  tacStatus status = within->solids != NULL ? TAC_OK : TAC_ERR_MEMORY;
  for (int b = 0; b < world->body_count && status == TAC_OK; ++b) {
    const tacTriMesh *surface = world->bodies[b].body.table->surface(world->bodies[b].body.self);
    tacError reason;
    tacStatus closed = tac_trimesh_require_closed(surface, &reason);
    Solid *solid = &within->solids[b];
    solid->closed = closed == TAC_OK;
    solid->mesh = (tacTriMesh){
        .vertex_count = surface->vertex_count,
        .vertices = tac_array_create((size_t)surface->vertex_count, sizeof(tacVec3), "vertices of a body", error),
        .triangle_count = surface->triangle_count,
        .triangles = surface->triangles};
    if (solid->mesh.vertices == NULL) status = TAC_ERR_MEMORY;
    if (closed == TAC_ERR_MEMORY) status = tac_error_set(error, closed, "%s", reason.text);
  }
  if (status == TAC_OK)
    *result = within;
  else
    tac_world_interpenetration_destroy(within);
  return status;
}

bool tac_world_interpenetration_covers(const tacWorldInterpenetration *within, tacBodyId id) {
  return tac_world_find(within->world, id) != NULL && within->solids[id.index].closed;
}

static tacStatus solid_of(const tacWorldInterpenetration *within, int b, tacSolidSurface *to, tacError *error) {
  Solid *solid = &within->solids[b];
  tacStatus status = solid->tree == NULL ? tac_triangle_tree_create(&solid->mesh, &solid->tree, error) : TAC_OK;
  *to = (tacSolidSurface){&solid->mesh, solid->tree, solid->box};
  return status;
}

static int pair_of(const tacWorld *world, int a, int b) {
  for (int p = 0; p < world->pair_count; ++p)
    if (tac_pair_has(&world->contact_pairs[p], a) && tac_pair_has(&world->contact_pairs[p], b)) return p;
  return -1;
}

static bool boxes_overlap(tacBox a, tacBox b) {
  return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y && b.lower.y <= a.upper.y &&
         a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

static tacStatus look_at_bodies(tacWorldInterpenetration *within, int a, int b, tacSeenWithin *seen, tacError *error) {
  const tacWorld *world = within->world;
  const Solid *one = &within->solids[a], *other = &within->solids[b];
  if (!one->closed || !other->closed || !boxes_overlap(one->box, other->box)) return TAC_OK;
  int pair = pair_of(world, a, b);
  if (pair < 0 && !world->bodies[a].def.free && !world->bodies[b].def.free) return TAC_OK;
  tacBodiesWithin found = {.body = {a, b}, .pair = pair};
  tacSolidSurface solids[2];
  tacStatus status = solid_of(within, a, &solids[0], error);
  if (status == TAC_OK) status = solid_of(within, b, &solids[1], error);
  if (status == TAC_OK) status = tac_interpenetration_of_solids(&solids[0], &solids[1], &found.is, error);
  if (status != TAC_OK || (found.is.crossings == 0 && found.is.depth == 0.0)) return status;
  status = tac_array_reserve((void **)&within->bodies, &within->capacity, (size_t)seen->count + 1,
                             sizeof *within->bodies, "bodies inside each other", error);
  if (status == TAC_OK) within->bodies[seen->count++] = found;
  return status;
}

static tacStatus look_at_tip(tacWorldInterpenetration *within, int tool, int b, tacVec3 at, tacSeenWithin *seen,
                             tacError *error) {
  if (!within->solids[b].closed || !boxes_overlap(within->solids[b].box, (tacBox){at, at})) return TAC_OK;
  tacSolidSurface solid;
  tacStatus status = solid_of(within, b, &solid, error);
  double depth = status == TAC_OK ? tac_interpenetration_of_point(&solid, at) : 0.0;
  if (depth == 0.0) return status;
  status = tac_array_reserve((void **)&within->tips, &within->tip_capacity, (size_t)seen->tip_count + 1,
                             sizeof *within->tips, "tips inside bodies", error);
  if (status == TAC_OK) within->tips[seen->tip_count++] = (tacTipWithin){tool, b, depth};
  return status;
}

tacStatus tac_world_interpenetration_at(tacWorldInterpenetration *within, const tacSnapshot *snapshot,
                                        tacSeenWithin *seen, tacError *error) {
  const tacWorld *world = within->world;
  tacStatus status = TAC_OK;
  *seen = (tacSeenWithin){0};
  for (int b = 0; b < world->body_count; ++b) {
    Solid *solid = &within->solids[b];
    tac_triangle_tree_destroy(solid->tree);
    solid->tree = NULL;
    tac_world_surface(world, snapshot, tac_world_body(world, b), solid->mesh.vertices);
    solid->box = tac_trimesh_box(&solid->mesh);
  }
  for (int a = 0; a < world->body_count; ++a)
    for (int b = a + 1; b < world->body_count && status == TAC_OK; ++b)
      status = look_at_bodies(within, a, b, seen, error);
  for (int t = 0; t < snapshot->tool_count && t < world->tool_count; ++t) {
    bool is_tip = world->tools[t].held.body < 0 && world->tools[t].pad.body < 0;
    for (int b = 0; is_tip && !snapshot->lifted[t] && b < world->body_count && status == TAC_OK; ++b)
      status = look_at_tip(within, t, b, snapshot->output[t].proxy, seen, error);
  }
  seen->bodies = within->bodies;
  seen->tips = within->tips;
  if (status != TAC_OK) *seen = (tacSeenWithin){0};
  return status;
}
