/* A world of two tetrahedra for tests of what only steps and shows one: defined here, so that the real one is not linked.
 *
 * Its law is none of physics, but remembers: tools drag a point behind them, and the force depends on where it was. Reset
 * forgets. Surfaces move at the touched triangle only, by the force over a stiffness.
 *
 * With `reduced`, the second body has a state: three coordinates and a pose. It turns, and hangs at the first tool's point; its
 * surface moves with its pose, and its last vertex by its coordinates.
 *
 * With `every` above 1 the points are dragged in the ticks alone that it is told to take in. With `uses_all_inputs` the torque tells of inputs
 * that it has no use for: grip, lifted, orientation[1]; and what it is told to be renewed it reports. */
#pragma once

#include <math.h>
#include <string.h>
#include <tactus/world.h>
#include "math/geometry/quat.h"
#include "math/geometry/vec3.h"
#include "world/world.h"
#include "world/world_tick.h"
#include "world/world_view.h"

#define STUB_STIFFNESS 100.0 /* N/m */

enum { STUB_COORDINATES = 3, STUB_STATE = STUB_COORDINATES + 7 };

struct tacWorld {
  double period, drag;
  int every;        /* ticks of one step of the bodies */
  bool takes;       /* told */
  uint32_t renewed; /* likewise */
  bool uses_all_inputs;
  int tool_count, body_count;
  const char *names[4];
  tacVec3 position[4]; /* of the bodies */
  tacVec3 dragged[TAC_MOST_TOOLS];
  bool reduced;
  bool holds; /* the first tool holds the first body, which is in a pair with the second */
  int64_t steps;
  tacVec3 vertices[4];
  tacTriangle triangles[4];
};

static inline tacWorld tac_stub_world(int tool_count) {
  return (tacWorld){.period = 0.001,
                    .drag = 0.1,
                    .every = 1,
                    .tool_count = tool_count,
                    .body_count = 2,
                    .names = {"left lobe", "right/lobe"},
                    .position = {{0.0, 0.0, 0.0}, {3.0, 0.0, 0.0}},
                    .vertices = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}},
                    .triangles = {{{0, 2, 1}}, {{0, 1, 3}}, {{1, 2, 3}}, {{0, 3, 2}}}};
}

double tac_world_period(const tacWorld *world) {
  return world->period;
}

int tac_world_simulate_every(const tacWorld *world) {
  return world->every;
}

void tac_world_replay_renewed(tacWorld *world, uint32_t renewed) {
  world->renewed = world->uses_all_inputs ? renewed : 0;
}

void tac_world_replay_taking(tacWorld *world, bool take) {
  world->takes = take;
}

int tac_world_tool_count(const tacWorld *world) {
  return world->tool_count;
}

int tac_world_body_count(const tacWorld *world) {
  return world->body_count;
}

tacBodyId tac_world_body(const tacWorld *world, int index) {
  (void)world;
  return (tacBodyId){(uint32_t)index, 1};
}

const char *tac_world_body_name(const tacWorld *world, tacBodyId id) {
  return world->names[id.index];
}

/* The mesh borrows its arrays from a world of its own, since worlds may be copied. */
const tacTriMesh *tac_world_body_surface(const tacWorld *world, tacBodyId id) {
  static tacTriMesh surface = {.vertex_count = 4, .triangle_count = 4};
  static tacWorld arrays;
  (void)world;
  (void)id;
  arrays = tac_stub_world(1);
  surface.vertices = arrays.vertices;
  surface.triangles = arrays.triangles;
  return &surface;
}

int tac_world_state_size(const tacWorld *world) {
  return world->reduced ? STUB_STATE : 0;
}

int tac_world_body_state(const tacWorld *world, tacBodyId id) {
  return world->reduced && id.index == 1 ? 0 : -1;
}

void tac_world_take_presses(const tacWorld *world, const float *stored, double *state);
void tac_world_take_presses(const tacWorld *world, const float *stored, double *state) {
  (void)world, (void)stored, (void)state; /* nothing is pressed */
}

int tac_world_body_pose_state(const tacWorld *world, tacBodyId id) {
  return world->reduced && id.index == 1 ? STUB_COORDINATES : -1;
}

bool tac_world_is_sealed(const tacWorld *world) {
  (void)world;
  return true;
}

tacBodyId tac_world_tool_body(const tacWorld *world, int tool, tacVec3 *grasp) {
  if (grasp != NULL) *grasp = (tacVec3){0.0, 0.0, 0.0};
  return world->holds && tool == 0 ? tac_world_body(world, 0) : (tacBodyId){0, 0};
}

bool tac_world_tool_pads(const tacWorld *world, int tool, tacPadToolDef *def) {
  (void)world;
  (void)tool;
  (void)def;
  return false;
}

