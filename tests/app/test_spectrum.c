#include "app/cli/report/spectrum.h"

#include <math.h>
#include <stdint.h>
#include "test.h"

static const double pi = 3.14159265358979323846;
enum { N = 256 };

static void fill(double *real, double *imaginary) {
  for (int i = 0; i < N; ++i) {
    real[i] = sin(0.3 * i * i) + 0.01 * i;
    imaginary[i] = cos(1.7 * i + 0.002 * i * i) - 0.4;
  }
}

TAC_TEST(transform_agrees_with_the_sum) {
  double real[N], imaginary[N], x[N], y[N];
  fill(x, y);
  fill(real, imaginary);
  tac_spectrum_transform(N, real, imaginary);
  for (int k = 0; k < N; ++k) {
    double re = 0.0, im = 0.0;
    for (int j = 0; j < N; ++j) {
      double angle = -2.0 * pi * (j * k % N) / N;
      re += x[j] * cos(angle) - y[j] * sin(angle);
      im += y[j] * cos(angle) + x[j] * sin(angle);
    }
    ck_assert_double_eq_tol(real[k], re, 1e-10);
    ck_assert_double_eq_tol(imaginary[k], im, 1e-10);
  }
}

TAC_TEST(transform_keeps_energy) {
  double real[N], imaginary[N], before = 0.0, after = 0.0;
  fill(real, imaginary);
  for (int i = 0; i < N; ++i) before += real[i] * real[i] + imaginary[i] * imaginary[i];
  tac_spectrum_transform(N, real, imaginary);
  for (int i = 0; i < N; ++i) after += real[i] * real[i] + imaginary[i] * imaginary[i];
  ck_assert_double_eq_tol(after / N, before, 1e-10 * before);
}

static double whole_power(const tacSpectrum *s, int from, int to) {
  double sum = 0.0;
  for (int k = from; k <= to; ++k) sum += tac_spectrum_power(s, k) * s->rate / s->size;
  return sum;
}

/* A sin(2 pi f t) has mean square A^2 / 2, all of it within two bins of f; its offset is no power. */
TAC_TEST(sine_peaks_at_its_frequency_with_its_power) {
  TAC_FREED(tac_arrays_free, tacArrays, arrays) = {0};
  tacSpectrum s;
  const double amplitude = 0.7, frequency = 125.0, rate = 1000.0;
  tac_spectrum_begin(&arrays, 1024, rate, &s);
  for (int i = 0; i < 10000; ++i) tac_spectrum_push(&s, 3.0 + amplitude * sin(2.0 * pi * frequency * i / rate));
  ck_assert_int_eq(s.segments, 1 + (10000 - 1024) / 512);
  int peak = 0;
  for (int k = 1; k <= 512; ++k)
    if (tac_spectrum_power(&s, k) > tac_spectrum_power(&s, peak)) peak = k;
  ck_assert_double_eq_tol(tac_spectrum_frequency(&s, peak), frequency, 1e-9);
  ck_assert_double_eq_tol(whole_power(&s, peak - 2, peak + 2), 0.5 * amplitude * amplitude, 1e-6);
  ck_assert_double_lt(tac_spectrum_power(&s, 0), 1e-20);
}

/* The integral over frequency is the variance, and white noise has the same density everywhere. */
TAC_TEST(white_noise_is_flat_with_its_variance) {
  TAC_FREED(tac_arrays_free, tacArrays, arrays) = {0};
  tacSpectrum s;
  tac_spectrum_begin(&arrays, 64, 1000.0, &s);
  uint64_t state = 1;
  int count = 200000;
  for (int i = 0; i < count; ++i) { /* uniform in [-1/2, 1/2]: variance 1/12 */
    state = state * 6364136223846793005u + 1442695040888963407u;
    tac_spectrum_push(&s, (double)(state >> 11) / 9007199254740992.0 - 0.5);
  }
  ck_assert_double_eq_tol(whole_power(&s, 0, 32), 1.0 / 12.0, 0.02 / 12.0);
  double low = whole_power(&s, 2, 15), high = whole_power(&s, 17, 30);
  ck_assert_double_eq_tol(low / high, 1.0, 0.03);
}
