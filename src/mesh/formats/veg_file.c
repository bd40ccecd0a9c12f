/* VEG, the format of the Vega library: a volume of tetrahedra or of bricks, with materials.
 *
 * Read: *VERTICES, *ELEMENTS (TET, TETS or CUBIC), *MATERIAL, *REGION, *SET (of elements: groups), *INCLUDE (a path relative
 * to the file that has it); numbers count from 0 or 1, whichever the vertices begin with. The set allElements exists always.
 * Written: all of it, counting from 1; one kind of elements only. Vertex sets are lost. Commas and '#' in names become
 * '_'. */
#include "mesh/formats/mesh_format.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/files/input_file.h"
#include "base/memory/array.h"
#include "mesh/contents/group_tags.h"
#include "mesh/text/number_text.h"

#define MOST_DEPTH 16
#define MOST_INCLUDES 256

static const char all_elements[] = "allElements";

typedef struct File {
  tacScanner scanner;
  struct stat id;     /* of the file itself, whatever its name; zeroes: none was found */
  tacInputFile input; /* nothing of the outermost, nor is there a path */
  char *path;
} File;

/* An included file is read as if its lines stood in place of the one that includes it. */
typedef struct Reader {
  tacMeshBuilder *builder;
  File files[MOST_DEPTH + 1]; /* each includes the next */
  int depth;                  /* the last of them */
  int include_count;
  bool vertices_read, elements_read;
  int64_t base; /* number of the first vertex: 0 or 1 */
  int64_t element_count, first_element;
  bool bricks;
  bool uses_all_elements;
} Reader;

static void begin(Reader *reader, tacScanner scanner) {
  File *file = &reader->files[reader->depth];
  file->scanner = scanner;
  file->scanner.comment = '#';
  file->scanner.separator = ',';
  file->scanner.by_line = true;
  if (stat(scanner.name, &file->id) != 0) file->id = (struct stat){0};
}

/* Of the innermost file. */
static tacScanner *current(Reader *reader) {
  return &reader->files[reader->depth].scanner;
}

static void leave(Reader *reader) {
  File *file = &reader->files[reader->depth--];
  tac_input_file_free(&file->input);
  free(file->path);
  *file = (File){0};
}

/* `name` beside `path`, unless it is absolute. */
static char *sibling_path(const char *path, tacWord name, tacError *error) {
  const char *slash = strrchr(path, '/');
  size_t folder = slash != NULL && name.text[0] != '/' ? (size_t)(slash - path) + 1 : 0;
  char *joined = tac_array_create(folder + name.length + 1, 1, "a path", error);
  if (joined == NULL) return NULL;
  memcpy(joined, path, folder);
  memcpy(joined + folder, name.text, name.length);
  return joined;
}

/* Enters the file that the rest of the line names. */
static tacStatus include(Reader *reader) {
  tacScanner *s = current(reader);
  tacWord name = tac_scanner_rest_of_line(s);
  if (name.length == 0 || memchr(name.text, 0, name.length) != NULL)
    return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected a path after *INCLUDE");
  if (reader->depth == MOST_DEPTH || ++reader->include_count > MOST_INCLUDES)
    return tac_scanner_fail(s, TAC_ERR_FORMAT,
                            "too many included files; at most %d files and %d levels of *INCLUDE are supported",
                            MOST_INCLUDES, MOST_DEPTH);
  File *file = &reader->files[++reader->depth];
  file->path = sibling_path(s->name, name, s->error);
  if (file->path == NULL) return TAC_ERR_MEMORY;
  TAC_TRY(tac_input_file_read(file->path, TAC_INPUT_MESH, &file->input, s->error));
  reader->builder->assignments_left += TAC_MESH_BUILDER_ASSIGNMENTS * file->input.size;
  begin(reader, tac_scanner_begin(file->path, file->input.bytes, file->input.size, s->error));
  for (int f = 0; f < reader->depth && file->id.st_ino != 0; ++f)
    if (reader->files[f].id.st_dev == file->id.st_dev && reader->files[f].id.st_ino == file->id.st_ino)
      return tac_scanner_fail(s, TAC_ERR_FORMAT, "%.200s includes itself", file->path);
  return TAC_OK;
}

