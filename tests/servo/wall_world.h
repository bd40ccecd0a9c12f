/* A world and a recorder for the servo's tests: a wall z < 0 that is a spring, and records in memory. They stand in for those
 * of the library, so that forces have a closed form and faults come when a test wants them. */
#pragma once

#include <math.h>
#include <string.h>
#include <tactus/servo.h>
#include "math/geometry/quat.h"
#include "record/recorder.h"
#include "world/world_control.h"
#include "world/world_tick.h"
#include "world/world_use.h"
#include "world/world_view.h"

enum { WALL_MOST_DELAY = 16, WALL_MOST_RECORDS = 20000 };

struct tacWorld {
  double period;
  int tool_count;
  double stiffness;      /* N/m */
  double torque;         /* N m about z, while in contact */
  double turn_stiffness; /* N m/rad, of a spring that turns the tool back, in and out of contact */
  int delay;             /* ticks by which the force is late */
  int64_t bad_at;        /* tick whose force is not a number; -1: none */
  int bad_from;          /* the first tool for which it is not */
  bool bad_torque;       /* it is the torque, not the force */
  int64_t steps;         /* since the reset */
  int state_size;        /* number i of the state is steps + i */
  bool open, used;       /* not sealed; some servo has it */
  int every;             /* ticks of one step of the bodies: with more than 1, tick k takes one where k % every is 0, */
  int late;              /* but `late` ticks after that, which is then overdue */
  int starts, stops;     /* of its simulation */
  int64_t steps_at_start; /* its steps then; before any: 0 */
  bool refuses;           /* to start it */
  double wanted;          /* stiffness that it wants to keep its budget, N/m; 0: as it is */
  double trusted;         /* m: deeper than a tenth of this the first tool's body is in doubt; 0: there is no body */
  double pulls;           /* m: deeper than this couplings are saturated; 0: never */
  double depth[TAC_MOST_TOOLS][WALL_MOST_DELAY];
};

struct tacRecorder {
  tacTickRecord records[WALL_MOST_RECORDS];
  int count;
  double state_sums[WALL_MOST_RECORDS]; /* of the numbers of each state that was pushed before the record of its tick */
  int state_count;
};

bool tac_world_is_sealed(const tacWorld *world) {
  return !world->open;
}

bool tac_world_use_begin(tacWorld *world) {
  bool used = world->used;
  world->used = true;
  return !used;
}

void tac_world_use_end(tacWorld *world) {
  world->used = false;
}

double tac_world_period(const tacWorld *world) {
  return world->period;
}

int tac_world_tool_count(const tacWorld *world) {
  return world->tool_count;
}

int tac_world_state_size(const tacWorld *world) {
  return world->state_size;
}

void tac_world_state(const tacWorld *world, double *state) {
  for (int i = 0; i < world->state_size; ++i) state[i] = (double)(world->steps + i);
}

/* The body of a world in which one is trusted: its doubt is the first tool's depth in parts of `trusted`. */
int tac_world_body_count(const tacWorld *world) {
  return world->trusted > 0.0;
}

tacBodyId tac_world_body(const tacWorld *world, int index) {
  return (tacBodyId){(uint32_t)index, (uint32_t)(world->trusted > 0.0)};
}

bool tac_world_body_has_error_estimate(const tacWorld *world, tacBodyId id) {
  (void)id;
  return world->trusted > 0.0;
}

double tac_world_body_error_estimate(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id) {
  (void)id;
  return fmax(0.0, -snapshot->position[0].z) / world->trusted;
}

double tac_world_tool_stored(const tacWorld *world, int tool) {
  (void)world;
  (void)tool;
  return 0.0;
}

/* As many contacts as there are tools, whose friction is the number of steps; tool i gives way by steps + j under tool j. */
int tac_world_contacts(const tacWorld *world, int most, tacShownContact *contacts) {
  int count = world->tool_count < most ? world->tool_count : most;
  for (int i = 0; i < count; ++i) contacts[i] = (tacShownContact){.friction = (double)world->steps};
  return count;
}

int tac_world_delassus(tacWorld *world, int most, double *w) {
  int count = world->tool_count < most ? world->tool_count : most;
  for (int i = 0; i < 9 * count * count; ++i) w[i] = (double)(world->steps + i);
  return count;
}

