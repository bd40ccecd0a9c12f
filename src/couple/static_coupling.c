#include <math.h>
#include <string.h>
#include "couple/trocar.h"

/* The secant leads to the device in directions that nothing resists, however little saturation leaves of it: what 4.10 asks of
 * degenerate directions. */
void tac_static_coupling_equation(const tacCouplingDef *def, const tacGrasp *device, const tacGrasp *body,
                                  double matrix[6][6], double load[6]) {
  double toward[6];
  tac_coupling_toward(body, device, toward);
  tac_coupling_secant(def, body, device, matrix);
  if (def->trocar) { /* turns across the shaft are the pivot's */
    tacWrench w = tac_coupling_wrench(def, body, device, NULL);
    memcpy(load, (double[6]){w.force.x, w.force.y, w.force.z, w.torque.x, w.torque.y, w.torque.z}, 6 * sizeof *load);
    tac_trocar_constrain(def, body, matrix);
    return;
  }
  for (int i = 0; i < 6; ++i) {
    load[i] = 0.0;
    for (int j = 0; j < 6; ++j) load[i] += matrix[i][j] * toward[j];
  }
}

double tac_coupling_hold_back(const tacCouplingDef *def, double period, const double pull[6], const double motion[6]) {
  const double most[2] = {def->speed_most * period, def->turn_most * period};
  double share = 1.0;
  for (int k = 0; k < 2; ++k) { /* |motion - pull + share pull| = most: a quadratic equation */
    const double *m = &motion[3 * k], *q = &pull[3 * k], p[3] = {m[0] - q[0], m[1] - q[1], m[2] - q[2]};
    double a = q[0] * q[0] + q[1] * q[1] + q[2] * q[2], b = p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    double c = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] - most[k] * most[k];
    if (c > 0.0) return 1.0; /* what else moves it is too fast by itself */
    if (m[0] * m[0] + m[1] * m[1] + m[2] * m[2] > most[k] * most[k]) share = fmin(share, (sqrt(b * b - a * c) - b) / a);
  }
  return share;
}
