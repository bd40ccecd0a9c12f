/* Text in a page: what has a meaning in HTML is escaped, inside elements and inside quoted attributes alike. */
#pragma once

#include <stdarg.h>
#include <stdio.h>

/* Control characters other than tab and newline, and bytes that are not UTF-8, become U+FFFD. */
void tac_html_text(const char *text, FILE *stream);
/* `before` and `after` as they are, the text between them. */
void tac_html_between(const char *before, const char *text, const char *after, FILE *stream);
/* The same for a formatted text, of which the first 1023 bytes are kept. */
void tac_html_print(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));
void tac_html_vprint(FILE *stream, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));
