#include <tactus/mesh.h>

#include <stdbool.h>
#include <string.h>
#include <strings.h>
#include "base/error.h"
#include "base/files/input_file.h"
#include "base/files/new_file.h"
#include "base/memory/owned.h"
#include "mesh/formats/mesh_file.h"
#include "mesh/formats/mesh_format.h"

/* A reader, the writer of the same files unless each of their formats has its own, and what they hold. */
typedef struct Family {
  const char *title, *read_title;
  tacMeshReader *read;
  tacMeshWriter *write;
  bool holds_surface, holds_volume;
} Family;

static const Family obj = {"OBJ", "OBJ", tac_obj_read, tac_obj_write, true, false},
                    stl = {"STL", "STL", tac_stl_read, tac_stl_write, true, false},
                    ply = {"PLY", "PLY", tac_ply_read, tac_ply_write, true, false},
                    off = {"OFF", "OFF", tac_off_read, tac_off_write, true, false},
                    msh = {"MSH", "Gmsh MSH", tac_msh_read, NULL, true, true},
                    vtk = {"VTK", "VTK", tac_vtk_read, tac_vtk_write, true, true},
                    vtu = {"VTU", "VTU", tac_vtu_read, tac_vtu_write, true, true},
                    veg = {"VEG", "VEG", tac_veg_read, tac_veg_write, false, true},
                    tetgen = {"TetGen's .node/.ele", "TetGen", tac_tetgen_read, NULL, false, true};

/* The formats: all of a family are read alike, and one of them is what an ending means. */
static const struct {
  const char *name;
  const Family *family;
  bool binary;
  const char *ending, *other_ending;
  tacMeshWriter *write; /* NULL: the family's */
} formats[TAC_MESH_FORMAT_COUNT] = {
    [TAC_MESH_FORMAT_BY_NAME] = {.name = "by-name"},
    [TAC_MESH_FORMAT_OBJ] = {.name = "obj", .family = &obj, .ending = ".obj"},
    [TAC_MESH_FORMAT_STL_ASCII] = {.name = "stl-ascii", .family = &stl},
    [TAC_MESH_FORMAT_STL_BINARY] = {.name = "stl", .family = &stl, .binary = true, .ending = ".stl"},
    [TAC_MESH_FORMAT_PLY_ASCII] = {.name = "ply-ascii", .family = &ply},
    [TAC_MESH_FORMAT_PLY_BINARY] = {.name = "ply", .family = &ply, .binary = true, .ending = ".ply"},
    [TAC_MESH_FORMAT_OFF] = {.name = "off", .family = &off, .ending = ".off"},
    [TAC_MESH_FORMAT_MSH1] = {.name = "msh1", .family = &msh, .write = tac_msh1_write},
    [TAC_MESH_FORMAT_MSH22_ASCII] = {.name = "msh22-ascii", .family = &msh, .write = tac_msh2_write},
    [TAC_MESH_FORMAT_MSH22_BINARY] = {.name = "msh22", .family = &msh, .binary = true, .write = tac_msh2_write},
    [TAC_MESH_FORMAT_MSH41_ASCII] = {.name = "msh", .family = &msh, .ending = ".msh", .write = tac_msh4_write},
    [TAC_MESH_FORMAT_MSH41_BINARY] = {.name = "msh-binary", .family = &msh, .binary = true, .write = tac_msh4_write},
    [TAC_MESH_FORMAT_VTK_ASCII] = {.name = "vtk-ascii", .family = &vtk},
    [TAC_MESH_FORMAT_VTK_BINARY] = {.name = "vtk", .family = &vtk, .binary = true, .ending = ".vtk"},
    [TAC_MESH_FORMAT_VTU_ASCII] = {.name = "vtu-ascii", .family = &vtu},
    [TAC_MESH_FORMAT_VTU_BINARY] = {.name = "vtu", .family = &vtu, .binary = true, .ending = ".vtu"},
    [TAC_MESH_FORMAT_VEG] = {.name = "veg", .family = &veg, .ending = ".veg"},
    [TAC_MESH_FORMAT_TETGEN] = {.name = "tetgen", .family = &tetgen, .ending = ".node", .other_ending = ".ele"},
};

