/* Arrays on the heap whose sizes are checked before they are multiplied. Offline and load phases only. */
#pragma once

#include <stddef.h>
#include "base/error.h"

/* `count` zeroed items (at least one byte, so that NULL always means failure). On failure returns NULL and sets `error`. */
void *tac_array_create(size_t count, size_t item_size, const char *what, tacError *error);

/* The same as a status, for a variable that points to the items: TAC_TRY(TAC_ARRAY(list, count, "corners", error)). */
#define TAC_ARRAY(pointer, count, what, error) \
  (((pointer) = tac_array_create(count, sizeof *(pointer), what, error)) != NULL ? TAC_OK : TAC_ERR_MEMORY)

/* Makes room for `needed` items, growing by at least half. `*items` and `*capacity` are unchanged on failure. Usage:
 *   if (tac_array_reserve((void **)&list, &capacity, count + 1, sizeof *list, "corners", error) != TAC_OK) goto fail; */
tacStatus tac_array_reserve(void **items, size_t *capacity, size_t needed, size_t item_size, const char *what,
                            tacError *error);

/* Arrays of one owner, which end together. {0} has none. */
typedef struct tacArrays {
  void *last;     /* the newest of them; each knows the one before */
  size_t refused; /* bytes that there was no memory for; 0: all was well */
} tacArrays;

/* `count` zeroed items, until tac_arrays_free; NULL where there is no memory, which tac_arrays_status tells later: so one check
 * suffices for many arrays. */
void *tac_arrays_add(tacArrays *arrays, size_t count, size_t item_size);
tacStatus tac_arrays_status(const tacArrays *arrays, const char *what, tacError *error);
void tac_arrays_free(tacArrays *arrays);

/* For qsort and bsearch: ascending ints. */
int tac_array_compare_ints(const void *a, const void *b);

/* A copy of `text`, or NULL with `error` set. */
char *tac_array_text(const char *text, tacError *error);
