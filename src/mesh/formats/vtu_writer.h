/* Writes an UnstructuredGrid of VTK's XML format (.vtu) with one piece: its arrays in text, or raw and little-endian behind the tags,
 * each behind its size as 8 bytes. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <tactus/base.h>

/* An array of points or integers. Those of the sections Points and Cells have the names that VTK asks for. */
typedef struct tacVtuField {
  const char *section;       /* Points, Cells, PointData or CellData: in this order */
  const char *prefix, *name; /* one after the other; other characters than letters, digits, -, . and _ as %XX */
  int64_t count;
  int size; /* bytes of an integer: 1 (UInt8), 4 (Int32) or 8 (Int64) */
  const void *source;
  /* One of them, the other is NULL; asked for 0, 1, 2 ... in order. */
  tacVec3 (*point)(const void *source, int64_t i);
  int64_t (*integer)(const void *source, int64_t i);
} tacVtuField;

void tac_vtu_write_grid(FILE *stream, bool binary, int64_t point_count, int64_t cell_count, int field_count,
                        const tacVtuField *fields);
