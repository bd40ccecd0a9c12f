/* Legacy VTK, versions 1 to 5.1: DATASET UNSTRUCTURED_GRID and POLYDATA, in ASCII and (big-endian) binary.
 *
 * Triangles, quads, polygons, pixels and strips become the surface; tetrahedra, hexahedra and voxels the volume; other cells
 * are skipped and counted in the log. Cell arrays group_NAME and point arrays set_NAME are groups and vertex sets (see
 * group_flags.h); other arrays are left out. Materials and regions are lost. Written: version 3.0, doubles. */
#include "mesh/formats/mesh_format.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "base/log.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "mesh/contents/group_flags.h"
#include "mesh/formats/number_writer.h"
#include "mesh/formats/vtk_cells.h"
#include "mesh/text/number_text.h"

/* Lists of point numbers: cell c has list[start[c]] ... list[start[c + 1] - 1]. */
typedef struct CellLists {
  int64_t *start, *list;
  int64_t count, list_count;
} CellLists;

typedef struct Reader {
  tacScanner scanner;
  tacMeshBuilder *builder;
  tacVtkCells cells;
  CellLists lists; /* of CELLS, until CELL_TYPES come */
  bool binary, new_lists, points_known;
} Reader;

static bool find_type(tacWord word, tacNumberType *type) {
  static const struct {
    const char *name;
    tacNumberType type;
  } types[] = {{"char", TAC_NUMBER_I8},           {"unsigned_char", TAC_NUMBER_U8},
               {"short", TAC_NUMBER_I16},         {"unsigned_short", TAC_NUMBER_U16},
               {"int", TAC_NUMBER_I32},           {"unsigned_int", TAC_NUMBER_U32},
               {"long", TAC_NUMBER_I64},          {"unsigned_long", TAC_NUMBER_U64},
               {"float", TAC_NUMBER_F32},         {"double", TAC_NUMBER_F64},
               {"vtkIdType", TAC_NUMBER_I32},     {"vtktypeint64", TAC_NUMBER_I64},
               {"vtktypeuint64", TAC_NUMBER_U64}, {"vtktypeint32", TAC_NUMBER_I32}};
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
    *type = types[i].type;
    if (tac_word_is_nocase(word, types[i].name)) return true;
  }
  return false;
}

static tacStatus read_type(tacScanner *s, tacNumberType *type) {
  tacWord word = tac_scanner_word(s);
  if (find_type(word, type)) return TAC_OK;
  return tac_scanner_expected(s, word, "a type such as float or int");
}

/* Numbers follow the end of this line. */
static tacStatus begin_data(Reader *reader) {
  tacScanner *s = &reader->scanner;
  s->by_line = true;
  tacWord word = tac_scanner_peek(s);
  s->by_line = false;
  if (word.length > 0) return tac_scanner_expected(s, word, "the end of the line");
  tac_scanner_skip_line(s);
  s->token = s->at;
  s->binary = reader->binary;
  return TAC_OK;
}

static void end_data(Reader *reader) {
  reader->scanner.binary = false;
}

static size_t least_bytes(const Reader *reader, tacNumberType type) {
  return reader->binary ? tac_number_type_size(type) : 2;
}

static tacStatus read_header(Reader *reader) {
  tacScanner *s = &reader->scanner;
  tacWord first = tac_scanner_rest_of_line(s);
  if (first.length < 24 || memcmp(first.text, "# vtk DataFile Version", 22) != 0)
    return tac_scanner_expected(s, first, "# vtk DataFile Version");
  tacWord version = {first.text + 22, 0};
  while (version.text < first.text + first.length && *version.text == ' ') ++version.text;
  version.length = (size_t)(first.text + first.length - version.text);
  double number;
  if (!tac_number_text_double(version.text, version.length, &number))
    return tac_scanner_expected(s, version, "a version");
  reader->new_lists = number >= 5.0;
  tac_scanner_skip_line(s);
  tac_scanner_skip_line(s); /* the title */
  tacWord kind = tac_scanner_word(s);
  reader->binary = tac_word_is_nocase(kind, "BINARY");
  if (!reader->binary && !tac_word_is_nocase(kind, "ASCII")) return tac_scanner_expected(s, kind, "ASCII or BINARY");
  TAC_TRY(tac_scanner_expect(s, "DATASET"));
  tacWord dataset = tac_scanner_word(s);
  if (!tac_word_is(dataset, "UNSTRUCTURED_GRID") && !tac_word_is(dataset, "POLYDATA"))
    return tac_scanner_fail(s, TAC_ERR_UNSUPPORTED, "DATASET %s is not supported; use UNSTRUCTURED_GRID or POLYDATA",
                            tac_word_quote(s, dataset).text);
  return TAC_OK;
}

