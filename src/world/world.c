#include <tactus/world.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/array.h"
#include "world/held_body.h"

enum { MOST_EVALUATIONS = 2000 /* of the contact laws in one step */ };

tacWorldDef tac_world_def_default(void) {
  return (tacWorldDef){.period = 0.001};
}

tacStatus tac_world_create(const tacWorldDef *def, tacWorld **world, tacError *error) {
  static atomic_uint worlds;
  *world = NULL;
  if (!(def->period >= 1e-5 && def->period <= 1.0))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "period %g s: must be between 1e-5 and 1 s", def->period);
  if (!(def->budget >= 0.0 && def->budget <= 1.0))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "budget %g s: must be between 0 (none) and 1 s", def->budget);
  tacWorld *w = tac_array_create(1, sizeof *w, "a world", error);
  if (w == NULL) return TAC_ERR_MEMORY;
  w->period = def->period;
  w->budget = def->budget;
  w->joint = -1;
  tac_world_forget_pairs(w);
  w->generation = atomic_fetch_add(&worlds, 1u) + 1u;
  *world = w;
  return TAC_OK;
}

void tac_world_destroy(tacWorld *world) {
  if (world == NULL) return;
  for (int p = 0; p < world->pair_count; ++p) tac_pair_destroy(&world->contact_pairs[p]);
  for (int b = 0; b < world->body_count; ++b) tac_world_body_free(&world->bodies[b]);
  for (int t = 0; t < world->tool_count; ++t) free(world->tools[t].name);
  for (int s = 0; s < world->surface_count; ++s) tac_deformed_surface_destroy(world->surfaces[s]);
  tac_crowd_destroy(&world->crowd);
  free(world->surfaces);
  free(world->bodies);
  free(world->contact_pairs);
  free(world->answer);
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

tacBodyKind tac_world_body_kind(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  return body != NULL ? body->kind : TAC_BODY_NONE;
}

const char *tac_world_body_kind_name(const tacWorld *world, tacBodyId id) {
  static const char *const names[] = {
      [TAC_BODY_GREEN] = "green", [TAC_BODY_REDUCED] = "reduced", [TAC_BODY_RIGID] = "rigid"};
  const tacWorldBody *body = tac_world_find(world, id);
  return body != NULL ? names[body->kind] : NULL;
}

tacBodyShown tac_world_body_shown(const tacWorld *world, tacBodyId id) {
  static const tacBodyShown shown[] = {[TAC_BODY_GREEN] = TAC_SHOWN_VERTICES,
                                       [TAC_BODY_REDUCED] = TAC_SHOWN_COORDINATES,
                                       [TAC_BODY_RIGID] = TAC_SHOWN_RIGID};
  const tacWorldBody *body = tac_world_find(world, id);
  return body != NULL ? shown[body->kind] : TAC_SHOWN_VERTICES;
}

const tacGreen *tac_world_body_green(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  return body != NULL && body->kind == TAC_BODY_GREEN ? tac_green_body_green(body->green) : NULL;
}

const tacReduced *tac_world_body_reduced(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  return body != NULL && body->kind == TAC_BODY_REDUCED ? tac_reduced_body_asset(body->reduced) : NULL;
}

const tacTriMesh *tac_world_body_surface(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  return body != NULL ? body->ops->surface(body) : NULL;
}

const bool *tac_world_body_fixed(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  return body != NULL ? body->ops->fixed(body) : NULL;
}

tacPose tac_world_body_pose(const tacWorld *world, tacBodyId id) {
  static const tacSnapshot start; /* without a state */
  return tac_world_snapshot_pose(world, &start, id);
}

const tacPointshell *tac_world_body_shell(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  return body != NULL ? body->shell : NULL;
}

const tacDistanceField *tac_world_body_field(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  return body != NULL ? body->field : NULL;
}

const tacDeformedField *tac_world_body_deformed_field(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  return body != NULL ? body->deformed_field : NULL;
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

const char *tac_world_tool_name(const tacWorld *world, int tool) {
  return tool >= 0 && tool < world->tool_count ? world->tools[tool].name : NULL;
}

double tac_world_body_most_stiffness(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  return body != NULL ? body->ops->most_stiffness(body) : 0.0;
}

/* ---- the step ---- */

static void fill_output(tacWorld *world, int t, tacToolOutput *output, tacTickReport *report) {
  const tacWorldTool *tool = &world->tools[t];
  *output = (tacToolOutput){.proxy = tool->position, .proxy_orientation = {1.0, 0.0, 0.0, 0.0}};
  if (tool->held.body >= 0) {
    tac_held_body_describe(world, t, output, report);
    return;
  }
  if (tool->body < 0) return;
  tacContact *c = &output->contact;
  c->state = tool->point.state;
  c->body = (uint32_t)tool->body;
  c->triangle = tool->point.at.triangle;
  memcpy(c->weight, tool->point.at.weight, sizeof c->weight);
  world->bodies[tool->body].ops->describe(world, t, output, report);
  output->force = tac_vec3_scale(-1.0, c->force);
  output->proxy = c->deformed;
  output->depth = tac_vec3_distance(tool->position, c->at);
  ++report->contact_count;
}

static bool finite_output(const tacToolOutput *o) {
  return tac_vec3_finite(o->force) && tac_vec3_finite(o->torque) && tac_vec3_finite(o->proxy) &&
         tac_vec3_finite(o->contact.at) && tac_vec3_finite(o->contact.normal) && isfinite(o->depth);
}

/* As if it had not been in the scene before. */
static void set_free(tacWorld *world, int t) {
  world->tools[t].body = -1;
  for (int b = 0; b < world->body_count; ++b) *tac_world_approach(world, t, b) = (tacApproach){0};
}

static void take_input(tacWorld *world, int t, const tacToolInput *input, tacTickReport *report) {
  tacWorldTool *tool = &world->tools[t];
  const double *o = input->orientation;
  tacQuat turn = tac_quat(o[0], o[1], o[2], o[3]);
  bool holds = tool->held.body >= 0, turned = fabs(tac_quat_norm(turn) - 1.0) < 1e-3;
  bool good = tac_vec3_finite(input->position) && tac_vec3_norm(input->position) < 1e6 && (turned || !holds);
  if (good) {
    tool->motion = tac_vec3_distance(tool->position, input->position);
    tool->position = input->position;
    tool->grab = input->grab;
    tool->lifted = input->lifted;
  } else {
    ++report->refused;
  }
  if (holds) tac_held_body_take(world, t, tool->position, good ? tac_quat_normalise(turn) : tool->held.turn);
  if (tool->lifted && !holds) set_free(world, t);
  tool->start = tool->point.at;
}

static void evaluate_pairs(tacWorld *world, tacTickReport *report) {
  report->level = world->pair_count > 0 ? TAC_POINTSHELL_MOST_LEVELS : 0;
  for (int p = 0; p < world->pair_count; ++p) {
    tacPair *pair = &world->contact_pairs[p];
    tac_pair_evaluate(pair, world->bodies);
    report->visited += pair->traversed.visited;
    report->points += pair->count;
    report->degraded += pair->traversed.degraded;
    report->saturated += pair->traversed.lost > 0;
    if (pair->traversed.level < report->level) report->level = pair->traversed.level;
  }
}

void tac_world_step(tacWorld *world, const tacToolInput *inputs, tacToolOutput *outputs, tacTickReport *report) {
  *report = (tacTickReport){0};
  int budget = MOST_EVALUATIONS;
  for (int t = 0; t < world->tool_count; ++t) take_input(world, t, &inputs[t], report);
  /* A free tool meets the first body that it enters. */
  for (int t = 0; t < world->tool_count; ++t)
    for (int b = 0;
         b < world->body_count && world->tools[t].body < 0 && !world->tools[t].lifted && world->tools[t].held.body < 0;
         ++b)
      world->bodies[b].ops->approach(world, t, b, report);
  tac_crowd_locate(world, &world->crowd);
  evaluate_pairs(world, report);
  for (int t = 0; t < world->tool_count; ++t)
    if (world->tools[t].held.body >= 0) tac_held_body_step(world, t, &budget, report);
  for (int b = 0; b < world->body_count; ++b) world->bodies[b].ops->advance(world, b, &budget, report);
  for (int t = 0; t < world->tool_count; ++t) {
    int b = world->tools[t].body;
    if (b >= 0 && world->tools[t].point.state == TAC_CONTACT_NONE)
      world->bodies[b].ops->release(world, t, &budget, report);
  }
  for (int t = 0; t < world->tool_count; ++t) {
    fill_output(world, t, &outputs[t], report);
    if (finite_output(&outputs[t])) continue;
    /* Cannot happen with finite assets; a device must not be the one to find out. */
    if (world->tools[t].held.body >= 0)
      tac_held_body_reset(world, t);
    else
      set_free(world, t);
    outputs[t] = (tacToolOutput){.proxy = world->tools[t].position, .proxy_orientation = {1.0, 0.0, 0.0, 0.0}};
    ++report->refused;
  }
  ++world->tick;
}

void tac_world_reset(tacWorld *world) {
  tac_world_forget_pairs(world);
  world->tick = 0;
  for (int b = 0; b < world->body_count; ++b) world->bodies[b].ops->reset(&world->bodies[b]);
  for (int p = 0; p < world->pair_count; ++p) tac_pair_reset(&world->contact_pairs[p]);
  for (int t = 0; t < world->tool_count; ++t) {
    world->tools[t] = (tacWorldTool){.name = world->tools[t].name, .held = world->tools[t].held};
    set_free(world, t);
    if (world->tools[t].held.body >= 0) tac_held_body_reset(world, t);
  }
}

/* ---- what to show ---- */

int tac_world_state_size(const tacWorld *world) {
  return world->state_size;
}

int tac_world_body_state(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  return body != NULL ? body->state : -1;
}

int tac_world_body_pose_state(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  return body != NULL ? body->pose_state : -1;
}

void tac_world_state(const tacWorld *world, double *state) {
  for (int b = 0; b < world->body_count; ++b) {
    const tacWorldBody *body = &world->bodies[b];
    if (body->kind == TAC_BODY_REDUCED)
      memcpy(state + body->state, tac_reduced_body_q(body->reduced),
             (size_t)tac_reduced_body_size(body->reduced) * sizeof *state);
    if (body->pose_state < 0) continue;
    tacVec3 p = tac_world_body_position(body);
    tacQuat o = tac_world_body_orientation(body);
    const double pose[7] = {p.x, p.y, p.z, o.w, o.x, o.y, o.z};
    memcpy(state + body->pose_state, pose, sizeof pose);
  }
  double *levels = state + world->state_size - world->pair_count;
  for (int p = 0; p < world->pair_count; ++p) levels[p] = world->contact_pairs[p].traversed.level;
}

tacPose tac_world_snapshot_pose(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  return body != NULL ? body->ops->pose(body, snapshot) : (tacPose){.orientation = {1.0, 0.0, 0.0, 0.0}};
}

void tac_world_surface(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacVec3 *vertices) {
  const tacWorldBody *body = tac_world_find(world, id);
  if (body != NULL) body->ops->vertices(body, id.index, snapshot, vertices);
}

void tac_world_tractions(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacVec3 *tractions) {
  const tacWorldBody *body = tac_world_find(world, id);
  if (body != NULL) body->ops->tractions(body, id.index, snapshot, tractions);
}

void tac_world_sensors(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, double *values) {
  const tacWorldBody *body = tac_world_find(world, id);
  if (body != NULL && body->ops->sensors != NULL) body->ops->sensors(body, id.index, snapshot, values);
}
