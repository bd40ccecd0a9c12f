/* The registry of body kinds: those of the library, and those that a plugin or the host adds. */
#pragma once

#include <tactus/body_kind.h>

/* Load phase, any thread. The row must outlive all use of the library. Registering the same row again is allowed.
 * TAC_ERR_ARGUMENT: another row of that name, or an incomplete row; TAC_ERR_VERSION: a row or table of another
 * version. */
tacStatus tac_body_kind_register(const tacBodyKind *kind, tacError *error);

/* Loads a shared object and registers its rows, all or none. The system searches for a `path` without a slash. Never
 * unloaded. */
tacStatus tac_body_kind_load(const char *path, tacError *error);

/* All kinds: those of Tactus, then registered ones, in order of registration. Any thread, no lock. */
int tac_body_kind_count(void);
const tacBodyKind *tac_body_kind_at(int index);          /* NULL: out of range */
const tacBodyKind *tac_body_kind_find(const char *name); /* NULL: none */
