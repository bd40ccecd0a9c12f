/* How far away contact is at least, from the value of a field: what makes culling by it exact.
 *
 * Interpolated values are not quite distances: between samples they may change faster than the way. Let g(v) be the
 * largest gradient in the cells that hold the value v. Whoever goes straight from a point with the value D to one with
 * a negative value takes every value v between on the way, in a cell that holds it; hence the way is at least the
 * integral of dv / g(v) from 0 to D. The gradient's part along each axis is affine in the other two coordinates, so its
 * length is largest at one of a cell's 8 corners: g is exact, whatever the samples are. At sharp edges and where values
 * of the bake jump g is above 1, elsewhere near to it, so that little is lost: bins of values are about as wide as
 * voxels.
 *
 * Outside the grid's box values rise by the way from d_boundary (inequality 3.14), which is below all samples of the
 * faces: the bound holds there because g is taken to be 1 at least. Where d_boundary is negative there are negative
 * values beside the faces, so g is infinite for all values that the faces have. Analytic fields are distances, with
 * g = 1. Of a union, negative values are those of a part, and every part has this value or a larger one: g is the
 * largest of the parts. */
#pragma once

#include <tactus/distance_field.h>

enum { TAC_FIELD_REACH_BINS = 64 };

typedef struct tacFieldReach {
  double bin, per_metre;              /* m: width of one, and bins a metre */
  double at[TAC_FIELD_REACH_BINS];    /* m: the bound at the lower end of each bin; the last is for all above */
  double slope[TAC_FIELD_REACH_BINS]; /* 1 / g in each */
} tacFieldReach;

/* Load phase: passes over all samples once. */
tacFieldReach tac_field_reach(const tacDistanceField *field);

/* Tick. Points with negative values are at least so far away from one with this value; 0 where the value is not
 * positive. Never falls with the value. */
static inline double tac_field_reach_at(const tacFieldReach *reach, double value) {
  double beyond = value > 0.0 ? value : 0.0, place = beyond * reach->per_metre; /* no branches: none could be guessed */
  int bin = (int)(place < TAC_FIELD_REACH_BINS - 1 ? place : TAC_FIELD_REACH_BINS - 1);
  double way = reach->at[bin] + (beyond - bin * reach->bin) * reach->slope[bin];
  way = beyond > 0.0 ? way : 0.0;
  return way > 0.0 ? way : 0.0;
}
