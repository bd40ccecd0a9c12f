#include "servo/passivity.h"

static const double rest = 1e-12;        /* m a tick: below this a device does not move */
static const double return_ticks = 20.0; /* over which E returns to its reference */
/* Of the work: what holding the force between ticks may generate unanswered. */
static const double sampled_share = 0.0025;
static const double rise_ticks = 50.0; /* in which the damper's force rises to the device's limit */

tacPassivity tac_passivity_begin(double period, double stiffness_limit, double force_limit, double lever,
                                 double resolution) {
  return (tacPassivity){.period = period,
                        .stiffness = stiffness_limit,
                        .damping_most = 2.0 * stiffness_limit * period,
                        .damper_rise = force_limit / rise_ticks,
                        .lever = lever,
                        .resolution = resolution,
                        .tolerance = force_limit * resolution,
                        .orientation = tac_quat_identity()};
}

void tac_passivity_observe(tacPassivity *p, tacVec3 position, tacQuat orientation) {
  if (p->seen > 0) {
    p->motion = tac_vec3_sub(position, p->positions[p->newest]);
    p->turn = tac_quat_to_rotation_vector(tac_quat_mul(orientation, tac_quat_conjugate(p->orientation)));
    double given = tac_vec3_dot(p->force, p->motion) + tac_vec3_dot(p->torque, p->turn);
    p->energy -= given;
    p->work += fabs(given);
    if (p->energy < p->least) p->least = p->energy;
  }
  p->newest = (p->newest + 1) % TAC_PASSIVITY_WINDOW;
  p->positions[p->newest] = position;
  p->orientation = orientation;
  if (p->seen < TAC_PASSIVITY_WINDOW) ++p->seen;
}

/* The position `ago` ticks before the newest. */
static tacVec3 position_before(const tacPassivity *p, int ago) {
  return p->positions[(p->newest + TAC_PASSIVITY_WINDOW - ago) % TAC_PASSIVITY_WINDOW];
}

/* Whether a line through the newest position and the one `window` ticks before passes all between within a count. */
static bool fits(const tacPassivity *p, int window, tacVec3 step) {
  tacVec3 newest = position_before(p, 0);
  for (int i = 1; i < window; ++i) {
    tacVec3 off = tac_vec3_sub(tac_vec3_mad(newest, -i, step), position_before(p, i));
    if (!(fmax(fabs(off.x), fmax(fabs(off.y), fabs(off.z))) <= p->resolution)) return false;
  }
  return true;
}

/* dx, m a tick. */
static tacVec3 steady_motion(const tacPassivity *p) {
  tacVec3 motion = p->motion;
  for (int window = 2; window < p->seen; ++window) {
    tacVec3 step = tac_vec3_scale(1.0 / window, tac_vec3_sub(position_before(p, 0), position_before(p, window)));
    if (!fits(p, window, step)) break;
    motion = step;
  }
  return motion;
}

bool tac_passivity_damp(tacPassivity *p, tacVec3 *force, tacVec3 *torque) {
  double most = p->damper + p->damper_rise;
  p->damper = 0.0;
  tacVec3 motion = steady_motion(p);
  double size = tac_vec3_norm2(motion) + p->lever * p->lever * tac_vec3_norm2(p->turn);
  double given = tac_vec3_dot(*force, motion) + tac_vec3_dot(*torque, p->turn);
  double missing = given - p->energy - p->tolerance - sampled_share * p->work;
  double stored = 0.5 * tac_vec3_norm2(*force) / p->stiffness;
  if (p->lever > 0.0) stored += 0.5 * tac_vec3_norm2(*torque) / (p->stiffness * p->lever * p->lever);
  if (given > 0.0) missing = fmax(missing, (missing + stored) / return_ticks);
  if (!(missing > 0.0) || !(size > rest * rest)) return false;
  double cancelling = fmin(10.0 * p->damping_most, p->period * fmax(0.0, given) / size);
  double alpha = fmin(p->damping_most + cancelling, p->period * missing / size);
  alpha = fmin(alpha, most * p->period / sqrt(size));
  p->damper = alpha * sqrt(size) / p->period;
  *force = tac_vec3_mad(*force, -alpha / p->period, motion);
  *torque = tac_vec3_mad(*torque, -alpha / p->period * p->lever * p->lever, p->turn);
  return true;
}

void tac_passivity_hold(tacPassivity *p, tacVec3 force, tacVec3 torque) {
  p->force = force;
  p->torque = torque;
}
