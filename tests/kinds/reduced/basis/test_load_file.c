#include "kinds/reduced/basis/load_file.h"

#include <tactus/recording.h>
#include "math/geometry/vec3.h"
#include "record/recorder.h"
#include "test.h"

static tacStatus parse(const char *text, int *count, tacLoadSample **loads, tacError *why) {
  return tac_load_file_parse("f.csv", (const unsigned char *)text, strlen(text), 0.02, count, loads, why);
}

TAC_TEST(each_row_is_a_sample) {
  int count;
  TAC_MEMORY(tacLoadSample, loads) = NULL;
  tac_test_ok(parse("# drawn by hand\ntime, x, y, z, fx, fy, fz\n0, 1, 2, 3, 4, 5, 6\n0.5,1e-1,0,0,-1,0,0 # pull\n"
                    "0.5,0.2,0,0,0,1,0\n",
                    &count, &loads, &error),
              error);
  ck_assert_int_eq(count, 3);
  ck_assert(loads[0].time == 0.0 && loads[0].point.z == 3.0 && loads[0].force.x == 4.0 && loads[0].force.z == 6.0);
  ck_assert(loads[1].time == 0.5 && loads[1].point.x == 0.1 && loads[1].force.x == -1.0);
  ck_assert(loads[2].time == 0.5 && loads[2].point.x == 0.2 && loads[2].force.y == 1.0);
}

TAC_TEST(byte_order_mark_tabs_and_semicolons_are_accepted) {
  static const char *const texts[] = {
      "\xef\xbb\xbftime,x,y,z,fx,fy,fz\r\n0.5,1,2,3,4,5,6\r\n",
      "time;x;y;z;fx;fy;fz\n0.5;1;2;3;4;5;6\n",
      "Time\tX\tY\tZ\tFx\tFy\tFz\n0.5\t1\t2\t3\t4\t5\t6\n",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    int count;
    TAC_MEMORY(tacLoadSample, loads) = NULL;
    tac_test_ok(parse(texts[i], &count, &loads, &error), error);
    ck_assert_int_eq(count, 1);
    ck_assert(loads[0].time == 0.5 && loads[0].point.x == 1.0 && loads[0].force.z == 6.0);
  }
}

TAC_TEST(radius_of_the_file_overrides_the_given_one) {
  int count;
  TAC_MEMORY(tacLoadSample, own) = NULL;
  TAC_MEMORY(tacLoadSample, given) = NULL;
  tac_test_ok(parse("time,x,y,z,fx,fy,fz,radius\n0,0,0,0,0,0,1,0.005\n1,0,0,0,0,0,1,0\n", &count, &own, &error), error);
  ck_assert(count == 2 && own[0].radius == 0.005 && own[1].radius == 0.0);
  tac_test_ok(parse("time,x,y,z,fx,fy,fz\n0,0,0,0,0,0,1\n", &count, &given, &error), error);
  ck_assert(count == 1 && given[0].radius == 0.02);
}

TAC_TEST(every_error_names_its_line) {
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"", "f.csv: the file contains no force; give at least one load that is not zero"},
      {"time, x, y, z, fx, fy, fz\n", "f.csv: the file contains no force; give at least one load that is not zero"},
      {"time, x, y, z, fx, fy, fz\n0, 0, 0, 0, 0, 0, 0\n", "f.csv: the file contains no force; give at least one "
                                                           "load that is not zero"},
      {"0, 0, 0, 0, 0, 0, 1\n", "f.csv:1: \"0\" is the name of column 1; it must be time"},
      {"time, x, y, z, fx, fy\n0, 0, 0, 0, 0, 0\n",
       "f.csv:1: the first line has 6 columns; it must have 7 or 8: time, x"},
      {"time, x, y, z, fx, fy, fz\n0,5 0,1 0,2 0,3 0,4 0,5 0,6\n", "f.csv:2: the columns have a comma between them"},
      {"time, x, y, z, fx, fy, fz\n0, 0, 0, 0, 0, 1\n", "f.csv:2: "},
      {"time, x, y, z, fx, fy, fz\n0, 0, 0, 0, 0, 1, 2, 3\n", "f.csv:2: "},
      {"time, x, y, z, fx, fy, fz\n1, 0, 0, 0, 0, 0, 1\n0.5, 0, 0, 0, 0, 0, 1\n",
       "f.csv:3: time 0.5 s follows time 1 s; times must not decrease"},
      {"time, x, y, z, fx, fy, fz, radius\n1, 0, 0, 0, 0, 0, 1\n", "f.csv:2: this line has 7 columns, but the first "
                                                                   "line has 8"},
      {"time, x, y, z, fx, fy, fz, radius\n1, 0, 0, 0, 0, 0, 1, -0.1\n",
       "f.csv:2: the radius is -0.1 m; it must be 0 or more"},
      {"time, x, y, z, fx, fy, fz, torque\n", "f.csv:1: \"torque\" is the name of column 8; it must be radius"},
      {"time, x, y, z, fx, fy, fz\n1, 0, 0, 0, 0, 0, 1e12\n", "f.csv:2: 1e+12 is too large for fz, N"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    int count = 7;
    tacLoadSample *loads = (tacLoadSample *)&count;
    error = (tacError){0};
    ck_assert_int_ne(parse(cases[i].text, &count, &loads, &error), TAC_OK);
    ck_assert(count == 0 && loads == NULL);
    ck_assert_msg(strncmp(error.text, cases[i].message, strlen(cases[i].message)) == 0, "%s", error.text);
  }
}

