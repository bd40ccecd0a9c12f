#include "mesh/formats/stl_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/memory/array.h"
#include "math/geometry/vec3.h"
#include "mesh/contents/group_tags.h"
#include "mesh/contents/mesh_builder.h"
#include "mesh/contents/vertex_welder.h"
#include "mesh/text/byte_order.h"
#include "mesh/text/number_text.h"

#define HEADER_SIZE 84
#define FACET_SIZE 50

bool tac_stl_is_binary(const unsigned char *bytes, size_t size) {
  return size >= HEADER_SIZE && size == HEADER_SIZE + FACET_SIZE * (size_t)tac_bytes_load(bytes + 80, 4, false);
}

static tacStatus read_binary(tacScanner *s, tacVertexWelder *welder) {
  s->binary = true;
  size_t count = (size_t)tac_bytes_load(s->begin + 80, 4, false);
  s->at = s->begin + HEADER_SIZE;
  for (size_t f = 0; f < count; ++f, s->at += FACET_SIZE) {
    int corners[3];
    for (int c = 0; c < 3; ++c) {
      const unsigned char *point = s->at + 12 + 12 * c;
      tacVec3 p = {(double)tac_bytes_load_float(point, false), (double)tac_bytes_load_float(point + 4, false),
                   (double)tac_bytes_load_float(point + 8, false)};
      if (!tac_vec3_finite(p)) {
        s->token = point;
        return tac_scanner_fail(s, TAC_ERR_FORMAT, "facet %zu: expected finite coordinates, found %g %g %g", f, p.x,
                                p.y, p.z);
      }
      TAC_TRY(tac_vertex_welder_add(welder, p, &corners[c]));
    }
    TAC_TRY(tac_mesh_builder_add_triangle(welder->builder, corners[0], corners[1], corners[2]));
  }
  return TAC_OK;
}

/* What programs write for the normal of a degenerate triangle: nan, -nan(ind), NaN, inf, -1.#IND, 1.#QNAN, ... */
static bool is_no_number(tacWord word) {
  for (size_t i = 0; i + 3 <= word.length && word.length <= 16; ++i)
    for (int k = 0; k < 3; ++k)
      if (strncasecmp(word.text + i, (const char *const[]){"nan", "inf", "ind"}[k], 3) == 0) return true;
  return false;
}

static tacStatus expect(tacScanner *s, const char *keyword) {
  tacWord word = tac_scanner_word(s);
  if (tac_word_is_nocase(word, keyword)) return TAC_OK;
  return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected %s, found %s", keyword, tac_word_quote(s, word).text);
}

/* "endsolid" and the like; some write it in two words. */
static tacStatus expect_end(tacScanner *s, const char *keyword) {
  if (!tac_word_is_nocase(tac_scanner_peek(s), "end")) return expect(s, keyword);
  tac_scanner_word(s);
  tacWord word = tac_scanner_word(s);
  if (tac_word_is_nocase(word, keyword + strlen("end"))) return TAC_OK;
  return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected %s, found %s", keyword, tac_word_quote(s, word).text);
}

static tacStatus read_facet(tacScanner *s, tacVertexWelder *welder) {
  double normal;
  int corners[3];
  TAC_TRY(expect(s, "normal"));
  for (int i = 0; i < 3; ++i) {
    tacWord word = tac_scanner_word(s);
    if (!tac_number_text_double(word.text, word.length, &normal) && !is_no_number(word))
      return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected the normal, found %s", tac_word_quote(s, word).text);
  }
  TAC_TRY(expect(s, "outer"));
  TAC_TRY(expect(s, "loop"));
  for (int c = 0; c < 3; ++c) {
    tacVec3 point;
    TAC_TRY(expect(s, "vertex"));
    TAC_TRY(tac_scanner_point(s, TAC_NUMBER_F64, &point));
    TAC_TRY(tac_vertex_welder_add(welder, point, &corners[c]));
  }
  TAC_TRY(expect_end(s, "endloop"));
  TAC_TRY(expect_end(s, "endfacet"));
  return tac_mesh_builder_add_triangle(welder->builder, corners[0], corners[1], corners[2]);
}

static tacStatus read_ascii(tacScanner *s, tacVertexWelder *welder) {
  tacMeshBuilder *builder = welder->builder;
  while (!tac_scanner_at_end(s)) {
    TAC_TRY(expect(s, "solid"));
    tacWord name = tac_scanner_rest_of_line(s);
    int group = -1;
    for (;;) {
      tacWord word = tac_scanner_peek(s);
      if (tac_word_is_nocase(word, "endsolid") || tac_word_is_nocase(word, "end")) break;
      if (!tac_word_is_nocase(word, "facet"))
        return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected facet or endsolid, found %s",
                                tac_word_quote(s, word).text);
      tac_scanner_word(s);
      TAC_TRY(read_facet(s, welder));
      if (name.length > 0 && group < 0) TAC_TRY(tac_mesh_builder_group(builder, TAC_GROUP_OF_TRIANGLES, name, &group));
      if (group >= 0) TAC_TRY(tac_mesh_builder_assign(builder, group, (int)builder->triangle_count - 1));
    }
    TAC_TRY(expect_end(s, "endsolid"));
    tac_scanner_skip_line(s);
  }
  return TAC_OK;
}

