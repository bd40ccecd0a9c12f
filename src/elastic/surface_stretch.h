/* How a surface is stretched, from its vertices at rest and deformed alone, and the stress that follows at large deformations.
 *
 * On a triangle the map is linear: with unit axes t1, t2 in it at rest it has the columns f_a = F t_a, and C_ab = f_a . f_b. The largest
 * principal stretch in the surface is the root of C's larger eigenvalue; rotations drop out. Where nothing pulls at the surface, a
 * material of St. Venant and Kirchhoff has S_ab = 2 lambda mu / (lambda + 2 mu) tr E delta_ab + 2 mu E_ab with E = (C - I) / 2, is
 * thinner by F_33^2 = 1 - 2 lambda / (lambda + 2 mu) tr E, and Cauchy's stress is sum S_ab f_a f_b^T / J with J = |f_1 x f_2| F_33.
 *
 * A vertex has the mean of its triangles, weighted by their areas at rest: of stretches, or of stress tensors. */
#pragma once

#include "elastic/surface_stress.h"

/* At each vertex; 1 where it has no triangle of positive area. `mesh` is at rest; `room` has one for each vertex. Any thread: allocates
 * nothing. */
void tac_surface_stretch(const tacTriMesh *mesh, const tacVec3 *deformed, tacStressSum *room, double *stretch);
/* Likewise: von Mises stress, Pa, of that material; 0 where there is no triangle. */
void tac_surface_stretch_stress(const tacTriMesh *mesh, const tacVec3 *deformed, double lambda, double mu,
                                tacStressSum *room, double *von_mises);
