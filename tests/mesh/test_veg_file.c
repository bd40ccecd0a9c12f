#include "mesh/formats/mesh_format.h"

#include "mesh/contents/mesh_builder.h"
#include "mesh/mesh_samples.h"

#define VERTICES "*VERTICES\n5 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n"
#define ELEMENTS "*ELEMENTS\nTETS\n2 4 0\n1 1 2 3 4\n2 2 3 4 5\n"

static const char whole[] =
    "# comment\n" VERTICES "\n" ELEMENTS
    "*MATERIAL soft\nENU, 1000, 1e5, 0.45 # rubber\n*MATERIAL odd one\nMOONEYRIVLIN, 1000, 1, 2, 3\n"
    "*SET left side\n1,\n2\n*SET none\n*REGION\nallElements, soft\n*REGION\nleft side, odd one\n";

static void check_whole(const tacVolMesh *mesh) {
  ck_assert_int_eq(mesh->vertex_count, 5);
  ck_assert_int_eq(mesh->tet_count, 2);
  ck_assert_int_eq(mesh->tets[1].v[3], 4);
  ck_assert_int_eq(mesh->material_count, 2);
  ck_assert_str_eq(mesh->materials[0].kind, "ENU");
  ck_assert_double_eq(mesh->materials[0].parameters[1], 1e5);
  ck_assert_str_eq(mesh->materials[1].name, "odd one");
  ck_assert_int_eq(mesh->materials[1].parameter_count, 4);
  ck_assert_int_eq(mesh->region_count, 2);
  ck_assert_str_eq(mesh->groups[mesh->regions[0].group].name, "allElements");
  ck_assert_int_eq(mesh->groups[mesh->regions[0].group].count, 2);
  ck_assert_int_eq(mesh->regions[0].material, 0);
  ck_assert_str_eq(mesh->groups[mesh->regions[1].group].name, "left side");
  ck_assert_int_eq(mesh->groups[mesh->regions[1].group].count, 2);
  ck_assert_int_eq(mesh->regions[1].material, 1);
  ck_assert_int_eq(mesh->group_count, 3);
}

TAC_TEST(materials_sets_and_regions_are_read_and_written) {
  TAC_MESH_CONTENTS contents = tac_sample_accept_text(tac_veg_read, whole);
  check_whole(contents.volume);
  TAC_MESH_CONTENTS back = tac_sample_round_trip(&contents, TAC_MESH_FORMAT_VEG, ".veg");
  check_whole(back.volume);
  tac_sample_same_volume(contents.volume, back.volume, true, true);
}

TAC_TEST(numbers_may_count_from_zero) {
  TAC_MESH_CONTENTS contents = tac_sample_accept_text(
      tac_veg_read,
      "*VERTICES\n4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n*ELEMENTS\nTET\n1 4 0\n0 0 1 2 3\n*SET s\n0\n");
  ck_assert_int_eq(contents.volume->tets[0].v[3], 3);
  ck_assert_int_eq(contents.volume->groups[0].indices[0], 0);
}

TAC_TEST(includes_are_relative_to_the_including_file) {
  tacMeshContents contents;
  tac_test_write("main.veg", "*INCLUDE parts/vertices.veg\n" ELEMENTS);
  tac_test_write("parts/vertices.veg", "*INCLUDE v\n");
  tac_test_write("parts/v", VERTICES);
  tac_test_write("loop.veg", "*INCLUDE loop2.veg\n");
  tac_test_write("loop2.veg", "# x\n*INCLUDE loop.veg\n");
  tac_test_write("lost.veg", "*INCLUDE nowhere.veg\n");
  tac_test_write("broken.veg", "*INCLUDE brokenpart.veg\n");
  tac_test_write("brokenpart.veg", "*VERTICES\n1 3 0 0\n1 0 0\n");
  tac_test_ok(tac_mesh_read(tac_test_path("main.veg"), &contents, &error), error);
  ck_assert_int_eq(contents.volume->tet_count, 2);
  tac_mesh_contents_destroy(&contents);
  tac_test_refused(tac_mesh_read(tac_test_path("loop.veg"), &contents, &error), TAC_ERR_FORMAT, error, "loop2.veg:2: ");
  ck_assert_ptr_nonnull(strstr(error.text, "loop.veg includes itself"));
  tac_test_refused(tac_mesh_read(tac_test_path("lost.veg"), &contents, &error), TAC_ERR_FILE, error, "nowhere.veg");
  tac_test_refused(tac_mesh_read(tac_test_path("broken.veg"), &contents, &error), TAC_ERR_FORMAT, error,
                   "brokenpart.veg:3: ");
}

