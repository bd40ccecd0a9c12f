/* How far two bodies of a world are through each other: their surfaces as they are shown now. */
#pragma once

#include <tactus/world.h>
#include "collide/interpenetration.h"
#include "test.h"

/* Free its vertices. */
static inline tacTriMesh surface_of(const tacWorld *world, tacBodyId id) {
  TAC_MEMORY(double, state) = calloc((size_t)tac_world_state_size(world) + 1, sizeof *state);
  tac_world_state(world, state);
  tacTriMesh at = *tac_world_body_surface(world, id);
  at.vertices = calloc((size_t)at.vertex_count, sizeof *at.vertices);
  tac_world_surface(world, &(tacSnapshot){.state = state}, id, at.vertices);
  return at;
}

static inline tacInterpenetration through_each_other(const tacWorld *world, tacBodyId one, tacBodyId other) {
  tacTriMesh a = surface_of(world, one), b = surface_of(world, other);
  tacInterpenetration found = tac_test_made(tacInterpenetration, tac_interpenetration_measure(&a, &b, &made, &error));
  free(a.vertices);
  free(b.vertices);
  return found;
}
