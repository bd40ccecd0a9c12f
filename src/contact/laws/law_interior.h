/* Interior-point method for the laws of many contacts, for cases where sweeps and Newton's method on the states both
 * fail. It is slower, needs no starting point, and approaches a solution for any coupling.
 *
 * With v = u + mu |u_t| n the laws are f in K, v in K*, f . v = 0 (de Saxce and Feng 1998). K becomes the Lorentz cone
 * by f' = (mu f_n, f_t), v' = (v_n / mu, v_t). The path f' o v' = tau 1, tau -> 0, is followed with the scaling of
 * Nesterov and Todd 1997: with Q^2 v' = f',
 *     (W + E^-1 Q^-2 S) df = E^-1 (tau f'^-1 - v'(u)),     S = diag(mu, 1, 1),  E = dv'/du.
 * E includes the slope of |u_t| (smoothed according to tau), so that steps are Newton steps of the complete law. Steps
 * of the convex problem for a fixed slip do not converge with much friction. v' may be infeasible at first. Contacts
 * without friction have f_n v_n = tau; bilateral contacts have u = 0. */
#pragma once

#include "contact/laws/law_system.h"

typedef struct tacLawInterior {
  tacLawSystem *system;
  const bool *out;  /* [count]: contacts that never have a force */
  double *f, *u;    /* [3 count]: present iterate */
  double *v, *free; /* v', which is kept inside the cone; v'(u), which may be outside */
  double *df, *du, *dv, *x;
  double *slope;       /* [2 count]: of |u_t| */
  double *weight;      /* [count]: 1 / mean diagonal of W_ii, N/m */
  double scale, first; /* m: largest free motion; N m: initial f . v of a contact */
  double gap;          /* N m: mean f . v of a contact */
  double ease;         /* share of the slope used in E: 1, or less after short steps */
  int inside;          /* number of contacts that contribute to f . v */
  int jammed, idle;    /* consecutive short steps; consecutive steps that did not halve `gap` */
  double least;        /* smallest `gap` */
} tacLawInterior;

size_t tac_law_interior_room(int count);
bool tac_law_interior_begin(tacLawSystem *system, const bool *out, const double *weight, tacArena *arena,
                            tacLawInterior *interior);
/* One step. False: no further step, because equations have no solution or steps have zero length. */
bool tac_law_interior_step(tacLawIterate *iterate, tacLawInterior *interior);
