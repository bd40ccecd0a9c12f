#include <tactus/recording.h>
#include "record/record_column.h"
#include "record/replay_comparison.h"
#include "recorded_file.h"
#include "stub_world.h"
#include "world/world_tick.h"

enum { TOOLS = 2, TICKS = 1500, FAULTS = 20, STILL = 200 };

static const double start_drag = 0.13; /* another than a new world's */
static tacTickRecord records[TICKS + FAULTS];
static double states[TICKS + FAULTS][STUB_STATE];
static int every;       /* of the recording; 0: 1 */
static bool all_inputs; /* grip, lift and turn as well, and parts of bodies that are renewed */

/* A run as the servo makes it: the world steps and every tick is recorded. Nothing is felt in the first ticks; at its end
 * is a fault, in which the world rests. */
static void make_records(void) {
  tacWorld world = tac_stub_world(TOOLS);
  world.reduced = true;
  world.uses_all_inputs = all_inputs;
  world.drag = start_drag;
  tacRandom random = tac_random_seed(5);
  memset(records, 0, sizeof records);
  for (int i = 0; i < TICKS + FAULTS; ++i) {
    tacTickRecord *record = &records[i];
    tacToolInput inputs[TOOLS] = {0};
    tacToolOutput outputs[TOOLS];
    record->tick = i;
    record->late_ns = (int64_t)(tac_random_bits(&random) % 1000);
    for (int t = 0; t < TOOLS; ++t) {
      tacToolRecord *tool = &record->tool[t];
      if (i >= STILL) tool->position = tac_vec3(0.1 * sin(0.01 * i + t), 0.2, 0.05 * cos(0.02 * i));
      tool->grab = i / 100 % 2;
      inputs[t] = (tacToolInput){.position = tool->position, .grab = tool->grab != 0};
      if (!all_inputs) continue;
      inputs[t].grip = (double)((i + t) % 256) / 255.0;
      inputs[t].lifted = i % 7 == 3;
      inputs[t].orientation[1] = sin(0.1 * i);
      tool->grab |= (int32_t)TAC_BUTTON_GRIP((i + t) % 256);
      tool->lifted = inputs[t].lifted;
      tool->orientation[1] = inputs[t].orientation[1];
    }
    if (all_inputs && i % 5 == 2) tac_world_replay_renewed(&world, 1u << (i % 32));
    if (i % 300 == 299 && i < TICKS) {
      record->parameter = 1;
      record->parameter_value = 0.1 + 1e-4 * i;
      ck_assert_int_eq(tac_world_set_parameter(&world, 0, record->parameter_value, NULL), TAC_OK);
    }
    if (i >= TICKS) {
      record->flags = TAC_TICK_FAULT;
      continue;
    }
    tac_world_step(&world, inputs, outputs, &record->report);
    tac_world_state(&world, states[i]);
    for (int t = 0; t < TOOLS; ++t) record->tool[t].output = outputs[t];
  }
}

static void begin(void) {
  set_up();
  make_records();
}

static tacRecording *record_all(int skipped) {
  tacRecordingInfo info = tac_sample_info(TOOLS);
  info.parameters = &start_drag;
  info.state_size = STUB_STATE;
  info.simulate_every = every;
  tacRecorder *recorder = open_recorder(&info, 10.0);
  for (int i = 0; i < TICKS + FAULTS; ++i)
    if (i != skipped) tac_push_tick_and_state(recorder, &records[i], states[i]);
  return open_recorded(recorder);
}

static tacReplayReport replay(int skipped) {
  TAC_OWN(tacRecording, recording) = record_all(skipped);
  tacWorld world = tac_stub_world(TOOLS);
  world.reduced = true;
  world.uses_all_inputs = all_inputs;
  world.dragged[0] = tac_vec3(1.0, 2.0, 3.0); /* reset forgets it */
  tacReplayReport report;
  memset(&report, 0x55, sizeof report);
  tac_test_ok(tac_recording_replay(recording, &world, NULL, &report, &error), error);
  return report;
}

TAC_TEST_AROUND(begin, clean_up)

TAC_TEST(the_same_world_gives_the_same_bits) {
  tacReplayReport report = replay(-1);
  ck_assert_int_eq(report.first_difference, -1);
  ck_assert_str_eq(report.difference, "");
  ck_assert_int_eq(report.tick_count, TICKS);
  const tacReplayGap *gaps[] = {&report.force_gap, &report.torque_gap, &report.proxy_gap, &report.surface_gap};
  for (int i = 0; i < 4; ++i) ck_assert(gaps[i]->most == 0.0 && gaps[i]->tick == -1);
  ck_assert(tac_replay_report_within(&report));
  double most = 0.0;
  for (int i = 0; i < TICKS; ++i)
    for (int t = 0; t < TOOLS; ++t) most = fmax(most, tac_vec3_norm(records[i].tool[t].output.force));
  ck_assert(report.force == most && most > 1.0);
}

