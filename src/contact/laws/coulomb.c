#include "contact/laws/coulomb.h"
#include "contact/laws/frictional_problem.h"

#include <float.h>

/* Existence of a solution of the contact laws, and search for the solution. If the contact presses, u_n = 0 gives
 *     f_n = (-u0_n - w_nt f_t) / w_nn,
 * and the tangential equations are
 *     (S + lambda) f_t = -g,   g = u0_t - w_tn u0_n / w_nn.
 * Only lambda is unknown. Let psi(lambda) = mu f_n / |f_t| - 1. If the contact does not stick, psi(0) < 0. For
 * lambda -> infinity, f_t vanishes and f_n approaches -u0_n / w_nn > 0. So psi has a root with f_n = |f_t| / mu > 0.
 *
 * If S is a multiple of the identity, psi is linear for any w_nt. If w_nt = 0, psi is concave, like the secular
 * equation of trust regions, and Newton's method takes a few steps. In general Newton's method needs a bracket of the
 * root. */

enum { MOST_STEPS = 100 }; /* limit of search steps; usually four steps suffice, and bisection alone needs 64 */
static const double LARGEST = 1e100, SMALLEST = 1e-100;

bool tac_coulomb_block_prepare(const tacMat3 *w, tacCoulombBlock *block) {
  double a = w->m[0][0], b1 = w->m[0][1], b2 = w->m[0][2],
         most = fabs(w->m[1][1]) + fabs(w->m[2][2]) + fabs(w->m[1][2]);
  *block = (tacCoulombBlock){.axis = {1.0, 0.0}};
  if (!(a > SMALLEST && a < LARGEST && most < LARGEST && fabs(b1) + fabs(b2) < LARGEST)) return false;
  double per = 1.0 / a, c1 = b1 * per, c2 = b2 * per;
  double p = w->m[1][1] - b1 * c1, q = w->m[1][2] - b1 * c2, r = w->m[2][2] - b2 * c2;
  double half = 0.5 * (p - r), mean = 0.5 * (p + r), root = sqrt(half * half + q * q);
  /* First axis of S, at half the angle of (half, q). The smaller component is computed from the larger component,
   * without cancellation. */
  double x = 1.0, y = 0.0;
  if (root > 0.0) {
    double cosine = fabs(half) / root, sine = q / root, larger = sqrt(0.5 * (1.0 + cosine)),
           smaller = 0.5 * sine / larger;
    x = half >= 0.0 ? larger : smaller;
    y = half >= 0.0 ? smaller : larger;
  }
  double least = DBL_EPSILON * (a + most), s1 = fmax(mean + root, least), s2 = fmax(mean - root, least);
  block->normal = a;
  block->per_normal = per;
  block->couple[0] = x * b1 + y * b2;
  block->couple[1] = x * b2 - y * b1;
  block->coupling = sqrt(b1 * b1 + b2 * b2);
  block->shear[0] = s1;
  block->shear[1] = s2;
  block->per_shear[0] = 1.0 / s1;
  block->per_shear[1] = 1.0 / s2;
  block->axis[0] = x;
  block->axis[1] = y;
  return true;
}

/* Normal force, and friction force along the axes of S. */
typedef struct Answer {
  double normal, t[2];
} Answer;

static double pressing(const tacCoulombBlock *block, double gap, const double t[2]) {
  return (-gap - block->couple[0] * t[0] - block->couple[1] * t[1]) * block->per_normal;
}

/* Returns an upper bound of the root. Since |f_t| <= |g| / lambda and f_n >= (-gap - |w_nt| |f_t|) / w_nn, psi is
 * positive for every larger lambda. */
static double upper_bound(const tacCoulombBlock *block, double mu, double gap, const double g[2]) {
  double size = sqrt(g[0] * g[0] + g[1] * g[1]);
  return fmin(size * (block->normal + mu * block->coupling) / (mu * -gap), LARGEST);
}

/* Finds the root of psi for a contact with gap < 0 and mu > 0 that does not stick. */
static Answer slide(const tacCoulombBlock *block, double mu, double gap, const double g[2], double *lambda) {
  double s1 = block->shear[0], s2 = block->shear[1], b1 = block->couple[0], b2 = block->couple[1];
  double low = 0.0, high = INFINITY, at = *lambda > 0.0 && *lambda < LARGEST ? *lambda : 0.0;
  Answer answer = {0.0, {0.0, 0.0}};
  for (int step = 0; step < MOST_STEPS; ++step) {
    double r1 = 1.0 / (s1 + at), r2 = 1.0 / (s2 + at);
    answer.t[0] = -g[0] * r1;
    answer.t[1] = -g[1] * r2;
    answer.normal = pressing(block, gap, answer.t);
    double q1 = answer.t[0] * answer.t[0], q2 = answer.t[1] * answer.t[1], t2 = q1 + q2, t = sqrt(t2);
    double limit = mu * answer.normal, more = limit - t; /* `more` has the sign of psi */
    if (fabs(more) <= 2.0 * DBL_EPSILON * (t + mu * block->per_normal * (block->coupling * t - gap))) break;
    if (more < 0.0)
      low = at;
    else
      high = at;
    /* Newton's step for psi. With t = |f_t|: psi t^3 = t^2 (mu f_n - t), and psi' t^3 = mu
     * (f_n' t^2 + f_n sum f_ti^2 r_i). */
    double slope =
        (b1 * answer.t[0] * r1 + b2 * answer.t[1] * r2) * block->per_normal * t2 + answer.normal * (q1 * r1 + q2 * r2);
    double way = -t2 * more / (mu * slope), next = at + way;
    if (slope > 0.0 && fabs(way) <= 2.0 * DBL_EPSILON * (s2 + at)) break;
    if (!(slope > 0.0 && next > low && next < high && step % 32 < 31)) {
      /* If Newton's step leaves the bracket or converges slowly, the search bisects s2 + lambda on a logarithmic scale. */
      high = fmin(high, upper_bound(block, mu, gap, g));
      next = sqrt((s2 + low) * (s2 + high)) - s2;
    }
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (!(next > low && next < high)) break; /* no floating-point number lies inside the bracket */
    at = next;
  }
  *lambda = at;
  return answer;
}

