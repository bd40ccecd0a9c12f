/* A step of one held frame, as src/world/islands/block.c makes it of a block that is this frame alone: the coupling's equation and the
 * contact's wrench and stiffness about the grasp, stiffer by static damping, Cholesky's factor, the motion within the limits. A contact
 * that cannot be factored moves nothing. */
#pragma once

#include <string.h>
#include "couple/coupling.h"
#include "math/dense/dense.h"
#include "math/random.h"
#include "test.h"

static inline tacVec3 random_unit(tacRandom *random) {
  return tac_vec3_unit(tac_random_normal3(random));
}

/* A penalty spring against a plane: at the body's material point `at` (from its grasp), pushed where it is below
 * `offset` along n. */
typedef struct PlanePoint {
  tacVec3 at, normal;
  double offset, k;
  bool both_ways; /* pulls as well: a linear model for comparison */
} PlanePoint;

static inline void press_points(int count, const PlanePoint *points, const tacGrasp *body, tacWrench *wrench,
                                double stiffness[6][6]) {
  memset(wrench, 0, sizeof *wrench);
  memset(stiffness, 0, 36 * sizeof(double));
  for (int i = 0; i < count; ++i) {
    const PlanePoint *p = &points[i];
    tacVec3 x = tac_vec3_add(body->position, tac_quat_rotate(body->orientation, p->at));
    double d = tac_vec3_dot(p->normal, x) - p->offset;
    if (d >= 0.0 && !p->both_ways) continue;
    tacContactSpring spring = {x, tac_vec3_scale(-p->k * d, p->normal),
                               tac_mat3_scale(p->k, tac_mat3_outer(p->normal, p->normal))};
    tac_contact_springs_on_rigid(1, &spring, 1.0, body->position, wrench, stiffness);
  }
}

/* The lower corners of a plate of 40 mm, 20 mm high, on the plane z = 0. */
static inline void make_plate(double k, PlanePoint points[4]) {
  for (int i = 0; i < 4; ++i)
    points[i] = (PlanePoint){{i & 1 ? 0.02 : -0.02, i & 2 ? 0.02 : -0.02, -0.01}, {0.0, 0.0, 1.0}, 0.0, k, false};
}

/* m between two grasps, and the angle. */
static inline double grasps_apart(const tacGrasp *body, const tacGrasp *device, double *angle) {
  double toward[6];
  tac_coupling_toward(body, device, toward);
  *angle = tac_vec3_norm(tac_vec3(toward[3], toward[4], toward[5]));
  return tac_vec3_norm(tac_vec3(toward[0], toward[1], toward[2]));
}

typedef struct HeldStep {
  bool limited;
  double motion[6];
} HeldStep;

static inline void held_frame_solve(double share, const tacWrench *contact, double contact_stiffness[6][6],
                                    double matrix[6][6], const double load[6], double motion[6]) {
  const double push[6] = {contact->force.x,  contact->force.y,  contact->force.z,
                          contact->torque.x, contact->torque.y, contact->torque.z};
  tacDense a = {.rows = 6, .cols = 6, .stride = 6, .a = matrix[0]};
  bool finite = true;
  for (int i = 0; i < 6; ++i) {
    motion[i] = load[i] + push[i];
    for (int j = 0; j < 6; ++j) matrix[i][j] += contact_stiffness[i][j] / share;
  }
  bool solved = tac_dense_loop_cholesky(&a);
  if (solved) tac_dense_loop_cholesky_solve(&a, motion);
  for (int i = 0; i < 6; ++i) finite = finite && isfinite(motion[i]);
  if (!solved || !finite) memset(motion, 0, 6 * sizeof *motion);
}

static inline HeldStep held_frame_static(const tacCouplingDef *def, double period, const tacGrasp *device,
                                         const tacWrench *contact, double contact_stiffness[6][6], tacGrasp *body) {
  HeldStep done = {false, {0.0}};
  double matrix[6][6], load[6], pull[6];
  tac_static_coupling_equation(def, device, body, matrix, load);
  held_frame_solve(1.0 - def->static_damping, contact, contact_stiffness, matrix, load, done.motion);
  memcpy(pull, load, sizeof pull);
  tacDense a = {.rows = 6, .cols = 6, .stride = 6, .a = matrix[0]}; /* its factor */
  if (tac_coupling_hold_back(def, period, done.motion, done.motion) < 1.0) {
    tac_dense_loop_cholesky_solve(&a, pull);
    double share = tac_coupling_hold_back(def, period, pull, done.motion);
    for (int i = 0; i < 6; ++i) done.motion[i] -= (1.0 - share) * pull[i];
    done.limited = share < 1.0;
  }
  done.limited |= tac_coupling_move(def, period, done.motion, body);
  return done;
}

static inline HeldStep held_frame_dynamic(const tacCouplingDef *def, double period, const tacGrasp *device,
                                          const tacTwist *device_velocity, const tacWrench *contact,
                                          double contact_stiffness[6][6], tacGrasp *body, tacTwist *velocity) {
  HeldStep done;
  double matrix[6][6], load[6], *m = done.motion, per = 1.0 / period;
  tac_dynamic_coupling_equation(def, period, device, device_velocity, body, velocity, matrix, load);
  held_frame_solve(1.0, contact, contact_stiffness, matrix, load, m);
  done.limited = tac_coupling_move(def, period, m, body);
  velocity->linear = tac_vec3_scale(per, tac_vec3(m[0], m[1], m[2]));
  velocity->angular = tac_vec3_scale(per, tac_vec3(m[3], m[4], m[5]));
  return done;
}
