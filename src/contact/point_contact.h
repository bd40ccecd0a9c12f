/* One point contact with Coulomb friction on a compliance body, tracked in surface coordinates (James and Pai 2001,
 * section 6.4 and Figure 8). All functions are for any phase: no allocation, bounded time.
 *
 * Laws. The contact point x^C is a point of the undeformed surface. The probe at y pulls the contact point with the
 * force f = K u on the body. u = y - x^C is the stretch, and K = K^H(x^C) the stiffness at the contact point. The
 * stored energy is E = u.K u / 2. For motions of y and x^C, dE = f.dy - g.dx^C with g = f - u.(grad K) u / 2. So g, not
 * f, drives the contact point, and friction acts on g. Let n be the outward normal at x^C, N = -n.f the normal force,
 * and T the tangential component of g. The contact sticks as long as |T| <= m N. Otherwise x^C slides along the surface
 * until |T| = m N, where T keeps the direction in which the point was pulled. This is the return mapping of plasticity,
 * computed by Newton's method in the two surface coordinates.
 *
 * Ends. In a body that is much softer in one direction than in others, the force at the point may pull (N <= 0) while
 * the probe is inside the body. The contact then slides without friction to lower E, until N > 0 and |T| <= m N. The
 * contact ends if there is no such place.
 *
 * Friction coefficient. m is chosen such that the felt force obeys Coulomb's law: |f - f0| = mu |f0|, where f0 is the
 * force at the same place without friction. To first order, m is mu times the stretch of the surface at this place. The
 * dissipation T.dx^C is >= 0: a slide from a soft place to a stiff place creates no energy. K, its gradient, n and f
 * vary continuously over the surface.
 *
 * Facets. The point moves on flat facets, whose normals differ from the continuous n. The continuous grad K also
 * differs from the gradient of a K that is linear on each facet. So T.dx^C may be negative between facets, and a slide
 * is only a proposal. contact/point_group.h sums the energy of all contacts, and limits slides such that hands never
 * get more energy than they put in.
 *
 * Snapping. Let K_t be the stiffness along the surface and R the radius of curvature. If N / R > K_t, no nearby point
 * is an equilibrium, and the contact snaps away. Statics has no time scale. `reach` limits the slide per step, so that
 * the force falls over several steps. */
#pragma once

#include <tactus/contact.h>
#include "body/body.h"
#include "math/geometry/mat3.h"
#include "mesh/surface_walk.h"

/* The touched body and the touching tip. The body has a stiffness on its rest surface. */
typedef struct tacTouched {
  tacBody body;
  const tacSurfaceWalk *surface;
  int tip; /* index of the tip, as in tacBodyTable.stiffness */
} tacTouched;

typedef struct tacPointContact {
  tacContactState state;
  tacSurfacePoint at; /* contact point x^C on the undeformed surface */
  tacVec3 force;      /* force f on the body, N */
  tacVec3 stretch;    /* stretch u in the frame of the force, m */
} tacPointContact;

/* Solves the laws of one contact.
 *
 * `start`: initial contact point. `y`: position of the probe in the body's frame, m, minus the displacement that all
 * other contacts would cause at the point without this contact. `shared`: compliance B (m/N) that this contact loses
 * because the other contacts hold their points, so that f = K u with u = y - x^C + B f; NULL if there are no other
 * contacts. `reach`: maximum length of the slide, m.
 *
 * Each evaluation of the laws reduces `*budget` by one, which bounds the time. A sticking contact needs one evaluation,
 * and a sliding contact about five. Returns false if the budget or the iteration limit ends the search before the laws
 * hold. The state TAC_CONTACT_NONE means that the contact ends: no place within reach has normal force. */
bool tac_point_contact_solve(const tacTouched *touched, tacSurfacePoint start, tacVec3 y, const tacMat3 *shared,
                             double friction, double reach, bool grabbed, int *budget, tacPointContact *contact);

/* Returns the stiffness K^H(x), equation (34), N/m. */
tacMat3 tac_point_contact_stiffness(const tacTouched *touched, tacSurfacePoint at);
/* Returns f0, N: the force at the contact point without friction, for the same normal force. */
tacVec3 tac_point_contact_smooth(const tacTouched *touched, const tacPointContact *contact);
/* Returns u^E, m: the displacement of the contact point by the contact's own force. */
tacVec3 tac_point_contact_displacement(const tacTouched *touched, const tacPointContact *contact);
