/* A contact as the two bodies feel it: a force and how it answers small motions, df = -K (du_shell - du_field). */
#pragma once

#include "math/geometry/mat3.h"

typedef struct tacContactSpring {
  tacVec3 at;        /* m, world */
  tacVec3 force;     /* N, world: on the shell's body; the field's body gets its opposite */
  tacMat3 stiffness; /* N/m, symmetric, not negative: K */
} tacContactSpring;

typedef struct tacWrench {
  tacVec3 force, torque; /* N, N m */
} tacWrench;

/* About `about` (world): sum of `sign` times force and moment (r x f), and the 6 x 6 answer to a small motion (dx,
 * domega) of the body about that point while the other body rests: d(wrench) = -stiffness (dx, domega) in the
 * multiplane model (Barbic 2007, 4.11, 4.12, without the terms that are proportional to the force and not symmetric).
 * Adds to both. Row-major, symmetric, not negative. */
void tac_contact_springs_on_rigid(int count, const tacContactSpring *springs, double sign, tacVec3 about,
                                  tacWrench *wrench, double stiffness[6][6]);

/* Where a spring acts on a reduced body: the displacement of that point a coordinate, in the world, is turn * rows. */
typedef struct tacSpringRows {
  const float *rows; /* [3][stride] in the body's frame */
} tacSpringRows;

/* The same for a reduced body of r coordinates (`stride` floats a row): force [r] += sign sum (turn rows)^T f,
 * stiffness [r][r] += sum (turn rows)^T K (turn rows), and, where `mixed` is not NULL, mixed [6][r] += sum J^T K (turn
 * rows), the answer between the reduced coordinates and the rigid motion of the other body about `about`: d(wrench on
 * the other) = +mixed dq, with J = [I, -r~]. */
void tac_contact_springs_on_reduced(int count, const tacContactSpring *springs, const tacSpringRows *rows, int r,
                                    int stride, tacMat3 turn, double sign, tacVec3 about, double *force,
                                    double *stiffness, double *mixed);
