/* How much memory the machine has, so that work that cannot fit is refused before it starts. */
#pragma once

#include <stddef.h>

/* Bytes; SIZE_MAX where the system does not tell. */
size_t tac_physical_memory(void);
