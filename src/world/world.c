#include <tactus/world.h>

#include <stdlib.h>
#include <string.h>
#include "base/array.h"
#include "body/green_kind.h"
#include "body/reduced_kind.h"
#include "world/pair.h"
#include "world/world_parts.h"

tacWorldDef tac_world_def_default(void) {
  return (tacWorldDef){.period = 0.001};
}

tacStatus tac_world_create(const tacWorldDef *def, tacWorld **world, tacError *error) {
  static atomic_uint worlds;
  *world = NULL;
  if (def == NULL)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a world needs its definition; see tac_world_def_default");
  if (!(def->period >= 1e-5 && def->period <= 1.0))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "period %g s: must be between 1e-5 and 1 s", def->period);
  if (!(def->budget >= 0.0 && def->budget <= 1.0))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "budget %g s: must be between 0 (none) and 1 s", def->budget);
  tacWorld *w = tac_array_create(1, sizeof *w, "a world", error);
  if (w == NULL) return TAC_ERR_MEMORY;
  w->period = def->period;
  w->budget = def->budget;
  w->method = def->method;
  w->movable = def->movable;
  tac_world_forget_pairs(w);
  w->generation = atomic_fetch_add(&worlds, 1u) + 1u;
  *world = w;
  return TAC_OK;
}

static void free_body(tacWorldBody *body) {
  if (body->body.table != NULL && body->body.table->destroy != NULL) body->body.table->destroy(body->body.self);
  tac_body_points_destroy(&body->points);
  tac_patch_grip_destroy(body->grip);
  tac_proximity_destroy(&body->proximity);
  tac_surface_walk_destroy(&body->walk);
  free(body->name);
  free(body->kind);
  free(body->pending);
}

void tac_world_destroy(tacWorld *world) {
  if (world == NULL) return;
  for (int p = 0; p < world->pair_count; ++p) tac_pair_destroy(&world->contact_pairs[p]);
  for (int b = 0; b < world->body_count; ++b) free_body(&world->bodies[b]);
  for (int t = 0; t < world->tool_count; ++t) free(world->tools[t].name);
  for (int s = 0; s < world->surface_count; ++s) tac_body_surface_destroy(world->surfaces[s]);
  tac_distance_field_destroy(world->floor_field);
  tac_contact_set_destroy(&world->contacts);
  tac_broad_phase_destroy(world->broad_phase);
  tac_arena_destroy(&world->arena);
  free(world->blocks);
  free(world->surfaces);
  free(world->bodies);
  free(world->contact_pairs);
  free(world->approaches);
  free(world);
}

double tac_world_period(const tacWorld *world) {
  return world->period;
}

int tac_world_body_count(const tacWorld *world) {
  return world->body_count;
}

tacBodyId tac_world_body(const tacWorld *world, int index) {
  if (index < 0 || index >= world->body_count) return (tacBodyId){0, 0};
  return (tacBodyId){(uint32_t)index, world->generation};
}

tacBodyId tac_world_find_body(const tacWorld *world, const char *name) {
  for (int b = 0; b < world->body_count; ++b)
    if (strcmp(world->bodies[b].name, name) == 0) return tac_world_body(world, b);
  return (tacBodyId){0, 0};
}

const char *tac_world_body_name(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  return body != NULL ? body->name : NULL;
}

const char *tac_world_body_kind_name(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  return body != NULL ? body->kind : NULL;
}

tacBodyShown tac_world_body_shown(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  return body != NULL ? body->def.shown : TAC_SHOWN_VERTICES;
}

const tacGreen *tac_world_body_green(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  const tacGreenBody *green = body != NULL ? tac_green_kind_body(&body->body) : NULL;
  return green != NULL ? tac_green_body_green(green) : NULL;
}

const tacReduced *tac_world_body_reduced(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  const tacReducedBody *reduced = body != NULL ? tac_reduced_kind_body(&body->body) : NULL;
  return reduced != NULL ? tac_reduced_body_asset(reduced) : NULL;
}

const tacTriMesh *tac_world_body_surface(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  return body != NULL ? body->body.table->surface(body->body.self) : NULL;
}

const bool *tac_world_body_fixed(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  const bool *fixed = body != NULL && body->body.table->fixed != NULL ? body->body.table->fixed(body->body.self) : NULL;
  return fixed != NULL || body == NULL ? fixed : body->surface->unfixed;
}

const tacPointshell *tac_world_body_shell(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  return body != NULL && body->body.table->points != NULL ? body->body.table->points(body->body.self) : NULL;
}

const tacDistanceField *tac_world_body_field(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  return body != NULL && body->body.table->field != NULL ? body->body.table->field(body->body.self) : NULL;
}

const tacDeformedField *tac_world_body_deformed_field(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  return body != NULL ? tac_reduced_kind_field(&body->body) : NULL;
}

int tac_world_pair_count(const tacWorld *world) {
  return world->pair_count;
}

tacPairDef tac_world_pair(const tacWorld *world, int pair) {
  return pair >= 0 && pair < world->pair_count ? world->contact_pairs[pair].def : tac_pair_def_default();
}

int tac_world_tool_count(const tacWorld *world) {
  return world->tool_count;
}

tacBodyId tac_world_tool_body(const tacWorld *world, int tool) {
  return tool >= 0 && tool < world->tool_count ? tac_world_body(world, world->tools[tool].held.body)
                                               : (tacBodyId){0, 0};
}

tacVec3 tac_world_tool_grasp(const tacWorld *world, int tool) {
  bool holds = tool >= 0 && tool < world->tool_count && world->tools[tool].held.body >= 0;
  return holds ? world->tools[tool].held.def.grasp : tac_vec3(0.0, 0.0, 0.0);
}

bool tac_world_tool_pads(const tacWorld *world, int tool, tacPadToolDef *def) {
  if (tool < 0 || tool >= world->tool_count || world->tools[tool].pad.body < 0) return false;
  *def = world->tools[tool].pad.def;
  return true;
}

const char *tac_world_tool_name(const tacWorld *world, int tool) {
  return tool >= 0 && tool < world->tool_count ? world->tools[tool].name : NULL;
}

double tac_world_body_most_stiffness(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  if (body == NULL) return 0.0;
  const tacBodyTable *table = body->body.table;
  return table->stiffness_most != NULL ? table->stiffness_most(body->body.self) : body->touch;
}
