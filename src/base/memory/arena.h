/* Memory for one lifetime (a load, a tick): blocks are cut one after another from a region of fixed size and given back
 * together. There is no fallback to the heap. A full arena returns NULL and goes on counting what was wanted, so that a
 * tick can saturate and report how large the arena should have been. One thread at a time.
 *
 * Only tac_arena_create and tac_arena_destroy touch the heap; everything else is for any phase, takes no lock and has
 * constant time. Under the address sanitizer, free space is poisoned. */
#pragma once

#include <stddef.h>
#include "base/error.h"

#define TAC_ARENA_ALIGNMENT 64 /* bytes: a cache line, and every vector register */

typedef struct tacArena {
  unsigned char *base;
  size_t capacity, used; /* bytes */
  size_t wanted;         /* what `used` would be had every refused block fitted */
  size_t most_wanted;    /* largest `wanted` since creation: a capacity that would have sufficed */
  size_t refused;        /* blocks that did not fit since creation */
  void *owned;           /* what tac_arena_destroy frees, NULL where the caller lent the memory */
} tacArena;

/* `what` names the arena in the error. The memory is touched here, so that no tick meets a page fault. */
tacStatus tac_arena_create(size_t capacity, const char *what, tacArena *arena, tacError *error);
/* An arena in the caller's memory, which must outlive it. */
tacArena tac_arena_over(void *memory, size_t capacity);
void tac_arena_destroy(tacArena *arena); /* a zeroed struct is allowed */

/* `count` items, not initialised, at TAC_ARENA_ALIGNMENT; NULL when they do not fit. */
void *tac_arena_array(tacArena *arena, size_t count, size_t item_size);

typedef struct tacArenaMark {
  size_t used, wanted;
} tacArenaMark;

/* A release gives back everything that was taken after its mark. Marks nest like brackets. */
tacArenaMark tac_arena_mark(const tacArena *arena);
void tac_arena_release(tacArena *arena, tacArenaMark mark);
/* Gives everything back: the start of a tick. `most_wanted` and `refused` stay. */
void tac_arena_reset(tacArena *arena);
