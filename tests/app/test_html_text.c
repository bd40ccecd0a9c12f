#include "app/cli/report/html_text.h"

#include <string.h>
#include "test.h"

static const char *escaped(const char *text, char *buffer, size_t size) {
  memset(buffer, 0, size);
  FILE *stream = fmemopen(buffer, size, "w");
  ck_assert_ptr_nonnull(stream);
  tac_html_text(text, stream);
  fclose(stream);
  return buffer;
}

TAC_TEST(markup_becomes_text) {
  char b[256];
  ck_assert_str_eq(escaped("<script>alert('x & \"y\"')</script>", b, sizeof b),
                   "&lt;script&gt;alert(&#39;x &amp; &quot;y&quot;&#39;)&lt;/script&gt;");
  ck_assert_str_eq(escaped("&lt;", b, sizeof b), "&amp;lt;");
  ck_assert_str_eq(escaped("", b, sizeof b), "");
}

TAC_TEST(characters_of_other_scripts_stay) {
  char b[256];
  ck_assert_str_eq(escaped("µm ² niere 腎臓 😀\tx\n", b, sizeof b), "µm ² niere 腎臓 😀\tx\n");
}

#define REPLACED "\xEF\xBF\xBD"
TAC_TEST(broken_text_is_replaced) {
  char b[256];
  ck_assert_str_eq(escaped("a\x01\x7F"
                           "b",
                           b, sizeof b),
                   "a" REPLACED REPLACED "b");
  ck_assert_str_eq(escaped("\xFF<", b, sizeof b), REPLACED "&lt;");
  ck_assert_str_eq(escaped("\xC0\xBCscript>", b, sizeof b), REPLACED REPLACED "script&gt;"); /* an overlong '<' */
  ck_assert_str_eq(escaped("\xED\xA0\x80", b, sizeof b), REPLACED REPLACED REPLACED);        /* a surrogate */
  ck_assert_str_eq(escaped("\xE2\x82", b, sizeof b), REPLACED REPLACED);                     /* cut short */
}
