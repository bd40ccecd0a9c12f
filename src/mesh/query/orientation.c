/* A determinant is computed in double precision first and is believed where it exceeds a bound of its rounding error.
 * Elsewhere it is summed exactly, as an expansion: a sum of doubles that do not overlap, in increasing magnitude, so that
 * the last one has the sign of the whole. (T. J. Dekker 1971; J. R. Shewchuk 1997.) */
#include "mesh/query/orientation.h"

#include <float.h>
#include "math/geometry/vec3.h"

/* 6 products of three differences, each of two parts: 48 products of three doubles, each of at most four parts. */
enum { MOST_PARTS = 6 * 8 * 4 };

typedef struct Expansion {
  int count;
  double parts[MOST_PARTS];
} Expansion;

/* sum + error == a + b */
static double sum_exactly(double a, double b, double *error) {
  double sum = a + b, b_part = sum - a, a_part = sum - b_part;
  *error = (a - a_part) + (b - b_part);
  return sum;
}

static double multiply_exactly(double a, double b, double *error) {
  double product = a * b;
  *error = fma(a, b, -product);
  return product;
}

static void expansion_add(Expansion *e, double x) {
  int kept = 0;
  for (int i = 0; i < e->count; ++i) {
    double error;
    x = sum_exactly(x, e->parts[i], &error);
    if (error != 0.0) e->parts[kept++] = error;
  }
  if (x != 0.0) e->parts[kept++] = x;
  e->count = kept;
}

static int expansion_sign(const Expansion *e) {
  if (e->count == 0) return 0;
  return e->parts[e->count - 1] > 0.0 ? 1 : -1;
}

static void add_product(Expansion *e, double a, double b, double c) {
  double low, low_low, high_low;
  double high = multiply_exactly(a, b, &low);
  double high_high = multiply_exactly(high, c, &high_low);
  double low_high = multiply_exactly(low, c, &low_low);
  expansion_add(e, low_low);
  expansion_add(e, low_high);
  expansion_add(e, high_low);
  expansion_add(e, high_high);
}

/* A difference of two doubles, exact as the sum of its parts. */
typedef struct Difference {
  double part[2];
} Difference;

static Difference subtract_exactly(double a, double b) {
  Difference d;
  d.part[0] = sum_exactly(a, -b, &d.part[1]);
  return d;
}

static void add_product_of_differences(Expansion *e, double sign, Difference a, Difference b, Difference c) {
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      for (int k = 0; k < 2; ++k) {
        if (a.part[i] != 0.0 && b.part[j] != 0.0 && c.part[k] != 0.0)
          add_product(e, sign * a.part[i], b.part[j], c.part[k]);
      }
    }
  }
}

static int exact_orientation_of_tet(tacVec3 a, tacVec3 b, tacVec3 c, tacVec3 d) {
  const tacVec3 corners[3] = {b, c, d};
  Difference m[3][3];
  for (int i = 0; i < 3; ++i) {
    m[i][0] = subtract_exactly(corners[i].x, a.x);
    m[i][1] = subtract_exactly(corners[i].y, a.y);
    m[i][2] = subtract_exactly(corners[i].z, a.z);
  }
  Expansion e = {0};
  for (int i = 0; i < 3; ++i) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    add_product_of_differences(&e, 1.0, m[0][i], m[1][j], m[2][k]);
    add_product_of_differences(&e, -1.0, m[0][i], m[1][k], m[2][j]);
  }
  return expansion_sign(&e);
}

int tac_orientation_of_tet(tacVec3 a, tacVec3 b, tacVec3 c, tacVec3 d) {
  tacVec3 u = tac_vec3_sub(b, a), v = tac_vec3_sub(c, a), w = tac_vec3_sub(d, a);
  double determinant = tac_vec3_dot(tac_vec3_cross(u, v), w);
  double magnitude = (fabs(u.y * v.z) + fabs(u.z * v.y)) * fabs(w.x) + (fabs(u.z * v.x) + fabs(u.x * v.z)) * fabs(w.y) +
                     (fabs(u.x * v.y) + fabs(u.y * v.x)) * fabs(w.z);
  /* Each term passes at most eight roundings: three differences, two products, three sums. */
  double bound = 8.0 * DBL_EPSILON * magnitude;
  if (determinant > bound) return 1;
  if (determinant < -bound) return -1;
  return magnitude == 0.0 ? 0 : exact_orientation_of_tet(a, b, c, d);
}

int tac_orientation_of_triangle(const double a[2], const double b[2], const double c[2]) {
  double ux = b[0] - a[0], uy = b[1] - a[1], vx = c[0] - a[0], vy = c[1] - a[1];
  double determinant = ux * vy - uy * vx, magnitude = fabs(ux * vy) + fabs(uy * vx);
  double bound = 4.0 * DBL_EPSILON * magnitude;
  if (determinant > bound) return 1;
  if (determinant < -bound) return -1;
  if (magnitude == 0.0) return 0;
  Difference one = {{1.0, 0.0}};
  Expansion e = {0};
  add_product_of_differences(&e, 1.0, subtract_exactly(b[0], a[0]), subtract_exactly(c[1], a[1]), one);
  add_product_of_differences(&e, -1.0, subtract_exactly(b[1], a[1]), subtract_exactly(c[0], a[0]), one);
  return expansion_sign(&e);
}
