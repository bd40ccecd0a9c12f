/* Forces of a tacLawProblem during a solve, and the motion u = u0 + W f that these forces cause.
 *
 * In built form (contact/laws/delassus.h), u is updated with each changed force, and unchanged forces cost nothing. In
 * unbuilt form, y is updated, and u is computed on demand from y and from the rows of compliance and blocks. Allocates
 * only from the arena. */
#pragma once

#include "base/memory/arena.h"
#include "contact/laws/coulomb.h"
#include "contact/laws/frictional_problem.h"
#include "contact/laws/law_problem.h"
#include "math/geometry/mat3.h"

typedef struct tacLawIterate {
  const tacLawProblem *problem;
  double *forces; /* [3 count]: f, N */
  /* [count]: true for contacts that cannot move or have values that are not finite. Their force is zero. */
  bool *refused;
  double *u;      /* [3 count]: motion, built form only; NULL: unbuilt form */
  size_t *offset; /* [part_count]: start of each part in `y`, unbuilt form only */
  double *y;      /* vectors y_p of all parts, unbuilt form only */
  double *w;      /* [3 count][3 count]: built W; NULL: unbuilt form */
} tacLawIterate;

/* Returns an upper bound of the bytes that tac_arena_array takes. */
static inline size_t tac_law_iterate_rounded(size_t count, size_t size) {
  return (count * size + TAC_ARENA_ALIGNMENT - 1) / TAC_ARENA_ALIGNMENT * TAC_ARENA_ALIGNMENT;
}

/* Returns the bytes of an iterate. `coordinates` is the sum over all parts. */
size_t tac_law_iterate_room(int count, int part_count, size_t coordinates, bool built);
/* Returns the sum of the coordinates of all parts. */
size_t tac_law_iterate_coordinates(const tacLawProblem *problem);

/* Allocates an iterate and builds W if `built` is true. Sets forces to the contacts' forces, limited to their friction
 * cones. Returns false if the arena is too small. */
bool tac_law_iterate_begin(const tacLawProblem *problem, bool built, tacArena *arena, tacLawIterate *iterate);
/* Returns the block W_ii, from built W if available. */
tacMat3 tac_law_iterate_block(const tacLawIterate *iterate, int i);
/* Computes the motion u_i of contact i. */
void tac_law_iterate_motion(const tacLawIterate *iterate, int i, double u[3]);
/* Adds `change` to f_i, and updates u or y. */
void tac_law_iterate_change(tacLawIterate *iterate, int i, const double change[3]);
/* Recomputes u or y from all forces. Call this function after setting forces, or to remove accumulated round-off. */
void tac_law_iterate_refresh(tacLawIterate *iterate);

/* Computes motion = W forces, both [3 count]. In unbuilt form, this overwrites y: call tac_law_iterate_refresh
 * afterwards. */
void tac_law_iterate_apply(tacLawIterate *iterate, const double *forces, double *motion);
/* True if a contact's values are finite and the contact can move along its normal. Otherwise the contact gets no
 * force. */
bool tac_law_iterate_usable(const tacLawContact *contact, const tacMat3 *block);
/* Limits friction forces to their cones, sets pulling forces to zero, and sets the contacts' states. */
void tac_law_iterate_cut(tacLawIterate *iterate);
/* Sets `u` to the free motion u0 of a contact. */
static inline void tac_law_iterate_free(const tacLawContact *contact, double u[3]) {
  u[0] = contact->gap;
  u[1] = contact->slip[0];
  u[2] = contact->slip[1];
}

/* True if a residual is within a tolerance; false for NaN. */
static inline bool tac_law_iterate_within(tacContactMeasure residual, tacContactMeasure tolerance) {
  return residual.metres <= tolerance.metres && residual.newtons <= tolerance.newtons;
}
/* Returns the residual of a contact's laws for motion u and force f. */
tacContactMeasure tac_law_iterate_residual(const tacLawContact *contact, const double u[3], const double f[3],
                                           tacContactMeasure tolerance);
/* Recomputes and sets the contacts' motions. Sets `worst` to the largest residuals of all contacts. Returns the number
 * of contacts beyond the tolerance. */
int tac_law_iterate_examine(tacLawIterate *iterate, tacContactMeasure tolerance, tacContactMeasure *worst);
/* Copies the forces to the contacts. */
void tac_law_iterate_give(const tacLawIterate *iterate);
/* Sets the forces of all contacts to zero, for use if the arena is too small. Returns the largest residual. */
tacContactMeasure tac_law_iterate_none(const tacLawProblem *problem);
