#include "base/memory/array.h"

#include <stddef.h>
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

/* What is in front of an array; it keeps the alignment of malloc. */
typedef union Front {
  void *before;
  max_align_t align;
} Front;

void *tac_arrays_add(tacArrays *arrays, size_t count, size_t item_size) {
  size_t most = PTRDIFF_MAX - sizeof(Front),
         bytes = item_size != 0 && count > most / item_size ? most : count * item_size;
  Front *front = bytes < most ? calloc(1, sizeof *front + bytes) : NULL;
  if (front == NULL) {
    arrays->refused = bytes > 0 ? bytes : 1;
    return NULL;
  }
  tac_large_pages(front, sizeof *front + bytes);
  front->before = arrays->last;
  arrays->last = front;
  return front + 1;
}

tacStatus tac_arrays_status(const tacArrays *arrays, const char *what, tacError *error) {
  return arrays->refused == 0 ? TAC_OK : tac_error_memory(error, arrays->refused, what);
}

void tac_arrays_free(tacArrays *arrays) {
  for (Front *front = arrays->last, *before; front != NULL; front = before) {
    before = front->before;
    free(front);
  }
  *arrays = (tacArrays){0};
}

int tac_array_compare_ints(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

char *tac_array_text(const char *text, tacError *error) {
  size_t size = strlen(text) + 1;
  char *copy = tac_array_create(size, 1, "a name", error);
  if (copy != NULL) memcpy(copy, text, size);
  return copy;
}
