/* Polar decomposition of a 3 x 3 matrix: A = R S. Safe in a tick: no allocation, bounded loops. */
#pragma once

#include "math/geometry/mat3.h"

/* Returns R, the rotation nearest to A, always with det +1, and the symmetric S = R^T A (`stretch` may be NULL).
 * S is positive semidefinite unless det A < 0, where its smallest eigenvalue in size is negative: an inverted element is
 * turned back across its thinnest direction. Where A is singular R is one of several nearest rotations, I where A = 0;
 * where A is not finite R = I and S is NaN.
 *
 * Through tac_svd3_rotations, not an iteration such as Higham's: that divides by A's determinant, so that it is slow or
 * undefined near singular matrices and yields a reflection for inverted ones, and both need the SVD as fallback. */
tacMat3 tac_polar3(tacMat3 a, tacMat3 *stretch);
