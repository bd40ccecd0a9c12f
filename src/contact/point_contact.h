/* One point-like contact with Coulomb friction on a body that answers as a compliance, tracked in surface coordinates (James and Pai 2001,
 * section 6.4 and Figure 8). Any phase, no allocation, bounded time.
 *
 * The contact point x^C is a point of the undeformed surface; the probe at y pulls it with f = K u, the force on the body, where
 * u = y - x^C and K = K^H(x^C). The stored energy is E = u.K u / 2; when both move, dE = f.dy - g.dx^C with
 * g = f - u.(grad K) u / 2. So g, and not f, is what moves the contact point, and friction acts on it: with n the outward normal
 * at x^C, N = -n.f the pressing force and T the tangential part of g, the contact sticks while |T| <= m N. Otherwise x^C slides
 * along the surface until |T| = m N, with T in the direction in which it was pulled: the return mapping of plasticity, by
 * Newton's method in the two surface coordinates. m is such that what is felt obeys Coulomb's law: with f0 the force that would rest at x^C without
 * friction, |f - f0| = mu |f0|. It is mu times what the surface is stretched by there, to first order. What is dissipated is T.dx^C >= 0: sliding from a soft place to a stiff one
 * generates no energy. K, its gradient and n vary continuously over the surface, and so does f. The contact ends where N <= 0.
 *
 * Continuous n and grad K are not those of the facets on which the point moves, and of a K that is linear on each: between them
 * T.dx^C may be negative. So a slide is a proposal: contact/point_group.h counts what contacts took, and lets them slide only so far
 * that hands get no more than they gave.
 *
 * Where the body is softer along the surface than the pressing force is strong (N / R > K_t at a radius of curvature R) no
 * point nearby is an equilibrium and the contact snaps away, as a finger slips off a wet knob. Statics knows no time; `reach`
 * bounds how far the point slides in a step, so that the force falls off over several steps. */
#pragma once

#include <tactus/contact.h>
#include "body/body.h"
#include "math/geometry/mat3.h"
#include "mesh/surface_walk.h"

/* What is touched: a body that tells its stiffness, on its surface at rest; and what by. */
typedef struct tacTouched {
  tacBody body;
  const tacSurfaceWalk *surface;
  int tip; /* tacBodyTable.stiffness */
} tacTouched;

typedef struct tacPointContact {
  tacContactState state;
  tacSurfacePoint at; /* x^C */
  tacVec3 force;      /* on the body, N */
  tacVec3 stretch;    /* u, m, in the frame of the force */
} tacPointContact;

/* Solves the contact that was at `start` for the probe at `y` (m, the body's frame, less what other contacts displace without this
 * one). B = `shared` (m/N) is what the others, who hold their points, take of its compliance: f = K u with u = y - x^C + B f; NULL where
 * it is alone. It slides by `reach` (m) at most. Each evaluation of the laws takes one of `*budget`, so that a step's time is
 * bounded; a contact that sticks takes one, one that slides some five. Returns false where the budget or the bound on iterations was
 * met before the laws hold: the contact is then on its way. State none: it ends at `start`, or slid to where nothing presses. */
bool tac_point_contact_solve(const tacTouched *touched, tacSurfacePoint start, tacVec3 y, const tacMat3 *shared,
                             double friction, double reach, bool grabbed, int *budget, tacPointContact *contact);

/* K^H(x) (34), N/m. */
tacMat3 tac_point_contact_stiffness(const tacTouched *touched, tacSurfacePoint at);
/* f0: the force with which it would rest at its point without friction, under the same pressing force, N. */
tacVec3 tac_point_contact_smooth(const tacTouched *touched, const tacPointContact *contact);
/* u^E: what the contact's own force displaces its point by, m. */
tacVec3 tac_point_contact_displacement(const tacTouched *touched, const tacPointContact *contact);
