/* The materials that a mesh file states, as linear elastic ones, and which element has which. Load phase.
 *
 * ENU: density (kg/m^3), Young's modulus (Pa), Poisson's ratio.
 * ORTHOTROPIC: density, E1, E2, E3, and then by the kind's ending, as in the VEG format:
 *   none or _N3G3R9   nu12, nu23, nu31, G12, G23, G31, and a rotation R row by row, whose columns are the axes 1, 2, 3
 *   _N3G3             the same without R, which is then the identity
 *   _N1G1R9, _N1G1, _N1R9, _N1   nu, then G and R where the ending has them (else G = 1): nu_ij = nu sqrt(E_i / E_j),
 *                     G_ij = G sqrt(E_i E_j) / (2 + 2 nu) (Li and Barbic 2014)
 * nu_ij is the contraction along j under tension along i, so that nu_ij / E_i = nu_ji / E_j. */
#pragma once

#include <tactus/material.h>
#include <tactus/volmesh.h>

/* `materials` (one for each of the mesh; those of no element are zero) and `material_of` (one for each element) are
 * malloc'ed for the caller. Later regions override earlier ones. TAC_ERR_GEOMETRY where an element has no material (names
 * the first), TAC_ERR_UNSUPPORTED for another kind, TAC_ERR_ARGUMENT for impossible parameters (name the material). */
tacStatus tac_mesh_materials_create(const tacVolMesh *mesh, tacMaterial **materials, int **material_of,
                                    tacError *error);
