/* PLY: polygons, in ASCII and in binary of either byte order.
 *
 * Read: vertices' x, y, z and faces' vertex_indices (or vertex_index), of any type of number; other elements and properties
 * are passed over. Written: doubles and ints. Groups are kept as one face property `uchar group_NAME` each, 1 where the
 * face is in the group; bytes of the name that are no letters, digits, '-', '.' or '_' are written as %XX. */
#include <stdlib.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "mesh/contents/group_flags.h"
#include "mesh/formats/mesh_format.h"
#include "mesh/formats/number_writer.h"
#include "mesh/formats/ply_header.h"

typedef enum Role { ROLE_NONE, ROLE_X, ROLE_Y, ROLE_Z, ROLE_CORNERS, ROLE_GROUP } Role;

typedef tacPlyElement Element;
typedef tacPlyProperty Property;

/* What a property is for, beside it. */
typedef struct Use {
  Role role;
  int group;
} Use;

typedef struct Reader {
  tacScanner scanner;
  tacMeshBuilder *builder;
  tacPlyHeader header;
  Use *uses;  /* [property] */
  int *flags; /* groups of the current face */
  size_t flag_count, flag_room;
} Reader;

static tacStatus find_use(Reader *reader, const Element *element, size_t index) {
  tacScanner *s = &reader->scanner;
  const Property *property = &reader->header.properties[index];
  tacWord name = property->name;
  Use *use = &reader->uses[index];
  bool of_vertex = tac_word_is(element->name, "vertex"), of_face = tac_word_is(element->name, "face");
  s->token = (const unsigned char *)name.text; /* where errors point */
  if (of_vertex && !property->is_list && name.length == 1 && name.text[0] >= 'x' && name.text[0] <= 'z')
    use->role = (Role)(ROLE_X + (name.text[0] - 'x'));
  if (of_face && property->is_list && (tac_word_is(name, "vertex_indices") || tac_word_is(name, "vertex_index")))
    use->role = ROLE_CORNERS;
  if (of_face && !property->is_list && tac_group_flag_is(name, TAC_GROUP_FLAG_ELEMENTS)) {
    use->role = ROLE_GROUP;
    TAC_TRY(tac_group_flag_group(reader->builder, TAC_GROUP_OF_TRIANGLES, name, &use->group));
  }
  for (size_t p = element->first_property; use->role != ROLE_NONE && p < index; ++p) {
    if (use->role != ROLE_GROUP && reader->uses[p].role == use->role)
      return tac_scanner_fail(s, TAC_ERR_FORMAT, "the property %s is given twice", tac_word_quote(s, name).text);
  }
  return TAC_OK;
}

static tacStatus read_header(Reader *reader) {
  tacPlyHeader *header = &reader->header;
  TAC_TRY(tac_ply_header_read(&reader->scanner, header));
  TAC_TRY(TAC_ARRAY(reader->uses, header->property_count, "properties", reader->scanner.error));
  const unsigned char *token = reader->scanner.token;
  for (size_t e = 0; e < header->element_count; ++e)
    for (size_t p = 0; p < header->elements[e].property_count; ++p)
      TAC_TRY(find_use(reader, &header->elements[e], header->elements[e].first_property + p));
  reader->scanner.token = token;
  tac_ply_header_begin_data(header, &reader->scanner);
  return TAC_OK;
}

static tacStatus read_list(Reader *reader, const Property *property, Role role) {
  tacScanner *s = &reader->scanner;
  int64_t count, index, vertex_count = (int64_t)reader->builder->vertex_count;
  TAC_TRY(tac_scanner_value_integer(s, property->count_type, "the length of a list", 0, UINT32_MAX, &count));
  TAC_TRY(tac_scanner_check_count(s, count, s->binary ? tac_number_type_size(property->type) : 2, "items of a list"));
  if (role != ROLE_CORNERS) {
    for (int64_t i = 0; i < count; ++i) TAC_TRY(tac_scanner_pass_value(s, property->type, "an item of a list"));
    return TAC_OK;
  }
  for (int64_t i = 0; i < count; ++i) {
    TAC_TRY(tac_scanner_value_integer(s, property->type, "a vertex of the face", 0, vertex_count - 1, &index));
    TAC_TRY(tac_mesh_builder_add_corner(reader->builder, (int)index));
  }
  return TAC_OK;
}

