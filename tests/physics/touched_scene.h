/* The whole chain on scenes of the gallery: bake, world, operator, servo, recording, replay. */
#pragma once

#include <tactus/scene.h>
#include "math/geometry/vec3.h"
#include "physics/played_scene.h"
#include "physics/small_scene.h"
#include "scene/scene.h"

/* A scene's small version (tac_scene_small), if it has one; with TACTUS_TEST_ALL the scene itself. */
static inline tacScene *open_scene(const char *name) {
  tacScene *scene = read_gallery(name), *small;
  if (!tac_test_all() && tac_scene_small(scene, &small, NULL) == TAC_OK) {
    tac_scene_destroy(scene);
    scene = small;
  }
  bake_scene(scene);
  return scene;
}

/* The same hold on the same body as in the tick before. */
static inline bool holds_on(const tacToolRecord *before, const tacToolRecord *now) {
  return now->output.contact.state != TAC_CONTACT_NONE && now->output.contact.body == before->output.contact.body &&
         (now->grab & 1) == (before->grab & 1) && now->lifted == before->lifted;
}

/* Of itself the world gives no steps, and its forces are what hands feel. Unless a tool lets go or slips off, which may
 * end any force at once, the world's force changes from tick to tick by at most the device's stiffness limit times its motion
 * and 0.6 N, what the stiffest touch of these scenes (600 N/m) gives where the surface moves or gives way by 1 mm in a tick. So
 * the guard limits changes for no longer than a force needs to fall to zero after a tool let go, or after a budget left points out
 * that carried a force, and else passes on what it got. */
static inline void check_forces(tacRecording *recording, const tacServoDef *def, int tools, const tacDevice *devices,
                                const char *name) {
  static tacTickRecord record, before;
  const double own = 0.6, period = tac_recording_info(recording)->period;
  const uint32_t acted = TAC_TICK_LIMITED_FORCE | TAC_TICK_LIMITED_RATE | TAC_TICK_DAMPED | TAC_TICK_INDEXING;
  int64_t ticks = tac_recording_tick_count(recording), let_go = -1, passed_on = 0;
  int64_t full = (int64_t)(def->ramp_in / period), end = ticks - (int64_t)(def->ramp_out / period) - 1;
  double fall = 0.0; /* ticks */
  for (int t = 0; t < tools; ++t) fall = fmax(fall, devices[t].info.force_limit / (def->force_rate * period));
  for (int64_t i = 0; i < ticks; ++i) {
    tac_test_ok(tac_recording_tick(recording, i, &record, &error), error);
    for (int t = 0; t < tools && i > 0; ++t) {
      const tacToolRecord *now = &record.tool[t], *last = &before.tool[t];
      const tacDeviceInfo *info = &devices[t].info;
      const double *a = last->orientation, *b = now->orientation; /* |a - b| is half of a small turn between them */
      double turn =
          2.0 * sqrt(pow(a[0] - b[0], 2.0) + pow(a[1] - b[1], 2.0) + pow(a[2] - b[2], 2.0) + pow(a[3] - b[3], 2.0));
      double motion = tac_vec3_distance(now->device.position, last->device.position) +
                      turn * info->torque_limit / info->force_limit;
      double step = tac_vec3_distance(now->output.force, last->output.force);
      double bound = info->stiffness_limit * motion + own;
      if (last->output.contact.state != TAC_CONTACT_NONE && !holds_on(last, now))
        let_go = i;
      else if (i > full) /* meanwhile a held body comes to where the hand is */
        ck_assert_msg(step <= bound, "%s, tick %ld, tool %d: %g N, bound %g N", name, (long)i, t, step, bound);
      if (i < full || i >= end || (record.flags & acted) != 0) continue;
      ck_assert_double_eq_tol(tac_vec3_norm(now->written), tac_vec3_norm(now->output.force), 1e-9);
      passed_on += tac_vec3_norm2(now->written) > 0.0;
    }
    if (record.report.degraded > 0) let_go = i;
    if ((record.flags & TAC_TICK_LIMITED_RATE) != 0)
      ck_assert_msg(let_go >= 0 && (double)(i - let_go) <= fall + 1.0,
                    "%s, tick %ld: a change is limited, tick %ld let go", name, (long)i, (long)let_go);
    before = record;
  }
  ck_assert_msg(passed_on > ticks / 50, "%s: only %ld ticks have a force that is the world's", name, (long)passed_on);
}

/* Presses and slides for `seconds` as the scene's operators do, in contact for at least that `share` of them, and checks what must
 * hold whatever the scene. `slack`: J that
 * a contact may give beyond its work; INFINITY where bodies fall, or do not know what they hold, so that it may begin with energy that no
 * hand gave them. */
static inline void touch(const char *name, double seconds, double share, double slack) {
  TAC_OWN(tacScene, scene) = open_scene(name);
  TAC_OWN(tacWorld, world) = world_of(scene);
  TAC_FREED(end_played, Played, played) = play_scene(scene, world, name, seconds);
  const tacServoReport *report = &played.report;
  const tacDevice *devices = played.devices;
  ck_assert_msg((double)report->contact_ticks > share * (double)report->ticks, "%s: contact in %ld ticks of %ld", name,
                (long)report->contact_ticks, (long)report->ticks);
  /* Contacts obey their laws in all but a few steps, in which the surface snaps away. */
  ck_assert_msg(report->saturated <= report->ticks / 500, "%s: %ld ticks saturated", name, (long)report->saturated);
  for (int t = 0; t < played.tools; ++t) {
    ck_assert_double_gt(report->force_max[t], 0.05);
    ck_assert_double_le(report->force_max[t], devices[t].info.force_limit * (1.0 + 1e-9));
    /* The world gives no energy, before limits and controller, in any contact or second: 0.5 % of the work of that contact or
     * second and `slack` are for what the trapezium rule errs (servo/energy_account.h). Holding forces adds to that, for 1 % of
     * the work in all. */
    const tacGeneratedWorst *worst[2] = {&report->asked[t].contact, &report->asked[t].second};
    for (int i = 0; i < 2; ++i)
      ck_assert_msg(worst[i]->energy <= 0.005 * worst[i]->work + slack,
                    "%s, tool %d: in a %s from tick %ld %g J generated of %g J", name, t, i == 0 ? "contact" : "second",
                    (long)worst[i]->tick, worst[i]->energy, worst[i]->work);
    ck_assert_msg(report->energy_least[t] >= -0.01 * report->work[t], "%s, tool %d: %g J generated of %g J", name, t,
                  -report->energy_least[t], report->work[t]);
  }
  ck_assert_int_eq(tac_recording_tick_count(played.recording), report->ticks);
  check_forces(played.recording, &played.def, played.tools, devices, name);
  tacReplayReport replay;
  tac_test_ok(tac_recording_replay(played.recording, world, NULL, &replay, &error), error);
  ck_assert_msg(replay.first_difference == -1, "%s: %s", name, replay.difference);
}

/* Each of the scenes for so long, a minute where all is wanted; where tests are light, the first `light_count` of them for a few
 * seconds. `share`: of the time that they are in contact, at least. */
static inline void touch_scenes(int count, const char *const *names, double seconds, double share, int light_count,
                                double slack) {
  const char *only = getenv("TACTUS_TEST_SCENE");
  for (int i = 0; i < (tac_test_light() && only == NULL ? light_count : count); ++i)
    if (only == NULL || strcmp(only, names[i]) == 0)
      touch(names[i], tac_test_light() ? 4.0 : tac_test_all() ? 60.0 : seconds, share, slack);
}
