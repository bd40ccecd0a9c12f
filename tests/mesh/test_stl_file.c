#include "mesh/formats/mesh_format.h"

#include "mesh/contents/mesh_builder.h"
#include "mesh/formats/mesh_file.h"
#include "mesh/mesh_samples.h"
#include "mesh/text/byte_order.h"

static const char two_solids[] = "solid first part\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 "
                                 "0\n   vertex 0 1 0\n  endloop\n"
                                 " endfacet\nendsolid first part\nsolid\nfacet normal nan nan nan outer loop vertex 1 "
                                 "0 -0.0 vertex 0 1 0 vertex 2 2 2\n"
                                 "endloop endfacet\nendsolid\n";

TAC_TEST(binary_survives_a_round_trip_as_floats) {
  TAC_MESH_CONTENTS made = {tac_sample_surface(7, 41, 0), NULL};
  for (int v = 0; v < made.surface->vertex_count; ++v) {
    tacVec3 *p = &made.surface->vertices[v];
    *p = (tacVec3){(double)(float)p->x, (double)(float)p->y, (double)(float)p->z};
  }
  TAC_MESH_CONTENTS back = tac_sample_round_trip(&made, TAC_MESH_FORMAT_STL_BINARY, ".stl");
  tac_sample_same_surface(made.surface, back.surface, true);
}

TAC_TEST(binary_facets_have_the_normals_of_their_triangles) {
  TAC_MESH_CONTENTS made = tac_sample_accept_text(tac_stl_read, two_solids);
  TAC_MEMORY(char, bytes) = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&bytes, &size);
  tac_test_ok(tac_stl_write(stream, true, &made, &error), error);
  fclose(stream);
  ck_assert_uint_eq(size, 84 + 2 * 50);
  const double expected[2][3] = {{0.0, 0.0, 1.0}, {2.0 / sqrt(17.0), 2.0 / sqrt(17.0), -3.0 / sqrt(17.0)}};
  for (int t = 0; t < 2; ++t)
    for (int i = 0; i < 3; ++i) {
      float number = tac_bytes_load_float((const unsigned char *)bytes + 84 + 50 * t + 4 * i, false);
      ck_assert_double_eq_tol((double)number, expected[t][i], 1e-6);
    }
}

TAC_TEST(disjoint_groups_survive_as_solids) {
  TAC_MESH_CONTENTS made = {tac_sample_surface(8, 6, 0), NULL};
  tac_test_ok(tac_trimesh_add_group(made.surface, "front", 2, (const int[]){0, 1}, &error), error);
  tac_test_ok(tac_trimesh_add_group(made.surface, "back side", 3, (const int[]){2, 3, 4}, &error), error);
  TAC_MESH_CONTENTS back = tac_sample_round_trip(&made, TAC_MESH_FORMAT_STL_ASCII, ".stl");
  tac_sample_same_surface(made.surface, back.surface, true);
}

TAC_TEST(welds_equal_vertices_and_minus_zero) {
  TAC_MESH_CONTENTS contents = tac_sample_accept_text(tac_stl_read, two_solids);
  const tacTriMesh *mesh = contents.surface;
  ck_assert_int_eq(mesh->vertex_count, 4);
  ck_assert_int_eq(mesh->triangle_count, 2);
  ck_assert_int_eq(mesh->triangles[1].v[0], 1);
  ck_assert_int_eq(mesh->triangles[1].v[1], 2);
  ck_assert_int_eq(mesh->group_count, 1);
  ck_assert_str_eq(mesh->groups[0].name, "first part");
  ck_assert_int_eq(mesh->groups[0].count, 1);
}

TAC_TEST(normals_may_be_any_spelling_of_not_a_number) {
  const char *const words[] = {"nan", "-nan", "NaN", "-nan(ind)", "-1.#IND00", "1.#QNAN", "inf", "1e-3"};
  for (int i = 0; i < 8; ++i) {
    char text[256];
    snprintf(text, sizeof text,
             "solid\nfacet normal %s 0 0 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet\nendsolid",
             words[i]);
    TAC_MESH_CONTENTS contents = tac_sample_accept_text(tac_stl_read, text);
    ck_assert_int_eq(contents.surface->triangle_count, 1);
  }
  tac_sample_refuse_text(tac_stl_read, "solid\nfacet normal 0 0 outer", "expected the normal, found \"outer\"");
}

