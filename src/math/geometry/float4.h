/* Four floats at a time, by the compiler's vector extensions: SSE, NEON or whatever the machine has. */
#pragma once

#include <stdint.h>
#include <string.h>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

typedef float tacFloat4 __attribute__((vector_size(16)));
typedef int32_t tacInt4 __attribute__((vector_size(16)));

static inline tacFloat4 tac_float4(float x) {
  return (tacFloat4){x, x, x, x};
}
static inline tacFloat4 tac_float4_load(const float *p) {
  tacFloat4 v;
  memcpy(&v, p, sizeof v);
  return v;
}
/* Lanes of `a` where `mask` is all ones, of `b` where it is all zeros (as comparisons give them). */
static inline tacFloat4 tac_float4_select(tacInt4 mask, tacFloat4 a, tacFloat4 b) {
  return (tacFloat4)((mask & (tacInt4)a) | (~mask & (tacInt4)b));
}
static inline tacFloat4 tac_float4_abs(tacFloat4 a) {
  const int32_t all_but_sign = INT32_MAX;
  return (tacFloat4)((tacInt4)a & (tacInt4){all_but_sign, all_but_sign, all_but_sign, all_but_sign});
}
/* Negative lanes become zero. */
static inline tacFloat4 tac_float4_positive(tacFloat4 a) {
  return (tacFloat4)((tacInt4)a & (a > tac_float4(0.0f)));
}
/* Lanes of `a` where they are less (more), else of `b`, also where one is NaN: on x86 that is one instruction, which compilers do not see. */
static inline tacFloat4 tac_float4_min(tacFloat4 a, tacFloat4 b) {
#ifdef __SSE__
  return (tacFloat4)_mm_min_ps((__m128)a, (__m128)b);
#else
  return tac_float4_select(a < b, a, b);
#endif
}
static inline tacFloat4 tac_float4_max(tacFloat4 a, tacFloat4 b) {
#ifdef __SSE__
  return (tacFloat4)_mm_max_ps((__m128)a, (__m128)b);
#else
  return tac_float4_select(a > b, a, b);
#endif
}

static inline float tac_float4_least(tacFloat4 a) {
  a = tac_float4_min(a, __builtin_shufflevector(a, a, 2, 3, 0, 1));
  a = tac_float4_min(a, __builtin_shufflevector(a, a, 1, 0, 3, 2));
  return a[0];
}
/* Bit i is set where lane i of a comparison holds. */
static inline unsigned tac_int4_bits(tacInt4 mask) {
  mask &= (tacInt4){1, 2, 4, 8};
  mask |= __builtin_shufflevector(mask, mask, 2, 3, 0, 1);
  return (unsigned)(mask[0] | mask[1]);
}
