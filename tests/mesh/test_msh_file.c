#include "mesh/formats/mesh_format.h"

#include <tactus/base.h>
#include <time.h>
#include "mesh/contents/mesh_builder.h"
#include "mesh/mesh_samples.h"
#include "mesh/text/byte_order.h"

static const char version1[] =
    "$NOD\n5\n10 0 0 0\n20 1 0 0\n30 0 1 0\n40 0 0 1\n7 5 5 5\n$ENDNOD\n$ELM\n3\n1 4 3 1 4 10 20 30 40\n"
    "2 2 0 1 3 10 30 20\n3 15 9 1 1 40\n$ENDELM\n";
static const char version2[] =
    "$MeshFormat\r\n2.2 0 8\r\n$EndMeshFormat\r\n$Comments\r\nanything $ "
    "here\r\n$EndComments\r\n$PhysicalNames\r\n3\r\n"
    "2 1 \"skin of it\"\r\n3 2 \"liver\"\r\n0 5 \"held\"\r\n$EndPhysicalNames\r\n$Nodes\r\n5\r\n1 0 0 0\r\n2 1 0 "
    "0\r\n3 1 1 0\r\n"
    "4 0 1 0\r\n9 0 0 1\r\n$EndNodes\r\n$Elements\r\n6\r\n1 15 2 5 1 9\r\n2 1 2 0 1 1 2\r\n3 3 3 1 1 0 1 2 3 4\r\n"
    "4 4 2 2 1 1 2 3 9\r\n5 4 0 1 3 4 9\r\n6 11 2 2 1 1 2 3 9 1 2 3 4 9 "
    "1\r\n$EndElements\r\n$NodeData\r\n1\r\n$EndNodeData\r\n";
static const char version4[] =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 7 \"both\"\n$EndPhysicalNames\n$Entities\n1 0 1 1\n"
    "3 0 0 0 1 4\n2 0 0 0 1 1 1 0 0\n1 0 0 0 1 1 1 2 7 -8 1 2\n$EndEntities\n$Nodes\n2 5 1 9\n3 1 0 4\n1\n2\n3\n4\n"
    "0 0 0\n1 0 0\n0 1 0\n0 0 1\n2 2 1 1\n9\n2 2 2 0.5 0.5\n$EndNodes\n$Elements\n3 3 1 3\n0 3 15 1\n1 9\n2 2 2 1\n2 1 "
    "2 9\n"
    "3 1 4 1\n3 1 2 3 4\n$EndElements\n";

static const tacMeshFormat all_formats[] = {TAC_MESH_FORMAT_MSH22_ASCII, TAC_MESH_FORMAT_MSH22_BINARY,
                                            TAC_MESH_FORMAT_MSH41_ASCII, TAC_MESH_FORMAT_MSH41_BINARY,
                                            TAC_MESH_FORMAT_MSH1};

TAC_TEST(disjoint_groups_survive_in_every_version) {
  for (int f = 0; f < 5; ++f) {
    TAC_MESH_CONTENTS made = {NULL, tac_sample_volume(9, 4, 3, 0, 0)};
    tac_test_ok(tac_volmesh_add_group(made.volume, "region 2", 3, (const int[]){0, 2, 5}, &error), error);
    tac_test_ok(tac_volmesh_add_group(made.volume, "region 1", 2, (const int[]){1, 6}, &error), error);
    TAC_MESH_CONTENTS back = tac_sample_round_trip(&made, all_formats[f], ".msh");
    tac_sample_same_volume(made.volume, back.volume, true, true);
  }
}

TAC_TEST(reads_version_1_with_sparse_numbers) {
  TAC_MESH_CONTENTS contents = tac_sample_accept_text(tac_msh_read, version1);
  tac_sample_counts(&contents, (const int[7]){3, 1, 5, 1, 0, 1, 1});
  ck_assert_int_eq(contents.volume->tets[0].v[3], 3);
  ck_assert_str_eq(contents.volume->groups[0].name, "region 3");
  ck_assert_str_eq(contents.volume->vertex_sets[0].name, "region 9");
  ck_assert_int_eq(contents.surface->triangles[0].v[1], 2);
}

static void remember(tacLogLevel level, const char *text, void *user) {
  char *all = user;
  snprintf(all + strlen(all), 1000 - strlen(all), "%s%s\n", level == TAC_LOG_WARNING ? "warning: " : "info: ", text);
}

