#include "app/cli/report/spectrum.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

void tac_spectrum_transform(int n, double *real, double *imaginary) {
  for (int i = 1, j = 0; i < n; ++i) { /* to bit-reversed order */
    int bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i >= j) continue;
    double swapped = real[i];
    real[i] = real[j];
    real[j] = swapped;
    swapped = imaginary[i];
    imaginary[i] = imaginary[j];
    imaginary[j] = swapped;
  }
  for (int half = 1; half < n; half *= 2) {
    for (int k = 0; k < half; ++k) {
      double angle = -pi * k / half, c = cos(angle), s = sin(angle);
      for (int i = k; i < n; i += 2 * half) {
        int j = i + half;
        double x = c * real[j] - s * imaginary[j], y = c * imaginary[j] + s * real[j];
        real[j] = real[i] - x;
        imaginary[j] = imaginary[i] - y;
        real[i] += x;
        imaginary[i] += y;
      }
    }
  }
}

void tac_spectrum_begin(tacArrays *arrays, int size, double rate, tacSpectrum *spectrum) {
  *spectrum = (tacSpectrum){.size = size, .rate = rate};
  double **own[] = {&spectrum->window, &spectrum->samples, &spectrum->real, &spectrum->imaginary, &spectrum->sum};
  for (int i = 0; i < 5; ++i) *own[i] = tac_arrays_add(arrays, (size_t)size, sizeof **own[i]);
  for (int i = 0; spectrum->window != NULL && i < size; ++i) spectrum->window[i] = 0.5 - 0.5 * cos(2.0 * pi * i / size);
}

static void add_segment(tacSpectrum *spectrum) {
  int n = spectrum->size;
  double mean = 0.0, weight = 0.0;
  for (int i = 0; i < n; ++i) mean += spectrum->samples[i] / n;
  for (int i = 0; i < n; ++i) {
    double w = spectrum->window[i];
    weight += w * w;
    spectrum->real[i] = w * (spectrum->samples[i] - mean);
    spectrum->imaginary[i] = 0.0;
  }
  tac_spectrum_transform(n, spectrum->real, spectrum->imaginary);
  for (int k = 0; k <= n / 2; ++k) {
    double re = spectrum->real[k], im = spectrum->imaginary[k];
    double sides = k == 0 || k == n / 2 ? 1.0 : 2.0;
    spectrum->sum[k] += sides * (re * re + im * im) / (spectrum->rate * weight);
  }
  ++spectrum->segments;
}

void tac_spectrum_push(tacSpectrum *spectrum, double sample) {
  spectrum->samples[spectrum->filled++] = sample;
  if (spectrum->filled < spectrum->size) return;
  add_segment(spectrum);
  int half = spectrum->size / 2;
  memmove(spectrum->samples, spectrum->samples + half, (size_t)half * sizeof *spectrum->samples);
  spectrum->filled = half;
}

double tac_spectrum_frequency(const tacSpectrum *spectrum, int bin) {
  return spectrum->rate * bin / spectrum->size;
}

double tac_spectrum_power(const tacSpectrum *spectrum, int bin) {
  return spectrum->segments > 0 ? spectrum->sum[bin] / spectrum->segments : 0.0;
}
