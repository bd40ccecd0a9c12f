#include "app/cli/report/axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Thousands from 10^-12 to 10^9. */
static const char *const prefixes[] = {"p", "n", "µ", "m", "", "k", "M", "G"};
enum { LOWEST = -4, HIGHEST = 3 };

/* Units that are squared or already carry a prefix in their definition take none. */
static bool takes_prefix(const char *unit) {
  return unit[0] != '\0' && strchr(unit, '%') == NULL && strstr(unit, "²") == NULL;
}

/* The exponent of a thousand with which |value| is in [1, 1000). */
static int thousands(double value) {
  if (value == 0.0 || !isfinite(value)) return 0;
  int k = (int)floor(log10(fabs(value)) / 3.0 + 1e-9);
  return k < LOWEST ? LOWEST : k > HIGHEST ? HIGHEST : k;
}

static double step_of(double span, int wanted) {
  double raw = span / wanted, power = pow(10.0, floor(log10(raw))), digit = raw / power;
  return power * (digit < 1.414 ? 1.0 : digit < 3.162 ? 2.0 : digit < 7.071 ? 5.0 : 10.0);
}

tacAxis tac_axis_linear(double from, double to, bool tight, int wanted, const char *unit) {
  if (!isfinite(to - from)) from = to = 0.0;
  if (!(to - from > 1e-12 * fmax(fabs(from), fabs(to)))) { /* a constant: room above and below */
    double room = from != 0.0 ? 0.5 * fabs(from) : 1.0;
    from -= room;
    to = from + 2.0 * room;
  }
  tacAxis axis = {.from = from, .to = to, .unit = unit, .step = step_of(to - from, wanted)};
  double first = tight ? ceil(from / axis.step - 1e-9) : floor(from / axis.step + 1e-9);
  double last = tight ? floor(to / axis.step + 1e-9) : ceil(to / axis.step - 1e-9);
  if (!tight) {
    axis.from = first * axis.step;
    axis.to = last * axis.step;
  }
  for (double i = first; i <= last && axis.tick_count < TAC_AXIS_MOST_TICKS; i += 1.0)
    axis.tick[axis.tick_count++] = fmin(fmax(i * axis.step, axis.from), axis.to);
  return axis;
}

tacAxis tac_axis_logarithmic(double from, double to, tacAxisLabels labels, const char *unit) {
  if (!(from > 0.0 && isfinite(from))) from = 1.0;
  if (!(to > from && isfinite(to))) to = 10.0 * from;
  tacAxis axis = {.from = from, .to = to, .logarithmic = true, .labels = labels, .unit = unit};
  double low = log10(from), high = log10(to);
  static const double digits[] = {1.0, 2.0, 5.0};
  int per_decade = high - low < 3.2 ? 3 : 1;
  double stride = ceil((high - low) / 9.0); /* decades between ticks */
  for (double e = floor(low / stride) * stride; e <= high + 1e-9; e += stride) {
    for (int k = 0; k < per_decade; ++k) {
      double tick = digits[k] * pow(10.0, e);
      if (tick >= from * (1.0 - 1e-9) && tick <= to * (1.0 + 1e-9) && axis.tick_count < TAC_AXIS_MOST_TICKS)
        axis.tick[axis.tick_count++] = fmin(fmax(tick, from), to);
    }
  }
  return axis;
}

double tac_axis_place(const tacAxis *axis, double value) {
  double at = axis->logarithmic
                  ? (value > 0.0 ? (log(value) - log(axis->from)) / (log(axis->to) - log(axis->from)) : 0.0)
                  : (value - axis->from) / (axis->to - axis->from);
  return at > 0.0 ? fmin(at, 1.0) : 0.0;
}

static int axis_thousands(const tacAxis *axis) {
  return takes_prefix(axis->unit) ? thousands(fmax(fabs(axis->from), fabs(axis->to))) : 0;
}

static tacText power_text(double value) {
  static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  tacText result;
  int exponent = (int)lround(log10(value)), size = exponent < 0 ? -exponent : exponent;
  snprintf(result.text, sizeof result.text, "10%s%s%s", exponent < 0 ? "⁻" : "",
           size >= 10 ? raised[size / 10 % 10] : "", raised[size % 10]);
  return result;
}

tacText tac_axis_label(const tacAxis *axis, int tick) {
  tacText result;
  double value = axis->tick[tick];
  if (axis->logarithmic && axis->labels == TAC_AXIS_POWERS) return power_text(value);
  if (axis->logarithmic && axis->unit[0] == '\0') {
    int k = value < 9999.5 ? 0 : thousands(value); /* 1,000, then 10k */
    snprintf(result.text, sizeof result.text, "%.32s%s", tac_text_count(llround(value / pow(1000.0, k))).text,
             prefixes[k - LOWEST]);
  } else if (axis->logarithmic) {
    int k = takes_prefix(axis->unit) ? thousands(value) : 0;
    snprintf(result.text, sizeof result.text, "%.3g %s%s", value / pow(1000.0, k), prefixes[k - LOWEST], axis->unit);
  } else {
    double scale = pow(1000.0, axis_thousands(axis));
    int decimals = (int)-floor(log10(axis->step / scale) + 1e-9);
    if (fabs(value) < 1e-9 * axis->step) value = 0.0;
    snprintf(result.text, sizeof result.text, "%s%.*f", value < 0.0 ? "−" : "", decimals < 0 ? 0 : decimals,
             fabs(value) / scale);
  }
  return result;
}

tacText tac_axis_unit(const tacAxis *axis) {
  tacText result = {""};
  if (axis->logarithmic && axis->labels == TAC_AXIS_PREFIXED) return result;
  int k = axis->logarithmic ? 0 : axis_thousands(axis);
  snprintf(result.text, sizeof result.text, "%s%s", prefixes[k - LOWEST], axis->unit);
  return result;
}

tacText tac_axis_value(double value, const char *unit) {
  tacText result;
  double rounded = value;
  if (value != 0.0 && isfinite(value)) { /* to three digits first, so that 999.9 µs becomes 1.00 ms */
    double power = pow(10.0, floor(log10(fabs(value))) - 2.0);
    rounded = round(value / power) * power;
  }
  int k = takes_prefix(unit) ? thousands(rounded) : 0;
  double scaled = fabs(rounded) / pow(1000.0, k);
  char number[48];
  if (scaled > 0.0 && (scaled < 0.01 || scaled >= 1e6))
    snprintf(number, sizeof number, "%.3g", scaled);
  else
    snprintf(number, sizeof number, "%.*f", scaled == 0.0 || scaled >= 99.95 ? 0 : scaled >= 9.995 ? 1 : 2, scaled);
  snprintf(result.text, sizeof result.text, "%s%s%s%s%s", rounded < 0.0 ? "−" : "", number, unit[0] != '\0' ? " " : "",
           prefixes[k - LOWEST], unit);
  return result;
}
