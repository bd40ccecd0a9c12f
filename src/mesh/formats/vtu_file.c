/* VTK XML: UnstructuredGrid (.vtu) and PolyData (.vtp), one piece or several.
 *
 * Read: arrays as ASCII, inline base64, appended raw and appended base64, whole or in blocks of zlib, with headers of 4 or 8
 * bytes, in either byte order. Cells, groups and vertex sets are those of vtk_cells.h. Other arrays are left out; materials
 * and regions are lost. Written: UnstructuredGrid in ASCII, or appended raw and little-endian. */
#include "mesh/formats/mesh_format.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "mesh/contents/group_flags.h"
#include "mesh/formats/vtk_cells.h"
#include "mesh/formats/vtu_array.h"
#include "mesh/formats/vtu_writer.h"
#include "mesh/text/number_text.h"
#include "mesh/text/xml_tag.h"

/* What zlib may make of a byte of the file, all arrays together: meshes of regular grids need 10. It could make 1032, for
 * which a small file would fill the memory. */
#define MOST_EXPANSION 64

enum { FIRST_FLAGS = 4 }; /* arrays before those of flags: points, corners, offsets and types of cells */

/* A <DataArray>: where it is, what it holds. Nothing of it is decoded before the whole file is known. */
typedef struct Array {
  tacWord section, name, type, format; /* section: the element around it, such as Points */
  int64_t components, offset;
  const unsigned char *place, *text, *text_end;
} Array;

/* Lists of cells: the attribute of a piece that counts them, the section that has them, and their type where they have no array of types.
 * The first is that of an UnstructuredGrid, the others are those of PolyData. */
enum { CELL_LISTS = 5 };
static const struct {
  const char *count, *section;
  int type;
} cell_lists[CELL_LISTS] = {{"NumberOfCells", "Cells", -1},
                            {"NumberOfVerts", "Verts", TAC_VTK_POINTS},
                            {"NumberOfLines", "Lines", TAC_VTK_LINES},
                            {"NumberOfPolys", "Polys", TAC_VTK_POLYGON},
                            {"NumberOfStrips", "Strips", TAC_VTK_STRIP}};

typedef struct Piece {
  size_t first_array, array_count;
  int64_t points, cells[CELL_LISTS];
} Piece;

typedef struct Reader {
  tacScanner scanner;
  tacMeshBuilder *builder;
  tacVtkCells cells;
  tacVtuEncoding encoding;
  bool polydata;
  Array *arrays;
  size_t array_count, array_room;
  Piece *pieces;
  size_t piece_count, piece_room;
  const unsigned char *appended; /* behind the '_'; NULL where there is none */
  bool appended_raw;
  size_t stored_bytes; /* of the arrays so far */
} Reader;

static bool find_type(tacWord word, tacNumberType *type) {
  static const struct {
    const char *name;
    tacNumberType type;
  } types[] = {{"Int8", TAC_NUMBER_I8},    {"UInt8", TAC_NUMBER_U8},   {"Int16", TAC_NUMBER_I16},
               {"UInt16", TAC_NUMBER_U16}, {"Int32", TAC_NUMBER_I32},  {"UInt32", TAC_NUMBER_U32},
               {"Int64", TAC_NUMBER_I64},  {"UInt64", TAC_NUMBER_U64}, {"Float32", TAC_NUMBER_F32},
               {"Float64", TAC_NUMBER_F64}};
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
    *type = types[i].type;
    if (tac_word_is(word, types[i].name)) return true;
  }
  return false;
}

/* ---- the elements of the file ---- */

static tacStatus read_count(Reader *reader, const tacXmlTag *tag, const char *attribute, int64_t *count) {
  tacWord word = tac_xml_tag_attribute(tag, attribute);
  *count = 0;
  if (word.length == 0) return TAC_OK;
  if (!tac_number_text_integer(word.text, word.length, count) || *count < 0 || *count > INT_MAX)
    return tac_scanner_expected(&reader->scanner, word, "a count in %s", attribute);
  return TAC_OK;
}

