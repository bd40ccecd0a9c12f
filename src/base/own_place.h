/* Folders of the files that this code runs from, in which what was installed with it is found. Load phase. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Without a slash at the end; false where the system does not tell, or there is no room. */
bool tac_own_place_program(char *folder, size_t size);
/* Of the shared library that this code is in; of the program where it is in none. */
bool tac_own_place_library(char *folder, size_t size);