static bool ends_in(const char *path, const char *ending) {
  size_t length = strlen(path), tail = ending != NULL ? strlen(ending) : 0;
  return tail > 0 && length >= tail && strcasecmp(path + length - tail, ending) == 0;
}

tacMeshFormat tac_mesh_format_of_path(const char *path) {
  int format = TAC_MESH_FORMAT_COUNT - 1;
  while (format > TAC_MESH_FORMAT_BY_NAME && !ends_in(path, formats[format].ending) &&
         !ends_in(path, formats[format].other_ending))
    --format;
  return (tacMeshFormat)format;
}

static const Family *family_of(tacMeshFormat format) {
  return (int)format > TAC_MESH_FORMAT_BY_NAME && format < TAC_MESH_FORMAT_COUNT ? formats[format].family : NULL;
}

const char *tac_mesh_format_name(tacMeshFormat format) {
  return (int)format >= 0 && format < TAC_MESH_FORMAT_COUNT ? formats[format].name : "unknown";
}

tacMeshFormat tac_mesh_format_find(const char *name) {
  int format = TAC_MESH_FORMAT_BY_NAME + 1;
  while (format < TAC_MESH_FORMAT_COUNT && strcmp(formats[format].name, name) != 0) ++format;
  return (tacMeshFormat)format;
}

int tac_mesh_format_holds_surface(tacMeshFormat format) {
  return family_of(format) != NULL && family_of(format)->holds_surface;
}

int tac_mesh_format_holds_volume(tacMeshFormat format) {
  return family_of(format) != NULL && family_of(format)->holds_volume;
}

/* ---- reading ---- */

tacStatus tac_mesh_format_read(tacMeshReader *read, const char *name, const unsigned char *bytes, size_t size,
                               tacMeshContents *contents, tacError *error) {
  tacMeshBuilder builder = tac_mesh_builder_begin(name, size, error);
  tacScanner scanner = tac_scanner_begin(name, bytes, size, error);
  return tac_mesh_builder_finish(&builder, read(&scanner, &builder), contents);
}

/* Whether the file, which has no signature, has lines of an OBJ file: vertices first, then faces. */
static bool looks_like_obj(const unsigned char *bytes, size_t size) {
  tacScanner s = tac_scanner_begin("", bytes, size, NULL);
  s.comment = '#';
  s.by_line = true;
  bool vertex = false;
  while (!tac_scanner_at_end(&s)) {
    tacWord word = tac_scanner_word(&s);
    if (tac_word_is(word, "v")) vertex = true;
    if (tac_word_is(word, "f")) return vertex;
    tac_scanner_skip_line(&s);
  }
  return false;
}

static bool begins_with(const unsigned char *bytes, size_t size, const char *text) {
  return size >= strlen(text) && memcmp(bytes, text, strlen(text)) == 0;
}

/* By content; NULL where it does not tell. */
static const Family *family_by_content(const unsigned char *bytes, size_t size) {
  size_t mark = tac_input_file_mark(bytes, size);
  if (tac_stl_is_binary(bytes, size)) return &stl;
  if (begins_with(bytes + mark, size - mark, "# vtk DataFile")) return &vtk;
  tacScanner s = tac_scanner_begin("", bytes, size, NULL);
  tacWord word = tac_scanner_peek(&s);
  if (word.length > 0 && word.text[0] == '$') return &msh;
  if (word.length > 0 && word.text[0] == '<') return &vtu;
  if (tac_word_is(word, "ply")) return &ply;
  if (tac_off_is(bytes, size)) return &off;
  if (tac_word_is_nocase(word, "solid")) return &stl;
  s.comment = '#';
  word = tac_scanner_peek(&s);
  return word.length > 0 && word.text[0] == '*' ? &veg : NULL;
}

