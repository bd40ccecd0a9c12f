#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

tacText tac_text_count(long long count) {
  char digits[32];
  tacText result;
  int length = snprintf(digits, sizeof digits, "%lld", count < 0 ? -count : count);
  int at = 0;
  if (count < 0) result.text[at++] = '-';
  for (int i = 0; i < length; ++i) {
    if (i > 0 && (length - i) % 3 == 0) result.text[at++] = ',';
    result.text[at++] = digits[i];
  }
  result.text[at] = '\0';
  return result;
}

/* A text of printf's kind. */
__attribute__((format(printf, 1, 2))) static tacText made(const char *format, ...) {
  tacText result;
  va_list values;
  va_start(values, format);
  vsnprintf(result.text, sizeof result.text, format, values);
  va_end(values);
  return result;
}

tacText tac_text_many(long long count, const char *noun) {
  static const char *const irregular[][2] = {{"vertex", "vertices"}, {"tetrahedron", "tetrahedra"}};
  size_t length = strlen(noun);
  const char *ending = count == 1 ? "" : "s";
  for (int i = 0; i < 2 && count != 1; ++i) {
    size_t tail = strlen(irregular[i][0]);
    if (length < tail || strcmp(noun + length - tail, irregular[i][0]) != 0) continue;
    length -= tail;
    ending = irregular[i][1];
  }
  return made("%.32s %.*s%s", tac_text_count(count).text, (int)length, noun, ending);
}

/* By how many thousands a number is to be divided, at most `most`, so that it is below `limit`. */
static int take_thousands(double *number, double limit, int most) {
  int unit = 0;
  for (; *number >= limit && unit < most; ++unit) *number /= 1000.0;
  return unit;
}

tacText tac_text_bytes(double bytes) {
  static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
  int unit = take_thousands(&bytes, 999.5, 4);
  return made("%.*f %s", unit > 0 && bytes < 99.95 ? 1 : 0, bytes, units[unit]);
}

tacText tac_text_seconds(double seconds) {
  if (seconds < 0.0995) return made("%.2g ms", seconds * 1e3);
  if (seconds < 60.0) return seconds < 10.0 ? made("%.2f s", seconds) : made("%.1f s", seconds);
  return made("%.0f min %.0f s", floor(seconds / 60.0), fmod(seconds, 60.0));
}

tacText tac_text_pressure(double pascals) {
  static const char *const units[] = {"Pa", "kPa", "MPa", "GPa"};
  int unit = take_thousands(&pascals, 1000.0, 3);
  return made("%.4g %s", pascals, units[unit]);
}

/* A unit, and from what size on a quantity is shown in it. */
typedef struct Unit {
  double from, size;
  const char *name;
} Unit;

/* Three or four digits without an exponent where the number allows it; zero in the first unit, what is small in the last. */
static tacText in_units(double value, const Unit units[3]) {
  double size = fabs(value);
  const Unit *unit = units;
  while (size != 0.0 && unit < units + 2 && !(size >= unit->from)) ++unit;
  return made("%.4g %s", value / unit->size, unit->name);
}

tacText tac_text_share(double share) {
  bool all = share > 1.0 - 1e-9, nearly = !all && share >= 0.99995;
  return nearly ? made("more than 99.99 %%") : made("%.4g %%", 100.0 * share);
}

tacText tac_text_length(double metres) {
  return in_units(metres, (const Unit[]){{1.0, 1.0, "m"}, {1e-3, 1e-3, "mm"}, {0.0, 1e-6, "µm"}});
}

tacText tac_text_written_length(double metres) {
  if (fabs(metres) >= 1.0) return made("%.4g m", metres);
  return fabs(metres) < 5e-8 ? made("0") : made("%.3g mm", metres * 1e3);
}

tacText tac_text_area(double square_metres) {
  return in_units(square_metres, (const Unit[]){{0.1, 1.0, "m²"}, {1e-5, 1e-4, "cm²"}, {0.0, 1e-6, "mm²"}});
}

tacText tac_text_volume(double cubic_metres) {
  return in_units(cubic_metres, (const Unit[]){{0.01, 1.0, "m³"}, {1e-7, 1e-6, "cm³"}, {0.0, 1e-9, "mm³"}});
}

tacText tac_text_size(tacBox box) {
  double x = box.upper.x - box.lower.x, y = box.upper.y - box.lower.y, z = box.upper.z - box.lower.z;
  double longest = fmax(x, fmax(y, z));
  double unit = longest >= 1.0 ? 1.0 : longest >= 1e-3 ? 1e-3 : 1e-6;
  const char *name = unit == 1.0 ? "m" : unit == 1e-3 ? "mm" : "µm";
  return made("%.4g × %.4g × %.4g %s", x / unit, y / unit, z / unit, name);
}
