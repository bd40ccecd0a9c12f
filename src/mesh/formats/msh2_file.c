/* MSH version 2: $Nodes and $Elements with tags for each element. */
#include <inttypes.h>
#include <limits.h>
#include "mesh/formats/msh_reader.h"
#include "mesh/formats/msh_writer.h"

#define MOST_TAGS 64

tacStatus tac_msh2_read_nodes(tacMshReader *reader) {
  tacScanner *s = &reader->scanner;
  int64_t count, id;
  tacVec3 point;
  if (reader->nodes_read) return tac_scanner_fail(s, TAC_ERR_FORMAT, "the nodes come twice");
  reader->nodes_read = true;
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
  for (int64_t t = 0; t < tag_count; ++t)
    TAC_TRY(tac_scanner_value_integer(s, TAC_NUMBER_I32, "a tag of the element", INT_MIN, INT_MAX,
                                      t == 0 ? &physical : &ignored));
  for (int c = 0; c < tac_msh_node_count(type); ++c)
    TAC_TRY(tac_scanner_value_integer(s, TAC_NUMBER_I32, "a node of the element", 0, INT64_MAX, &nodes[c]));
  return tac_msh_add_element(reader, tag, type, nodes, 1, &physical);
}

static tacStatus read_text_elements(tacMshReader *reader, int64_t count) {
  tacScanner *s = &reader->scanner;
  for (int64_t e = 0; e < count; ++e) {
    int64_t tag, type, tag_count;
    TAC_TRY(tac_msh_check_more(reader, "elements", count, e));
    TAC_TRY(tac_scanner_integer(s, "the number of an element", 0, INT64_MAX, &tag));
    TAC_TRY(tac_scanner_integer(s, "the type of the element", 1, INT_MAX, &type));
    if (tac_msh_node_count(type) == 0) {
      tac_msh_skip_elements(reader, type, 1);
      tac_scanner_skip_line(s);
      tac_scanner_at_end(s);
      continue;
    }
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
  if (!reader->nodes_read) return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected $Nodes before $Elements");
  TAC_TRY(tac_scanner_integer(s, "the number of elements", 0, INT64_MAX, &count));
  TAC_TRY(tac_msh_begin_data(reader));
  TAC_TRY(tac_scanner_check_count(s, count, 8, "elements"));
  TAC_TRY(s->binary ? read_binary_elements(reader, count) : read_text_elements(reader, count));
  tac_msh_end_data(reader);
  return TAC_OK;
}

static void write_element(tacMshWriter *writer, const tacMshElement *element) {
  int physical = tac_msh_element_physical(writer, element);
  if (writer->out.binary) { /* the header of a block of elements of one type */
    const tacVolMesh *volume = writer->mesh.volume;
    int64_t count = element->type == 15  ? tac_msh_point_count(writer)
                    : element->type == 2 ? writer->mesh.surface->triangle_count
                    : element->type == 4 ? volume->tet_count
                                         : volume->brick_count;
    if (element->item == 0) {
      tac_number_write_integer(&writer->out, 4, element->type);
      tac_number_write_integer(&writer->out, 4, count);
      tac_number_write_integer(&writer->out, 4, 2);
    }
    tac_number_write_integer(&writer->out, 4, element->tag);
  } else {
    tac_number_write_integer(&writer->out, 4, element->tag);
    tac_number_write_integer(&writer->out, 4, element->type);
    tac_number_write_integer(&writer->out, 4, 2);
  }
  tac_number_write_integer(&writer->out, 4, physical);
  tac_number_write_integer(&writer->out, 4, physical > 0 ? physical : 1);
  for (int c = 0; c < element->node_count; ++c) tac_number_write_integer(&writer->out, 4, element->nodes[c]);
  tac_number_end_record(&writer->out);
}

tacStatus tac_msh2_write(tacMshWriter *writer, tacError *error) {
  FILE *stream = writer->out.stream;
  fprintf(stream, "$MeshFormat\n2.2 %d 8\n", writer->out.binary);
  if (writer->out.binary) {
    tac_number_write_integer(&writer->out, 4, 1);
    fputc('\n', stream);
  }
  fputs("$EndMeshFormat\n", stream);
  tacStatus status = tac_msh_write_names(writer, error);
  if (status == TAC_OK) status = tac_msh_find_tags(writer, error);
  if (status == TAC_OK) {
    fprintf(stream, "$Nodes\n%d\n", writer->mesh.vertex_count);
    for (int v = 0; v < writer->mesh.vertex_count; ++v) {
      tac_number_write_integer(&writer->out, 4, v + 1);
      tac_number_write_point(&writer->out, tac_joined_mesh_vertex(&writer->mesh, v));
      tac_number_end_record(&writer->out);
    }
    fprintf(stream, "%s$EndNodes\n$Elements\n%" PRId64 "\n", writer->out.binary ? "\n" : "",
            tac_msh_element_count(writer));
    tac_msh_for_elements(writer, write_element);
    fprintf(stream, "%s$EndElements\n", writer->out.binary ? "\n" : "");
  }
  tac_msh_free_tags(writer);
  return status;
}
