/* A queue of fixed length between two threads, one that puts and one that takes. Neither waits, locks or allocates. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <tactus/base.h>

typedef struct tacRing tacRing;

/* Load phase; `capacity` is rounded up to a power of two. */
tacStatus tac_ring_create(size_t capacity, size_t item_size, tacRing **ring, tacError *error);
void tac_ring_destroy(tacRing *ring); /* NULL is allowed */

bool tac_ring_put(tacRing *ring, const void *item); /* false where it is full */
bool tac_ring_full(const tacRing *ring);            /* for the thread that puts */
bool tac_ring_take(tacRing *ring, void *item);      /* false where it is empty */
