/* Where the drivers are that are known by name. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <tactus/device.h>

/* Whether this is a name to look for, and neither a path nor a file for the system to find. */
bool tac_driver_file_is_name(const char *path);
/* The file of a name; false where no folder has it. */
bool tac_driver_file_find(const char *name, char *path, size_t size);
/* The folders, one after the other with ", " between them: for messages. */
void tac_driver_file_folders(char *text, size_t size);
