#include "mesh/formats/vtu_file.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "mesh/contents/group_flags.h"
#include "mesh/formats/vtk_cells.h"
#include "mesh/formats/vtu_array.h"
#include "mesh/text/byte_order.h"
#include "mesh/text/number_text.h"
#include "mesh/text/xml_tag.h"

/* What zlib may make of a byte of the file, all arrays together: meshes of regular grids need 10. It could make 1032, for
 * which a small file would fill the memory. */
#define MOST_EXPANSION 64

/* A <DataArray>: where it is, what it holds. Nothing of it is decoded before the whole file is known. */
typedef struct Array {
  tacWord section, name, type, format; /* section: the element around it, such as Points */
  int64_t components, offset;
  const unsigned char *place, *text, *text_end;
} Array;

typedef struct Piece {
  size_t first_array, array_count;
  int64_t points, cells, verts, lines, strips, polys;
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
    return tac_scanner_fail(&reader->scanner, TAC_ERR_FORMAT, "expected a number of things in %s, found %s", attribute,
                            tac_word_quote(&reader->scanner, word).text);
  return TAC_OK;
}

static tacStatus begin_file(Reader *reader, const tacXmlTag *tag) {
  tacScanner *s = &reader->scanner;
  tacWord type = tac_xml_tag_attribute(tag, "type");
  reader->polydata = tac_word_is(type, "PolyData");
  if (!reader->polydata && !tac_word_is(type, "UnstructuredGrid"))
    return tac_scanner_fail(s, TAC_ERR_UNSUPPORTED, "a VTKFile of type %s; UnstructuredGrid and PolyData are read",
                            tac_word_quote(s, type).text);
  tacWord compressor = tac_xml_tag_attribute(tag, "compressor");
  reader->encoding.big_endian = tac_word_is(tac_xml_tag_attribute(tag, "byte_order"), "BigEndian");
  reader->encoding.wide_header = tac_word_is(tac_xml_tag_attribute(tag, "header_type"), "UInt64");
  reader->encoding.compressed = compressor.length > 0;
  if (compressor.length > 0 && !tac_word_is(compressor, "vtkZLibDataCompressor"))
    return tac_scanner_fail(s, TAC_ERR_UNSUPPORTED, "compressed by %s; vtkZLibDataCompressor is read",
                            tac_word_quote(s, compressor).text);
  return TAC_OK;
}

