#include "bench/truth/balance.h"

#include <math.h>
#include <stdlib.h>
#include "base/memory/array.h"
#include "math/geometry/vec3.h"
#include "world/world_parts.h"

/* m: a tip that is farther than this from a body, before and after a step, has not touched it in between. */
static const double far_away = 5e-3;
/* Forces and moments of contacts below these are not compared: N, N m. */
static const double least_force = 1e-3, least_moment = 1e-5;

/* Whether all of its momentum is that of its frame: not where nodes move by themselves. */
static bool is_known(const tacWorldBody *body) {
  return body->frame.mode == TAC_FRAME_FREE && body->frame.mass > 0.0 && !tac_world_body_yields(body);
}

tacStatus tac_balance_create(const tacWorld *world, tacBalance *balance, tacError *error) {
  *balance = (tacBalance){.world = world, .step = world->tick};
  balance->forces = tac_array_create((size_t)tac_body_forces_most(world) + 1, sizeof *balance->forces, "forces", error);
  balance->bodies = tac_array_create((size_t)world->body_count + 1, sizeof *balance->bodies, "balances", error);
  if (balance->forces == NULL || balance->bodies == NULL) {
    tac_balance_free(balance);
    return TAC_ERR_MEMORY;
  }
  for (int b = 0; b < world->body_count; ++b) {
    const tacWorldBody *body = &world->bodies[b];
    if (!is_known(body)) continue;
    ++balance->free_count;
    balance->bodies[b].linear = tac_frame_momentum(&body->frame);
    balance->bodies[b].angular = tac_frame_angular_momentum(&body->frame);
  }
  return TAC_OK;
}

void tac_balance_free(tacBalance *balance) {
  free(balance->forces);
  free(balance->bodies);
  *balance = (tacBalance){0};
}

/* Both sides were added up body by body: the sum of all is zero where each contact gave both the same. */
static void look_at_contacts(tacBalance *balance) {
  const int count = balance->world->body_count;
  tacVec3 force = {0.0, 0.0, 0.0}, torque = {0.0, 0.0, 0.0};
  double largest = 0.0, moment = 0.0;
  for (int b = 0; b <= count; ++b) {
    tacBodyBalance *of = &balance->bodies[b];
    of->force = of->torque = tac_vec3(0.0, 0.0, 0.0);
    of->size = of->moment = 0.0;
  }
  for (int i = 0; i < balance->force_count; ++i) {
    const tacBodyForce *f = &balance->forces[i];
    tacBodyBalance *of = &balance->bodies[f->body >= 0 ? f->body : count];
    tacVec3 turn = tac_vec3_cross(f->at, f->force);
    of->force = tac_vec3_add(of->force, f->force);
    of->torque = tac_vec3_add(of->torque, turn);
    of->size += tac_vec3_norm(f->force);
    of->moment += tac_vec3_norm(turn);
  }
  for (int b = 0; b <= count; ++b) {
    const tacBodyBalance *of = &balance->bodies[b];
    force = tac_vec3_add(force, of->force);
    torque = tac_vec3_add(torque, of->torque);
    largest = fmax(largest, of->size);
    moment = fmax(moment, of->moment);
  }
  if (largest > least_force) balance->force = fmax(balance->force, tac_vec3_norm(force) / largest);
  if (moment > least_moment) balance->torque = fmax(balance->torque, tac_vec3_norm(torque) / moment);
}

/* The force of point tools that touch it, and whether none is near. */
static tacVec3 of_tools(const tacWorld *world, int body, const tacToolOutput *outputs, bool *apart) {
  tacVec3 sum = {0.0, 0.0, 0.0};
  *apart = true;
  for (int t = 0; t < world->tool_count; ++t) {
    if (!tac_world_tool_is_point(&world->tools[t])) continue;
    const tacContact *c = &outputs[t].contact;
    bool touches = c->state != TAC_CONTACT_NONE && (int)c->body == body;
    if (touches) sum = tac_vec3_add(sum, c->force);
    const tacApproach *a = &world->approaches[t * world->body_count + body];
    *apart = *apart && !touches && a->known && a->clearance > far_away;
  }
  return sum;
}

static void look_at_momentum(tacBalance *balance, int b, const tacToolOutput *outputs, bool comparable) {
  const tacWorld *world = balance->world;
  const tacFrame *frame = &world->bodies[b].frame;
  tacBodyBalance *of = &balance->bodies[b];
  double h = world->period;
  bool apart;
  tacVec3 tools = of_tools(world, b, outputs, &apart);
  tacVec3 weight = tac_vec3_scale(frame->mass, frame->gravity), before = of->linear, before_angular = of->angular;
  of->linear = tac_frame_momentum(frame);
  of->angular = tac_frame_angular_momentum(frame);
  /* Where the centre was as the step began, x' = x + h v': there weight acts, and x' x m v' = x x m v'. */
  tacVec3 arm = tac_vec3_mad(tac_frame_to_world(frame, frame->centre), -h / frame->mass, of->linear);
  tacVec3 change = tac_vec3_scale(1.0 / h, tac_vec3_sub(of->linear, before));
  tacVec3 turn = tac_vec3_scale(1.0 / h, tac_vec3_sub(of->angular, before_angular));
  tacVec3 force = tac_vec3_add(of->force, weight), torque = tac_vec3_add(of->torque, tac_vec3_cross(arm, weight));
  double size = of->size + tac_vec3_norm(weight) + tac_vec3_norm(change);
  double moment = of->moment + tac_vec3_norm(turn) + tac_vec3_norm(tac_vec3_cross(arm, weight));
  bool was_apart = of->apart;
  of->apart = apart;
  if (!comparable) return;
  if (apart && was_apart && size > least_force)
    balance->momentum = fmax(balance->momentum, tac_vec3_distance(change, force) / size);
  if (apart && was_apart && moment > least_moment)
    balance->angular = fmax(balance->angular, tac_vec3_distance(turn, torque) / moment);
  of->lacked = tac_vec3_mad(of->lacked, h, tac_vec3_sub(change, tac_vec3_add(force, tools)));
  of->acted += h * (size + tac_vec3_norm(tools));
}

void tac_balance_look(tacBalance *balance, const tacToolOutput *outputs, const tacTickReport *report) {
  const tacWorld *world = balance->world;
  if (world->tick == balance->step) return;
  bool comparable = world->tick == balance->step + 1 && report->refused == 0 && report->limited == 0;
  balance->step = world->tick;
  balance->force_count = tac_body_forces(world, balance->forces);
  look_at_contacts(balance);
  for (int b = 0; b < world->body_count; ++b)
    if (is_known(&world->bodies[b])) look_at_momentum(balance, b, outputs, comparable);
}

void tac_balance_end(tacBalance *balance) {
  for (int b = 0; b < balance->world->body_count; ++b) {
    const tacBodyBalance *of = &balance->bodies[b];
    if (of->acted > 0.0) balance->impulse = fmax(balance->impulse, tac_vec3_norm(of->lacked) / of->acted);
  }
}
