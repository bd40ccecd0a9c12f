/* One point contact with Coulomb friction on a compliance body, tracked in surface coordinates (James and Pai 2001,
 * section 6.4 and Figure 8). Any phase, no allocation, bounded time.
 *
 * The contact point x^C is a point of the undeformed surface. The probe at y pulls it with f = K u, the force on the
 * body, where u = y - x^C and K = K^H(x^C). The stored energy is E = u.K u / 2. When both move, dE = f.dy - g.dx^C with
 * g = f - u.(grad K) u / 2. So g, not f, drives the contact point, and friction acts on g. With n the outward normal at
 * x^C, N = -n.f the normal force and T the tangential part of g, the contact sticks while |T| <= m N. Otherwise x^C
 * slides along the surface until |T| = m N, with T in the direction in which it was pulled: the return mapping of
 * plasticity, by Newton's method in the two surface coordinates. m is chosen such that the felt force obeys Coulomb's
 * law: with f0 the force at the same place without friction, |f - f0| = mu |f0|. To first order, m is mu times the
 * stretch of the surface there. The dissipation T.dx^C is >= 0: sliding from a soft place to a stiff one creates no
 * energy. K, its gradient, n and f vary continuously over the surface. The contact ends where N <= 0.
 *
 * The point moves on flat facets, whose normal differs from the continuous n. Likewise, the continuous grad K differs
 * from the gradient of a K that is linear on each facet. So T.dx^C may be negative between facets. So a slide is only a
 * proposal: contact/point_group.h sums the energy of contacts, and limits slides such that hands get no more energy
 * than they gave.
 *
 * Let K_t be the stiffness along the surface and R the radius of curvature. If N / R > K_t, no nearby point is an
 * equilibrium and the contact snaps away, as a finger slips off a wet knob. Statics has no time scale; `reach` bounds
 * the slide per step, so that the force falls over several steps. */
#pragma once

#include <tactus/contact.h>
#include "body/body.h"
#include "math/geometry/mat3.h"
#include "mesh/surface_walk.h"

/* The touched body, which has a stiffness on its rest surface, and the touching tip. */
typedef struct tacTouched {
  tacBody body;
  const tacSurfaceWalk *surface;
  int tip; /* tacBodyTable.stiffness */
} tacTouched;

typedef struct tacPointContact {
  tacContactState state;
  tacSurfacePoint at; /* x^C */
  tacVec3 force;      /* on the body, N */
  tacVec3 stretch;    /* u, m, same frame as the force */
} tacPointContact;

/* Solves the contact that was at `start`, for the probe at `y` (m, body's frame, minus the displacement that the other
 * contacts cause there without this contact). B = `shared` (m/N) is the compliance that this contact loses because the
 * other contacts hold their points: f = K u with u = y - x^C + B f. NULL: there are no other contacts. The contact
 * slides by at most `reach` (m). Each evaluation of the laws reduces `*budget` by one, which bounds the time: a
 * sticking contact needs one, a sliding contact about five. Returns false if the budget or the iteration limit ends the
 * search before the laws hold. TAC_CONTACT_NONE as state: the contact ends at `start`, or slid to a place without
 * normal force. */
bool tac_point_contact_solve(const tacTouched *touched, tacSurfacePoint start, tacVec3 y, const tacMat3 *shared,
                             double friction, double reach, bool grabbed, int *budget, tacPointContact *contact);

/* K^H(x) (34), N/m. */
tacMat3 tac_point_contact_stiffness(const tacTouched *touched, tacSurfacePoint at);
/* f0, N: force at the contact's point without friction, for the same normal force. */
tacVec3 tac_point_contact_smooth(const tacTouched *touched, const tacPointContact *contact);
/* u^E, m: displacement of the contact's point by the contact's own force. */
tacVec3 tac_point_contact_displacement(const tacTouched *touched, const tacPointContact *contact);
