/* The memory that tests of what does not fit pretend the machine has. Programs that use it link given_memory.c, which answers
 * in place of tac_physical_memory (tests/CMakeLists.txt). */
#pragma once

#include <stddef.h>

/* Bytes; 0: the machine's own. */
extern size_t given_memory;
