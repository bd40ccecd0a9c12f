#include "base/error.h"

#include <string.h>
#include "test.h"

TAC_TEST(setting_an_error_returns_its_status_and_formats_its_text) {
  ck_assert_int_eq(tac_error_set(&error, TAC_ERR_FORMAT, "%s:%d: bad", "a.obj", 7), TAC_ERR_FORMAT);
  ck_assert_int_eq(error.status, TAC_ERR_FORMAT);
  ck_assert_str_eq(error.text, "a.obj:7: bad");
}

TAC_TEST(an_absent_error_is_allowed) {
  ck_assert_int_eq(tac_error_set(NULL, TAC_ERR_FILE, "%d", 1), TAC_ERR_FILE);
  ck_assert_int_eq(tac_error_memory(NULL, 1, "x"), TAC_ERR_MEMORY);
}

TAC_TEST(long_text_is_cut_not_overrun) {
  char text[2 * TAC_ERROR_TEXT_SIZE];
  memset(text, 'x', sizeof text - 1);
  text[sizeof text - 1] = 0;
  tac_error_set(&error, TAC_ERR_FILE, "%s", text);
  ck_assert_uint_eq(strlen(error.text), TAC_ERROR_TEXT_SIZE - 1);
}

TAC_TEST(memory_errors_name_size_and_purpose) {
  tac_error_memory(&error, 12 * 1024 * 1024, "triangles");
  ck_assert_str_eq(error.text, "out of memory (12.0 MiB for triangles)");
}

TAC_TEST(every_status_has_its_own_name) {
  for (int i = TAC_OK; i <= TAC_ERR_CHECK; ++i) {
    ck_assert_str_ne(tac_status_name((tacStatus)i), "unknown");
    for (int j = TAC_OK; j < i; ++j) ck_assert_str_ne(tac_status_name((tacStatus)i), tac_status_name((tacStatus)j));
  }
  ck_assert_str_eq(tac_status_name((tacStatus)(TAC_ERR_CHECK + 1)), "unknown");
}
