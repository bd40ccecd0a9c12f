/* A scene of one tool, baked and stepped. */
#pragma once

#include <tactus/tactus.h>
#include "scene/scene_text.h"
#include "world/world_view.h"

typedef struct Run {
  tacScene *scene;
  tacWorld *world;
  tacToolInput input; /* a metre above the origin at first */
  tacToolOutput output;
} Run;

static inline Run begin_run(const char *text) {
  Run r = {.scene = bake(text, "s"), .input = {.position = {0.0, 0.0, 1.0}, .orientation = {1.0}}};
  r.world = world_of(r.scene);
  return r;
}

static inline void end_run(Run *r) {
  tac_world_destroy(r->world);
  tac_scene_destroy(r->scene);
}

static inline void step(Run *r, int count) {
  for (int i = 0; i < count; ++i) {
    tacTickReport report = {0};
    tac_world_step(r->world, &r->input, &r->output, &report);
    ck_assert_int_eq(report.refused, 0);
  }
}

/* Down to a height, slowly, and rests there. */
static inline void press(Run *r, double z) {
  step(r, 1);
  while (r->input.position.z > z) {
    r->input.position.z -= 1e-5;
    step(r, 1);
  }
  step(r, 1000);
}

static inline const double *state_of(const Run *r) {
  double *state = tac_test_alloc((size_t)tac_world_state_size(r->world) * sizeof *state);
  tac_world_state(r->world, state);
  return state;
}

/* m: the height of a body's frame. */
static inline double height_of(const Run *r, const char *body) {
  return state_of(r)[tac_world_body_pose_state(r->world, tac_world_find_body(r->world, body)) + 2];
}
