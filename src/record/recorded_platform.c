#include <stdio.h>
#include <string.h>
#include <tactus/recording.h>
#include "base/platform.h"

bool tac_recording_same_platform(const tacRecording *recording, char *text, size_t size) {
  if (text != NULL && size > 0) text[0] = 0;
  if (recording == NULL || text == NULL) return false;
  const char *then = tac_recording_info(recording)->platform, *now = tac_platform();
  bool same = strcmp(then, now) == 0;
  if (!same)
    snprintf(text, size, "this was recorded on %.200s, and this machine is %s; results may differ in the last bits",
             then[0] != 0 ? then : "an unknown platform", now);
  return same;
}
