#include "app/viewer/library/recordings.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/recording.h>
#include <unistd.h>
#include "base/error.h"
#include "base/files/folder.h"
#include "base/memory/owned.h"

TAC_OWNED_TYPE(tacRecording, tac_recording_close)

static int is_recording(const struct dirent *entry) {
  size_t length = strlen(entry->d_name);
  return entry->d_name[0] != '.' && length > 7 && length < 200 && strcmp(entry->d_name + length - 7, ".tacrec") == 0;
}

/* Of a recording that is not being written; negative where it cannot be read. */
static double seconds_of(const char *path) {
  TAC_OWN(tacRecording, recording) = NULL;
  if (tac_recording_open(path, &recording, NULL) != TAC_OK) return -1.0;
  return (double)tac_recording_tick_count(recording) * tac_recording_info(recording)->period;
}

int tac_recordings_list(const char *folder, const char *except, int most, tacViewRecording *recordings) {
  char path[1400];
  struct dirent **entries = NULL;
  int count = scandir(folder, &entries, is_recording, alphasort), kept = 0;
  for (int i = 0; i < count; ++i) { /* of too many the last, which are the newest */
    if (count - i <= most && strcmp(entries[i]->d_name, except) != 0) {
      tacViewRecording *made = &recordings[kept];
      snprintf(made->file, sizeof made->file, "%s", entries[i]->d_name);
      snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
      made->seconds = seconds_of(path);
      kept += made->seconds >= 0.0;
    }
    free(entries[i]);
  }
  if (count >= 0) free(entries);
  return kept;
}

tacStatus tac_recordings_new(const char *folder, char *path, size_t size, tacError *error) {
  TAC_TRY(tac_folder_make(folder, error));
  for (int n = 1; n < 100000; ++n) {
    snprintf(path, size, "%s/view-%03d.tacrec", folder, n);
    if (access(path, F_OK) != 0) return TAC_OK;
  }
  return tac_error_set(error, TAC_ERR_FILE, "%s: has too many recordings", folder);
}

bool tac_recordings_name_valid(const char *name) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  size_t length = strlen(name), ending = strlen(".tacrec");
  return length > ending && length <= 100 && strcmp(name + length - ending, ".tacrec") == 0 &&
         strchr(letters, name[0]) != NULL &&
         strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_.()") == length;
}

tacStatus tac_recordings_rename(const char *folder, const char *from, const char *to, tacError *error) {
  char old[1400], new[1400];
  if (!tac_recordings_name_valid(to))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "\"%.100s\" is not a valid name for a recording; use letters, digits, blanks and - _ . ( )",
                         to);
  snprintf(old, sizeof old, "%s/%s", folder, from);
  snprintf(new, sizeof new, "%s/%s", folder, to);
  if (link(old, new) != 0) /* unlike rename, it replaces none */
    return errno == EEXIST ? tac_error_set(error, TAC_ERR_FILE, "a recording named %s exists already", to)
                           : tac_error_set(error, TAC_ERR_FILE, "%s: %s", to, strerror(errno));
  unlink(old);
  return TAC_OK;
}

tacStatus tac_recordings_delete(const char *folder, const char *file, tacError *error) {
  char path[1400];
  snprintf(path, sizeof path, "%s/%s", folder, file);
  return unlink(path) == 0 ? TAC_OK
                           : tac_error_set(error, TAC_ERR_FILE, "%s cannot be deleted: %s", file, strerror(errno));
}
