#include "scene/scene_rate.h"

#include <tactus/recording.h>
#include <tactus/scene.h>
#include "record/recorder.h"
#include "scene/scene.h"
#include "scene/scene_parts.h"
#include "scene/scene_text.h"
#include "world/world.h"

static const char base[] =
    "tactus: 1\n"
    "name: test\n"
    "rate: {simulate: 100 Hz}\n"
    "bodies:\n"
    "  - {name: die, kind: rigid, analytic: [{box: {lower: [0, 0, 0], upper: [10 mm, 20 mm, 30 mm]}}]}\n"
    "tools:\n"
    "  - name: probe\n"
    "    kind: point\n"
    "    device: {kind: operator, path: [{at: [0, 0, 8 cm]}]}\n";

#define RATE "rate: {simulate: 100 Hz}\n"

static int every_of(const tacScene *scene) {
  int every = -1;
  tac_test_ok(tac_scene_rate_every(&scene->file.rate, scene->file.servo.def.rate, &every, &error), error);
  return every;
}

/* All that a rate may be at 1 kHz, as it is written with four digits. */
TAC_TEST(a_rate_is_a_whole_number_of_ticks) {
  for (int ticks = 1; ticks <= 100; ++ticks)
    for (int servo = 250; servo <= 10000; servo += 1950) {
      char text[64];
      double written;
      snprintf(text, sizeof text, "%.4g", (double)servo / ticks);
      ck_assert_int_eq(sscanf(text, "%lf", &written), 1);
      tacSceneRate rate = {.simulate = written};
      int every = -1;
      tac_test_ok(tac_scene_rate_every(&rate, servo, &every, &error), error);
      ck_assert_int_eq(every, ticks);
    }
}

TAC_TEST(scenes_set_the_rate) {
  static const struct {
    const char *rate;
    int every;
  } cases[] = {{"", 1},
               {"rate: {simulate: 0}\n", 1},
               {"rate: {simulate: 1 kHz}\n", 1},
               {"rate: {simulate: 100 Hz}\n", 10},
               {"rate: {simulate: 333.3 Hz}\n", 3},
               {"rate: {simulate: 10 Hz}\n", 100},
               {"rate: {simulate: 100 Hz}\nservo: {rate: 2 kHz}\n", 20}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    const char *text = edited(base, RATE, cases[i].rate);
    TAC_OWN(tacScene, scene) = parse(text, "s");
    ck_assert_int_eq(every_of(scene), cases[i].every);
  }
}

TAC_TEST(every_error_names_its_line) {
  static const Mistake cases[] = {
      {RATE, "rate: {simulate: 10 ms}\n", "s:3: rate.simulate: 10 ms is not a rate; write it like 1 kHz"},
      {RATE, "rate: {}\n", "s:3: rate: a rate needs simulate; write it like simulate: 1 kHz"},
      {RATE, "rate: {simulate: 300 Hz}\n",
       "s:3: rate.simulate: the servo's rate, 1000 Hz, is not a whole multiple of the bodies' rate, 300 Hz; the "
       "nearest possible rates are 250 Hz and 333.3 Hz"},
      {RATE, "rate: {simulate: 9.5 Hz}\n",
       "s:3: rate.simulate: 9.5 Hz is too slow: a step of the bodies may take at most 100 ticks, so with the servo "
       "at 1000 Hz use at least 10 Hz, or 0 for the rate of the servo"},
      {RATE, "rate: {simulate: 2 kHz}\n",
       "s:3: rate.simulate: 2000 Hz is faster than the servo (1000 Hz); leave the rate out, or raise the servo's rate"},
      {RATE, "servo: {rate: 250 Hz}\nrate: {simulate: 100 Hz}\n",
       "s:4: rate.simulate: the servo's rate, 250 Hz, is not a whole multiple of the bodies' rate, 100 Hz; the "
       "nearest possible rates are 83.33 Hz and 125 Hz"},
  };
  check_reading(base, sizeof cases / sizeof *cases, cases, WHOLE);
}

/* The other rate stays as it was, and one that does not go with it changes nothing. */
TAC_TEST(both_rates_can_be_set_later) {
  TAC_OWN(tacScene, scene) = parse(base, "s");
  ck_assert_int_eq(tac_scene_set_rate(scene, 250.0, &error), TAC_ERR_ARGUMENT);
  ck_assert_str_eq(error.text,
                   "the servo's rate, 250 Hz, is not a whole multiple of the bodies' rate, 100 Hz; the nearest "
                   "possible rates are 83.33 Hz and 125 Hz");
  ck_assert_double_eq(tac_scene_servo(scene).rate, 1000.0);
  tac_test_ok(tac_scene_set_period(scene, 0.0005, &error), error);
  ck_assert_int_eq(every_of(scene), 20);
  static const double bad[] = {-100.0, 19.0, 300.0, 3000.0, INFINITY, NAN};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    ck_assert_int_eq(tac_scene_set_simulate_rate(scene, bad[i], &error), TAC_ERR_ARGUMENT);
    ck_assert_int_eq(every_of(scene), 20);
  }
  tac_test_ok(tac_scene_set_simulate_rate(scene, 400.0, &error), error);
  ck_assert_int_eq(every_of(scene), 5);
  tac_test_ok(tac_scene_set_simulate_rate(scene, 0.0, &error), error);
  tac_test_ok(tac_scene_set_rate(scene, 250.0, &error), error);
  ck_assert_int_eq(every_of(scene), 1);
}

typedef struct {
  char line[128];
} Found;

static void find_simulation(const char *label, const char *text, void *user) {
  Found *found = user;
  if (strcmp(label, "simulation") == 0) snprintf(found->line, sizeof found->line, "%s", text);
}

TAC_TEST(description_lists_a_rate_below_the_servos) {
  Found found = {""};
  TAC_OWN(tacScene, scene) = parse(base, "s");
  tac_scene_describe(scene, find_simulation, &found);
  ck_assert_str_eq(found.line, "100 Hz, one step of the bodies every 10 ticks");
  found = (Found){""};
  tac_test_ok(tac_scene_set_simulate_rate(scene, 0.0, &error), error);
  tac_scene_describe(scene, find_simulation, &found);
  ck_assert_str_eq(found.line, "");
}

/* Whatever the file says: it was overridden. */
TAC_TEST(a_recorded_scene_has_the_rates_of_its_recording) {
  for (int ticks = 1; ticks <= 100; ++ticks) {
    const char *path = tac_test_path("run.tacrec");
    tacRecordingInfo info = {
        .period = 1.0 / 270.0, .simulate_every = ticks, .tool_count = 1, .scene_path = "s", .scene = base};
    tacRecorder *recorder = tac_test_made(tacRecorder *, tac_recorder_open(path, &info, 0.0, &made, &error));
    tac_test_ok(tac_recorder_close(recorder, NULL, &error), error);
    TAC_CREATE(tacRecording, recording, tac_recording_open(path, &recording, &error));
    TAC_CREATE(tacScene, scene, tac_scene_recorded(recording, &scene, &error));
    ck_assert_int_eq(every_of(scene), ticks);
  }
}

TAC_TEST(the_world_uses_the_rate) {
  TAC_OWN(tacScene, scene) = bake(base, "s");
  for (int every = 10; every >= 1; every -= 9) {
    tac_test_ok(tac_scene_set_simulate_rate(scene, 1000.0 / every, &error), error);
    TAC_OWN(tacWorld, world) = world_of(scene);
    ck_assert_int_eq(tac_world_simulate_every(world), every);
  }
}
