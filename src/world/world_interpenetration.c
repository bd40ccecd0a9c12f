#include <tactus/world.h>

#include "base/memory/owned.h"
#include "collide/interpenetration.h"
#include "world/pairs/pair.h"
#include "world/world_interpenetration.h"
#include "world/world_tick.h"

/* Surface of a body in the snapshot. */
typedef struct Solid {
  bool closed;
  tacTriMesh mesh;       /* vertices in the snapshot, owned by this struct; the triangles belong to the body */
  tacTriangleTree *tree; /* bounding volume tree; NULL until first use */
  tacBox box;
} Solid;

struct tacWorldInterpenetration {
  const tacWorld *world;
  Solid *solids;
  tacBodiesWithin *bodies;
  size_t capacity;
  tacTipWithin *tips; /* at most one entry for each point tool and body */
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
TAC_OWNED_TYPE(tacWorldInterpenetration, tac_world_interpenetration_destroy)

tacStatus tac_world_interpenetration_create(const tacWorld *world, tacWorldInterpenetration **result, tacError *error) {
  *result = NULL;
  if (!tac_world_is_sealed(world))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the world is not sealed, so no body has a position yet; call "
                         "tac_world_seal first");
  TAC_OWN(tacWorldInterpenetration, within) = NULL;
  TAC_TRY(TAC_ARRAY(within, 1, "interpenetration", error));
  within->world = world;
  TAC_TRY(TAC_ARRAY(within->solids, (size_t)world->body_count, "interpenetration", error));
  for (int b = 0; b < world->body_count; ++b) {
    const tacTriMesh *surface = world->bodies[b].surface->mesh;
    tacError reason;
    tacStatus closed = tac_trimesh_require_closed(surface, &reason);
    if (closed == TAC_ERR_MEMORY) return tac_error_set(error, closed, "%s", reason.text);
    Solid *solid = &within->solids[b];
    solid->closed = closed == TAC_OK;
    solid->mesh = (tacTriMesh){.vertex_count = surface->vertex_count,
                               .triangle_count = surface->triangle_count,
                               .triangles = surface->triangles};
    TAC_TRY(TAC_ARRAY(solid->mesh.vertices, (size_t)surface->vertex_count, "vertices of a body", error));
  }
  *result = tac_give(&within);
  return TAC_OK;
}

bool tac_world_interpenetration_covers(const tacWorldInterpenetration *within, tacBodyId id) {
  return tac_world_find(within->world, id) != NULL && within->solids[id.index].closed;
}

static tacStatus solid_of(const tacWorldInterpenetration *within, int b, tacSolidSurface *to, tacError *error) {
  Solid *solid = &within->solids[b];
  if (solid->tree == NULL) TAC_TRY(tac_triangle_tree_create(&solid->mesh, &solid->tree, error));
  *to = (tacSolidSurface){&solid->mesh, solid->tree, solid->box};
  return TAC_OK;
}

static bool boxes_overlap(tacBox a, tacBox b) {
  return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y && b.lower.y <= a.upper.y &&
         a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

static tacStatus look_at_bodies(tacWorldInterpenetration *within, int a, int b, tacSeenWithin *seen, tacError *error) {
  const tacWorld *world = within->world;
  const Solid *one = &within->solids[a], *other = &within->solids[b];
  if (!one->closed || !other->closed || !boxes_overlap(one->box, other->box)) return TAC_OK;
  int pair = tac_pair_of(world, a, b);
  if (pair < 0 && !world->bodies[a].def.free && !world->bodies[b].def.free) return TAC_OK;
  tacBodiesWithin found = {.body = {a, b}, .pair = pair};
  tacSolidSurface solids[2];
  TAC_TRY(solid_of(within, a, &solids[0], error));
  TAC_TRY(solid_of(within, b, &solids[1], error));
  TAC_TRY(tac_interpenetration_of_solids(&solids[0], &solids[1], &found.is, error));
  if (found.is.crossings == 0 && found.is.depth == 0.0) return TAC_OK;
  TAC_TRY(tac_array_reserve((void **)&within->bodies, &within->capacity, (size_t)seen->count + 1,
                            sizeof *within->bodies, "bodies inside each other", error));
  within->bodies[seen->count++] = found;
  return TAC_OK;
}

static tacStatus look_at_tip(tacWorldInterpenetration *within, int tool, int b, tacVec3 at, tacSeenWithin *seen,
                             tacError *error) {
  if (!within->solids[b].closed || !boxes_overlap(within->solids[b].box, (tacBox){at, at})) return TAC_OK;
  tacSolidSurface solid;
  TAC_TRY(solid_of(within, b, &solid, error));
  double depth = tac_interpenetration_of_point(&solid, at);
  if (depth == 0.0) return TAC_OK;
  TAC_TRY(tac_array_reserve((void **)&within->tips, &within->tip_capacity, (size_t)seen->tip_count + 1,
                            sizeof *within->tips, "tips inside bodies", error));
  within->tips[seen->tip_count++] = (tacTipWithin){tool, b, depth};
  return TAC_OK;
}

static tacStatus look_at_all(tacWorldInterpenetration *within, const tacSnapshot *snapshot, tacSeenWithin *seen,
                             tacError *error) {
  const tacWorld *world = within->world;
  for (int b = 0; b < world->body_count; ++b) {
    Solid *solid = &within->solids[b];
    tac_triangle_tree_destroy(solid->tree);
    solid->tree = NULL;
    tac_world_surface(world, snapshot, tac_world_body(world, b), solid->mesh.vertices);
    solid->box = tac_trimesh_box(&solid->mesh);
  }
  for (int a = 0; a < world->body_count; ++a)
    for (int b = a + 1; b < world->body_count; ++b) TAC_TRY(look_at_bodies(within, a, b, seen, error));
  for (int t = 0; t < snapshot->tool_count && t < world->tool_count; ++t)
    for (int b = 0; tac_world_tool_is_point(&world->tools[t]) && !snapshot->lifted[t] && b < world->body_count; ++b)
      TAC_TRY(look_at_tip(within, t, b, snapshot->output[t].proxy, seen, error));
  seen->bodies = within->bodies;
  seen->tips = within->tips;
  return TAC_OK;
}

tacStatus tac_world_interpenetration_at(tacWorldInterpenetration *within, const tacSnapshot *snapshot,
                                        tacSeenWithin *seen, tacError *error) {
  *seen = (tacSeenWithin){0};
  tacStatus status = look_at_all(within, snapshot, seen, error);
  if (status != TAC_OK) *seen = (tacSeenWithin){0};
  return status;
}
