/* MSH versions 1 ($NOD and $ELM, ASCII only) and 2 ($Nodes and $Elements, with any number of tags for each element). */
#include <inttypes.h>
#include <limits.h>
#include "base/memory/owned.h"
#include "mesh/formats/mesh_format.h"
#include "mesh/formats/msh_reader.h"
#include "mesh/formats/msh_writer.h"

#define MOST_TAGS 64

tacStatus tac_msh2_read_nodes(tacMshReader *reader) {
  tacScanner *s = &reader->scanner;
  int64_t count, id;
  tacVec3 point;
  TAC_TRY(tac_msh_begin_nodes(reader));
  TAC_TRY(tac_scanner_integer(s, "the number of nodes", 0, INT64_MAX, &count));
  TAC_TRY(tac_msh_begin_data(reader));
  TAC_TRY(tac_scanner_check_count(s, count, s->binary ? 28 : 8, "nodes"));
  for (int64_t v = 0; v < count; ++v) {
    TAC_TRY(tac_msh_check_more(reader, "nodes", count, v));
    TAC_TRY(tac_scanner_value_integer(s, TAC_NUMBER_I32, "the number of a node", 0, INT64_MAX, &id));
    TAC_TRY(tac_scanner_point(s, TAC_NUMBER_F64, &point));
    TAC_TRY(tac_mesh_builder_add_vertex_id(reader->builder, id, point));
    TAC_TRY(tac_msh_end_line(reader, "the coordinates of the node"));
  }
  tac_msh_end_data(reader);
  return tac_msh_index_nodes(reader);
}

static tacStatus read_tags_and_nodes(tacMshReader *reader, int64_t tag, int64_t type, int64_t tag_count) {
  tacScanner *s = &reader->scanner;
  int64_t physical = 0, ignored, nodes[TAC_MSH_MOST_NODES];
  const char *what = reader->version == 1 ? "an entity (physical, elementary) of the element" : "a tag of the element";
  for (int64_t t = 0; t < tag_count; ++t)
    TAC_TRY(tac_scanner_value_integer(s, TAC_NUMBER_I32, what, INT_MIN, INT_MAX, t == 0 ? &physical : &ignored));
  int64_t expected = tac_msh_node_count(type), count = expected;
  if (reader->version == 1) TAC_TRY(tac_scanner_integer(s, "the number of nodes of the element", 1, INT_MAX, &count));
  if (count != expected)
    return tac_scanner_fail(s, TAC_ERR_FORMAT,
                            "expected %" PRId64 " nodes of an element of type %" PRId64 ", found %" PRId64, expected,
                            type, count);
  for (int64_t c = 0; c < count; ++c)
    TAC_TRY(tac_scanner_value_integer(s, TAC_NUMBER_I32, "a node of the element", 0, INT64_MAX, &nodes[c]));
  return tac_msh_add_element(reader, tag, type, nodes, 1, &physical);
}

static tacStatus read_text_elements(tacMshReader *reader, int64_t count) {
  tacScanner *s = &reader->scanner;
  for (int64_t e = 0; e < count; ++e) {
    int64_t tag, type, tag_count = 2; /* as version 1 has: the physical and the elementary entity */
    TAC_TRY(tac_msh_check_more(reader, "elements", count, e));
    TAC_TRY(tac_scanner_integer(s, "the number of an element", 0, INT64_MAX, &tag));
    TAC_TRY(tac_scanner_integer(s, "the type of the element", 1, INT_MAX, &type));
    if (tac_msh_node_count(type) == 0) {
      tac_msh_skip_line(reader, type);
      continue;
    }
    if (reader->version != 1)
      TAC_TRY(tac_scanner_integer(s, "the number of tags of the element", 0, MOST_TAGS, &tag_count));
    TAC_TRY(read_tags_and_nodes(reader, tag, type, tag_count));
    TAC_TRY(tac_scanner_end_line(s, "the nodes of the element"));
  }
  return TAC_OK;
}