/* Many are thinned evenly, and where the hand lets go stays. */
TAC_TEST(many_samples_are_thinned) {
  enum { ROWS = 3 * TAC_LOAD_FILE_MOST };
  TAC_MEMORY(char, text) = malloc(64 + 40 * ROWS);
  size_t at = (size_t)sprintf(text, "time, x, y, z, fx, fy, fz\n");
  for (int i = 0; i < ROWS; ++i) at += (size_t)sprintf(text + at, "%d, 0, 0, 0, 0, 0, %d\n", i, i == 7000 ? 0 : 1);
  int count, releases = 0;
  TAC_MEMORY(tacLoadSample, loads) = NULL;
  tac_test_ok(parse(text, &count, &loads, &error), error);
  ck_assert_int_le(count, TAC_LOAD_FILE_MOST + 1);
  for (int i = 0; i < count; ++i) {
    releases += loads[i].force.z == 0.0;
    if (i > 0) ck_assert(loads[i].time > loads[i - 1].time && loads[i].time <= loads[i - 1].time + 3.0);
  }
  ck_assert_int_eq(releases, 1);
}

static const char scene[] =
    "tactus: 1\n"
    "bodies:\n"
    "  - {name: other, kind: reduced, volume: {file: a.vtu}, basis: {from: modes}, material: {young: 1 kPa, poisson: "
    "0.3, "
    "density: 1 kg/m3}, copies: {grid: [2, 1, 1], spacing: [1 m, 1 m, 1 m]}}\n"
    "  - {name: rod, kind: reduced, volume: {file: a.vtu}, basis: {from: modes}, material: {young: 1 kPa, poisson: "
    "0.3, "
    "density: 1 kg/m3}, position: [1 m, 0, 0], rotation: {axis: [0, 0, 1], angle: 90 deg}}\n"
    "tools: [{name: a, kind: point, device: {kind: replay, file: p}}, {name: b, kind: point, device: {kind: replay, "
    "file: p}}]\n";

/* Contacts with the third body of the recorded world, in its frame: it was turned by a right angle about z and shifted. */
TAC_TEST(recordings_give_the_contact_forces) {
  error = (tacError){0};
  const char *path = tac_test_path("r.tacrec");
  tacRecordingInfo info = {.period = 0.001, .tool_count = 2, .scene_path = "s.yaml", .scene = scene, .program = "test"};
  tacRecorder *recorder;
  tac_test_ok(tac_recorder_open(path, &info, 0.0, &recorder, &error), error);
  static tacTickRecord record;
  for (int i = 0; i < 20; ++i) {
    record = (tacTickRecord){.tick = i};
    for (int t = 0; t < 2; ++t) {
      tacContact *c = &record.tool[t].output.contact;
      c->body = t == 0 ? 2 : 1;
      c->state = i >= 5 && i < 15 ? TAC_CONTACT_GRABBED : TAC_CONTACT_NONE;
      c->at = tac_vec3(1.0, 0.3, 0.0);
      c->force = tac_vec3(0.0, 0.0, i);
      if (t == 0) c->force.y = 2.0;
    }
    ck_assert(tac_recorder_push(recorder, &record));
  }
  tac_test_ok(tac_recorder_close(recorder, NULL, &error), error);
  int count;
  tacLoadSample *loads;
  tac_test_ok(tac_load_file_read(path, "rod", 0.02, &count, &loads, &error), error);
  ck_assert_int_eq(count, 11);
  for (int i = 0; i < 10; ++i) {
    ck_assert_double_eq_tol(loads[i].time, 0.001 * (i + 5), 1e-12);
    ck_assert(loads[i].radius == 0.02);
    ck_assert_double_eq_tol(tac_vec3_distance(loads[i].point, tac_vec3(0.3, 0.0, 0.0)), 0.0, 1e-12);
    ck_assert_double_eq_tol(tac_vec3_distance(loads[i].force, tac_vec3(2.0, 0.0, i + 5)), 0.0, 1e-12);
  }
  ck_assert_double_eq_tol(loads[10].time, 0.015, 1e-12);
  ck_assert_double_eq(tac_vec3_norm(loads[10].force), 0.0);
  free(loads);
  tac_test_refused(tac_load_file_read(path, "rods", 0.02, &count, &loads, &error), TAC_ERR_FORMAT, error,
                   "the scene of this recording has no body rods");
  remove(path);
  ck_assert_int_eq(tac_load_file_read(path, "rod", 0.02, &count, &loads, &error), TAC_ERR_FILE);
}
