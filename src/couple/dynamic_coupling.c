#include <string.h>
#include "couple/coupling.h"
#include "math/dense.h"
#include "math/svd3.h"

/* The body about its grasp, with velocity (v, omega), centre of mass c and moments I about the grasp:
 *
 *   M (v', omega') + (m omega x (omega x c), omega x I omega) = coupling + damper + contact,   M = [m, -m c~; m c~, I].
 *
 * A substep h is Euler's implicit method, linearised: (M + h D + h^2 K) dv = h (forces - h K v), with K of the
 * coupling (its secant) and the contact, all symmetric and M positive: the matrix always has its Cholesky factor, and
 * springs only lose energy. */

enum { MOST_SUBSTEPS = 100 };

/* Critical for each principal moment about the grasp at ratio 1: 2 ratio sqrt(k m), and 2 ratio (k_t/2 I)^(1/2). */
typedef struct {
  double linear;   /* N s/m */
  tacMat3 angular; /* N m s, world */
} Damper;

static Damper damper_of(const tacCouplingDef *def, tacQuat orientation) {
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

/* A substep of the velocity under the forces at its start; the body stops where it cannot be solved. */
static void accelerate(const tacCouplingDef *def, const tacGrasp *body, double h, Damper damper, double stiffness[6][6],
                       const double load[6], double velocity[6]) {
  tacMat3 turn = tac_quat_to_mat3(body->orientation);
  tacVec3 centre = tac_mat3_mul_vec(turn, def->centre);
  tacMat3 inertia = tac_mat3_mul(turn, tac_mat3_mul(def->inertia, tac_mat3_transpose(turn)));
  tacMat3 offset = tac_mat3_scale(def->mass, tac_mat3_skew(centre)), one = tac_mat3_identity();
  tacVec3 spin = tac_vec3(velocity[3], velocity[4], velocity[5]);
  double a[6][6], b[6];
  store(tac_vec3_scale(-def->mass, tac_vec3_cross(spin, tac_vec3_cross(spin, centre))),
        tac_vec3_cross(tac_mat3_mul_vec(inertia, spin), spin), b);
  for (int i = 0; i < 6; ++i) {
    b[i] += load[i];
    for (int j = 0; j < 6; ++j) {
      a[i][j] = h * h * stiffness[i][j];
      b[i] -= h * stiffness[i][j] * velocity[j];
    }
    b[i] *= h;
  }
  add_block(a, 0, 0, def->mass + h * damper.linear, one);
  add_block(a, 0, 3, -1.0, offset);
  add_block(a, 3, 0, 1.0, offset);
  add_block(a, 3, 3, 1.0, inertia);
  add_block(a, 3, 3, h, damper.angular);
  tacDense matrix = {.rows = 6, .cols = 6, .stride = 6, .a = a[0]};
  bool solved = tac_dense_loop_cholesky(&matrix);
  if (solved) tac_dense_loop_cholesky_solve(&matrix, b);
  for (int i = 0; i < 6; ++i) velocity[i] = solved ? velocity[i] + b[i] : 0.0;
}

tacWrench tac_dynamic_coupling_felt(const tacCouplingDef *def, const tacGrasp *body, const tacGrasp *device,
                                    const tacTwist *velocity, const tacTwist *device_velocity) {
  return add(tac_coupling_felt(def, body, device),
             damp(damper_of(def, body->orientation), tac_vec3_sub(velocity->linear, device_velocity->linear),
                  tac_vec3_sub(velocity->angular, device_velocity->angular)));
}

tacCouplingReport tac_dynamic_coupling_step(const tacCouplingDef *def, double period, const tacGrasp *device,
                                            const tacTwist *device_velocity, const tacWrench *contact,
                                            double contact_stiffness[6][6], tacGrasp *body, tacTwist *velocity) {
  tacCouplingReport report = {0};
  tacCouplingDef unlimited = *def;
  unlimited.force_most = unlimited.torque_most = INFINITY;
  int substeps = def->substeps < 1 ? 1 : def->substeps > MOST_SUBSTEPS ? MOST_SUBSTEPS : def->substeps;
  double h = period / substeps;
  for (int k = 0; k < substeps; ++k) {
    /* Spring and damper saturate together: a damper alone would pull a body off the wall into which the hand still
     * presses it. */
    tacWrench felt = tac_dynamic_coupling_felt(def, body, device, velocity, device_velocity);
    double share = tac_coupling_share(def, tac_vec3_norm(felt.force), tac_vec3_norm(felt.torque));
    Damper damper = damper_of(def, body->orientation);
    damper = (Damper){share * damper.linear, tac_mat3_scale(share, damper.angular)};
    double stiffness[6][6], load[6], v[6];
    tac_coupling_secant(&unlimited, body, device, stiffness);
    store(tac_vec3_mad(contact->force, -share, felt.force), tac_vec3_mad(contact->torque, -share, felt.torque), load);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) {
        stiffness[i][j] = share * stiffness[i][j] + contact_stiffness[i][j];
        load[i] -= contact_stiffness[i][j] * report.motion[j];
      }
    store(velocity->linear, velocity->angular, v);
    accelerate(def, body, h, damper, stiffness, load, v);
    for (int i = 0; i < 6; ++i) v[i] *= h;
    report.limited |= tac_coupling_move(def, h, v, body);
    for (int i = 0; i < 6; ++i) report.motion[i] += v[i];
    *velocity = (tacTwist){tac_vec3_scale(1.0 / h, tac_vec3(v[0], v[1], v[2])),
                           tac_vec3_scale(1.0 / h, tac_vec3(v[3], v[4], v[5]))};
  }
  return report;
}