TAC_TEST(vertices_and_elements_may_be_files_of_tetgen) {
  tacMeshContents contents;
  tac_test_write("main.veg",
                 "*VERTICES\n*INCLUDE part.node\n*ELEMENTS\nTET\n*INCLUDE part.ele\n*MATERIAL soft\nENU, 1000, 1e5, "
                 "0.45\n*REGION\nallElements, soft\n");
  tac_test_write("part.node", "# TetGen\n4 3 1 1\n0 0 0 0 0.5 1\n1 1 0 0 0.5 0\n2 0 1 0 0.5 0\n3 0 0 1 1 -1\n");
  tac_test_write("part.ele", "1 4 1\n0 0 1 2 3 7\n# end\n");
  tac_test_write("extra.veg", "*VERTICES\n1 3 0 0\n1 0 0 0 5\n");
  tac_test_ok(tac_mesh_read(tac_test_path("main.veg"), &contents, &error), error);
  ck_assert_int_eq(contents.volume->vertex_count, 4);
  ck_assert_int_eq(contents.volume->tet_count, 1);
  ck_assert_int_eq(contents.volume->tets[0].v[3], 3);
  ck_assert_int_eq(contents.volume->region_count, 1);
  tac_mesh_contents_destroy(&contents);
  tac_test_refused(tac_mesh_read(tac_test_path("extra.veg"), &contents, &error), TAC_ERR_FORMAT, error,
                   "extra.veg:3: expected the end of the line");
}

/* A file is included as if its lines stood there: in sections, between their lines, over their ends. */
TAC_TEST(any_line_may_be_an_include) {
  static const struct {
    const char *name, *text;
  } files[] = {
      {"main.veg", "*VERTICES\n5 3 0 0\n*INCLUDE parts/some\n4 0 0 1\n5 1 1 1\n"
                   "*ELEMENTS\nTETS\n*INCLUDE parts/elements\n"
                   "*SET shell\n*INCLUDE parts/first.set\n*SET body and shell\n1\n*INCLUDE ./parts/second.set\n"
                   "*REGION\nshell, hard\n*REGION\nbody and shell, soft\n"},
      {"parts/some", "1 0 0 0\n*INCLUDE more\n"},
      {"parts/more", "\xef\xbb\xbf# two of them\r\n2 1 0 0\r\n3 0 1 0\r\n"},
      {"parts/elements", "2 4 0\n1 1 2 3 4\n2 2 3 4 5\n*MATERIAL hard\nENU, 1000, 1e6, 0.3\n"},
      {"parts/first.set", "# element\n2,\n"},
      {"parts/second.set", "2\n*MATERIAL soft\nENU, 1000, 1e4, 0.45"},
      {"ring.veg", VERTICES ELEMENTS "*SET a\n1\n*INCLUDE parts/ring.set\n"},
      {"parts/ring.set", "2\n*INCLUDE ../parts/./ring.set\n"},
      {"short.veg", "*VERTICES\n5 3 0 0\n*INCLUDE parts/some\n*ELEMENTS\n"},
  };
  tacMeshContents contents;
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) tac_test_write(files[i].name, files[i].text);
  tac_test_ok(tac_mesh_read(tac_test_path("main.veg"), &contents, &error), error);
  const tacVolMesh *mesh = contents.volume;
  ck_assert_int_eq(mesh->vertex_count, 5);
  ck_assert_double_eq(mesh->vertices[2].y, 1.0);
  ck_assert_int_eq(mesh->tet_count, 2);
  ck_assert_int_eq(mesh->region_count, 2);
  for (int r = 0; r < 2; ++r) {
    const tacIndexSet *set = &mesh->groups[mesh->regions[r].group];
    ck_assert_str_eq(set->name, r == 0 ? "shell" : "body and shell");
    ck_assert_int_eq(set->count, 1 + r);
    ck_assert_int_eq(set->indices[r], 1);
    ck_assert_str_eq(mesh->materials[mesh->regions[r].material].name, r == 0 ? "hard" : "soft");
  }
  tac_mesh_contents_destroy(&contents);
  /* a ring under whatever names */
  tac_test_refused(tac_mesh_read(tac_test_path("ring.veg"), &contents, &error), TAC_ERR_FORMAT, error,
                   "parts/ring.set:2: ");
  ck_assert_ptr_nonnull(strstr(error.text, "parts/../parts/./ring.set includes itself"));
  tac_test_refused(tac_mesh_read(tac_test_path("short.veg"), &contents, &error), TAC_ERR_FORMAT, error,
                   "short.veg:4: expected 5 lines of vertices, found 3 before \"*ELEMENTS\"");
}

