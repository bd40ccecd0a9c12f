#include "couple/coupling.h"

#include <math.h>
#include <string.h>
#include "math/geometry/svd3.h"

/* Minimum ratio of the roll stiffness to turn_stiffness; applies near a roll of 180 degrees. */
static const double least_roll = 1e-6;
static const double way_most = 1e9; /* limit of distances to prevent overflow, m */
static const double stiffer = 1e7;  /* ratio of a trocar's pivot stiffness to the translational terms of the matrix */
static const double least_lever = 1e-3; /* lever of the tilt stiffness of a trocar, m */
static const double rise_share = 0.25;  /* weight of the last tick in the smoothed rise of the wrench */

tacCouplingDef tac_coupling_def_default(void) {
  return (tacCouplingDef){.stiffness = 600.0,
                          .turn_stiffness = 0.5,
                          .force_most = INFINITY,
                          .torque_most = INFINITY,
                          .static_damping = 0.5,
                          .speed_most = 1.0,
                          .turn_most = 10.0,
                          .mass = 0.1,
                          .inertia = tac_mat3_diagonal(1e-4, 1e-4, 1e-4), /* inertia of a ball of 50 mm radius */
                          .damping_ratio = 1.0};
}

/* Returns the length of the vector (force / force_most, torque / torque_most). */
static double filling(const tacCouplingDef *def, double force, double torque) {
  return hypot(force / def->force_most, torque / def->torque_most);
}

/* Saturation factor (4.39), and derivative of this factor by the result of `filling`. */
typedef struct {
  double value, slope;
} Share;

static Share share_at(double full) {
  if (!(full > 0.5)) return (Share){1.0, 0.0};
  double left = exp(1.0 - 2.0 * full), value = (1.0 - 0.5 * left) / full;
  return (Share){value, (left - value) / full};
}

double tac_coupling_share(const tacCouplingDef *def, double force, double torque) {
  return share_at(filling(def, force, torque)).value;
}

/* Pose of the device relative to the body. */
typedef struct {
  tacVec3 way; /* translation, m */
  double length;
  tacVec3 sine; /* rotation axis times sin(theta/2), for the shortest rotation theta from body to device (4.15) */
  double sine_length, cosine;
} Apart;

/* Scales a vector down so that no component exceeds `way_most`. Returns zero for a vector that is NaN or infinite. */
static tacVec3 bounded(tacVec3 a) {
  double most = fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
  if (!tac_vec3_finite(a)) return tac_vec3(0.0, 0.0, 0.0);
  return most > way_most ? tac_vec3_scale(way_most, tac_vec3_scale(1.0 / most, a)) : a;
}

/* Let q_s be the orientation of the body, q_m that of the device, q = q_s^-1 q_m = (w, v), and a the shaft. Then v.a is
 * sin(phi/2) cos(sigma/2), with the roll phi and the angle sigma between the two shafts. The spring's energy is k_t
 * (v.a)^2. A rotation omega of the device changes v.a by n.omega / 2, with n = q_s (w a + v x a). A rotation omega of
 * the body changes v.a by -n.omega / 2. Hence the torques k_t (v.a) n on body and device are equal and opposite for any
 * sigma, as in a constant-velocity joint. */
double tac_coupling_roll(const tacCouplingDef *def, const tacGrasp *body, const tacGrasp *device, tacVec3 *direction) {
  tacQuat at = tac_quat_normalise(body->orientation);
  tacQuat q = tac_quat_mul(tac_quat_conjugate(at), tac_quat_normalise(device->orientation));
  tacVec3 v = tac_quat_imaginary(q);
  *direction = tac_quat_rotate(at, tac_vec3_mad(tac_vec3_cross(v, def->shaft), q.w, def->shaft));
  return tac_vec3_dot(v, def->shaft);
}

static Apart apart(const tacCouplingDef *def, const tacGrasp *body, const tacGrasp *device) {
  Apart a = {.way = bounded(tac_vec3_sub(device->position, body->position))};
  tacQuat q =
      tac_quat_mul(tac_quat_normalise(device->orientation), tac_quat_conjugate(tac_quat_normalise(body->orientation)));
  double sign = q.w < 0.0 ? -1.0 : 1.0;
  a.length = tac_vec3_norm(a.way);
  a.sine = tac_vec3_scale(sign, tac_quat_imaginary(q));
  a.sine_length = tac_vec3_norm(a.sine);
  a.cosine = fabs(q.w);
  if (def->trocar) {
    tacVec3 n;
    double sine = tac_coupling_roll(def, body, device, &n);
    a.sine = tac_vec3_scale(sine, n);
    a.sine_length = tac_vec3_norm(a.sine);
  }
  return a;
}

