/* A line of a table in text, as spreadsheets and people write it: columns with commas, semicolons or tabs between
 * them, or blanks alone. Each line has one of these. Decimals have a point: a comma that may be one is refused. */
#pragma once

#include "mesh/text/scanner.h"

#define TAC_TABLE_LINE_MOST 16

typedef struct tacTableLine {
  int count;
  tacWord columns[TAC_TABLE_LINE_MOST]; /* without blanks around them; empty where nothing is between two separators */
} tacTableLine;

/* Reads the line that the scanner is in, which is not empty, and goes to the next one that is not. */
tacStatus tac_table_line_read(tacScanner *scanner, tacTableLine *line);
/* Whether it begins with a word: such a first line says what the columns are. */
bool tac_table_line_is_head(const tacTableLine *line);
/* Refuses other names than these, in this order, whatever their case. */
tacStatus tac_table_line_check_head(tacScanner *scanner, const tacTableLine *line, const char *const *names);
/* The number in a column; `what` completes "expected ...". */
tacStatus tac_table_line_double(tacScanner *scanner, const tacTableLine *line, int column, const char *what,
                                double *value);
