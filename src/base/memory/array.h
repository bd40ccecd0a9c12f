/* Arrays on the heap whose sizes are checked before they are multiplied. Offline and load phases only. */
#pragma once

#include <stddef.h>
#include "base/error.h"

/* `count` zeroed items (at least one byte, so that NULL always means failure). On failure returns NULL and sets `error`. */
void *tac_array_create(size_t count, size_t item_size, const char *what, tacError *error);

/* Makes room for `needed` items, growing by at least half. `*items` and `*capacity` are unchanged on failure. Usage:
 *   if (tac_array_reserve((void **)&list, &capacity, count + 1, sizeof *list, "corners", error) != TAC_OK) goto fail; */
tacStatus tac_array_reserve(void **items, size_t *capacity, size_t needed, size_t item_size, const char *what,
                            tacError *error);

/* A copy of `text`, or NULL with `error` set. */
char *tac_array_text(const char *text, tacError *error);
