/* Folders for files of ours. */
#pragma once

#include "base/error.h"

/* Makes the folder and those above it, where they are not there yet. */
tacStatus tac_folder_make(const char *path, tacError *error);
/* Removes the folder with all that is in it, as far as the operating system permits; links are removed, not followed. */
void tac_folder_remove(const char *path);
