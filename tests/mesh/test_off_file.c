#include "mesh/formats/mesh_format.h"

#include "mesh/mesh_samples.h"

static const char coloured[] = "# before\nCOFF # colours\n4 3 0\n0 0 0 255 0 0 255\n1 0 0\n\n1 1 0\n0 1 0\n4 0 1 2 3 "
                               "0.5 0.5 0.5\n3 0 1 2\n2 0 1\n";

TAC_TEST(reads_colours_comments_and_polygons) {
  TAC_MESH_CONTENTS contents = tac_sample_accept_text(tac_off_read, coloured);
  ck_assert_int_eq(contents.surface->vertex_count, 4);
  ck_assert_int_eq(contents.surface->triangle_count, 3);
  TAC_MESH_CONTENTS without_edges = tac_sample_accept_text(tac_off_read, "OFF 3 1\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2");
  ck_assert_int_eq(without_edges.surface->triangle_count, 1);
  TAC_MESH_CONTENTS textured = tac_sample_accept_text(
      tac_off_read, "STOFF\n3 2 0\n0 0 0 0 0\n1 0 0 1 0\n0 1 0 0 1\n3 0 1 2\n\n# the other side\n3 0 2 1\n");
  ck_assert_int_eq(textured.surface->triangle_count, 2);
}

/* 6 bytes each, with the space or line before the next number. */
TAC_TEST(reads_the_shortest_vertices) {
  TAC_MESH_CONTENTS contents =
      tac_sample_accept_text(tac_off_read, "OFF 10 1\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n2 0 0\n0 2 0\n0 0 2\n3 0 0\n0 3 0\n"
                                           "0 0 3\n3 0 1 2");
  ck_assert_int_eq(contents.surface->vertex_count, 10);
}

TAC_TEST(refuses_broken_files_with_the_line) {
  static const tacRefusedText refused[] = {
      {"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", "sample:6: expected a vertex of the face from 0 to 2, found 3"},
      {"OFF\n3 1 0\n0 0 0\n1 0\n0 1 0\n3 0 1 2\n",
       "sample:4: expected a z coordinate (a finite number), found the end of the line"},
      {"OFF\n3 1 0\n0 0 0\n1 0 0 1 1 1 1\n",
       "sample:5: expected an x coordinate (a finite number), found the end of the file"},
      {"OFF\n2000000000 1 0\n0 0 0\n", "2000000000 vertices need more than"},
      {"OFF\n99999999999 1 0\n0 0 0\n", "at most 2147483647"},
      {"OFF\n-1 1 0\n0 0 0\n", "the number of vertices from 0"},
      {"OFF\n1 1 0\n0 0 0x1\n", "\"0x1\""},
      {"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 0 1 2\n", "sample:7: expected the end of the file after 1 faces"},
      {"OFF BINARY\n", "binary OFF"},
      {"4OFF\n", "three-dimensional"},
  };
  tac_sample_refuse_texts(tac_off_read, sizeof refused / sizeof *refused, refused);
  tac_sample_damage(tac_off_read, coloured, sizeof coloured - 1);
}
