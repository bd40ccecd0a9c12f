#include "base/memory/arena.h"

#include <stdint.h>
#include <string.h>
#include "test.h"

static tacArena make_arena(size_t capacity) {
  tacArena arena;
  tac_test_ok(tac_arena_create(capacity, "tick", &arena, &error), error);
  return arena;
}

TAC_TEST(aligns_every_block) {
  unsigned char memory[4096];
  for (size_t shift = 0; shift < 64; shift += 7) {
    TAC_FREED(tac_arena_destroy, tacArena, arena) = tac_arena_over(memory + shift, sizeof memory - shift);
    for (size_t size = 1; size <= 256; size *= 2) {
      unsigned char *block = tac_arena_array(&arena, size, 3);
      ck_assert_ptr_nonnull(block);
      ck_assert_uint_eq((uintptr_t)block % TAC_ARENA_ALIGNMENT, 0);
    }
  }
}

TAC_TEST(blocks_do_not_overlap_and_stay_inside) {
  TAC_FREED(tac_arena_destroy, tacArena, arena) = make_arena(10000);
  unsigned char *blocks[200];
  int count = 0;
  for (;; ++count) {
    blocks[count] = tac_arena_array(&arena, (size_t)count + 1, 1);
    if (blocks[count] == NULL) break;
    memset(blocks[count], count, (size_t)count + 1);
  }
  ck_assert_int_gt(count, 90); /* 1 + 2 + ... + n with padding below 64 each is at most 10000 for n = 91 */
  for (int i = 0; i < count; ++i) {
    ck_assert(blocks[i] >= arena.base && blocks[i] + i + 1 <= arena.base + arena.capacity);
    for (int j = 0; j <= i; ++j) ck_assert_uint_eq(blocks[i][j], (unsigned char)i);
  }
}

TAC_TEST(a_full_arena_refuses_and_reports_the_sufficient_capacity) {
  TAC_FREED(tac_arena_destroy, tacArena, arena) = make_arena(1024);
  ck_assert_ptr_nonnull(tac_arena_array(&arena, 1000, 1));
  ck_assert_ptr_null(tac_arena_array(&arena, 2000, 1));
  ck_assert_ptr_null(tac_arena_array(&arena, 500, 1));
  ck_assert_uint_eq(arena.refused, 2);
  size_t needed = arena.most_wanted;
  tac_arena_reset(&arena);
  ck_assert_uint_eq(arena.most_wanted, needed);

  TAC_FREED(tac_arena_destroy, tacArena, large) = make_arena(needed);
  ck_assert_ptr_nonnull(tac_arena_array(&large, 1000, 1));
  ck_assert_ptr_nonnull(tac_arena_array(&large, 2000, 1));
  ck_assert_ptr_nonnull(tac_arena_array(&large, 500, 1));
  ck_assert_uint_eq(large.used, large.capacity);
}

TAC_TEST(a_smaller_block_still_fits_after_a_refusal) {
  TAC_FREED(tac_arena_destroy, tacArena, arena) = make_arena(256);
  ck_assert_ptr_null(tac_arena_array(&arena, 257, 1));
  ck_assert_ptr_nonnull(tac_arena_array(&arena, 256, 1));
}

TAC_TEST(releases_nest_and_give_the_same_memory_again) {
  TAC_FREED(tac_arena_destroy, tacArena, arena) = make_arena(4096);
  int *kept = tac_arena_array(&arena, 4, sizeof *kept);
  for (int i = 0; i < 4; ++i) kept[i] = i;
  tacArenaMark outer = tac_arena_mark(&arena);
  void *first = tac_arena_array(&arena, 100, 1);
  tacArenaMark inner = tac_arena_mark(&arena);
  void *second = tac_arena_array(&arena, 100, 1);
  tac_arena_release(&arena, inner);
  ck_assert_ptr_eq(tac_arena_array(&arena, 100, 1), second);
  tac_arena_release(&arena, outer);
  ck_assert_ptr_eq(tac_arena_array(&arena, 100, 1), first);
  for (int i = 0; i < 4; ++i) ck_assert_int_eq(kept[i], i);
  tac_arena_reset(&arena);
  ck_assert_ptr_eq(tac_arena_array(&arena, 1, 1), kept);
}

TAC_TEST(sizes_that_overflow_are_refused) {
  TAC_FREED(tac_arena_destroy, tacArena, arena) = make_arena(4096);
  tacArena none;
  ck_assert_ptr_nonnull(tac_arena_array(&arena, 100, 1));
  ck_assert_ptr_null(tac_arena_array(&arena, SIZE_MAX / 2, 4));
  ck_assert_ptr_null(tac_arena_array(&arena, SIZE_MAX, 1));
  ck_assert_ptr_null(tac_arena_array(&arena, SIZE_MAX - 64, 1));
  ck_assert_uint_eq(arena.refused, 3);
  ck_assert_ptr_nonnull(tac_arena_array(&arena, 100, 1));
  ck_assert_int_eq(tac_arena_create(SIZE_MAX, "all", &none, &error), TAC_ERR_MEMORY);
  tac_arena_destroy(&none);
}

TAC_TEST(an_empty_arena_refuses_everything) {
  TAC_FREED(tac_arena_destroy, tacArena, arena) = make_arena(0);
  ck_assert_ptr_null(tac_arena_array(&arena, 1, 1));
}