void tac_coupling_toward(const tacGrasp *body, const tacGrasp *device, double toward[6]) {
  Apart a = apart(&(tacCouplingDef){.trocar = false}, body, device);
  tacVec3 turn = tac_quat_to_rotation_vector(tac_quat(a.cosine, a.sine.x, a.sine.y, a.sine.z));
  memcpy(toward, (double[6]){a.way.x, a.way.y, a.way.z, turn.x, turn.y, turn.z}, 6 * sizeof *toward);
}

static void add_block(double stiffness[6][6], int row, int column, tacMat3 block) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) stiffness[row + i][column + j] += block.m[i][j];
}

tacWrench tac_coupling_wrench(const tacCouplingDef *def, const tacGrasp *body, const tacGrasp *device,
                              double stiffness[6][6]) {
  Apart a = apart(def, body, device);
  double k = def->stiffness, k_turn = def->turn_stiffness, full = filling(def, k * a.length, k_turn * a.sine_length);
  Share share = share_at(full);
  tacVec3 force = tac_vec3_scale(k, a.way), torque = tac_vec3_scale(k_turn, a.sine);
  if (stiffness != NULL) {
    /* A rotation omega of the body multiplies the quaternion of the rotation from body to device by (1 - omega/2). So
     * a.sine changes by -(a.cosine I + a.sine~) omega / 2 (4.24). */
    tacMat3 change = tac_mat3_add(tac_mat3_diagonal(a.cosine, a.cosine, a.cosine), tac_mat3_skew(a.sine));
    double ways = k * share.value;
    memset(stiffness, 0, 36 * sizeof(double));
    add_block(stiffness, 0, 0, tac_mat3_diagonal(ways, ways, ways));
    add_block(stiffness, 3, 3, tac_mat3_scale(0.5 * k_turn * share.value, change));
    if (share.slope < 0.0) { /* adds the derivative of the saturation factor, as in (4.40) */
      double most = def->force_most, most_turn = def->torque_most, scale = share.slope / full;
      tacVec3 by_way = tac_vec3_scale(scale * k / (most * most), force);
      tacVec3 by_turn = tac_vec3_scale(scale * 0.5 * k_turn * a.cosine / (most_turn * most_turn), torque);
      add_block(stiffness, 0, 0, tac_mat3_outer(force, by_way));
      add_block(stiffness, 0, 3, tac_mat3_outer(force, by_turn));
      add_block(stiffness, 3, 0, tac_mat3_outer(torque, by_way));
      add_block(stiffness, 3, 3, tac_mat3_outer(torque, by_turn));
    }
  }
  return (tacWrench){tac_vec3_scale(share.value, force), tac_vec3_scale(share.value, torque)};
}

void tac_coupling_secant(const tacCouplingDef *def, const tacGrasp *body, const tacGrasp *device,
                         double stiffness[6][6]) {
  Apart a = apart(def, body, device);
  double share = tac_coupling_share(def, def->stiffness * a.length, def->turn_stiffness * a.sine_length);
  double angle = 2.0 * atan2(a.sine_length, a.cosine);
  memset(stiffness, 0, 36 * sizeof(double));
  for (int i = 0; i < 3; ++i) {
    stiffness[i][i] = share * def->stiffness;
    stiffness[3 + i][3 + i] = share * def->turn_stiffness * (angle > 0.0 ? a.sine_length / angle : 0.5);
  }
  if (!def->trocar) return;
  /* With sine = sin(phi/2), the vector n has the length cos(phi/2), and the stiffness along n is k_t sin(phi/2)
   * cos(phi/2) / phi. This stiffness is zero at phi = pi, hence the minimum `least_roll`. */
  tacVec3 n, shaft = tac_quat_rotate(tac_quat_normalise(body->orientation), def->shaft);
  double sine = fabs(tac_coupling_roll(def, body, device, &n)), cosine = tac_vec3_norm(n);
  double roll = 2.0 * atan2(sine, cosine), along = fmax(roll > 0.0 ? sine * cosine / roll : 0.5, least_roll);
  tacVec3 axis = cosine > least_roll ? tac_vec3_scale(1.0 / cosine, n) : shaft;
  for (int i = 0; i < 3; ++i) stiffness[3 + i][3 + i] = 0.0;
  add_block(stiffness, 3, 3, tac_mat3_scale(share * def->turn_stiffness * along, tac_mat3_outer(axis, axis)));
}