static tacStatus begin_file(Reader *reader, const tacXmlTag *tag) {
  tacScanner *s = &reader->scanner;
  tacWord type = tac_xml_tag_attribute(tag, "type");
  reader->polydata = tac_word_is(type, "PolyData");
  if (!reader->polydata && !tac_word_is(type, "UnstructuredGrid"))
    return tac_scanner_fail(s, TAC_ERR_UNSUPPORTED,
                            "a VTKFile of type %s is not supported; use UnstructuredGrid or "
                            "PolyData",
                            tac_word_quote(s, type).text);
  tacWord compressor = tac_xml_tag_attribute(tag, "compressor");
  reader->encoding.big_endian = tac_word_is(tac_xml_tag_attribute(tag, "byte_order"), "BigEndian");
  reader->encoding.wide_header = tac_word_is(tac_xml_tag_attribute(tag, "header_type"), "UInt64");
  reader->encoding.compressed = compressor.length > 0;
  if (compressor.length > 0 && !tac_word_is(compressor, "vtkZLibDataCompressor"))
    return tac_scanner_fail(s, TAC_ERR_UNSUPPORTED, "the compressor %s is not supported; use vtkZLibDataCompressor",
                            tac_word_quote(s, compressor).text);
  return TAC_OK;
}

static tacStatus begin_piece(Reader *reader, const tacXmlTag *tag) {
  Piece piece = {.first_array = reader->array_count};
  TAC_TRY(read_count(reader, tag, "NumberOfPoints", &piece.points));
  for (int i = 0; i < CELL_LISTS; ++i) TAC_TRY(read_count(reader, tag, cell_lists[i].count, &piece.cells[i]));
  TAC_TRY(tac_array_reserve((void **)&reader->pieces, &reader->piece_room, reader->piece_count + 1, sizeof piece,
                            "pieces", reader->scanner.error));
  reader->pieces[reader->piece_count++] = piece;
  return TAC_OK;
}

static tacStatus read_array(Reader *reader, const tacXmlTag *tag, tacWord section) {
  tacScanner *s = &reader->scanner;
  Array array = {.section = section, .place = s->token, .components = 1, .offset = -1};
  array.name = tac_xml_tag_attribute(tag, "Name");
  array.type = tac_xml_tag_attribute(tag, "type");
  array.format = tac_xml_tag_attribute(tag, "format");
  tacWord components = tac_xml_tag_attribute(tag, "NumberOfComponents"), offset = tac_xml_tag_attribute(tag, "offset");
  if (components.length > 0 && !tac_number_text_integer(components.text, components.length, &array.components))
    return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected a number in NumberOfComponents");
  if (offset.length > 0 && (!tac_number_text_integer(offset.text, offset.length, &array.offset) || array.offset < 0))
    return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected a number in offset");
  array.text = array.text_end = s->at;
  if (!tag->empty) {
    const unsigned char *end = memchr(s->at, '<', tac_scanner_left(s));
    if (end == NULL) return tac_scanner_fail(s, TAC_ERR_FORMAT, "this DataArray has no end tag");
    array.text_end = s->at = end;
  }
  if (reader->piece_count == 0) return TAC_OK; /* field data of the whole file */
  TAC_TRY(tac_array_reserve((void **)&reader->arrays, &reader->array_room, reader->array_count + 1, sizeof array,
                            "arrays", s->error));
  reader->arrays[reader->array_count++] = array;
  ++reader->pieces[reader->piece_count - 1].array_count;
  return TAC_OK;
}

static tacStatus begin_appended(Reader *reader, const tacXmlTag *tag) {
  tacScanner *s = &reader->scanner;
  reader->appended_raw = tac_word_is(tac_xml_tag_attribute(tag, "encoding"), "raw");
  const unsigned char *start = memchr(s->at, '_', tac_scanner_left(s));
  if (start == NULL) return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected _ before the appended data");
  reader->appended = start + 1;
  return TAC_OK;
}

/* Collects pieces and arrays. */
static tacStatus read_elements(Reader *reader) {
  tacScanner *s = &reader->scanner;
  tacXmlTag tag;
  tacWord section = {"", 0};
  bool in_file = false;
  for (;;) {
    TAC_TRY(tac_xml_tag_next(s, &tag));
    if (tag.name.length == 0) {
      return tac_scanner_fail(s, TAC_ERR_FORMAT, in_file ? "</VTKFile> is missing" : "expected <VTKFile>");
    } else if (!in_file) {
      if (tag.closing || !tac_word_is(tag.name, "VTKFile"))
        return tac_scanner_fail(s, TAC_ERR_UNSUPPORTED, "the file is XML, but not a VTKFile: %s",
                                tac_word_quote(s, tag.name).text);
      in_file = true;
      TAC_TRY(begin_file(reader, &tag));
    } else if (tag.closing) {
      if (tac_word_is(tag.name, "VTKFile")) return TAC_OK;
    } else if (tac_word_is(tag.name, "Piece")) {
      TAC_TRY(begin_piece(reader, &tag));
    } else if (tac_word_is(tag.name, "DataArray")) {
      TAC_TRY(read_array(reader, &tag, section));
    } else if (tac_word_is(tag.name, "AppendedData")) {
      return begin_appended(reader, &tag);
    } else if (!tac_word_is(tag.name, "Array") && !tac_word_is(tag.name, "InformationKey") &&
               !tac_word_is(tag.name, "Value")) { /* those stand among the arrays of a section and inside them */
      section = tag.name;
    }
  }
}

