#include "app/viewer/stage/stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/memory/owned.h"
#include "device/pointer.h"
#include "math/geometry/quat.h"
#include "scene/bake_outlook.h"
#include "scene/scene.h"
#include "scene/scene_device.h"
#include "servo/servo.h"
#include "world/world_build.h"
#include "world/world_view.h"

/* A pointer goes in front of every device that is not a real one. */
static tacStatus add_pointers(tacStage *stage, tacError *error) {
  double period = tac_world_period(stage->world);
  tacPointerDef def = tac_pointer_def_default();
  double stiffness, damping, mass;
  for (int t = 0; t < stage->tool_count; ++t)
    if (tac_scene_hand(stage->scene, t, &stiffness, &damping, &mass)) {
      def.stiffness = stiffness;
      def.damping = fmax(damping, 2.0 * sqrt(stiffness * def.mass)); /* nothing else damps a mouse */
      break;
    }
  stage->hand_stiffness = def.stiffness;
  stage->hand_damping = def.damping;
  for (int t = 0; t < stage->tool_count; ++t) {
    if (strcmp(tac_scene_device_kind(stage->scene, t), "driver") == 0) continue;
    tacDevice own = stage->devices[t];
    stage->devices[t] = (tacDevice){0};
    TAC_TRY(tac_device_pointer_open(&def, &own, stage->workspaces[t].device_centre, period, &stage->devices[t], error));
    stage->takes_pointer[t] = true;
  }
  return TAC_OK;
}

static const double moment = 5.0; /* s that nobody minds to wait */

/* Puts the small version of the stage's scene in its place, where it would be there sooner. */
static void prefer_small(tacStage *stage, const char *cache) {
  tacSceneOutlook whole, fast;
  tacScene *small = NULL;
  if (tac_scene_outlook(stage->scene, cache, &whole, NULL) != TAC_OK || whole.missing == 0) return;
  if (whole.seconds >= 0.0 && whole.seconds <= moment) return;
  if (tac_scene_small(stage->scene, &small, NULL) != TAC_OK) return;
  bool known = tac_scene_outlook(small, cache, &fast, NULL) == TAC_OK && fast.seconds >= 0.0 && whole.seconds >= 0.0;
  if (known && fast.seconds > 0.5 * whole.seconds) {
    tac_scene_destroy(small);
    return;
  }
  tac_scene_destroy(stage->scene);
  stage->scene = small;
}

static tacStatus build(tacStage *stage, const char *cache, tacLoading *loading, tacError *error) {
  const tacProgress progress = tac_loading_progress(loading);
  tac_loading_plan(loading, stage->scene, cache, NULL, 0);
  TAC_TRY(tac_loading_enter(loading, TAC_LOADING_BAKE, "reading", error));
  TAC_TRY(tac_scene_bake(stage->scene, cache, false, &progress, NULL, error));
  TAC_TRY(tac_loading_enter(loading, TAC_LOADING_WORLD, "building the world", error));
  return tac_scene_world(stage->scene, &stage->world, error);
}

tacStatus tac_stage_load(const char *path, const char *cache, bool or_small, tacLoading *loading, tacStage *stage,
                         tacError *error) {
  *stage = (tacStage){0};
  tacStatus status = tac_scene_read(path, &stage->scene, error);
  if (status == TAC_OK && or_small) prefer_small(stage, cache);
  if (status == TAC_OK) status = build(stage, cache, loading, error);
  /* What is too coarse to be made says nothing of the whole. */
  if (status != TAC_OK && status != TAC_ERR_CANCELLED && or_small && stage->scene != NULL &&
      tac_scene_is_small(stage->scene)) {
    tac_stage_destroy(stage);
    return tac_stage_load(path, cache, false, loading, stage, error);
  }
  if (status == TAC_OK) {
    stage->tool_count = tac_world_tool_count(stage->world);
    status = tac_scene_devices(stage->scene, stage->devices, stage->workspaces, error);
  }
  if (status == TAC_OK) status = add_pointers(stage, error);
  if (status != TAC_OK) tac_stage_destroy(stage);
  return status;
}

void tac_stage_destroy(tacStage *stage) {
  tac_stage_halt(stage, NULL);
  for (int t = 0; t < TAC_MOST_TOOLS; ++t) tac_device_close(&stage->devices[t]);
  tac_world_destroy(stage->world);
  tac_scene_destroy(stage->scene);
  *stage = (tacStage){0};
}

