#include "elastic/laws/hyper_law.h"

#include <math.h>

tacStatus tac_hyper_law_check(const tacHyperLaw *law, const double *parameters, tacError *error) {
  for (int i = 0; i < law->parameter_count; ++i) {
    const tacHyperParameter *q = &law->parameters[i];
    double value = parameters[i];
    if (isfinite(value) && (q->at_least ? value >= q->above : value > q->above) && value <= q->most) continue;
    const char *space = q->unit[0] != '\0' ? " " : "", *relation = q->at_least ? "at least" : "above";
    if (isfinite(q->above) && isfinite(q->most))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "%s: %s (%s) is %g%s%s; it must be %s %g and at most %g", law->name,
                           q->name, q->about, value, space, q->unit, relation, q->above, q->most);
    if (isfinite(q->above))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "%s: %s (%s) is %g%s%s; it must be finite and %s %g", law->name,
                           q->name, q->about, value, space, q->unit, relation, q->above);
    return tac_error_set(error, TAC_ERR_ARGUMENT, "%s: %s (%s) is %g%s%s; it must be finite", law->name, q->name,
                         q->about, value, space, q->unit);
  }
  return law->check != NULL ? law->check(parameters, error) : TAC_OK;
}

tacStatus tac_hyper_axes_check(const tacMat3 *axes, tacError *error) {
  static const char *const names[3] = {"fibre", "sheet", "normal"};
  const double tolerance = 1e-6;
  for (int a = 0; a < 3; ++a)
    for (int b = a; b < 3; ++b) {
      double dot = tac_vec3_dot(tac_mat3_column(*axes, a), tac_mat3_column(*axes, b)), right = a == b ? 1.0 : 0.0;
      if (fabs(dot - right) <= tolerance) continue;
      if (a == b)
        return tac_error_set(error, TAC_ERR_ARGUMENT,
                             "the %s axis has length %g; the axes of a material must have length 1", names[a],
                             sqrt(dot));
      return tac_error_set(error, TAC_ERR_ARGUMENT,
                           "the %s and %s axes have the dot product %g; the axes of a material must be orthogonal",
                           names[a], names[b], dot);
    }
  return TAC_OK;
}

tacMat3 tac_hyper_axes_right_handed(const tacMat3 *axes) {
  if (axes == NULL) return tac_mat3_identity();
  tacMat3 a = *axes;
  double sign = tac_mat3_det(a) < 0.0 ? -1.0 : 1.0;
  for (int i = 0; i < 3; ++i) a.m[i][2] *= sign;
  return a;
}