/* ---- the arrays ---- */

/* A place in the file for errors, and the array's name. */
typedef struct OpenArray {
  tacScanner place;
  char part[80];
  tacNumberType type;
  tacVtuArray data;
} OpenArray;

static void close_array(OpenArray *open) {
  tac_vtu_array_close(&open->data);
}

static tacStatus open_array(Reader *reader, const Array *array, OpenArray *open) {
  open->place = reader->scanner;
  open->place.token = array->place;
  open->place.binary = false;
  snprintf(open->part, sizeof open->part, "array %s",
           tac_word_quote(&open->place, array->name.length > 0 ? array->name : array->section).text);
  if (!find_type(array->type, &open->type))
    return tac_scanner_fail(&open->place, TAC_ERR_FORMAT, "%s: expected a type such as Float32, found %s", open->part,
                            tac_word_quote(&open->place, array->type).text);
  tacVtuFormat format = TAC_VTU_ASCII;
  const unsigned char *data = array->text, *end = array->text_end;
  if (tac_word_is(array->format, "binary")) {
    format = TAC_VTU_BASE64;
  } else if (tac_word_is(array->format, "appended")) {
    format = reader->appended_raw ? TAC_VTU_RAW : TAC_VTU_BASE64;
    end = reader->scanner.end;
    if (reader->appended == NULL || array->offset < 0 || array->offset > end - reader->appended)
      return tac_scanner_fail(&open->place, TAC_ERR_FORMAT, "%s: its offset %" PRId64 " is not in the appended data",
                              open->part, array->offset);
    data = reader->appended + array->offset;
  } else if (array->format.length > 0 && !tac_word_is(array->format, "ascii")) {
    return tac_scanner_fail(&open->place, TAC_ERR_FORMAT, "%s: expected the format ascii, binary or appended, found %s",
                            open->part, tac_word_quote(&open->place, array->format).text);
  }
  TAC_TRY(tac_vtu_array_open(&open->data, &open->place, open->part, &reader->encoding, format, data, end));
  reader->builder->assignments_left += TAC_MESH_BUILDER_ASSIGNMENTS * open->data.size;
  if (reader->encoding.compressed) reader->encoding.most_expanded -= open->data.size;
  /* No two arrays share bytes, so that many small tags cannot ask for one large array again and again. */
  reader->stored_bytes += open->data.stored_size;
  if (reader->stored_bytes <= (size_t)(reader->scanner.end - reader->scanner.begin)) return TAC_OK;
  return tac_scanner_fail(&open->place, TAC_ERR_FORMAT, "%s: its data overlap the data of other arrays", open->part);
}

/* Refuses more numbers than the array can hold. */
static tacStatus check_size(const OpenArray *open, int64_t count) {
  const tacScanner *s = &open->data.scanner;
  return tac_scanner_check_count(s, count, s->binary ? tac_number_type_size(open->type) : 2, "numbers");
}

static tacStatus read_integers(Reader *reader, const Array *array, int64_t count, int64_t **list) {
  TAC_FREED(close_array, OpenArray, open) = {.type = 0};
  TAC_TRY(open_array(reader, array, &open));
  TAC_TRY(check_size(&open, count));
  TAC_TRY(TAC_ARRAY(*list, (size_t)count, "numbers of cells", reader->scanner.error));
  for (int64_t i = 0; i < count; ++i)
    TAC_TRY(tac_scanner_value_integer(&open.data.scanner, open.type, "a number of a cell", 0, INT64_MAX, &(*list)[i]));
  return TAC_OK;
}

static const Array *find_array(const Reader *reader, const Piece *piece, const char *section, const char *name) {
  for (size_t a = piece->first_array; a < piece->first_array + piece->array_count; ++a) {
    const Array *array = &reader->arrays[a];
    if (tac_word_is(array->section, section) && (name == NULL || tac_word_is(array->name, name))) return array;
  }
  return NULL;
}

static tacStatus missing(const Reader *reader, const char *section, const char *name) {
  return tac_scanner_fail(&reader->scanner, TAC_ERR_FORMAT, "a piece has no array %s in %s", name, section);
}

