#include "servo/passivity.h"

static const double return_ticks = 20.0;   /* number of ticks in which the credit returns to the reference energy */
static const double reference_share = 0.7; /* fraction of the energy that a climb measured */
static const double rise_ticks = 50.0;     /* number of ticks in which the damper's force can rise to the force limit */
static const double weight_way = 2.5e-3;   /* m: distance over which the largest force may lift or push a mass */
static const double noise_seen = 0.01;     /* weight of a tick in the mean of the noise: 0.1 s at 1 kHz */

tacPassivity tac_passivity_begin(double period, double stiffness_limit, double force_limit, double lever,
                                 double resolution) {
  tacEnergyAccount account = tac_energy_account_begin(period), undamped = account;
  undamped.weight = force_limit * weight_way;
  return (tacPassivity){.period = period,
                        .stiffness = stiffness_limit,
                        .damping_most = 2.0 * stiffness_limit * period,
                        .damper_rise = force_limit / rise_ticks,
                        .lever = lever,
                        .resolution = resolution,
                        .force_limit = force_limit,
                        .orientation = tac_quat_identity(),
                        .asked = account,
                        .written = account,

                        .undamped = undamped};
}

static double dot(tacPort a, tacPort b) {
  return tac_vec3_dot(a.linear, b.linear) + tac_vec3_dot(a.angular, b.angular);
}

static tacPort mad(tacPort a, double s, tacPort b) {
  return (tacPort){tac_vec3_mad(a.linear, s, b.linear), tac_vec3_mad(a.angular, s, b.angular)};
}

static double largest(tacVec3 a) {
  return fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
}

/* Converts a force and a torque to a tacPort. The angular part is zero if there is no lever. */
static tacPort force_of(const tacPassivity *p, tacVec3 force, tacVec3 torque) {
  return (tacPort){force, p->lever > 0.0 ? tac_vec3_scale(1.0 / p->lever, torque) : tac_vec3(0.0, 0.0, 0.0)};
}

static tacPort motion_of(const tacPassivity *p) {
  return (tacPort){p->motion, tac_vec3_scale(p->lever, p->turn)};
}

/* ---- observer ---- */

/* Returns the place `ago` ticks before the newest place. */
static tacPort place_before(const tacPassivity *p, int ago) {
  return p->places[(p->newest + TAC_PASSIVITY_WINDOW - ago) % TAC_PASSIVITY_WINDOW];
}

static void see_noise(tacPassivity *p) {
  if (p->seen < 3) return;
  tacPort bend = mad(mad(place_before(p, 0), -2.0, place_before(p, 1)), 1.0, place_before(p, 2));
  p->linear_noise += noise_seen * (tac_vec3_norm2(bend.linear) / 18.0 - p->linear_noise); /* 18: 6 sigma^2 for 3 axes */
  p->angular_noise += noise_seen * (tac_vec3_norm2(bend.angular) / 18.0 - p->angular_noise);
}

void tac_passivity_observe(tacPassivity *p, tacVec3 position, tacQuat orientation) {
  tacPort place = {position, {0.0, 0.0, 0.0}};
  if (p->seen > 0) {
    tacPort last = p->places[p->newest];
    p->motion = tac_vec3_sub(position, last.linear);
    p->turn = tac_quat_to_rotation_vector(tac_quat_mul(orientation, tac_quat_conjugate(p->orientation)));
    place.angular = tac_vec3_mad(last.angular, p->lever, p->turn);
    double given = tac_vec3_dot(p->force, p->motion) + tac_vec3_dot(p->torque, p->turn);
    p->energy -= given;
    p->work += fabs(given);
    if (p->energy < p->least) p->least = p->energy;
  }
  p->newest = (p->newest + 1) % TAC_PASSIVITY_WINDOW;
  p->places[p->newest] = place;
  p->orientation = orientation;
  if (p->seen < TAC_PASSIVITY_WINDOW) ++p->seen;
  see_noise(p);
  p->damping_before = p->damping;
  p->damping = (tacPort){0};
}

void tac_passivity_set_stored(tacPassivity *p, double energy) {
  p->asked.stored = p->written.stored = p->undamped.stored = isfinite(energy) ? fmax(0.0, energy) : 0.0;
}

/* Returns the work of the hand in the last tick by the trapezium rule. `force` was held in the tick. `next_force` is
 * held from now on. */
static double trapezium(const tacPassivity *p, tacVec3 force, tacVec3 torque, tacVec3 next_force, tacVec3 next_torque) {
  return -0.5 * (tac_vec3_dot(tac_vec3_add(force, next_force), p->motion) +
                 tac_vec3_dot(tac_vec3_add(torque, next_torque), p->turn));
}

