#include "base/base64.h"

#include <string.h>
#include "test.h"

/* RFC 4648, section 10. */
TAC_TEST(agrees_with_published_values) {
  static const char *const cases[][2] = {{"", ""},
                                         {"f", "Zg=="},
                                         {"fo", "Zm8="},
                                         {"foo", "Zm9v"},
                                         {"foob", "Zm9vYg=="},
                                         {"fooba", "Zm9vYmE="},
                                         {"foobar", "Zm9vYmFy"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char buffer[32] = {0};
    FILE *stream = fmemopen(buffer, sizeof buffer, "w");
    ck_assert_ptr_nonnull(stream);
    tac_base64_write((const unsigned char *)cases[i][0], strlen(cases[i][0]), stream);
    fclose(stream);
    ck_assert_str_eq(buffer, cases[i][1]);
  }
}

TAC_TEST(uses_every_digit) {
  unsigned char bytes[48]; /* the numbers 0 to 63, six bits each */
  char buffer[80] = {0};
  for (int i = 0; i < 16; ++i) {
    unsigned group =
        (unsigned)(4 * i) << 18 | (unsigned)(4 * i + 1) << 12 | (unsigned)(4 * i + 2) << 6 | (unsigned)(4 * i + 3);
    for (int k = 0; k < 3; ++k) bytes[3 * i + k] = (unsigned char)(group >> (16 - 8 * k));
  }
  FILE *stream = fmemopen(buffer, sizeof buffer, "w");
  ck_assert_ptr_nonnull(stream);
  tac_base64_write(bytes, sizeof bytes, stream);
  fclose(stream);
  ck_assert_str_eq(buffer, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
}
