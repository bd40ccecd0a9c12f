#include "mesh/formats/mesh_format.h"

#include <time.h>
#include "mesh/mesh_samples.h"
#include "mesh/text/byte_order.h"

#define HEAD "# vtk DataFile Version 2.0\nA title\nASCII\nDATASET UNSTRUCTURED_GRID\n"
#define POINTS8 "POINTS 8 float\n0 0 0 1 0 0 0 1 0 1 1 0\n0 0 1 1 0 1 0 1 1 1 1 1\n"

static const char grid[] = HEAD POINTS8
    "CELLS 7 35\n3 0 1 2\n4 0 1 3 2\n4 0 1 2 3\n4 0 1 2 4\n8 0 1 2 3 4 5 6 7\n2 0 1\n3 5 6 7\nCELL_TYPES 7\n5 9 8 10 "
    "11 3 6\n"
    "POINT_DATA 8\nSCALARS temperature float\nLOOKUP_TABLE default\n0 0 0 0 0 0 0 nan\nVECTORS u double\n"
    "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\nFIELD FieldData 1\nset_held 1 8 int\n0 0 0 0 1 0 0 1\n"
    "METADATA\nINFORMATION 0\n\nCELL_DATA 7\nSCALARS group_soft%20part int 1\nLOOKUP_TABLE default\n0 1 0 1 1 0 0\n";
static const char polydata51[] =
    "# vtk DataFile Version 5.1\nvtk output\nASCII\nDATASET POLYDATA\nPOINTS 5 double\n0 0 0 1 0 0 1 1 0 0 1 0 2 2 2\n"
    "METADATA\nINFORMATION 1\nNAME L2 LOCATION x\nDATA 1\n\nPOLYGONS 3 8\nOFFSETS vtktypeint64\n0 5 8\n"
    "CONNECTIVITY vtktypeint64\n0 1 2 3 4 0 1 2\nTRIANGLE_STRIPS 2 4\nOFFSETS vtktypeint64\n0 4\nCONNECTIVITY "
    "vtktypeint64\n"
    "0 1 3 2\n";

TAC_TEST(reads_every_kind_of_cell_and_groups) {
  TAC_MESH_CONTENTS contents = tac_sample_accept_text(tac_vtk_read, grid);
  ck_assert_int_eq(contents.surface->triangle_count, 1 + 2 + 2 + 1);
  /* Quad and pixel are the same square, so that both fans are the same triangles. */
  ck_assert_mem_eq(contents.surface->triangles[1].v, contents.surface->triangles[3].v, 2 * sizeof(tacTriangle));
  ck_assert_int_eq(contents.volume->tet_count, 1);
  ck_assert_int_eq(contents.volume->brick_count, 1);
  const int brick[] = {0, 1, 3, 2, 4, 5, 7, 6};
  ck_assert_mem_eq(contents.volume->bricks[0].v, brick, sizeof brick);
  ck_assert_str_eq(contents.volume->groups[0].name, "soft part");
  ck_assert_int_eq(contents.volume->groups[0].count, 2);
  ck_assert_int_eq(contents.surface->groups[0].count, 2);
  ck_assert_str_eq(contents.volume->vertex_sets[0].name, "held");
  ck_assert_int_eq(contents.volume->vertex_sets[0].indices[1], 7);
}

TAC_TEST(reads_version_5_polygons_and_strips) {
  TAC_MESH_CONTENTS contents = tac_sample_accept_text(tac_vtk_read, polydata51);
  ck_assert_int_eq(contents.surface->triangle_count, 3 + 1 + 2);
  const int strip[2][3] = {{0, 1, 3}, {3, 1, 2}}; /* all of a strip face one way */
  for (int t = 0; t < 2; ++t) ck_assert_mem_eq(contents.surface->triangles[4 + t].v, strip[t], sizeof strip[t]);
}

