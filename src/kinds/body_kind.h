/* The registry of body kinds: those of the library, and those that a plugin or the host adds. */
#pragma once

#include <tactus/body_kind.h>

/* Load phase, any thread. The row must outlive the process's use of the library. The same row again is fine; another of the same
 * name is TAC_ERR_ARGUMENT, as is a row that lacks something; a row or table of another version is TAC_ERR_VERSION. */
tacStatus tac_body_kind_register(const tacBodyKind *kind, tacError *error);

/* Loads a shared object and registers its rows, all or none. `path` without a slash is looked up by the system. It is
 * never unloaded. */
tacStatus tac_body_kind_load(const char *path, tacError *error);

/* All kinds: those of Tactus, then those that were registered, in that order. Any thread, no lock. */
int tac_body_kind_count(void);
const tacBodyKind *tac_body_kind_at(int index);          /* NULL: there is no such number */
const tacBodyKind *tac_body_kind_find(const char *name); /* NULL: none */
