#include "app/cli/report/html_text.h"

#include <stdbool.h>
#include <string.h>

/* Bytes of the UTF-8 character at `s`, 0 where there is none (a surrogate, an overlong or cut one). */
static int character_size(const unsigned char *s) {
  int size = s[0] < 0x80 ? 1 : s[0] >> 5 == 6 ? 2 : s[0] >> 4 == 14 ? 3 : s[0] >> 3 == 30 ? 4 : 0;
  static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
  unsigned code = size == 1 ? s[0] : s[0] & (0x7Fu >> size);
  for (int i = 1; i < size; ++i) {
    if (s[i] >> 6 != 2) return 0;
    code = code << 6 | (s[i] & 0x3Fu);
  }
  return size > 0 && code >= least[size] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF) ? size : 0;
}

void tac_html_text(const char *text, FILE *stream) {
  static const char markup[] = "&<>\"\'";
  static const char *const escapes[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
  const unsigned char *s = (const unsigned char *)text;
  while (*s != '\0') {
    int size = character_size(s);
    bool control = size == 1 && (*s < 0x20 || *s == 0x7F) && *s != '\t' && *s != '\n';
    const char *found = size == 1 ? strchr(markup, *s) : NULL;
    if (size == 0 || control)
      fputs("\xEF\xBF\xBD", stream);
    else if (found != NULL)
      fputs(escapes[found - markup], stream);
    else
      fwrite(s, 1, (size_t)size, stream);
    s += size > 0 ? size : 1;
  }
}

void tac_html_between(const char *before, const char *text, const char *after, FILE *stream) {
  fputs(before, stream);
  tac_html_text(text, stream);
  fputs(after, stream);
}

void tac_html_vprint(FILE *stream, const char *format, va_list arguments) {
  char text[1024];
  vsnprintf(text, sizeof text, format, arguments);
  tac_html_text(text, stream);
}

void tac_html_print(FILE *stream, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  tac_html_vprint(stream, format, arguments);
  va_end(arguments);
}