static tacStatus read_points(Reader *reader, const Piece *piece) {
  const Array *array = find_array(reader, piece, "Points", NULL);
  TAC_FREED(close_array, OpenArray, open) = {.type = 0};
  if (piece->points == 0) return TAC_OK;
  if (array == NULL) return missing(reader, "Points", "of coordinates");
  TAC_TRY(open_array(reader, array, &open));
  if (array->components != 3)
    return tac_scanner_fail(&open.place, TAC_ERR_FORMAT, "expected 3 components of points, found %" PRId64,
                            array->components);
  TAC_TRY(check_size(&open, 3 * piece->points));
  for (int64_t v = 0; v < piece->points; ++v) {
    tacVec3 point;
    TAC_TRY(tac_scanner_point(&open.data.scanner, open.type, &point));
    TAC_TRY(tac_mesh_builder_add_vertex(reader->builder, point));
  }
  return TAC_OK;
}

/* Cells of one section, of the types of its array or, without one, all of `type`. */
static tacStatus read_cells(Reader *reader, const Piece *piece, const char *section, int64_t count, int64_t type,
                            size_t first_vertex) {
  if (count == 0) return TAC_OK;
  const Array *connectivity = find_array(reader, piece, section, "connectivity");
  const Array *offsets = find_array(reader, piece, section, "offsets"),
              *types = find_array(reader, piece, section, "types");
  TAC_MEMORY(int64_t, end) = NULL;
  TAC_MEMORY(int64_t, list) = NULL;
  TAC_MEMORY(int64_t, kinds) = NULL;
  if (connectivity == NULL) return missing(reader, section, "connectivity");
  if (offsets == NULL) return missing(reader, section, "offsets");
  if (types == NULL && type < 0) return missing(reader, section, "types");
  TAC_TRY(read_integers(reader, offsets, count, &end));
  TAC_TRY(read_integers(reader, connectivity, end[count - 1], &list));
  if (type < 0) TAC_TRY(read_integers(reader, types, count, &kinds));
  tacScanner place = reader->scanner;
  place.token = offsets->place;
  place.binary = false;
  for (int64_t c = 0; c < count; ++c) {
    int64_t start = c > 0 ? end[c - 1] : 0;
    if (end[c] < start || end[c] > end[count - 1])
      return tac_scanner_fail(&place, TAC_ERR_FORMAT, "offsets do not ascend at cell %" PRId64, c);
    TAC_TRY(tac_vtk_cells_add(&reader->cells, &place, kinds != NULL ? kinds[c] : type, end[c] - start, list + start,
                              first_vertex));
  }
  return TAC_OK;
}

static tacStatus read_flags(Reader *reader, const Piece *piece, size_t first_vertex, size_t first_cell) {
  for (size_t a = piece->first_array; a < piece->first_array + piece->array_count; ++a) {
    const Array *array = &reader->arrays[a];
    bool of_points = tac_word_is(array->section, "PointData");
    tacNumberType type;
    if (!of_points && !tac_word_is(array->section, "CellData")) continue;
    if (array->components != 1 || !find_type(array->type, &type) || type >= TAC_NUMBER_F32) continue;
    if (!tac_group_flag_is(array->name, of_points ? TAC_GROUP_FLAG_VERTICES : TAC_GROUP_FLAG_ELEMENTS)) continue;
    size_t first = of_points ? first_vertex : first_cell;
    size_t count = (of_points ? reader->builder->vertex_count : reader->cells.count) - first;
    TAC_FREED(close_array, OpenArray, open) = {.type = 0};
    TAC_TRY(open_array(reader, array, &open));
    TAC_TRY(check_size(&open, (int64_t)count));
    TAC_TRY(
        tac_vtk_cells_read_flags(&reader->cells, &open.data.scanner, open.type, array->name, of_points, first, count));
  }
  return TAC_OK;
}

static tacStatus read_pieces(Reader *reader) {
  TAC_TRY(read_elements(reader));
  for (size_t p = 0; p < reader->piece_count; ++p) {
    const Piece *piece = &reader->pieces[p];
    size_t first_vertex = reader->builder->vertex_count, first_cell = reader->cells.count;
    TAC_TRY(read_points(reader, piece));
    for (int i = reader->polydata ? 1 : 0; i < (reader->polydata ? CELL_LISTS : 1); ++i)
      TAC_TRY(read_cells(reader, piece, cell_lists[i].section, piece->cells[i], cell_lists[i].type, first_vertex));
    TAC_TRY(read_flags(reader, piece, first_vertex, first_cell));
  }
  return TAC_OK;
}

