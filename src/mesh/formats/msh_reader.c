#include "mesh/formats/msh_reader.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/memory/array.h"

int tac_msh_node_count(int64_t type) {
  static const unsigned char counts[] = {0, 2,  3,  4,  4, 8,  6,  5,  3,  6,  9, 10, 27, 18, 14, 1,
                                         8, 20, 15, 13, 9, 10, 12, 15, 15, 21, 4, 5,  6,  20, 35, 56};
  if (type == 92) return 64;
  if (type == 93) return 125;
  return type > 0 && type < (int64_t)sizeof counts ? counts[type] : 0;
}

tacStatus tac_msh_begin_data(tacMshReader *reader) {
  tacScanner *s = &reader->scanner;
  if (!reader->binary) return tac_scanner_end_line(s, "this line");
  if (tac_scanner_peek(s).length > 0) return tac_scanner_expected(s, tac_scanner_peek(s), "the end of the line");
  tac_scanner_skip_line(s);
  s->token = s->at;
  s->binary = true;
  return TAC_OK;
}

void tac_msh_end_data(tacMshReader *reader) {
  reader->scanner.binary = false;
}

tacStatus tac_msh_check_more(tacMshReader *reader, const char *things, int64_t expected, int64_t found) {
  tacScanner *s = &reader->scanner;
  if (s->binary) return TAC_OK;
  tacWord word = tac_scanner_peek(s);
  if (word.length > 0 && word.text[0] != '$') return TAC_OK;
  return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected %" PRId64 " %s, found %" PRId64 " before %s", expected, things,
                          found, tac_word_quote(s, word).text);
}

tacStatus tac_msh_end_line(tacMshReader *reader, const char *after_what) {
  return reader->scanner.binary ? TAC_OK : tac_scanner_end_line(&reader->scanner, after_what);
}

tacStatus tac_msh_begin_nodes(tacMshReader *reader) {
  if (reader->nodes_read)
    return tac_scanner_fail(&reader->scanner, TAC_ERR_FORMAT, "the nodes are given twice; give them once");
  reader->nodes_read = true;
  return TAC_OK;
}

tacStatus tac_msh_check_nodes(tacMshReader *reader) {
  if (reader->nodes_read) return TAC_OK;
  return tac_scanner_fail(&reader->scanner, TAC_ERR_FORMAT,
                          reader->version == 1 ? "expected $NOD before $ELM" : "expected $Nodes before $Elements");
}

tacStatus tac_msh_index_nodes(tacMshReader *reader) {
  int64_t twice;
  TAC_TRY(tac_mesh_builder_index_ids(reader->builder, &twice));
  if (twice >= 0)
    return tac_scanner_fail(&reader->scanner, TAC_ERR_FORMAT, "two nodes have the number %" PRId64, twice);
  return TAC_OK;
}

static int compare_names(const void *a, const void *b) {
  const tacMshName *x = a, *y = b;
  if (x->dimension != y->dimension) return x->dimension < y->dimension ? -1 : 1;
  return (x->tag > y->tag) - (x->tag < y->tag);
}

static tacStatus find_group(tacMshReader *reader, int64_t dimension, int64_t tag, int *group) {
  if (dimension == reader->last_dimension && tag == reader->last_tag) {
    *group = reader->last_group;
    return TAC_OK;
  }
  tacGroupKind kind = dimension == 0   ? TAC_GROUP_OF_VERTICES
                      : dimension == 2 ? TAC_GROUP_OF_TRIANGLES
                                       : TAC_GROUP_OF_ELEMENTS;
  tacMshName key = {dimension, tag, {NULL, 0}}, *named = NULL;
  if (reader->name_count > 0) named = bsearch(&key, reader->names, reader->name_count, sizeof key, compare_names);
  if (named != NULL)
    TAC_TRY(tac_mesh_builder_group(reader->builder, kind, named->name, group));
  else
    TAC_TRY(tac_mesh_builder_region_group(reader->builder, kind, tag, group));
  reader->last_dimension = dimension;
  reader->last_tag = tag;
  reader->last_group = *group;
  return TAC_OK;
}

static tacStatus assign(tacMshReader *reader, int64_t dimension, size_t physical_count, const int64_t *physicals,
                        int item) {
  for (size_t p = 0; p < physical_count; ++p) {
    int group;
    if (physicals[p] == 0) continue; /* in no group; a negative number means the opposite orientation */
    TAC_TRY(find_group(reader, dimension, physicals[p] < 0 ? -physicals[p] : physicals[p], &group));
    TAC_TRY(tac_mesh_builder_assign(reader->builder, group, item));
  }
  return TAC_OK;
}