static tacStatus begin_piece(Reader *reader, const tacXmlTag *tag) {
  Piece piece = {.first_array = reader->array_count};
  TAC_TRY(read_count(reader, tag, "NumberOfPoints", &piece.points));
  TAC_TRY(read_count(reader, tag, "NumberOfCells", &piece.cells));
  TAC_TRY(read_count(reader, tag, "NumberOfVerts", &piece.verts));
  TAC_TRY(read_count(reader, tag, "NumberOfLines", &piece.lines));
  TAC_TRY(read_count(reader, tag, "NumberOfStrips", &piece.strips));
  TAC_TRY(read_count(reader, tag, "NumberOfPolys", &piece.polys));
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
    if (end == NULL) return tac_scanner_fail(s, TAC_ERR_FORMAT, "this DataArray has no end");
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
        return tac_scanner_fail(s, TAC_ERR_UNSUPPORTED, "XML, but not a VTKFile: %s", tac_word_quote(s, tag.name).text);
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

static tacStatus open_array(Reader *reader, const Array *array, OpenArray *open) {
  open->place = reader->scanner;
  open->place.token = array->place;
  open->place.binary = false;
  snprintf(open->part, sizeof open->part, "array %s",
           tac_word_quote(&open->place, array->name.length > 0 ? array->name : array->section).text);
  open->data = (tacVtuArray){.bytes = NULL};
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
  tac_vtu_array_close(&open->data);
  return tac_scanner_fail(&open->place, TAC_ERR_FORMAT, "%s: its bytes belong to other arrays as well", open->part);
}

/* Refuses more numbers than the array can hold. */
static tacStatus check_size(const OpenArray *open, int64_t count) {
  const tacScanner *s = &open->data.scanner;
  return tac_scanner_check_count(s, count, s->binary ? tac_number_type_size(open->type) : 2, "numbers");
}

static tacStatus read_integers(Reader *reader, const Array *array, int64_t count, int64_t **list) {
  OpenArray open;
  TAC_TRY(open_array(reader, array, &open));
  tacStatus status = check_size(&open, count);
  if (status == TAC_OK) {
    *list = tac_array_create((size_t)count, sizeof **list, "numbers of cells", reader->scanner.error);
    if (*list == NULL) status = TAC_ERR_MEMORY;
  }
  for (int64_t i = 0; i < count && status == TAC_OK; ++i)
    status = tac_scanner_value_integer(&open.data.scanner, open.type, "a number of a cell", 0, INT64_MAX, &(*list)[i]);
  tac_vtu_array_close(&open.data);
  return status;
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
  OpenArray open;
  if (piece->points == 0) return TAC_OK;
  if (array == NULL) return missing(reader, "Points", "of coordinates");
  TAC_TRY(open_array(reader, array, &open));
  tacStatus status = TAC_OK;
  if (array->components != 3)
    status = tac_scanner_fail(&open.place, TAC_ERR_FORMAT, "expected 3 components of points, found %" PRId64,
                              array->components);
  if (status == TAC_OK) status = check_size(&open, 3 * piece->points);
  for (int64_t v = 0; v < piece->points && status == TAC_OK; ++v) {
    tacVec3 point;
    status = tac_scanner_point(&open.data.scanner, open.type, &point);
    if (status == TAC_OK) status = tac_mesh_builder_add_vertex(reader->builder, point);
  }
  tac_vtu_array_close(&open.data);
  return status;
}

/* Cells of one section, of the types of its array or, without one, all of `type`. */
static tacStatus read_cells(Reader *reader, const Piece *piece, const char *section, int64_t count, int64_t type,
                            size_t first_vertex) {
  if (count == 0) return TAC_OK;
  const Array *connectivity = find_array(reader, piece, section, "connectivity");
  const Array *offsets = find_array(reader, piece, section, "offsets"),
              *types = find_array(reader, piece, section, "types");
  int64_t *end = NULL, *list = NULL, *kinds = NULL;
  if (connectivity == NULL) return missing(reader, section, "connectivity");
  if (offsets == NULL) return missing(reader, section, "offsets");
  if (types == NULL && type < 0) return missing(reader, section, "types");
  tacStatus status = read_integers(reader, offsets, count, &end);
  if (status == TAC_OK) status = read_integers(reader, connectivity, end[count - 1], &list);
  if (status == TAC_OK && type < 0) status = read_integers(reader, types, count, &kinds);
  tacScanner place = reader->scanner;
  place.token = offsets->place;
  place.binary = false;
  for (int64_t c = 0; c < count && status == TAC_OK; ++c) {
    int64_t start = c > 0 ? end[c - 1] : 0;
    if (end[c] < start || end[c] > end[count - 1])
      status = tac_scanner_fail(&place, TAC_ERR_FORMAT, "offsets do not ascend at cell %" PRId64, c);
    else
      status = tac_vtk_cells_add(&reader->cells, &place, kinds != NULL ? kinds[c] : type, end[c] - start, list + start,
                                 first_vertex);
  }
  free(end);
  free(list);
  free(kinds);
  return status;
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
    OpenArray open;
    TAC_TRY(open_array(reader, array, &open));
    tacStatus status = check_size(&open, (int64_t)count);
    if (status == TAC_OK)
      status =
          tac_vtk_cells_read_flags(&reader->cells, &open.data.scanner, open.type, array->name, of_points, first, count);
    tac_vtu_array_close(&open.data);
    TAC_TRY(status);
  }
  return TAC_OK;
}

static tacStatus read_pieces(Reader *reader) {
  TAC_TRY(read_elements(reader));
  for (size_t p = 0; p < reader->piece_count; ++p) {
    const Piece *piece = &reader->pieces[p];
    size_t first_vertex = reader->builder->vertex_count, first_cell = reader->cells.count;
    TAC_TRY(read_points(reader, piece));
    if (reader->polydata) {
      TAC_TRY(read_cells(reader, piece, "Verts", piece->verts, TAC_VTK_POINTS, first_vertex));
      TAC_TRY(read_cells(reader, piece, "Lines", piece->lines, TAC_VTK_LINES, first_vertex));
      TAC_TRY(read_cells(reader, piece, "Polys", piece->polys, TAC_VTK_POLYGON, first_vertex));
      TAC_TRY(read_cells(reader, piece, "Strips", piece->strips, TAC_VTK_STRIP, first_vertex));
    } else {
      TAC_TRY(read_cells(reader, piece, "Cells", piece->cells, -1, first_vertex));
    }
    TAC_TRY(read_flags(reader, piece, first_vertex, first_cell));
  }
  return TAC_OK;
}