tacWrench tac_coupling_felt(const tacCouplingDef *def, const tacGrasp *body, const tacGrasp *device) {
  Apart a = apart(def, body, device);
  return (tacWrench){tac_vec3_scale(-def->stiffness, a.way), tac_vec3_scale(-def->turn_stiffness, a.sine)};
}

static tacVec3 lead(tacVec3 felt, tacVec3 rise) {
  double most = tac_vec3_norm(felt), size = 0.5 * tac_vec3_norm(rise);
  return tac_vec3_mad(felt, size > most ? 0.5 * most / size : 0.5, rise);
}

tacWrench tac_coupling_lead(const tacWrench *felt, const tacWrench *rise) {
  return (tacWrench){lead(felt->force, rise->force), lead(felt->torque, rise->torque)};
}

tacWrench tac_coupling_rise(const tacWrench *rise, const tacWrench *before, const tacWrench *now) {
  return (tacWrench){tac_vec3_mix(rise->force, tac_vec3_sub(now->force, before->force), rise_share),
                     tac_vec3_mix(rise->torque, tac_vec3_sub(now->torque, before->torque), rise_share)};
}

double tac_coupling_limit(const tacCouplingDef *def, double period, const double motion[6]) {
  double length = tac_vec3_norm(tac_vec3(motion[0], motion[1], motion[2]));
  double angle = tac_vec3_norm(tac_vec3(motion[3], motion[4], motion[5])), share = 1.0;
  if (length > def->speed_most * period) share = def->speed_most * period / length;
  if (angle * share > def->turn_most * period) share = def->turn_most * period / angle;
  return isfinite(length) && isfinite(angle) ? share : 0.0;
}

bool tac_coupling_move(const tacCouplingDef *def, double period, double motion[6], tacGrasp *body) {
  tacVec3 way = tac_vec3(motion[0], motion[1], motion[2]), turn = tac_vec3(motion[3], motion[4], motion[5]);
  double share = tac_coupling_limit(def, period, motion);
  for (int i = 0; i < 6; ++i) motion[i] = share > 0.0 ? share * motion[i] : 0.0;
  if (!tac_vec3_finite(body->position)) body->position = tac_vec3(0.0, 0.0, 0.0);
  body->orientation = tac_quat_normalise(body->orientation);
  if (share > 0.0) {
    body->position = tac_vec3_mad(body->position, share, way);
    body->orientation =
        tac_quat_normalise(tac_quat_mul(tac_quat_from_rotation_vector(tac_vec3_scale(share, turn)), body->orientation));
  }
  return share < 1.0;
}

/* ---- trocars ---- */

static tacVec3 shaft_of(const tacCouplingDef *def, const tacGrasp *body) {
  return tac_quat_rotate(tac_quat_normalise(body->orientation), def->shaft);
}

void tac_trocar_constrain(const tacCouplingDef *def, const tacGrasp *body, double matrix[6][6]) {
  tacVec3 b = shaft_of(def, body), r = tac_vec3_sub(def->pivot, body->position);
  tacMat3 one = tac_mat3_identity(), across = tac_mat3_sub(one, tac_mat3_outer(b, b));
  /* The point of the rod at the pivot moves by dx + turns dtheta. */
  tacMat3 turns = tac_mat3_scale(-1.0, tac_mat3_skew(r));
  tacMat3 mixed = tac_mat3_mul(across, turns), both = tac_mat3_mul(tac_mat3_transpose(turns), mixed);
  double pivot_stiffness = stiffer * fmax(matrix[0][0], fmax(matrix[1][1], matrix[2][2]));
  double tilt = def->stiffness * least_lever * least_lever;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      matrix[i][j] += pivot_stiffness * across.m[i][j];
      matrix[i][3 + j] += pivot_stiffness * mixed.m[i][j];
      matrix[3 + i][j] += pivot_stiffness * mixed.m[j][i];
      matrix[3 + i][3 + j] += pivot_stiffness * both.m[i][j] + tilt * across.m[i][j];
    }
}

void tac_trocar_place(const tacCouplingDef *def, tacGrasp *body) {
  tacVec3 b = shaft_of(def, body), r = tac_vec3_sub(def->pivot, body->position);
  body->position = tac_vec3_add(body->position, tac_vec3_mad(r, -tac_vec3_dot(r, b), b));
}

/* ---- equations ---- */

/* With the secant stiffness, a step reaches the device in every direction without resistance, also under saturation.
 * Section 4.10 requires this for degenerate directions. */