/* To the next line that is not empty, in whatever file it is; none is left where the outermost is at its end. What was
 * read of lines before may be gone. */
static tacStatus next_line(Reader *reader) {
  for (;;) {
    tacScanner *s = current(reader);
    if (tac_scanner_at_end(s)) {
      if (reader->depth == 0) return TAC_OK;
      leave(reader);
    } else {
      if (!tac_word_is_nocase(tac_scanner_peek(s), "*INCLUDE")) return TAC_OK;
      tac_scanner_word(s);
      TAC_TRY(include(reader));
    }
  }
}

/* "208 3 0 0" or "75 8 0", as TetGen has them: the last numbers tell how many attributes and markers end each line. */
static tacStatus read_header(Reader *reader, const char *things, int64_t columns, int64_t *count, int64_t *extra) {
  int64_t width, more;
  TAC_TRY(next_line(reader));
  tacScanner *s = current(reader);
  *extra = 0;
  TAC_TRY(tac_scanner_integer(s, "a count", 0, INT_MAX, count));
  if (tac_scanner_peek(s).length > 0) {
    TAC_TRY(tac_scanner_integer(s, "the number of columns", 0, INT_MAX, &width));
    if (width != columns)
      return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected %" PRId64 " columns of %s, found %" PRId64, columns, things,
                              width);
  }
  while (tac_scanner_peek(s).length > 0) {
    TAC_TRY(tac_scanner_integer(s, "a number of attributes or markers", 0, INT_MAX, &more));
    *extra += more;
  }
  return TAC_OK;
}

/* The number in front of the next line: they run without gaps from 0 or 1. */
static tacStatus read_number(Reader *reader, const char *thing, int64_t index, int64_t count, int64_t *first) {
  int64_t number;
  TAC_TRY(next_line(reader));
  tacScanner *s = current(reader);
  tacWord word = tac_scanner_peek(s);
  if (word.length == 0 || word.text[0] == '*')
    return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected %" PRId64 " lines of %s, found %" PRId64 " before %s", count,
                            thing, index, tac_word_quote(s, word).text);
  TAC_TRY(tac_scanner_integer(s, "a number at the start of the line", 0, INT64_MAX, &number));
  if (index == 0 && number <= 1) *first = number;
  if (index == 0 && number > 1)
    return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected 0 or 1 as the first number of %s, found %" PRId64, thing,
                            number);
  if (number == *first + index) return TAC_OK;
  return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected number %" PRId64 " of %s, found %" PRId64, *first + index, thing,
                          number);
}

static tacStatus end_line(tacScanner *s, int64_t extra, const char *after_what) {
  double ignored;
  for (int64_t i = 0; i < extra && tac_scanner_peek(s).length > 0; ++i)
    TAC_TRY(tac_scanner_double(s, "an attribute or marker", &ignored));
  return tac_scanner_end_line(s, after_what);
}

static tacStatus read_vertices(Reader *reader) {
  tacScanner *s = current(reader);
  int64_t count, extra;
  tacVec3 point;
  if (reader->vertices_read) return tac_scanner_fail(s, TAC_ERR_FORMAT, "*VERTICES is given twice; give it once");
  reader->vertices_read = true;
  TAC_TRY(tac_scanner_end_line(s, "*VERTICES"));
  TAC_TRY(read_header(reader, "vertices", 3, &count, &extra));
  for (int64_t v = 0; v < count; ++v) {
    TAC_TRY(read_number(reader, "vertices", v, count, &reader->base));
    s = current(reader);
    TAC_TRY(tac_scanner_point(s, TAC_NUMBER_F64, &point));
    TAC_TRY(tac_mesh_builder_add_vertex(reader->builder, point));
    TAC_TRY(end_line(s, extra, "the coordinates of the vertex"));
  }
  return TAC_OK;
}