tacStatus tac_vtu_read(const char *name, const unsigned char *bytes, size_t size, tacMeshContents *contents,
                       tacError *error) {
  tacMeshBuilder builder = tac_mesh_builder_begin(name, size, error);
  Reader reader = {.scanner = tac_scanner_begin(name, bytes, size, error), .builder = &builder};
  reader.cells.builder = &builder;
  reader.encoding.most_expanded = MOST_EXPANSION * ((uint64_t)size + 16384);
  tacStatus status = read_pieces(&reader);
  tac_vtk_cells_free(&reader.cells);
  free(reader.arrays);
  free(reader.pieces);
  return tac_mesh_builder_finish(&builder, status, contents);
}

/* ---- writing ---- */

typedef struct Writer {
  FILE *stream;
  bool binary;
  tacJoinedMesh mesh;
  int64_t offset; /* of the next array in the appended data */
  unsigned char *flags;
} Writer;

typedef void (*WriteFn)(Writer *writer, const tacVtkFlags *flags);

/* In ASCII the array with its numbers; in binary its offset: the numbers are appended later. */
static void write_array(Writer *writer, const char *attributes, const tacVtkFlags *flags, int64_t size, WriteFn write) {
  fprintf(writer->stream, "<DataArray %s", attributes);
  if (flags != NULL) {
    fputs(" Name=\"", writer->stream);
    tac_group_flag_write_name(writer->stream, flags->prefix, flags->name);
    fputc('"', writer->stream);
  }
  if (writer->binary) {
    fprintf(writer->stream, " format=\"appended\" offset=\"%" PRId64 "\"/>\n", writer->offset);
    writer->offset += 8 + size;
    return;
  }
  fputs(" format=\"ascii\">\n", writer->stream);
  write(writer, flags);
  fputs("</DataArray>\n", writer->stream);
}

static void put_integer(Writer *writer, size_t size, int64_t value) {
  unsigned char bytes[8];
  if (!writer->binary) {
    fprintf(writer->stream, "%" PRId64 "\n", value);
    return;
  }
  tac_bytes_store(bytes, size, false, (uint64_t)value);
  fwrite(bytes, 1, size, writer->stream);
}

static void write_points(Writer *writer, const tacVtkFlags *flags) {
  (void)flags;
  for (int v = 0; v < writer->mesh.vertex_count; ++v) {
    tacVec3 p = tac_joined_mesh_vertex(&writer->mesh, v);
    unsigned char bytes[24];
    if (!writer->binary) {
      tac_number_text_write_point(writer->stream, p);
      fputc('\n', writer->stream);
      continue;
    }
    tac_bytes_store_double(bytes, false, p.x);
    tac_bytes_store_double(bytes + 8, false, p.y);
    tac_bytes_store_double(bytes + 16, false, p.z);
    fwrite(bytes, 1, sizeof bytes, writer->stream);
  }
}

static void write_connectivity(Writer *writer, const tacVtkFlags *flags) {
  int type, corners[8];
  (void)flags;
  for (int64_t cell = 0; cell < tac_vtk_cell_count(&writer->mesh); ++cell) {
    int count = tac_vtk_cell_corners(&writer->mesh, cell, &type, corners);
    for (int c = 0; c < count; ++c) put_integer(writer, 4, corners[c]);
  }
}

static void write_offsets(Writer *writer, const tacVtkFlags *flags) {
  int type, corners[8];
  int64_t offset = 0;
  (void)flags;
  for (int64_t cell = 0; cell < tac_vtk_cell_count(&writer->mesh); ++cell) {
    offset += tac_vtk_cell_corners(&writer->mesh, cell, &type, corners);
    put_integer(writer, 8, offset);
  }
}

static void write_types(Writer *writer, const tacVtkFlags *flags) {
  int type, corners[8];
  (void)flags;
  for (int64_t cell = 0; cell < tac_vtk_cell_count(&writer->mesh); ++cell) {
    tac_vtk_cell_corners(&writer->mesh, cell, &type, corners);
    put_integer(writer, 1, type);
  }
}

