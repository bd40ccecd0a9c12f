#include "contact/laws/frictional_problem.h"
#include "contact/laws/law_methods.h"

#include <math.h>
#include <string.h>

enum { SWEEPS_A_LOOK = 4 }; /* sweeps between computations of residuals; a computation takes half as long as a sweep */
static const double AT_REST = 1e-15;

typedef struct Diagonal {
  double per_normal, per_tangent; /* inverse diagonal entries, N/m; zero: no force */
} Diagonal;

size_t tac_law_diagonal_room(int count) {
  return TAC_ARENA_ALIGNMENT + tac_law_iterate_rounded((size_t)count, sizeof(Diagonal));
}

/* Updates the force f of one contact. Returns |change of f| / |f|. */
static double relax(tacLawIterate *iterate, const Diagonal *d, int i) {
  tacLawContact *contact = &iterate->problem->contacts[i];
  const double *f = iterate->forces + 3 * (size_t)i;
  double u[3], next[3] = {0.0, 0.0, 0.0};
  if (!(d->per_normal > 0.0)) return 0.0;
  tac_law_iterate_motion(iterate, i, u);
  double normal = f[0] - u[0] * d->per_normal;
  contact->state = TAC_CONTACT_NONE;
  if (normal > 0.0 || contact->grabbed) {
    next[0] = normal;
    next[1] = f[1] - u[1] * d->per_tangent;
    next[2] = f[2] - u[2] * d->per_tangent;
    double cut =
        contact->grabbed ? 1.0 : tac_coulomb_cut(contact->friction, normal, next[1] * next[1] + next[2] * next[2]);
    next[1] *= cut;
    next[2] *= cut;
    contact->state = contact->grabbed ? TAC_CONTACT_GRABBED : cut < 1.0 ? TAC_CONTACT_SLIDES : TAC_CONTACT_STICKS;
  }
  if (!(fabs(next[0]) + fabs(next[1]) + fabs(next[2]) < 1e100)) memset(next, 0, sizeof next);
  double change[3] = {next[0] - f[0], next[1] - f[1], next[2] - f[2]};
  double moved = sqrt(change[0] * change[0] + change[1] * change[1] + change[2] * change[2]);
  double size = sqrt(next[0] * next[0] + next[1] * next[1] + next[2] * next[2]);
  tac_law_iterate_change(iterate, i, change);
  memcpy(iterate->forces + 3 * (size_t)i, next, sizeof next);
  return moved > 0.0 ? (size > 0.0 ? moved / size : 1.0) : 0.0;
}

tacContactReport tac_law_diagonal_improve(tacLawIterate *iterate, tacContactMeasure tolerance, int most_sweeps,
                                          tacArena *arena) {
  const tacLawProblem *problem = iterate->problem;
  tacContactReport report = {0};
  tacArenaMark mark = tac_arena_mark(arena);
  Diagonal *diagonal = tac_arena_array(arena, (size_t)problem->count, sizeof *diagonal);
  for (int i = 0; diagonal != NULL && i < problem->count; ++i) {
    tacMat3 block = tac_law_iterate_block(iterate, i);
    double mean = 0.5 * (block.m[1][1] + block.m[2][2]); /* mean tangential eigenvalue: half the trace */
    diagonal[i] = (Diagonal){0.0, 0.0};
    iterate->refused[i] = !tac_law_iterate_usable(&problem->contacts[i], &block) && !(problem->contacts[i].gap >= 0.0);
    if (tac_law_iterate_usable(&problem->contacts[i], &block))
      diagonal[i] = (Diagonal){1.0 / block.m[0][0], mean > 0.0 ? 1.0 / mean : 0.0};
    else
      memset(iterate->forces + 3 * (size_t)i, 0, 3 * sizeof *iterate->forces);
  }
  tac_law_iterate_refresh(iterate);
  bool ended = diagonal == NULL;
  /* Sum of |change of f| / |f| over all contacts in the last sweep, the criterion of Duriez et al. 2006. */
  double change;
  while (!ended && report.sweeps < most_sweeps) {
    change = 0.0;
    for (int i = 0; i < problem->count; ++i) change += relax(iterate, &diagonal[i], i);
    ++report.sweeps;
    if (report.sweeps % SWEEPS_A_LOOK != 0 && change > AT_REST) continue;
    report.unsolved = tac_law_iterate_examine(iterate, tolerance, &report.residual);
    ended = report.unsolved == 0 || change <= AT_REST;
  }
  report.unsolved = tac_law_iterate_examine(iterate, tolerance, &report.residual);
  tac_arena_release(arena, mark);
  return report;
}
