#include "contact/laws/gauss_seidel.h"

#include <math.h>
#include <string.h>
#include "contact/laws/delassus.h"
#include "contact/laws/law_iterate.h"

enum { USUAL_SWEEPS = 10 };
static const double MOST_FORCE = 1e100; /* N: squares of it are finite */

tacGaussSeidelDef tac_gauss_seidel_def_default(void) {
  return (tacGaussSeidelDef){.tolerance = {1e-8, 1e-4}, .most_sweeps = 50, .form = TAC_DELASSUS_CHEAPER};
}

bool tac_gauss_seidel_built(const tacLawProblem *problem, tacDelassusForm form) {
  if (form != TAC_DELASSUS_CHEAPER) return form == TAC_DELASSUS_BUILT;
  tacDelassusCost cost = tac_delassus_cost(problem);
  return cost.build + USUAL_SWEEPS * cost.built_sweep < cost.blocks + USUAL_SWEEPS * cost.unbuilt_sweep;
}

size_t tac_gauss_seidel_room(int count, int part_count, size_t coordinates, tacDelassusForm form) {
  size_t built = form != TAC_DELASSUS_UNBUILT ? tac_law_iterate_room(count, part_count, coordinates, true) : 0;
  size_t unbuilt = form != TAC_DELASSUS_BUILT ? tac_law_iterate_room(count, part_count, coordinates, false) : 0;
  return TAC_ARENA_ALIGNMENT + tac_law_iterate_rounded((size_t)count, sizeof(tacGaussSeidelLocal)) +
         (built > unbuilt ? built : unbuilt);
}

/* The force under which u + w f obeys the laws. False where there is none. */
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

/* One contact in its turn. Returns whether its laws held within the tolerance before; nobody asks where `asked` is
 * false. */
static bool solve_one(tacLawIterate *iterate, tacGaussSeidelLocal *local, int i, bool asked,
                      tacCoulombResidual tolerance) {
  tacLawContact *contact = &iterate->problem->contacts[i];
  const double *f = iterate->forces + 3 * (size_t)i;
  double u[3], next[3];
  tac_law_iterate_motion(iterate, i, u);
  bool held = asked && tac_law_iterate_within(tac_law_iterate_residual(contact, u, f, tolerance), tolerance);
  for (int a = 0; a < 3; ++a) u[a] -= local->w.m[a][0] * f[0] + local->w.m[a][1] * f[1] + local->w.m[a][2] * f[2];
  iterate->refused[i] = !solve_local(contact, local, u, next);
  if (!(fabs(next[0]) + fabs(next[1]) + fabs(next[2]) < MOST_FORCE)) { /* of a w that no body has */
    iterate->refused[i] = true;
    memset(next, 0, sizeof next);
  }
  tac_law_iterate_change(iterate, i, (const double[3]){next[0] - f[0], next[1] - f[1], next[2] - f[2]});
  memcpy(iterate->forces + 3 * (size_t)i, next, sizeof next); /* without the round-off of the change */
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

bool tac_gauss_seidel_sweep(tacLawIterate *iterate, tacGaussSeidelLocal *locals, tacCoulombResidual tolerance) {
  bool held = true;
  for (int i = 0; i < iterate->problem->count; ++i) held = solve_one(iterate, &locals[i], i, held, tolerance);
  return held;
}

tacGaussSeidelReport tac_gauss_seidel_solve(const tacLawProblem *problem, const tacGaussSeidelDef *def,
                                            tacArena *arena) {
  tacGaussSeidelReport report = {.built = tac_gauss_seidel_built(problem, def->form)};
  tacArenaMark mark = tac_arena_mark(arena);
  tacLawIterate iterate;
  tacGaussSeidelLocal *locals = tac_arena_array(arena, (size_t)problem->count, sizeof *locals);
  if (locals == NULL || !tac_law_iterate_begin(problem, report.built, arena, &iterate)) {
    report.residual = tac_law_iterate_none(problem);
    report.unsolved = problem->count;
    tac_arena_release(arena, mark);
    return report;
  }
  tac_gauss_seidel_prepare(&iterate, locals);
  bool examined = false;
  while (report.sweeps < def->most_sweeps && !examined) {
    bool held = tac_gauss_seidel_sweep(&iterate, locals, def->tolerance);
    ++report.sweeps;
    if (!held && problem->count > 1) continue; /* alone, it holds now */
    /* each held before its turn; do they all now? */
    report.unsolved = tac_law_iterate_examine(&iterate, def->tolerance, &report.residual);
    examined = report.unsolved == 0;
  }
  if (!examined) report.unsolved = tac_law_iterate_examine(&iterate, def->tolerance, &report.residual);
  tac_law_iterate_give(&iterate);
  tac_arena_release(arena, mark);
  return report;
}
