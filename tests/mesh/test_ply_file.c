#include "mesh/formats/mesh_format.h"

#include "mesh/contents/mesh_builder.h"
#include "mesh/mesh_samples.h"
#include "mesh/text/byte_order.h"

static const char ascii[] =
    "ply\nformat ascii 1.0\ncomment made by hand\nelement camera 1\nproperty float f\nelement vertex 4\nproperty float "
    "x\n"
    "property double y\nproperty int z\nproperty uchar red\nelement face 2\nproperty float quality\n"
    "property list uchar int vertex_indices\nend_header\nnan\n0 0 0 255\n1 0 0 255\n1 1 0 0\n0 1 0 0\n"
    "nan 4 0 1 2 3\n1 2 0 1\n";

TAC_TEST(keeps_names_of_groups_with_any_characters) {
  TAC_MESH_CONTENTS made = {tac_sample_surface(2, 4, 0), NULL};
  tac_test_ok(tac_trimesh_add_group(made.surface, "50 % of it, \"left\"", 2, (const int[]){0, 3}, &error), error);
  TAC_MESH_CONTENTS back = tac_sample_round_trip(&made, TAC_MESH_FORMAT_PLY_BINARY, ".ply");
  tac_sample_same_surface(made.surface, back.surface, true);
}

TAC_TEST(passes_over_other_elements_and_properties) {
  tacMeshContents contents = tac_sample_accept_text(tac_ply_read, ascii);
  ck_assert_int_eq(contents.surface->vertex_count, 4);
  ck_assert_int_eq(contents.surface->triangle_count, 2);
  ck_assert_int_eq(contents.surface->triangles[1].v[2], 3);
  tac_mesh_contents_destroy(&contents);
  tac_sample_damage(tac_ply_read, ascii, sizeof ascii - 1);
}

TAC_TEST(reads_big_endian) {
  unsigned char bytes[512];
  int header =
      sprintf((char *)bytes,
              "ply\r\nformat binary_big_endian 1.0\r\nelement vertex 3\r\nproperty float x\r\nproperty float y\r\n"
              "property float z\r\nelement face 1\r\nproperty list uchar ushort vertex_index\r\nend_header\r\n");
  unsigned char *at = bytes + header;
  for (int i = 0; i < 9; ++i, at += 4) tac_bytes_store_float(at, true, (float)i);
  *at++ = 3;
  for (int i = 0; i < 3; ++i, at += 2) tac_bytes_store(at, 2, true, (uint64_t)(2 - i));
  tacMeshContents contents = tac_sample_accept(tac_ply_read, bytes, (size_t)(at - bytes));
  ck_assert_double_eq(contents.surface->vertices[2].z, 8.0);
  ck_assert_int_eq(contents.surface->triangles[0].v[0], 2);
  tac_mesh_contents_destroy(&contents);
  tac_sample_damage(tac_ply_read, bytes, (size_t)(at - bytes));
  tac_bytes_store(at - 2, 2, true, 3);
  tac_sample_refuse(tac_ply_read, bytes, (size_t)(at - bytes), "a vertex of the face from 0 to 2, found 3");
}

TAC_TEST(a_face_of_many_corners_becomes_a_fan) {
  enum { CORNERS = 20 };
  char text[1024];
  int at = sprintf(text,
                   "ply\nformat ascii 1.0\nelement vertex %d\nproperty float x\nproperty float y\nproperty float z\n"
                   "element face 1\nproperty list uchar int vertex_indices\nend_header\n",
                   CORNERS);
  for (int i = 0; i < CORNERS; ++i) at += sprintf(text + at, "%d %d 0\n", i, i * i);
  at += sprintf(text + at, "%d", CORNERS);
  for (int i = 0; i < CORNERS; ++i) at += sprintf(text + at, " %d", i);
  sprintf(text + at, "\n");
  TAC_MESH_CONTENTS contents = tac_sample_accept_text(tac_ply_read, text);
  ck_assert_int_eq(contents.surface->triangle_count, CORNERS - 2);
  for (int t = 0; t < CORNERS - 2; ++t)
    ck_assert_mem_eq(contents.surface->triangles[t].v, ((const int[]){0, t + 1, t + 2}), 3 * sizeof(int));
}

TAC_TEST(refuses_broken_files) {
#define XYZ "property float x\nproperty float y\nproperty float z\n"
  static const tacRefusedText refused[] = {
      {"ply\nformat ascii 1.0\nelement vertex 3\n" XYZ
       "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 2 1 0\n",
       "sample:14: expected the end of the file"},
      {"ply\nformat ascii 2.0\n", "sample:2: expected 1.0"},
      {"ply\nformat ascii 1.0\nelement vertex 3\nproperty real x\n", "sample:4: expected a type"},
      {"ply\nformat ascii 1.0\nelement vertex 900000000\n" XYZ "end_header\n0 0 0\n",
       "900000000 vertices need more than the 6 bytes"},
      {"ply\nformat ascii 1.0\nelement vertex 1\n" XYZ "end_header\n0 inf 0\n",
       "sample:8: expected a coordinate (a finite number), found \"inf\""},
      {"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float z\nend_header\n0 0 0\n",
       "lack the properties x, y and z"},
      {"ply\nelement vertex 0\nend_header\n", "the header has no line that starts with format"},
      {"ply\nformat ascii 1.0\nproperty float x\n", "sample:3: a property must follow"},
  };
  tac_sample_refuse_texts(tac_ply_read, sizeof refused / sizeof *refused, refused);
}
