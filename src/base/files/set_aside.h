/* A file that is in the way and may be somebody's: kept under another name. */
#pragma once

#include "base/error.h"

/* Renames `path` to PATH.aside, over what has that name, and warns in the log: "PATH: WHY; set aside as PATH.aside". */
tacStatus tac_set_aside(const char *path, const char *why, tacError *error);
