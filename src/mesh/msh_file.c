#include "mesh/msh_file.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "base/array.h"
#include "mesh/byte_order.h"
#include "mesh/msh_reader.h"
#include "mesh/msh_writer.h"

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
  if (tac_scanner_peek(s).length > 0)
    return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected the end of the line, found %s",
                            tac_word_quote(s, tac_scanner_peek(s)).text);
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

void tac_msh_skip_elements(tacMshReader *reader, int64_t type, int count) {
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
  tac_mesh_builder_skip(reader->builder, minor ? TAC_LOG_INFO : TAC_LOG_WARNING, count, what);
}

tacStatus tac_msh_add_element(tacMshReader *reader, int64_t tag, int64_t type, const int64_t *nodes,
                              size_t physical_count, const int64_t *physicals) {
  tacMeshBuilder *builder = reader->builder;
  int v[8] = {0};
  bool in_a_group = false;
  for (size_t p = 0; p < physical_count && !in_a_group; ++p) in_a_group = physicals[p] != 0;
  if ((type < 2 || type > 5) && !(type == 15 && in_a_group)) {
    tac_msh_skip_elements(reader, type, 1);
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

/* ---- sections ---- */

static tacStatus read_names(tacMshReader *reader) {
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
      return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected a name in double quotes, found %s",
                              tac_word_quote(s, name.name).text);
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

typedef struct Section {
  const char *name, *end;
  tacStatus (*read)(tacMshReader *);
  int version; /* 0: every one */
} Section;

static const Section sections[] = {
    {"$NOD", "$ENDNOD", tac_msh1_read_nodes, 1},
    {"$ELM", "$ENDELM", tac_msh1_read_elements, 1},
    {"$PhysicalNames", "$EndPhysicalNames", read_names, 0},
    {"$Nodes", "$EndNodes", tac_msh2_read_nodes, 2},
    {"$Elements", "$EndElements", tac_msh2_read_elements, 2},
    {"$Entities", "$EndEntities", tac_msh4_read_entities, 4},
    {"$PartitionedEntities", "$EndPartitionedEntities", tac_msh4_read_partitioned_entities, 4},
    {"$Nodes", "$EndNodes", tac_msh4_read_nodes, 4},
    {"$Elements", "$EndElements", tac_msh4_read_elements, 4}};

/* Goes behind the "$EndSomething" of a section "$Something" that is left out. */
static tacStatus pass_section(tacScanner *s, tacWord name) {
  char end[64];
  int length = snprintf(end, sizeof end, "$End%.*s", (int)(name.length < 50 ? name.length - 1 : 50), name.text + 1);
  const unsigned char *found = memmem(s->at, tac_scanner_left(s), end, (size_t)length);
  if (found == NULL) return tac_scanner_fail(s, TAC_ERR_FORMAT, "%.60s is missing", end);
  s->at = found + length;
  return TAC_OK;
}

/* "2.2 0 8", and in binary files a 1 as four bytes that shows the byte order. */
static tacStatus read_format(tacMshReader *reader, int *version) {
  tacScanner *s = &reader->scanner;
  double number;
  int64_t kind, size;
  TAC_TRY(tac_scanner_double(s, "the version of the format", &number));
  *version = number >= 2.0 && number < 3.0 ? 2 : number > 4.05 && number < 4.15 ? 4 : 0;
  if (*version == 0)
    return tac_scanner_fail(s, TAC_ERR_UNSUPPORTED, "version %g of MSH; versions 1, 2.2 and 4.1 are read", number);
  TAC_TRY(tac_scanner_integer(s, "0 (ASCII) or 1 (binary)", 0, 1, &kind));
  TAC_TRY(tac_scanner_integer(s, "the size of a number, 8", 8, 8, &size));
  reader->binary = kind == 1;
  TAC_TRY(tac_msh_begin_data(reader));
  if (reader->binary) {
    TAC_TRY(tac_scanner_need(s, 1, 4, "the number 1"));
    s->big_endian = tac_bytes_load(s->at, 4, false) != 1;
    if (s->big_endian && tac_bytes_load(s->at, 4, true) != 1)
      return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected the number 1, which shows the byte order");
    s->at += 4;
  }
  tac_msh_end_data(reader);
  tac_scanner_at_end(s);
  return tac_scanner_expect(s, "$EndMeshFormat");
}

static tacStatus read_section(tacMshReader *reader, tacWord name, int *version) {
  tacScanner *s = &reader->scanner;
  if (*version == 0 && (tac_word_is(name, "$NOD") || tac_word_is(name, "$ELM"))) *version = 1;
  for (size_t i = 0; i < sizeof sections / sizeof *sections; ++i) {
    const Section *section = &sections[i];
    if (!tac_word_is(name, section->name) || (section->version != 0 && section->version != *version)) continue;
    /* In version 4.1 data may begin right after this line. */
    if (section->version != 4) TAC_TRY(tac_scanner_end_line(s, section->name));
    TAC_TRY(section->read(reader));
    tac_scanner_at_end(s);
    return tac_scanner_expect(s, section->end);
  }
  if (tac_word_is(name, "$Nodes") || tac_word_is(name, "$Elements"))
    return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected $MeshFormat before %s", tac_word_quote(s, name).text);
  return pass_section(s, name);
}

static tacStatus read_sections(tacMshReader *reader) {
  tacScanner *s = &reader->scanner;
  int version = 0;
  s->by_line = true;
  while (!tac_scanner_at_end(s)) {
    tacWord name = tac_scanner_word(s);
    if (name.length < 2 || name.text[0] != '$')
      return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected a section such as $Nodes, found %s",
                              tac_word_quote(s, name).text);
    if (tac_word_is(name, "$MeshFormat")) {
      if (version != 0) return tac_scanner_fail(s, TAC_ERR_FORMAT, "$MeshFormat must come first and once");
      TAC_TRY(tac_scanner_end_line(s, "$MeshFormat"));
      TAC_TRY(read_format(reader, &version));
    } else {
      TAC_TRY(read_section(reader, name, &version));
    }
    TAC_TRY(tac_scanner_end_line(s, "the section"));
  }
  return TAC_OK;
}

tacStatus tac_msh_read(const char *name, const unsigned char *bytes, size_t size, tacMeshContents *contents,
                       tacError *error) {
  tacMeshBuilder builder = tac_mesh_builder_begin(name, size, error);
  tacMshReader reader = {
      .scanner = tac_scanner_begin(name, bytes, size, error), .builder = &builder, .last_dimension = -1};
  tacStatus status = read_sections(&reader);
  free(reader.names);
  free(reader.entities);
  free(reader.physicals);
  return tac_mesh_builder_finish(&builder, status, contents);
}

tacStatus tac_msh_write(FILE *stream, tacMeshFormat format, const tacMeshContents *contents, tacError *error) {
  tacMshWriter writer = {.stream = stream,
                         .binary = format == TAC_MESH_FORMAT_MSH22_BINARY || format == TAC_MESH_FORMAT_MSH41_BINARY};
  tacStatus status = tac_joined_mesh_make(contents, &writer.mesh, error);
  if (status != TAC_OK) return status;
  if (format == TAC_MESH_FORMAT_MSH41_ASCII || format == TAC_MESH_FORMAT_MSH41_BINARY)
    status = tac_msh4_write(&writer, error);
  else
    status = format == TAC_MESH_FORMAT_MSH1 ? tac_msh1_write(&writer, error) : tac_msh2_write(&writer, error);
  tac_joined_mesh_free(&writer.mesh);
  return status;
}