static tacStatus read_element(Reader *reader, int64_t element, int corner_count) {
  int64_t corner, vertex_count = (int64_t)reader->builder->vertex_count;
  int v[8];
  TAC_TRY(read_number(reader, "elements", element, reader->element_count, &reader->first_element));
  for (int c = 0; c < corner_count; ++c) {
    TAC_TRY(tac_scanner_integer(current(reader), "a vertex of the element", reader->base,
                                reader->base + vertex_count - 1, &corner));
    v[c] = (int)(corner - reader->base);
  }
  return reader->bricks ? tac_mesh_builder_add_brick(reader->builder, v) : tac_mesh_builder_add_tet(reader->builder, v);
}

static tacStatus read_elements(Reader *reader) {
  tacScanner *s = current(reader);
  int64_t extra;
  if (!reader->vertices_read) return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected *VERTICES before *ELEMENTS");
  if (reader->elements_read) return tac_scanner_fail(s, TAC_ERR_FORMAT, "*ELEMENTS is given twice; give it once");
  reader->elements_read = true;
  TAC_TRY(tac_scanner_end_line(s, "*ELEMENTS"));
  TAC_TRY(next_line(reader));
  s = current(reader);
  tacWord kind = tac_scanner_word(s);
  reader->bricks = tac_word_is_nocase(kind, "CUBIC");
  if (!reader->bricks && !tac_word_is_nocase(kind, "TET") && !tac_word_is_nocase(kind, "TETS"))
    return tac_scanner_expected(s, kind, "TET, TETS or CUBIC");
  TAC_TRY(tac_scanner_end_line(s, "the kind of elements"));
  int corner_count = reader->bricks ? 8 : 4;
  TAC_TRY(read_header(reader, "elements", corner_count, &reader->element_count, &extra));
  for (int64_t e = 0; e < reader->element_count; ++e) {
    TAC_TRY(read_element(reader, e, corner_count));
    TAC_TRY(end_line(current(reader), extra, "the vertices of the element"));
  }
  return TAC_OK;
}

static tacStatus assign(Reader *reader, int group, int64_t element) {
  return tac_mesh_builder_assign(reader->builder, group,
                                 reader->bricks ? tac_mesh_builder_brick_item((int)element) : (int)element);
}

static tacStatus read_set(Reader *reader) {
  tacScanner *s = current(reader);
  tacWord name = tac_scanner_rest_of_line(s);
  int group;
  int64_t number;
  if (name.length == 0) return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected a name after *SET");
  if (!reader->elements_read) return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected *ELEMENTS before *SET");
  TAC_TRY(tac_mesh_builder_group(reader->builder, TAC_GROUP_OF_ELEMENTS, name, &group));
  for (;;) {
    TAC_TRY(next_line(reader));
    s = current(reader);
    if (s->at == s->end || *s->at == '*') return TAC_OK;
    while (tac_scanner_peek(s).length > 0) {
      TAC_TRY(tac_scanner_integer(s, "an element of the set", reader->first_element,
                                  reader->first_element + reader->element_count - 1, &number));
      TAC_TRY(assign(reader, group, number - reader->first_element));
    }
  }
}

