/* Linearised contact of a shell's point with a field: a force on the shell's body, and its change for small motions of
 * both bodies, df = -K (du_shell - du_field). */
#pragma once

#include "math/geometry/mat3.h"

typedef struct tacContactSpring {
  tacVec3 at;        /* m, world */
  tacVec3 force;     /* N, world: force on the shell's body; the opposite force acts on the field's body */
  tacMat3 stiffness; /* K, N/m: symmetric, positive semidefinite */
} tacContactSpring;

typedef struct tacWrench {
  tacVec3 force, torque; /* N, N m */
} tacWrench;

/* Adds the springs that act on a rigid body. `wrench` increases by `sign` times the sums of the forces f and of the
 * moments d x f. d is the vector from the point `about` (world) to the spring's point. `stiffness` increases by the
 * stiffness of the springs. With the other body at rest, a small motion (dx, domega) of the body about `about` changes
 * the wrench by
 *     d(wrench) = -stiffness (dx, domega).
 * This is the multiplane model (Barbic 2007, (4.11), (4.12)), without the asymmetric terms proportional to the force.
 * `stiffness` is row-major, symmetric and positive semidefinite. */
void tac_contact_springs_on_rigid(int count, const tacContactSpring *springs, double sign, tacVec3 about,
                                  tacWrench *wrench, double stiffness[6][6]);

/* Jacobian of a spring's point on a reduced body. In the world frame, the displacement per coordinate is turn * rows,
 * where `turn` is the rotation of the body. */
typedef struct tacSpringRows {
  const float *rows; /* [3][stride], body's frame */
} tacSpringRows;

/* Adds the springs that act on a reduced body with r coordinates (`stride` floats per row):
 *     force [r] += sign sum (turn rows)^T f,   stiffness [r][r] += sum (turn rows)^T K (turn rows).
 * If `mixed` is not NULL, adds the stiffness between the reduced coordinates q and the rigid motion of the other body
 * about the point `about`. With J = [I, -d~], where d~ is the cross-product matrix of the vector d from `about` to the
 * spring's point:
 *     mixed [6][r] += sum J^T K (turn rows),   d(wrench on the other body) = +mixed dq. */
void tac_contact_springs_on_reduced(int count, const tacContactSpring *springs, const tacSpringRows *rows, int r,
                                    int stride, tacMat3 turn, double sign, tacVec3 about, double *force,
                                    double *stiffness, double *mixed);
