#include "contact/laws/gauss_seidel.h"
#include "contact/laws/frictional_problem.h"

#include <math.h>
#include <string.h>

static const double MOST_FORCE = 1e100; /* limit of a force, N; its square is finite */

/* Computes the force f for which u + w f obeys the laws. Returns false if no force obeys the laws. */
static bool solve_local(tacLawContact *contact, tacGaussSeidelLocal *local, const double u[3], double force[3]) {
  if (!contact->grabbed)
    return tac_coulomb_block_solve(&local->block, contact->friction, u, &local->lambda, force, &contact->state);
  tacMat3 inverse;
  contact->state = TAC_CONTACT_GRABBED;
  memset(force, 0, 3 * sizeof *force);
  if (!tac_mat3_inverse(local->w, &inverse)) return false;
  for (int a = 0; a < 3; ++a) force[a] = -(inverse.m[a][0] * u[0] + inverse.m[a][1] * u[1] + inverse.m[a][2] * u[2]);
  return isfinite(force[0] + force[1] + force[2]);
}

/* Solves one contact. Returns true if its laws held within the tolerance before the solution. The laws are checked only
 * if `asked` is true. */
static bool solve_one(tacLawIterate *iterate, tacGaussSeidelLocal *local, int i, bool asked,
                      tacContactMeasure tolerance) {
  tacLawContact *contact = &iterate->problem->contacts[i];
  const double *f = iterate->forces + 3 * (size_t)i;
  double u[3], next[3];
  tac_law_iterate_motion(iterate, i, u);
  bool held = asked && tac_law_iterate_within(tac_law_iterate_residual(contact, u, f, tolerance), tolerance);
  for (int a = 0; a < 3; ++a) u[a] -= local->w.m[a][0] * f[0] + local->w.m[a][1] * f[1] + local->w.m[a][2] * f[2];
  iterate->refused[i] = !solve_local(contact, local, u, next);
  if (!(fabs(next[0]) + fabs(next[1]) + fabs(next[2]) < MOST_FORCE)) { /* possible only for an unphysical w */
    iterate->refused[i] = true;
    memset(next, 0, sizeof next);
  }
  tac_law_iterate_change(iterate, i, (const double[3]){next[0] - f[0], next[1] - f[1], next[2] - f[2]});
  memcpy(iterate->forces + 3 * (size_t)i, next, sizeof next); /* stores the force without the round-off of the change */
  return held;
}

void tac_gauss_seidel_prepare(tacLawIterate *iterate, tacGaussSeidelLocal *locals) {
  for (int i = 0; i < iterate->problem->count; ++i) {
    locals[i].w = tac_law_iterate_block(iterate, i);
    locals[i].lambda = 0.0;
    if (!tac_coulomb_block_prepare(&locals[i].w, &locals[i].block))
      memset(iterate->forces + 3 * (size_t)i, 0, 3 * sizeof *iterate->forces);
  }
  tac_law_iterate_refresh(iterate);
}

bool tac_gauss_seidel_sweep(tacLawIterate *iterate, tacGaussSeidelLocal *locals, tacContactMeasure tolerance) {
  bool held = true;
  for (int i = 0; i < iterate->problem->count; ++i) held = solve_one(iterate, &locals[i], i, held, tolerance);
  return held;
}
