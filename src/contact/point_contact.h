/* One point-like contact with Coulomb friction on a body that answers as a compliance, tracked in surface coordinates (James and Pai 2001,
 * section 6.4 and Figure 8). Any phase, no allocation, bounded time.
 *
 * The contact point x^C is a point of the undeformed surface; the probe at y pulls it with f = K u, the force on the body, where
 * u = y - x^C and K = K^H(x^C). The stored energy is E = u.K u / 2; when both move, dE = f.dy - g.dx^C with
 * g = f - u.(grad K) u / 2. So g, and not f, is what moves the contact point, and friction acts on it: with n the outward normal
 * at x^C, N = -n.f the pressing force and T the tangential part of g, the contact sticks while |T| <= mu N. Otherwise x^C slides
 * along the surface until |T| = mu N, with T in the direction in which it was pulled: the return mapping of plasticity, by
 * Newton's method in the two surface coordinates. What is dissipated is T.dx^C >= 0: sliding from a soft place to a stiff one
 * generates no energy. K, its gradient and n vary continuously over the surface, and so does f. The contact ends where N <= 0.
 *
 * Continuous n and grad K are not those of the facets on which the point moves, and of a K that is linear on each: between them
 * T.dx^C may be negative. So the energy that a contact took is counted. With the hand's work by the trapezium rule, a step from
 * (x0, y0) to (x1, y1) dissipates
 *   (f0 + f1).(y1 - y0) / 2 - E1 + E0,
 * which is 0 for a point that sticks, whatever K. A point slides only as far as the sum over the contact stays at or above 0: so the
 * hand's work is never below E, and no path of the hand gets more out of a contact than it has put in.
 *
 * Where the body is softer along the surface than the pressing force is strong (N / R > K_t at a radius of curvature R) no
 * point nearby is an equilibrium and the contact snaps away, as a finger slips off a wet knob. Statics knows no time; `reach`
 * bounds how far the point slides in a step, so that the force falls off over several steps. */
#ifndef TAC_CONTACT_POINT_CONTACT_H
#define TAC_CONTACT_POINT_CONTACT_H

#include <tactus/contact.h>
#include "body/body.h"
#include "math/mat3.h"
#include "mesh/surface_walk.h"

/* What is touched: a body that tells its stiffness, on its surface at rest. */
typedef struct tacTouched {
  tacBody body;
  const tacSurfaceWalk *surface;
} tacTouched;

typedef struct tacPointContact {
  tacContactState state;
  tacSurfacePoint at; /* x^C */
  tacVec3 force;      /* on the body, N */
  tacVec3 stretch;    /* u, m, in the frame of the force */
  double lost;        /* J: what sliding took since the contact began */
} tacPointContact;

/* How far a contact may slide in a step: by `reach` (m), and so that its force changes by no more than `change` (N), or by what it would
 * change by if the contact stuck. */
typedef struct tacPointLimits {
  double reach, change;
} tacPointLimits;

/* Solves the contact that was as `start` at the end of the step before (one that begins: at rest where it enters, all else zero) for the
 * probe at `y` (m, the body's frame, less what other contacts displace).
 * Each evaluation of the laws takes one of `*budget`, so that a step's time is bounded; a contact that sticks takes one, one
 * that slides some five. Returns false where the budget or the bound on iterations was met before the laws hold: the contact
 * is then on its way. */
bool tac_point_contact_solve(const tacTouched *touched, const tacPointContact *start, tacVec3 y, double friction,
                             tacPointLimits limits, bool grabbed, int *budget, tacPointContact *contact);
/* `lost` of a contact that is at another place than `start` one step later, whatever the way, J. */
double tac_point_contact_lost(const tacTouched *touched, const tacPointContact *start, tacVec3 y,
                              const tacPointContact *contact);

/* K^H(x) (34), N/m. */
tacMat3 tac_point_contact_stiffness(const tacTouched *touched, tacSurfacePoint at);
/* What moves the contact point, g, less the contact's force f: -u.(grad K) u / 2 with u = K^-1 f, N. */
tacVec3 tac_point_contact_drive(const tacTouched *touched, const tacPointContact *contact);
/* u^E: what the contact's own force displaces its point by, m. */
tacVec3 tac_point_contact_displacement(const tacTouched *touched, const tacPointContact *contact);

#endif
