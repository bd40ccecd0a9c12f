#include <math.h>
#include <string.h>
#include "couple/coupling.h"

static double length3(const double a[3]) {
  return tac_vec3_norm(tac_vec3(a[0], a[1], a[2]));
}

/* The secant leads to the device in directions that nothing resists, however little saturation leaves of it: what 4.10 asks of
 * degenerate directions. */
bool tac_static_coupling_equation(const tacCouplingDef *def, double period, const tacGrasp *device,
                                  const tacGrasp *body, double matrix[6][6], double load[6]) {
  double toward[6], moves = 1.0 - def->static_damping, share = 1.0;
  tac_coupling_toward(body, device, toward);
  tac_coupling_secant(def, body, device, matrix);
  double way = moves * length3(toward), angle = moves * length3(toward + 3);
  if (way > def->speed_most * period) share = def->speed_most * period / way;
  if (angle * share > def->turn_most * period) share = def->turn_most * period / angle;
  for (int i = 0; i < 6; ++i) {
    load[i] = 0.0;
    for (int j = 0; j < 6; ++j) load[i] += share * matrix[i][j] * toward[j];
  }
  return share < 1.0;
}