static void skip_element(tacMshReader *reader, int64_t type) {
  static const char *const names[] = {"",
                                      "line",
                                      "triangle",
                                      "quadrangle",
                                      "tetrahedron",
                                      "brick",
                                      "prism",
                                      "pyramid",
                                      "second-order line",
                                      "second-order triangle",
                                      "second-order quadrangle",
                                      "second-order tetrahedron",
                                      "second-order brick",
                                      "second-order prism",
                                      "second-order pyramid",
                                      "point"};
  char what[48];
  bool minor = type == 1 || type == 8 || type == 15;
  bool known = type > 0 && type < (int64_t)(sizeof names / sizeof *names);
  snprintf(what, sizeof what, "elements of type %d%s%s%s", (int)type, known ? " (" : "", known ? names[type] : "",
           known ? ")" : "");
  tac_mesh_builder_skip(reader->builder, minor ? TAC_LOG_INFO : TAC_LOG_WARNING, 1, what);
}

void tac_msh_skip_line(tacMshReader *reader, int64_t type) {
  skip_element(reader, type);
  tac_scanner_skip_line(&reader->scanner);
  tac_scanner_at_end(&reader->scanner);
}

tacStatus tac_msh_add_element(tacMshReader *reader, int64_t tag, int64_t type, const int64_t *nodes,
                              size_t physical_count, const int64_t *physicals) {
  tacMeshBuilder *builder = reader->builder;
  int v[8] = {0};
  bool in_a_group = false;
  for (size_t p = 0; p < physical_count && !in_a_group; ++p) in_a_group = physicals[p] != 0;
  if ((type < 2 || type > 5) && !(type == 15 && in_a_group)) {
    skip_element(reader, type);
    return TAC_OK;
  }
  for (int c = 0; c < tac_msh_node_count(type); ++c) {
    v[c] = tac_mesh_builder_find_id(builder, nodes[c]);
    if (v[c] < 0)
      return tac_scanner_fail(&reader->scanner, TAC_ERR_FORMAT,
                              "element %" PRId64 " has node %" PRId64 ", which is not among the nodes", tag, nodes[c]);
  }
  switch (type) {
    case 15: return assign(reader, 0, physical_count, physicals, v[0]);
    case 4:
      TAC_TRY(assign(reader, 3, physical_count, physicals, (int)builder->tet_count));
      return tac_mesh_builder_add_tet(builder, v);
    case 5:
      TAC_TRY(assign(reader, 3, physical_count, physicals, tac_mesh_builder_brick_item((int)builder->brick_count)));
      return tac_mesh_builder_add_brick(builder, v);
    default:
      for (int c = 2; c < tac_msh_node_count(type); ++c) {
        TAC_TRY(assign(reader, 2, physical_count, physicals, (int)builder->triangle_count));
        TAC_TRY(tac_mesh_builder_add_triangle(builder, v[0], v[c - 1], v[c]));
      }
      return TAC_OK;
  }
}

tacStatus tac_msh_read_names(tacMshReader *reader) {
  tacScanner *s = &reader->scanner;
  int64_t count;
  TAC_TRY(tac_scanner_integer(s, "the number of physical names", 0, INT_MAX, &count));
  TAC_TRY(tac_scanner_end_line(s, "the number of physical names"));
  TAC_TRY(tac_scanner_check_count(s, count, 6, "physical names"));
  for (int64_t i = 0; i < count; ++i) {
    tacMshName name;
    TAC_TRY(tac_msh_check_more(reader, "physical names", count, i));
    TAC_TRY(tac_scanner_integer(s, "a dimension", 0, 3, &name.dimension));
    TAC_TRY(tac_scanner_integer(s, "the number of a physical group", INT_MIN, INT_MAX, &name.tag));
    name.name = tac_scanner_rest_of_line(s);
    if (name.name.length < 2 || name.name.text[0] != '"' || name.name.text[name.name.length - 1] != '"')
      return tac_scanner_expected(s, name.name, "a name in double quotes");
    ++name.name.text;
    name.name.length -= 2;
    TAC_TRY(tac_scanner_end_line(s, "the name"));
    TAC_TRY(tac_array_reserve((void **)&reader->names, &reader->name_room, reader->name_count + 1, sizeof name,
                              "physical names", s->error));
    reader->names[reader->name_count++] = name;
  }
  if (reader->name_count > 0) qsort(reader->names, reader->name_count, sizeof *reader->names, compare_names);
  return TAC_OK;
}
