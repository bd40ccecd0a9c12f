/* The free part of a stiffness against the whole one. */
#include "elastic/free_lower.h"

#include "elastic/hyper/make_hyper.h"

static const tacBox box = {{0.0, 0.0, 0.0}, {0.1, 0.1, 0.2}};

/* Rows and columns of held vertices are left out, and nothing else: what is free answers as it does in the whole with the held at
 * rest. */
TAC_TEST(free_part_matches_the_whole_with_held_vertices) {
  TAC_OWN(tacVolMesh, mesh) = make_uneven(box, false, 2, 0.2);
  tacHyperMaterial material = find_hyper("neo-hookean", 4e3, 1e4, 0.0);
  TAC_OWN(tacHyperSolid, solid) = make_hyper_solid((tacHyperSolidDef){.mesh = mesh, .materials = &material});
  const tacSparse *whole = tac_hyper_solid_pattern(solid);
  bool *held = tac_test_alloc((size_t)mesh->vertex_count * sizeof *held);
  int free_count = 0;
  for (int v = 0; v < mesh->vertex_count; ++v) {
    held[v] = v % 5 == 2;
    free_count += !held[v];
  }
  tacFreeLower part;
  tac_test_ok(tac_free_lower_create(whole, held, &part, &error), error);
  ck_assert_int_eq((int)part.size, 3 * mesh->vertex_count);
  ck_assert_int_eq((int)part.free_size, 3 * free_count);
  ck_assert(part.matrix.rows == 3 * free_count && part.matrix.cols == 3 * free_count);
  double *u = vector_of(mesh), *expected = vector_of(mesh), *few = vector_of(mesh), *given = vector_of(mesh);
  tacRandom random = tac_random_seed(4);
  for (int i = 0; i < 3 * mesh->vertex_count; ++i) u[i] = tac_random_uniform(&random, -1.0, 1.0);
  tac_free_lower_take(&part, u, few);
  memset(given, 0xff, part.size * sizeof *given);
  tac_free_lower_put(&part, few, given);
  for (int i = 0; i < 3 * mesh->vertex_count; ++i) ck_assert_double_eq(given[i], held[i / 3] ? 0.0 : u[i]);
  tac_sparse_multiply_lower(whole, given, 1, expected);
  double *product = vector_of(mesh);
  tac_sparse_multiply_lower(&part.matrix, few, 1, product);
  tac_free_lower_put(&part, product, given);
  for (int i = 0; i < 3 * mesh->vertex_count; ++i)
    if (!held[i / 3])
      ck_assert_double_eq_tol(given[i], expected[i], 1e-12 * largest_entry(expected, 3 * mesh->vertex_count));
  /* Where values came from, to fill it with new ones; columns are in order, below the diagonal. */
  for (int j = 0; j < part.matrix.cols; ++j)
    for (int p = part.matrix.column_start[j]; p < part.matrix.column_start[j + 1]; ++p) {
      ck_assert_double_eq(part.matrix.value[p], whole->value[part.source[p]]);
      ck_assert_int_ge(part.matrix.row[p], j);
    }
  tac_free_lower_destroy(&part);
  ck_assert_ptr_null(part.source);
  tac_free_lower_destroy(&part);
}

TAC_TEST(no_held_and_all_held_vertices_work) {
  TAC_OWN(tacVolMesh, mesh) = make_tets(box, 1, 1, 1);
  tacHyperMaterial material = find_hyper("neo-hookean", 4e3, 1e4, 0.0);
  TAC_OWN(tacHyperSolid, solid) = make_hyper_solid((tacHyperSolidDef){.mesh = mesh, .materials = &material});
  const tacSparse *whole = tac_hyper_solid_pattern(solid);
  bool held[8] = {false};
  tacFreeLower part;
  tac_test_ok(tac_free_lower_create(whole, held, &part, &error), error);
  ck_assert_int_eq(part.matrix.column_start[24], whole->column_start[24]);
  ck_assert_mem_eq(part.matrix.value, whole->value, (size_t)whole->column_start[24] * sizeof(double));
  ck_assert_mem_eq(part.matrix.row, whole->row, (size_t)whole->column_start[24] * sizeof(int));
  tac_free_lower_destroy(&part);
  for (int v = 0; v < 8; ++v) held[v] = true;
  tac_test_ok(tac_free_lower_create(whole, held, &part, &error), error);
  ck_assert(part.free_size == 0 && part.matrix.cols == 0);
  tac_free_lower_destroy(&part);
}
