/* Frame of a body: its rigid pose and motion in the world. It is fixed, free with a mass, or held by a tool. World
 * frame unless said otherwise; any phase, no allocation. */
#pragma once

#include <tactus/body.h>
#include "math/geometry/mat3.h"
#include "math/geometry/quat.h"

typedef enum tacFrameMode { TAC_FRAME_RESTS, TAC_FRAME_FREE, TAC_FRAME_HELD } tacFrameMode;

typedef struct tacFrame {
  tacFrameMode mode;
  tacVec3 position; /* position of the body's origin, m */
  tacQuat orientation;
  tacVec3 about; /* body's frame: reference point of (dx, dtheta): the centre of mass, or the grasp of a held body */
  /* Of a free frame, or a frame with a mass: */
  double mass;              /* kg; 0: none */
  tacVec3 centre;           /* centre of mass, body's frame */
  tacMat3 moments, inverse; /* about the centre, body's frame, kg m^2; inverse */
  tacVec3 linear, angular;  /* velocity of `about`, m/s; angular velocity, rad/s */
  tacVec3 gravity;          /* m/s^2 */
  tacVec3 force, torque;    /* external, in the next step, about `about`; N, N m */
} tacFrame;

/* False: not a valid inertia (positive mass, invertible moments). */
bool tac_frame_set_inertia(tacFrame *frame, const tacInertia *inertia);

static inline tacVec3 tac_frame_to_world(const tacFrame *frame, tacVec3 p) {
  return tac_vec3_add(tac_quat_rotate(frame->orientation, p), frame->position);
}
static inline tacVec3 tac_frame_from_world(const tacFrame *frame, tacVec3 p) {
  return tac_quat_rotate(tac_quat_conjugate(frame->orientation), tac_vec3_sub(p, frame->position));
}
/* World position of `about`. */
static inline tacVec3 tac_frame_about(const tacFrame *frame) {
  return tac_frame_to_world(frame, frame->about);
}
/* Velocity of a place that moves with the frame. */
static inline tacVec3 tac_frame_velocity(const tacFrame *frame, tacVec3 place) {
  return tac_vec3_add(frame->linear, tac_vec3_cross(frame->angular, tac_vec3_sub(place, tac_frame_about(frame))));
}

/* Equations of a free frame for its motion (dx, dtheta) in a step h, implicit Euler:
 *     (M / h^2) (dx, dtheta) = (m v / h + m g + force, L / h + torque) + contacts,   M = [m, 0; 0, R J R^T] about the
 * centre. */
void tac_frame_equation(const tacFrame *frame, double h, double matrix[6][6], double load[6]);
/* Applies the motion: v' = dx / h. The angular momentum becomes M dtheta / h, which contains exactly the effect of
 * contacts and torques. The orientation is computed by the midpoint rule with this momentum, so that spinning conserves
 * energy. If two bodies exert opposite forces on each other at one place, their angular momentum about any point is
 * conserved, since x' - x is along v'. Returns false and changes nothing if the motion is not finite, or faster than
 * `speed_most` (m/s) or `turn_most` (rad per step). */
bool tac_frame_advance(tacFrame *frame, double h, const double motion[6], double speed_most, double turn_most);
/* Moves a held frame so that its point `about` is at the given position. */
void tac_frame_place(tacFrame *frame, tacVec3 about, tacQuat orientation);

/* Kinetic energy, J, and angular momentum about the world's origin; only for a frame with a mass. */
double tac_frame_energy(const tacFrame *frame);
tacVec3 tac_frame_momentum(const tacFrame *frame);
tacVec3 tac_frame_angular_momentum(const tacFrame *frame);
