/* Linear equations for the forces of all contacts, used by Newton's method and the interior-point method.
 *
 * Contact i has zero to three unknowns x_i and as many equations. Its force is f_i = T_i x_i. P_i^T projects the
 * contact's motion onto its equations:
 *     (P^T W T + D) x = b,     D block-diagonal.
 * The members `press`, `test` and `own` of tacLawUnknowns are the columns of T_i, the columns of P_i, and the block
 * D_i. The solution method depends on the form of W (contact/laws/delassus.h). All memory comes from the arena.
 *   dense      W is a full matrix, given or built. Method: LU with partial pivoting, in panels.
 *   condensed  W = Z Z^T, and all parts together have n coordinates, fewer than unknowns. With y = Z^T T x,
 *                  (1 + sum_i Z_i^T (T_i D_i^-1 P_i^T) Z_i) y = Z^T T D^-1 b,   x = D^-1 (b - P^T Z y).
 *              The number of equations is n for any number of contacts. Every D_i must be invertible.
 *   sparse     W has 3 x 3 blocks. Method: LU in the envelope without pivoting. Contacts are ordered by the reverse
 *              Cuthill-McKee algorithm (1969). If the symmetric part of the matrix is positive definite, all pivots are
 *              nonzero. Otherwise the factorisation may fail, and reports the failure. */
#pragma once

#include "contact/laws/law_iterate.h"

typedef enum tacLawSystemForm {
  TAC_LAW_SYSTEM_DENSE,
  TAC_LAW_SYSTEM_CONDENSED,
  TAC_LAW_SYSTEM_SPARSE
} tacLawSystemForm;

typedef struct tacLawUnknowns {
  int count, at;                  /* `count`: number of unknowns, 0 to 3; `at`: index of the first unknown */
  double press[3][3], test[3][3]; /* [k][axis]: column k of T_i; column k of P_i */
  double own[3][3];               /* block D_i */
  /* condensed form: factors of D_i, set by tac_law_system_factor */
  int pivot[3];
  double factor[3][3];
} tacLawUnknowns;

typedef struct tacLawSystem {
  tacLawSystemForm form;
  const tacLawIterate *iterate;
  tacLawUnknowns *unknowns; /* [count]; the caller sets `count`, `press`, `test` and `own` */
  int size;                 /* total number of unknowns; set by tac_law_system_factor */
  double *a;
  /* `y`: vector y of the condensed form, for all parts. `right`, `left` and `forces` [size]: work space for
   * refinement. */
  double *y, *right, *left, *forces;
  int *pivot;
  /* Sparse form. `order`: contacts in elimination order. `from`: for each place in this order, the first coupled
   * place. */
  int *order, *from;
  size_t *row; /* sparse form, [3 count]: start of an unknown's row in `a` (L) and of its column in `upper` (U) */
  int *begin;  /* sparse form, [3 count]: first stored unknown of a row in `a` */
  double *upper;
} tacLawSystem;

/* `tac_law_system_form` returns the form for a problem. `tac_law_system_built` is true if the iterate must have W
 * built. */
tacLawSystemForm tac_law_system_form(const tacLawProblem *problem);
bool tac_law_system_built(const tacLawProblem *problem);
/* Returns an upper bound of the multiplications in a factorisation, used to choose a method. For a sparse W, returns an
 * estimate fitted to packings of bodies. */
double tac_law_system_cost(const tacLawProblem *problem);
/* Returns the same number as tac_law_system_cost for dense and condensed forms. For a sparse W, counts the
 * multiplications in the envelope, without contacts whose gap stays above `apart` (m). Restores the arena. If the arena
 * is too small, returns the estimate. */
double tac_law_system_envelope_cost(const tacLawProblem *problem, double apart, tacArena *arena);

/* Returns the size of a system in bytes. Call before the first tick: allocates temporarily. */
size_t tac_law_system_room(const tacLawProblem *problem);
/* Returns a sufficient size in bytes for any problem without blocks up to these sizes. `coordinates` is the sum over
 * all parts. Without `compliance`, W is dense only if contacts have fewer unknowns than `coordinates`. Does not
 * allocate. */
size_t tac_law_system_room_most(int count, size_t coordinates, bool compliance);
/* Takes the memory of a system from the arena. The iterate must stay in place as long as the system is used. Returns
 * false if the arena is too small. */
bool tac_law_system_take(const tacLawIterate *iterate, tacArena *arena, tacLawSystem *system);
/* Sets `at` and `size`, and factors the matrix. Returns false if a pivot is zero or not finite. */
bool tac_law_system_factor(tacLawSystem *system);
/* Solves the equations: `x` [size] is b on entry and the solution on return. */
void tac_law_system_solve(tacLawSystem *system, double *x);
