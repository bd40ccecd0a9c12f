/* Gauss and Seidel's method for the laws of many contacts (Duriez et al. 2006, section 5): contact after contact, in
 * their order, each solved exactly (contact/laws/coulomb.h) while the forces of the others stay. The paper replaces the
 * block W_ii by a diagonal one; here it is the block itself, so that a contact alone takes one sweep.
 *
 * What it cannot: where W couples contacts strongly (many contacts on few coordinates, a heavy body on light ones) it
 * converges slowly, and with much friction it need not. Time is bounded by sweeps, what is reached is reported, and
 * forces are always in their cones. */
#pragma once

#include "base/memory/arena.h"
#include "contact/laws/coulomb.h"
#include "contact/laws/law_iterate.h"
#include "contact/laws/law_problem.h"

typedef enum tacDelassusForm { TAC_DELASSUS_CHEAPER, TAC_DELASSUS_BUILT, TAC_DELASSUS_UNBUILT } tacDelassusForm;

typedef struct tacGaussSeidelDef {
  tacCoulombResidual tolerance; /* each contact's; positive; default 1e-8 m, 1e-4 N */
  int most_sweeps;              /* default 50 */
  tacDelassusForm form;         /* default: the cheaper one, which tac_gauss_seidel_built tells */
} tacGaussSeidelDef;
tacGaussSeidelDef tac_gauss_seidel_def_default(void);

typedef struct tacGaussSeidelReport {
  int sweeps;
  tacCoulombResidual residual; /* the worst contact's of each, under the forces as returned */
  int unsolved;                /* contacts whose laws do not hold within the tolerance */
  bool built;                  /* W was */
} tacGaussSeidelReport;

/* Which form is solved: with the multiplications of 10 sweeps. */
bool tac_gauss_seidel_built(const tacLawProblem *problem, tacDelassusForm form);
/* Bytes of an arena that is enough for a problem of at most these numbers; `coordinates`: of all parts together. */
size_t tac_gauss_seidel_room(int count, int part_count, size_t coordinates, tacDelassusForm form);

/* Tick. Begins at the contacts' forces (cut to their cones), sets force, motion and state. Takes from the arena and
 * gives back; where it is too small no contact has a force, and all are unsolved. So is a contact with numbers that
 * are not finite. */
tacGaussSeidelReport tac_gauss_seidel_solve(const tacLawProblem *problem, const tacGaussSeidelDef *def,
                                            tacArena *arena);

/* For methods that sweep as well: a contact's own part of W, and lambda of its last solution. */
typedef struct tacGaussSeidelLocal {
  tacMat3 w;
  tacCoulombBlock block;
  double lambda;
} tacGaussSeidelLocal;

/* `locals` [count]. Contacts that cannot move get no force; refreshes the iterate. */
void tac_gauss_seidel_prepare(tacLawIterate *iterate, tacGaussSeidelLocal *locals);
/* One sweep over all contacts. Returns whether the laws of each held within the tolerance before its turn. */
bool tac_gauss_seidel_sweep(tacLawIterate *iterate, tacGaussSeidelLocal *locals, tacCoulombResidual tolerance);
