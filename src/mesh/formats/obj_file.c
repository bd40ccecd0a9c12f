/* Wavefront OBJ: polygons.
 *
 * Read: v, f (also from the end by negative indices), g and o as groups, lines continued by '\'; texture coordinates,
 * normals, materials, curves, points and lines are left out. `g default` and `g` alone mean no group.
 * Written: v, f, g. Blanks in names of groups become '_'. */
#include "mesh/formats/mesh_format.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "mesh/contents/group_tags.h"
#include "mesh/text/number_text.h"

typedef struct Reader {
  tacScanner scanner;
  tacMeshBuilder *builder;
  tacWord *names; /* of the current groups; the object's first, where there is one */
  size_t name_count, name_room;
  bool has_object;
  int *groups; /* found for the names by the first face that uses them */
  size_t group_room;
  bool groups_known;
} Reader;

/* The end of a line; a '\' before it joins the next line. */
static bool at_line_end(Reader *reader) {
  tacScanner *s = &reader->scanner;
  for (;;) {
    tacWord word = tac_scanner_peek(s);
    if (!tac_word_is(word, "\\")) return word.length == 0;
    const unsigned char *after = s->at + 1;
    if (after < s->end && *after == '\r') ++after;
    if (after == s->end || *after != '\n') return false;
    s->at = after + 1;
  }
}

/* A word of the line, without a '\' that is glued to its end. */
static tacWord next_word(Reader *reader) {
  if (at_line_end(reader)) return (tacWord){"", 0};
  tacWord word = tac_scanner_peek(&reader->scanner);
  if (word.length > 1 && word.text[word.length - 1] == '\\') --word.length;
  reader->scanner.at += word.length;
  return word;
}

static tacStatus read_vertex(Reader *reader) {
  double point[3];
  for (int i = 0; i < 3; ++i) {
    tacWord word = next_word(reader);
    if (!tac_number_text_double(word.text, word.length, &point[i]))
      return tac_scanner_expected(&reader->scanner, word, "three finite coordinates after v");
  }
  return tac_mesh_builder_add_vertex(reader->builder, (tacVec3){point[0], point[1], point[2]});
}

/* "7", "7/1", "7//3" or "7/1/3"; counted from 1, or from the last vertex backwards as -1, -2, ... */
static tacStatus read_corner(Reader *reader, tacWord word, int *corner) {
  const char *slash = memchr(word.text, '/', word.length);
  size_t length = slash != NULL ? (size_t)(slash - word.text) : word.length;
  int64_t index, count = (int64_t)reader->builder->vertex_count;
  bool sound = tac_number_text_integer(word.text, length, &index);
  for (const char *c = word.text + length; sound && c < word.text + word.length; ++c)
    sound = *c == '/' || *c == '-' || isdigit((unsigned char)*c);
  if (!sound) return tac_scanner_expected(&reader->scanner, word, "a vertex of the face such as 7 or 7/1/3");
  if (index == 0 || index > count || index < -count)
    return tac_scanner_fail(&reader->scanner, TAC_ERR_FORMAT,
                            "vertex %" PRId64 " of the face is not among the %" PRId64 " vertices before it", index,
                            count);
  *corner = (int)(index > 0 ? index - 1 : count + index);
  return TAC_OK;
}

static tacStatus find_groups(Reader *reader) {
  tacMeshBuilder *builder = reader->builder;
  TAC_TRY(tac_array_reserve((void **)&reader->groups, &reader->group_room, reader->name_count, sizeof(int), "groups",
                            builder->error));
  for (size_t i = 0; i < reader->name_count; ++i)
    TAC_TRY(tac_mesh_builder_group(builder, TAC_GROUP_OF_TRIANGLES, reader->names[i], &reader->groups[i]));
  reader->groups_known = true;
  return TAC_OK;
}

static tacStatus read_face(Reader *reader) {
  size_t count = 0;
  for (int corner = 0; !at_line_end(reader); ++count) {
    tacWord word = next_word(reader);
    TAC_TRY(read_corner(reader, word, &corner));
    TAC_TRY(tac_mesh_builder_add_corner(reader->builder, corner));
  }
  if (count < 3)
    return tac_scanner_fail(&reader->scanner, TAC_ERR_FORMAT, "expected at least 3 vertices of a face, found %zu",
                            count);
  if (!reader->groups_known) TAC_TRY(find_groups(reader));
  return tac_mesh_builder_add_face(reader->builder, reader->name_count, reader->groups);
}

