/* A path to the laws of many contacts through the inside of their cones: where neither sweeps nor Newton's method on the
 * states find any. Slower, needs no start, and comes near whatever the coupling.
 *
 * With v = u + mu |u_t| n the laws are  f in K, v in K*, f . v = 0  (de Saxce and Feng 1998). K becomes the cone of
 * Lorentz by f' = (mu f_n, f_t), v' = (v_n / mu, v_t), and f' o v' = tau 1 with tau -> 0 is followed with the scaling of
 * Nesterov and Todd 1997: with Q^2 v' = f',
 *     (W + E^-1 Q^-2 S) df = E^-1 (tau f'^-1 - v'(u)),     S = diag(mu, 1, 1),  E = dv'/du,
 * where E has the slope of |u_t| as well (smoothed by what tau is), so that steps are Newton's of the whole law and not
 * of the convex problem of one slip; those do not converge with much friction. v' may be infeasible at first. Contacts
 * without friction have f_n v_n = tau, those that hold both ways u = 0. */
#pragma once

#include "contact/laws/law_system.h"

typedef struct tacLawInterior {
  tacLawSystem *system;
  const bool *out;  /* [count]: contacts that have no force whatever comes */
  double *f, *u;    /* [3 count]: where it is */
  double *v, *free; /* v' that is kept inside, and v'(u) */
  double *df, *du, *dv, *x;
  double *slope;       /* [2 count]: of |u_t| */
  double *weight;      /* [count]: 1 / mean diagonal of W_ii, N/m */
  double scale, first; /* m: largest free motion; N m: f . v of a contact at first */
  double gap;          /* N m: mean f . v of a contact */
  double ease;         /* share of the slope that E has: 1, and less where steps are short */
  int inside;          /* contacts that have f . v */
  int jammed, idle;    /* short steps, and such that did not halve `gap`, one after the other */
  double least;        /* gap */
} tacLawInterior;

size_t tac_law_interior_room(int count);
bool tac_law_interior_begin(tacLawSystem *system, const bool *out, const double *weight, tacArena *arena,
                            tacLawInterior *interior);
/* One step. False where none is left: equations without a solution, or steps of no length. */
bool tac_law_interior_step(tacLawIterate *iterate, tacLawInterior *interior);
