#include <stddef.h>
#include "couple/coupling.h"

static double length3(const double a[3]) {
  return tac_vec3_norm(tac_vec3(a[0], a[1], a[2]));
}

/* Where a motion would be faster than the limits, the coupling's part of it is shortened and not the contact's: a body
 * that is far behind its device still leaves what it has entered at full rate. Linear: as if the device were nearer. */
static void hold_back(const double most[2], const double push[6], double motion[6]) {
  double share = 1.0, pull[6];
  for (int i = 0; i < 6; ++i) pull[i] = motion[i] - push[i];
  for (int k = 0; k < 2; ++k) { /* |push + share pull| = most: a quadratic equation */
    const double *p = &push[3 * k], *q = &pull[3 * k];
    double a = q[0] * q[0] + q[1] * q[1] + q[2] * q[2], b = p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    double c = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] - most[k] * most[k];
    if (c > 0.0) return; /* the contact alone is too fast */
    if (length3(&motion[3 * k]) > most[k]) share = fmin(share, (sqrt(b * b - a * c) - b) / a);
  }
  for (int i = 0; i < 6; ++i) motion[i] = push[i] + share * pull[i];
}

tacCouplingReport tac_static_coupling_step(const tacCouplingDef *def, double period, const tacGrasp *device,
                                           const tacWrench *contact, double contact_stiffness[6][6], tacGrasp *body) {
  tacCouplingReport report = {0};
  double stiffness[6][6], toward[6], push[6], *motion = report.motion;
  const double none[6] = {0.0}, most[2] = {def->speed_most * period, def->turn_most * period};
  tacWrench wrench = tac_coupling_wrench(def, body, device, NULL);
  wrench = (tacWrench){tac_vec3_add(wrench.force, contact->force), tac_vec3_add(wrench.torque, contact->torque)};
  tac_coupling_toward(body, device, toward);
  tac_coupling_secant(def, body, device, stiffness);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) stiffness[i][j] += contact_stiffness[i][j];
  double moves = 1.0 - def->static_damping;
  report.degenerate = tac_coupling_solve(stiffness, &wrench, def->lever, toward, motion);
  for (int i = 0; i < 6; ++i) motion[i] *= moves;
  report.limited = length3(motion) > most[0] || length3(motion + 3) > most[1];
  if (report.limited) {
    tac_coupling_solve(stiffness, contact, def->lever, none, push);
    for (int i = 0; i < 6; ++i) push[i] *= moves;
    hold_back(most, push, motion);
  }
  report.limited |= tac_coupling_move(def, period, motion, body);
  return report;
}