TAC_TEST(reads_version_2_and_reports_skipped_elements) {
  char log[1000] = "";
  tac_log_set(remember, log);
  TAC_MESH_CONTENTS contents = tac_sample_accept_text(tac_msh_read, version2);
  tac_log_set(NULL, NULL);
  tac_sample_counts(&contents, (const int[7]){4, 2, 5, 2, 0, 1, 1});
  ck_assert_str_eq(contents.surface->groups[0].name, "skin of it");
  ck_assert_int_eq(contents.surface->groups[0].count, 2);
  ck_assert_str_eq(contents.volume->groups[0].name, "liver");
  ck_assert_int_eq(contents.volume->groups[0].count, 1);
  ck_assert_str_eq(contents.volume->vertex_sets[0].name, "held");
  ck_assert_int_eq(contents.volume->vertices[contents.volume->vertex_sets[0].indices[0]].z == 1.0, 1);
  ck_assert_ptr_nonnull(strstr(log, "info: sample: skipped 1 elements of type 1 (line)"));
  ck_assert_ptr_nonnull(strstr(log, "warning: sample: skipped 1 elements of type 11 (second-order tetrahedron)"));
}

TAC_TEST(reads_version_4_with_several_groups_of_an_entity) {
  TAC_MESH_CONTENTS contents = tac_sample_accept_text(tac_msh_read, version4);
  tac_sample_counts(&contents, (const int[7]){3, 1, 4, 1, 0, 2, 1}); /* node 9 is the triangle's alone */
  ck_assert_str_eq(contents.volume->groups[0].name, "both");
  ck_assert_str_eq(contents.volume->groups[1].name, "region 8");
  ck_assert_double_eq(contents.surface->vertices[2].x, 2.0);
}

TAC_TEST(reads_binary_of_the_other_byte_order) {
  unsigned char bytes[512];
  unsigned char *at = bytes + sprintf((char *)bytes, "$MeshFormat\n2.2 1 8\n");
  tac_bytes_store(at, 4, true, 1);
  at += 4;
  at += sprintf((char *)at, "\n$EndMeshFormat\n$Nodes\n4\n");
  for (int v = 0; v < 4; ++v) {
    tac_bytes_store(at, 4, true, (uint64_t)v + 1);
    for (int c = 0; c < 3; ++c) tac_bytes_store_double(at + 4 + 8 * c, true, v == c + 1 ? 1.0 : 0.0);
    at += 28;
  }
  at += sprintf((char *)at, "$EndNodes\n$Elements\n1\n");
  const int numbers[] = {4, 1, 2, 1, 6, 6, 1, 2, 3, 4};
  for (int i = 0; i < 10; ++i, at += 4) tac_bytes_store(at, 4, true, (uint64_t)numbers[i]);
  at += sprintf((char *)at, "\n$EndElements\n");
  tacMeshContents contents = tac_sample_accept(tac_msh_read, bytes, (size_t)(at - bytes));
  ck_assert_double_eq(contents.volume->vertices[3].z, 1.0);
  ck_assert_str_eq(contents.volume->groups[0].name, "region 6");
  tac_mesh_contents_destroy(&contents);
  tac_sample_damage(tac_msh_read, bytes, (size_t)(at - bytes));
  tac_sample_refuse(tac_msh_read, bytes, 100, "byte 49: 4 nodes need more than");
}

#define HEAD2 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define NODES2 HEAD2 "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"

