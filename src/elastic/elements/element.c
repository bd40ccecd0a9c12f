#include "elastic/elements/element.h"

#include <string.h>
#include "base/error.h"
#include "elastic/elements/brick8.h"
#include "elastic/elements/quadrature.h"
#include "elastic/elements/strain.h"
#include "elastic/elements/tet4.h"
#include "mesh/brick_map.h"

static bool is_tet(const tacVolMesh *mesh, int element) {
  return element < mesh->tet_count;
}

static void corners_of(const tacVolMesh *mesh, int element, tacVec3 corners[8]) {
  const int *v = tac_element_vertices(mesh, element);
  for (int c = 0; c < tac_element_corner_count(mesh, element); ++c) corners[c] = mesh->vertices[v[c]];
}

static tacStatus unusable(const tacVolMesh *mesh, int element, tacError *error) {
  return is_tet(mesh, element)
             ? tac_error_set(error, TAC_ERR_GEOMETRY, "tetrahedron %d is inverted or flat", element)
             : tac_error_set(error, TAC_ERR_GEOMETRY, "brick %d (element %d) is inverted or flat at a corner or inside",
                             element - mesh->tet_count, element);
}

tacStatus tac_element_stiffness(const tacVolMesh *mesh, int element, const tacMaterial *material, double k[576],
                                tacError *error) {
  tacQuadraturePoint points[TAC_MOST_QUADRATURE_POINTS];
  int count = tac_quadrature_points(mesh, element, 2, points), corners = tac_element_corner_count(mesh, element);
  if (count == 0) return unusable(mesh, element, error);
  memset(k, 0, 9 * (size_t)(corners * corners) * sizeof *k);
  for (int p = 0; p < count; ++p)
    tac_strain_add_stiffness(corners, points[p].gradient, material->stiffness, points[p].weight, k);
  tac_strain_mirror(3 * corners, k);
  return TAC_OK;
}

tacStatus tac_element_mass(const tacVolMesh *mesh, int element, const tacMaterial *material, tacMassKind kind,
                           double m[64], tacError *error) {
  tacVec3 corners[8];
  double lumped[8];
  int count = tac_element_corner_count(mesh, element);
  corners_of(mesh, element, corners);
  if (is_tet(mesh, element)) {
    tacTet4 tet;
    if (!tac_tet4_init(corners, &tet)) return unusable(mesh, element, error);
    tac_tet4_mass(&tet, material->density, (double(*)[4])m);
    if (kind == TAC_MASS_LUMPED) tac_tet4_lumped(&tet, material->density, lumped);
  } else {
    if (!tac_brick8_usable(corners)) return unusable(mesh, element, error);
    tac_brick8_mass(corners, material->density, (double(*)[8])m);
    for (int a = 0; a < 8; ++a) { /* sums of rows */
      lumped[a] = 0.0;
      for (int b = 0; b < 8; ++b) lumped[a] += m[8 * a + b];
    }
  }
  if (kind == TAC_MASS_LUMPED) {
    memset(m, 0, (size_t)(count * count) * sizeof *m);
    for (int c = 0; c < count; ++c) m[c * count + c] = lumped[c];
  }
  return TAC_OK;
}

tacStatus tac_element_stress(const tacVolMesh *mesh, int element, const tacMaterial *material, const double weights[8],
                             const double *displacement, double stress[6], tacError *error) {
  const int *v = tac_element_vertices(mesh, element);
  tacVec3 corners[8], gradient[8];
  double strain[6] = {0.0}, determinant;
  tacTet4 tet;
  corners_of(mesh, element, corners);
  if (is_tet(mesh, element)) {
    if (!tac_tet4_init(corners, &tet)) return unusable(mesh, element, error);
    memcpy(gradient, tet.gradient, sizeof tet.gradient);
  } else {
    /* Trilinear weights reproduce the local coordinates too. */
    tacVec3 local = {0.0, 0.0, 0.0};
    for (int c = 0; c < 8; ++c) {
      const double *s = tac_brick_corner[c];
      local = tac_vec3_mad(local, weights[c], tac_vec3(s[0], s[1], s[2]));
    }
    if (!tac_brick8_gradients(corners, local, gradient, &determinant)) return unusable(mesh, element, error);
  }
  for (int c = 0; c < tac_element_corner_count(mesh, element); ++c)
    tac_strain_add(gradient[c], displacement + 3 * (size_t)v[c], strain);
  tac_strain_stress(material->stiffness, strain, stress);
  return TAC_OK;
}
