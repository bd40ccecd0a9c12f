#include "mesh/text/number_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Powers of ten that a double holds exactly. */
static const double exact_power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                     1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

#define LONGEST_NUMBER 800
#define LARGEST_EXPONENT 1000000

__extension__ typedef unsigned __int128 Wide;

#define MOST_FIVES 27 /* 5^27 is the largest power below 2^64 */

/* The double nearest to mantissa * 10^exponent, for |exponent| <= 27: 10^k is 5^k 2^k, and 128 bits hold the product with 5^k
 * whole, or the quotient by 5^k to at least 64 bits with a remainder that says which side of it the number is on. */
static double convert_wide(uint64_t mantissa, int exponent) {
  int scale = exponent, fives = exponent < 0 ? -exponent : exponent;
  uint64_t power = 1;
  for (int i = 0; i < fives; ++i) power *= 5;
  int lead = __builtin_clzll(mantissa);
  mantissa <<= lead;
  scale -= lead;
  Wide value = (Wide)mantissa;
  bool rest = false;
  if (exponent >= 0) {
    value *= power;
  } else {
    value = (value << 64) / power;
    rest = value * power != (Wide)mantissa << 64;
    scale -= 64;
  }
  uint64_t high = (uint64_t)(value >> 64);
  int bits = high != 0 ? 128 - __builtin_clzll(high) : 64 - __builtin_clzll((uint64_t)value);
  int dropped = bits - 53;
  Wide half = (Wide)1 << (dropped - 1), low = value & (2 * half - 1);
  value >>= dropped;
  if (low > half || (low == half && (rest || (value & 1) != 0))) ++value;
  return ldexp((double)(uint64_t)value, scale + dropped);
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* digits * 10^exponent by strtod. Text without a decimal point means the same to strtod in every locale. */
static double convert_slowly(const char *digits, size_t digit_count, long exponent) {
  char text[LONGEST_NUMBER + 32];
  memcpy(text, digits, digit_count);
  snprintf(text + digit_count, sizeof text - digit_count, "e%ld", exponent);
  return strtod(text, NULL);
}

bool tac_number_text_double(const char *text, size_t length, double *value) {
  const char *at = text, *end = text + length;
  bool negative = at < end && *at == '-';
  if (at < end && (*at == '-' || *at == '+')) ++at;
  char digits[LONGEST_NUMBER];
  size_t digit_count = 0;
  uint64_t mantissa = 0; /* of the first 19 significant digits */
  int significant = 0;
  long exponent = 0;
  bool any = false, in_fraction = false;
  for (; at < end; ++at) {
    if (*at == '.' && !in_fraction) {
      in_fraction = true;
      continue;
    }
    if (!is_digit(*at)) break;
    any = true;
    if (in_fraction) --exponent;
    if (*at == '0' && significant == 0) continue;
    if (digit_count == LONGEST_NUMBER) return false;
    digits[digit_count++] = *at;
    if (++significant <= 19) mantissa = 10 * mantissa + (uint64_t)(*at - '0');
  }
  if (!any) return false;
  if (at < end && (*at == 'e' || *at == 'E' || *at == 'd' || *at == 'D')) {
    ++at;
    bool down = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) ++at;
    if (at == end || !is_digit(*at)) return false;
    long written = 0;
    for (; at < end && is_digit(*at); ++at)
      if (written < LARGEST_EXPONENT) written = 10 * written + (*at - '0');
    exponent += down ? -written : written;
  }
  if (at != end) return false;
  double magnitude = (double)mantissa;
  if (significant == 0)
    ; /* of either sign */
  else if (significant <= 19 && mantissa <= (UINT64_C(1) << 53) && exponent >= -22 && exponent <= 22)
    /* Both factors are exact, so that the one rounding gives the nearest double (Clinger, PLDI 1990). */
    magnitude = exponent < 0 ? magnitude / exact_power[-exponent] : magnitude * exact_power[exponent];
  else if (significant <= 19 && exponent >= -MOST_FIVES && exponent <= MOST_FIVES)
    magnitude = convert_wide(mantissa, (int)exponent);
  else
    magnitude = convert_slowly(digits, digit_count, exponent);
  *value = negative ? -magnitude : magnitude;
  return isfinite(*value);
}

bool tac_number_text_integer(const char *text, size_t length, int64_t *value) {
  const char *at = text, *end = text + length;
  bool negative = at < end && *at == '-';
  if (at < end && (*at == '-' || *at == '+')) ++at;
  if (at == end) return false;
  int64_t magnitude = 0;
  for (; at < end; ++at) {
    if (!is_digit(*at)) return false;
    if (magnitude > (INT64_MAX - 9) / 10) return false;
    magnitude = 10 * magnitude + (*at - '0');
  }
  *value = negative ? -magnitude : magnitude;
  return true;
}

size_t tac_number_text_print(double value, char text[TAC_NUMBER_TEXT_SIZE]) {
  size_t length = 0;
  for (int digits = 15; digits <= 17; digits += 2) {
    char printed[64];
    snprintf(printed, sizeof printed, "%.*g", digits, value);
    /* Whatever the locale's decimal point is, even of several bytes, becomes a point. */
    length = 0;
    for (const char *c = printed; *c != 0; ++c) {
      bool plain = (*c >= '0' && *c <= '9') || *c == '-' || *c == '+' || *c == 'e';
      if (plain || length == 0 || text[length - 1] != '.') text[length++] = plain ? *c : '.';
    }
    text[length] = 0;
    double back;
    if (tac_number_text_double(text, length, &back) && back == value) break;
  }
  return length;
}

void tac_number_text_write_point(FILE *stream, tacVec3 point) {
  char text[3 * TAC_NUMBER_TEXT_SIZE + 3];
  size_t length = tac_number_text_print(point.x, text);
  text[length++] = ' ';
  length += tac_number_text_print(point.y, text + length);
  text[length++] = ' ';
  length += tac_number_text_print(point.z, text + length);
  fwrite(text, 1, length, stream);
}
