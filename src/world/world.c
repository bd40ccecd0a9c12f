#include <tactus/distance_field.h>
#include <tactus/world.h>

#include <stdlib.h>
#include <string.h>
#include "asset/contact_field.h"
#include "asset/deformed_pose.h"
#include "base/memory/array.h"
#include "world/pairs/pair.h"
#include "world/tools/fingertip_touch.h"
#include "world/world.h"
#include "world/world_parts.h"

double tac_world_period(const tacWorld *world) {
  return world != NULL ? world->tick_period : 0.0;
}

int tac_world_simulate_every(const tacWorld *world) {
  return world->simulate_every;
}

int tac_world_body_count(const tacWorld *world) {
  return world != NULL ? world->body_count : 0;
}

tacBodyId tac_world_body(const tacWorld *world, int index) {
  if (world == NULL) return (tacBodyId){0, 0};
  if (index < 0 || index >= world->body_count) return (tacBodyId){0, 0};
  return (tacBodyId){(uint32_t)index, world->generation};
}

tacBodyId tac_world_find_body(const tacWorld *world, const char *name) {
  if (world == NULL || name == NULL) return (tacBodyId){0, 0};
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

const tacTriMesh *tac_world_body_surface(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  return body != NULL ? tac_body_describe(&body->body).surface : NULL;
}

const bool *tac_world_body_fixed(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  const bool *fixed = body != NULL ? tac_body_describe(&body->body).fixed : NULL;
  return fixed != NULL || body == NULL ? fixed : body->surface->unfixed;
}

const tacPointshell *tac_world_body_shell(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  return body != NULL ? tac_body_describe(&body->body).points : NULL;
}

const tacDistanceField *tac_world_body_field(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  return body != NULL ? tac_body_describe(&body->body).field : NULL;
}

static const tacDeformedPose *pose_of(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  const tacContactField *field = body != NULL ? tac_body_describe(&body->body).deformed_field : NULL;
  return field != NULL ? field->deformed : NULL;
}

const tacDeformedField *tac_world_body_deformed_field(const tacWorld *world, tacBodyId id) {
  const tacDeformedPose *pose = pose_of(world, id);
  return pose != NULL ? tac_deformed_pose_field(pose) : NULL;
}

const tacLoadField *tac_world_body_load_field(const tacWorld *world, tacBodyId id) {
  const tacDeformedPose *pose = pose_of(world, id);
  return pose != NULL ? tac_deformed_pose_loads(pose) : NULL;
}

int tac_world_pair_count(const tacWorld *world) {
  return world->pair_count;
}

tacPairDef tac_world_pair(const tacWorld *world, int pair) {
  return pair >= 0 && pair < world->pair_count ? world->contact_pairs[pair].def : tac_pair_def_default();
}

int tac_world_tool_count(const tacWorld *world) {
  return world != NULL ? world->tool_count : 0;
}

tacBodyId tac_world_tool_body(const tacWorld *world, int tool, tacVec3 *grasp) {
  if (world == NULL) return (tacBodyId){0, 0};
  bool holds = tool >= 0 && tool < world->tool_count && world->tools[tool].held.body >= 0;
  if (grasp != NULL) *grasp = holds ? world->tools[tool].held.def.grasp : tac_vec3(0.0, 0.0, 0.0);
  return holds ? tac_world_body(world, world->tools[tool].held.body) : (tacBodyId){0, 0};
}

bool tac_world_tool_trocar(const tacWorld *world, int tool, tacVec3 *pivot) {
  bool through = tool >= 0 && tool < world->tool_count && world->tools[tool].held.coupling.trocar;
  if (through) *pivot = world->tools[tool].held.coupling.pivot;
  return through;
}

int tac_world_tool_jaws(const tacWorld *world, int tool, tacBodyId jaws[TAC_MOST_JAWS]) {
  int count = tool >= 0 && tool < world->tool_count ? world->tools[tool].held.jaw_count : 0;
  for (int j = 0; j < count; ++j) jaws[j] = tac_world_body(world, world->tools[tool].held.jaws[j].body);
  return count;
}

bool tac_world_tool_pads(const tacWorld *world, int tool, tacPadToolDef *def) {
  if (tool < 0 || tool >= world->tool_count || world->tools[tool].pad.body < 0) return false;
  *def = world->tools[tool].pad.def;
  return true;
}

const char *tac_world_tool_name(const tacWorld *world, int tool) {
  return world != NULL && tool >= 0 && tool < world->tool_count ? world->tools[tool].name : NULL;
}

double tac_world_tool_radius(const tacWorld *world, int tool) {
  return tool >= 0 && tool < world->tool_count ? world->tools[tool].radius : 0.0;
}

double tac_world_body_most_stiffness(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  if (body == NULL) return 0.0;
  const tacBodyDescription own = tac_body_describe(&body->body);
  if (!(own.stiffness > 0.0))
    return body->fingers.tips != NULL ? tac_fingertip_most_stiffness(body) : body->feel.stiffness;
  double most = world->tool_count == 0 ? own.stiffness : 0.0;
  for (int t = 0; t < world->tool_count; ++t)
    most = fmax(most, world->tools[t].tip > 0 ? own.tip_stiffness : own.stiffness);
  return most;
}
