/* Gmsh MSH, versions 1, 2 (2.2) and 4.1, in ASCII and (2.2, 4.1) in binary of either byte order.
 *
 * Triangles and quadrangles (as two triangles) become the surface, tetrahedra and bricks the volume; elements of other kinds
 * are skipped and counted in the log. Physical surfaces and volumes are groups; physical points are vertex sets of the
 * volume. Physical groups without a name, as all are in version 1, become "region 7".
 * Kept when written: all of these in 4.1; in 1 and 2.2 an element has one physical group only, the first that has it, and
 * version 1 has no names. Materials and regions are lost. */
#include "mesh/formats/mesh_format.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory/owned.h"
#include "mesh/formats/msh_reader.h"
#include "mesh/text/byte_order.h"

typedef struct Section {
  const char *name, *end;
  tacStatus (*read)(tacMshReader *);
  int version; /* 0: every one */
} Section;

static const Section sections[] = {
    {"$NOD", "$ENDNOD", tac_msh2_read_nodes, 1},
    {"$ELM", "$ENDELM", tac_msh2_read_elements, 1},
    {"$PhysicalNames", "$EndPhysicalNames", tac_msh_read_names, 0},
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
static tacStatus read_format(tacMshReader *reader) {
  tacScanner *s = &reader->scanner;
  double number;
  int64_t kind, size;
  TAC_TRY(tac_scanner_double(s, "the version of the format", &number));
  reader->version = number >= 2.0 && number < 3.0 ? 2 : number > 4.05 && number < 4.15 ? 4 : 0;
  if (reader->version == 0)
    return tac_scanner_fail(s, TAC_ERR_UNSUPPORTED, "MSH version %g is not supported; versions 1, 2.2 and 4.1 are",
                            number);
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

static tacStatus read_section(tacMshReader *reader, tacWord name) {
  tacScanner *s = &reader->scanner;
  if (reader->version == 0 && (tac_word_is(name, "$NOD") || tac_word_is(name, "$ELM"))) reader->version = 1;
  for (size_t i = 0; i < sizeof sections / sizeof *sections; ++i) {
    const Section *section = &sections[i];
    if (!tac_word_is(name, section->name) || (section->version != 0 && section->version != reader->version)) continue;
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
  s->by_line = true;
  while (!tac_scanner_at_end(s)) {
    tacWord name = tac_scanner_word(s);
    if (name.length < 2 || name.text[0] != '$') return tac_scanner_expected(s, name, "a section such as $Nodes");
    if (tac_word_is(name, "$MeshFormat")) {
      if (reader->version != 0)
        return tac_scanner_fail(s, TAC_ERR_FORMAT,
                                "$MeshFormat must be the first section "
                                "and occur once");
      TAC_TRY(tac_scanner_end_line(s, "$MeshFormat"));
      TAC_TRY(read_format(reader));
    } else {
      TAC_TRY(read_section(reader, name));
    }
    TAC_TRY(tac_scanner_end_line(s, "the section"));
  }
  return TAC_OK;
}

static void free_reader(tacMshReader *reader) {
  free(reader->names);
  free(reader->entities);
  free(reader->physicals);
}

tacStatus tac_msh_read(tacScanner *scanner, tacMeshBuilder *builder) {
  TAC_FREED(free_reader, tacMshReader, reader) = {.scanner = *scanner, .builder = builder, .last_dimension = -1};
  return read_sections(&reader);
}
