/* The words that the tables of a scene's keys are written in. */
#pragma once

#include "spec/text/schema.h"

/* Ranges are wide: they catch a wrong unit or a slip of the keyboard, physics checks the rest. */
#define TAC_SMALLEST 1e-7 /* m */
#define TAC_LARGEST 1e4   /* m */

#define TAC_FIELD(type, member, ...) \
  { .key = #member, .offset = offsetof(type, member), __VA_ARGS__ }
/* The same for a member of a struct in the struct. */
#define TAC_INNER(type, inner, member, ...) \
  { .key = #member, .offset = offsetof(type, inner.member), __VA_ARGS__ }
#define TAC_QUANTITY(what, least, most) \
  .kind = TAC_FIELD_QUANTITY, .quantity = TAC_QUANTITY_##what, .lower = (least), .upper = (most)
#define TAC_LENGTH TAC_QUANTITY(LENGTH, TAC_SMALLEST, TAC_LARGEST)
#define TAC_VECTOR(what, most) \
  .kind = TAC_FIELD_QUANTITIES, .quantity = TAC_QUANTITY_##what, .count = 3, .lower = -(most), .upper = (most)
#define TAC_POINT TAC_VECTOR(LENGTH, TAC_LARGEST)
#define TAC_RANGE(what, lowest, highest) \
  .kind = TAC_FIELD_QUANTITIES, .quantity = TAC_QUANTITY_##what, .count = 2, .lower = (lowest), .upper = (highest)
#define TAC_TEXT .kind = TAC_FIELD_TEXT
#define TAC_NAME .kind = TAC_FIELD_NAME
#define TAC_FLAG .kind = TAC_FIELD_FLAG
#define TAC_COUNT(least, most) .kind = TAC_FIELD_COUNT, .lower = (least), .upper = (most)
#define TAC_CHOICE(list) .kind = TAC_FIELD_CHOICE, .words = (list)
#define TAC_RECORD(of) .kind = TAC_FIELD_RECORD, .record = &(of)
#define TAC_LIST(of) .kind = TAC_FIELD_LIST, .record = &(of)
#define TAC_GIVEN(type, member) .given = offsetof(type, member)
#define TAC_REQUIRED .required = true
#define TAC_TABLE(what, type, table) \
  .noun = (what), .size = sizeof(type), .fields = (table), .field_count = (int)(sizeof(table) / sizeof *(table))
