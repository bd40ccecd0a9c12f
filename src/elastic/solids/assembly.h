/* Stiffness and mass of a whole volume mesh: degree of freedom 3 v + axis belongs to vertex v. Offline.
 *
 * `material_of[element]` indexes `materials`; NULL: all elements have materials[0]. Matrices hold both triangles and are
 * exactly symmetric; elements add up in their order, so that the same mesh gives the same bits. A vertex without elements
 * has a stored zero on the diagonal.
 * TAC_ERR_GEOMETRY where the mesh is not valid or an element is inverted or flat (names it), TAC_ERR_ARGUMENT where a
 * material is not one (names the element), TAC_ERR_UNSUPPORTED beyond 2^31 entries. */
#pragma once

#include "elastic/elements/element.h"
#include "math/sparse/sparse.h"

/* K, N/m: positive semidefinite, with the rigid motions of each connected part as its kernel. */
tacStatus tac_assembly_stiffness(const tacVolMesh *mesh, const tacMaterial *materials, const int *material_of,
                                 tacSparse *stiffness, tacError *error);
/* M, kg; holds only the places of equal axes, or the diagonal where lumped. */
tacStatus tac_assembly_mass(const tacVolMesh *mesh, const tacMaterial *materials, const int *material_of,
                            tacMassKind kind, tacSparse *mass, tacError *error);
