/* Lists the body kinds that are built into Tactus. */
#pragma once

#include <tactus/body_kind.h>

/* Built-in kinds; the last entry is NULL. */
extern const tacBodyKind *const tac_own_kinds[];
