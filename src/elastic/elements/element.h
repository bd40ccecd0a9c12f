/* An element of a volume mesh, tetrahedron or brick, by its number: tetrahedra first. */
#pragma once

#include <tactus/material.h>
#include <tactus/mesh.h>

typedef enum tacMassKind {
  TAC_MASS_CONSISTENT, /* \int density N_a N_b dV */
  TAC_MASS_LUMPED      /* its row sums on the diagonal, always positive */
} tacMassKind;

static inline int tac_element_count(const tacVolMesh *mesh) {
  return mesh->tet_count + mesh->brick_count;
}
static inline int tac_element_corner_count(const tacVolMesh *mesh, int element) {
  return element < mesh->tet_count ? 4 : 8;
}
static inline const int *tac_element_vertices(const tacVolMesh *mesh, int element) {
  return element < mesh->tet_count ? mesh->tets[element].v : mesh->bricks[element - mesh->tet_count].v;
}

/* Stiffness \int B^T C B dV (N/m), 3 n x 3 n for n corners, rows 3 c + axis; or mass (kg), n x n. Row-major, without gaps.
 * TAC_ERR_GEOMETRY, naming the element, where it is inverted or flat. */
tacStatus tac_element_stiffness(const tacVolMesh *mesh, int element, const tacMaterial *material, double k[576],
                                tacError *error);
tacStatus tac_element_mass(const tacVolMesh *mesh, int element, const tacMaterial *material, tacMassKind kind,
                           double m[64], tacError *error);

/* Stress (Pa; xx, yy, zz, yz, zx, xy) at the point of the element with these weights of its corners, as tacEmbedding gives
 * them, for displacements of the mesh's vertices, 3 numbers each. */
tacStatus tac_element_stress(const tacVolMesh *mesh, int element, const tacMaterial *material, const double weights[8],
                             const double *displacement, double stress[6], tacError *error);