/* Whatever a tool may do reaches the world again, and so does when bodies took what their threads had made. */
TAC_TEST(every_input_is_given_again) {
  all_inputs = true;
  make_records();
  ck_assert(records[100].tool[1].output.torque.x == 101.0 / 255.0 && records[7].report.renewed == 1u << 7);
  tacReplayReport report = replay(-1);
  all_inputs = false;
  ck_assert_msg(report.first_difference == -1, "%s", report.difference);
  ck_assert_int_eq(report.tick_count, TICKS);
}

/* Distances are from what was recorded, wherever it was largest; the bits differ earlier. */
TAC_TEST(the_largest_differences_are_measured) {
  records[100].tool[1].output.force.y += 1e-13;
  records[200].tool[0].output.force.z += 3.0;
  records[200].tool[0].output.force.x += 4.0;
  records[300].tool[1].output.force.x -= 2.0;
  records[400].tool[1].output.torque.x = -0.25;
  records[500].tool[1].output.proxy.z += 0.125;
  tacReplayReport report = replay(-1);
  ck_assert_int_eq(report.first_difference, 100);
  ck_assert_int_eq(report.tick_count, TICKS); /* it goes on to the end */
  ck_assert_double_eq_tol(report.force_gap.most, 5.0, 1e-12);
  ck_assert_int_eq(report.force_gap.tick, 200);
  ck_assert_int_eq(report.force_gap.index, 0);
  ck_assert(report.torque_gap.most == 0.25 && report.torque_gap.tick == 400 && report.torque_gap.index == 1);
  ck_assert_double_eq_tol(report.proxy_gap.most, 0.125, 1e-12);
  ck_assert(report.proxy_gap.tick == 500 && report.proxy_gap.index == 1);
  ck_assert_int_eq(report.surface_gap.tick, -1);
  ck_assert_int_eq(report.far_ticks, 4);
}

/* The second body moves by what its state says: two numbers of the position are 3 and 4 mm further, the rest of it
 * follows. */
TAC_TEST(surfaces_are_measured_where_the_state_was_stored) {
  states[640][STUB_COORDINATES] += 0.003;
  states[640][STUB_COORDINATES + 1] += 0.004;
  states[641][STUB_COORDINATES] += 9.0; /* not stored */
  tacReplayReport report = replay(-1);
  ck_assert_int_eq(report.first_difference, 640);
  ck_assert_double_eq_tol(report.surface_gap.most, 0.005, 1e-7); /* stored as float */
  ck_assert(report.surface_gap.tick == 640 && report.surface_gap.index == 1);
  ck_assert(tac_replay_report_within(&report)); /* no hand felt it */
}

static int64_t far_ticks(int64_t felt) {
  tacReplayReport report = replay(-1);
  ck_assert_int_eq(report.felt_ticks, felt);
  ck_assert_int_eq(tac_replay_report_within(&report), 10 * report.far_ticks <= felt);
  return report.far_ticks;
}

/* 1 % of the largest force, 0.1 mm: 0.99 times as much is near, 1.01 times is far. */
TAC_TEST(runs_differ_beyond_one_percent_or_a_tenth_of_a_millimetre) {
  double force = replay(-1).force;
  int64_t felt = 0, tick = -1;
  for (int i = 0; i < TICKS; ++i) {
    const tacVec3 *f = &records[i].tool[1].output.force;
    felt += tac_vec3_norm2(*f) + tac_vec3_norm2(records[i].tool[0].output.force) > 0.0;
    if (tick < 0 && i > STILL && tac_vec3_norm(*f) < 0.9 * force) tick = i; /* so that the largest stays what it is */
  }
  ck_assert_int_ge(tick, 0);
  ck_assert_int_eq(felt, TICKS - STILL);
  for (int far = 0; far < 2; ++far) {
    double share = far ? 1.01 : 0.99;
    make_records();
    records[tick].tool[1].output.force.x += share * 0.01 * force;
    ck_assert_int_eq(far_ticks(felt), far);
    make_records();
    records[tick].tool[1].output.proxy.y += share * 1e-4;
    ck_assert_int_eq(far_ticks(felt), far);
  }
  make_records();
  records[tick].tool[1].output.torque.y = 1e-9; /* where there is none, all of the largest */
  ck_assert_int_eq(far_ticks(felt), 1);
  make_records();
  records[tick].tool[0].output.force.y = NAN;
  ck_assert_int_eq(far_ticks(felt), 1);
  ck_assert(isinf(replay(-1).force_gap.most));
}

