#include <tactus/recording.h>
#include "recorded_file.h"
#include "stub_world.h"

enum { TICKS = 200 };

/* What the record of tick 100 has instead of what the stub gave. */
typedef struct Spoil {
  uint32_t body;
  int triangle;
  double weight, y;
} Spoil;

/* A run of the stub; `spoil` may be NULL. */
static tacRecording *record_run(tacWorld *world, const Spoil *spoil) {
  tacRecordingInfo texts = {0};
  tac_world_reset(world);
  tacRecorder *recorder = tac_test_made(tacRecorder *, tac_recorder_open_world(path, world, &texts, &made, &error));
  for (int i = 0; i < TICKS; ++i) {
    tacTickRecord record = {.tick = i};
    double state[STUB_STATE];
    tacToolInput input = {.position = {0.001 * i, 0.2, 0.05 - 0.001 * i}, .lifted = i == 77};
    record.tool[0].position = input.position;
    record.tool[0].lifted = input.lifted;
    record.tool[0].orientation[2] = 1.0;
    tac_world_step(world, &input, &record.tool[0].output, &record.report);
    tac_world_state(world, state);
    if (spoil != NULL && i == 100) {
      record.tool[0].output.contact.body = spoil->body;
      record.tool[0].output.contact.triangle = spoil->triangle;
      record.tool[0].output.contact.weight[1] = spoil->weight;
      record.tool[0].position.y = spoil->y;
    }
    tac_push_tick_and_state(recorder, &record, state);
  }
  return open_recorded(recorder);
}

/* The body turns by 0.02 rad and moves by 2 cm at most between two states that are kept. */
TAC_TEST_AROUND(set_up, clean_up)

TAC_TEST(a_recorded_snapshot_equals_the_worlds) {
  tacWorld world = tac_stub_world(1), again = world;
  again.reduced = world.reduced = true;
  TAC_OWN(tacRecording, recording) = record_run(&world, NULL);
  tac_world_reset(&again);
  for (int i = 0; i < 181; ++i) { /* the last state that is kept is of tick 180 */
    tacSnapshot snapshot;
    double state[STUB_STATE], wanted[STUB_STATE];
    tacToolInput input = {.position = {0.001 * i, 0.2, 0.05 - 0.001 * i}};
    tacToolOutput output;
    tacTickReport report;
    tac_world_step(&again, &input, &output, &report);
    tac_world_state(&again, wanted);
    tac_test_ok(tac_recording_snapshot(recording, &again, i, state, &snapshot, &error), error);
    ck_assert_int_eq(snapshot.tick, i);
    ck_assert_int_eq(snapshot.tool_count, 1);
    ck_assert_int_eq(snapshot.lifted[0], i == 77);
    ck_assert(snapshot.orientation[0][2] == 1.0);
    ck_assert(tac_vec3_distance(snapshot.position[0], input.position) == 0.0);
    ck_assert_mem_eq(&snapshot.output[0], &output, sizeof output);
    ck_assert_ptr_eq(snapshot.state, state);
    /* An arc of angle a and its chord are a^2 / 8 apart; of the rest, floats have 24 bits. */
    const double *q = state + STUB_COORDINATES + 3, *p = wanted + STUB_COORDINATES + 3;
    ck_assert_double_eq_tol(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1.0, 1e-14);
    for (int k = 0; k < 4; ++k) ck_assert_double_eq_tol(q[k], p[k], i % 20 == 0 ? 1e-7 : 2e-5);
    if (i % 20 == 0)
      for (int k = 0; k < 6; ++k) ck_assert_double_eq_tol(state[k], wanted[k], 1e-8);
    else if (i > 100) /* the dragged point has caught up and moves evenly */
      for (int k = 0; k < 6; ++k) ck_assert_double_eq_tol(state[k], wanted[k], 2e-5);
  }
}

TAC_TEST(a_recording_has_the_parameters_of_its_world) {
  tacWorld world = tac_stub_world(1);
  tac_test_ok(tac_world_set_parameter(&world, 0, 0.375, &error), error);
  TAC_OWN(tacRecording, recording) = record_run(&world, NULL);
  const tacRecordingInfo *info = tac_recording_info(recording);
  ck_assert_int_eq(info->parameter_count, 1);
  ck_assert_double_eq(info->parameters[0], 0.375);
}

TAC_TEST(without_a_recorded_state_the_snapshot_has_none) {
  tacWorld world = tac_stub_world(1);
  TAC_OWN(tacRecording, recording) = record_run(&world, NULL);
  tacSnapshot snapshot = tac_test_made(tacSnapshot, tac_recording_snapshot(recording, &world, 3, NULL, &made, &error));
  ck_assert_ptr_null(snapshot.state);
  world.reduced = true; /* another world */
  double state[STUB_STATE];
  ck_assert_int_eq(tac_recording_snapshot(recording, &world, 3, state, &snapshot, &error), TAC_ERR_ARGUMENT);
  world = tac_stub_world(2);
  ck_assert_int_eq(tac_recording_snapshot(recording, &world, 3, state, &snapshot, &error), TAC_ERR_ARGUMENT);
}

/* Those who show it use it as indices. */
TAC_TEST(contacts_outside_the_world_are_errors) {
  static const Spoil spoils[] = {
      {2, 0, 0.25, 0.2}, {0, 4, 0.25, 0.2}, {0, -1, 0.25, 0.2}, {0, 0, INFINITY, 0.2}, {0, 0, 0.25, NAN}};
  for (size_t k = 0; k < sizeof spoils / sizeof *spoils; ++k) {
    tacWorld world = tac_stub_world(1);
    TAC_OWN(tacRecording, recording) = record_run(&world, &spoils[k]);
    tacSnapshot snapshot;
    tac_test_ok(tac_recording_snapshot(recording, &world, 99, NULL, &snapshot, &error), error);
    tac_test_refused(tac_recording_snapshot(recording, &world, 100, NULL, &snapshot, &error), TAC_ERR_FORMAT, error,
                     "tick 100");
  }
}

/* Of any kind: what a tool holds meets others, and not itself. */
TAC_TEST(only_a_held_body_touches_without_a_triangle) {
  for (int k = 0; k < 4; ++k) {
    const Spoil touches = {k % 2 == 0 ? 1 : 0, -1, 0.25, 0.2}; /* another, or itself */
    tacWorld world = tac_stub_world(1);
    TAC_OWN(tacRecording, recording) = record_run(&world, &touches);
    tacSnapshot snapshot;
    world.holds = k < 2;
    ck_assert_int_eq(tac_recording_snapshot(recording, &world, 100, NULL, &snapshot, &error),
                     k == 0 ? TAC_OK : TAC_ERR_FORMAT);
  }
}