static tacStatus read_points(Reader *reader) {
  tacScanner *s = &reader->scanner;
  int64_t count;
  tacNumberType type;
  tacVec3 point;
  if (reader->points_known) return tac_scanner_fail(s, TAC_ERR_FORMAT, "POINTS is given twice; give it once");
  reader->points_known = true;
  TAC_TRY(tac_scanner_integer(s, "the number of points", 0, INT64_MAX, &count));
  TAC_TRY(read_type(s, &type));
  TAC_TRY(begin_data(reader));
  TAC_TRY(tac_scanner_check_count(s, count, 3 * least_bytes(reader, type), "points"));
  for (int64_t v = 0; v < count; ++v) {
    TAC_TRY(tac_scanner_point(s, type, &point));
    TAC_TRY(tac_mesh_builder_add_vertex(reader->builder, point));
  }
  end_data(reader);
  return TAC_OK;
}

static tacStatus read_integers(Reader *reader, tacNumberType type, int64_t count, const char *what, int64_t **list) {
  tacScanner *s = &reader->scanner;
  TAC_TRY(begin_data(reader));
  TAC_TRY(tac_scanner_check_count(s, count, least_bytes(reader, type), what));
  TAC_TRY(TAC_ARRAY(*list, (size_t)count, what, s->error));
  for (int64_t i = 0; i < count; ++i)
    TAC_TRY(tac_scanner_value_integer(s, type, "a number of a cell", 0, INT64_MAX, &(*list)[i]));
  end_data(reader);
  return TAC_OK;
}

static void free_lists(CellLists *lists) {
  free(lists->start);
  free(lists->list);
  *lists = (CellLists){NULL, NULL, 0, 0};
}

/* Version 5: "CELLS 3 8", then OFFSETS (one more than there are cells) and CONNECTIVITY. */
static tacStatus read_new_lists(Reader *reader, CellLists *lists, int64_t offset_count, int64_t list_count) {
  tacScanner *s = &reader->scanner;
  tacNumberType type;
  TAC_TRY(tac_scanner_expect(s, "OFFSETS"));
  TAC_TRY(read_type(s, &type));
  TAC_TRY(read_integers(reader, type, offset_count, "offsets", &lists->start));
  TAC_TRY(tac_scanner_expect(s, "CONNECTIVITY"));
  TAC_TRY(read_type(s, &type));
  TAC_TRY(read_integers(reader, type, list_count, "points of cells", &lists->list));
  lists->count = offset_count > 0 ? offset_count - 1 : 0;
  lists->list_count = list_count;
  for (int64_t c = 0; c < lists->count; ++c) {
    if (lists->start[c] > lists->start[c + 1] || lists->start[c + 1] > list_count)
      return tac_scanner_fail(s, TAC_ERR_FORMAT, "OFFSETS do not ascend to %" PRId64 " at cell %" PRId64, list_count,
                              c);
  }
  return TAC_OK;
}

/* Before version 5: "CELLS 2 8", then for each cell the number of its points and the points. */
static tacStatus read_old_lists(Reader *reader, CellLists *lists, int64_t cell_count, int64_t number_count) {
  tacScanner *s = &reader->scanner;
  TAC_TRY(read_integers(reader, TAC_NUMBER_I32, number_count, "points of cells", &lists->list));
  if (cell_count > number_count)
    return tac_scanner_fail(s, TAC_ERR_FORMAT, "%" PRId64 " cells need more than the stated %" PRId64 " numbers",
                            cell_count, number_count);
  TAC_TRY(TAC_ARRAY(lists->start, (size_t)cell_count + 1, "cells", s->error));
  int64_t at = 0, kept = 0;
  for (int64_t c = 0; c < cell_count; ++c) {
    int64_t length = at < number_count ? lists->list[at] : 0;
    if (at >= number_count || length > number_count - at - 1)
      return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected %" PRId64 " cells in %" PRId64 " numbers, found %" PRId64,
                              cell_count, number_count, c);
    memmove(lists->list + kept, lists->list + at + 1, (size_t)length * sizeof *lists->list);
    at += 1 + length;
    kept += length;
    lists->start[c + 1] = kept;
  }
  if (at != number_count)
    return tac_scanner_fail(s, TAC_ERR_FORMAT, "%" PRId64 " cells have %" PRId64 " numbers, but %" PRId64 " are stated",
                            cell_count, at, number_count);
  lists->count = cell_count;
  lists->list_count = kept;
  return TAC_OK;
}

