#include <tactus/mesh_file.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/files/input_file.h"
#include "base/files/new_file.h"
#include "mesh/formats/msh_file.h"
#include "mesh/formats/obj_file.h"
#include "mesh/formats/off_file.h"
#include "mesh/formats/ply_file.h"
#include "mesh/formats/stl_file.h"
#include "mesh/formats/tetgen_file.h"
#include "mesh/formats/veg_file.h"
#include "mesh/formats/vtk_file.h"
#include "mesh/formats/vtu_file.h"
#include "mesh/text/scanner.h"

typedef struct Format {
  const char *name, *title;
  bool holds_surface, holds_volume;
} Format;

static const Format formats[TAC_MESH_FORMAT_COUNT] = {
    [TAC_MESH_FORMAT_BY_NAME] = {"by-name", "by the name's ending", false, false},
    [TAC_MESH_FORMAT_OBJ] = {"obj", "OBJ", true, false},
    [TAC_MESH_FORMAT_STL_ASCII] = {"stl-ascii", "STL", true, false},
    [TAC_MESH_FORMAT_STL_BINARY] = {"stl", "STL", true, false},
    [TAC_MESH_FORMAT_PLY_ASCII] = {"ply-ascii", "PLY", true, false},
    [TAC_MESH_FORMAT_PLY_BINARY] = {"ply", "PLY", true, false},
    [TAC_MESH_FORMAT_OFF] = {"off", "OFF", true, false},
    [TAC_MESH_FORMAT_MSH1] = {"msh1", "MSH", true, true},
    [TAC_MESH_FORMAT_MSH22_ASCII] = {"msh22-ascii", "MSH", true, true},
    [TAC_MESH_FORMAT_MSH22_BINARY] = {"msh22", "MSH", true, true},
    [TAC_MESH_FORMAT_MSH41_ASCII] = {"msh", "MSH", true, true},
    [TAC_MESH_FORMAT_MSH41_BINARY] = {"msh-binary", "MSH", true, true},
    [TAC_MESH_FORMAT_VTK_ASCII] = {"vtk-ascii", "VTK", true, true},
    [TAC_MESH_FORMAT_VTK_BINARY] = {"vtk", "VTK", true, true},
    [TAC_MESH_FORMAT_VTU_ASCII] = {"vtu-ascii", "VTU", true, true},
    [TAC_MESH_FORMAT_VTU_BINARY] = {"vtu", "VTU", true, true},
    [TAC_MESH_FORMAT_VEG] = {"veg", "VEG", false, true},
    [TAC_MESH_FORMAT_TETGEN] = {"tetgen", "TetGen's .node/.ele", false, true},
};

static const struct {
  const char *ending;
  tacMeshFormat format;
} endings[] = {{".obj", TAC_MESH_FORMAT_OBJ},         {".stl", TAC_MESH_FORMAT_STL_BINARY},
               {".ply", TAC_MESH_FORMAT_PLY_BINARY},  {".off", TAC_MESH_FORMAT_OFF},
               {".msh", TAC_MESH_FORMAT_MSH41_ASCII}, {".vtk", TAC_MESH_FORMAT_VTK_BINARY},
               {".vtu", TAC_MESH_FORMAT_VTU_BINARY},  {".veg", TAC_MESH_FORMAT_VEG},
               {".node", TAC_MESH_FORMAT_TETGEN},     {".ele", TAC_MESH_FORMAT_TETGEN}};

tacMeshFormat tac_mesh_format_of_path(const char *path) {
  size_t length = strlen(path);
  for (size_t i = 0; i < sizeof endings / sizeof *endings; ++i) {
    size_t tail = strlen(endings[i].ending);
    if (length >= tail && strcasecmp(path + length - tail, endings[i].ending) == 0) return endings[i].format;
  }
  return TAC_MESH_FORMAT_BY_NAME;
}

static bool is_format(tacMeshFormat format) {
  return (int)format >= 0 && format < TAC_MESH_FORMAT_COUNT;
}

const char *tac_mesh_format_name(tacMeshFormat format) {
  return is_format(format) ? formats[format].name : "unknown";
}

