/* TetGen's pair of files: NAME.node with the vertices and NAME.ele with the tetrahedra.
 *
 * Read: both, numbered from 0 or 1; '#' begins a comment. Boundary markers of vertices other than 0 become vertex sets
 * "region 7", and the first attribute of tetrahedra, where it is a whole number other than 0, groups of such names.
 * Written: from 0; a vertex has the marker of its first vertex set, a tetrahedron the attribute of its first group: names
 * other than "region 7" are lost. */
#include "mesh/formats/mesh_format.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <strings.h>
#include "base/files/input_file.h"
#include "base/files/new_file.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "mesh/contents/group_tags.h"
#include "mesh/text/number_text.h"

static void begin(tacScanner *scanner) {
  scanner->comment = '#';
  scanner->by_line = true;
  tac_scanner_at_end(scanner);
}

static tacStatus read_number(tacScanner *s, const char *thing, int64_t index, int64_t count, int64_t first) {
  int64_t number;
  if (tac_scanner_at_end(s))
    return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected %" PRId64 " %s, found %" PRId64 " before the end of the file",
                            count, thing, index);
  TAC_TRY(tac_scanner_integer(s, "a number at the start of the line", 0, INT64_MAX, &number));
  if (number == first + index) return TAC_OK;
  return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected number %" PRId64 " of %s, found %" PRId64, first + index, thing,
                          number);
}

/* Whatever a line has beyond what is needed must be attributes and markers that the header states. */
static tacStatus pass_attributes(tacScanner *s, int64_t count) {
  double attribute;
  for (int64_t a = 0; a < count; ++a) TAC_TRY(tac_scanner_double(s, "an attribute", &attribute));
  return TAC_OK;
}

static tacStatus check_end(tacScanner *s, const char *things) {
  if (tac_scanner_at_end(s)) return TAC_OK;
  return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected the end of the file after the last of the %s", things);
}

static tacStatus read_nodes(tacScanner *s, tacMeshBuilder *builder, int64_t *first) {
  int64_t count, dimension, attributes = 0, markers = 0, marker;
  TAC_TRY(tac_scanner_integer(s, "the number of vertices", 0, INT64_MAX, &count));
  TAC_TRY(tac_scanner_integer(s, "the dimension, 3", 3, 3, &dimension));
  if (tac_scanner_peek(s).length > 0)
    TAC_TRY(tac_scanner_integer(s, "the number of attributes", 0, INT_MAX, &attributes));
  if (tac_scanner_peek(s).length > 0) TAC_TRY(tac_scanner_integer(s, "0 or 1 (markers)", 0, 1, &markers));
  TAC_TRY(tac_scanner_end_line(s, "the header"));
  TAC_TRY(tac_scanner_check_count(s, count, 8, "vertices"));
  tacScanner ahead = *s;
  *first = tac_word_is(tac_scanner_word(&ahead), "1") ? 1 : 0;
  for (int64_t v = 0; v < count; ++v) {
    tacVec3 point;
    TAC_TRY(read_number(s, "vertices", v, count, *first));
    TAC_TRY(tac_scanner_point(s, TAC_NUMBER_F64, &point));
    TAC_TRY(tac_mesh_builder_add_vertex(builder, point));
    TAC_TRY(pass_attributes(s, attributes));
    if (markers == 1) {
      int group;
      TAC_TRY(tac_scanner_integer(s, "a boundary marker", INT_MIN, INT_MAX, &marker));
      if (marker != 0) {
        TAC_TRY(tac_mesh_builder_region_group(builder, TAC_GROUP_OF_VERTICES, marker, &group));
        TAC_TRY(tac_mesh_builder_assign(builder, group, (int)v));
      }
    }
    TAC_TRY(tac_scanner_end_line(s, "the vertex"));
  }
  return check_end(s, "vertices");
}

static tacStatus read_elements(tacScanner *s, tacMeshBuilder *builder, int64_t first_vertex) {
  int64_t count, corner_count, attributes = 0, corner, vertex_count = (int64_t)builder->vertex_count;
  TAC_TRY(tac_scanner_integer(s, "the number of tetrahedra", 0, INT64_MAX, &count));
  TAC_TRY(tac_scanner_integer(s, "the number of nodes of a tetrahedron, 4", 0, INT_MAX, &corner_count));
  if (corner_count != 4 && corner_count != 10)
    return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected 4 nodes of a tetrahedron, found %" PRId64, corner_count);
  if (tac_scanner_peek(s).length > 0)
    TAC_TRY(tac_scanner_integer(s, "the number of attributes", 0, INT_MAX, &attributes));
  TAC_TRY(tac_scanner_end_line(s, "the header"));
  TAC_TRY(tac_scanner_check_count(s, count, 10, "tetrahedra"));
  tacScanner ahead = *s;
  int64_t first = tac_word_is(tac_scanner_word(&ahead), "1") ? 1 : 0;
  for (int64_t e = 0; e < count; ++e) {
    int v[10];
    double attribute = 0.0;
    TAC_TRY(read_number(s, "tetrahedra", e, count, first));
    for (int64_t c = 0; c < corner_count; ++c) {
      TAC_TRY(
          tac_scanner_integer(s, "a node of the tetrahedron", first_vertex, first_vertex + vertex_count - 1, &corner));
      v[c] = (int)(corner - first_vertex);
    }
    if (attributes > 0) TAC_TRY(tac_scanner_double(s, "an attribute", &attribute));
    if (attributes > 1) TAC_TRY(pass_attributes(s, attributes - 1));
    TAC_TRY(tac_scanner_end_line(s, "the tetrahedron"));
    if (corner_count == 10) {
      tac_mesh_builder_skip(builder, TAC_LOG_WARNING, 1, "second-order tetrahedra");
      continue;
    }
    if (attribute != 0.0 && attribute == floor(attribute) && fabs(attribute) <= INT_MAX) {
      int group;
      TAC_TRY(tac_mesh_builder_region_group(builder, TAC_GROUP_OF_ELEMENTS, (int64_t)attribute, &group));
      TAC_TRY(tac_mesh_builder_assign(builder, group, (int)builder->tet_count));
    }
    TAC_TRY(tac_mesh_builder_add_tet(builder, v));
  }
  return check_end(s, "tetrahedra");
}

