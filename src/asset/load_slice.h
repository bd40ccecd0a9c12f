/* What bakes and poses ask of a slice: the internal side of <tactus/deformed_field.h>. */
#pragma once

#include <tactus/deformed_field.h>

/* Tick: the field of one column alone; -1: at rest. */
void tac_load_slice_set_column(tacLoadSlice *slice, int column);
/* All samples, as values have them to the last bit: [nz][ny][nx]. */
void tac_load_slice_samples(const tacLoadSlice *slice, float *samples);