void tac_passivity_hold(tacPassivity *p, tacVec3 asked_force, tacVec3 asked_torque, tacVec3 force, tacVec3 torque) {
  if (!tac_vec3_finite(asked_force) || !tac_vec3_finite(asked_torque))
    asked_force = asked_torque = tac_vec3(0.0, 0.0, 0.0);
  tacPort asked = force_of(p, asked_force, asked_torque), written = force_of(p, force, torque);
  double size = sqrt(dot(asked, asked)), generated = p->undamped.generated;
  double larger = fmax(size, sqrt(dot(written, written))); /* a force that is cancelled or cut is still contact */
  tac_energy_account_add(&p->asked, trapezium(p, p->asked_force, p->asked_torque, asked_force, asked_torque), size,
                         size > 0.0);
  double work = trapezium(p, p->force, p->torque, force, torque);
  double held = -dot(p->damping_before, motion_of(p)), next = -dot(p->damping, motion_of(p)); /* damper's work, J */
  tac_energy_account_add(&p->written, work, larger, larger > 0.0);
  tac_energy_account_add(&p->undamped, work - 0.5 * (held + next), larger, larger > 0.0);
  p->debt = fmax(0.0, p->debt + p->undamped.generated - generated - held);
  p->force = force;
  p->torque = torque;
  p->asked_force = asked_force;
  p->asked_torque = asked_torque;
}

/* ---- controller ---- */

/* Fits a line to the places of the last `window` ticks. `slope` receives the slope in a tick. False if a place is
 * farther from the line than the errors `linear` and `angular`. */
static bool fit(const tacPassivity *p, int window, double linear, double angular, tacPort *slope) {
  tacPort mean = {0}, fall = {0};
  double middle = 0.5 * window, spread = window * (window + 1.0) * (window + 2.0) / 12.0;
  for (int i = 0; i <= window; ++i) {
    mean = mad(mean, 1.0 / (window + 1.0), place_before(p, i));
    fall = mad(fall, (middle - i) / spread, place_before(p, i));
  }
  *slope = fall;
  for (int i = 0; i <= window; ++i) {
    tacPort off = mad(mad(mean, middle - i, fall), -1.0, place_before(p, i));
    if (!(largest(off.linear) <= linear) || !(largest(off.angular) <= angular)) return false;
  }
  return true;
}

/* Returns the error of a measured position, m. */
static double error_of(const tacPassivity *p) {
  return fmax(p->resolution, 3.0 * sqrt(p->linear_noise));
}

/* Returns the motion dx in a tick. `certain` receives 0 if the motion in the window is within the error of
 * positions, and rises to 1 at twice the error. */
static tacPort steady_motion(const tacPassivity *p, double *certain) {
  double linear = error_of(p), angular = 3.0 * sqrt(p->angular_noise);
  tacPort motion = motion_of(p), slope;
  int length = 1;
  for (int window = 2; window < p->seen && fit(p, window, linear, angular, &slope); ++window) {
    motion = slope;
    length = window;
  }
  double way = length * sqrt(dot(motion, motion)), error = fmax(linear, angular);
  *certain = way > error ? fmin(1.0, way / error - 1.0) : 0.0;
  return motion;
}

bool tac_passivity_damp(tacPassivity *p, tacVec3 *force, tacVec3 *torque) {
  tacPort push = force_of(p, *force, *torque);
  double size2 = dot(push, push);
  if (!(size2 > 0.0) || p->seen < 2) return false;
  const tacEnergyAccount *account = &p->undamped;
  double credit = account->credit + trapezium(p, p->force, p->torque, *force, *torque);
  double debt = p->debt + fmax(0.0, -credit) - p->force_limit * error_of(p);
  double shown = account->peak > 0.0 ? account->climbed * size2 / (account->peak * account->peak) : 0.0;
  double reference = fmin(reference_share * shown, 0.5 * size2 / p->stiffness);
  double early = (reference - fmax(0.0, credit) + debt) / return_ticks;
  tacPort before = p->damping_before;
  if (!(fmax(debt, early) > 0.0) && !(dot(before, before) > 0.0)) return false;
  double certain;
  tacPort motion = steady_motion(p, &certain);
  bool turned = certain > 0.0 && dot(before, motion) > 0.0; /* the motion has reversed */
  double was = turned ? 0.0 : sqrt(dot(before, before)), damper = fmax(0.0, was - p->damper_rise);
  tacPort along = before;
  if (certain > 0.0) {
    double given = dot(push, motion), way2 = dot(motion, motion), way = sqrt(way2);
    double missing = fmax(0.0, given > 0.0 ? fmax(debt, early) : debt);
    double alpha_most = p->damping_most + fmin(10.0 * p->damping_most, p->period * fmax(0.0, given) / way2);
    double wanted = certain * fmin(missing / way, alpha_most * way / p->period); /* force alpha |dx| / T */
    damper = fmin(was + p->damper_rise, fmax(damper, wanted));
    along = mad((tacPort){0}, -1.0, motion);
  }
  damper = fmin(damper, sqrt(size2));
  if (!(damper > 0.0)) return false;
  p->damping = mad((tacPort){0}, damper / sqrt(dot(along, along)), along);
  *force = tac_vec3_add(*force, p->damping.linear);
  *torque = tac_vec3_mad(*torque, p->lever, p->damping.angular);
  return true;
}
