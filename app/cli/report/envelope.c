#include "app/cli/report/envelope.h"

#include <math.h>
#include <stdbool.h>

void tac_envelope_begin(tacArrays *arrays, int64_t count, int columns, tacEnvelope *envelope) {
  *envelope = (tacEnvelope){.count = count, .columns = count < columns ? (int)count : columns};
  envelope->column = tac_arrays_add(arrays, (size_t)envelope->columns, sizeof *envelope->column);
  for (int i = 0; envelope->column != NULL && i < envelope->columns; ++i)
    envelope->column[i] = (tacEnvelopeColumn){0.0, 0.0, -1, -1};
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
