/* Folders for files of ours. */
#ifndef TAC_BASE_FOLDER_H
#define TAC_BASE_FOLDER_H

#include "base/error.h"

/* Makes the folder and those above it, where they are not there yet. */
tacStatus tac_folder_make(const char *path, tacError *error);

#endif