tacStatus tac_stl_read(const char *name, const unsigned char *bytes, size_t size, tacMeshContents *contents,
                       tacError *error) {
  tacMeshBuilder builder = tac_mesh_builder_begin(name, size, error);
  tacScanner scanner = tac_scanner_begin(name, bytes, size, error);
  tacVertexWelder welder = {.builder = &builder};
  tacStatus status;
  tacScanner first = scanner;
  if (tac_stl_is_binary(bytes, size)) {
    status = read_binary(&scanner, &welder);
  } else if (tac_word_is_nocase(tac_scanner_word(&first), "solid")) {
    status = read_ascii(&scanner, &welder);
  } else {
    scanner.binary = true;
    size_t stated = size >= HEADER_SIZE ? (size_t)tac_bytes_load(bytes + 80, 4, false) : 0;
    status =
        tac_scanner_fail(&scanner, TAC_ERR_FORMAT,
                         "neither ASCII STL, which begins with solid, nor binary STL: %zu triangles have %zu bytes, "
                         "found %zu",
                         stated, HEADER_SIZE + FACET_SIZE * stated, size);
  }
  tac_vertex_welder_free(&welder);
  return tac_mesh_builder_finish(&builder, status, contents);
}

static tacVec3 facet_normal(const tacTriMesh *surface, int triangle) {
  const int *v = surface->triangles[triangle].v;
  tacVec3 a = surface->vertices[v[0]];
  tacVec3 normal =
      tac_vec3_unit(tac_vec3_cross(tac_vec3_sub(surface->vertices[v[1]], a), tac_vec3_sub(surface->vertices[v[2]], a)));
  return tac_vec3_finite(normal) ? normal : tac_vec3(0.0, 0.0, 0.0);
}

static void write_facet(FILE *stream, const tacTriMesh *surface, int triangle) {
  fputs("facet normal ", stream);
  tac_number_text_write_point(stream, facet_normal(surface, triangle));
  fputs("\nouter loop\n", stream);
  for (int c = 0; c < 3; ++c) {
    fputs("vertex ", stream);
    tac_number_text_write_point(stream, surface->vertices[surface->triangles[triangle].v[c]]);
    fputc('\n', stream);
  }
  fputs("endloop\nendfacet\n", stream);
}

tacStatus tac_stl_write_ascii(FILE *stream, const tacTriMesh *surface, tacError *error) {
  int count = surface->triangle_count;
  bool *written = tac_array_create((size_t)count, sizeof *written, "flags of triangles", error);
  if (written == NULL) return TAC_ERR_MEMORY;
  for (int g = 0; g < surface->group_count; ++g) {
    const tacIndexSet *group = &surface->groups[g];
    fprintf(stream, "solid %s\n", group->name);
    for (int i = 0; i < group->count; ++i) {
      int t = group->indices[i];
      if (!written[t]) write_facet(stream, surface, t);
      written[t] = true;
    }
    fprintf(stream, "endsolid %s\n", group->name);
  }
  int left = 0;
  for (int t = 0; t < count; ++t) left += !written[t];
  if (left > 0 || surface->group_count == 0) {
    fputs("solid\n", stream);
    for (int t = 0; t < count; ++t)
      if (!written[t]) write_facet(stream, surface, t);
    fputs("endsolid\n", stream);
  }
  free(written);
  return TAC_OK;
}

tacStatus tac_stl_write_binary(FILE *stream, const tacTriMesh *surface, tacError *error) {
  unsigned char header[HEADER_SIZE] = "Tactus: binary STL";
  tac_bytes_store(header + 80, 4, false, (uint64_t)surface->triangle_count);
  fwrite(header, 1, sizeof header, stream);
  for (int t = 0; t < surface->triangle_count; ++t) {
    unsigned char facet[FACET_SIZE] = {0};
    const int *v = surface->triangles[t].v;
    for (int c = -1; c < 3; ++c) {
      tacVec3 p = c < 0 ? facet_normal(surface, t) : surface->vertices[v[c]];
      float xyz[3] = {(float)p.x, (float)p.y, (float)p.z};
      for (int i = 0; i < 3; ++i) {
        if (!isfinite(xyz[i]))
          return tac_error_set(error, TAC_ERR_UNSUPPORTED,
                               "vertex %d is too far away for the floats of binary STL; write stl-ascii", v[c]);
        tac_bytes_store_float(facet + 12 * (c + 1) + 4 * i, false, xyz[i]);
      }
    }
    fwrite(facet, 1, sizeof facet, stream);
  }
  return TAC_OK;
}
