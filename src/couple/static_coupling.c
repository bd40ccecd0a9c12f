#include <math.h>
#include <string.h>
#include "couple/coupling.h"

static double length3(const double a[3]) {
  return tac_vec3_norm(tac_vec3(a[0], a[1], a[2]));
}

/* The secant leads to the device in directions that nothing resists, however little saturation leaves of it: what 4.10 asks of
 * degenerate directions. Limits: with K of the secant and u the way to the device,
 *
 *   A = K + (s - 1) K u (K u)^T / u.K u,   s >= 1: how many times the free motion u would be too long.
 *
 * A u = s K u, so that the body goes u / s where nothing resists. The load K u stays whole, and with it the equilibrium with
 * what does; and A w = K w for all w with u.K w = 0: the body leaves what it has entered beside its way at full rate. */
bool tac_static_coupling_equation(const tacCouplingDef *def, double period, const tacGrasp *device,
                                  const tacGrasp *body, double matrix[6][6], double load[6]) {
  double toward[6], moves = 1.0 - def->static_damping, energy = 0.0;
  tac_coupling_toward(body, device, toward);
  tac_coupling_secant(def, body, device, matrix);
  double longer = fmax(moves * length3(toward) / (def->speed_most * period),
                       moves * length3(toward + 3) / (def->turn_most * period));
  for (int i = 0; i < 6; ++i) {
    load[i] = 0.0;
    for (int j = 0; j < 6; ++j) load[i] += matrix[i][j] * toward[j];
    energy += load[i] * toward[i];
  }
  if (!(longer > 1.0)) return false;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) matrix[i][j] += (longer - 1.0) / energy * load[i] * load[j];
  return true;
}