/* As some programs and people write it: ends in two words, keywords in capitals. */
TAC_TEST(keywords_may_be_in_capitals_and_ends_in_two_words) {
  tacMeshContents contents = tac_sample_accept_text(
      tac_stl_read, "SOLID Left Half\r\n  FACET NORMAL 0 0 1\r\n    OUTER LOOP\r\n      VERTEX 0 0 0\r\n"
                    "      VERTEX 1 0 0\r\n      VERTEX 0 1 0\r\n    ENDLOOP\r\n  ENDFACET\r\nEND SOLID Left Half\r\n"
                    "solid right half\nFacet Normal 0 0 1 outer loop vertex 1 0 0 vertex 1 1 0 vertex 0 1 0 end loop\n"
                    "end facet\nend solid right half");
  const tacTriMesh *mesh = contents.surface;
  ck_assert_int_eq(mesh->vertex_count, 4);
  ck_assert_int_eq(mesh->triangle_count, 2);
  ck_assert_int_eq(mesh->group_count, 2);
  ck_assert_str_eq(mesh->groups[0].name, "Left Half");
  ck_assert_str_eq(mesh->groups[1].name, "right half");
  tac_mesh_contents_destroy(&contents);
  const char *path = tac_test_write("mesh", "Solid\nEndSolid\n");
  ck_assert_ptr_nonnull(tac_mesh_recognise(path)); /* by its content */
  ck_assert_str_eq(tac_mesh_recognise(path), "STL");
#define FACET "facet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 "
  static const tacRefusedText refused[] = {
      {"solid x\n" FACET "endloop endfacet\n", "sample:3: expected facet or endsolid, found the end of the file"},
      {"solid x\n" FACET "endloop endfacet\nend facet\n", "sample:3: expected endsolid, found \"facet\""},
      {"solid x\n" FACET "end facet", "sample:2: expected endloop, found \"facet\""},
  };
  tac_sample_refuse_texts(tac_stl_read, sizeof refused / sizeof *refused, refused);
}

static size_t binary_triangle(unsigned char *bytes, uint32_t count, const char *header) {
  memset(bytes, 0, 84 + 50);
  memcpy(bytes, header, strlen(header));
  tac_bytes_store(bytes + 80, 4, false, count);
  tac_bytes_store_float(bytes + 84 + 12 + 12, false, 1.0F);
  tac_bytes_store_float(bytes + 84 + 12 + 28, false, 1.0F);
  return 84 + 50;
}

TAC_TEST(binary_is_detected_by_size_not_by_keyword) {
  unsigned char bytes[84 + 50];
  size_t size = binary_triangle(bytes, 1, "solid, but binary");
  TAC_MESH_CONTENTS contents = tac_sample_accept(tac_stl_read, bytes, size);
  ck_assert_int_eq(contents.surface->triangle_count, 1);
  ck_assert_int_eq(contents.surface->vertex_count, 3);
  tac_mesh_contents_destroy(&contents);
  tac_sample_damage(tac_stl_read, bytes, size);
  size = binary_triangle(bytes, 1, "\xef\xbb\xbf"); /* no byte order mark: its header may be anything */
  contents = tac_sample_accept(tac_stl_read, bytes, size);
  ck_assert_int_eq(contents.surface->vertex_count, 3);
  ck_assert_double_eq(contents.surface->vertices[1].x, 1.0);
}

TAC_TEST(refuses_broken_files) {
  unsigned char bytes[84 + 50];
  size_t size = binary_triangle(bytes, 1, "x");
  tac_sample_refuse(tac_stl_read, bytes, size - 1, "134");
  tac_bytes_store_float(bytes + 84 + 24, false, NAN);
  tac_sample_refuse(tac_stl_read, bytes, size, "byte 108: facet 0: expected finite coordinates");
  binary_triangle(bytes, 0xffffffffU, "x");
  tac_sample_refuse(tac_stl_read, bytes, size, "4294967295 triangles");
  static const tacRefusedText refused[] = {
      {"solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0\nvertex 1 0 0\n", "sample:5: expected a z coordinate"},
      {"solid x\nfacets\n", "sample:2: expected facet or endsolid, found \"facets\""},
      {"solid x\nendsolid x\n", "no triangles"},
  };
  tac_sample_refuse_texts(tac_stl_read, sizeof refused / sizeof *refused, refused);
  tac_sample_damage(tac_stl_read, two_solids, sizeof two_solids - 1);
}

TAC_TEST(refuses_to_write_floats_that_overflow) {
  TAC_MESH_CONTENTS made = {tac_sample_surface(7, 3, 0), NULL};
  made.surface->vertices[1].x = 1e300;
  tac_test_refused(tac_mesh_write(tac_test_path("far.stl"), TAC_MESH_FORMAT_BY_NAME, &made, &error),
                   TAC_ERR_UNSUPPORTED, error, "stl-ascii");
  ck_assert_int_eq(rmdir(tac_test_own_folder()), 0); /* nothing is left behind */
}