static int64_t flag_count(const Writer *writer, const tacVtkFlags *flags) {
  return flags->vertices != NULL ? writer->mesh.vertex_count : tac_vtk_cell_count(&writer->mesh);
}

static void write_flags(Writer *writer, const tacVtkFlags *flags) {
  int64_t count = flag_count(writer, flags);
  tac_vtk_flags_fill(flags, &writer->mesh, writer->flags);
  for (int64_t i = 0; i < count; ++i) put_integer(writer, 1, writer->flags[i]);
}

static void write_header(Writer *writer, int64_t corner_total, const tacVtkFlags *list, int count, int vertex_arrays) {
  int64_t cells = tac_vtk_cell_count(&writer->mesh);
  fprintf(writer->stream,
          "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
          "header_type=\"UInt64\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%" PRId64 "\">\n",
          writer->mesh.vertex_count, cells);
  fputs("<Points>\n", writer->stream);
  write_array(writer, "type=\"Float64\" Name=\"Points\" NumberOfComponents=\"3\"", NULL,
              24 * (int64_t)writer->mesh.vertex_count, write_points);
  fputs("</Points>\n<Cells>\n", writer->stream);
  write_array(writer, "type=\"Int32\" Name=\"connectivity\"", NULL, 4 * corner_total, write_connectivity);
  write_array(writer, "type=\"Int64\" Name=\"offsets\"", NULL, 8 * cells, write_offsets);
  write_array(writer, "type=\"UInt8\" Name=\"types\"", NULL, cells, write_types);
  fputs("</Cells>\n<PointData>\n", writer->stream);
  for (int a = 0; a < vertex_arrays; ++a)
    write_array(writer, "type=\"UInt8\"", &list[a], flag_count(writer, &list[a]), write_flags);
  fputs("</PointData>\n<CellData>\n", writer->stream);
  for (int a = vertex_arrays; a < count; ++a)
    write_array(writer, "type=\"UInt8\"", &list[a], flag_count(writer, &list[a]), write_flags);
  fputs("</CellData>\n</Piece>\n</UnstructuredGrid>\n", writer->stream);
}

static void append(Writer *writer, const tacVtkFlags *flags, int64_t size, WriteFn write) {
  put_integer(writer, 8, size);
  write(writer, flags);
}

tacStatus tac_vtu_write(FILE *stream, bool binary, const tacMeshContents *contents, tacError *error) {
  Writer writer = {.stream = stream, .binary = binary};
  tacVtkFlags *list = NULL;
  int count, vertex_arrays;
  TAC_TRY(tac_joined_mesh_make(contents, &writer.mesh, error));
  const tacJoinedMesh *mesh = &writer.mesh;
  int64_t cells = tac_vtk_cell_count(mesh);
  int64_t corner_total = 3 * (int64_t)mesh->surface->triangle_count + 4 * (int64_t)mesh->volume->tet_count +
                         8 * (int64_t)mesh->volume->brick_count;
  tacStatus status = tac_vtk_flags_list(mesh, &list, &count, &vertex_arrays, error);
  if (status == TAC_OK) {
    writer.flags = tac_array_create((size_t)(cells > mesh->vertex_count ? cells : mesh->vertex_count), 1,
                                    "flags of groups", error);
    if (writer.flags == NULL) status = TAC_ERR_MEMORY;
  }
  if (status == TAC_OK) {
    write_header(&writer, corner_total, list, count, vertex_arrays);
    if (binary) {
      fputs("<AppendedData encoding=\"raw\">\n_", stream);
      append(&writer, NULL, 24 * (int64_t)mesh->vertex_count, write_points);
      append(&writer, NULL, 4 * corner_total, write_connectivity);
      append(&writer, NULL, 8 * cells, write_offsets);
      append(&writer, NULL, cells, write_types);
      for (int a = 0; a < count; ++a) append(&writer, &list[a], flag_count(&writer, &list[a]), write_flags);
      fputs("\n</AppendedData>\n", stream);
    }
    fputs("</VTKFile>\n", stream);
  }
  free(list);
  free(writer.flags);
  tac_joined_mesh_free(&writer.mesh);
  return status;
}
