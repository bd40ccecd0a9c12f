#include "elastic/elements/quadrature.h"

#include "elastic/elements/element.h"
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