int tac_world_pair_count(const tacWorld *world) {
  return world->holds ? 1 : 0;
}

tacPairDef tac_world_pair(const tacWorld *world, int pair) {
  (void)pair;
  return (tacPairDef){.points = tac_world_body(world, 0), .field = tac_world_body(world, 1)};
}

/* A turn about z at 1 rad/s. */
void tac_world_state(const tacWorld *world, double *state) {
  double angle = (double)world->steps * world->period;
  const tacVec3 *q = &world->dragged[0];
  const double now[STUB_STATE] = {q->x, q->y, q->z, q->x, q->y, q->z, cos(0.5 * angle), 0.0, 0.0, sin(0.5 * angle)};
  memcpy(state, now, sizeof now);
}

/* One parameter: how fast the points are dragged. */
int tac_world_parameter_count(const tacWorld *world) {
  (void)world;
  return 1;
}

tacParameter tac_world_parameter(const tacWorld *world, int index) {
  return (tacParameter){.name = "drag", .label = "drag", .unit = "", .value = world->drag, .in_tick = index == 0};
}

tacStatus tac_world_set_parameter(tacWorld *world, int index, double value, tacError *reason) {
  if (index != 0 || !(value > 0.0)) {
    if (reason != NULL) *reason = (tacError){.status = TAC_ERR_ARGUMENT, .text = "no such drag"};
    return TAC_ERR_ARGUMENT;
  }
  world->drag = value;
  return TAC_OK;
}

void tac_world_reset(tacWorld *world) {
  memset(world->dragged, 0, sizeof world->dragged);
  world->steps = 0;
}

void tac_world_step(tacWorld *world, const tacToolInput *inputs, tacToolOutput *outputs, tacTickReport *report) {
  bool takes = world->every > 1 && world->takes;
  *report = (tacTickReport){.residual = 1e-9, .limited = 1, .touching = 2, .taken = takes, .renewed = world->renewed};
  world->takes = false;
  world->renewed = 0;
  ++world->steps;
  for (int t = 0; t < world->tool_count; ++t) {
    tacVec3 p = inputs[t].position, *d = &world->dragged[t];
    bool moves = !inputs[t].grab && (world->every == 1 || takes);
    *d = tac_vec3_mad(*d, moves ? world->drag : 0.0, tac_vec3_sub(p, *d));
    tacVec3 force = tac_vec3_scale(STUB_STIFFNESS, tac_vec3_sub(*d, p));
    tacVec3 unused = tac_vec3_scale(world->uses_all_inputs ? 1.0 : 0.0,
                                    tac_vec3(inputs[t].grip, inputs[t].lifted, inputs[t].orientation[1]));
    outputs[t] =
        (tacToolOutput){.force = force, .torque = unused, .proxy = *d, .proxy_orientation = {1.0, 0.0, 0.0, 0.0}};
    if (p.z >= 0.0) continue;
    ++report->contact_count;
    outputs[t].contact = (tacContact){.state = inputs[t].grab ? TAC_CONTACT_GRABBED : TAC_CONTACT_SLIDES,
                                      .body = (uint32_t)(t % 2),
                                      .triangle = 0,
                                      .weight = {0.25, 0.25, 0.5},
                                      .at = p,
                                      .normal = {0.0, 0.0, -1.0},
                                      .deformed = *d,
                                      .force = tac_vec3_scale(-1.0, force)};
  }
}

void tac_world_surface(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacVec3 *vertices) {
  for (int v = 0; v < 4; ++v) vertices[v] = tac_vec3_add(world->vertices[v], world->position[id.index]);
  if (snapshot->state != NULL && id.index == 1) {
    const double *s = snapshot->state, *pose = s + STUB_COORDINATES;
    for (int v = 0; v < 4; ++v) {
      tacVec3 own = tac_vec3_mad(world->vertices[v], v == 3 ? 1.0 : 0.0, tac_vec3(s[0], s[1], s[2]));
      tacVec3 turned = tac_quat_rotate(tac_quat(pose[3], pose[4], pose[5], pose[6]), own);
      vertices[v] = tac_vec3_add(turned, tac_vec3(pose[0], pose[1], pose[2]));
    }
  }
  for (int t = 0; t < snapshot->tool_count; ++t) {
    const tacContact *contact = &snapshot->output[t].contact;
    if (contact->state == TAC_CONTACT_NONE || contact->body != id.index) continue;
    for (int k = 0; k < 3; ++k) {
      tacVec3 *vertex = &vertices[world->triangles[contact->triangle].v[k]];
      *vertex = tac_vec3_mad(*vertex, contact->weight[k] / STUB_STIFFNESS, contact->force);
    }
  }
}
