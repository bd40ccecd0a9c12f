/* An axis of a plot: its range, its ticks at round numbers, and their labels. */
#pragma once

#include <stdbool.h>
#include "base/text.h"

enum { TAC_AXIS_MOST_TICKS = 32 };

typedef enum tacAxisLabels {
  TAC_AXIS_PREFIXED, /* "200 µs" on a logarithmic axis; on a linear one the unit, with its prefix, is in the axis's name */
  TAC_AXIS_POWERS /* "10⁻³", the unit in the axis's name */
} tacAxisLabels;

typedef struct tacAxis {
  double from, to; /* from < to; positive where logarithmic */
  bool logarithmic;
  tacAxisLabels labels;
  const char *unit; /* "N"; "" for counts */
  int tick_count;
  double tick[TAC_AXIS_MOST_TICKS]; /* ascending, within [from, to] */
  double step;                      /* between ticks of a linear axis */
} tacAxis;

/* Ticks are 1, 2 or 5 times a power of ten apart, about `wanted` of them. The range is widened to whole steps, or with `tight`
 * kept as it is. Of a range that is empty or not finite something is made that can be drawn. */
tacAxis tac_axis_linear(double from, double to, bool tight, int wanted, const char *unit);
/* Ticks at powers of ten, and where there are few of them at 2 and 5 times these. The range is kept; `from` and `to` > 0. */
tacAxis tac_axis_logarithmic(double from, double to, tacAxisLabels labels, const char *unit);

/* Where a value lies: 0 at `from`, 1 at `to`; cut to [0, 1]. */
double tac_axis_place(const tacAxis *axis, double value);
tacText tac_axis_label(const tacAxis *axis, int tick);
/* The unit as it belongs in the axis's name: "mN" for a linear axis in thousandths, "" where labels carry the unit. */
tacText tac_axis_unit(const tacAxis *axis);

/* A value with three digits and its unit with an SI prefix: "6.10 µs"; without a unit plain. */
tacText tac_axis_value(double value, const char *unit);