/* A tenth of the time in which a force is felt. */
TAC_TEST(rounding_is_within_and_more_is_beyond) {
  int64_t felt = replay(-1).felt_ticks;
  ck_assert_int_gt(felt, TICKS / 2);
  for (int beyond = 0; beyond < 2; ++beyond) {
    make_records();
    for (int i = 0; i < felt / 10 + beyond; ++i) records[STILL + 9 * i].tool[0].output.proxy.x += 1.0;
    tacReplayReport report = replay(-1);
    ck_assert_int_eq(report.far_ticks, felt / 10 + beyond);
    ck_assert_int_eq(tac_replay_report_within(&report), !beyond);
  }
  make_records();
  tacReplayReport report = replay(700); /* what was lost may have been anything */
  ck_assert(report.ended && !tac_replay_report_within(&report));
}

/* One bit of any output is enough, and the line names where it is. */
TAC_TEST(a_changed_bit_is_found_and_named) {
  tacRandom random = tac_random_seed(9);
  int count = tac_record_column_count(TOOLS), outputs = 0;
  for (int c = 0; c < count; ++c) {
    tacRecordColumn column = tac_record_column(c);
    if (strncmp(column.name, "report.", 7) != 0 && strncmp(column.name, "output.", 7) != 0) continue;
    ++outputs;
    if (tac_test_light() && c % 5 != 0) continue;
    make_records();
    int tick = (int)(tac_random_bits(&random) % TICKS);
    bool state = strcmp(column.name, "output.contact.state") == 0; /* of which only some values exist */
    uint64_t bit = UINT64_C(1) << (state ? 0 : tac_random_bits(&random) % (8 * tac_record_column_size(&column)));
    tac_record_column_set_bits(&column, tac_record_column_bits(&column, &records[tick]) ^ bit, &records[tick]);
    char wanted[64];
    tacReplayReport report = replay(-1);
    const char *text = report.difference;
    ck_assert_int_eq(report.first_difference, tick);
    snprintf(wanted, sizeof wanted, "tick %d (", tick);
    ck_assert_mem_eq(text, wanted, strlen(wanted));
    ck_assert_ptr_nonnull(strstr(text, column.name));
    if (column.tool >= 0) {
      snprintf(wanted, sizeof wanted, "tool %d, ", column.tool);
      ck_assert_ptr_nonnull(strstr(text, wanted));
    }
  }
  /* 19 of the report; a tool's 7 vectors, an orientation, a depth, 3 weights and 4 integers. */
  ck_assert_int_eq(outputs, 19 + TOOLS * (7 * 3 + 4 + 1 + 3 + 4));
}

/* The smallest change that a float keeps, of one number of the state; and none in ticks whose state is not kept. */
TAC_TEST(another_motion_of_a_body_is_found_and_named) {
  char wanted[64];
  tacReplayReport report;
  for (int i = 0; i < TICKS; ++i)
    if (i % 20 != 0) states[i][2] += 1.0;
  ck_assert_int_eq(replay(-1).first_difference, -1);
  for (int k = 0; k < STUB_STATE; k += 3) {
    make_records();
    states[800][k] = (double)nextafterf((float)states[800][k], 9.0f);
    states[820][k] += 1.0;
    report = replay(-1);
    ck_assert_int_eq(report.first_difference, 800);
    snprintf(wanted, sizeof wanted, "tick 800 (0.800000 s): body right/lobe, state.%d was ", k);
    ck_assert_mem_eq(report.difference, wanted, strlen(wanted));
  }
  make_records();
  states[0][0] = 0.5;
  report = replay(-1);
  ck_assert_int_eq(report.first_difference, 0);
  ck_assert_ptr_nonnull(strstr(report.difference, " was 0.5, is "));
}

TAC_TEST(differences_name_both_values) {
  records[1200].tool[1].output.force.x = 2.5;
  records[1200].tool[1].output.torque.x = 2.5; /* a later column of the same tick */
  records[1300].tool[0].output.force.x = 2.5;
  char wanted[256];
  tacWorld world = tac_stub_world(TOOLS);
  world.drag = start_drag;
  tacToolOutput outputs[TOOLS];
  for (int i = 0; i <= 1200; ++i) {
    tacToolInput inputs[TOOLS] = {0};
    tacTickReport report;
    if (records[i].parameter != 0) world.drag = records[i].parameter_value;
    for (int t = 0; t < TOOLS; ++t)
      inputs[t] = (tacToolInput){.position = records[i].tool[t].position, .grab = records[i].tool[t].grab != 0};
    tac_world_step(&world, inputs, outputs, &report);
  }
  tacReplayReport report = replay(-1);
  ck_assert_int_eq(report.first_difference, 1200);
  double is = 0.0;
  const char *place = strstr(report.difference, "is ");
  ck_assert_ptr_nonnull(place);
  ck_assert_int_eq(sscanf(place, "is %lf", &is), 1);
  ck_assert(is == outputs[1].force.x);
  snprintf(wanted, sizeof wanted, "tick 1200 (1.200000 s): tool 1, output.force.x was 2.5 N, is ");
  ck_assert_mem_eq(report.difference, wanted, strlen(wanted));
}

