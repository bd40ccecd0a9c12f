/* Worlds that run without tools. */
#pragma once

#include <tactus/world.h>

#include "step_world.h"
#include "test.h"

static inline tacWorld *make_world_of(const tacWorldDef *def) {
  return tac_test_made(tacWorld *, tac_world_create(def, &made, &error));
}

/* Whose bodies take a step in so many ticks. */
static inline tacWorld *make_world_with(tacContactMethod method, int ticks) {
  tacWorldDef def = tac_world_def_default();
  def.method = method;
  def.simulate_every = ticks;
  return make_world_of(&def);
}

static inline void seal(tacWorld *world) {
  tac_test_ok(tac_world_seal(world, &error), error);
}

/* Returns the report of the last tick. */
static inline tacTickReport run(tacWorld *world, int ticks) {
  tacTickReport report = {0};
  for (int i = 0; i < ticks; ++i) tac_world_step(world, NULL, NULL, &report);
  return report;
}

static inline tacInertia inertia_of(const tacTriMesh *mesh, double density) {
  return tac_test_made(tacInertia, tac_mass_properties(mesh, density, &made, &error));
}
