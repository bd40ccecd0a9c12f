/* A tick's record as columns of numbers: one table for all that go through its fields (file, CSV, comparison). */
#pragma once

#include <tactus/recording.h>

typedef enum tacRecordType { TAC_RECORD_F64, TAC_RECORD_I64, TAC_RECORD_I32, TAC_RECORD_U32 } tacRecordType;

typedef struct tacRecordColumn {
  const char *name, *unit; /* "output.force.x", "N"; unit "" where there is none */
  tacRecordType type;
  bool output;   /* of the world: a replay compares it */
  int tool;      /* -1: of the tick as a whole */
  size_t offset; /* in tacTickRecord */
} tacRecordColumn;

/* Columns of a record with that many tools: those of the tick, then tool by tool. */
int tac_record_column_count(int tool_count);
tacRecordColumn tac_record_column(int index);
size_t tac_record_column_size(const tacRecordColumn *column); /* bytes of a number: 8 or 4 */

/* The number's bits as they are, so that every NaN stays what it is. */
uint64_t tac_record_column_bits(const tacRecordColumn *column, const void *record);
void tac_record_column_set_bits(const tacRecordColumn *column, uint64_t bits, void *record);

/* The number as text that reads back as the same number, in any locale; "nan", "inf", "-inf". Returns its length. */
#define TAC_RECORD_COLUMN_TEXT_SIZE 32
size_t tac_record_column_print(const tacRecordColumn *column, const void *record,
                               char text[TAC_RECORD_COLUMN_TEXT_SIZE]);

/* Bytes of a record in memory: a tacTickRecord up to its last used tool. */
size_t tac_record_size(int tool_count);