static tacStatus read_material(Reader *reader) {
  tacMeshBuilder *builder = reader->builder;
  tacScanner *s = current(reader);
  double parameters[TAC_MESH_MATERIAL_PARAMETERS];
  int count = 0, same_name;
  tacWord name = tac_scanner_rest_of_line(s);
  if (name.length == 0) return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected a name after *MATERIAL");
  TAC_TRY(tac_mesh_builder_group(builder, TAC_GROUP_OF_MATERIALS, name, &same_name));
  TAC_TRY(next_line(reader));
  s = current(reader);
  tacWord kind = tac_scanner_word(s);
  bool enu = tac_word_is(kind, "ENU"), mooney = tac_word_is(kind, "MOONEYRIVLIN");
  bool orthotropic = kind.length >= 11 && memcmp(kind.text, "ORTHOTROPIC", 11) == 0;
  if (!enu && !mooney && !orthotropic) return tac_scanner_expected(s, kind, "ENU, ORTHOTROPIC or MOONEYRIVLIN");
  while (tac_scanner_peek(s).length > 0) {
    if (count == TAC_MESH_MATERIAL_PARAMETERS) return tac_scanner_fail(s, TAC_ERR_FORMAT, "too many parameters");
    TAC_TRY(tac_scanner_double(s, "a parameter of the material", &parameters[count++]));
  }
  int expected = enu ? 3 : mooney ? 4 : 0;
  if (expected != 0 ? count != expected : count < 4)
    return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected %s%d parameters of %s, found %d",
                            expected != 0 ? "" : "at least ", expected != 0 ? expected : 4,
                            tac_word_quote(s, kind).text, count);
  TAC_TRY(tac_mesh_builder_assign(builder, same_name, (int)builder->material_count));
  const char *kept = builder->groups[same_name].name;
  return tac_mesh_builder_add_material(builder, (tacWord){kept, strlen(kept)}, kind, count, parameters);
}

static tacWord trim(const char *first, const char *last) {
  while (first < last && isspace((unsigned char)*first)) ++first;
  while (last > first && isspace((unsigned char)last[-1])) --last;
  return (tacWord){first, (size_t)(last - first)};
}

/* "set, material" */
static tacStatus read_region(Reader *reader) {
  tacMeshBuilder *builder = reader->builder;
  TAC_TRY(tac_scanner_end_line(current(reader), "*REGION"));
  TAC_TRY(next_line(reader));
  tacScanner *s = current(reader);
  tacWord line = tac_scanner_rest_of_line(s);
  const char *comma = memchr(line.text, ',', line.length), *end = line.text + line.length;
  if (comma == NULL) return tac_scanner_expected(s, line, "a set and a material with a comma between them");
  tacWord set = trim(line.text, comma), name = trim(comma + 1, end);
  int group = tac_mesh_builder_find_group(builder, TAC_GROUP_OF_ELEMENTS, set),
      same_name = tac_mesh_builder_find_group(builder, TAC_GROUP_OF_MATERIALS, name);
  if (group < 0 && tac_word_is(set, all_elements)) {
    reader->uses_all_elements = true;
    TAC_TRY(tac_mesh_builder_group(builder, TAC_GROUP_OF_ELEMENTS, set, &group));
  }
  if (group < 0) return tac_scanner_fail(s, TAC_ERR_FORMAT, "no set %s before this line", tac_word_quote(s, set).text);
  if (same_name < 0)
    return tac_scanner_fail(s, TAC_ERR_FORMAT, "no material %s before this line", tac_word_quote(s, name).text);
  const tacBuilderGroup *materials = &builder->groups[same_name];
  return tac_mesh_builder_add_region(builder, group, materials->items[materials->count - 1]);
}

static tacStatus read_sections(Reader *reader) {
  static const struct {
    const char *keyword;
    tacStatus (*read)(Reader *reader);
  } sections[] = {{"*VERTICES", read_vertices},
                  {"*ELEMENTS", read_elements},
                  {"*MATERIAL", read_material},
                  {"*REGION", read_region},
                  {"*SET", read_set}};
  for (;;) {
    TAC_TRY(next_line(reader));
    tacScanner *s = current(reader);
    if (s->at == s->end) return TAC_OK;
    tacWord keyword = tac_scanner_word(s);
    size_t i = 0;
    while (i < sizeof sections / sizeof *sections && !tac_word_is_nocase(keyword, sections[i].keyword)) ++i;
    if (i == sizeof sections / sizeof *sections)
      return tac_scanner_expected(s, keyword, "*VERTICES, *ELEMENTS, *MATERIAL, *REGION, *SET or *INCLUDE");
    TAC_TRY(sections[i].read(reader));
  }
}

static tacStatus fill_all_elements(Reader *reader) {
  int group;
  TAC_TRY(tac_mesh_builder_group(reader->builder, TAC_GROUP_OF_ELEMENTS,
                                 (tacWord){all_elements, sizeof all_elements - 1}, &group));
  for (int64_t e = 0; e < reader->element_count; ++e) TAC_TRY(assign(reader, group, e));
  return TAC_OK;
}

