/* Where the drivers are that are known by name. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <tactus/device.h>

/* Whether this is the name of a driver, and not a path: it has no slash and no ending ".so". */
bool tac_driver_file_is_name(const char *path);
/* The file of a name; false where no folder has it. */
bool tac_driver_file_find(const char *name, char *path, size_t size);
/* Whether `path` is a file of these folders that nobody but root and this user can change: the file, its folder and all
 * folders above belong to one of the two, and neither group nor others may write there (folders with the sticky bit, such
 * as /tmp, excepted). Stores its canonical path in `installed`. */
bool tac_driver_file_installed(const char *path, char installed[PATH_MAX]);
/* The folders, one after the other with ", " between them: for messages. */
void tac_driver_file_folders(char *text, size_t size);
