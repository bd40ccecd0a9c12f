/* How far the surroundings of each node have turned since some moment, by shape matching (Mueller, Heidelberger, Teschner, Gross 2005):
 * R is the rotation nearest to
 *     A_i = sum over neighbours j of m_j (x_j - x_i) (x0_j - x0_i)^T,
 * x0 being positions then and x positions now (m). Neighbours share an element: they are where a stiffness matrix has places.
 *
 * R maximises tr(R^T A). Newton's method from the last R: with B = R^T A and S = (B + B^T) / 2,
 *     (tr(S) I - S) w = axial vector of B - B^T,   R <- R exp(w).
 * Where R^T A is symmetric and tr(S) I - S positive definite, no rotation is nearer: sums of two eigenvalues of S are positive, so that
 * at most the smallest of them in size is negative. What Newton does not reach so, from a start too far away, the SVD does (tac_svd3_rotations). Safe
 * in a tick but for creation. */
#pragma once

#include "base/memory/owned.h"
#include "math/geometry/mat3.h"
#include "math/sparse/sparse.h"

typedef struct tacNodalRotation tacNodalRotation;

/* `pattern`: 3 n x 3 n, its lower triangle is read, and no values; `mass` [n], kg: copied, NULL: all alike. */
tacStatus tac_nodal_rotation_create(const tacSparse *pattern, const double *mass, tacNodalRotation **rotation,
                                    tacError *error);
void tac_nodal_rotation_destroy(tacNodalRotation *rotation); /* NULL is allowed */
TAC_OWNED_TYPE(tacNodalRotation, tac_nodal_rotation_destroy)

/* Positions then, 3 numbers a node: copied. Rotations begin at I. */
void tac_nodal_rotation_begin(tacNodalRotation *rotation, const double *then);
/* R of each node. I where A does not tell it: without neighbours, where all of them are in a line through the node, then or now, or
 * where positions are not finite. */
void tac_nodal_rotation_update(tacNodalRotation *rotation, const double *now, tacMat3 *turn);

/* The last R of each node, w, x, y, z: [4 n] numbers. The next update starts from them: who goes on from saved ones gets the same bits. */
void tac_nodal_rotation_save(const tacNodalRotation *rotation, double *numbers);
void tac_nodal_rotation_load(tacNodalRotation *rotation, const double *numbers); /* after begin */
