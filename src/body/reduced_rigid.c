#include "body/reduced_rigid.h"

#include "math/dense.h"

enum { MIDPOINT_STEPS = 4 }; /* each divides the error of the orientation's midpoint by 2 / (angle of a step) or so */

tacVec3 tac_reduced_rigid_centre(const tacReducedInertia *inertia, const tacReducedRigid *rigid) {
  return tac_vec3_add(rigid->position, tac_quat_rotate(rigid->orientation, inertia->centre));
}

/* R A R^T v */
static tacVec3 turned_mul(tacQuat orientation, const tacMat3 *a, tacVec3 v) {
  tacVec3 inside = tac_mat3_mul_vec(*a, tac_quat_rotate(tac_quat_conjugate(orientation), v));
  return tac_quat_rotate(orientation, inside);
}

/* The velocities at the end of the step, V' = (v, omega), from
 *   M (V' - V) = h F + h sum G^T (k (gap - h G (V + V') / 2) - c (G V' + drift)),  G V = v + omega x lever:
 * gravity alone is then exact, and springs are stable however stiff they are. */
static bool solve_velocity(const tacReducedInertia *inertia, double h, tacVec3 force, tacVec3 torque, int spring_count,
                           const tacReducedRigidSpring *springs, tacReducedRigid *rigid) {
  tacMat3 turn = tac_quat_to_mat3(rigid->orientation);
  tacMat3 world = tac_mat3_mul(turn, tac_mat3_mul(inertia->inertia, tac_mat3_transpose(turn)));
  double a[36] = {0.0};
  for (int i = 0; i < 3; ++i) {
    a[7 * i] = inertia->mass;
    for (int j = 0; j < 3; ++j) a[6 * (3 + j) + 3 + i] = world.m[i][j];
  }
  tacVec3 push = tac_vec3_mad(tac_vec3_scale(inertia->mass, rigid->linear), h, force);
  tacVec3 spin = tac_vec3_mad(tac_mat3_mul_vec(world, rigid->angular), h, torque);
  for (int s = 0; s < spring_count; ++s) {
    const tacReducedRigidSpring *p = &springs[s];
    tacVec3 velocity = tac_vec3_add(rigid->linear, tac_vec3_cross(rigid->angular, p->lever));
    tacVec3 pull = tac_vec3_scale(p->stiffness, tac_vec3_mad(p->gap, -0.5 * h, velocity));
    pull = tac_vec3_mad(pull, -p->damping, p->drift);
    push = tac_vec3_mad(push, h, pull);
    spin = tac_vec3_mad(spin, h, tac_vec3_cross(p->lever, pull));
    double weight = h * p->damping + 0.5 * h * h * p->stiffness;
    tacMat3 lever = tac_mat3_skew(p->lever), square = tac_mat3_mul(lever, lever);
    for (int i = 0; i < 3; ++i) {
      a[7 * i] += weight;
      for (int j = 0; j < 3; ++j) {
        a[6 * j + 3 + i] += weight * lever.m[i][j]; /* lower left: [l]x; G = (I, -[l]x) */
        a[6 * (3 + j) + 3 + i] -= weight * square.m[i][j];
      }
    }
  }
  tacDense matrix = {6, 6, 6, a};
  if (!tac_dense_loop_cholesky(&matrix)) return false;
  double x[6] = {push.x, push.y, push.z, spin.x, spin.y, spin.z};
  tac_dense_loop_cholesky_solve(&matrix, x);
  rigid->linear = tac_vec3(x[0], x[1], x[2]);
  rigid->angular = tac_vec3(x[3], x[4], x[5]);
  return true;
}

/* Torques change the angular momentum, and nothing else does: it is kept to the last digit where there is none, and
 * since energy is at most |L|^2 / (2 least inertia), spinning is stable at every speed. The orientation follows by
 * the implicit midpoint rule, which is symmetric in time and so does not let the energy drift. */
bool tac_reduced_rigid_advance(const tacReducedInertia *inertia, double step, tacVec3 force, tacVec3 torque,
                               int spring_count, const tacReducedRigidSpring *springs, tacReducedRigid *rigid) {
  tacReducedRigid next = *rigid;
  if (!solve_velocity(inertia, step, force, torque, spring_count, springs, &next)) return false;
  tacVec3 centre = tac_reduced_rigid_centre(inertia, rigid);
  centre = tac_vec3_mad(centre, 0.5 * step, tac_vec3_add(rigid->linear, next.linear));

  tacVec3 omega = tac_vec3_mix(rigid->angular, next.angular, 0.5);
  tacVec3 middle = turned_mul(rigid->orientation, &inertia->inertia, omega);
  tacVec3 momentum = turned_mul(rigid->orientation, &inertia->inertia, next.angular);
  for (int i = 0; i < MIDPOINT_STEPS; ++i) {
    tacQuat half = tac_quat_from_rotation_vector(tac_vec3_scale(0.5 * step, omega));
    omega = turned_mul(tac_quat_mul(half, rigid->orientation), &inertia->inverse, middle);
  }
  tacQuat turn = tac_quat_from_rotation_vector(tac_vec3_scale(step, omega));
  next.orientation = tac_quat_normalise(tac_quat_mul(turn, rigid->orientation));
  next.angular = turned_mul(next.orientation, &inertia->inverse, momentum);
  next.position = tac_vec3_sub(centre, tac_quat_rotate(next.orientation, inertia->centre));
  if (!tac_vec3_finite(next.position) || !tac_vec3_finite(next.linear) || !tac_vec3_finite(next.angular) ||
      !isfinite(tac_quat_norm(turn)))
    return false;
  *rigid = next;
  return true;
}
