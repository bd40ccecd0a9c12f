#include "base/memory/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/large_pages.h"

void *tac_array_create(size_t count, size_t item_size, const char *what, tacError *error) {
  if (item_size != 0 && count > PTRDIFF_MAX / item_size) {
    tac_error_memory(error, SIZE_MAX, what);
    return NULL;
  }
  size_t bytes = count * item_size;
  void *items = calloc(bytes > 0 ? bytes : 1, 1);
  if (items == NULL)
    tac_error_memory(error, bytes, what);
  else
    tac_large_pages(items, bytes);
  return items;
}

tacStatus tac_array_reserve(void **items, size_t *capacity, size_t needed, size_t item_size, const char *what,
                            tacError *error) {
  if (needed <= *capacity) return TAC_OK;
  size_t most = PTRDIFF_MAX / item_size;
  if (needed > most) return tac_error_memory(error, SIZE_MAX, what);
  size_t room = *capacity + *capacity / 2;
  if (room < needed) room = needed;
  if (room < 16) room = 16;
  if (room > most) room = needed;
  void *grown = realloc(*items, room * item_size);
  if (grown == NULL) return tac_error_memory(error, room * item_size, what);
  *items = grown;
  *capacity = room;
  return TAC_OK;
}

char *tac_array_text(const char *text, tacError *error) {
  size_t size = strlen(text) + 1;
  char *copy = tac_array_create(size, 1, "a name", error);
  if (copy != NULL) memcpy(copy, text, size);
  return copy;
}
