#include "record/recorded_assets.h"

#include "recorded_file.h"

#define LIVER "1111111111111111 left-lobe-00000000000000aa.green\n"
#define FIELD "2222222222222222 left-lobe-00000000000000bb.field\n"
#define TOOL "3333333333333333 tool-00000000000000cc.points\n"

static bool same(const char *then, const char *now, char *text, size_t size) {
  tacRecordingInfo info = tac_sample_info(1);
  info.assets = then;
  TAC_OWN(tacRecording, recording) = open_recorded(open_recorder(&info, 0.0));
  return tac_recording_same_assets(recording, now, text, size);
}

TAC_TEST_AROUND(set_up, clean_up)

TAC_TEST(lines_are_added) {
  TAC_MEMORY(char, text) = NULL;
  size_t room = 0;
  tac_test_ok(tac_recorded_assets_add(0x1111111111111111u, "left-lobe-00000000000000aa.green", &text, &room, &error),
              error);
  tac_test_ok(tac_recorded_assets_add(0x2222222222222222u, "left-lobe-00000000000000bb.field", &text, &room, &error),
              error);
  ck_assert_str_eq(text, LIVER FIELD);
}

TAC_TEST(the_same_in_any_order_are_the_same) {
  char text[300] = "x";
  ck_assert(same(LIVER FIELD TOOL, TOOL LIVER FIELD, text, sizeof text));
  ck_assert_str_eq(text, "");
  ck_assert(same("", LIVER, text, sizeof text)); /* it says nothing of assets */
  ck_assert(same(LIVER, LIVER TOOL, text, sizeof text));
}

TAC_TEST(changed_assets_are_named) {
  char text[300];
  ck_assert(!same(LIVER FIELD, LIVER "4444444444444444 left-lobe-00000000000000bb.field\n", text, sizeof text));
  ck_assert_str_eq(text, "the asset left-lobe-00000000000000bb.field of the recording has changed since: it was "
                         "baked again, or on another machine");
  ck_assert(!same(LIVER FIELD, FIELD "1111111111111111 left-lobe-00000000000000dd.green\n", text, sizeof text));
  ck_assert_str_eq(text, "the asset left-lobe-00000000000000aa.green of the recording has changed since: its mesh or "
                         "other inputs have a different checksum");
  ck_assert(!same(LIVER FIELD TOOL, LIVER, text, sizeof text));
  ck_assert_str_eq(text, "the asset left-lobe-00000000000000bb.field of the recording is no longer used (and 1 more)");
  char cut[10];
  ck_assert(!same(LIVER FIELD TOOL, LIVER, cut, sizeof cut));
  ck_assert_str_eq(cut, "the asset");
}

/* From outside: no line, however odd, is more than a name. */
TAC_TEST(malformed_lines_are_treated_as_names) {
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
    ck_assert_ptr_nonnull(strstr(text, "is no longer used"));
  }
}
