#include "elastic/solids/stiffness_hessian.h"

#include "elastic/make_body.h"
#include "elastic/solids/finite_strain.h"

enum { COLUMNS = 5 };

/* A solid of one anisotropic and one isotropic material on an uneven mesh. */
typedef struct Body {
  tacVolMesh *mesh;
  tacMaterial materials[2];
  int *material_of;
  tacSolid solid;
  double *vectors;
  int size;
} Body;

/* Tetrahedra: more than are added up at a time. */
static Body make_body_uneven(bool bricks, double by) {
  Body body = {
      .mesh = tac_test_keep(make_uneven((tacBox){{0.0, -1.0, 2.0}, {1.0, 0.2, 2.7}}, bricks, bricks ? 3 : 5, by),
                            tac_volmesh_destroy),
      .materials = {make_anisotropic(3), make_isotropic(1000.0, 1e6, 0.4)}};
  body.material_of = tac_test_alloc((size_t)tac_element_count(body.mesh) * sizeof *body.material_of);
  for (int e = 0; e < tac_element_count(body.mesh); ++e) body.material_of[e] = e % 3 == 0;
  body.size = 3 * body.mesh->vertex_count;
  body.vectors = tac_test_alloc((size_t)(COLUMNS * body.size) * sizeof *body.vectors);
  tacRandom random = tac_random_seed(8);
  for (int i = 0; i < COLUMNS * body.size; ++i) body.vectors[i] = tac_random_normal(&random);
  return body;
}

static Body make_body(bool bricks) {
  return make_body_uneven(bricks, 0.2);
}

static tacSolid solid_of(const Body *body) {
  return (tacSolid){
      .mesh = body->mesh, .material_count = 2, .materials = body->materials, .material_of = body->material_of};
}

/* K is quadratic in u, so that central differences of it have no error but rounding. */
TAC_TEST(is_the_derivative_of_the_stiffness) {
  for (int kind = 0; kind < 3; ++kind) { /* boxes are integrated with fewer points than the stiffness is */
    Body body = make_body_uneven(kind > 0, kind < 2 ? 0.2 : 0.0);
    tacSolid solid = solid_of(&body);
    int n = body.size, first[] = {0, 1, 2, 2, 4}, second[] = {1, 0, 2, 3, 1};
    double *result = tac_test_doubles((size_t)(5 * n)), *u = tac_test_doubles((size_t)n);
    double *kb = tac_test_doubles((size_t)n), *expected = tac_test_doubles((size_t)n);
    double eps = 1e-2;
    tac_test_ok(tac_stiffness_hessian_contract(&solid, body.vectors, 5, first, second, result, &error), error);
    TAC_CREATE(tacFiniteStrain, strain, tac_finite_strain_create(&solid, &strain, &error));
    tacSparse k = *tac_finite_strain_pattern(strain);
    k.value = tac_test_alloc((size_t)tac_sparse_count(&k) * sizeof *k.value);
    for (int p = 0; p < 5; ++p) {
      const double *a = body.vectors + first[p] * n, *b = body.vectors + second[p] * n;
      for (int side = -1; side <= 1; side += 2) {
        for (int i = 0; i < n; ++i) u[i] = side * eps * a[i];
        tac_finite_strain_stiffness(strain, u, k.value);
        tac_sparse_multiply(&k, b, 1, kb);
        for (int i = 0; i < n; ++i) expected[i] = (side < 0 ? 0.0 : expected[i]) + side * kb[i] / (2.0 * eps);
      }
      double largest = 0.0;
      for (int i = 0; i < n; ++i) largest = fmax(largest, fabs(expected[i]));
      ck_assert_double_gt(largest, 0.0);
      for (int i = 0; i < n; ++i) ck_assert_double_eq_tol(result[p * n + i], expected[i], 1e-11 * largest);
    }
    /* Symmetric in its two vectors. */
    for (int i = 0; i < n; ++i) ck_assert_double_eq_tol(result[i], result[n + i], 1e-9 * fabs(result[i]) + 1e-6);
  }
}

/* More pairs than one pass takes, on several threads: each has the same bits as alone. */
TAC_TEST(does_not_depend_on_how_pairs_are_shared_out) {
  enum { PAIRS = 45 };
  Body body = make_body(true);
  tacSolid solid = solid_of(&body);
  int n = body.size, first[PAIRS], second[PAIRS];
  for (int p = 0; p < PAIRS; ++p) {
    first[p] = p % COLUMNS;
    second[p] = (p * 3 + p / COLUMNS) % COLUMNS;
  }
  double *all = tac_test_doubles((size_t)(PAIRS * n)), *one = tac_test_doubles((size_t)n);
  tac_test_ok(tac_stiffness_hessian_contract(&solid, body.vectors, PAIRS, first, second, all, &error), error);
  for (int p = 0; p < PAIRS; p += 4) {
    tac_test_ok(tac_stiffness_hessian_contract(&solid, body.vectors, 1, &first[p], &second[p], one, &error), error);
    ck_assert_mem_eq(all + p * n, one, (size_t)n * sizeof *one);
  }
}

TAC_TEST(names_an_element_that_is_inverted) {
  Body body = make_body(false);
  tacSolid solid = solid_of(&body);
  int *v = body.mesh->tets[7].v, last = v[3], zero = 0;
  v[3] = v[2];
  v[2] = last;
  double *one = tac_test_doubles((size_t)body.size);
  ck_assert_int_eq(tac_stiffness_hessian_contract(&solid, body.vectors, 1, &zero, &zero, one, &error),
                   TAC_ERR_GEOMETRY);
  ck_assert_ptr_nonnull(strstr(error.text, "element 7"));
}