bool tac_coulomb_block_solve(const tacCoulombBlock *block, double friction, const double u0[3], double *lambda,
                             double force[3], tacContactState *state) {
  double gap = u0[0], start = *lambda;
  force[0] = force[1] = force[2] = *lambda = 0.0;
  *state = TAC_CONTACT_NONE;
  if (!(friction >= 0.0 && friction < LARGEST && fabs(u0[0]) + fabs(u0[1]) + fabs(u0[2]) < LARGEST)) return false;
  if (gap >= 0.0) return true;
  if (!(block->normal > 0.0)) return false;
  double x = block->axis[0], y = block->axis[1], drop = gap * block->per_normal;
  double g[2] = {x * u0[1] + y * u0[2] - block->couple[0] * drop, x * u0[2] - y * u0[1] - block->couple[1] * drop};
  Answer answer = {-drop, {0.0, 0.0}};
  *state = TAC_CONTACT_SLIDES;
  if (friction > 0.0) {
    answer.t[0] = -g[0] * block->per_shear[0];
    answer.t[1] = -g[1] * block->per_shear[1];
    answer.normal = pressing(block, gap, answer.t);
    double most = friction * answer.normal;
    if (answer.normal >= 0.0 && answer.t[0] * answer.t[0] + answer.t[1] * answer.t[1] <= most * most) {
      *state = TAC_CONTACT_STICKS;
    } else {
      *lambda = start;
      answer = slide(block, friction, gap, g, lambda);
      answer.normal = fmax(answer.normal, 0.0);
      double t2 = answer.t[0] * answer.t[0] + answer.t[1] * answer.t[1];
      double scale = t2 > 0.0 ? friction * answer.normal / sqrt(t2) : 0.0; /* about 1: moves f onto the cone */
      answer.t[0] *= scale;
      answer.t[1] *= scale;
    }
  }
  force[0] = answer.normal;
  force[1] = x * answer.t[0] - y * answer.t[1];
  force[2] = y * answer.t[0] + x * answer.t[1];
  return true;
}

/* Replaces `best` by (metres, newtons) if this correction is smaller. The size of a correction is the larger of its two
 * parts, each relative to its tolerance. */
static void prefer(double metres, double newtons, tacContactMeasure tolerance, tacContactMeasure *best) {
  double share = fmax(metres * tolerance.newtons, newtons * tolerance.metres);
  if (share < fmax(best->metres * tolerance.newtons, best->newtons * tolerance.metres))
    *best = (tacContactMeasure){metres, newtons};
}

tacContactMeasure tac_coulomb_residual(const double u[3], const double force[3], double friction,
                                       tacContactMeasure tolerance) {
  double t2 = force[1] * force[1] + force[2] * force[2];
  /* Correction of u and f for an open contact. Values that are not finite remain not finite. */
  tacContactMeasure best = {u[0] >= 0.0 ? 0.0 : -u[0], sqrt(force[0] * force[0] + t2)};
  if (best.newtons == 0.0) return best;
  /* Corrections of u and f for a pressing contact: u_n = 0 and f_n >= 0. */
  double normal = fabs(u[0]), pull = fmax(-force[0], 0.0), most = friction * fmax(force[0], 0.0);
  double t = sqrt(t2), slip = sqrt(u[1] * u[1] + u[2] * u[2]);
  /* Correction for a sticking contact. */
  prefer(fmax(normal, slip), fmax(pull, fmax(t - most, 0.0)), tolerance, &best);
  if (slip > 0.0) { /* correction of friction for a sliding contact: f_t = -mu f_n u_t / |u_t| */
    double d1 = force[1] + most * u[1] / slip, d2 = force[2] + most * u[2] / slip;
    prefer(normal, fmax(pull, sqrt(d1 * d1 + d2 * d2)), tolerance, &best);
  }
  if (t > 0.0) { /* correction of slip for a sliding contact: u_t in the direction of -f_t */
    double along = (u[1] * force[1] + u[2] * force[2]) / t, across = fabs(u[1] * force[2] - u[2] * force[1]) / t;
    prefer(fmax(normal, along > 0.0 ? slip : across), fmax(pull, fabs(t - most)), tolerance, &best);
  }
  return best;
}
