#include "base/threads/ring.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/arena.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"

/* Positions only grow; a slot is a position modulo `capacity`, a power of two. `put` is written by the one thread, `taken` by
 * the other, on cache lines apart. */
struct tacRing {
  _Atomic uint64_t put;
  char apart[64];
  _Atomic uint64_t taken;
  char apart_too[64];
  uint64_t capacity;
  size_t item_size;
  unsigned char *items;
  tacArena arena; /* touches its pages, so that nobody meets a page fault later */
};

TAC_OWNED_TYPE(tacRing, tac_ring_destroy)

tacStatus tac_ring_create(size_t capacity, size_t item_size, tacRing **result, tacError *error) {
  *result = NULL;
  TAC_OWN(tacRing, ring) = NULL;
  TAC_TRY(TAC_ARRAY(ring, 1, "a ring", error));
  for (ring->capacity = 1; ring->capacity < capacity;) ring->capacity *= 2;
  ring->item_size = item_size;
  TAC_TRY(tac_arena_create((size_t)ring->capacity * item_size, "a ring", &ring->arena, error));
  ring->items = tac_arena_array(&ring->arena, (size_t)ring->capacity, item_size);
  *result = tac_give(&ring);
  return TAC_OK;
}

void tac_ring_destroy(tacRing *ring) {
  if (ring == NULL) return;
  tac_arena_destroy(&ring->arena);
  free(ring);
}

static unsigned char *slot(const tacRing *ring, uint64_t position) {
  return ring->items + (position & (ring->capacity - 1)) * ring->item_size;
}

bool tac_ring_full(const tacRing *ring) {
  return atomic_load_explicit(&ring->put, memory_order_relaxed) -
             atomic_load_explicit(&ring->taken, memory_order_acquire) ==
         ring->capacity;
}

bool tac_ring_put(tacRing *ring, const void *item) {
  if (tac_ring_full(ring)) return false;
  uint64_t position = atomic_load_explicit(&ring->put, memory_order_relaxed);
  memcpy(slot(ring, position), item, ring->item_size);
  atomic_store_explicit(&ring->put, position + 1, memory_order_release);
  return true;
}

bool tac_ring_take(tacRing *ring, void *item) {
  uint64_t position = atomic_load_explicit(&ring->taken, memory_order_relaxed);
  if (position == atomic_load_explicit(&ring->put, memory_order_acquire)) return false;
  memcpy(item, slot(ring, position), ring->item_size);
  atomic_store_explicit(&ring->taken, position + 1, memory_order_release);
  return true;
}
