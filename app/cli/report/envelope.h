/* A long series in few columns, each with its smallest and largest value, so that a drawing of it loses no peak. */
#pragma once

#include <stdint.h>
#include "base/memory/array.h"

typedef struct tacEnvelopeColumn {
  double low, high;
  int64_t low_at, high_at; /* indices; -1 where the column is empty */
} tacEnvelopeColumn;

typedef struct tacEnvelope {
  int64_t count; /* indices run from 0 to count - 1 */
  int columns;
  tacEnvelopeColumn *column;
} tacEnvelope;

/* At most `columns`; fewer where the series is shorter. `count` > 0. Its columns are among `arrays`. */
void tac_envelope_begin(tacArrays *arrays, int64_t count, int columns, tacEnvelope *envelope);
/* What is not finite or lies outside is left out. */
void tac_envelope_add(tacEnvelope *envelope, int64_t index, double value);
/* At most two points a column, in the order in which they came: x[i] is an index times `scale`. Returns how many. */
int tac_envelope_points(const tacEnvelope *envelope, double scale, double *x, double *y);
