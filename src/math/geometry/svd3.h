/* Singular value decomposition of a 3 x 3 matrix: A = U diag(s) V^T. Safe in a tick: no allocation, bounded loops. */
#pragma once

#include "math/geometry/mat3.h"

typedef struct tacSvd3 {
  tacMat3 u;
  double s[3];
  tacMat3 v;
} tacSvd3;

/* U and V orthogonal, s[0] >= s[1] >= s[2] >= 0. V is a rotation; U is one too unless det A < 0.
 * Errors are a few units of rounding times s[0], for any finite A: reflections, rank 2, 1 and 0, any scale.
 * Where A is not finite, U = V = I and s is NaN. */
tacSvd3 tac_svd3(tacMat3 a);

/* U and V rotations (det +1), s[0] >= s[1] >= |s[2]|, and s[2] has the sign of det A: the form that elasticity needs to
 * survive inverted elements (Irving, Teran, Fedkiw 2004). U V^T is the rotation nearest to A. */
tacSvd3 tac_svd3_rotations(tacMat3 a);
