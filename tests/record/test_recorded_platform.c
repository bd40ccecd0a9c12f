#include <tactus/recording.h>

#include "base/platform.h"
#include "recorded_ticks.h"

static bool same_as(const char *platform, char *text, size_t size) {
  char folder[256], path[512];
  tacRecordingInfo info = tac_sample_info(1);
  tacRecorder *recorder;
  tacRecording *recording;
  tacError error;
  info.platform = platform;
  tac_test_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/run.rec", folder);
  tac_test_ok(tac_recorder_open(path, &info, 0.0, &recorder, &error), error);
  tac_test_ok(tac_recorder_close(recorder, NULL, &error), error);
  tac_test_ok(tac_recording_open(path, &recording, &error), error);
  bool same = tac_recording_same_platform(recording, text, size);
  tac_recording_close(recording);
  remove(path);
  rmdir(folder);
  return same;
}

TAC_TEST(here_is_the_same_platform) {
  char text[500] = "x";
  ck_assert(same_as(NULL, text, sizeof text));
  ck_assert_str_eq(text, "");
  ck_assert(same_as(tac_platform(), text, sizeof text));
}

TAC_TEST(another_platform_is_named_with_this_one) {
  char text[500], cut[8], wanted[400];
  ck_assert(!same_as("abacus, by hand", text, sizeof text));
  snprintf(wanted, sizeof wanted, "recorded on abacus, by hand; this is %s: bits may differ", tac_platform());
  ck_assert_str_eq(text, wanted);
  ck_assert(!same_as("", text, sizeof text));
  ck_assert_ptr_nonnull(strstr(text, "recorded on an unknown platform"));
  ck_assert(!same_as("abacus", cut, sizeof cut));
  ck_assert_str_eq(cut, "recorde");
}