void tac_static_coupling_equation(const tacCouplingDef *def, const tacGrasp *device, const tacGrasp *body,
                                  double matrix[6][6], double load[6]) {
  double toward[6];
  tac_coupling_toward(body, device, toward);
  tac_coupling_secant(def, body, device, matrix);
  if (def->trocar) { /* the pivot, not the coupling, determines rotations across the shaft */
    tacWrench w = tac_coupling_wrench(def, body, device, NULL);
    memcpy(load, (double[6]){w.force.x, w.force.y, w.force.z, w.torque.x, w.torque.y, w.torque.z}, 6 * sizeof *load);
    tac_trocar_constrain(def, body, matrix);
    return;
  }
  for (int i = 0; i < 6; ++i) {
    load[i] = 0.0;
    for (int j = 0; j < 6; ++j) load[i] += matrix[i][j] * toward[j];
  }
}

void tac_static_coupling_slow(const tacCouplingDef *def, const tacGrasp *device, const tacGrasp *body,
                              const tacTwist *velocity, double times, double period, double matrix[6][6],
                              double load[6]) {
  const tacVec3 v = velocity->linear, w = velocity->angular;
  const double way[6] = {period * v.x, period * v.y, period * v.z, period * w.x, period * w.y, period * w.z};
  double secant[6][6];
  tac_coupling_secant(def, body, device, secant);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      load[i] += times * secant[i][j] * way[j];
      matrix[i][j] += times * secant[i][j];
    }
}

double tac_coupling_hold_back(const tacCouplingDef *def, double period, const double pull[6], const double motion[6]) {
  const double most[2] = {def->speed_most * period, def->turn_most * period};
  double share = 1.0;
  for (int k = 0; k < 2; ++k) { /* solves |motion - pull + share pull| = most, a quadratic equation */
    const double *m = &motion[3 * k], *q = &pull[3 * k], p[3] = {m[0] - q[0], m[1] - q[1], m[2] - q[2]};
    double a = q[0] * q[0] + q[1] * q[1] + q[2] * q[2], b = p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    double c = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] - most[k] * most[k];
    if (c > 0.0) return 1.0; /* the motion without `pull` exceeds the limit */
    if (m[0] * m[0] + m[1] * m[1] + m[2] * m[2] > most[k] * most[k]) share = fmin(share, (sqrt(b * b - a * c) - b) / a);
  }
  return share;
}

/* ---- dynamic coupling ---- */

/* Equations of motion about the grasp. m is the mass, c the centre of mass, I the moments about the grasp, and
 * (v, omega) the velocity:
 *
 *   M (v', omega') + (m omega x (omega x c), omega x I omega) = coupling + damper + contact,   M = [m, -m c~; m c~, I].
 *
 * A linearised implicit Euler step of length h gives the motion d in the step:
 *
 *   (M / h^2 + D / h + K) d = M (v, omega) / h + D (v, omega) + forces.
 *
 * D is the damping matrix and K the secant stiffness of the coupling. M, D and K are symmetric, and M is positive
 * definite. So the matrix always has a Cholesky factor, and springs only lose energy. */

/* Damper of the coupling. The coefficients are 2 ratio sqrt(k m) for translation and 2 ratio sqrt(k_t I / 2) for each
 * principal moment I about the grasp. With damping_ratio = 1 the damping is critical. */
typedef struct {
  double linear;   /* N s/m */
  tacMat3 angular; /* N m s, world */
} Damper;

static Damper damper_of(const tacCouplingDef *def, const tacGrasp *body, const tacGrasp *device) {
  tacQuat orientation = body->orientation;
  if (def->trocar) { /* the damper acts only on the roll, along the direction of the roll torque */
    tacVec3 n;
    double moment = tac_vec3_dot(def->shaft, tac_mat3_mul_vec(def->inertia, def->shaft));
    tac_coupling_roll(def, body, device, &n);
    return (Damper){
        2.0 * def->damping_ratio * sqrt(def->stiffness * def->mass),
        tac_mat3_scale(2.0 * def->damping_ratio * sqrt(0.5 * def->turn_stiffness * moment), tac_mat3_outer(n, n))};
  }
  tacSvd3 moments = tac_svd3(def->inertia); /* the inertia is symmetric, so U = V */
  tacMat3 axes = tac_mat3_mul(tac_quat_to_mat3(tac_quat_normalise(orientation)), moments.v);
  double turn = 0.5 * def->turn_stiffness, twice = 2.0 * def->damping_ratio;
  tacMat3 sizes = tac_mat3_diagonal(twice * sqrt(turn * moments.s[0]), twice * sqrt(turn * moments.s[1]),
                                    twice * sqrt(turn * moments.s[2]));
  return (Damper){twice * sqrt(def->stiffness * def->mass),
                  tac_mat3_mul(axes, tac_mat3_mul(sizes, tac_mat3_transpose(axes)))};
}