static tacStatus read_binary_elements(tacMshReader *reader, int64_t count) {
  tacScanner *s = &reader->scanner;
  for (int64_t e = 0; e < count;) {
    int64_t type, follow, tag_count, tag;
    TAC_TRY(tac_scanner_value_integer(s, TAC_NUMBER_I32, "a type of elements", 1, INT_MAX, &type));
    if (tac_msh_node_count(type) == 0)
      return tac_scanner_fail(s, TAC_ERR_UNSUPPORTED, "elements of the unknown type %" PRId64, type);
    TAC_TRY(tac_scanner_value_integer(s, TAC_NUMBER_I32, "a number of elements", 1, count - e, &follow));
    TAC_TRY(tac_scanner_value_integer(s, TAC_NUMBER_I32, "a number of tags", 0, MOST_TAGS, &tag_count));
    for (int64_t i = 0; i < follow; ++i, ++e) {
      TAC_TRY(tac_scanner_value_integer(s, TAC_NUMBER_I32, "the number of an element", 0, INT_MAX, &tag));
      TAC_TRY(read_tags_and_nodes(reader, tag, type, tag_count));
    }
  }
  return TAC_OK;
}

tacStatus tac_msh2_read_elements(tacMshReader *reader) {
  tacScanner *s = &reader->scanner;
  int64_t count;
  TAC_TRY(tac_msh_check_nodes(reader));
  TAC_TRY(tac_scanner_integer(s, "the number of elements", 0, INT64_MAX, &count));
  TAC_TRY(tac_msh_begin_data(reader));
  TAC_TRY(tac_scanner_check_count(s, count, 8, "elements"));
  TAC_TRY(s->binary ? read_binary_elements(reader, count) : read_text_elements(reader, count));
  tac_msh_end_data(reader);
  return TAC_OK;
}

static void write_element(tacMshWriter *writer, const tacMshElement *element, bool version1) {
  tacNumberWriter *out = &writer->out;
  if (out->binary && element->item == 0) /* the header of a block of elements of one type */
    tac_number_write_record(out, 4, 3, (const int64_t[]){element->type, element->count, 2});
  tac_number_write_integer(out, 4, element->tag);
  if (!out->binary) tac_number_write_integer(out, 4, element->type);
  if (!out->binary && !version1) tac_number_write_integer(out, 4, 2);
  tac_number_write_integer(out, 4, element->physical);
  tac_number_write_integer(out, 4, element->physical > 0 ? element->physical : 1);
  if (version1) tac_number_write_integer(out, 4, element->node_count);
  for (int c = 0; c < element->node_count; ++c) tac_number_write_integer(out, 4, element->nodes[c]);
  tac_number_end_record(out);
}

static void write_element1(tacMshWriter *writer, const tacMshElement *element) {
  write_element(writer, element, true);
}

static void write_element2(tacMshWriter *writer, const tacMshElement *element) {
  write_element(writer, element, false);
}

static void write_sections(tacMshWriter *writer, const char *const names[4], tacMshElementFn write) {
  FILE *stream = writer->out.stream;
  const char *after_data = writer->out.binary ? "\n" : "";
  fprintf(stream, "%s\n%d\n", names[0], writer->mesh.vertex_count);
  for (int v = 0; v < writer->mesh.vertex_count; ++v) {
    tac_number_write_integer(&writer->out, 4, v + 1);
    tac_number_write_point(&writer->out, tac_joined_mesh_vertex(&writer->mesh, v));
    tac_number_end_record(&writer->out);
  }
  fprintf(stream, "%s%s\n%s\n%" PRId64 "\n", after_data, names[1], names[2], tac_msh_element_count(writer));
  tac_msh_for_elements(writer, write);
  fprintf(stream, "%s%s\n", after_data, names[3]);
}

tacStatus tac_msh1_write(FILE *stream, bool binary, const tacMeshContents *contents, tacError *error) {
  TAC_FREED(tac_msh_writer_free, tacMshWriter, writer) = {.out = {.stream = stream, .binary = binary}};
  TAC_TRY(tac_msh_writer_begin(&writer, contents, error));
  write_sections(&writer, (const char *const[]){"$NOD", "$ENDNOD", "$ELM", "$ENDELM"}, write_element1);
  return TAC_OK;
}

tacStatus tac_msh2_write(FILE *stream, bool binary, const tacMeshContents *contents, tacError *error) {
  TAC_FREED(tac_msh_writer_free, tacMshWriter, writer) = {.out = {.stream = stream, .binary = binary}};
  TAC_TRY(tac_msh_writer_begin(&writer, contents, error));
  TAC_TRY(tac_msh_write_head(&writer, "2.2", error));
  write_sections(&writer, (const char *const[]){"$Nodes", "$EndNodes", "$Elements", "$EndElements"}, write_element2);
  return TAC_OK;
}
