#include "app/cli/scene/info_scene.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <tactus/recording.h>
#include <tactus/scene.h>
#include "app/cli/mesh/report_text.h"
#include "base/error.h"
#include "base/files/input_file.h"
#include "base/text.h"

bool tac_info_is_scene(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot != NULL && (strcasecmp(dot, ".yaml") == 0 || strcasecmp(dot, ".yml") == 0);
}

/* Scenes */

void tac_info_line(const char *label, const char *text, void *user) {
  (void)user;
  tac_report_line(label, "%s", text);
}

/* Also where files that it names are not there: it is read, not used. */
tacStatus tac_info_print_scene(const char *path, tacError *error) {
  tacInputFile input;
  tacScene *scene = NULL;
  tacStatus status = tac_input_file_read(path, TAC_INPUT_SCENE, &input, error);
  if (status != TAC_OK) return status;
  if (memchr(input.bytes, 0, input.size) != NULL)
    status = tac_error_set(error, TAC_ERR_FORMAT, "%s: is no scene: scenes are text", path);
  else
    status = tac_scene_parse((const char *)input.bytes, path, &scene, error);
  tac_input_file_free(&input);
  if (status == TAC_OK) {
    printf("%s: scene, format %d\n", path, TAC_SCENE_FORMAT);
    tac_scene_describe(scene, tac_info_line, NULL);
  }
  tac_scene_destroy(scene);
  return status;
}

/* Recordings */

tacStatus tac_info_print_recording(const char *path, tacError *error) {
  tacRecording *recording = NULL;
  TAC_TRY(tac_recording_open(path, &recording, error));
  const tacRecordingInfo *info = tac_recording_info(recording);
  struct stat file;
  int64_t ticks = tac_recording_tick_count(recording);
  printf("%s: Tactus recording, %s\n", path, tac_text_bytes(stat(path, &file) == 0 ? (double)file.st_size : 0.0).text);
  tac_report_line("length", "%s at %.6g Hz, %s%s", tac_text_many(ticks, "tick").text, 1.0 / info->period,
                  tac_text_seconds((double)ticks * info->period).text,
                  tac_recording_complete(recording) ? "" : "; it was cut short");
  if (info->simulate_every > 1)
    tac_report_line("simulation", "%.4g Hz, a step of the bodies in %d ticks",
                    1.0 / (info->simulate_every * info->period), info->simulate_every);
  tac_report_line("tools", "%d", info->tool_count);
  tac_report_line("scene", "%s, %s", info->scene_path, tac_text_bytes((double)strlen(info->scene)).text);
  tac_report_line("recorded by", "%s", info->program);
  tac_report_line("recorded on", "%s", info->platform);
  for (const char *line = info->assets; line[0] != 0;) { /* checksum and name */
    int length = (int)strcspn(line, "\n");
    tac_report_line("asset", "%.*s", length, line);
    line += length + (line[length] == '\n');
  }
  tac_recording_close(recording);
  return TAC_OK;
}
