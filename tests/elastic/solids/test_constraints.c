#include "elastic/solids/constraints.h"

#include "elastic/make_body.h"
#include "elastic/solids/assembly.h"

static tacConstraints constrain(int vertex_count, const bool *held) {
  tacConstraints constraints;
  tac_test_ok(tac_constraints_create(vertex_count, held, &constraints, &error), error);
  return constraints;
}

/* K x computed in four blocks is K x. */
TAC_TEST(blocks_add_up_to_the_matrix) {
  tacMaterial material = make_anisotropic(1);
  TAC_OWN(tacVolMesh, mesh) = make_uneven(unit_box(), false, 3, 0.2);
  TAC_SPARSE k;
  tac_test_ok(tac_assembly_stiffness(mesh, &material, NULL, &k, &error), error);
  bool *held = tac_test_alloc((size_t)mesh->vertex_count * sizeof *held);
  tacRandom random = tac_random_seed(1);
  double *x = vector_of(mesh), *y = vector_of(mesh), *part = vector_of(mesh), *product = vector_of(mesh);
  double *sum = vector_of(mesh);
  for (int v = 0; v < mesh->vertex_count; ++v) held[v] = tac_random_bits(&random) % 3 == 0;
  for (int i = 0; i < k.rows; ++i) x[i] = tac_random_normal(&random);
  tac_sparse_multiply(&k, x, 1, y);
  TAC_FREED(tac_constraints_destroy, tacConstraints, constraints) = constrain(mesh->vertex_count, held);
  ck_assert_int_eq(constraints.count[0] + constraints.count[1], mesh->vertex_count);
  for (int rows = 0; rows < 2; ++rows) {
    memset(sum, 0, (size_t)k.rows * sizeof *sum);
    for (int cols = 0; cols < 2; ++cols) {
      TAC_SPARSE block;
      tac_test_ok(tac_constraints_block(&constraints, &k, (tacSide)rows, (tacSide)cols, &block, &error), error);
      tac_test_ok(tac_sparse_check(&block, &error), error);
      ck_assert_int_eq(block.rows, 3 * constraints.count[rows]);
      ck_assert_int_eq(block.cols, 3 * constraints.count[cols]);
      tac_constraints_take(&constraints, (tacSide)cols, x, part);
      tac_sparse_multiply(&block, part, 1, product);
      for (int i = 0; i < block.rows; ++i) sum[i] += product[i];
    }
    tac_constraints_take(&constraints, (tacSide)rows, y, part);
    for (int i = 0; i < 3 * constraints.count[rows]; ++i)
      ck_assert_double_eq_tol(sum[i], part[i], 1e-9 * material.stiffness[0][0]);
  }
}

/* Holds the named vertices of a mesh and checks it. */
static tacStatus check_held(const tacVolMesh *mesh, int count, const int *vertices, tacError *why) {
  bool *held = tac_test_alloc((size_t)mesh->vertex_count * sizeof *held);
  for (int i = 0; i < count; ++i) held[vertices[i]] = true;
  TAC_FREED(tac_constraints_destroy, tacConstraints, constraints) = constrain(mesh->vertex_count, held);
  tacStatus status = tac_constraints_check(&constraints, mesh, why);
  return status;
}

TAC_TEST(three_vertices_that_are_not_in_line_hold_a_part) {
  TAC_OWN(tacVolMesh, mesh) = make_bricks(unit_box(), 3, 3, 3); /* vertices 0 1 2 3 lie along x, 4 is above 0 */
  turn_mesh(mesh->vertex_count, mesh->vertices);
  ck_assert_int_eq(check_held(mesh, 3, (int[]){0, 1, 4}, &error), TAC_OK);
  tac_test_refused(check_held(mesh, 0, NULL, &error), TAC_ERR_GEOMETRY, error, "64 vertices");
  ck_assert_ptr_nonnull(strstr(error.text, " 0 are held"));
  tac_test_refused(check_held(mesh, 2, (int[]){0, 5}, &error), TAC_ERR_GEOMETRY, error, " 2 are held");
  tac_test_refused(check_held(mesh, 4, (int[]){0, 1, 2, 3}, &error), TAC_ERR_GEOMETRY, error,
                   " 4 are held, all on one line");
}

TAC_TEST(every_part_must_be_held) {
  TAC_OWN(tacVolMesh, mesh) = make_volmesh(9, 2, 0); /* vertex 8 belongs to none */
  for (int t = 0; t < 2; ++t) {
    for (int c = 0; c < 4; ++c) {
      mesh->tets[t].v[c] = 4 * t + c;
      mesh->vertices[4 * t + c] = tac_vec3(3.0 * t + (c == 1), c == 2, c == 3);
    }
  }
  ck_assert_int_eq(check_held(mesh, 7, (int[]){0, 1, 2, 4, 5, 6, 8}, &error), TAC_OK);
  tac_test_refused(check_held(mesh, 6, (int[]){0, 1, 2, 3, 4, 8}, &error), TAC_ERR_GEOMETRY, error, "vertex 4 ");
  ck_assert_ptr_nonnull(strstr(error.text, " 1 are held"));
  tac_test_refused(check_held(mesh, 6, (int[]){0, 1, 2, 4, 5, 6}, &error), TAC_ERR_GEOMETRY, error,
                   "vertex 8 belongs to no element");
}

TAC_TEST(wrong_sizes_are_refused) {
  const bool held[2] = {true, false};
  TAC_FREED(tac_constraints_destroy, tacConstraints, constraints);
  tacSparse identity, block;
  ck_assert_int_eq(tac_constraints_create(-1, held, &constraints, &error), TAC_ERR_ARGUMENT);
  constraints = constrain(2, held);
  tac_test_ok(tac_sparse_identity(5, &identity, &error), error);
  ck_assert_int_eq(tac_constraints_block(&constraints, &identity, TAC_SIDE_FREE, TAC_SIDE_FREE, &block, &error),
                   TAC_ERR_ARGUMENT);
  ck_assert_ptr_null(block.value);
  tac_sparse_destroy(&identity);
}
