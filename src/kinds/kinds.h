/* The kinds of bodies that Tactus has: the one list. */
#pragma once

#include <tactus/body_kind.h>

/* After the last NULL. */
extern const tacBodyKind *const tac_own_kinds[];
