/* Patches of tetrahedra: each element is in one, they hang together by faces, have one material and six to eight
 * elements. */
#include "elastic/hyper/hyper_patches.h"
#include "elastic/make_body.h"

static int shared_vertices(const tacTet *a, const tacTet *b) {
  int count = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) count += a->v[i] == b->v[j];
  return count;
}

/* What holds for all patches; returns the mean size. */
static double check_patches(const tacVolMesh *mesh, const int *material_of) {
  TAC_FREED(tac_hyper_patches_destroy, tacHyperPatches, patches);
  tac_test_ok(tac_hyper_patches_create(mesh, material_of, &patches, &error), error);
  int *seen = tac_test_alloc((size_t)mesh->tet_count * sizeof *seen);
  int last_material = 0;
  ck_assert_int_eq(patches.start[patches.count], mesh->tet_count);
  for (int p = 0; p < patches.count; ++p) {
    const int *element = patches.element + patches.start[p];
    int size = patches.start[p + 1] - patches.start[p];
    bool reached[64] = {true};
    ck_assert(size >= 1 && size < 64);
    for (int round = 0; round < size; ++round)
      for (int i = 0; i < size; ++i)
        for (int j = 0; reached[i] && j < size; ++j)
          reached[j] = reached[j] || shared_vertices(&mesh->tets[element[i]], &mesh->tets[element[j]]) == 3;
    for (int i = 0; i < size; ++i) {
      ck_assert(reached[i]);
      ck_assert_int_eq(patches.of[element[i]], p);
      ++seen[element[i]];
      if (material_of != NULL) ck_assert_int_eq(material_of[element[i]], material_of[element[0]]);
      for (int c = 0; c < 4; ++c) { /* its vertices are listed */
        bool found = false;
        for (int v = patches.vertex_start[p]; v < patches.vertex_start[p + 1]; ++v)
          found = found || patches.vertex[v] == mesh->tets[element[i]].v[c];
        ck_assert(found);
      }
    }
    for (int v = patches.vertex_start[p] + 1; v < patches.vertex_start[p + 1]; ++v)
      ck_assert_int_lt(patches.vertex[v - 1], patches.vertex[v]);
    if (material_of != NULL) {
      ck_assert_int_ge(material_of[element[0]], last_material);
      last_material = material_of[element[0]];
    }
  }
  for (int t = 0; t < mesh->tet_count; ++t) ck_assert_int_eq(seen[t], 1);
  double mean = (double)mesh->tet_count / patches.count;
  return mean;
}

TAC_TEST(cells_are_patches) {
  TAC_OWN(tacVolMesh, mesh) = make_tets(unit_box(), 3, 4, 2);
  TAC_FREED(tac_hyper_patches_destroy, tacHyperPatches, patches);
  tac_test_ok(tac_hyper_patches_create(mesh, NULL, &patches, &error), error);
  ck_assert_int_eq(patches.count, 24);
  for (int t = 0; t < mesh->tet_count; ++t) ck_assert_int_eq(patches.of[t], t / 6);
  for (int p = 0; p < patches.count; ++p) ck_assert_int_eq(patches.vertex_start[p + 1] - patches.vertex_start[p], 8);
  check_patches(mesh, NULL);
}

TAC_TEST(patches_grow_over_elements_in_no_order) {
  TAC_OWN(tacVolMesh, mesh) = make_tets(unit_box(), 5, 5, 5);
  shuffle_tets(mesh, 23);
  double mean = check_patches(mesh, NULL);
  ck_assert(mean > 5.0 && mean < 9.0);
  int *material_of = tac_test_alloc((size_t)mesh->tet_count * sizeof *material_of);
  for (int t = 0; t < mesh->tet_count; ++t) material_of[t] = mesh->vertices[mesh->tets[t].v[0]].x > 0.4;
  check_patches(mesh, material_of);
  for (int t = 0; t < mesh->tet_count; ++t) material_of[t] = t % 3; /* many stay alone */
  check_patches(mesh, material_of);
}
