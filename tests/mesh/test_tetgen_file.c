#include "mesh/formats/mesh_format.h"

#include <sys/stat.h>
#include "mesh/mesh_samples.h"

static const char some_nodes[] =
    "# from TetGen\n4 3 1 1\n1 0 0 0 0.5 0\n2 1 0 0 0.5 7\n3 0 1 0 0.5 -1\n4 0 0 1 0.5 7\n# end\n";
static const char some_elements[] = "2 4 1\n1 1 2 3 4 5\n2 2 1 3 4 0.25\n";

/* Two files as one: the part before '@' is the .node file. */
static tacStatus read_joined(tacScanner *scanner, tacMeshBuilder *builder) {
  const unsigned char *bytes = scanner->begin;
  size_t size = (size_t)(scanner->end - bytes);
  const unsigned char *at = size > 0 ? memchr(bytes, '@', size) : NULL;
  size_t first = at != NULL ? (size_t)(at - bytes) : size, second = at != NULL ? size - first - 1 : 0;
  tacScanner nodes = tac_scanner_begin("sample.node", bytes, first, scanner->error);
  tacScanner elements = tac_scanner_begin("sample.ele", bytes + size - second, second, scanner->error);
  return tac_tetgen_read_pair(&nodes, &elements, builder);
}

TAC_TEST(numbered_groups_survive) {
  TAC_MESH_CONTENTS made = {NULL, tac_sample_volume(1, 6, 0, 0, 0)};
  tac_test_ok(tac_volmesh_add_group(made.volume, "region 4", 2, (const int[]){1, 5}, &error), error);
  tac_test_ok(tac_volmesh_add_vertex_set(made.volume, "region 2", 3, (const int[]){0, 1, 9}, &error), error);
  TAC_MESH_CONTENTS back = tac_sample_round_trip(&made, TAC_MESH_FORMAT_TETGEN, ".node");
  tac_sample_same_volume(made.volume, back.volume, true, true);
}

TAC_TEST(reads_attributes_markers_and_comments) {
  char text[512];
  snprintf(text, sizeof text, "%s@%s", some_nodes, some_elements);
  TAC_MESH_CONTENTS contents = tac_sample_accept_text(read_joined, text);
  ck_assert_int_eq(contents.volume->tets[1].v[0], 1);
  ck_assert_int_eq(contents.volume->group_count, 1);
  ck_assert_str_eq(contents.volume->groups[0].name, "region 5");
  ck_assert_int_eq(contents.volume->vertex_set_count, 2);
  ck_assert_int_eq(contents.volume->vertex_sets[0].count, 2);
  tac_sample_damage(read_joined, text, strlen(text));
}

TAC_TEST(refuses_broken_files_with_the_line) {
#define FOUR "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n"
  static const tacRefusedText refused[] = {
      {"4 2 0 0\n@", "sample.node:1: expected the dimension"},
      {"3 3 0 0\n0 0 0 0 \n1 1 0 0        \n@", "sample.node:4: expected 3 vertices, found 2 before"},
      {"2 3 0 0\n0 0 0 0\n2 0 0 1\n@", "sample.node:3: expected number 1 of vertices, found 2"},
      {"400000000 3 0 0\n0 0 0 0\n@", "400000000 vertices need more than"},
      {FOUR "4 0 0 0\n@", "sample.node:6: expected the end of the file"},
      {FOUR "@1 4 0\n0 0 1 2 4\n", "sample.ele:2: expected a node of the tetrahedron from 0 to 3, found 4"},
      {FOUR "@1 5 0\n0 0 1 2 3 3\n", "expected 4 nodes of a tetrahedron, found 5"},
      {FOUR "@1 4 0\n0 0 1 2 3 9\n", "sample.ele:2: expected the end of the line"},
      {FOUR "@0 4 0\n", "no triangles, tetrahedra or bricks"},
  };
  tac_sample_refuse_texts(read_joined, sizeof refused / sizeof *refused, refused);
}

TAC_TEST(refuses_bricks_and_missing_companions) {
  TAC_MESH_CONTENTS made = {NULL, tac_sample_volume(1, 2, 2, 0, 0)};
  tacMeshContents back;
  const char *path = tac_test_path("mesh.node");
  ck_assert_int_eq(tac_mesh_write(path, TAC_MESH_FORMAT_BY_NAME, &made, &error), TAC_ERR_UNSUPPORTED);
  ck_assert_int_eq(rmdir(tac_test_own_folder()), 0); /* nothing was left there */
  ck_assert_int_eq(mkdir(tac_test_own_folder(), 0777), 0);
  tac_test_refused(tac_mesh_read(tac_test_write("mesh.node", some_nodes), &back, &error), TAC_ERR_FILE, error,
                   "mesh.ele");
}
