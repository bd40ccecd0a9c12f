/* Linear equations of all contacts, for Newton methods. Contact i has zero to three unknowns x and as many equations.
 * T_i has the columns `press`, so that f_i = T_i x_i; P_i has the columns `test`:
 *     (P^T W T + D) x = b,     D block-diagonal, `own`.
 * The solver depends on the form of W; memory comes only from the arena:
 *   dense    W built or given: LU with partial pivoting, in panels;
 *   reduced  W = Z Z^T of parts with n coordinates, fewer than unknowns: with y = Z^T T x,
 *                (1 + sum_i Z_i^T (T_i D_i^-1 P_i^T) Z_i) y = Z^T T D^-1 b,   x = D^-1 (b - P^T Z y),
 *            n equations for any number of contacts; every D_i must be invertible;
 *   sparse   W in blocks: LU in the envelope, ordered by reversed Cuthill-McKee (1969), without pivoting: pivots
 *            exist if symmetric parts are positive definite; otherwise the factorisation reports failure. */
#pragma once

#include "contact/laws/law_iterate.h"

typedef enum tacLawSystemForm {
  TAC_LAW_SYSTEM_DENSE,
  TAC_LAW_SYSTEM_CONDENSED,
  TAC_LAW_SYSTEM_SPARSE
} tacLawSystemForm;

typedef struct tacLawUnknowns {
  int count, at;                  /* number of unknowns, 0 to 3; index of the first */
  double press[3][3], test[3][3]; /* [k][axis]: columns of T_i and P_i */
  double own[3][3];               /* D_i */
} tacLawUnknowns;

typedef struct tacLawSystem {
  tacLawSystemForm form;
  const tacLawIterate *iterate;
  tacLawUnknowns *unknowns; /* [count]; the caller sets count, press, test and own */
  int size;                 /* total number of unknowns, after tac_law_system_factor */
  double *a;
  double *y, *right, *left, *forces; /* `y`: reduced form, y of all parts; the others: [size], for refinement */
  int *pivot;
  int *order, *from; /* sparse: contacts in elimination order; first coupled place of each place */
  size_t *row;       /* sparse, [3 count]: start of an unknown's row in `a` (L) and column in `upper` (U) */
  int *begin;        /* [3 count]: first unknown of that row */
  double *upper;
} tacLawSystem;

/* Form for a problem, and whether its iterate must have W built. */
tacLawSystemForm tac_law_system_form(const tacLawProblem *problem);
bool tac_law_system_built(const tacLawProblem *problem);
/* Upper bound of the number of multiplications of a factorisation, used to choose a method. For a sparse W it is an
 * estimate that fits packings of bodies. */
double tac_law_system_cost(const tacLawProblem *problem);
/* The same; but for a sparse W the number is counted from the envelope, without contacts whose gap stays above `apart`
 * (m). Restores the arena; if that is too small, returns the estimate. */
double tac_law_system_envelope_cost(const tacLawProblem *problem, double apart, tacArena *arena);

/* Bytes of a system. Before ticks: allocates temporarily. */
size_t tac_law_system_room(const tacLawProblem *problem);
/* Bytes that suffice for any problem without blocks up to these sizes; `coordinates`: sum over all parts. Without a
 * compliance W is dense only if contacts have fewer unknowns than `coordinates`. Does not allocate. */
size_t tac_law_system_room_most(int count, size_t coordinates, bool compliance);
/* The iterate must stay in place while the system lives. False: the arena is too small. */
bool tac_law_system_take(const tacLawIterate *iterate, tacArena *arena, tacLawSystem *system);
/* Sets `at` and `size`, and factors. False: a pivot is zero or not finite. */
bool tac_law_system_factor(tacLawSystem *system);
/* Replaces b by x; [size]. */
void tac_law_system_solve(tacLawSystem *system, double *x);
