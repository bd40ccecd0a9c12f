/* The power of a signal over frequency: Welch 1967, with Hann windows that overlap by half and the mean of each removed. */
#pragma once

#include "base/memory/array.h"

/* In place, X_k = sum_j x_j exp(-2 pi i jk / n); `n` is a power of two. */
void tac_spectrum_transform(int n, double *real, double *imaginary);

/* Takes samples one after another and keeps only one window of them. */
typedef struct tacSpectrum {
  int size;     /* samples of a window, a power of two, at least 8 */
  double rate;  /* samples a second */
  int segments; /* windows so far */
  int filled;
  double *window, *samples, *real, *imaginary;
  double *sum; /* over the segments, [size / 2 + 1] */
} tacSpectrum;

/* Its windows are among `arrays`. */
void tac_spectrum_begin(tacArrays *arrays, int size, double rate, tacSpectrum *spectrum);
void tac_spectrum_push(tacSpectrum *spectrum, double sample);
/* Of bin 0 to size / 2: its frequency in Hz, and the one-sided density there in the signal's unit squared per Hz; 0 before the
 * first window is full. */
double tac_spectrum_frequency(const tacSpectrum *spectrum, int bin);
double tac_spectrum_power(const tacSpectrum *spectrum, int bin);
