#include "base/memory/array.h"

#include <stdint.h>
#include <string.h>
#include "test.h"

TAC_TEST(new_arrays_are_zeroed) {
  TAC_MEMORY(int, items) = tac_array_create(1000, sizeof *items, "items", &error);
  ck_assert_ptr_nonnull(items);
  for (int i = 0; i < 1000; ++i) ck_assert_int_eq(items[i], 0);
}

TAC_TEST(an_empty_array_is_not_null) {
  TAC_MEMORY(void, items) = tac_array_create(0, 8, "items", NULL);
  ck_assert_ptr_nonnull(items);
}

TAC_TEST(sizes_that_overflow_are_memory_errors) {
  ck_assert_ptr_null(tac_array_create(SIZE_MAX / 4, 8, "items", &error));
  ck_assert_int_eq(error.status, TAC_ERR_MEMORY);
  void *items = NULL;
  size_t capacity = 0;
  ck_assert_int_eq(tac_array_reserve(&items, &capacity, SIZE_MAX / 4, 8, "items", &error), TAC_ERR_MEMORY);
  ck_assert_ptr_null(items);
  ck_assert_uint_eq(capacity, 0);
}

TAC_TEST(growing_keeps_the_items_and_is_amortised) {
  TAC_MEMORY(int, items) = NULL;
  size_t capacity = 0, growths = 0;
  for (size_t i = 0; i < 100000; ++i) {
    size_t before = capacity;
    ck_assert_int_eq(tac_array_reserve((void **)&items, &capacity, i + 1, sizeof *items, "items", NULL), TAC_OK);
    ck_assert_uint_ge(capacity, i + 1);
    growths += capacity != before;
    items[i] = (int)i;
  }
  for (size_t i = 0; i < 100000; ++i) ck_assert_int_eq(items[i], (int)i);
  ck_assert_uint_lt(growths, 30); /* log(100000 / 16) / log(1.5) = 21.6 */
}

TAC_TEST(texts_are_copied) {
  TAC_MEMORY(char, copy) = tac_array_text("liver", NULL);
  ck_assert_str_eq(copy, "liver");
}
