#include "kinds/vademecum/load_terms.h"

#include "math/geometry/vec3.h"

static bool any_direction(const tacLoadTerms *terms) {
  return tac_vec3_norm2(terms->direction) == 0.0;
}

int tac_load_terms_count(const tacLoadTerms *terms) {
  int p = terms->degree;
  if (any_direction(terms)) return (p + 1) * (p + 2) * (p + 3) / 6 - 1;
  return 2 + p;
}

void tac_load_terms_values(const tacLoadTerms *terms, tacVec3 t, double *values) {
  if (!any_direction(terms)) {
    double l = tac_vec3_dot(terms->direction, t), power = l;
    *values++ = t.x;
    *values++ = t.y;
    *values++ = t.z;
    for (int p = 2; p <= terms->degree; ++p) *values++ = power *= l;
    return;
  }
  double x[TAC_LOAD_MOST_DEGREE + 1] = {1.0}, y[TAC_LOAD_MOST_DEGREE + 1] = {1.0}, z[TAC_LOAD_MOST_DEGREE + 1] = {1.0};
  for (int p = 1; p <= terms->degree; ++p) {
    x[p] = x[p - 1] * t.x;
    y[p] = y[p - 1] * t.y;
    z[p] = z[p - 1] * t.z;
  }
  for (int p = 1; p <= terms->degree; ++p)
    for (int a = p; a >= 0; --a)
      for (int b = p - a; b >= 0; --b) *values++ = x[a] * y[b] * z[p - a - b];
}
