/* A tick of a world. If steps are longer than ticks, a tick moves only the tools. Otherwise a tick is a complete
 * step. */
#include "world/world_tick.h"
#include <string.h>
#include "world/rates/simulation.h"
#include "world/world_show.h"
#include "world/world_step.h"
#include "world/world_use.h"

enum { COUPLING_TICKS = 5000 }; /* number of ticks in which W is computed after a request */

bool tac_world_is_sealed(const tacWorld *world) {
  return world != NULL && world->sealed;
}

bool tac_world_use_begin(tacWorld *world) {
  return !atomic_exchange_explicit(&world->used, true, memory_order_acquire);
}

void tac_world_use_end(tacWorld *world) {
  atomic_store_explicit(&world->used, false, memory_order_release);
}

void tac_world_step(tacWorld *world, const tacToolInput *inputs, tacToolOutput *outputs, tacTickReport *report) {
  if (report == NULL) return;
  bool complete = world != NULL && world->sealed && (world->tool_count == 0 || (inputs != NULL && outputs != NULL));
  if (!complete) { /* the world cannot step, but `outputs` must be valid */
    *report = (tacTickReport){.refused = 1};
    for (int t = 0; world != NULL && outputs != NULL && t < world->tool_count; ++t)
      outputs[t] = (tacToolOutput){.proxy_orientation = {1.0, 0.0, 0.0, 0.0}};
  } else if (world->simulation != NULL) {
    tac_simulation_tick(world->simulation, inputs, outputs, report);
  } else {
    uint32_t renewed = tac_world_renewal(world);
    tac_world_renew(world, renewed);
    tac_world_advance(world, inputs, outputs, report);
    report->renewed = renewed;
  }
}

int64_t tac_world_left_out(const tacWorld *world, int *most) {
  int none;
  if (most == NULL) most = &none;
  *most = 0;
  return world != NULL && world->simulation != NULL ? tac_simulation_left_out(world->simulation, most) : 0;
}

void tac_world_reset(tacWorld *world) {
  if (world == NULL || !world->sealed) return; /* the world is still in its initial state */
  if (world->simulation != NULL) tac_simulation_settle(world->simulation);
  tac_world_restart(world);
  world->renewal_recorded = false;
  if (world->simulation != NULL) tac_simulation_reset(world->simulation);
}

void tac_world_state(const tacWorld *world, double *state) {
  if (world == NULL || state == NULL) return;
  if (world->simulation != NULL)
    tac_simulation_state(world->simulation, state);
  else
    tac_world_show_state(world, state);
}

tacStatus tac_world_start_simulation(tacWorld *world, tacError *error) {
  TAC_REQUIRE(error, world);
  if (!world->sealed) return tac_error_set(error, TAC_ERR_ARGUMENT, "the world is not sealed");
  tacStatus status = TAC_OK;
  for (int b = 0; status == TAC_OK && b < world->body_count; ++b) {
    const tacBody *body = &world->bodies[b].body;
    if (body->table->thread != NULL) status = body->table->thread->start(body->self, error);
  }
  if (status == TAC_OK && world->simulation != NULL) status = tac_simulation_start(world->simulation, error);
  if (status != TAC_OK) tac_world_stop_simulation(world);
  return status;
}

void tac_world_stop_simulation(tacWorld *world) {
  if (world == NULL) return;
  if (world->simulation != NULL) tac_simulation_stop(world->simulation);
  for (int b = 0; b < world->body_count; ++b) {
    const tacBody *body = &world->bodies[b].body;
    if (body->table->thread != NULL) body->table->thread->stop(body->self);
  }
}

void tac_world_replay_taking(tacWorld *world, bool take) {
  if (world != NULL && world->simulation != NULL) tac_simulation_replay_taking(world->simulation, take);
}

void tac_world_replay_renewed(tacWorld *world, uint32_t renewed) {
  if (world == NULL) return;
  world->renewal_recorded = true;
  world->renewal = renewed;
}

double tac_world_tool_jaw_angle(const tacWorld *world, int tool) {
  if (tool < 0 || tool >= world->tool_count) return 0.0;
  return world->simulation != NULL ? tac_simulation_jaw_angle(world->simulation, tool) : world->tools[tool].held.angle;
}

double tac_world_tool_stored(const tacWorld *world, int tool) {
  if (world == NULL || !world->sealed || tool < 0 || tool >= world->tool_count) return 0.0;
  if (world->simulation != NULL) return tac_simulation_stored(world->simulation, tool);
  const tacHeldBody *held = &world->tools[tool].held;
  return world->tools[tool].stored +
         (held->body >= 0 ? tac_held_body_energy(held, &world->bodies[held->body].frame) : 0.0);
}

/* ---- contacts and Delassus operator ---- */

int tac_world_contacts(const tacWorld *world, int most, tacShownContact *contacts) {
  if (world == NULL || contacts == NULL) return 0;
  if (world->simulation != NULL) return tac_simulation_contacts(world->simulation, most, contacts);
  int count = world->contacts.count < most ? world->contacts.count : most;
  for (int i = 0; i < count; ++i) {
    const tacSetContact *c = &world->contacts.list[i];
    contacts[i] = (tacShownContact){{c->body[0], c->body[1]}, c->at, c->axes[0], c->force, c->friction, c->state};
  }
  return count;
}

int tac_world_delassus(tacWorld *world, int most, double *w) {
  if (world->simulation != NULL) return tac_simulation_delassus(world->simulation, most, w);
  if (world->coupling.w == NULL) return 0;
  int kept = world->coupling.count, count = kept < most ? kept : most;
  world->coupling.until = world->tick + COUPLING_TICKS;
  for (size_t i = 0; i < 3 * (size_t)count; ++i)
    memcpy(w + i * 3 * (size_t)count, world->coupling.w + i * 3 * (size_t)kept, 3 * (size_t)count * sizeof *w);
  return count;
}
