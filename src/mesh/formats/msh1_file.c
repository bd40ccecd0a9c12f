/* MSH version 1: $NOD and $ELM, ASCII only. */
#include <inttypes.h>
#include <limits.h>
#include "mesh/formats/msh_reader.h"
#include "mesh/formats/msh_writer.h"

/* Version 2 has the same lines of nodes. */
tacStatus tac_msh1_read_nodes(tacMshReader *reader) {
  return tac_msh2_read_nodes(reader);
}

static tacStatus read_element(tacMshReader *reader) {
  tacScanner *s = &reader->scanner;
  int64_t tag, type, physical, elementary, count, nodes[TAC_MSH_MOST_NODES];
  TAC_TRY(tac_scanner_integer(s, "the number of an element", 0, INT64_MAX, &tag));
  TAC_TRY(tac_scanner_integer(s, "the type of the element", 1, INT_MAX, &type));
  TAC_TRY(tac_scanner_integer(s, "the physical entity of the element", INT_MIN, INT_MAX, &physical));
  TAC_TRY(tac_scanner_integer(s, "the elementary entity of the element", INT_MIN, INT_MAX, &elementary));
  TAC_TRY(tac_scanner_integer(s, "the number of nodes of the element", 1, INT_MAX, &count));
  int expected = tac_msh_node_count(type);
  if (expected == 0) {
    tac_msh_skip_elements(reader, type, 1);
    tac_scanner_skip_line(s);
    tac_scanner_at_end(s);
    return TAC_OK;
  }
  if (count != expected)
    return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected %d nodes of an element of type %" PRId64 ", found %" PRId64,
                            expected, type, count);
  for (int64_t c = 0; c < count; ++c) TAC_TRY(tac_scanner_integer(s, "a node of the element", 0, INT64_MAX, &nodes[c]));
  TAC_TRY(tac_msh_add_element(reader, tag, type, nodes, 1, &physical));
  return tac_scanner_end_line(s, "the nodes of the element");
}

tacStatus tac_msh1_read_elements(tacMshReader *reader) {
  tacScanner *s = &reader->scanner;
  int64_t count;
  if (!reader->nodes_read) return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected $NOD before $ELM");
  TAC_TRY(tac_scanner_integer(s, "the number of elements", 0, INT64_MAX, &count));
  TAC_TRY(tac_scanner_end_line(s, "the number of elements"));
  TAC_TRY(tac_scanner_check_count(s, count, 12, "elements"));
  for (int64_t e = 0; e < count; ++e) {
    TAC_TRY(tac_msh_check_more(reader, "elements", count, e));
    TAC_TRY(read_element(reader));
  }
  return TAC_OK;
}

static void write_element(tacMshWriter *writer, const tacMshElement *element) {
  int physical = tac_msh_element_physical(writer, element);
  fprintf(writer->out.stream, "%" PRId64 " %d %d %d %d", element->tag, element->type, physical,
          physical > 0 ? physical : 1, element->node_count);
  for (int c = 0; c < element->node_count; ++c) fprintf(writer->out.stream, " %d", element->nodes[c]);
  fputc('\n', writer->out.stream);
}

tacStatus tac_msh1_write(tacMshWriter *writer, tacError *error) {
  tacStatus status = tac_msh_find_tags(writer, error);
  if (status == TAC_OK) {
    fprintf(writer->out.stream, "$NOD\n%d\n", writer->mesh.vertex_count);
    for (int v = 0; v < writer->mesh.vertex_count; ++v) {
      tac_number_write_integer(&writer->out, 4, v + 1);
      tac_number_write_point(&writer->out, tac_joined_mesh_vertex(&writer->mesh, v));
      tac_number_end_record(&writer->out);
    }
    fprintf(writer->out.stream, "$ENDNOD\n$ELM\n%" PRId64 "\n", tac_msh_element_count(writer));
    tac_msh_for_elements(writer, write_element);
    fputs("$ENDELM\n", writer->out.stream);
  }
  tac_msh_free_tags(writer);
  return status;
}
