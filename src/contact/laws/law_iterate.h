/* Forces of a tacLawProblem while a method improves them, and the motion u = u0 + W f that they cause. Where W is built
 * u follows each change of a force, and what does not change costs nothing. Unbuilt, y follows (contact/laws/delassus.h), and
 * u is made from it and from the rows of compliance and blocks where it is asked for. Nothing allocates but from the
 * arena. */
#pragma once

#include "base/memory/arena.h"
#include "contact/laws/coulomb.h"
#include "contact/laws/frictional_problem.h"
#include "contact/laws/law_problem.h"
#include "math/geometry/mat3.h"

typedef struct tacLawIterate {
  const tacLawProblem *problem;
  double *forces; /* [3 count] */
  bool *refused;  /* [count]: has no force, since its numbers are not finite or it cannot move; and is not solved */
  double *u;      /* [3 count]; NULL: unbuilt, and then ... */
  size_t *offset; /* [part_count] */
  double *y;      /* of all parts */
  double *w;      /* [3 count][3 count] as built; NULL: not */
} tacLawIterate;

/* What tac_arena_array takes at the most. */
static inline size_t tac_law_iterate_rounded(size_t count, size_t size) {
  return (count * size + TAC_ARENA_ALIGNMENT - 1) / TAC_ARENA_ALIGNMENT * TAC_ARENA_ALIGNMENT;
}

/* Bytes that an iterate takes; `coordinates`: of all parts together. */
size_t tac_law_iterate_room(int count, int part_count, size_t coordinates, bool built);
/* Coordinates of all parts together. */
size_t tac_law_iterate_coordinates(const tacLawProblem *problem);

/* Takes memory, builds W where `built`, and begins at the contacts' forces, cut to their cones. False where the arena
 * is too small. */
bool tac_law_iterate_begin(const tacLawProblem *problem, bool built, tacArena *arena, tacLawIterate *iterate);
/* W_ii, from W as built where it is. */
tacMat3 tac_law_iterate_block(const tacLawIterate *iterate, int i);
/* u_i */
void tac_law_iterate_motion(const tacLawIterate *iterate, int i, double u[3]);
/* f_i += change, and what follows from it. */
void tac_law_iterate_change(tacLawIterate *iterate, int i, const double change[3]);
/* u or y anew from all forces: after forces were set, and against the round-off of many changes. */
void tac_law_iterate_refresh(tacLawIterate *iterate);

/* motion = W forces, both [3 count]. Unbuilt it spoils what follows the iterate's forces: refresh afterwards. */
void tac_law_iterate_apply(tacLawIterate *iterate, const double *forces, double *motion);
/* Whether a contact's numbers are finite and it can move by its normal force; else none acts. */
bool tac_law_iterate_usable(const tacLawContact *contact, const tacMat3 *block);
/* Forces into their cones: where one pulls there is none. Sets states. */
void tac_law_iterate_cut(tacLawIterate *iterate);
/* u0 of a contact. */
static inline void tac_law_iterate_free(const tacLawContact *contact, double u[3]) {
  u[0] = contact->gap;
  u[1] = contact->slip[0];
  u[2] = contact->slip[1];
}

/* Whether a residual is within a tolerance; not where it is not a number. */
static inline bool tac_law_iterate_within(tacContactMeasure residual, tacContactMeasure tolerance) {
  return residual.metres <= tolerance.metres && residual.newtons <= tolerance.newtons;
}
/* How far a contact with motion u and force f is from its laws. */
tacContactMeasure tac_law_iterate_residual(const tacLawContact *contact, const double u[3], const double f[3],
                                           tacContactMeasure tolerance);
/* All contacts: the worst residual of each kind, and how many are not within the tolerance. Refreshes first, and sets
 * the contacts' motion. */
int tac_law_iterate_examine(tacLawIterate *iterate, tacContactMeasure tolerance, tacContactMeasure *worst);
/* Sets the contacts' forces. */
void tac_law_iterate_give(const tacLawIterate *iterate);
/* Contacts without any force: where there is no memory. Returns the worst residual. */
tacContactMeasure tac_law_iterate_none(const tacLawProblem *problem);
