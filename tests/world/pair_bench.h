/* A block over a plane, one of them held, for tests of pairs. */
#pragma once

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/pointshell.h>
#include <tactus/rigid.h>
#include <tactus/world.h>
#include "brick_beam.h"
#include "math/geometry/quat.h"
#include "math/random.h"
#include "world/make_shell.h"

#define HALF 0.02 /* m: the block is a cube of 40 mm */
#define K 400.0   /* N/m, of a point */
#define COUPLING 500.0

/* A block over the plane z = 0, one of them held. */
typedef struct Bench {
  tacPointshell *shell;
  tacTriMesh *block, *ground;
  tacDistanceField *plane, *wall, *box;
  tacBodyToolDef tool;
  tacPairDef pair;
} Bench;

static inline Bench make_bench(void) {
  Bench b = {.tool = tac_body_tool_def_default(), .pair = tac_pair_def_default()};
  tacError error;
  tacBox cube = {tac_vec3(-HALF, -HALF, -HALF), tac_vec3(HALF, HALF, HALF)};
  b.shell = make_box_shell(cube, 16);
  b.block = make_box_surface(cube);
  b.ground = make_box_surface((tacBox){tac_vec3(-0.5, -0.5, -0.01), tac_vec3(0.5, 0.5, 0.0)});
  tac_test_ok(tac_distance_field_plane(tac_vec3(0.0, 0.0, 1.0), 0.0, &b.plane, &error), error);
  tac_test_ok(tac_distance_field_plane(tac_vec3(-1.0, 0.0, 0.0), -0.1, &b.wall, &error), error);
  tac_test_ok(tac_distance_field_box(cube, &b.box, &error), error);
  b.tool.name = "hand";
  b.tool.stiffness = COUPLING;
  b.tool.turn_stiffness = 5.0;
  b.pair.stiffness = K;
  b.pair.ramp = 1e-5;
  return b;
}

static inline void free_bench(Bench *b) {
  tac_pointshell_destroy(b->shell);
  tac_trimesh_destroy(b->block);
  tac_trimesh_destroy(b->ground);
  tac_distance_field_destroy(b->plane);
  tac_distance_field_destroy(b->wall);
  tac_distance_field_destroy(b->box);
}

static inline tacBodyId add_rigid(tacWorld *world, const char *name, const tacTriMesh *surface,
                                  const tacPointshell *shell, const tacDistanceField *field, tacVec3 position) {
  tacRigidBodyDef def = tac_rigid_body_def_default();
  tacError error;
  tacBodyId id;
  def.body.name = name;
  def.surface = surface;
  def.shell = shell;
  def.field = field;
  def.body.pose.position = position;
  tac_test_ok(tac_world_add_rigid(world, &def, &id, &error), error);
  return id;
}

static inline tacWorld *begin(double budget) {
  tacWorldDef def = tac_world_def_default();
  tacWorld *world;
  tacError error;
  def.budget = budget;
  tac_test_ok(tac_world_create(&def, &world, &error), error);
  return world;
}

static inline void pair_up(tacWorld *world, Bench *b, tacBodyId points, tacBodyId field) {
  tacError error;
  b->pair.points = points;
  b->pair.field = field;
  tac_test_ok(tac_world_add_pair(world, &b->pair, NULL, &error), error);
}

static inline void hold(tacWorld *world, Bench *b, tacBodyId body) {
  tacError error;
  b->tool.body = body;
  tac_test_ok(tac_world_add_body_tool(world, &b->tool, NULL, &error), error);
  tac_test_ok(tac_world_seal(world, &error), error);
}

/* The block, held, over the plane. */
static inline tacWorld *block_world(Bench *b) {
  tacWorld *world = begin(0.0);
  tacBodyId block = add_rigid(world, "block", b->block, b->shell, NULL, tac_vec3(0.0, 0.0, HALF + 0.001));
  tacBodyId ground = add_rigid(world, "ground", b->ground, NULL, b->plane, tac_vec3(0.0, 0.0, 0.0));
  pair_up(world, b, block, ground);
  hold(world, b, block);
  return world;
}

static inline tacToolOutput step(tacWorld *world, tacVec3 at, tacQuat turn, tacTickReport *report) {
  tacToolInput input = {.position = at, .orientation = {turn.w, turn.x, turn.y, turn.z}};
  tacToolOutput output;
  tac_world_step(world, &input, &output, report);
  ck_assert_int_eq(report->refused, 0);
  return output;
}

/* Leads the tool to a place and waits there until all rests. */
static inline tacToolOutput lead(tacWorld *world, tacVec3 from, tacVec3 to, int ticks) {
  tacToolOutput output;
  tacTickReport report;
  for (int i = 1; i <= ticks + 100; ++i)
    output = step(world, tac_vec3_mix(from, to, fmin(1.0, (double)i / ticks)), tac_quat_identity(), &report);
  return output;
}