/* Returns the wrench of the damper; zero for a velocity that is NaN or infinite. */
static tacWrench damp(Damper damper, tacVec3 linear, tacVec3 angular) {
  tacVec3 none = {0.0, 0.0, 0.0};
  return (tacWrench){tac_vec3_finite(linear) ? tac_vec3_scale(damper.linear, linear) : none,
                     tac_vec3_finite(angular) ? tac_mat3_mul_vec(damper.angular, angular) : none};
}

static tacWrench add(tacWrench a, tacWrench b) {
  return (tacWrench){tac_vec3_add(a.force, b.force), tac_vec3_add(a.torque, b.torque)};
}

static void store(tacVec3 a, tacVec3 b, double x[6]) {
  memcpy(x, (double[6]){a.x, a.y, a.z, b.x, b.y, b.z}, 6 * sizeof *x);
}

tacWrench tac_dynamic_coupling_felt(const tacCouplingDef *def, const tacGrasp *body, const tacGrasp *device,
                                    const tacTwist *velocity, const tacTwist *device_velocity) {
  return add(tac_coupling_felt(def, body, device),
             damp(damper_of(def, body, device), tac_vec3_sub(velocity->linear, device_velocity->linear),
                  tac_vec3_sub(velocity->angular, device_velocity->angular)));
}

double tac_dynamic_coupling_energy(const tacCouplingDef *def, const tacGrasp *body, const tacTwist *velocity) {
  tacVec3 v = velocity->linear, spin = tac_quat_rotate(tac_quat_conjugate(body->orientation), velocity->angular);
  tacVec3 swing = tac_vec3_cross(velocity->angular, tac_quat_rotate(body->orientation, def->centre));
  return 0.5 * (def->mass * (tac_vec3_norm2(v) + 2.0 * tac_vec3_dot(v, swing)) +
                tac_vec3_dot(spin, tac_mat3_mul_vec(def->inertia, spin)));
}

void tac_dynamic_coupling_equation(const tacCouplingDef *def, double period, const tacGrasp *device,
                                   const tacTwist *device_velocity, const tacGrasp *body, const tacTwist *velocity,
                                   double matrix[6][6], double load[6]) {
  double h = period, v[6], gyroscopic[6], push[6];
  tacCouplingDef unlimited = *def;
  unlimited.force_most = unlimited.torque_most = INFINITY;
  /* Spring and damper have the same saturation factor. If only the spring saturated, the damper would pull a body off a
   * wall while the hand still presses the body against the wall. */
  tacWrench felt = tac_dynamic_coupling_felt(def, body, device, velocity, device_velocity);
  double share = tac_coupling_share(def, tac_vec3_norm(felt.force), tac_vec3_norm(felt.torque));
  Damper damper = damper_of(def, body, device);
  tacMat3 turn = tac_quat_to_mat3(body->orientation), one = tac_mat3_identity();
  tacVec3 centre = tac_mat3_mul_vec(turn, def->centre), spin = velocity->angular;
  tacMat3 inertia = tac_mat3_mul(turn, tac_mat3_mul(def->inertia, tac_mat3_transpose(turn)));
  tacMat3 offset = tac_mat3_scale(def->mass, tac_mat3_skew(centre));
  double mass[6][6] = {{0.0}}, damping[6][6] = {{0.0}};
  add_block(mass, 0, 0, tac_mat3_scale(def->mass, one));
  add_block(mass, 0, 3, tac_mat3_scale(-1.0, offset));
  add_block(mass, 3, 0, offset);
  add_block(mass, 3, 3, inertia);
  add_block(damping, 0, 0, tac_mat3_scale(share * damper.linear, one));
  add_block(damping, 3, 3, tac_mat3_scale(share, damper.angular));
  tac_coupling_secant(&unlimited, body, device, matrix);
  store(velocity->linear, velocity->angular, v);
  store(tac_vec3_scale(-def->mass, tac_vec3_cross(spin, tac_vec3_cross(spin, centre))),
        tac_vec3_cross(tac_mat3_mul_vec(inertia, spin), spin), gyroscopic);
  store(tac_vec3_scale(-share, felt.force), tac_vec3_scale(-share, felt.torque), push);
  for (int i = 0; i < 6; ++i) {
    load[i] = push[i] + gyroscopic[i];
    for (int j = 0; j < 6; ++j) {
      load[i] += (mass[i][j] / h + damping[i][j]) * v[j];
      matrix[i][j] = share * matrix[i][j] + mass[i][j] / (h * h) + damping[i][j] / h;
    }
  }
  if (def->trocar) tac_trocar_constrain(def, body, matrix);
}
