#include "app/cli/report/envelope.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include "base/memory/array.h"

tacStatus tac_envelope_create(int64_t count, int columns, tacEnvelope *envelope, tacError *error) {
  *envelope = (tacEnvelope){.count = count, .columns = count < columns ? (int)count : columns};
  envelope->column = tac_array_create((size_t)envelope->columns, sizeof *envelope->column, "a plot's columns", error);
  if (envelope->column == NULL) return TAC_ERR_MEMORY;
  for (int i = 0; i < envelope->columns; ++i) envelope->column[i] = (tacEnvelopeColumn){0.0, 0.0, -1, -1};
  return TAC_OK;
}

void tac_envelope_free(tacEnvelope *envelope) {
  free(envelope->column);
  *envelope = (tacEnvelope){0};
}

void tac_envelope_add(tacEnvelope *envelope, int64_t index, double value) {
  if (!isfinite(value) || index < 0 || index >= envelope->count) return;
  int at = (int)((double)index * envelope->columns / (double)envelope->count);
  tacEnvelopeColumn *column = &envelope->column[at < envelope->columns ? at : envelope->columns - 1];
  if (column->low_at < 0 || value < column->low) {
    column->low = value;
    column->low_at = index;
  }
  if (column->high_at < 0 || value > column->high) {
    column->high = value;
    column->high_at = index;
  }
}

int tac_envelope_points(const tacEnvelope *envelope, double scale, double *x, double *y) {
  int count = 0;
  for (int i = 0; i < envelope->columns; ++i) {
    const tacEnvelopeColumn *column = &envelope->column[i];
    if (column->low_at < 0) continue;
    bool low_first = column->low_at < column->high_at;
    x[count] = scale * (double)(low_first ? column->low_at : column->high_at);
    y[count++] = low_first ? column->low : column->high;
    if (column->low_at == column->high_at) continue;
    x[count] = scale * (double)(low_first ? column->high_at : column->low_at);
    y[count++] = low_first ? column->high : column->low;
  }
  return count;
}
