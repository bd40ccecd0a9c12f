/* A grasper that takes a soft ring, lifts, shakes, sets down and lets it go, again and again: Courtecuisse and others 2015, Figure 2d. One
 * time; ten minutes where TACTUS_TEST_ALL is set. */
#include "physics/touched_scene.h"
#include "record/port_work.h"

#define CYCLE 10.6                           /* s: the operator's path */
static const double held_at[2] = {5.0, 6.8}; /* s of it: lifted and shaken */
/* N: that a force changes by in a tick which takes what the bodies did: the first time, when the ring lies where it is expected; and ever,
 * when jaws strike it from above, since it lands a little aside each time. */
static const double most_hand_over = 0.1, most_ever = 1.0;

/* Mean height of the ring's vertices, m. */
static double height_of(tacRecording *recording, const tacWorld *world, int64_t index, double *state,
                        tacVec3 *vertices) {
  tacSnapshot snapshot;
  tac_test_ok(tac_recording_snapshot(recording, world, index, state, &snapshot, &error), error);
  tacBodyId ring = tac_world_body(world, 0);
  int count = tac_world_body_surface(world, ring)->vertex_count;
  double sum = 0.0;
  tac_world_surface(world, &snapshot, ring, vertices);
  for (int v = 0; v < count; ++v) {
    ck_assert_double_lt(tac_vec3_norm(vertices[v]), 1.0); /* it has not flown away */
    sum += vertices[v].z;
  }
  return sum / count;
}

/* Forces before limits and controllers, and what they take from the hand. */
TAC_TEST(a_body_is_grasped_lifted_shaken_and_released) {
  double seconds = tac_test_all() ? 600.0 : tac_test_light() ? 4.0 : 12.0;
  TAC_OWN(tacScene, scene) = open_scene("grasp-soft");
  TAC_OWN(tacWorld, world) = world_of(scene);
  TAC_FREED(end_played, Played, played) = play_scene(scene, world, "grasp", seconds);
  ck_assert_int_gt(played.report.contact_ticks, played.report.ticks / 3);
  tacRecording *recording = played.recording;
  int64_t ticks = tac_recording_tick_count(recording);
  static tacTickRecord record, before;
  double absorbed = 0.0, least = 0.0, work = 0.0, hand_over = 0.0, ever = 0.0, other = 0.0, force = 0.0,
         lowest = INFINITY, lifted = 0.032; /* m: it lies at 0.02; lifted by 0.05 on one side */
  TAC_MEMORY(double, state) = calloc((size_t)tac_world_state_size(world), sizeof *state);
  TAC_MEMORY(tacVec3, vertices) =
      calloc((size_t)tac_world_body_surface(world, tac_world_body(world, 0))->vertex_count, sizeof *vertices);
  int cycles = 0, lifts = 0;
  for (int64_t i = 0; i < ticks; ++i) {
    tac_test_ok(tac_recording_tick(recording, i, &record, &error), error);
    record.tool[0].written = record.tool[0].output.force; /* what the world gave */
    record.tool[0].written_torque = record.tool[0].output.torque;
    if (i > 0) {
      double done = -tac_port_work(&before.tool[0], &record.tool[0]);
      double step = tac_vec3_distance(record.tool[0].written, before.tool[0].written);
      bool taken = (record.flags & TAC_TICK_TAKEN) != 0;
      absorbed += done;
      work += fabs(done);
      least = fmin(least, absorbed);
      ever = fmax(ever, taken ? step : 0.0);
      if ((double)i * 1e-3 < CYCLE) hand_over = ever;
      other = fmax(other, taken ? 0.0 : step);
      force = fmax(force, tac_vec3_norm(record.tool[0].written));
    }
    before = record;
    double phase = fmod((double)i * 1e-3, CYCLE);
    if (i % 100 == 0) {
      double height = height_of(recording, world, i, state, vertices);
      if (phase > held_at[0] && phase < held_at[1]) lowest = fmin(lowest, height);
      if (phase > held_at[1] && isfinite(lowest)) {
        ++cycles;
        lifts += lowest > lifted;
        lowest = INFINITY;
      }
    }
  }
  tac_test_print(
      "%g s: at most %g N; steps %g and %g N at hand-over, %g N else; absorbed %g J of %g, least %g; %d lifts of %d\n",
      seconds, force, hand_over, ever, other, absorbed, work, least, lifts, cycles);
  ck_assert_double_ge(least, -0.01 * work);
  ck_assert_double_le(hand_over, most_hand_over);
  ck_assert_double_le(ever, most_ever);
  ck_assert(seconds < CYCLE || lifts > 0);
  tacReplayReport replay = tac_test_made(tacReplayReport, tac_recording_replay(recording, world, NULL, &made, &error));
  ck_assert_msg(replay.first_difference == -1, "%s", replay.difference);
}