static tacStatus add_name(Reader *reader, size_t place, tacWord name) {
  TAC_TRY(tac_array_reserve((void **)&reader->names, &reader->name_room, place + 1, sizeof *reader->names,
                            "names of groups", reader->builder->error));
  reader->names[place] = name;
  return TAC_OK;
}

static tacStatus read_groups(Reader *reader) {
  reader->groups_known = false;
  reader->name_count = reader->has_object ? 1 : 0;
  while (!at_line_end(reader)) {
    tacWord name = next_word(reader);
    if (tac_word_is(name, "default")) continue;
    TAC_TRY(add_name(reader, reader->name_count, name));
    ++reader->name_count;
  }
  return TAC_OK;
}

static tacStatus read_object(Reader *reader) {
  tacWord name = tac_scanner_rest_of_line(&reader->scanner);
  if (name.length == 0) return TAC_OK;
  reader->groups_known = false;
  if (!reader->has_object) { /* room in front */
    TAC_TRY(add_name(reader, reader->name_count, name));
    memmove(reader->names + 1, reader->names, reader->name_count * sizeof *reader->names);
    ++reader->name_count;
  }
  reader->names[0] = name;
  reader->has_object = true;
  return TAC_OK;
}

static tacStatus read_lines(Reader *reader) {
  tacScanner *s = &reader->scanner;
  while (!tac_scanner_at_end(s)) {
    tacWord keyword = tac_scanner_word(s);
    tacStatus status = TAC_OK;
    if (tac_word_is(keyword, "v"))
      status = read_vertex(reader);
    else if (tac_word_is(keyword, "f"))
      status = read_face(reader);
    else if (tac_word_is(keyword, "g"))
      status = read_groups(reader);
    else if (tac_word_is(keyword, "o"))
      status = read_object(reader);
    else if (tac_word_is(keyword, "l"))
      tac_mesh_builder_skip(reader->builder, TAC_LOG_INFO, 1, "lines (l)");
    else if (tac_word_is(keyword, "p"))
      tac_mesh_builder_skip(reader->builder, TAC_LOG_INFO, 1, "points (p)");
    TAC_TRY(status);
    while (!at_line_end(reader)) next_word(reader); /* colours of vertices, and lines that are left out */
  }
  return TAC_OK;
}

static void free_reader(Reader *reader) {
  free(reader->names);
  free(reader->groups);
}

tacStatus tac_obj_read(tacScanner *scanner, tacMeshBuilder *builder) {
  TAC_FREED(free_reader, Reader, reader) = {.scanner = *scanner, .builder = builder};
  reader.scanner.comment = '#';
  reader.scanner.by_line = true;
  return read_lines(&reader);
}

tacStatus tac_obj_write(FILE *stream, bool binary, const tacMeshContents *contents, tacError *error) {
  (void)binary;
  const tacTriMesh *surface = contents->surface;
  TAC_FREED(tac_group_combinations_free, tacGroupCombinations, combinations) = {0};
  TAC_TRY(tac_group_combinations(surface->group_count, surface->groups, surface->triangle_count, &combinations, error));
  fprintf(stream, "# Tactus\n");
  for (int v = 0; v < surface->vertex_count; ++v) {
    fputs("v ", stream);
    tac_number_text_write_point(stream, surface->vertices[v]);
    fputc('\n', stream);
  }
  int current = 0;
  for (int t = 0; t < surface->triangle_count; ++t) {
    if (combinations.of[t] != current) {
      current = combinations.of[t];
      fputc('g', stream);
      if (current == 0) fputs(" default", stream);
      for (int i = combinations.start[current]; i < combinations.start[current + 1]; ++i) {
        fputc(' ', stream);
        tac_group_write_name(stream, surface->groups[combinations.groups[i]].name, " \t#\\");
      }
      fputc('\n', stream);
    }
    const int *v = surface->triangles[t].v;
    fprintf(stream, "f %d %d %d\n", v[0] + 1, v[1] + 1, v[2] + 1);
  }
  return TAC_OK;
}