/* By content, else by name: for formats with a signature the name promises one, whose reader says what is wrong. */
static const Family *find_family(const char *path, const unsigned char *bytes, size_t size) {
  const Family *family = family_by_content(bytes, size);
  if (family == NULL) family = family_of(tac_mesh_format_of_path(path));
  return family != NULL || !looks_like_obj(bytes, size) ? family : &obj;
}

static tacStatus read_bytes(const char *path, const unsigned char *bytes, size_t size, tacMeshContents *contents,
                            tacError *error) {
  if (size == tac_input_file_mark(bytes, size))
    return tac_error_set(error, TAC_ERR_FORMAT, "%s: the file is empty", path);
  const Family *family = find_family(path, bytes, size);
  if (family == NULL)
    return tac_error_set(error, TAC_ERR_FORMAT,
                         "%s: unknown mesh format; supported are OBJ, STL, PLY, OFF, Gmsh MSH, VTK, VTU, VEG and "
                         "TetGen .node/.ele",
                         path);
  return tac_mesh_format_read(family->read, path, bytes, size, contents, error);
}

tacStatus tac_mesh_read(const char *path, tacMeshContents *contents, tacError *error) {
  TAC_REQUIRE(error, contents);
  *contents = (tacMeshContents){NULL, NULL};
  TAC_REQUIRE(error, path);
  TAC_FREED(tac_input_file_free, tacInputFile, file) = {NULL, 0};
  TAC_TRY(tac_input_file_read(path, TAC_INPUT_MESH, &file, error));
  return read_bytes(path, file.bytes, file.size, contents, error);
}

const char *tac_mesh_recognise(const char *path) {
  TAC_FREED(tac_input_file_free, tacInputFile, file) = {NULL, 0};
  if (tac_input_file_read(path, TAC_INPUT_MESH, &file, NULL) != TAC_OK) return NULL;
  const Family *family = find_family(path, file.bytes, file.size);
  return family != NULL ? family->read_title : NULL;
}

/* ---- writing ---- */

static tacStatus check_holds(const Family *family, const tacMeshContents *contents, tacError *error) {
  if (contents->surface == NULL && contents->volume == NULL)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "there is no mesh to write; give a surface or a volume");
  if (contents->volume != NULL && !family->holds_volume)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED,
                         "the format %s supports only surfaces; write the volume as .msh, .vtk, .vtu, .veg or "
                         ".node/.ele",
                         family->title);
  if (contents->surface != NULL && !family->holds_surface)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED,
                         "the format %s supports only volumes; write the surface as .obj, .stl, .ply, .off, .msh, "
                         ".vtk or .vtu",
                         family->title);
  return TAC_OK;
}

tacStatus tac_mesh_write(const char *path, tacMeshFormat format, const tacMeshContents *contents, tacError *error) {
  TAC_REQUIRE(error, path, contents);
  if (format == TAC_MESH_FORMAT_BY_NAME) {
    format = tac_mesh_format_of_path(path);
    if (format == TAC_MESH_FORMAT_BY_NAME)
      return tac_error_set(
          error, TAC_ERR_ARGUMENT,
          "%s: the file name must end with the extension of a format: .obj .stl .ply .off .msh .vtk .vtu .veg .node "
          ".ele",
          path);
  }
  const Family *family = family_of(format);
  if (family == NULL) return tac_error_set(error, TAC_ERR_ARGUMENT, "unknown mesh format number %d", (int)format);
  TAC_TRY(check_holds(family, contents, error));
  if (family == &tetgen) return tac_tetgen_write(path, contents->volume, error);
  TAC_FREED(tac_new_file_discard, tacNewFile, file) = {NULL, NULL, NULL};
  TAC_TRY(tac_new_file_open(path, &file, error));
  tacMeshWriter *write = formats[format].write != NULL ? formats[format].write : family->write;
  TAC_TRY(write(file.stream, formats[format].binary, contents, error));
  return tac_new_file_commit(&file, error);
}
