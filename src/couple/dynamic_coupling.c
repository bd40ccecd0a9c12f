#include <string.h>
#include "couple/trocar.h"
#include "math/geometry/svd3.h"

/* The body about its grasp, with velocity (v, omega), centre of mass c and moments I about the grasp:
 *
 *   M (v', omega') + (m omega x (omega x c), omega x I omega) = coupling + damper + contact,   M = [m, -m c~; m c~, I].
 *
 * A step h by Euler's implicit method, linearised, for the motion d = h v: (M / h^2 + D / h + K) d = M v / h + D v + forces, with K of
 * the coupling (its secant), all symmetric and M positive: the matrix always has its Cholesky factor, and springs only lose
 * energy. */

/* Critical for each principal moment about the grasp at ratio 1: 2 ratio sqrt(k m), and 2 ratio (k_t/2 I)^(1/2). */
typedef struct {
  double linear;   /* N s/m */
  tacMat3 angular; /* N m s, world */
} Damper;

static Damper damper_of(const tacCouplingDef *def, const tacGrasp *body, const tacGrasp *device) {
  tacQuat orientation = body->orientation;
  if (def->trocar) { /* of the roll alone, along the direction of its torque */
    tacVec3 n;
    double moment = tac_vec3_dot(def->shaft, tac_mat3_mul_vec(def->inertia, def->shaft));
    tac_coupling_roll(def, body, device, &n);
    return (Damper){
        2.0 * def->damping_ratio * sqrt(def->stiffness * def->mass),
        tac_mat3_scale(2.0 * def->damping_ratio * sqrt(0.5 * def->turn_stiffness * moment), tac_mat3_outer(n, n))};
  }
  tacSvd3 moments = tac_svd3(def->inertia); /* symmetric: U = V */
  tacMat3 axes = tac_mat3_mul(tac_quat_to_mat3(tac_quat_normalise(orientation)), moments.v);
  double turn = 0.5 * def->turn_stiffness, twice = 2.0 * def->damping_ratio;
  tacMat3 sizes = tac_mat3_diagonal(twice * sqrt(turn * moments.s[0]), twice * sqrt(turn * moments.s[1]),
                                    twice * sqrt(turn * moments.s[2]));
  return (Damper){twice * sqrt(def->stiffness * def->mass),
                  tac_mat3_mul(axes, tac_mat3_mul(sizes, tac_mat3_transpose(axes)))};
}

/* No force of a velocity that is not finite. */
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

static void add_block(double a[6][6], int row, int column, double share, tacMat3 block) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) a[row + i][column + j] += share * block.m[i][j];
}

tacWrench tac_dynamic_coupling_felt(const tacCouplingDef *def, const tacGrasp *body, const tacGrasp *device,
                                    const tacTwist *velocity, const tacTwist *device_velocity) {
  return add(tac_coupling_felt(def, body, device),
             damp(damper_of(def, body, device), tac_vec3_sub(velocity->linear, device_velocity->linear),
                  tac_vec3_sub(velocity->angular, device_velocity->angular)));
}

void tac_dynamic_coupling_equation(const tacCouplingDef *def, double period, const tacGrasp *device,
                                   const tacTwist *device_velocity, const tacGrasp *body, const tacTwist *velocity,
                                   double matrix[6][6], double load[6]) {
  double h = period, v[6], gyroscopic[6], push[6];
  tacCouplingDef unlimited = *def;
  unlimited.force_most = unlimited.torque_most = INFINITY;
  /* Spring and damper saturate together: a damper alone would pull a body off the wall into which the hand still presses it. */
  tacWrench felt = tac_dynamic_coupling_felt(def, body, device, velocity, device_velocity);
  double share = tac_coupling_share(def, tac_vec3_norm(felt.force), tac_vec3_norm(felt.torque));
  Damper damper = damper_of(def, body, device);
  tacMat3 turn = tac_quat_to_mat3(body->orientation), one = tac_mat3_identity();
  tacVec3 centre = tac_mat3_mul_vec(turn, def->centre), spin = velocity->angular;
  tacMat3 inertia = tac_mat3_mul(turn, tac_mat3_mul(def->inertia, tac_mat3_transpose(turn)));
  tacMat3 offset = tac_mat3_scale(def->mass, tac_mat3_skew(centre));
  double mass[6][6] = {{0.0}}, damping[6][6] = {{0.0}};
  add_block(mass, 0, 0, def->mass, one);
  add_block(mass, 0, 3, -1.0, offset);
  add_block(mass, 3, 0, 1.0, offset);
  add_block(mass, 3, 3, 1.0, inertia);
  add_block(damping, 0, 0, share * damper.linear, one);
  add_block(damping, 3, 3, share, damper.angular);
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
