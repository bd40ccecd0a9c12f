/* What bakes and poses ask of a slice: the internal side of <tactus/distance_field.h>. */
#pragma once

#include <tactus/distance_field.h>

/* The field for some loads. Load phase to make; refers to the field, which must outlive it. */
typedef struct tacLoadSlice tacLoadSlice;
tacStatus tac_load_slice_create(const tacLoadField *field, tacLoadSlice **slice, tacError *error); /* at rest */
void tac_load_slice_destroy(tacLoadSlice *slice);                                                  /* NULL is allowed */

/* d = d_rest + sum_i weight_i (d(x, node_i, size_i) - d_rest). A load in a triangle: three parts, whose weights are
 * those of its corners; several loads: all of theirs. Linear between sizes, rest being 0, and constant beyond the
 * last: continuous in weights and sizes. Deformations that are mixed should lie nearer to each other than the body
 * is thick. */
typedef struct tacLoadPart {
  int node;
  double size, weight;
} tacLoadPart;
void tac_load_slice_set(tacLoadSlice *slice, int count, const tacLoadPart *parts); /* tick */

/* Tick, any thread between sets. Trilinear in the grid's box; outside of it the larger of two bounds of the
 * distance, d(nearest place of the box) - d_box and d_box + d_boundary (Barbic 2007, 3.14): continuous. Infinite
 * where x is not finite. */
double tac_load_slice_value(const tacLoadSlice *slice, tacVec3 x);
void tac_load_slice_values(const tacLoadSlice *slice, int count, const tacVec3 *x, double *values);

/* The interpolant's gradient too. */
double tac_load_slice_gradient(const tacLoadSlice *slice, tacVec3 x, tacVec3 *gradient);

/* Tick: the field of one column alone; -1: at rest. */
void tac_load_slice_set_column(tacLoadSlice *slice, int column);
/* All samples, as values have them to the last bit: [nz][ny][nx]. */
void tac_load_slice_samples(const tacLoadSlice *slice, float *samples);
