#include "base/threads/ring.h"

#include <stdint.h>
#include "base/threads/thread.h"
#include "test.h"

TAC_TEST(items_keep_their_order_and_none_is_lost) {
  tacRing *ring;
  tac_test_ok(tac_ring_create(3, sizeof(int), &ring, &error), error); /* holds 4 */
  int item, next = 0, expected = 0;
  for (int round = 0; round < 10; ++round) {
    while (!tac_ring_full(ring)) ck_assert(tac_ring_put(ring, &(int){next++}));
    ck_assert(!tac_ring_put(ring, &(int){-1}));
    ck_assert_int_eq(next - expected, 4);
    for (int i = 0; i < 1 + round % 4; ++i) {
      ck_assert(tac_ring_take(ring, &item));
      ck_assert_int_eq(item, expected++);
    }
  }
  while (tac_ring_take(ring, &item)) ck_assert_int_eq(item, expected++);
  ck_assert_int_eq(expected, next);
  tac_ring_destroy(ring);
  tac_ring_destroy(NULL);
}

enum { ITEMS = 100000 };
typedef struct Item {
  uint64_t number, square;
} Item;

static void put_all(void *context) {
  for (uint64_t i = 0; i < ITEMS;)
    if (tac_ring_put(context, &(Item){i, i * i})) ++i;
}

/* Items are whole and in order when two threads share the ring. */
TAC_TEST(two_threads_may_share_it) {
  TAC_OWN(tacRing, ring) = NULL;
  tacThread thread;
  tac_test_ok(tac_ring_create(64, sizeof(Item), &ring, &error), error);
  tacThreadDef def = tac_thread_def_default();
  tac_test_ok(tac_thread_create(&def, put_all, ring, &thread, &error), error);
  for (uint64_t expected = 0; expected < ITEMS;) {
    Item item;
    if (!tac_ring_take(ring, &item)) continue;
    ck_assert_uint_eq(item.number, expected);
    ck_assert_uint_eq(item.square, expected * expected);
    ++expected;
  }
  tac_thread_join(&thread);
}