static void free_reader(Reader *reader) {
  tac_vtk_cells_free(&reader->cells);
  free(reader->arrays);
  free(reader->pieces);
}

tacStatus tac_vtu_read(tacScanner *scanner, tacMeshBuilder *builder) {
  TAC_FREED(free_reader, Reader, reader) = {.scanner = *scanner, .builder = builder, .cells.builder = builder};
  reader.encoding.most_expanded = MOST_EXPANSION * ((uint64_t)(scanner->end - scanner->begin) + 16384);
  return read_pieces(&reader);
}

/* ---- writing ---- */

static tacVec3 get_point(const void *source, int64_t v) {
  return tac_joined_mesh_vertex(source, (int)v);
}

/* The cell whose corners include corner `i` of all, and its place among them: 3 a triangle, 4 a tetrahedron, 8 a brick. */
static int64_t get_corner(const void *source, int64_t i) {
  const tacJoinedMesh *mesh = source;
  int64_t triangles = mesh->surface->triangle_count, tets = mesh->volume->tet_count;
  int64_t of_tets = i - 3 * triangles, of_bricks = of_tets - 4 * tets;
  int corners[8];
  tac_joined_mesh_cell(mesh, of_tets < 0 ? i / 3 : triangles + (of_bricks < 0 ? of_tets / 4 : tets + of_bricks / 8),
                       corners);
  return corners[of_tets < 0 ? i % 3 : of_bricks < 0 ? of_tets % 4 : of_bricks % 8];
}

static int64_t get_offset(const void *source, int64_t cell) {
  const tacJoinedMesh *mesh = source;
  int64_t end = cell + 1, triangles = mesh->surface->triangle_count, others = triangles + mesh->volume->tet_count;
  if (end <= triangles) return 3 * end;
  return end <= others ? 4 * end - triangles : 8 * end - triangles - 4 * others;
}

static int64_t get_type(const void *source, int64_t cell) {
  return tac_vtk_cell_type(source, cell);
}

/* Array `a` of the flags. */
typedef struct Flags {
  const tacJoinedMesh *mesh;
  const tacVtkFlagsList *flags;
  int a;
} Flags;

static int64_t get_flag(const void *source, int64_t i) {
  const Flags *flags = source;
  return (i == 0 ? tac_vtk_flags_fill(flags->flags, flags->a, flags->mesh) : flags->flags->bytes)[i];
}

tacStatus tac_vtu_write(FILE *stream, bool binary, const tacMeshContents *contents, tacError *error) {
  TAC_FREED(tac_joined_mesh_free, tacJoinedMesh, mesh) = {0};
  TAC_FREED(tac_vtk_flags_free, tacVtkFlagsList, flags) = {0};
  TAC_TRY(tac_joined_mesh_make(contents, &mesh, error));
  TAC_TRY(tac_vtk_flags_list(&mesh, &flags, error));
  int count = FIRST_FLAGS + flags.count;
  Flags *arrays = tac_arrays_add(&flags.arrays, (size_t)flags.count, sizeof *arrays);
  tacVtuField *fields = tac_arrays_add(&flags.arrays, (size_t)count, sizeof *fields);
  TAC_TRY(tac_arrays_status(&flags.arrays, "arrays", error));
  int64_t points = mesh.vertex_count, cells = tac_joined_mesh_cell_count(&mesh);
  int64_t corners = cells > 0 ? get_offset(&mesh, cells - 1) : 0;
  fields[0] = (tacVtuField){"Points", "", "Points", points, 0, &mesh, get_point, NULL};
  fields[1] = (tacVtuField){"Cells", "", "connectivity", corners, 4, &mesh, NULL, get_corner};
  fields[2] = (tacVtuField){"Cells", "", "offsets", cells, 8, &mesh, NULL, get_offset};
  fields[3] = (tacVtuField){"Cells", "", "types", cells, 1, &mesh, NULL, get_type};
  for (int a = 0; a < flags.count; ++a) {
    const tacVtkFlags *of = &flags.list[a];
    bool of_points = a < flags.of_vertices;
    arrays[a] = (Flags){&mesh, &flags, a};
    fields[FIRST_FLAGS + a] = (tacVtuField){.section = of_points ? "PointData" : "CellData",
                                            .prefix = of->prefix,
                                            .name = of->name,
                                            .count = of_points ? points : cells,
                                            .size = 1,
                                            .source = &arrays[a],
                                            .integer = get_flag};
  }
  tac_vtu_write_grid(stream, binary, points, cells, count, fields);
  return TAC_OK;
}
