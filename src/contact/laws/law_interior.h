/* Interior-point method for the laws of many contacts, used if both sweeps and Newton steps on the contact states fail.
 * The method is slower, needs no starting point, and approaches a solution for any coupling.
 *
 * With v = u + mu |u_t| n the laws are f in K, v in K*, f . v = 0 (de Saxce and Feng 1998). K is the friction cone and
 * K* its dual. The transformation f' = (mu f_n, f_t), v' = (v_n / mu, v_t) makes K and K* the Lorentz cone. The method
 * follows the path f' o v' = tau 1 for tau -> 0, where o is the Jordan product of the Lorentz cone. The method uses the
 * scaling of Nesterov and Todd 1997: with Q^2 v' = f',
 *     (W + E^-1 Q^-2 S) df = E^-1 (tau f'^-1 - v'(u)),     S = diag(mu, 1, 1),  E = dv'/du.
 * E includes the derivative of |u_t|, which is smoothed less as tau decreases. So steps are Newton steps of the
 * complete law. Steps of the convex problem for a fixed slip do not converge with much friction. v' may be infeasible
 * at first. Contacts without friction have f_n v_n = tau. Bilateral contacts have u = 0. */
#pragma once

#include "contact/laws/law_system.h"

typedef struct tacLawInterior {
  tacLawSystem *system;
  const bool *out; /* [count]: true for contacts whose force is always zero */
  double *f, *u;   /* [3 count]: present forces and motions */
  /* [3 count]. `v`: v', always inside the cone. `free`: v'(u), which may be outside the cone. */
  double *v, *free;
  double *df, *du, *dv, *x;
  double *slope;       /* [2 count]: derivative of |u_t| */
  double *weight;      /* [count], N/m: 1 / mean diagonal entry of W_ii */
  double scale, first; /* `scale`: largest free motion, m; `first`: initial `gap`, N m */
  double gap;          /* mean of f . v over the contacts, N m */
  double ease;         /* fraction of the slope used in E: 1, or less after short steps */
  int inside;          /* number of contacts included in `gap` */
  int jammed, idle;    /* numbers of consecutive steps: short steps; steps since `gap` was last halved */
  double least;        /* `gap` when it was last halved, N m */
} tacLawInterior;

size_t tac_law_interior_room(int count);
bool tac_law_interior_begin(tacLawSystem *system, const bool *out, const double *weight, tacArena *arena,
                            tacLawInterior *interior);
/* Takes one step. Returns false if no further step is possible: the equations have no solution, steps have zero length,
 * or `gap` no longer decreases. */
bool tac_law_interior_step(tacLawIterate *iterate, tacLawInterior *interior);