/* A group after each kind of data that has no meaning for a mesh. */
TAC_TEST(reads_past_attributes_of_every_kind) {
  static const char *const attributes[] = {"VECTORS v int\n1 2 3\n",
                                           "NORMALS n float\n0 0 1\n",
                                           "TENSORS t int\n1 2 3 4 5 6 7 8 9\n",
                                           "TENSORS6 t int\n1 2 3 4 5 6\n",
                                           "GLOBAL_IDS g int\n7\n",
                                           "PEDIGREE_IDS p int\n7\n",
                                           "EDGE_FLAGS e int\n7\n",
                                           "SCALARS s int 4\nLOOKUP_TABLE default\n1 2 3 4\n"};
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; ++i) {
    char text[1000];
    snprintf(text, sizeof text,
             HEAD POINTS8 "CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n5\nCELL_DATA 1\n%sSCALARS group_a int\n"
                          "LOOKUP_TABLE default\n1\n",
             attributes[i]);
    TAC_MESH_CONTENTS contents = tac_sample_accept_text(tac_vtk_read, text);
    ck_assert_msg(contents.surface->group_count == 1 && contents.surface->groups[0].count == 1, "%s", attributes[i]);
  }
}

TAC_TEST(refuses_broken_files_with_the_line) {
  static const tacRefusedText refused[] = {
      {HEAD POINTS8 "CELLS 1 5\n4 0 1 2 8\nCELL_TYPES 1\n10\n", "cell 0 has point 8, which is not among the 8 points"},
      {HEAD POINTS8 "CELLS 1 5\n4 0 1 2 -1\nCELL_TYPES 1\n10\n", "sample:9: expected"},
      {HEAD POINTS8 "CELLS 1 4\n4 0 1 2\nCELL_TYPES 1\n10\n", "expected 1 cells in 4 numbers"},
      {HEAD POINTS8 "CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n10\n", "cell 0 (tetra) has 3 points"},
      {HEAD POINTS8 "CELLS 1 6\n4 0 1 2 3 4\nCELL_TYPES 1\n10\n", "1 cells have 5 numbers, but 6"},
      {HEAD POINTS8 "CELLS 1 5\n4 0 1 2 3\n", "the file has CELLS, but no CELL_TYPES"},
      {HEAD "POINTS 2 float\n0 0 0 inf 0 0\n", "sample:6: expected an x coordinate"},
      {HEAD "POINTS 200000000 float\n0 0 0 1 0 0\n", "200000000 points need more than"},
      {HEAD "POINTS 2 real\n0 0 0 1 0 0\n", "sample:5: expected a type"},
      {HEAD "PIONTS 2 float\n", "sample:5: expected a keyword"},
      {"# vtk DataFile Version 2.0\nA title\nASCII\nDATASET STRUCTURED_POINTS\n", "use UNSTRUCTURED_GRID or POLYDATA"},
      {HEAD POINTS8 "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\nCELL_DATA 2\n", "expected data of 1 cells"},
  };
  tac_sample_refuse_texts(tac_vtk_read, sizeof refused / sizeof *refused, refused);
}

TAC_TEST(survives_damage) {
  tac_sample_damage(tac_vtk_read, grid, sizeof grid - 1);
  tac_sample_damage(tac_vtk_read, polydata51, sizeof polydata51 - 1);
  TAC_MESH_CONTENTS made = {tac_sample_surface(1, 2, 1), tac_sample_volume(1, 1, 1, 2, 1)};
  TAC_MEMORY(char, bytes) = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&bytes, &size);
  tac_test_ok(tac_vtk_write(stream, true, &made, &error), error);
  fclose(stream);
  tac_sample_damage(tac_vtk_read, bytes, size);
}

/* Processor time to read a surface with 30,000 empty sections after the line `before`. */
static double time_of_sections(const char *before) {
  const int sections = 30000;
  char *text = tac_test_alloc(1000 + 10 * (size_t)sections), *at = text;
  at += sprintf(at,
                "# vtk DataFile Version 3.0\nx\nASCII\nDATASET POLYDATA\nPOINTS 3 float\n0 0 0 1 0 0 0 1 0\n"
                "POLYGONS 1 4\n3 0 1 2\n%s\n",
                before);
  for (int i = 0; i < sections; ++i) at += sprintf(at, "METADATA\n\n");
  clock_t start = clock();
  TAC_MESH_CONTENTS contents = tac_sample_accept(tac_vtk_read, text, (size_t)(at - text));
  double taken = (double)(clock() - start);
  ck_assert_int_eq(contents.surface->triangle_count, 1);
  return taken;
}

TAC_TEST(section_names_inside_data_do_not_slow_reading) {
  double others = time_of_sections("");
  ck_assert_double_lt(time_of_sections("POINT_DATA 3"), 30.0 * others + 0.05 * CLOCKS_PER_SEC);
}
