/* A block over a plane, one of them held, for tests of pairs. */
#pragma once

#include <tactus/pointshell.h>
#include <tactus/reduced.h>
#include <tactus/rigid.h>
#include <tactus/world.h>
#include "brick_beam.h"
#include "kinds/reduced/embedded/pointshell_embed.h"
#include "math/geometry/quat.h"
#include "math/random.h"
#include "step_world.h"
#include "world/make_defs.h"
#include "world/make_shell.h"

#define HALF 0.02 /* m: the block is a cube of 40 mm */
#define K 400.0   /* N/m, of a point */
#define COUPLING 500.0

static const tacBox cube = {{-HALF, -HALF, -HALF}, {HALF, HALF, HALF}};

/* A block over the plane z = 0, one of them held. */
typedef struct Bench {
  tacPointshell *shell;
  tacTriMesh *block, *ground;
  tacDistanceField *plane, *wall, *box;
  tacBodyToolDef tool;
  tacPairDef pair;
} Bench;

static inline tacDistanceField *kept_plane(tacVec3 normal, double offset) {
  return tac_test_kept(tacDistanceField, tac_distance_field_plane(normal, offset, &made, &error));
}

static inline Bench make_bench(void) {
  Bench b = {.tool = tac_body_tool_def_default(), .pair = tac_pair_def_default()};
  b.shell = tac_test_keep(make_box_shell(cube, 16), tac_pointshell_destroy);
  b.block = tac_test_keep(make_box_surface(cube), tac_trimesh_destroy);
  b.ground = make_box_surface((tacBox){tac_vec3(-0.5, -0.5, -0.01), tac_vec3(0.5, 0.5, 0.0)});
  tac_test_keep(b.ground, tac_trimesh_destroy);
  b.plane = kept_plane(tac_vec3(0.0, 0.0, 1.0), 0.0);
  b.wall = kept_plane(tac_vec3(-1.0, 0.0, 0.0), -0.1);
  b.box = tac_test_kept(tacDistanceField, tac_distance_field_box(cube, &made, &error));
  b.tool.name = "hand";
  b.tool.stiffness = COUPLING;
  b.tool.turn_stiffness = 5.0;
  b.pair.stiffness = K;
  b.pair.ramp = 1e-5;
  return b;
}

static inline tacBodyId add_rigid(tacWorld *world, const char *name, const tacTriMesh *surface,
                                  const tacPointshell *shell, const tacDistanceField *field, tacVec3 position) {
  tacRigidBodyDef def = rigid_def(name, surface, shell, field);
  def.body.pose.position = position;
  return tac_test_made(tacBodyId, tac_world_add_rigid(world, &def, &made, &error));
}

/* The block, free. */
static inline tacBodyId add_free_block(tacWorld *world, const Bench *b, const char *name, double mass, tacVec3 at,
                                       tacVec3 velocity, tacVec3 gravity) {
  tacRigidBodyDef def = rigid_def(name, b->block, NULL, b->box);
  def.body.free = true;
  def.inertia = (tacInertia){mass, {0.0, 0.0, 0.0}, {{1e-4, 0.0, 0.0}, {0.0, 1e-4, 0.0}, {0.0, 0.0, 1e-4}}};
  def.body.pose.position = at;
  def.body.velocity = velocity;
  def.body.gravity = gravity;
  return tac_test_made(tacBodyId, tac_world_add_rigid(world, &def, &made, &error));
}

/* `shell` may be NULL. */
static inline tacReducedBodyDef reduced_def(const char *name, const tacReduced *reduced, const tacPointshell *shell) {
  tacReducedBodyDef def = tac_reduced_body_def_default();
  def.body.name = name;
  def.reduced = reduced;
  def.shell = shell;
  return def;
}

static inline tacBodyId add_reduced(tacWorld *world, const tacReducedBodyDef *def) {
  return tac_test_made(tacBodyId, tac_world_add_reduced(world, def, &made, &error));
}

/* 16 points along each edge of a box that a reduced body fills from the origin. */
static inline tacPointshell *embedded_shell(const tacReduced *reduced, tacVec3 upper) {
  TAC_OWN(tacPointshell, rigid) = make_box_shell((tacBox){{0.0, 0.0, 0.0}, upper}, 16);
  return tac_test_made(tacPointshell *, tac_pointshell_embed(rigid, reduced, &made, &error));
}

static inline tacWorld *begin(double budget) {
  tacWorldDef def = tac_world_def_default();
  def.budget = budget;
  return tac_test_made(tacWorld *, tac_world_create(&def, &made, &error));
}

static inline void pair_up(tacWorld *world, Bench *b, tacBodyId points, tacBodyId field) {
  b->pair.points = points;
  b->pair.field = field;
  tac_test_ok(tac_world_add_pair(world, &b->pair, NULL, &error), error);
}

static inline void hold(tacWorld *world, Bench *b, tacBodyId body) {
  b->tool.body = body;
  tac_test_ok(tac_world_add_body_tool(world, &b->tool, NULL, &error), error);
  tac_test_ok(tac_world_seal(world, &error), error);
}

/* The block (body 0) over the plane (body 1), as their pair says: points against a field, or surfaces. */
static inline tacWorld *begin_block(Bench *b, double budget) {
  bool bare = b->pair.laws.detect == TAC_DETECT_SURFACES;
  tacWorld *world = begin(budget);
  tacBodyId block = add_rigid(world, "block", b->block, bare ? NULL : b->shell, NULL, tac_vec3(0.0, 0.0, HALF + 0.001));
  pair_up(world, b, block,
          add_rigid(world, "ground", b->ground, NULL, bare ? NULL : b->plane, tac_vec3(0.0, 0.0, 0.0)));
  return world;
}

/* The block, held. */
static inline tacWorld *block_world(Bench *b) {
  tacWorld *world = begin_block(b, 0.0);
  hold(world, b, tac_world_body(world, 0));
  return world;
}

/* `report` may be NULL. */
static inline tacToolOutput step(tacWorld *world, tacVec3 at, tacQuat turn, tacTickReport *report) {
  tacToolInput input = {.position = at, .orientation = {turn.w, turn.x, turn.y, turn.z}};
  tacToolOutput output;
  tacTickReport now = step_world(world, &input, &output);
  ck_assert_int_eq(now.refused, 0);
  if (report != NULL) *report = now;
  return output;
}

/* Leads the tool to a place and waits there until all rests. */
static inline tacToolOutput lead(tacWorld *world, tacVec3 from, tacVec3 to, int ticks) {
  tacToolOutput output;
  for (int i = 1; i <= ticks + 100; ++i)
    output = step(world, tac_vec3_mix(from, to, fmin(1.0, (double)i / ticks)), tac_quat_identity(), NULL);
  return output;
}
