/* Whether files on the disk are others than before: by their number, size and time, so that what editors do counts, who write a file anew
 * beside the old one and rename it. */
#pragma once

#include <stdbool.h>
#include <tactus/scene.h>
#include <time.h>

enum { TAC_WATCH_MOST = 64 };

typedef struct tacFileMark {
  unsigned long long device, number, size;
  struct timespec changed;
} tacFileMark;

typedef struct tacWatchedFile {
  char path[1024];
  tacFileMark before, now; /* when it was read, and when it was looked at last */
} tacWatchedFile;

typedef struct tacWatchedFiles {
  int count;
  tacWatchedFile files[TAC_WATCH_MOST]; /* of more than that the rest is not watched */
} tacWatchedFiles;

/* From here on, one file: the scene's. */
void tac_watched_files_begin(tacWatchedFiles *watched, const char *path);
/* And those that it names. */
void tac_watched_files_add(tacWatchedFiles *watched, const tacScene *scene);

/* Files that are absent are on their way: they count when they are there again. */
typedef struct tacFilesLook {
  bool changed; /* one is another than when it was read */
  bool rests;   /* and none has changed since the last look: it is written to its end */
} tacFilesLook;
tacFilesLook tac_watched_files_look(tacWatchedFiles *watched);
