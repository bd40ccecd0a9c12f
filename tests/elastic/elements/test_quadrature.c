#include "elastic/elements/quadrature.h"

#include "elastic/elements/element.h"
#include "elastic/elements/strain.h"
#include "elastic/make_body.h"

/* A box of distorted bricks or tetrahedra; every element is looked at. */
static tacVolMesh *make_sample(bool bricks) {
  return make_uneven((tacBox){{-1.0, 0.5, 2.0}, {0.5, 2.0, 3.2}}, bricks, 3, 0.25);
}

TAC_TEST(weights_add_up_to_the_volume) {
  for (int bricks = 0; bricks < 2; ++bricks) {
    TAC_OWN(tacVolMesh, mesh) = make_sample(bricks == 1);
    double volume = 0.0;
    for (int e = 0; e < tac_element_count(mesh); ++e) {
      tacQuadraturePoint points[TAC_MOST_QUADRATURE_POINTS];
      int count = tac_quadrature_points(mesh, e, 2, points);
      ck_assert_int_eq(count, bricks == 1 ? 27 : 1);
      for (int p = 0; p < count; ++p) {
        ck_assert_double_gt(points[p].weight, 0.0);
        volume += points[p].weight;
      }
    }
    ck_assert_double_eq_tol(volume, 1.5 * 1.5 * 1.2, 1e-13);
  }
}

/* Shape functions add up to one and reproduce the position: sum g_a = 0 and sum x_a g_a^T = I. */
TAC_TEST(gradients_reproduce_linear_fields) {
  for (int bricks = 0; bricks < 2; ++bricks) {
    TAC_OWN(tacVolMesh, mesh) = make_sample(bricks == 1);
    for (int e = 0; e < tac_element_count(mesh); ++e) {
      tacQuadraturePoint points[TAC_MOST_QUADRATURE_POINTS];
      int count = tac_quadrature_points(mesh, e, 2, points);
      for (int p = 0; p < count; ++p) {
        tacVec3 sum = {0.0, 0.0, 0.0};
        tacMat3 product = tac_mat3_zero();
        for (int c = 0; c < tac_element_corner_count(mesh, e); ++c) {
          sum = tac_vec3_add(sum, points[p].gradient[c]);
          product = tac_mat3_add(
              product, tac_mat3_outer(mesh->vertices[tac_element_vertices(mesh, e)[c]], points[p].gradient[c]));
        }
        ck_assert_double_lt(tac_vec3_norm(sum), 1e-13);
        ck_assert_double_lt(tac_mat3_max_abs(tac_mat3_sub(product, tac_mat3_identity())), 1e-12);
      }
    }
  }
}

/* sum weight B^T C B against the stiffness that tet4 and brick8 have in their own way. */
TAC_TEST(stiffness_of_the_points_is_that_of_the_element) {
  const tacMaterial material = make_anisotropic(4);
  tacError error;
  for (int bricks = 0; bricks < 2; ++bricks) {
    TAC_OWN(tacVolMesh, mesh) = make_sample(bricks == 1);
    for (int e = 0; e < tac_element_count(mesh); ++e) {
      tacQuadraturePoint points[TAC_MOST_QUADRATURE_POINTS];
      int count = tac_quadrature_points(mesh, e, 2, points), corners = tac_element_corner_count(mesh, e);
      double k[576], sum[576] = {0};
      tac_test_ok(tac_element_stiffness(mesh, e, &material, k, &error), error);
      for (int p = 0; p < count; ++p)
        tac_strain_add_stiffness(corners, points[p].gradient, material.stiffness, points[p].weight, sum);
      tac_strain_mirror(3 * corners, sum);
      for (int i = 0; i < 9 * corners * corners; ++i) ck_assert_double_eq_tol(sum[i], k[i], 1e-12 * k[0]);
    }
  }
}

TAC_TEST(inverted_and_flat_elements_have_no_points) {
  tacQuadraturePoint points[TAC_MOST_QUADRATURE_POINTS];
  for (int bricks = 0; bricks < 2; ++bricks) {
    TAC_OWN(tacVolMesh, mesh) = bricks == 1 ? make_bricks(unit_box(), 1, 1, 1) : make_tets(unit_box(), 1, 1, 1);
    tacVec3 *corner = &mesh->vertices[tac_element_vertices(mesh, 0)[0]], kept = *corner;
    ck_assert_int_gt(tac_quadrature_points(mesh, 0, 2, points), 0);
    *corner = tac_vec3(2.0, 2.0, 2.0); /* through the element and out behind */
    ck_assert_int_eq(tac_quadrature_points(mesh, 0, 2, points), 0);
    *corner = kept;
    for (int v = 0; v < mesh->vertex_count; ++v) mesh->vertices[v].y = 0.0;
    ck_assert_int_eq(tac_quadrature_points(mesh, 0, 2, points), 0);
  }
}
