/* A bounded scanner over a file in memory: words and numbers of text, numbers of binary data, and errors that say where.
 *
 * Nothing in the file is trusted. Every failure is one line, "cube.msh:9: ..." in text and "cube.stl: byte 84: ..." in
 * binary data. Functions that return a status have set the error of the scanner where it is not TAC_OK. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <tactus/base.h>
#include "base/error.h"

typedef enum tacNumberType {
  TAC_NUMBER_I8,
  TAC_NUMBER_U8,
  TAC_NUMBER_I16,
  TAC_NUMBER_U16,
  TAC_NUMBER_I32,
  TAC_NUMBER_U32,
  TAC_NUMBER_I64,
  TAC_NUMBER_U64,
  TAC_NUMBER_F32,
  TAC_NUMBER_F64
} tacNumberType;

size_t tac_number_type_size(tacNumberType type);

typedef struct tacScanner {
  const char *name; /* of the file, for messages */
  const unsigned char *begin, *at, *end;
  const unsigned char *token;     /* start of the last word or number: where errors point */
  char comment;                   /* begins a comment that lasts to the end of the line; 0: none */
  char separator;                 /* counts as a blank; 0: none */
  bool by_line;                   /* words are sought in the current line only */
  bool binary, big_endian;        /* numbers are bytes */
  const struct tacScanner *outer; /* where this one scans a part of a file: errors point to the outer's token */
  const char *part;               /* and name the part */
  tacError *error;
} tacScanner;

typedef struct tacWord {
  const char *text; /* not terminated */
  size_t length;
} tacWord;

/* After a byte order mark, where there is one. */
tacScanner tac_scanner_begin(const char *name, const unsigned char *bytes, size_t size, tacError *error);
static inline size_t tac_scanner_left(const tacScanner *scanner) {
  return (size_t)(scanner->end - scanner->at);
}

/* Sets the error, with the place in front, and returns `status`. */
tacStatus tac_scanner_fail(const tacScanner *scanner, tacStatus status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* "expected ..., found "word"": TAC_ERR_FORMAT. */
tacStatus tac_scanner_expected(const tacScanner *scanner, tacWord found, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The line of the last word, from 1. */
int tac_scanner_line(const tacScanner *scanner);

/* Skips blanks, comments and, unless by_line, ends of lines. The word has length 0 at the end (of the line or file). */
tacWord tac_scanner_peek(tacScanner *scanner);
tacWord tac_scanner_word(tacScanner *scanner);
/* The rest of the line without blanks at its ends and without a comment. */
tacWord tac_scanner_rest_of_line(tacScanner *scanner);
bool tac_word_is(tacWord word, const char *text);
bool tac_word_is_nocase(tacWord word, const char *text);
/* A printable copy of a word for messages: cut, quoted, "the end of the file" where it is empty. */
typedef struct tacWordText {
  char text[64];
} tacWordText;
tacWordText tac_word_quote(const tacScanner *scanner, tacWord word);

bool tac_scanner_at_end(tacScanner *scanner);    /* after blanks, comments and empty lines */
void tac_scanner_skip_line(tacScanner *scanner); /* to the start of the next one */
/* Refuses anything but a comment before the end of the line, and goes to the next one that is not empty. */
tacStatus tac_scanner_end_line(tacScanner *scanner, const char *after_what);
tacStatus tac_scanner_expect(tacScanner *scanner, const char *word);

/* Numbers in text. `what` completes "expected ...". */
tacStatus tac_scanner_integer(tacScanner *scanner, const char *what, int64_t least, int64_t most, int64_t *value);
tacStatus tac_scanner_double(tacScanner *scanner, const char *what, double *value);
/* Numbers in text or, where `binary`, in bytes of the given type. Doubles are finite. */
tacStatus tac_scanner_value_integer(tacScanner *scanner, tacNumberType type, const char *what, int64_t least,
                                    int64_t most, int64_t *value);
tacStatus tac_scanner_value_double(tacScanner *scanner, tacNumberType type, const char *what, double *value);
/* Passes over a number, whatever its value. */
tacStatus tac_scanner_pass_value(tacScanner *scanner, tacNumberType type, const char *what);
tacStatus tac_scanner_point(tacScanner *scanner, tacNumberType type, tacVec3 *point);
/* Refuses binary data shorter than `count` items of `size` bytes. */
tacStatus tac_scanner_need(const tacScanner *scanner, uint64_t count, size_t size, const char *what);

/* Refuses a count of things that the rest of the file could not hold, at `least_bytes` for each, and counts beyond
 * INT_MAX: memory for them is then bounded by a small multiple of the file's size. */
tacStatus tac_scanner_check_count(const tacScanner *scanner, int64_t count, size_t least_bytes, const char *things);
