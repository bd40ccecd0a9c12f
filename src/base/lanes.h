/* How many numbers this processor computes at once, and kernels for each: a program is compiled for the oldest processors of
 * its architecture, and the loops that matter once more for newer ones. The choice is made when they are called, by one
 * number that is set before main: always the same on one machine, so that its bits are.
 *
 * A kernel is an always-inlined body `NAME_lanes(const int doubles, ...)` of which one copy each is compiled for 2, 4 and 8
 * doubles at a time (twice as many floats); `doubles` is a constant in each, so that a body may have another
 * arrangement for each. It returns nothing: results go through pointers.
 *
 *   TAC_LANES_BODY void add_lanes(const int doubles, int n, const double *x, double *y) { ... }
 *   TAC_LANES_KERNEL(static, add, (int n, const double *x, double *y), n, x, y)
 *
 * defines `static void add(int n, const double *x, double *y)`. On arm64 there is one copy: NEON is its baseline. */
#pragma once

#include <stdint.h>

/* In doubles. x86-64: 2 is its baseline (SSE2), 4 is x86-64-v3 (AVX2, FMA), 8 is x86-64-v4 (AVX-512). arm64: 2 (NEON). */
typedef enum { TAC_LANES_2 = 2, TAC_LANES_4 = 4, TAC_LANES_8 = 8 } tacLanes;

/* To be read by tac_lanes alone. */
extern tacLanes tac_lanes_chosen;

/* What kernels use: the most that the processor has, or TACTUS_LANES of the environment where that is less. */
static inline tacLanes tac_lanes(void) {
  return tac_lanes_chosen;
}
/* For tests and benchmarks, while nothing computes: at most `most` from now on. Returns what is used. */
tacLanes tac_lanes_limit(int most);

#define TAC_LANES_BODY static inline __attribute__((always_inline))

/* The widest vector: what begins at multiples of it, in steps of it, is read without touching two lines of the cache. */
enum { TAC_LANES_BYTES = 64 };
/* The next multiple: an array that is to begin there has TAC_LANES_BYTES more. */
static inline void *tac_lanes_align(void *at) {
  return (char *)at + (TAC_LANES_BYTES - (uintptr_t)at % TAC_LANES_BYTES) % TAC_LANES_BYTES;
}

#if defined(__x86_64__)
/* Features by name: inlining asks that a body has no feature that its copy lacks, which "arch=" would not tell. */
#define TAC_LANES_TARGET_4 __attribute__((target("avx,avx2,bmi,bmi2,fma,popcnt")))
#define TAC_LANES_FEATURES_8 "avx,avx2,bmi,bmi2,fma,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl"
#if defined(__clang__)
#define TAC_LANES_TARGET_8 __attribute__((target(TAC_LANES_FEATURES_8), min_vector_width(512)))
#else
#define TAC_LANES_TARGET_8 __attribute__((target(TAC_LANES_FEATURES_8 ",prefer-vector-width=512")))
#endif
#define TAC_LANES_KERNEL(linkage, name, parameters, ...)  \
  static void name##_on_2 parameters {                    \
    name##_lanes(2, __VA_ARGS__);                         \
  }                                                       \
  TAC_LANES_TARGET_4 static void name##_on_4 parameters { \
    name##_lanes(4, __VA_ARGS__);                         \
  }                                                       \
  TAC_LANES_TARGET_8 static void name##_on_8 parameters { \
    name##_lanes(8, __VA_ARGS__);                         \
  }                                                       \
  linkage void name parameters {                          \
    switch (tac_lanes()) {                                \
      case TAC_LANES_8: name##_on_8(__VA_ARGS__); break;  \
      case TAC_LANES_4: name##_on_4(__VA_ARGS__); break;  \
      default: name##_on_2(__VA_ARGS__);                  \
    }                                                     \
  }
#else
#define TAC_LANES_KERNEL(linkage, name, parameters, ...) \
  linkage void name parameters {                         \
    name##_lanes(2, __VA_ARGS__);                        \
  }
#endif