static tacStatus read_lists(Reader *reader, CellLists *lists) {
  tacScanner *s = &reader->scanner;
  int64_t first, second;
  free_lists(lists);
  TAC_TRY(tac_scanner_integer(s, "the number of cells", 0, INT_MAX, &first));
  TAC_TRY(tac_scanner_integer(s, "the number of numbers of cells", 0, INT64_MAX, &second));
  /* Only the word OFFSETS tells versions apart surely: writers of 5.0 exist that keep the old lists. */
  if (reader->new_lists && tac_word_is(tac_scanner_peek(s), "OFFSETS"))
    return read_new_lists(reader, lists, first, second);
  return read_old_lists(reader, lists, first, second);
}

static tacStatus add_cells(Reader *reader, const CellLists *lists, const int64_t *types, int64_t type) {
  for (int64_t c = 0; c < lists->count; ++c)
    TAC_TRY(tac_vtk_cells_add(&reader->cells, &reader->scanner, types != NULL ? types[c] : type,
                              lists->start[c + 1] - lists->start[c], lists->list + lists->start[c], 0));
  return TAC_OK;
}

static tacStatus read_cell_types(Reader *reader) {
  tacScanner *s = &reader->scanner;
  int64_t count;
  TAC_MEMORY(int64_t, types) = NULL;
  TAC_TRY(tac_scanner_integer(s, "the number of cells", 0, INT_MAX, &count));
  if (count != reader->lists.count)
    return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected %" PRId64 " types for as many cells, found %" PRId64,
                            reader->lists.count, count);
  TAC_TRY(read_integers(reader, TAC_NUMBER_I32, count, "types of cells", &types));
  TAC_TRY(add_cells(reader, &reader->lists, types, 0));
  free_lists(&reader->lists);
  return TAC_OK;
}

/* ---- arrays of data ---- */

typedef struct Data {
  bool of_points, known; /* known: POINT_DATA or CELL_DATA was read */
  int64_t count;
} Data;

/* One array of `tuples` x `components` numbers: flags of a group, or passed over. */
static tacStatus read_array(Reader *reader, const Data *data, tacWord name, tacNumberType type, int64_t components,
                            int64_t tuples) {
  tacScanner *s = &reader->scanner;
  TAC_TRY(begin_data(reader));
  if (components > 0)
    TAC_TRY(tac_scanner_check_count(s, tuples, (size_t)components * least_bytes(reader, type), "tuples"));
  const char *prefix = data->of_points ? TAC_GROUP_FLAG_VERTICES : TAC_GROUP_FLAG_ELEMENTS;
  int64_t items = (int64_t)(data->of_points ? reader->builder->vertex_count : reader->cells.count);
  if (data->known && components == 1 && tuples == items && type < TAC_NUMBER_F32 && tac_group_flag_is(name, prefix)) {
    TAC_TRY(tac_vtk_cells_read_flags(&reader->cells, s, type, name, data->of_points, 0, (size_t)tuples));
  } else {
    for (int64_t i = 0; i < tuples && components > 0; ++i)
      for (int64_t c = 0; c < components; ++c) TAC_TRY(tac_scanner_pass_value(s, type, "a number of an array"));
  }
  end_data(reader);
  return TAC_OK;
}

#define MOST_COMPONENTS 1000

/* Lines up to an empty one. */
static void pass_metadata(tacScanner *s) {
  do tac_scanner_skip_line(s);
  while (tac_scanner_rest_of_line(s).length > 0);
}

/* Returns in `understood` false where the type of an array is not one of numbers. */
static tacStatus read_field(Reader *reader, const Data *data, bool *understood) {
  tacScanner *s = &reader->scanner;
  int64_t arrays, components, tuples;
  tacNumberType type;
  tac_scanner_word(s); /* the name of the field */
  TAC_TRY(tac_scanner_integer(s, "the number of arrays", 0, INT_MAX, &arrays));
  for (int64_t a = 0; a < arrays; ++a) {
    tacWord name = tac_scanner_word(s);
    if (tac_word_is(name, "METADATA")) { /* of the array before */
      pass_metadata(s);
      --a;
      continue;
    }
    TAC_TRY(tac_scanner_integer(s, "the number of components", 0, MOST_COMPONENTS, &components));
    TAC_TRY(tac_scanner_integer(s, "the number of tuples", 0, INT_MAX, &tuples));
    *understood = find_type(tac_scanner_word(s), &type);
    if (!*understood) return TAC_OK;
    TAC_TRY(read_array(reader, data, name, type, components, tuples));
  }
  return TAC_OK;
}

