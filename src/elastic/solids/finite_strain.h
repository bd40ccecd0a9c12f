/* Elasticity of a volume mesh at large deformations: linear materials in Green's strain (Barbic 2007, section 2.1.8).
 *
 * At a quadrature point with shape gradients g_a: the displacement gradient G = sum_a u_a g_a^T, Green's strain
 * E = (G + G^T + G^T G) / 2, the second Piola-Kirchhoff stress S = C E, energy W = sum weight E:C:E / 2, internal force
 * R = dW/du (2.15), tangent stiffness K = dR/du. With C isotropic this is the St. Venant-Kirchhoff material (2.5).
 * Offline.
 *
 * Vectors have 3 numbers a vertex of the mesh, also for held vertices, whose rows are reactions. */
#pragma once

#include "base/memory/owned.h"
#include "elastic/solids/solid.h"
#include "math/sparse/sparse.h"

typedef struct tacFiniteStrain tacFiniteStrain;

/* Refers to the solid's arrays. Errors as tac_assembly_stiffness: invalid mesh, inverted element, impossible
 * material. */
tacStatus tac_finite_strain_create(const tacSolid *solid, tacFiniteStrain **strain, tacError *error);
/* The same with 2 Gauss points a side of a brick in place of 3: some 0.1 % off in extreme bending, in a third of the time. */
tacStatus tac_finite_strain_create_rough(const tacSolid *solid, tacFiniteStrain **strain, tacError *error);
void tac_finite_strain_destroy(tacFiniteStrain *strain); /* NULL is allowed */
TAC_OWNED_TYPE(tacFiniteStrain, tac_finite_strain_destroy)

double tac_finite_strain_energy(const tacFiniteStrain *strain, const double *u);             /* J */
void tac_finite_strain_force(const tacFiniteStrain *strain, const double *u, double *force); /* R(u), N */
/* K(u), N/m: values on the places of tac_finite_strain_pattern, which holds both triangles. Symmetric to the bit. */
const tacSparse *tac_finite_strain_pattern(const tacFiniteStrain *strain); /* its values are those of K(0) */
void tac_finite_strain_stiffness(const tacFiniteStrain *strain, const double *u, double *value);

/* Viscous stress S_D = phi tr(dE/dt) I + 2 psi dE/dt (2.34), Pa s, by material: the force is D = C(u) v, where
 * C(u) = sum weight B(u)^T C_D B(u) is symmetric and positive semidefinite, on the same places. Arrays are by
 * material. */
void tac_finite_strain_damping(const tacFiniteStrain *strain, const double *phi, const double *psi, const double *u,
                               double *value);

/* An element whose orientation is lost somewhere (det(I + G) <= 0 at a quadrature point), or -1. */
int tac_finite_strain_inverted(const tacFiniteStrain *strain, const double *u);
