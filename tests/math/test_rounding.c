/* What the compiler makes of (double)(float)x. gcc 12 for x86-64 drops the rounding of neighbours that it converts as a pair
 * (CMakeLists.txt keeps it from that): points of a pointshell, which are floats, then were compared with what they were before
 * they were rounded. */
#include <stdint.h>
#include <tactus/base.h>
#include "test.h"

enum { COUNT = 99 };

/* Of the 52 bits behind the point a float has 23. */
static bool is_float(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return (bits & ((UINT64_C(1) << 29) - 1)) == 0;
}

static void fill(double *x) {
  for (int i = 0; i < COUNT; ++i) x[i] = 1.0 / (2 * i + 3); /* no float among them */
}

static void check_floats(const double *x, int count) {
  for (int i = 0; i < count; ++i) ck_assert_msg(is_float(x[i]), "number %d of %d: %a is no float", i, count, x[i]);
}

static __attribute__((noinline)) void round_vectors(tacVec3 *v, int count) {
  for (int i = 0; i < count; ++i) v[i] = (tacVec3){(double)(float)v[i].x, (double)(float)v[i].y, (double)(float)v[i].z};
}

static __attribute__((noinline)) void round_each(double *x, int count) {
  for (int i = 0; i < count; ++i) x[i] = (double)(float)x[i];
}

static __attribute__((noinline)) void round_pairs(double *restrict to, const double *restrict from, int count) {
  for (int i = 0; i + 1 < count; i += 2) {
    to[i] = (double)(float)from[i];
    to[i + 1] = (double)(float)from[i + 1];
  }
}

static __attribute__((noinline)) void round_two(double *x) {
  for (int i = 0; i < 2; ++i) x[i] = (double)(float)x[i];
}

static __attribute__((noinline)) void round_through_memory(double *restrict x, float *restrict between, int count) {
  for (int i = 0; i < count; ++i) {
    between[i] = (float)x[i];
    x[i] = (double)between[i];
  }
}

TAC_TEST(rounding_gives_floats) {
  double x[COUNT], from[COUNT];
  float between[COUNT];
  tacVec3 v[COUNT / 3];
  fill(from);
  for (int i = 0; i < COUNT; ++i) ck_assert(!is_float(from[i]));
  for (int count = 1; count <= COUNT / 3; ++count) {
    memcpy(v, from, sizeof v);
    round_vectors(v, count);
    check_floats(&v[0].x, 3 * count);
  }
  for (int count = 1; count <= COUNT; ++count) {
    fill(x);
    round_each(x, count);
    check_floats(x, count);
    round_pairs(x, from, count);
    check_floats(x, count / 2 * 2);
    fill(x);
    round_through_memory(x, between, count);
    check_floats(x, count);
  }
  fill(x);
  round_two(x);
  check_floats(x, 2);
}