TAC_TEST(refuses_broken_files_with_the_line) {
  static const tacRefusedText refused[] = {
      {"*VERTICES\n3 3 0 0\n1 0 0 0\n2 0 0 0\n*ELEMENTS\n",
       "sample:5: expected 3 lines of vertices, found 2 before \"*ELEMENTS\""},
      {"*VERTICES\n2 3 0 0\n1 0 0 0\n3 0 0 0\n", "sample:4: expected number 2 of vertices, found 3"},
      {"*VERTICES\n1 3 0 0\n2 0 0 0\n", "expected 0 or 1 as the first number"},
      {"*VERTICES\n1 2 0 0\n1 0 0\n", "expected 3 columns of vertices, found 2"},
      {"*VERTICES\n700000000 3 0 0\n1 0 0 0\n",
       "sample:4: expected 700000000 lines of vertices, found 1 before the end of the file"},
      {"*VERTICES\n1 3 0 0\n1 0 0 -inf\n", "sample:3: expected a z coordinate"},
      {VERTICES "*ELEMENTS\nTET\n1 4 0\n1 1 2 3 6\n",
       "sample:11: expected a vertex of the element from 1 to 5, found 6"},
      {VERTICES "*ELEMENTS\nHEX\n1 4 0\n", "expected TET, TETS or CUBIC, found \"HEX\""},
      {VERTICES ELEMENTS "*SET s\n1, 3\n", "sample:14: expected an element of the set from 1 to 2, found 3"},
      {VERTICES ELEMENTS "*REGION\nallElements, x\n", "no material \"x\""},
      {VERTICES ELEMENTS "*MATERIAL x\nENU, 1, 2, 3\n*REGION\ny, x\n", "no set \"y\""},
      {VERTICES ELEMENTS "*MATERIAL x\nENU, 1, 2\n", "sample:14: expected 3 parameters of \"ENU\", found 2"},
      {VERTICES ELEMENTS "*MESH\n", "sample:13: expected *VERTICES"},
      {VERTICES, "no triangles, tetrahedra or bricks"},
  };
  tac_sample_refuse_texts(tac_veg_read, sizeof refused / sizeof *refused, refused);
  tac_sample_damage(tac_veg_read, whole, sizeof whole - 1);
}

TAC_TEST(refuses_to_write_two_kinds_of_elements) {
  TAC_MESH_CONTENTS made = {NULL, tac_sample_volume(1, 2, 2, 0, 0)};
  tac_test_refused(tac_mesh_write("never.veg", TAC_MESH_FORMAT_BY_NAME, &made, &error), TAC_ERR_UNSUPPORTED, error,
                   "tetrahedra or bricks, but not both");
  ck_assert_int_ne(access("never.veg", F_OK), 0);
}
