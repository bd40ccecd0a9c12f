/* e^x and ln x without a call, a branch or a table, so that compilers take several numbers at a time (base/lanes.h). Where products
 * are not fused they have the same bits on every machine, at every width. Safe in a tick. */
#pragma once

#include <stdint.h>
#include <string.h>

/* ln 2, its first part with so few digits that times an exponent it is exact (fdlibm). */
#define TAC_LN2_HIGH 6.93147180369123816490e-01
#define TAC_LN2_LOW 1.90821492927058770002e-10

static inline uint64_t tac_elementary_bits(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline double tac_elementary_double(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* To 1 ulp; x is held in [-700, 700]; NaN stays. With x = n ln 2 + r, |r| <= ln 2 / 2: 2^n times the series of e^r, whose first term
 * that is left out is below 5e-18. */
static inline double tac_elementary_exp(double x) {
  const double shift = 6755399441055744.0; /* 1.5 2^52: what is added to it is rounded to an integer, its last bits */
  x = x < -700.0 ? -700.0 : x;
  x = x > 700.0 ? 700.0 : x;
  double shifted = x * 1.44269504088896338700 + shift, n = shifted - shift;
  double high = x - n * TAC_LN2_HIGH, r = high - n * TAC_LN2_LOW;
  /* Two series, of even and of odd places: half the time that one takes to pass through. */
  double s = r * r;
  double even = 1.0 / 24.0 + s * (1.0 / 720.0 + s * (1.0 / 40320.0 + s * (1.0 / 3628800.0 + s * (1.0 / 479001600.0))));
  double odd =
      1.0 / 6.0 +
      s * (1.0 / 120.0 + s * (1.0 / 5040.0 + s * (1.0 / 362880.0 + s * (1.0 / 39916800.0 + s * (1.0 / 6227020800.0)))));
  double rest = s * (0.5 + (r * odd + s * even)); /* e^r - 1 - r */
  double scale = tac_elementary_double((tac_elementary_bits(shifted) + 1023) << 52);
  return (1.0 + (r + rest)) * scale;
}

/* To 1 ulp; x > 0 and not below 1e-300; of NaN and infinity NaN. With x = 2^k (1 + f), 1 + f from sqrt(1/2) to sqrt(2), and
 * s = f / (2 + f): ln(1 + f) = f - f^2 / 2 + s (f^2 / 2 + R(s^2)), R as fdlibm has it. */
static inline double tac_elementary_log(double x) {
  const uint64_t root = UINT64_C(0x3fe6a09e667f3bcd); /* bits of sqrt(1/2) */
  uint64_t bits = tac_elementary_bits(x) + (UINT64_C(0x3ff0000000000000) - root);
  /* the exponent as a double: below the digits of 2^52 */
  double k = tac_elementary_double((bits >> 52) | UINT64_C(0x4330000000000000)) - (4503599627370496.0 + 1023.0);
  double f = tac_elementary_double((bits & UINT64_C(0x000fffffffffffff)) + root) - 1.0;
  double s = f / (2.0 + f), z = s * s, w = z * z, half = 0.5 * f * f;
  double even = w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
  double odd = z * (6.666666666666735130e-01 +
                    w * (2.857142874366239149e-01 + w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
  double low = s * (half + (odd + even)) + k * TAC_LN2_LOW;
  return k * TAC_LN2_HIGH - ((half - low) - f) + (x - x);
}
