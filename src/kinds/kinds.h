/* The list of Tactus's own kinds of bodies. */
#pragma once

#include <tactus/body_kind.h>

/* The last entry is NULL. */
extern const tacBodyKind *const tac_own_kinds[];