static tacStatus read_item(Reader *reader, const Element *element, bool is_vertex, bool is_face) {
  tacScanner *s = &reader->scanner;
  double point[3] = {0.0, 0.0, 0.0};
  reader->flag_count = 0;
  for (size_t p = 0; p < element->property_count; ++p) {
    const Property *property = &reader->header.properties[element->first_property + p];
    const Use *use = &reader->uses[element->first_property + p];
    int64_t flag;
    if (property->is_list) {
      TAC_TRY(read_list(reader, property, use->role));
    } else if (use->role >= ROLE_X && use->role <= ROLE_Z) {
      TAC_TRY(tac_scanner_value_double(s, property->type, "a coordinate", &point[use->role - ROLE_X]));
    } else if (use->role != ROLE_GROUP) {
      TAC_TRY(tac_scanner_pass_value(s, property->type, is_face ? "a property of a face" : "a property"));
    } else {
      TAC_TRY(tac_scanner_value_integer(s, property->type, "the flag of a group", INT64_MIN, INT64_MAX, &flag));
      TAC_TRY(tac_array_reserve((void **)&reader->flags, &reader->flag_room, reader->flag_count + 1, sizeof(int),
                                "groups of a face", s->error));
      if (flag != 0) reader->flags[reader->flag_count++] = use->group;
    }
  }
  if (is_face) return tac_mesh_builder_add_face(reader->builder, reader->flag_count, reader->flags);
  return is_vertex ? tac_mesh_builder_add_vertex(reader->builder, (tacVec3){point[0], point[1], point[2]}) : TAC_OK;
}

static bool has_role(const Reader *reader, const Element *element, Role role) {
  for (size_t p = 0; p < element->property_count; ++p)
    if (reader->uses[element->first_property + p].role == role) return true;
  return false;
}

static tacStatus read_elements(Reader *reader) {
  tacScanner *s = &reader->scanner;
  TAC_TRY(read_header(reader));
  bool vertices_known = false;
  for (size_t e = 0; e < reader->header.element_count; ++e) {
    const Element *element = &reader->header.elements[e];
    bool is_vertex = tac_word_is(element->name, "vertex"), is_face = has_role(reader, element, ROLE_CORNERS);
    if (is_vertex &&
        !(has_role(reader, element, ROLE_X) && has_role(reader, element, ROLE_Y) && has_role(reader, element, ROLE_Z)))
      return tac_scanner_fail(s, TAC_ERR_FORMAT, "the vertices lack the properties x, y and z");
    if (is_vertex && vertices_known)
      return tac_scanner_fail(s, TAC_ERR_FORMAT, "the vertices are given twice; give them once");
    vertices_known |= is_vertex;
    if (element->property_count == 0) continue;
    TAC_TRY(tac_ply_header_check_count(&reader->header, element, s,
                                       is_vertex ? "vertices"
                                       : is_face ? "faces"
                                                 : "elements"));
    for (int64_t i = 0; i < element->count; ++i) TAC_TRY(read_item(reader, element, is_vertex, is_face));
  }
  if (s->binary || tac_scanner_at_end(s)) return TAC_OK;
  return tac_scanner_expected(s, tac_scanner_peek(s), "the end of the file after the last of the elements");
}

static void free_reader(Reader *reader) {
  tac_ply_header_free(&reader->header);
  free(reader->uses);
  free(reader->flags);
}

tacStatus tac_ply_read(tacScanner *scanner, tacMeshBuilder *builder) {
  TAC_FREED(free_reader, Reader, reader) = {.scanner = *scanner, .builder = builder};
  return read_elements(&reader);
}

tacStatus tac_ply_write(FILE *stream, bool binary, const tacMeshContents *contents, tacError *error) {
  const tacTriMesh *surface = contents->surface;
  TAC_MEMORY(int, next) = NULL; /* of each group: its first triangle that is not written yet */
  TAC_TRY(TAC_ARRAY(next, (size_t)surface->group_count, "flags of groups", error));
  fprintf(stream, "ply\nformat %s 1.0\ncomment Tactus\n", binary ? "binary_little_endian" : "ascii");
  fprintf(stream, "element vertex %d\nproperty double x\nproperty double y\nproperty double z\n",
          surface->vertex_count);
  fprintf(stream, "element face %d\nproperty list uchar int vertex_indices\n", surface->triangle_count);
  for (int g = 0; g < surface->group_count; ++g) {
    fputs("property uchar ", stream);
    tac_group_flag_write_name(stream, TAC_GROUP_FLAG_ELEMENTS, surface->groups[g].name);
    fputc('\n', stream);
  }
  fputs("end_header\n", stream);
  tacNumberWriter writer = {.stream = stream, .binary = binary};
  for (int v = 0; v < surface->vertex_count; ++v) {
    tac_number_write_point(&writer, surface->vertices[v]);
    tac_number_end_record(&writer);
  }
  for (int t = 0; t < surface->triangle_count; ++t) {
    tac_number_write_integer(&writer, 1, 3);
    for (int c = 0; c < 3; ++c) tac_number_write_integer(&writer, 4, surface->triangles[t].v[c]);
    for (int g = 0; g < surface->group_count; ++g) {
      bool in_group = next[g] < surface->groups[g].count && surface->groups[g].indices[next[g]] == t;
      tac_number_write_integer(&writer, 1, in_group);
      next[g] += in_group;
    }
    tac_number_end_record(&writer);
  }
  return TAC_OK;
}