tacStatus tac_veg_read(tacScanner *scanner, tacMeshBuilder *builder) {
  Reader reader = {.builder = builder};
  begin(&reader, *scanner);
  tacStatus status = read_sections(&reader);
  while (reader.depth > 0) leave(&reader);
  return status == TAC_OK && reader.uses_all_elements ? fill_all_elements(&reader) : status;
}

/* ---- writing ---- */

static void write_elements(FILE *stream, const tacVolMesh *volume) {
  int corner_count = volume->brick_count > 0 ? 8 : 4, count = volume->tet_count + volume->brick_count;
  fprintf(stream, "\n*ELEMENTS\n%s\n%d %d 0\n", corner_count == 8 ? "CUBIC" : "TET", count, corner_count);
  for (int e = 0; e < count; ++e) {
    const int *v = corner_count == 8 ? volume->bricks[e].v : volume->tets[e].v;
    fprintf(stream, "%d", e + 1);
    for (int c = 0; c < corner_count; ++c) fprintf(stream, " %d", v[c] + 1);
    fputc('\n', stream);
  }
}

/* Whether the group is the set that exists always, and is used: it must not be written. */
static bool is_implied(const tacVolMesh *volume, int group) {
  const tacIndexSet *set = &volume->groups[group];
  if (strcmp(set->name, all_elements) != 0 || set->count != volume->tet_count + volume->brick_count) return false;
  for (int r = 0; r < volume->region_count; ++r)
    if (volume->regions[r].group == group) return true;
  return false;
}

static void write_sets(FILE *stream, const tacVolMesh *volume) {
  for (int g = 0; g < volume->group_count; ++g) {
    const tacIndexSet *set = &volume->groups[g];
    if (is_implied(volume, g)) continue;
    fputs("\n*SET ", stream);
    tac_group_write_name(stream, set->name, ",#");
    fputc('\n', stream);
    for (int i = 0; i < set->count; ++i)
      fprintf(stream, "%d%s", set->indices[i] + 1, i + 1 == set->count ? "\n" : i % 8 == 7 ? ",\n" : ", ");
  }
}

static void write_materials(FILE *stream, const tacVolMesh *volume) {
  char number[TAC_NUMBER_TEXT_SIZE];
  for (int m = 0; m < volume->material_count; ++m) {
    const tacMeshMaterial *material = &volume->materials[m];
    fputs("\n*MATERIAL ", stream);
    tac_group_write_name(stream, material->name, ",#");
    fprintf(stream, "\n%s", material->kind);
    for (int p = 0; p < material->parameter_count; ++p) {
      tac_number_text_print(material->parameters[p], number);
      fprintf(stream, ", %s", number);
    }
    fputc('\n', stream);
  }
  for (int r = 0; r < volume->region_count; ++r) {
    fputs("\n*REGION\n", stream);
    tac_group_write_name(stream, volume->groups[volume->regions[r].group].name, ",#");
    fputs(", ", stream);
    tac_group_write_name(stream, volume->materials[volume->regions[r].material].name, ",#");
    fputc('\n', stream);
  }
}

tacStatus tac_veg_write(FILE *stream, bool binary, const tacMeshContents *contents, tacError *error) {
  (void)binary;
  const tacVolMesh *volume = contents->volume;
  if (volume->tet_count > 0 && volume->brick_count > 0)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED,
                         "VEG supports either tetrahedra or bricks, but not both; write the volume as .msh, .vtk or "
                         ".vtu");
  fprintf(stream, "# Tactus\n*VERTICES\n%d 3 0 0\n", volume->vertex_count);
  for (int v = 0; v < volume->vertex_count; ++v) {
    fprintf(stream, "%d ", v + 1);
    tac_number_text_write_point(stream, volume->vertices[v]);
    fputc('\n', stream);
  }
  write_elements(stream, volume);
  write_sets(stream, volume);
  write_materials(stream, volume);
  return TAC_OK;
}
