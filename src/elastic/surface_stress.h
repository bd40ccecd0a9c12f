/* Stress at the surface of a linear elastic isotropic body, from what boundary elements know: displacements and
 * tractions.
 *
 * On a triangle with unit normal n the displacement is linear, so its derivatives along the triangle are constant. Only
 * the in-plane strain follows from them: e_ij = (u_i,j + u_j,i) / 2 for the tangential axes i, j = 1, 2; rotations drop
 * out. The traction t (mean of the corners) gives the rest: s_nn = t . n, and s_in = t . i along the tangential axes.
 * Hooke's law with e_nn eliminated by s_nn:
 *
 *   s_11 = E / (1 - nu^2) (e_11 + nu e_22) + nu / (1 - nu) s_nn,   s_22 likewise,   s_12 = E / (1 + nu) e_12.
 *
 * Without axes, with P = I - n n^T, e the in-plane strain as a tensor of the world, and
 * a = E nu / (1 - nu^2) tr e + nu / (1 - nu) s_nn:
 *
 *   s = E / (1 + nu) e + a P + t n^T + n t^T - s_nn n n^T.
 *
 * Nothing divides by 1 - 2 nu: nearly incompressible bodies are as exact as others. A vertex has the mean of the
 * tensors of its triangles, weighted by area. */
#pragma once

#include <tactus/body.h>
#include <tactus/mesh.h>

/* Von Mises stress (Pa) at each vertex. `mesh` is at rest and faces outward; displacements in metres; tractions in Pa,
 * those that hold the body included, NULL where there are none; young in Pa, -1 < poisson < 0.5. Vertices without a
 * triangle of positive area get 0. `scratch` has room for each vertex. Any phase and thread: allocates nothing;
 * O(vertices + triangles). */
void tac_surface_stress(const tacTriMesh *mesh, const tacVec3 *displacement, const tacVec3 *traction, double young,
                        double poisson, tacStressSum *scratch, double *von_mises);
