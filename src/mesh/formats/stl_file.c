/* STL: triangles without shared vertices; equal vertices become one.
 *
 * Read: both kinds, told apart by size (a binary file has 84 + 50 n bytes), not by the word solid, which headers of binary
 * files have as well. Named solids of ASCII files become groups. Normals are left out: the order of corners holds them.
 * Written: ASCII with one solid for each group, a triangle in the first group that has it; binary as floats, without
 * groups. */
#include "mesh/formats/mesh_format.h"

#include <math.h>
#include <string.h>
#include <strings.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/geometry/vec3.h"
#include "mesh/text/byte_order.h"
#include "mesh/text/number_text.h"
#include "mesh/weld.h"

#define HEADER_SIZE 84
#define FACET_SIZE 50

bool tac_stl_is_binary(const unsigned char *bytes, size_t size) {
  return size >= HEADER_SIZE && size == HEADER_SIZE + FACET_SIZE * (size_t)tac_bytes_load(bytes + 80, 4, false);
}

/* Of the three vertices that were added last. */
static tacStatus add_last_triangle(tacMeshBuilder *builder) {
  int end = (int)builder->vertex_count;
  return tac_mesh_builder_add_triangle(builder, end - 3, end - 2, end - 1);
}

static tacStatus read_binary(tacScanner *s, tacMeshBuilder *builder) {
  s->binary = true;
  size_t count = (size_t)tac_bytes_load(s->begin + 80, 4, false);
  s->at = s->begin + HEADER_SIZE;
  for (size_t f = 0; f < count; ++f, s->at += FACET_SIZE) {
    for (int c = 0; c < 3; ++c) {
      const unsigned char *point = s->at + 12 + 12 * c;
      tacVec3 p = {(double)tac_bytes_load_float(point, false), (double)tac_bytes_load_float(point + 4, false),
                   (double)tac_bytes_load_float(point + 8, false)};
      if (!tac_vec3_finite(p)) {
        s->token = point;
        return tac_scanner_fail(s, TAC_ERR_FORMAT, "facet %zu: expected finite coordinates, found %g %g %g", f, p.x,
                                p.y, p.z);
      }
      TAC_TRY(tac_mesh_builder_add_vertex(builder, p));
    }
    TAC_TRY(add_last_triangle(builder));
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
  return tac_scanner_expected(s, word, "%s", keyword);
}

/* "endsolid" and the like; some write it in two words. */
static tacStatus expect_end(tacScanner *s, const char *keyword) {
  if (!tac_word_is_nocase(tac_scanner_peek(s), "end")) return expect(s, keyword);
  tac_scanner_word(s);
  tacWord word = tac_scanner_word(s);
  if (tac_word_is_nocase(word, keyword + strlen("end"))) return TAC_OK;
  return tac_scanner_expected(s, word, "%s", keyword);
}

static tacStatus read_facet(tacScanner *s, tacMeshBuilder *builder) {
  double normal;
  TAC_TRY(expect(s, "normal"));
  for (int i = 0; i < 3; ++i) {
    tacWord word = tac_scanner_word(s);
    if (!tac_number_text_double(word.text, word.length, &normal) && !is_no_number(word))
      return tac_scanner_expected(s, word, "the normal");
  }
  TAC_TRY(expect(s, "outer"));
  TAC_TRY(expect(s, "loop"));
  for (int c = 0; c < 3; ++c) {
    tacVec3 point;
    TAC_TRY(expect(s, "vertex"));
    TAC_TRY(tac_scanner_point(s, TAC_NUMBER_F64, &point));
    TAC_TRY(tac_mesh_builder_add_vertex(builder, point));
  }
  TAC_TRY(expect_end(s, "endloop"));
  TAC_TRY(expect_end(s, "endfacet"));
  return add_last_triangle(builder);
}

static tacStatus read_ascii(tacScanner *s, tacMeshBuilder *builder) {
  while (!tac_scanner_at_end(s)) {
    TAC_TRY(expect(s, "solid"));
    tacWord name = tac_scanner_rest_of_line(s);
    int group = -1;
    for (;;) {
      tacWord word = tac_scanner_peek(s);
      if (tac_word_is_nocase(word, "endsolid") || tac_word_is_nocase(word, "end")) break;
      if (!tac_word_is_nocase(word, "facet")) return tac_scanner_expected(s, word, "facet or endsolid");
      tac_scanner_word(s);
      TAC_TRY(read_facet(s, builder));
      if (name.length > 0 && group < 0) TAC_TRY(tac_mesh_builder_group(builder, TAC_GROUP_OF_TRIANGLES, name, &group));
      if (group >= 0) TAC_TRY(tac_mesh_builder_assign(builder, group, (int)builder->triangle_count - 1));
    }
    TAC_TRY(expect_end(s, "endsolid"));
    tac_scanner_skip_line(s);
  }
  return TAC_OK;
}

/* Equal vertices become one, where the first of them is. */
static tacStatus weld_vertices(tacMeshBuilder *builder) {
  int welded, kept = 0, count = (int)builder->vertex_count;
  TAC_MEMORY(int, target) = NULL;
  TAC_TRY(TAC_ARRAY(target, (size_t)count, "vertices", builder->error));
  TAC_TRY(tac_weld_points(count, builder->vertices, 0.0, target, &welded, builder->error));
  for (int v = 0; v < count; ++v) {
    bool own = target[v] == v;
    target[v] = own ? kept : target[target[v]];
    if (own) builder->vertices[kept++] = builder->vertices[v];
  }
  builder->vertex_count = (size_t)kept;
  for (size_t t = 0; t < builder->triangle_count; ++t)
    for (int c = 0; c < 3; ++c) builder->triangles[t].v[c] = target[builder->triangles[t].v[c]];
  return TAC_OK;
}

tacStatus tac_stl_read(tacScanner *s, tacMeshBuilder *builder) {
  size_t size = (size_t)(s->end - s->begin);
  tacScanner first = *s;
  if (tac_stl_is_binary(s->begin, size)) {
    TAC_TRY(read_binary(s, builder));
  } else if (tac_word_is_nocase(tac_scanner_word(&first), "solid")) {
    TAC_TRY(read_ascii(s, builder));
  } else {
    s->binary = true;
    size_t stated = size >= HEADER_SIZE ? (size_t)tac_bytes_load(s->begin + 80, 4, false) : 0;
    return tac_scanner_fail(s, TAC_ERR_FORMAT,
                            "the file is neither ASCII STL, which starts with solid, nor binary STL: %zu triangles "
                            "need %zu bytes, found %zu",
                            stated, HEADER_SIZE + FACET_SIZE * stated, size);
  }
  return weld_vertices(builder);
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

static tacStatus write_ascii(FILE *stream, const tacTriMesh *surface, tacError *error) {
  int count = surface->triangle_count;
  TAC_MEMORY(bool, written) = NULL;
  TAC_TRY(TAC_ARRAY(written, (size_t)count, "flags of triangles", error));
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
  return TAC_OK;
}

static tacStatus write_binary(FILE *stream, const tacTriMesh *surface, tacError *error) {
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
                               "vertex %d is too far away for the single precision of binary STL; write stl-ascii",
                               v[c]);
        tac_bytes_store_float(facet + 12 * (c + 1) + 4 * i, false, xyz[i]);
      }
    }
    fwrite(facet, 1, sizeof facet, stream);
  }
  return TAC_OK;
}

tacStatus tac_stl_write(FILE *stream, bool binary, const tacMeshContents *contents, tacError *error) {
  return binary ? write_binary(stream, contents->surface, error) : write_ascii(stream, contents->surface, error);
}
