/* Forces of a tacLawProblem during a solve, and the motion u = u0 + W f that they cause. If W is built, u is updated
 * with each changed force, and unchanged forces cost nothing. Unbuilt, y is updated (contact/laws/delassus.h), and u is
 * computed on demand from y and the rows of compliance and blocks. Allocates only from the arena. */
#pragma once

#include "base/memory/arena.h"
#include "contact/laws/coulomb.h"
#include "contact/laws/frictional_problem.h"
#include "contact/laws/law_problem.h"
#include "math/geometry/mat3.h"

typedef struct tacLawIterate {
  const tacLawProblem *problem;
  double *forces; /* [3 count] */
  bool *refused;  /* [count]: contact is not solved and has no force: it cannot move, or values are not finite */
  double *u;      /* [3 count]; NULL: unbuilt, then: */
  size_t *offset; /* [part_count] */
  double *y;      /* of all parts */
  double *w;      /* [3 count][3 count], built W; NULL: unbuilt */
} tacLawIterate;

/* Upper bound of the bytes that tac_arena_array takes. */
static inline size_t tac_law_iterate_rounded(size_t count, size_t size) {
  return (count * size + TAC_ARENA_ALIGNMENT - 1) / TAC_ARENA_ALIGNMENT * TAC_ARENA_ALIGNMENT;
}

/* Bytes of an iterate; `coordinates`: sum over all parts. */
size_t tac_law_iterate_room(int count, int part_count, size_t coordinates, bool built);
/* Sum of the coordinates of all parts. */
size_t tac_law_iterate_coordinates(const tacLawProblem *problem);

/* Allocates, builds W if `built`, and starts at the contacts' forces, projected into their cones. False: the arena is
 * too small. */
bool tac_law_iterate_begin(const tacLawProblem *problem, bool built, tacArena *arena, tacLawIterate *iterate);
/* W_ii, from built W if available. */
tacMat3 tac_law_iterate_block(const tacLawIterate *iterate, int i);
/* u_i */
void tac_law_iterate_motion(const tacLawIterate *iterate, int i, double u[3]);
/* f_i += change; updates u or y. */
void tac_law_iterate_change(tacLawIterate *iterate, int i, const double change[3]);
/* Recomputes u or y from all forces. Call it after setting forces, and to remove accumulated round-off. */
void tac_law_iterate_refresh(tacLawIterate *iterate);

/* motion = W forces, both [3 count]. If unbuilt this overwrites y: refresh afterwards. */
void tac_law_iterate_apply(tacLawIterate *iterate, const double *forces, double *motion);
/* Whether a contact's values are finite and its normal force can move it; otherwise the contact gets no force. */
bool tac_law_iterate_usable(const tacLawContact *contact, const tacMat3 *block);
/* Projects forces into their cones; pulling forces become zero. Sets states. */
void tac_law_iterate_cut(tacLawIterate *iterate);
/* u0 of a contact. */
static inline void tac_law_iterate_free(const tacLawContact *contact, double u[3]) {
  u[0] = contact->gap;
  u[1] = contact->slip[0];
  u[2] = contact->slip[1];
}

/* Whether a residual is within a tolerance; false for NaN. */
static inline bool tac_law_iterate_within(tacContactMeasure residual, tacContactMeasure tolerance) {
  return residual.metres <= tolerance.metres && residual.newtons <= tolerance.newtons;
}
/* Residual of the laws of a contact with motion u and force f. */
tacContactMeasure tac_law_iterate_residual(const tacLawContact *contact, const double u[3], const double f[3],
                                           tacContactMeasure tolerance);
/* All contacts: largest residuals, and number of contacts beyond the tolerance. Refreshes first, and sets the contacts'
 * motion. */
int tac_law_iterate_examine(tacLawIterate *iterate, tacContactMeasure tolerance, tacContactMeasure *worst);
/* Copies the forces to the contacts. */
void tac_law_iterate_give(const tacLawIterate *iterate);
/* Sets the forces of all contacts to zero; used if the arena is too small. Returns the largest residual. */
tacContactMeasure tac_law_iterate_none(const tacLawProblem *problem);
