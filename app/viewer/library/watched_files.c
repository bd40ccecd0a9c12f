#include "app/viewer/library/watched_files.h"
#include "scene/scene.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* False where it is not there. */
static bool mark_of(const char *path, tacFileMark *mark) {
  struct stat found;
  if (stat(path, &found) != 0) return false;
  *mark = (tacFileMark){found.st_dev, found.st_ino, (unsigned long long)found.st_size, found.st_mtim};
  return true;
}

static bool same(const tacFileMark *a, const tacFileMark *b) {
  return a->device == b->device && a->number == b->number && a->size == b->size &&
         a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec;
}

static void add(const char *path, void *user) {
  tacWatchedFiles *watched = user;
  tacWatchedFile file = {0};
  if (watched->count == TAC_WATCH_MOST || snprintf(file.path, sizeof file.path, "%s", path) >= (int)sizeof file.path)
    return;
  mark_of(path, &file.before);
  file.now = file.before;
  watched->files[watched->count++] = file;
}

void tac_watched_files_begin(tacWatchedFiles *watched, const char *path) {
  watched->count = 0;
  add(path, watched);
}

void tac_watched_files_add(tacWatchedFiles *watched, const tacScene *scene) {
  tac_scene_files(scene, add, watched);
}

tacFilesLook tac_watched_files_look(tacWatchedFiles *watched) {
  tacFilesLook look = {.changed = false, .rests = true};
  for (int i = 0; i < watched->count; ++i) {
    tacWatchedFile *file = &watched->files[i];
    tacFileMark now;
    if (!mark_of(file->path, &now)) {
      look.rests = false;
      continue;
    }
    look.changed = look.changed || !same(&now, &file->before);
    look.rests = look.rests && same(&now, &file->now);
    file->now = now;
  }
  return look;
}