static tacStatus open_recorder(tacStage *stage, const char *path, const char *program, tacError *error) {
  const char *scene_path = tac_scene_path(stage->scene);
  TAC_MEMORY(char, whole) =
      realpath(scene_path, NULL); /* so that the recording finds the scene's files from anywhere */
  tacRecordingInfo info = {.scene_path = whole != NULL ? whole : scene_path,
                           .scene = tac_scene_text(stage->scene),
                           .program = program,
                           .assets = tac_scene_assets(stage->scene)};
  TAC_TRY(tac_recorder_open_world(path, stage->world, &info, &stage->recorder, error));
  snprintf(stage->recording, sizeof stage->recording, "%s", path);
  return TAC_OK;
}

tacStatus tac_stage_run(tacStage *stage, const char *recording, const char *program, tacError *error) {
  tacServoDef def = tac_scene_servo(stage->scene);
  def.duration = 0.0;
  def.lock_memory = true;
  tacStatus status = recording != NULL ? open_recorder(stage, recording, program, error) : TAC_OK;
  if (status == TAC_OK)
    status = tac_servo_create(stage->world, stage->tool_count, stage->devices, stage->workspaces, &def, stage->recorder,
                              &stage->servo, error);
  if (status == TAC_OK) status = tac_servo_start(stage->servo, error);
  if (status != TAC_OK) tac_stage_halt(stage, NULL);
  return status;
}

tacStatus tac_stage_end_recording(tacStage *stage, tacError *error) {
  tacStatus status = TAC_OK;
  if (stage->recorder != NULL && stage->servo != NULL) tac_servo_end_recording(stage->servo);
  if (stage->recorder != NULL) status = tac_recorder_close(stage->recorder, NULL, error);
  stage->recorder = NULL;
  stage->recording[0] = 0;
  return status;
}

tacStatus tac_stage_halt(tacStage *stage, tacError *error) {
  tac_servo_destroy(stage->servo);
  stage->servo = NULL;
  return tac_stage_end_recording(stage, error);
}

/* ---- between world and device ---- */

static tacQuat turn_of(const tacWorkspaceDef *workspace) {
  const double *q = workspace->orientation;
  return tac_quat(q[0], q[1], q[2], q[3]);
}

void tac_stage_point(const tacStage *stage, int tool, const tacPointerSample *sample) {
  const tacWorkspaceDef *w = &stage->workspaces[tool];
  tacQuat back = tac_quat_conjugate(turn_of(w));
  const double *q = sample->orientation;
  tacQuat turned = tac_quat_mul(back, tac_quat(q[0], q[1], q[2], q[3]));
  tacPointerSample mapped = *sample;
  mapped.position =
      tac_vec3_mad(w->device_centre, 1.0 / w->scale, tac_quat_rotate(back, tac_vec3_sub(sample->position, w->centre)));
  mapped.orientation[0] = turned.w;
  mapped.orientation[1] = turned.x;
  mapped.orientation[2] = turned.y;
  mapped.orientation[3] = turned.z;
  tac_device_pointer_move(&stage->devices[tool], &mapped);
}

tacVec3 tac_stage_spring(const tacStage *stage, int tool, const tacPointerStatus *status) {
  const tacWorkspaceDef *w = &stage->workspaces[tool];
  tacVec3 way = tac_vec3_sub(status->spring, w->device_centre);
  return tac_vec3_mad(w->centre, w->scale, tac_quat_rotate(turn_of(w), way));
}

/* What it touches on the floor when it falls. */
static tacBox add_floor(tacBox box, const tacFloorDef *floor) {
  tacBox all = box;
  for (int corner = 0; corner < 8; ++corner) {
    tacVec3 at = {(corner & 1) != 0 ? box.upper.x : box.lower.x, (corner & 2) != 0 ? box.upper.y : box.lower.y,
                  (corner & 4) != 0 ? box.upper.z : box.lower.z};
    double above = tac_vec3_dot(floor->normal, at) - floor->offset;
    all = tac_box_add(all, tac_vec3_mad(at, -above, floor->normal));
  }
  return all;
}

tacBox tac_stage_box(const tacWorld *world) {
  tacBox box = tac_box_empty();
  bool any_free = false;
  for (int b = 0; b < tac_world_body_count(world); ++b) {
    tacBodyId id = tac_world_body(world, b);
    const tacTriMesh *mesh = tac_world_body_surface(world, id);
    tacShownBasis basis;
    any_free = any_free || (tac_world_body_basis(world, id, &basis) && basis.is_free);
    tacPose pose = tac_world_body_pose(world, id);
    tacQuat turn = tac_quat(pose.orientation[0], pose.orientation[1], pose.orientation[2], pose.orientation[3]);
    for (int v = 0; v < mesh->vertex_count; ++v)
      box = tac_box_add(box, tac_vec3_add(pose.position, tac_quat_rotate(turn, mesh->vertices[v])));
  }
  tacFloorDef floor;
  return any_free && tac_world_floor(world, &floor) ? add_floor(box, &floor) : box;
}