/* One parameter: the stiffness. */
tacParameter tac_world_parameter(const tacWorld *world, int index) {
  return (tacParameter){.name = "stiffness", .label = "", .unit = "", .value = world->stiffness, .in_tick = index == 0};
}

tacStatus tac_world_set_parameter(tacWorld *world, int index, double value, tacError *why) {
  (void)why;
  if (index != 0 || !(value > 0.0)) return TAC_ERR_ARGUMENT;
  world->stiffness = value;
  return TAC_OK;
}

bool tac_world_keep_budget(tacWorld *world, int *parameter, double *value) {
  if (world->wanted == 0.0 || world->wanted == world->stiffness) return false;
  *parameter = 0;
  *value = world->stiffness = world->wanted;
  return true;
}

tacStatus tac_world_start_simulation(tacWorld *world, tacError *why) {
  if (world->refuses) {
    if (why != NULL) *why = (tacError){.status = TAC_ERR_MEMORY, .text = "no thread for the bodies"};
    return TAC_ERR_MEMORY;
  }
  world->steps_at_start = world->steps;
  ++world->starts;
  return TAC_OK;
}

void tac_world_stop_simulation(tacWorld *world) {
  ++world->stops;
}

void tac_world_reset(tacWorld *world) {
  world->steps = 0;
  memset(world->depth, 0, sizeof world->depth);
}

void tac_world_step(tacWorld *world, const tacToolInput *inputs, tacToolOutput *outputs, tacTickReport *report) {
  int now = (int)(world->steps % WALL_MOST_DELAY), then = (now + WALL_MOST_DELAY - world->delay) % WALL_MOST_DELAY;
  *report = (tacTickReport){0};
  if (world->every > 1 && world->steps >= world->every) {
    int since = (int)(world->steps % world->every);
    report->taken = since == world->late;
    report->overdue = since <= world->late ? since : 0;
  }
  for (int t = 0; t < world->tool_count; ++t) {
    tacVec3 x = inputs[t].position;
    world->depth[t][now] = inputs[t].lifted ? 0.0 : fmax(0.0, -x.z);
    double force = world->stiffness * world->depth[t][then];
    bool bad = world->steps == world->bad_at && t >= world->bad_from;
    if (bad && !world->bad_torque) force = NAN;
    outputs[t] = (tacToolOutput){.force = {0.0, 0.0, force}, .proxy = {x.x, x.y, fmax(0.0, x.z)}};
    outputs[t].saturated = world->pulls > 0.0 && -x.z > world->pulls;
    report->coupling_saturated += outputs[t].saturated;
    if (x.z < 0.0) {
      outputs[t].torque.z = world->torque;
      outputs[t].depth = -x.z;
      outputs[t].contact = (tacContact){.state = TAC_CONTACT_SLIDES, .at = {x.x, x.y, 0.0}, .normal = {0.0, 0.0, 1.0}};
      ++report->contact_count;
    }
    tacQuat q = tac_quat_of(inputs[t].orientation);
    if (world->turn_stiffness > 0.0 && !inputs[t].lifted)
      outputs[t].torque = tac_vec3_mad(outputs[t].torque, -world->turn_stiffness, tac_quat_to_rotation_vector(q));
    if (bad && world->bad_torque) outputs[t].torque.x = NAN;
  }
  ++world->steps;
}

bool tac_recorder_full(const tacRecorder *recorder) {
  (void)recorder;
  return false;
}

enum { WALL_STATE = 5 }; /* the size of states where there are any */

bool tac_recorder_push_state(tacRecorder *recorder, int64_t tick, const double *state) {
  if (recorder->count == WALL_MOST_RECORDS || tick != recorder->count) return false;
  recorder->state_sums[recorder->count] = 0.0;
  for (int i = 0; i < WALL_STATE; ++i) recorder->state_sums[recorder->count] += state[i];
  ++recorder->state_count;
  return true;
}

bool tac_recorder_push(tacRecorder *recorder, const tacTickRecord *record) {
  if (recorder->count == WALL_MOST_RECORDS) return false;
  recorder->records[recorder->count++] = *record;
  return true;
}
