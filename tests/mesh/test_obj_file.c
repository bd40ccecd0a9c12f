#include "mesh/formats/mesh_format.h"

#include "mesh/mesh_samples.h"

static const char square[] =
    "# a square and a triangle\r\nmtllib x.mtl\r\no thing\r\nv 0 0 0\r\nv 1 0 0 0.5 0.5 0.5\r\nv 1 1 0\r\nv 0 1 0\r\n"
    "vt 0 0\r\nvn 0 0 1\r\ng left right\r\nusemtl red\r\nf 1/1/1 2/1/1 \\\r\n3//1 4\r\ng default\r\nf -4 -3 -1 # "
    "last\r\n";

TAC_TEST(reads_polygons_continued_lines_and_groups) {
  TAC_MESH_CONTENTS contents = tac_sample_accept_text(tac_obj_read, square);
  const tacTriMesh *mesh = contents.surface;
  ck_assert_int_eq(mesh->vertex_count, 4);
  ck_assert_int_eq(mesh->triangle_count, 3);
  const int expected[3][3] = {{0, 1, 2}, {0, 2, 3}, {0, 1, 3}};
  for (int t = 0; t < 3; ++t) ck_assert_mem_eq(mesh->triangles[t].v, expected[t], sizeof expected[t]);
  char left[] = "left", right[] = "right", thing[] = "thing";
  const tacIndexSet sets[] = {{thing, 3, (int[]){0, 1, 2}}, {left, 2, (int[]){0, 1}}, {right, 2, (int[]){0, 1}}};
  tac_sample_same_sets(3, sets, mesh->group_count, mesh->groups);
}

TAC_TEST(a_backslash_continues_only_at_the_end_of_a_line) {
  const char head[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  const struct {
    const char *face;
    bool valid;
  } cases[] = {{"f 1 2 \\\n3\n", true}, {"f 1 2\\\n 3\n", true}, {"f 1 2 \\\r\n3\n", true},
               {"f 1 2 \\ 3\n", false}, {"f 1 2 \\", false},     {"f 1 2 \\\r3\n", false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char text[100];
    snprintf(text, sizeof text, "%s%s", head, cases[i].face);
    if (!cases[i].valid) {
      tac_sample_refuse_text(tac_obj_read, text, "expected a vertex of the face");
      continue;
    }
    TAC_MESH_CONTENTS contents = tac_sample_accept_text(tac_obj_read, text);
    ck_assert_int_eq(contents.surface->triangle_count, 1);
  }
}

/* A name of an object that begins after faces, and an object without a name, which changes nothing. */
TAC_TEST(objects_replace_the_name_of_the_previous_one) {
  TAC_MESH_CONTENTS contents = tac_sample_accept_text(
      tac_obj_read, "v 0 0 0\nv 1 0 0\nv 0 1 0\no a\nf 1 2 3\no b\nf 1 3 2\no\nf 2 3 1\ng c\nf 3 2 1\n");
  char a[] = "a", b[] = "b", c[] = "c";
  const tacIndexSet sets[] = {{a, 1, (int[]){0}}, {b, 3, (int[]){1, 2, 3}}, {c, 1, (int[]){3}}};
  tac_sample_same_sets(3, sets, contents.surface->group_count, contents.surface->groups);
}

TAC_TEST(refuses_broken_files_with_the_line) {
  static const tacRefusedText refused[] = {
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "sample:4: vertex 4 of the face"},
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n", "vertex 0"},
      {"v 0 0 0\nf 1 1 -2\n", "sample:2: vertex -2"},
      {"v 0 nan 0\n", "sample:1: expected three finite coordinates"},
      {"v 0 1e999 0\n", "finite"},
      {"v 0 1x 0\n", "\"1x\""},
      {"v 0 1\nv 1 2 3\n", "sample:1:"},
      {"v 0 0 0\nf 1 1\n", "at least 3 vertices"},
      {"v 0 0 0\nf 1 1 1.5\n", "expected a vertex of the face"},
      {"v 0 0 0\n", "no triangles"},
  };
  tac_sample_refuse_texts(tac_obj_read, sizeof refused / sizeof *refused, refused);
  tac_sample_damage(tac_obj_read, square, sizeof square - 1);
}

TAC_TEST(refuses_groups_that_would_take_memory_beyond_the_file) {
  /* 2,000 groups for each of 2,000 faces in 26 kB. */
  char *text = tac_test_alloc(100000), *at = text;
  at += sprintf(at, "v 0 0 0\ng");
  for (int g = 0; g < 2000; ++g) at += sprintf(at, " g%d", g);
  *at++ = '\n';
  for (int f = 0; f < 2000; ++f) at += sprintf(at, "f 1 1 1\n");
  tac_sample_refuse(tac_obj_read, text, (size_t)(at - text), "too many groups");
}

TAC_TEST(refuses_names_that_would_take_time_beyond_the_file) {
  /* Every face looks the object's name up again: 20,000 x 300 kB. */
  const size_t length = 300000;
  char *text = tac_test_alloc(length + 20000 * 10 + 100), *at = text;
  at += sprintf(at, "v 0 0 0\no ");
  memset(at, 'a', length);
  at += length;
  for (int f = 0; f < 20000; ++f) at += sprintf(at, "\ng\nf 1 1 1");
  tac_sample_refuse(tac_obj_read, text, (size_t)(at - text), "a name has 300000 bytes");
}
