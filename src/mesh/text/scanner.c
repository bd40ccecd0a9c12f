#include "mesh/text/scanner.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "base/files/input_file.h"
#include "mesh/text/byte_order.h"
#include "mesh/text/number_text.h"

size_t tac_number_type_size(tacNumberType type) {
  static const size_t sizes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
  return sizes[type];
}

tacScanner tac_scanner_begin(const char *name, const unsigned char *bytes, size_t size, tacError *error) {
  const unsigned char *at = bytes + tac_input_file_mark(bytes, size);
  return (tacScanner){.name = name, .begin = bytes, .at = at, .end = bytes + size, .token = at, .error = error};
}

int tac_scanner_line(const tacScanner *scanner) {
  int line = 1;
  for (const unsigned char *c = scanner->begin; c < scanner->token; ++c) line += *c == '\n';
  return line;
}

tacStatus tac_scanner_fail(const tacScanner *scanner, tacStatus status, const char *format, ...) {
  if (scanner->error == NULL) return status;
  char what[TAC_ERROR_TEXT_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  if (scanner->outer != NULL) return tac_scanner_fail(scanner->outer, status, "%s: %s", scanner->part, what);
  if (scanner->binary)
    return tac_error_set(scanner->error, status, "%s: byte %zu: %s", scanner->name,
                         (size_t)(scanner->token - scanner->begin), what);
  return tac_error_set(scanner->error, status, "%s:%d: %s", scanner->name, tac_scanner_line(scanner), what);
}

tacStatus tac_scanner_expected(const tacScanner *scanner, tacWord found, const char *format, ...) {
  char what[TAC_ERROR_TEXT_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  return tac_scanner_fail(scanner, TAC_ERR_FORMAT, "expected %s, found %s", what, tac_word_quote(scanner, found).text);
}

static bool is_blank(const tacScanner *scanner, unsigned char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || (c == (unsigned char)scanner->separator && c);
}

static void skip(tacScanner *scanner, bool by_line) {
  const unsigned char *at = scanner->at, *end = scanner->end;
  for (; at < end; ++at) {
    if (is_blank(scanner, *at)) continue;
    if (*at == (unsigned char)scanner->comment && *at != 0) {
      while (at < end && *at != '\n') ++at;
      if (at == end) break;
    }
    if (*at != '\n' || by_line) break;
  }
  scanner->at = at;
  scanner->token = at;
}

static tacWord peek(tacScanner *scanner, bool by_line) {
  skip(scanner, by_line);
  const unsigned char *at = scanner->at, *end = scanner->end;
  while (at < end && *at != '\n' && !is_blank(scanner, *at) && (*at != (unsigned char)scanner->comment || *at == 0))
    ++at;
  return (tacWord){(const char *)scanner->at, (size_t)(at - scanner->at)};
}

tacWord tac_scanner_peek(tacScanner *scanner) {
  return peek(scanner, scanner->by_line);
}

tacWord tac_scanner_word(tacScanner *scanner) {
  tacWord word = tac_scanner_peek(scanner);
  scanner->at += word.length;
  return word;
}

tacWord tac_scanner_rest_of_line(tacScanner *scanner) {
  skip(scanner, true);
  const unsigned char *first = scanner->at, *last = first;
  while (last < scanner->end && *last != '\n' && (*last != (unsigned char)scanner->comment || *last == 0)) ++last;
  scanner->at = last;
  while (last > first && is_blank(scanner, last[-1])) --last;
  return (tacWord){(const char *)first, (size_t)(last - first)};
}

bool tac_word_is(tacWord word, const char *text) {
  return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

bool tac_word_is_nocase(tacWord word, const char *text) {
  return word.length == strlen(text) && strncasecmp(word.text, text, word.length) == 0;
}

tacWordText tac_word_quote(const tacScanner *scanner, tacWord word) {
  tacWordText quoted = {{0}};
  if (word.length == 0) {
    snprintf(quoted.text, sizeof quoted.text, "%s",
             scanner->at < scanner->end ? "the end of the line" : "the end of the file");
    return quoted;
  }
  const size_t most = 40;
  size_t length = word.length < most ? word.length : most, at = 0;
  quoted.text[at++] = '"';
  for (size_t i = 0; i < length; ++i) quoted.text[at++] = isprint((unsigned char)word.text[i]) ? word.text[i] : '?';
  memcpy(quoted.text + at, word.length > most ? "...\"" : "\"", word.length > most ? 5 : 2);
  return quoted;
}

bool tac_scanner_at_end(tacScanner *scanner) {
  skip(scanner, false);
  return scanner->at == scanner->end;
}

void tac_scanner_skip_line(tacScanner *scanner) {
  const unsigned char *newline = memchr(scanner->at, '\n', tac_scanner_left(scanner));
  scanner->at = newline != NULL ? newline + 1 : scanner->end;
}

tacStatus tac_scanner_end_line(tacScanner *scanner, const char *after_what) {
  tacWord word = peek(scanner, true);
  if (word.length > 0) return tac_scanner_expected(scanner, word, "the end of the line after %s", after_what);
  tac_scanner_at_end(scanner);
  return TAC_OK;
}

tacStatus tac_scanner_expect(tacScanner *scanner, const char *text) {
  tacWord word = tac_scanner_word(scanner);
  if (tac_word_is(word, text)) return TAC_OK;
  return tac_scanner_expected(scanner, word, "%s", text);
}

tacStatus tac_scanner_integer(tacScanner *scanner, const char *what, int64_t least, int64_t most, int64_t *value) {
  tacWord word = tac_scanner_word(scanner);
  if (!tac_number_text_integer(word.text, word.length, value)) return tac_scanner_expected(scanner, word, "%s", what);
  if (*value < least || *value > most)
    return tac_scanner_fail(scanner, TAC_ERR_FORMAT, "expected %s from %" PRId64 " to %" PRId64 ", found %" PRId64,
                            what, least, most, *value);
  return TAC_OK;
}

tacStatus tac_scanner_double(tacScanner *scanner, const char *what, double *value) {
  tacWord word = tac_scanner_word(scanner);
  if (tac_number_text_double(word.text, word.length, value)) return TAC_OK;
  return tac_scanner_expected(scanner, word, "%s (a finite number)", what);
}

tacStatus tac_scanner_need(const tacScanner *scanner, uint64_t count, size_t size, const char *what) {
  if (count <= tac_scanner_left(scanner) / size) return TAC_OK;
  return tac_scanner_fail(scanner, TAC_ERR_FORMAT, "expected %" PRIu64 " x %zu bytes of %s, found %zu bytes", count,
                          size, what, tac_scanner_left(scanner));
}

/* The next bytes, or NULL with the error set. */
static const unsigned char *take_bytes(tacScanner *scanner, size_t size, const char *what) {
  scanner->token = scanner->at;
  if (tac_scanner_left(scanner) < size) {
    tac_scanner_fail(scanner, TAC_ERR_FORMAT, "expected %s, found the end of the data", what);
    return NULL;
  }
  scanner->at += size;
  return scanner->token;
}

tacStatus tac_scanner_value_integer(tacScanner *scanner, tacNumberType type, const char *what, int64_t least,
                                    int64_t most, int64_t *value) {
  if (!scanner->binary) return tac_scanner_integer(scanner, what, least, most, value);
  if (type == TAC_NUMBER_F32 || type == TAC_NUMBER_F64) {
    double number;
    TAC_TRY(tac_scanner_value_double(scanner, type, what, &number));
    if (!(fabs(number) < 9e15) || number != floor(number))
      return tac_scanner_fail(scanner, TAC_ERR_FORMAT, "expected %s, found %g", what, number);
    *value = (int64_t)number;
  } else {
    size_t size = tac_number_type_size(type);
    const unsigned char *bytes = take_bytes(scanner, size, what);
    if (bytes == NULL) return TAC_ERR_FORMAT;
    uint64_t bits = tac_bytes_load(bytes, size, scanner->big_endian);
    switch (type) {
      case TAC_NUMBER_I8: *value = (int8_t)bits; break;
      case TAC_NUMBER_I16: *value = (int16_t)bits; break;
      case TAC_NUMBER_I32: *value = (int32_t)bits; break;
      default: *value = (int64_t)bits; break; /* an unsigned 64-bit number of more than 63 bits turns negative */
    }
    if (type == TAC_NUMBER_U64 && *value < 0) *value = INT64_MAX;
  }
  if (*value < least || *value > most)
    return tac_scanner_fail(scanner, TAC_ERR_FORMAT, "expected %s from %" PRId64 " to %" PRId64 ", found %" PRId64,
                            what, least, most, *value);
  return TAC_OK;
}

tacStatus tac_scanner_value_double(tacScanner *scanner, tacNumberType type, const char *what, double *value) {
  if (!scanner->binary) return tac_scanner_double(scanner, what, value);
  if (type != TAC_NUMBER_F32 && type != TAC_NUMBER_F64) {
    int64_t integer;
    TAC_TRY(tac_scanner_value_integer(scanner, type, what, INT64_MIN, INT64_MAX, &integer));
    *value = (double)integer;
    return TAC_OK;
  }
  const unsigned char *bytes = take_bytes(scanner, tac_number_type_size(type), what);
  if (bytes == NULL) return TAC_ERR_FORMAT;
  *value = type == TAC_NUMBER_F32 ? (double)tac_bytes_load_float(bytes, scanner->big_endian)
                                  : tac_bytes_load_double(bytes, scanner->big_endian);
  if (isfinite(*value)) return TAC_OK;
  return tac_scanner_fail(scanner, TAC_ERR_FORMAT, "expected %s (a finite number), found %g", what, *value);
}

tacStatus tac_scanner_pass_value(tacScanner *scanner, tacNumberType type, const char *what) {
  if (scanner->binary) return take_bytes(scanner, tac_number_type_size(type), what) != NULL ? TAC_OK : TAC_ERR_FORMAT;
  tacWord word = tac_scanner_word(scanner);
  if (word.length > 0) return TAC_OK;
  return tac_scanner_expected(scanner, word, "%s", what);
}

tacStatus tac_scanner_point(tacScanner *scanner, tacNumberType type, tacVec3 *point) {
  TAC_TRY(tac_scanner_value_double(scanner, type, "an x coordinate", &point->x));
  TAC_TRY(tac_scanner_value_double(scanner, type, "a y coordinate", &point->y));
  return tac_scanner_value_double(scanner, type, "a z coordinate", &point->z);
}

tacStatus tac_scanner_check_count(const tacScanner *scanner, int64_t count, size_t least_bytes, const char *things) {
  if (count < 0)
    return tac_scanner_fail(scanner, TAC_ERR_FORMAT, "the number of %s is %" PRId64 "; it must be 0 or more", things,
                            count);
  if (count > INT_MAX)
    return tac_scanner_fail(scanner, TAC_ERR_UNSUPPORTED, "%" PRId64 " %s are too many; at most %d are supported",
                            count, things, INT_MAX);
  /* The last thing of a file needs no blank after it. */
  if ((uint64_t)count <= (tac_scanner_left(scanner) + 1) / least_bytes) return TAC_OK;
  return tac_scanner_fail(scanner, TAC_ERR_FORMAT, "%" PRId64 " %s need more than the %zu bytes that follow", count,
                          things, tac_scanner_left(scanner));
}