tacMeshFormat tac_mesh_format_find(const char *name) {
  int format = TAC_MESH_FORMAT_BY_NAME + 1;
  while (format < TAC_MESH_FORMAT_COUNT && strcmp(formats[format].name, name) != 0) ++format;
  return (tacMeshFormat)format;
}

int tac_mesh_format_holds_surface(tacMeshFormat format) {
  return is_format(format) && formats[format].holds_surface;
}

int tac_mesh_format_holds_volume(tacMeshFormat format) {
  return is_format(format) && formats[format].holds_volume;
}

/* ---- reading ---- */

typedef struct Reader {
  const char *title;
  tacStatus (*read)(const char *name, const unsigned char *bytes, size_t size, tacMeshContents *contents,
                    tacError *error);
} Reader;

static const Reader obj = {"OBJ", tac_obj_read}, stl = {"STL", tac_stl_read}, ply = {"PLY", tac_ply_read},
                    off = {"OFF", tac_off_read}, msh = {"Gmsh MSH", tac_msh_read}, vtk = {"VTK", tac_vtk_read},
                    vtu = {"VTU", tac_vtu_read}, veg = {"VEG", tac_veg_read}, tetgen = {"TetGen", tac_tetgen_read};

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
static const Reader *reader_by_content(const unsigned char *bytes, size_t size) {
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

/* By name, where content has no signature; for the others the name promises a format, whose reader says what is wrong. */
static const Reader *reader_by_name(const char *path, const unsigned char *bytes, size_t size) {
  switch (tac_mesh_format_of_path(path)) {
    case TAC_MESH_FORMAT_OBJ: return &obj;
    case TAC_MESH_FORMAT_TETGEN: return &tetgen;
    case TAC_MESH_FORMAT_STL_BINARY: return &stl;
    case TAC_MESH_FORMAT_PLY_BINARY: return &ply;
    case TAC_MESH_FORMAT_OFF: return &off;
    case TAC_MESH_FORMAT_MSH41_ASCII: return &msh;
    case TAC_MESH_FORMAT_VTK_BINARY: return &vtk;
    case TAC_MESH_FORMAT_VTU_BINARY: return &vtu;
    case TAC_MESH_FORMAT_VEG: return &veg;
    default: return looks_like_obj(bytes, size) ? &obj : NULL;
  }
}

static const Reader *find_reader(const char *path, const unsigned char *bytes, size_t size) {
  const Reader *reader = reader_by_content(bytes, size);
  return reader != NULL ? reader : reader_by_name(path, bytes, size);
}

static tacStatus read_bytes(const char *path, const unsigned char *bytes, size_t size, tacMeshContents *contents,
                            tacError *error) {
  if (size == tac_input_file_mark(bytes, size))
    return tac_error_set(error, TAC_ERR_FORMAT, "%s: the file is empty", path);
  const Reader *reader = find_reader(path, bytes, size);
  if (reader == NULL)
    return tac_error_set(error, TAC_ERR_FORMAT,
                         "%s: not a mesh of a known format (OBJ, STL, PLY, OFF, Gmsh MSH, VTK, VTU, VEG, TetGen "
                         ".node/.ele)",
                         path);
  return reader->read(path, bytes, size, contents, error);
}

tacStatus tac_mesh_read(const char *path, tacMeshContents *contents, tacError *error) {
  *contents = (tacMeshContents){NULL, NULL};
  tacInputFile file = {NULL, 0};
  TAC_TRY(tac_input_file_read(path, TAC_INPUT_MESH, &file, error));
  tacStatus status = read_bytes(path, file.bytes, file.size, contents, error);
  tac_input_file_free(&file);
  return status;
}

const char *tac_mesh_recognise(const char *path) {
  tacInputFile file = {NULL, 0};
  if (tac_input_file_read(path, TAC_INPUT_MESH, &file, NULL) != TAC_OK) return NULL;
  const Reader *reader = find_reader(path, file.bytes, file.size);
  tac_input_file_free(&file);
  return reader != NULL ? reader->title : NULL;
}

/* ---- writing ---- */

static tacStatus write_stream(FILE *stream, tacMeshFormat format, const tacMeshContents *contents, tacError *error) {
  switch (format) {
    case TAC_MESH_FORMAT_OBJ: return tac_obj_write(stream, contents->surface, error);
    case TAC_MESH_FORMAT_STL_ASCII: return tac_stl_write_ascii(stream, contents->surface, error);
    case TAC_MESH_FORMAT_STL_BINARY: return tac_stl_write_binary(stream, contents->surface, error);
    case TAC_MESH_FORMAT_PLY_ASCII: return tac_ply_write(stream, false, contents->surface, error);
    case TAC_MESH_FORMAT_PLY_BINARY: return tac_ply_write(stream, true, contents->surface, error);
    case TAC_MESH_FORMAT_OFF: tac_off_write(stream, contents->surface); return TAC_OK;
    case TAC_MESH_FORMAT_VTK_ASCII: return tac_vtk_write(stream, false, contents, error);
    case TAC_MESH_FORMAT_VTK_BINARY: return tac_vtk_write(stream, true, contents, error);
    case TAC_MESH_FORMAT_VTU_ASCII: return tac_vtu_write(stream, false, contents, error);
    case TAC_MESH_FORMAT_VTU_BINARY: return tac_vtu_write(stream, true, contents, error);
    case TAC_MESH_FORMAT_VEG: return tac_veg_write(stream, contents->volume, error);
    default: return tac_msh_write(stream, format, contents, error);
  }
}

static tacStatus write_tetgen(const char *path, const tacVolMesh *volume, tacError *error) {
  tacNewFile nodes = {NULL, NULL, NULL}, elements = {NULL, NULL, NULL};
  char *node_path = tac_tetgen_path(path, ".node", error), *ele_path = NULL;
  if (node_path != NULL) ele_path = tac_tetgen_path(path, ".ele", error);
  tacStatus status = ele_path != NULL ? tac_new_file_open(node_path, &nodes, error) : TAC_ERR_MEMORY;
  if (status == TAC_OK) status = tac_new_file_open(ele_path, &elements, error);
  if (status == TAC_OK) status = tac_tetgen_write_nodes(nodes.stream, volume, error);
  if (status == TAC_OK) status = tac_tetgen_write_elements(elements.stream, volume, error);
  if (status == TAC_OK) status = tac_new_file_commit(&nodes, error);
  if (status == TAC_OK) status = tac_new_file_commit(&elements, error);
  tac_new_file_discard(&nodes);
  tac_new_file_discard(&elements);
  free(node_path);
  free(ele_path);
  return status;
}

static tacStatus check_holds(const Format *format, const tacMeshContents *contents, tacError *error) {
  if (contents->surface == NULL && contents->volume == NULL)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "there is no mesh to write");
  if (contents->volume != NULL && !format->holds_volume)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED,
                         "%s holds surfaces only; write the volume as .msh, .vtk, .vtu, .veg or .node/.ele",
                         format->title);
  if (contents->surface != NULL && !format->holds_surface)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED,
                         "%s holds volumes only; write the surface as .obj, .stl, .ply, .off, .msh, .vtk or .vtu",
                         format->title);
  return TAC_OK;
}

tacStatus tac_mesh_write(const char *path, tacMeshFormat format, const tacMeshContents *contents, tacError *error) {
  if (format == TAC_MESH_FORMAT_BY_NAME) {
    format = tac_mesh_format_of_path(path);
    if (format == TAC_MESH_FORMAT_BY_NAME)
      return tac_error_set(
          error, TAC_ERR_ARGUMENT,
          "%s: expected an ending that tells the format: .obj .stl .ply .off .msh .vtk .vtu .veg .node "
          ".ele",
          path);
  }
  if (!is_format(format)) return tac_error_set(error, TAC_ERR_ARGUMENT, "no mesh format has number %d", (int)format);
  TAC_TRY(check_holds(&formats[format], contents, error));
  if (format == TAC_MESH_FORMAT_TETGEN) return write_tetgen(path, contents->volume, error);
  tacNewFile file = {NULL, NULL, NULL};
  TAC_TRY(tac_new_file_open(path, &file, error));
  tacStatus status = write_stream(file.stream, format, contents, error);
  if (status == TAC_OK) return tac_new_file_commit(&file, error);
  tac_new_file_discard(&file);
  return status;
}
