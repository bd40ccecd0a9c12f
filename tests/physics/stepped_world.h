/* Worlds that run without tools. */
#pragma once

#include <string.h>
#include <tactus/world.h>

#include "test.h"

static inline tacWorld *make_world_of(const tacWorldDef *def) {
  tacError error;
  tacWorld *world;
  tac_test_ok(tac_world_create(def, &world, &error), error);
  return world;
}

/* Of the default rate. */
static inline tacWorld *make_world_by(tacContactMethod method) {
  tacWorldDef def = tac_world_def_default();
  def.method = method;
  return make_world_of(&def);
}

static inline void seal(tacWorld *world) {
  tacError error;
  tac_test_ok(tac_world_seal(world, &error), error);
}

/* Returns the report of the last tick. */
static inline tacTickReport run(tacWorld *world, int ticks) {
  tacTickReport report = {0};
  for (int i = 0; i < ticks; ++i) tac_world_step(world, NULL, NULL, &report);
  return report;
}

static inline tacInertia inertia_of(const tacTriMesh *mesh, double density) {
  tacError error;
  tacMassProperties p;
  tac_test_ok(tac_mass_properties(mesh, density, &p, &error), error);
  tacInertia inertia = {.mass = p.mass, .centre = p.centre};
  memcpy(inertia.moments, p.inertia, sizeof inertia.moments);
  return inertia;
}
