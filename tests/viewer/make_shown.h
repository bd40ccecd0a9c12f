/* Worlds that clients look at, and frames of them. */
#pragma once

#include <tactus/reduced.h>
#include <tactus/rigid.h>
#include "app/viewer/frame/frame.h"
#include "test.h"

static inline tacWorld *begin_world(void) {
  tacWorld *world;
  tacWorldDef def = tac_world_def_default();
  tac_test_ok(tac_world_create(&def, &world, &error), error);
  return world;
}

static inline tacBodyId add_rigid(tacWorld *world, const char *name, const tacTriMesh *surface,
                                  const tacPointshell *shell, const tacDistanceField *field, tacVec3 position) {
  tacBodyId id;
  tacRigidBodyDef def = tac_rigid_body_def_default();
  def.body.name = name;
  def.surface = surface;
  def.shell = shell;
  def.field = field;
  def.body.pose.position = position;
  tac_test_ok(tac_world_add_rigid(world, &def, &id, &error), error);
  return id;
}

static inline void add_reduced(tacWorld *world, const char *name, const tacReduced *reduced, tacPose pose) {
  tacReducedBodyDef def = tac_reduced_body_def_default();
  def.body.name = name;
  def.reduced = reduced;
  def.body.pose = pose;
  tac_test_ok(tac_world_add_reduced(world, &def, NULL, &error), error);
}

/* Of a world that is sealed with it, of load 7. */
static inline tacFrameMaker *seal_shown(tacWorld *world) {
  tacFrameMaker *maker;
  tac_test_ok(tac_world_seal(world, &error), error);
  tac_test_ok(tac_frame_maker_create(NULL, world, 7, &maker, &error), error);
  return maker;
}

static inline tacPacket *frame_of(tacFrameMaker *maker, const tacSnapshot *snapshot, unsigned requests) {
  tacPacket *frame;
  tacFrameTool tool = {0};
  tacFrameDef def = {.number = 3, .snapshot = snapshot, .tools = &tool, .requests = requests};
  tac_test_ok(tac_frame_maker_frame(maker, &def, &frame, &error), error);
  return frame;
}