TAC_TEST(times_and_device_results_are_not_compared) {
  for (int i = 0; i < TICKS; ++i) {
    records[i].compute_ns += i;
    records[i].tool[0].written.x = i;
    records[i].flags = TAC_TICK_DAMPED | TAC_TICK_INDEXING;
  }
  ck_assert_int_eq(replay(-1).first_difference, -1);
}

/* A world that takes what its bodies did when it is told, in ticks that no rule gives. */
TAC_TEST(results_are_taken_in_the_ticks_in_which_they_were) {
  for (int changed = 0; changed < 2; ++changed) {
    make_records();
    tacWorld world = tac_stub_world(TOOLS), again = tac_stub_world(TOOLS);
    world.reduced = again.reduced = true;
    world.every = again.every = 10;
    world.drag = start_drag;
    int last = 0;
    for (int i = 0; i < TICKS; ++i) {
      tacToolInput inputs[TOOLS] = {0};
      tacToolOutput outputs[TOOLS];
      bool take = i % 10 == (i / 10 % 7 == 3 ? 4 : 0);
      if (records[i].parameter != 0) world.drag = records[i].parameter_value;
      for (int t = 0; t < TOOLS; ++t)
        inputs[t] = (tacToolInput){.position = records[i].tool[t].position, .grab = records[i].tool[t].grab != 0};
      tac_world_replay_taking(&world, take);
      tac_world_step(&world, inputs, outputs, &records[i].report);
      tac_world_state(&world, states[i]);
      for (int t = 0; t < TOOLS; ++t) records[i].tool[t].output = outputs[t];
      records[i].flags = records[i].report.taken ? TAC_TICK_TAKEN : 0;
      if (take && !inputs[0].grab) last = i;
    }
    if (changed) records[last].flags = 0;
    every = 10;
    TAC_OWN(tacRecording, recording) = record_all(-1);
    every = 0;
    tacReplayReport report;
    tac_test_ok(tac_recording_replay(recording, &again, NULL, &report, &error), error);
    ck_assert_int_eq(report.first_difference, changed ? last : -1);
    again.every = 1;
    ck_assert_int_eq(tac_recording_replay(recording, &again, NULL, &report, &error), TAC_ERR_ARGUMENT);
    ck_assert_str_eq(error.text, "the recorded bodies step every 10 ticks, but those of the world every 1; both must "
                                 "be equal");
  }
}

TAC_TEST(a_lost_tick_ends_the_comparison) {
  tacReplayReport report = replay(700);
  ck_assert_int_eq(report.first_difference, 700);
  ck_assert_int_eq(report.tick_count, 700);
  ck_assert(report.ended);
  ck_assert_ptr_nonnull(strstr(report.difference, "tick 700 was lost"));
}

/* Forged: no servo sets what takes time, or what there is not. */
TAC_TEST(parameters_that_ticks_cannot_set_are_errors) {
  static const int32_t forged[] = {INT32_MIN, -1, 2, INT32_MAX};
  for (size_t i = 0; i < sizeof forged / sizeof *forged; ++i) {
    make_records();
    records[10].parameter = forged[i];
    records[10].parameter_value = 0.2;
    TAC_OWN(tacRecording, recording) = record_all(-1);
    tacWorld world = tac_stub_world(TOOLS);
    world.reduced = true;
    tacReplayReport report;
    tac_test_refused(tac_recording_replay(recording, &world, NULL, &report, &error), TAC_ERR_FORMAT, error, "tick 10 ");
  }
}

TAC_TEST(another_world_and_a_cancelled_replay_are_errors) {
  TAC_OWN(tacRecording, recording) = record_all(-1);
  tacReplayReport report;
  tacWorld world = tac_stub_world(1);
  world.reduced = true;
  ck_assert_int_eq(tac_recording_replay(recording, &world, NULL, &report, &error), TAC_ERR_ARGUMENT);
  world = tac_stub_world(TOOLS); /* without the state */
  tac_test_refused(tac_recording_replay(recording, &world, NULL, &report, &error), TAC_ERR_ARGUMENT, error,
                   "10 values");
  world.reduced = true;
  world.period = 0.002;
  ck_assert_int_eq(tac_recording_replay(recording, &world, NULL, &report, &error), TAC_ERR_ARGUMENT);
  world = tac_stub_world(TOOLS);
  world.reduced = true;
  int calls = 0;
  tacProgress progress = {tac_test_cancel, &calls};
  ck_assert_int_eq(tac_recording_replay(recording, &world, &progress, &report, &error), TAC_ERR_CANCELLED);
  ck_assert_int_eq(calls, 1);
}
