#include "record/recorded_assets.h"

#include "recorded_ticks.h"

#define LIVER "1111111111111111 left-lobe-00000000000000aa.green\n"
#define FIELD "2222222222222222 left-lobe-00000000000000bb.field\n"
#define TOOL "3333333333333333 tool-00000000000000cc.points\n"

static bool same(const char *then, const char *now, char *text, size_t size) {
  char folder[256], path[512];
  tacRecordingInfo info = tac_sample_info(1);
  tacRecorder *recorder;
  tacRecording *recording;
  tacError error;
  info.assets = then;
  tac_test_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/run.rec", folder);
  tac_test_ok(tac_recorder_open(path, &info, 0.0, &recorder, &error), error);
  tac_test_ok(tac_recorder_close(recorder, NULL, &error), error);
  tac_test_ok(tac_recording_open(path, &recording, &error), error);
  bool found = tac_recording_same_assets(recording, now, text, size);
  tac_recording_close(recording);
  remove(path);
  rmdir(folder);
  return found;
}

TAC_TEST(lines_are_added) {
  char *text = NULL;
  size_t room = 0;
  tacError error;
  tac_test_ok(tac_recorded_assets_add(0x1111111111111111u, "left-lobe-00000000000000aa.green", &text, &room, &error),
              error);
  tac_test_ok(tac_recorded_assets_add(0x2222222222222222u, "left-lobe-00000000000000bb.field", &text, &room, &error),
              error);
  ck_assert_str_eq(text, LIVER FIELD);
  free(text);
}

TAC_TEST(the_same_in_any_order_are_the_same) {
  char text[300] = "x";
  ck_assert(same(LIVER FIELD TOOL, TOOL LIVER FIELD, text, sizeof text));
  ck_assert_str_eq(text, "");
  ck_assert(same("", LIVER, text, sizeof text)); /* it says nothing of assets */
  ck_assert(same(LIVER, LIVER TOOL, text, sizeof text));
}

TAC_TEST(what_is_another_is_named) {
  char text[300];
  ck_assert(!same(LIVER FIELD, LIVER "4444444444444444 left-lobe-00000000000000bb.field\n", text, sizeof text));
  ck_assert_str_eq(text, "the asset left-lobe-00000000000000bb.field of the recording has other bits now: it was baked "
                         "again, or elsewhere");
  ck_assert(!same(LIVER FIELD, FIELD "1111111111111111 left-lobe-00000000000000dd.green\n", text, sizeof text));
  ck_assert_str_eq(
      text, "the asset left-lobe-00000000000000aa.green of the recording is another now, for its mesh or what else it "
            "is made from has other bits");
  ck_assert(!same(LIVER FIELD TOOL, LIVER, text, sizeof text));
  ck_assert_str_eq(text, "the asset left-lobe-00000000000000bb.field of the recording is not used now (and 1 more)");
  char cut[10];
  ck_assert(!same(LIVER FIELD TOOL, LIVER, cut, sizeof cut));
  ck_assert_str_eq(cut, "the asset");
}

/* From outside: no line, however odd, is more than a name. */
TAC_TEST(odd_lines_are_only_names) {
  static const char *const odd[] = {"\n\n\n",
                                    "0",
                                    "0123456789abcdef ",
                                    "0123456789abcdef -",
                                    "0123456789abcdef x-.",
                                    "0123456789abcdef -0123456789abcdef.",
                                    "0123456789abcdef ----------------------.\n \n"};
  char text[300];
  for (size_t i = 0; i < sizeof odd / sizeof *odd; ++i) {
    ck_assert(same(odd[i], odd[i], text, sizeof text));
    same(odd[i], LIVER, text, sizeof text);
    same(LIVER, odd[i], text, sizeof text);
    ck_assert_ptr_nonnull(strstr(text, "is not used now"));
  }
}