/* What follows the type of SCALARS: their number of components, where it is stated, and the name of a table. */
static tacStatus read_end_of_scalars(tacScanner *s, int64_t *components) {
  s->by_line = true;
  bool stated = tac_scanner_peek(s).length > 0;
  s->by_line = false;
  if (stated) TAC_TRY(tac_scanner_integer(s, "the number of components", 1, MOST_COMPONENTS, components));
  tacScanner ahead = *s;
  if (!tac_word_is(tac_scanner_word(&ahead), "LOOKUP_TABLE")) return TAC_OK;
  *s = ahead;
  tac_scanner_word(s); /* its name */
  return TAC_OK;
}

/* Arrays of one for each point or cell: "VECTORS name type". */
static tacStatus read_attribute(Reader *reader, const Data *data, tacWord keyword, bool *understood) {
  static const struct {
    const char *keyword;
    int components;
  } attributes[] = {{"SCALARS", 1},  {"VECTORS", 3},    {"NORMALS", 3},      {"TENSORS", 9},
                    {"TENSORS6", 6}, {"GLOBAL_IDS", 1}, {"PEDIGREE_IDS", 1}, {"EDGE_FLAGS", 1}};
  tacScanner *s = &reader->scanner;
  tacNumberType type;
  size_t i = 0;
  while (i < sizeof attributes / sizeof *attributes && !tac_word_is(keyword, attributes[i].keyword)) ++i;
  *understood = i < sizeof attributes / sizeof *attributes;
  if (!*understood) return TAC_OK;
  int64_t components = attributes[i].components;
  tacWord name = tac_scanner_word(s);
  *understood = find_type(tac_scanner_word(s), &type);
  if (!*understood) return TAC_OK;
  if (i == 0) TAC_TRY(read_end_of_scalars(s, &components));
  return read_array(reader, data, name, type, components, data->count);
}

static tacStatus read_data_section(Reader *reader, Data *data, bool of_points) {
  tacScanner *s = &reader->scanner;
  int64_t items = (int64_t)(of_points ? reader->builder->vertex_count : reader->cells.count);
  data->of_points = of_points;
  data->known = true;
  TAC_TRY(tac_scanner_integer(s, "the number of tuples", 0, INT_MAX, &data->count));
  if (data->count != items)
    return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected data of %" PRId64 " %s, found %" PRId64, items,
                            of_points ? "points" : "cells", data->count);
  return TAC_OK;
}

static tacStatus read_polydata_cells(Reader *reader, int64_t type) {
  TAC_FREED(free_lists, CellLists, lists) = {NULL, NULL, 0, 0};
  TAC_TRY(read_lists(reader, &lists));
  return add_cells(reader, &lists, NULL, type);
}

/* Returns in `understood` false for a keyword that is not known. */
static tacStatus read_keyword(Reader *reader, tacWord keyword, Data *data, bool *understood) {
  if (tac_word_is(keyword, "POINTS")) return read_points(reader);
  if (tac_word_is(keyword, "CELLS")) return read_lists(reader, &reader->lists);
  if (tac_word_is(keyword, "CELL_TYPES")) return read_cell_types(reader);
  if (tac_word_is(keyword, "POLYGONS")) return read_polydata_cells(reader, TAC_VTK_POLYGON);
  if (tac_word_is(keyword, "TRIANGLE_STRIPS")) return read_polydata_cells(reader, TAC_VTK_STRIP);
  if (tac_word_is(keyword, "LINES")) return read_polydata_cells(reader, TAC_VTK_LINES);
  if (tac_word_is(keyword, "VERTICES")) return read_polydata_cells(reader, TAC_VTK_POINTS);
  if (tac_word_is(keyword, "POINT_DATA")) return read_data_section(reader, data, true);
  if (tac_word_is(keyword, "CELL_DATA")) return read_data_section(reader, data, false);
  if (tac_word_is(keyword, "FIELD")) return read_field(reader, data, understood);
  if (tac_word_is(keyword, "METADATA")) {
    pass_metadata(&reader->scanner);
    return TAC_OK;
  }
  *understood = data->known;
  return data->known ? read_attribute(reader, data, keyword, understood) : TAC_OK;
}

static tacStatus read_all(Reader *reader) {
  tacScanner *s = &reader->scanner;
  Data data = {false, false, 0};
  TAC_TRY(read_header(reader));
  while (!tac_scanner_at_end(s)) {
    bool understood = true;
    tacWord keyword = tac_scanner_word(s);
    const unsigned char *place = s->token;
    TAC_TRY(read_keyword(reader, keyword, &data, &understood));
    if (understood) continue;
    if (!data.known && reader->cells.count == 0)
      return tac_scanner_expected(s, keyword, "a keyword such as POINTS or CELLS");
    s->token = place;
    tac_log(TAC_LOG_WARNING, "%s:%d: skipped the data from %s on", s->name, tac_scanner_line(s),
            tac_word_quote(s, keyword).text);
    break;
  }
  if (reader->lists.count > 0) return tac_scanner_fail(s, TAC_ERR_FORMAT, "the file has CELLS, but no CELL_TYPES");
  return TAC_OK;
}

