/* Numbers of a mesh file, in text or in binary: in text those of a record are one line, with a space between them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <tactus/base.h>

typedef struct tacNumberWriter {
  FILE *stream;
  bool binary, big_endian;
  bool in_record; /* a number of this record is written */
} tacNumberWriter;

/* size: 1 to 8 bytes in binary. */
void tac_number_write_integer(tacNumberWriter *writer, size_t size, int64_t value);
/* Several, as a record. */
void tac_number_write_record(tacNumberWriter *writer, size_t size, int count, const int64_t *values);
void tac_number_write_point(tacNumberWriter *writer, tacVec3 point); /* three doubles */
void tac_number_end_record(tacNumberWriter *writer);                 /* the end of the line, in text */
