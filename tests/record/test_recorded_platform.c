#include <tactus/recording.h>
#include "base/platform.h"
#include "recorded_file.h"

static bool same_as(const char *platform, char *text, size_t size) {
  tacRecordingInfo info = tac_sample_info(1);
  info.platform = platform;
  TAC_OWN(tacRecording, recording) = open_recorded(open_recorder(&info, 0.0));
  return tac_recording_same_platform(recording, text, size);
}

TAC_TEST_AROUND(set_up, clean_up)

TAC_TEST(this_platform_equals_itself) {
  char text[500] = "x";
  ck_assert(same_as(NULL, text, sizeof text));
  ck_assert_str_eq(text, "");
  ck_assert(same_as(tac_platform(), text, sizeof text));
}

TAC_TEST(another_platform_is_named_with_this_one) {
  char text[500], cut[8], wanted[400];
  ck_assert(!same_as("abacus, by hand", text, sizeof text));
  snprintf(wanted, sizeof wanted,
           "this was recorded on abacus, by hand, and this machine is %s; results may differ "
           "in the last bits",
           tac_platform());
  ck_assert_str_eq(text, wanted);
  ck_assert(!same_as("", text, sizeof text));
  ck_assert_ptr_nonnull(strstr(text, "recorded on an unknown platform"));
  ck_assert(!same_as("abacus", cut, sizeof cut));
  ck_assert_str_eq(cut, "this wa");
}