static void free_reader(Reader *reader) {
  tac_vtk_cells_free(&reader->cells);
  free_lists(&reader->lists);
}

tacStatus tac_vtk_read(tacScanner *scanner, tacMeshBuilder *builder) {
  TAC_FREED(free_reader, Reader, reader) = {.scanner = *scanner, .builder = builder, .cells.builder = builder};
  reader.scanner.big_endian = true;
  return read_all(&reader);
}

/* ---- writing ---- */

static void write_points(tacNumberWriter *writer, const tacJoinedMesh *mesh) {
  fprintf(writer->stream, "POINTS %d double\n", mesh->vertex_count);
  for (int v = 0; v < mesh->vertex_count; ++v) {
    tac_number_write_point(writer, tac_joined_mesh_vertex(mesh, v));
    tac_number_end_record(writer);
  }
  if (writer->binary) fputc('\n', writer->stream);
}

static void write_cells(tacNumberWriter *writer, const tacJoinedMesh *mesh) {
  FILE *stream = writer->stream;
  int64_t cell_count = tac_joined_mesh_cell_count(mesh);
  int corners[8];
  fprintf(stream, "CELLS %" PRId64 " %" PRId64 "\n", cell_count,
          4 * (int64_t)mesh->surface->triangle_count + 5 * (int64_t)mesh->volume->tet_count +
              9 * (int64_t)mesh->volume->brick_count);
  for (int64_t cell = 0; cell < cell_count; ++cell) {
    int count = tac_joined_mesh_cell(mesh, cell, corners);
    tac_number_write_integer(writer, 4, count);
    for (int c = 0; c < count; ++c) tac_number_write_integer(writer, 4, corners[c]);
    tac_number_end_record(writer);
  }
  fprintf(stream, "%sCELL_TYPES %" PRId64 "\n", writer->binary ? "\n" : "", cell_count);
  for (int64_t cell = 0; cell < cell_count; ++cell)
    tac_number_write_record(writer, 4, 1, (const int64_t[]){tac_vtk_cell_type(mesh, cell)});
  if (writer->binary) fputc('\n', stream);
}

static tacStatus write_flags(FILE *stream, bool binary, const tacJoinedMesh *mesh, tacError *error) {
  TAC_FREED(tac_vtk_flags_free, tacVtkFlagsList, flags) = {0};
  TAC_TRY(tac_vtk_flags_list(mesh, &flags, error));
  for (int a = 0; a < flags.count; ++a) {
    bool of_vertices = a < flags.of_vertices;
    int64_t items = of_vertices ? mesh->vertex_count : tac_joined_mesh_cell_count(mesh);
    if (a == 0 || a == flags.of_vertices)
      fprintf(stream, "%s_DATA %" PRId64 "\nFIELD FieldData %d\n", of_vertices ? "POINT" : "CELL", items,
              of_vertices ? flags.of_vertices : flags.count - flags.of_vertices);
    tac_group_flag_write_name(stream, flags.list[a].prefix, flags.list[a].name);
    fprintf(stream, " 1 %" PRId64 " unsigned_char\n", items);
    const unsigned char *bytes = tac_vtk_flags_fill(&flags, a, mesh);
    if (binary) fwrite(bytes, 1, (size_t)items, stream);
    for (int64_t i = 0; !binary && i < items; ++i)
      fputs(i + 1 < items ? (bytes[i] ? "1 " : "0 ") : bytes[i] ? "1" : "0", stream);
    fputc('\n', stream);
  }
  return TAC_OK;
}

tacStatus tac_vtk_write(FILE *stream, bool binary, const tacMeshContents *contents, tacError *error) {
  TAC_FREED(tac_joined_mesh_free, tacJoinedMesh, mesh) = {0};
  TAC_TRY(tac_joined_mesh_make(contents, &mesh, error));
  fprintf(stream, "# vtk DataFile Version 3.0\nTactus\n%s\nDATASET UNSTRUCTURED_GRID\n", binary ? "BINARY" : "ASCII");
  tacNumberWriter writer = {.stream = stream, .binary = binary, .big_endian = true};
  write_points(&writer, &mesh);
  write_cells(&writer, &mesh);
  return write_flags(stream, binary, &mesh, error);
}
