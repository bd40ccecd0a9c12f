/* Lists and finds body kinds: those of the library, and those that a plugin or the host has registered. */
#pragma once

#include <tactus/body_kind.h>

/* All kinds: first those of Tactus, then the registered ones in order of registration. Any thread, no lock. */
int tac_body_kind_count(void);
const tacBodyKind *tac_body_kind_at(int index);          /* NULL: out of range */
const tacBodyKind *tac_body_kind_find(const char *name); /* NULL: no such kind */
