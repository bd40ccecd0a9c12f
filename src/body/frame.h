/* Frame of a body: the rigid pose and motion of the body in the world. The frame is fixed, free, or held by a tool. A
 * free frame has a mass. Values are in the world frame unless the comment of a value says otherwise. Any phase, no
 * allocation. */
#pragma once

#include <tactus/body.h>
#include "math/geometry/mat3.h"
#include "math/geometry/quat.h"

typedef enum tacFrameMode { TAC_FRAME_RESTS, TAC_FRAME_FREE, TAC_FRAME_HELD } tacFrameMode;

typedef struct tacFrame {
  tacFrameMode mode;
  tacVec3 position; /* position of the body's origin, m */
  tacQuat orientation;
  tacVec3 about; /* reference point of motions (dx, dtheta), body's frame: centre of mass, or grasp of a held body */
  /* ---- inertia and motion ---- */
  double mass;              /* mass, kg; 0: the frame has no mass */
  tacVec3 centre;           /* centre of mass, body's frame */
  tacMat3 moments, inverse; /* moments of inertia about `centre`, body's frame, kg m^2; inverse of `moments` */
  tacVec3 linear, angular;  /* velocity of `about`, m/s; angular velocity, rad/s */
  tacVec3 gravity;          /* m/s^2 */
  tacVec3 force, torque;    /* external force in the next step, N; external torque about `about`, N m */
} tacFrame;

/* Sets the mass properties. Returns false if the values are not valid. The mass must be positive; the moments must be
 * invertible with a positive diagonal. */
bool tac_frame_set_inertia(tacFrame *frame, const tacInertia *inertia);

static inline tacVec3 tac_frame_to_world(const tacFrame *frame, tacVec3 p) {
  return tac_vec3_add(tac_quat_rotate(frame->orientation, p), frame->position);
}
static inline tacVec3 tac_frame_from_world(const tacFrame *frame, tacVec3 p) {
  return tac_quat_rotate(tac_quat_conjugate(frame->orientation), tac_vec3_sub(p, frame->position));
}
/* Returns the world position of `about`. */
static inline tacVec3 tac_frame_about(const tacFrame *frame) {
  return tac_frame_to_world(frame, frame->about);
}
/* Returns the velocity of a point that is fixed to the frame. `place`: present position of the point. */
static inline tacVec3 tac_frame_velocity(const tacFrame *frame, tacVec3 place) {
  return tac_vec3_add(frame->linear, tac_vec3_cross(frame->angular, tac_vec3_sub(place, tac_frame_about(frame))));
}

/* Computes the equations of a free frame for the motion (dx, dtheta) in a step of length h, by implicit Euler:
 *     (M / h^2) (dx, dtheta) = load + contacts,
 *     load = (m v / h + m g + force, L / h + torque),   M = [m, 0; 0, R J R^T].
 * m is the mass, v the linear velocity, g gravity, J `moments`, R the orientation, and L the angular momentum about the
 * centre of mass. `matrix` receives M / h^2. */
void tac_frame_equation(const tacFrame *frame, double h, double matrix[6][6], double load[6]);
/* Moves a free frame by `motion`, (dx, dtheta). The linear velocity becomes dx / h. The angular momentum becomes
 * R J R^T dtheta / h, which contains the exact effect of contacts and torques. The orientation follows from this
 * momentum by the midpoint rule, so that a spinning body conserves energy. Opposite forces between two bodies at one
 * place conserve the total angular momentum about any point, since each body moves along its new velocity. Returns
 * false and changes nothing if the motion is NaN, infinite, or faster than `speed_most` (m/s) or `turn_most` (rad per
 * step). */
bool tac_frame_advance(tacFrame *frame, double h, const double motion[6], double speed_most, double turn_most);
/* Sets the pose of a held frame. `about`: world position of the reference point (tacFrame.about). */
void tac_frame_place(tacFrame *frame, tacVec3 about, tacQuat orientation);

/* These functions return the kinetic energy (J), the linear momentum (N s), and the angular momentum about the origin
 * of the world (N m s). The frame must have a mass. */
double tac_frame_energy(const tacFrame *frame);
tacVec3 tac_frame_momentum(const tacFrame *frame);
tacVec3 tac_frame_angular_momentum(const tacFrame *frame);