tacStatus tac_tetgen_read_pair(tacScanner *nodes, tacScanner *elements, tacMeshBuilder *builder) {
  int64_t first;
  begin(nodes);
  begin(elements);
  TAC_TRY(read_nodes(nodes, builder, &first));
  return read_elements(elements, builder, first);
}

static bool ends_in(const char *path, const char *ending) {
  size_t length = strlen(path), tail = strlen(ending);
  return length >= tail && strcasecmp(path + length - tail, ending) == 0;
}

/* `path` with its ending .node or .ele, if it has one, replaced by `ending`; malloc'ed, NULL with the error set. */
static char *path_of(const char *path, const char *ending, tacError *error) {
  size_t stem = strlen(path);
  if (ends_in(path, ".node"))
    stem -= 5;
  else if (ends_in(path, ".ele"))
    stem -= 4;
  char *made = tac_array_create(stem + strlen(ending) + 1, 1, "a path", error);
  if (made == NULL) return NULL;
  memcpy(made, path, stem);
  memcpy(made + stem, ending, strlen(ending));
  return made;
}

tacStatus tac_tetgen_read(tacScanner *scanner, tacMeshBuilder *builder) {
  bool is_ele = ends_in(scanner->name, ".ele");
  TAC_MEMORY(char, path) = path_of(scanner->name, is_ele ? ".node" : ".ele", scanner->error);
  if (path == NULL) return TAC_ERR_MEMORY;
  TAC_FREED(tac_input_file_free, tacInputFile, input) = {NULL, 0};
  TAC_TRY(tac_input_file_read(path, TAC_INPUT_MESH, &input, scanner->error));
  builder->assignments_left += TAC_MESH_BUILDER_ASSIGNMENTS * input.size;
  tacScanner other = tac_scanner_begin(path, input.bytes, input.size, scanner->error);
  return is_ele ? tac_tetgen_read_pair(&other, scanner, builder) : tac_tetgen_read_pair(scanner, &other, builder);
}

static tacStatus write_nodes(FILE *stream, const tacVolMesh *volume, tacError *error) {
  TAC_MEMORY(int, markers) = NULL;
  int has_markers = volume->vertex_set_count > 0;
  TAC_TRY(tac_group_first_tags(volume->vertex_set_count, volume->vertex_sets, volume->vertex_count, &markers, error));
  fprintf(stream, "%d 3 0 %d\n", volume->vertex_count, has_markers);
  for (int v = 0; v < volume->vertex_count; ++v) {
    fprintf(stream, "%d ", v);
    tac_number_text_write_point(stream, volume->vertices[v]);
    if (has_markers) fprintf(stream, " %d", markers[v]);
    fputc('\n', stream);
  }
  return TAC_OK;
}

static tacStatus write_elements(FILE *stream, const tacVolMesh *volume, tacError *error) {
  TAC_MEMORY(int, regions) = NULL;
  int has_regions = volume->group_count > 0;
  if (volume->brick_count > 0)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED,
                         "TetGen files support only tetrahedra; write the bricks as .msh, .vtk, .vtu or .veg");
  TAC_TRY(tac_group_first_tags(volume->group_count, volume->groups, volume->tet_count, &regions, error));
  fprintf(stream, "%d 4 %d\n", volume->tet_count, has_regions);
  for (int t = 0; t < volume->tet_count; ++t) {
    const int *v = volume->tets[t].v;
    fprintf(stream, "%d %d %d %d %d", t, v[0], v[1], v[2], v[3]);
    if (has_regions) fprintf(stream, " %d", regions[t]);
    fputc('\n', stream);
  }
  return TAC_OK;
}

tacStatus tac_tetgen_write(const char *path, const tacVolMesh *volume, tacError *error) {
  TAC_FREED(tac_new_file_discard, tacNewFile, nodes) = {NULL, NULL, NULL};
  TAC_FREED(tac_new_file_discard, tacNewFile, elements) = {NULL, NULL, NULL};
  TAC_MEMORY(char, node_path) = path_of(path, ".node", error);
  TAC_MEMORY(char, ele_path) = node_path != NULL ? path_of(path, ".ele", error) : NULL;
  if (ele_path == NULL) return TAC_ERR_MEMORY;
  TAC_TRY(tac_new_file_open(node_path, &nodes, error));
  TAC_TRY(tac_new_file_open(ele_path, &elements, error));
  TAC_TRY(write_nodes(nodes.stream, volume, error));
  TAC_TRY(write_elements(elements.stream, volume, error));
  TAC_TRY(tac_new_file_commit(&nodes, error));
  return tac_new_file_commit(&elements, error);
}
