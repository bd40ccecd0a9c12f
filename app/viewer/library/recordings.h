/* The recordings of a folder. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <tactus/base.h>

enum { TAC_VIEW_MOST_RECORDINGS = 200 }; /* that are listed */

typedef struct tacViewRecording {
  char file[256];
  double seconds;
} tacViewRecording;

/* Those that can be read, by name; of more than `most` the last. `except` is left out (the one that is being written). Returns
 * how many. */
int tac_recordings_list(const char *folder, const char *except, int most, tacViewRecording *recordings);
/* A path in the folder, which is made where it is not there, that no file has yet: FOLDER/view-001.tacrec. */
tacStatus tac_recordings_new(const char *folder, char *path, size_t size, tacError *error);

/* Names that a person may give: NAME.tacrec with letters, digits, blanks and - _ . ( ) before, none at the start but a letter or a
 * digit, at most 100 in all. Others may be listed and shown, but neither given nor fetched. */
bool tac_recordings_name_valid(const char *name);
/* Gives a file of the folder another name, which none has yet; errors say what is wrong. */
tacStatus tac_recordings_rename(const char *folder, const char *from, const char *to, tacError *error);
tacStatus tac_recordings_delete(const char *folder, const char *file, tacError *error);
