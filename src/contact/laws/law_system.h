/* Linear equations of all contacts at once, as Newton's methods for the laws have them. Contact i has none to three
 * unknowns x and as many equations; T_i has the columns `press`, so that f_i = T_i x_i, and P_i the columns `test`:
 *     (P^T W T + D) x = b,     D block-diagonal, `own`.
 * Solved by the form of W, each with memory from the arena alone:
 *   dense    W as built or as given: LU with partial pivoting, in panels;
 *   reduced  W = Z Z^T of parts with n coordinates, fewer than unknowns: with y = Z^T T x,
 *                (1 + sum_i Z_i^T (T_i D_i^-1 P_i^T) Z_i) y = Z^T T D^-1 b,   x = D^-1 (b - P^T Z y),
 *            n equations however many contacts there are; every D_i must have an inverse;
 *   sparse   W in blocks: LU inside of the envelope, ordered by Cuthill and McKee 1969 (reversed), without pivoting:
 *            pivots exist where symmetric parts are positive definite; where not, the factorisation says so. */
#pragma once

#include "contact/laws/law_iterate.h"

typedef enum tacLawSystemForm {
  TAC_LAW_SYSTEM_DENSE,
  TAC_LAW_SYSTEM_CONDENSED,
  TAC_LAW_SYSTEM_SPARSE
} tacLawSystemForm;

typedef struct tacLawUnknowns {
  int count, at;                  /* of this contact, 0 to 3, and where they begin among all */
  double press[3][3], test[3][3]; /* [k][axis]: columns of T_i and P_i */
  double own[3][3];               /* D_i */
} tacLawUnknowns;

typedef struct tacLawSystem {
  tacLawSystemForm form;
  const tacLawIterate *iterate;
  tacLawUnknowns *unknowns; /* [count]; the caller sets count, press, test and own */
  int size;                 /* unknowns altogether, after tac_law_system_factor */
  double *a;
  double *y, *right, *left, *forces; /* reduced: of all parts; and of all unknowns, while solutions are refined */
  int *pivot;
  int *order, *from; /* sparse: contacts in their order; and of each place, the first place that it is coupled with */
  size_t *row;       /* sparse, [3 count]: where the numbers of an unknown begin in `a`, L's, and in `upper`, U's */
  int *begin;        /* [3 count]: of which unknown the first one is */
  double *upper;
} tacLawSystem;

/* Which form a problem gets, and whether the iterate has to have W built for it. */
tacLawSystemForm tac_law_system_form(const tacLawProblem *problem);
bool tac_law_system_built(const tacLawProblem *problem);
/* Multiplications of a factorisation with all unknowns, at the most; of blocks an estimate for packings. For choosing. */
double tac_law_system_cost(const tacLawProblem *problem);
/* The same; of blocks counted in their envelope, without contacts that are more than `apart` (m) apart in their motion. Takes
 * from the arena and gives back; where that is too small, the estimate. */
double tac_law_system_envelope_cost(const tacLawProblem *problem, double apart, tacArena *arena);

/* Bytes that a system takes. Before ticks: it allocates and gives back. */
size_t tac_law_system_room(const tacLawProblem *problem);
/* The same for any problem without blocks that has at most these numbers; `coordinates`: of all parts together. Without a
 * compliance W is dense only where contacts have fewer unknowns than that. Does not allocate. */
size_t tac_law_system_room_most(int count, size_t coordinates, bool compliance);
/* The iterate stays where it is while the system lives. False where the arena is too small. */
bool tac_law_system_take(const tacLawIterate *iterate, tacArena *arena, tacLawSystem *system);
/* Sets `at` and `size`, and factors. False where a pivot vanishes or is not finite. */
bool tac_law_system_factor(tacLawSystem *system);
/* b becomes x; [size]. */
void tac_law_system_solve(tacLawSystem *system, double *x);
