/* Linearised contact between two bodies: a force, and its change for small motions, df = -K (du_shell - du_field). */
#pragma once

#include "math/geometry/mat3.h"

typedef struct tacContactSpring {
  tacVec3 at;        /* m, world */
  tacVec3 force;     /* N, world: on the shell's body; the opposite acts on the field's body */
  tacMat3 stiffness; /* N/m, K: symmetric, positive semidefinite */
} tacContactSpring;

typedef struct tacWrench {
  tacVec3 force, torque; /* N, N m */
} tacWrench;

/* Adds to `wrench` `sign` times the sum of forces and moments (r x f) about the point `about` (world). Adds to
 * `stiffness` the 6 x 6 stiffness for a small motion (dx, domega) of the body about that point, with the other body at
 * rest: d(wrench) = -stiffness (dx, domega) in the multiplane model (Barbic 2007, 4.11, 4.12, without the asymmetric
 * terms proportional to the force). Row-major, symmetric, positive semidefinite. */
void tac_contact_springs_on_rigid(int count, const tacContactSpring *springs, double sign, tacVec3 about,
                                  tacWrench *wrench, double stiffness[6][6]);

/* Jacobian of a spring's point on a reduced body: displacement per coordinate, world, is turn * rows. */
typedef struct tacSpringRows {
  const float *rows; /* [3][stride], body's frame */
} tacSpringRows;

/* Adds the same sums for a reduced body of r coordinates (`stride` floats per row): force [r] += sign sum (turn rows)^T
 * f, stiffness [r][r] += sum (turn rows)^T K (turn rows). If `mixed` is not NULL, mixed [6][r] += sum J^T K (turn
 * rows), the stiffness between the reduced coordinates and the rigid motion of the other body about `about`: d(wrench
 * on the other) = +mixed dq, with J = [I, -r~]. */
void tac_contact_springs_on_reduced(int count, const tacContactSpring *springs, const tacSpringRows *rows, int r,
                                    int stride, tacMat3 turn, double sign, tacVec3 about, double *force,
                                    double *stiffness, double *mixed);