TAC_TEST(refuses_broken_files_with_the_line) {
  static const tacRefusedText refused[] = {
      {HEAD2 "$Nodes\n3\n1 0 0 0\n2 1 0 0\n$EndNodes\n", "sample:8: expected 3 nodes, found 2 before \"$EndNodes\""},
      {HEAD2 "$Nodes\n1\n1 0 0 0\n2 1 0 0\n$EndNodes\n", "sample:7: expected $EndNodes"},
      {HEAD2 "$Nodes\n2\n1 0 0 0\n1 1 0 0\n$EndNodes\n", "two nodes have the number 1"},
      {HEAD2 "$Nodes\n1\n1 0 nan 0\n$EndNodes\n", "sample:6: expected a y coordinate"},
      {HEAD2 "$Nodes\n1\n1 0 0 0 0\n$EndNodes\n", "sample:6: expected the end of the line"},
      {HEAD2 "$Nodes\n1000000000\n1 0 0 0\n$EndNodes\n", "1000000000 nodes need more than"},
      {NODES2 "$Elements\n1\n1 4 2 0 1 1 2 3 5\n$EndElements\n",
       "sample:13: element 1 has node 5, which is not among the nodes"},
      {NODES2 "$Elements\n1\n1 4 2 0 1 1 2 3\n$EndElements\n",
       "sample:13: expected a node of the element, found the end of the line"},
      {NODES2 "$Elements\n800000000000\n", "at most 2147483647"},
      {HEAD2 "$Elements\n0\n$EndElements\n", "expected $Nodes before $Elements"},
      {"$Nodes\n0\n$EndNodes\n", "expected $MeshFormat before"},
      {"$MeshFormat\n4.0 0 8\n$EndMeshFormat\n", "MSH version 4 is not supported"},
      {"$MeshFormat\n3 0 8\n", "MSH version 3 is not supported"},
      {HEAD2 "$Lost\n", "$EndLost is missing"},
      {HEAD2 "text\n", "sample:4: expected a section such as $Nodes, found \"text\""},
      {NODES2, "no triangles, tetrahedra or bricks"},
  };
  tac_sample_refuse_texts(tac_msh_read, sizeof refused / sizeof *refused, refused);
  tac_sample_damage(tac_msh_read, version1, sizeof version1 - 1);
  tac_sample_damage(tac_msh_read, version2, sizeof version2 - 1);
  tac_sample_damage(tac_msh_read, version4, sizeof version4 - 1);
}

TAC_TEST(binary_version_4_survives_damage) {
  TAC_MESH_CONTENTS made = {tac_sample_surface(1, 2, 1), tac_sample_volume(1, 1, 1, 2, 1)};
  TAC_MEMORY(char, bytes) = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&bytes, &size);
  tac_test_ok(tac_msh4_write(stream, true, &made, &error), error);
  fclose(stream);
  TAC_MESH_CONTENTS back = tac_sample_accept(tac_msh_read, bytes, size);
  tac_sample_damage(tac_msh_read, bytes, size);
}

TAC_TEST(partitioned_elements_keep_their_groups) {
  TAC_MESH_CONTENTS contents = tac_sample_accept_text(
      tac_msh_read,
      "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 2 \"body\"\n$EndPhysicalNames\n$Entities\n0 0 0 1\n"
      "1 0 0 0 1 1 1 1 2 0 \n$EndEntities\n$PartitionedEntities\n2\n1\n9 1\n1 0 0 2\n1 3 1 2 1 2 0 0 0 0 \n"
      "2 3 1 1 1 0 0 0 1 1 1 1 2 0 \n3 3 1 1 2 0 0 0 1 1 1 1 2 1 1 \n$EndPartitionedEntities\n"
      "$Nodes\n1 4 1 4\n3 2 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n"
      "$Elements\n2 2 1 2\n3 2 4 1\n1 1 2 3 4\n3 3 4 1\n2 1 2 3 4\n$EndElements\n");
  ck_assert_int_eq(contents.volume->group_count, 1);
  ck_assert_str_eq(contents.volume->groups[0].name, "body");
  ck_assert_int_eq(contents.volume->groups[0].count, 2);
}

/* Processor time to read 10,000 elements of an entity, where entity 1 has 50,000 physical groups of number 0. */
static double time_of_entity(int entity) {
  const int groups = 50000, elements = 10000;
  char *text = tac_test_alloc(2 * (size_t)groups + 10 * (size_t)elements + 1000), *at = text;
  at += sprintf(at, "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n1 0 0 0 0 0 0 %d", groups);
  for (int g = 0; g < groups; ++g) at += sprintf(at, " 0");
  at += sprintf(at,
                " 0\n$EndEntities\n$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
                "$EndNodes\n$Elements\n1 %d 1 1\n3 %d 4 %d\n",
                elements, entity, elements);
  for (int e = 0; e < elements; ++e) at += sprintf(at, "1 1 2 3 4\n");
  at += sprintf(at, "$EndElements\n");
  clock_t start = clock();
  TAC_MESH_CONTENTS contents = tac_sample_accept(tac_msh_read, text, (size_t)(at - text));
  double taken = (double)(clock() - start);
  ck_assert_int_eq(contents.volume->tet_count, elements);
  ck_assert_int_eq(contents.volume->group_count, 0);
  return taken;
}

TAC_TEST(physical_groups_of_number_zero_cost_nothing) {
  double without = time_of_entity(2);
  ck_assert_double_lt(time_of_entity(1), 30.0 * without + 0.05 * CLOCKS_PER_SEC);
}
