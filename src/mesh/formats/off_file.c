/* Object File Format: polygons. Read: OFF, also with normals, colours or texture coordinates (COFF, NOFF, STOFF, ...), which
 * are left out. Written: vertices and triangles; groups are lost. */
#include "mesh/formats/mesh_format.h"

#include <string.h>
#include "mesh/text/number_text.h"

/* [ST][C][N]OFF, and [4][n] before OFF, which mean other dimensions. */
static bool is_keyword(tacWord word, bool *other_dimension) {
  const char *at = word.text, *end = word.text + word.length;
  *other_dimension = false;
  if (end - at >= 2 && memcmp(at, "ST", 2) == 0) at += 2;
  if (at < end && *at == 'C') ++at;
  if (at < end && *at == 'N') ++at;
  for (; at < end && (*at == '4' || *at == 'n'); ++at) *other_dimension = true;
  return end - at == 3 && memcmp(at, "OFF", 3) == 0;
}

bool tac_off_is(const unsigned char *bytes, size_t size) {
  tacScanner scanner = tac_scanner_begin("", bytes, size, NULL);
  bool other_dimension;
  scanner.comment = '#';
  return is_keyword(tac_scanner_word(&scanner), &other_dimension);
}

static tacStatus read_header(tacScanner *s, int64_t *vertices, int64_t *faces) {
  int64_t edges;
  bool other_dimension;
  tacWord word = tac_scanner_word(s);
  if (!is_keyword(word, &other_dimension)) return tac_scanner_expected(s, word, "OFF");
  if (other_dimension) return tac_scanner_fail(s, TAC_ERR_UNSUPPORTED, "only three-dimensional OFF is supported");
  if (tac_word_is(tac_scanner_peek(s), "BINARY"))
    return tac_scanner_fail(s, TAC_ERR_UNSUPPORTED, "binary OFF is not supported; write it as ASCII");
  TAC_TRY(tac_scanner_integer(s, "the number of vertices", 0, INT64_MAX, vertices));
  TAC_TRY(tac_scanner_integer(s, "the number of faces", 0, INT64_MAX, faces));
  s->by_line = true; /* the number of edges is often left out */
  if (tac_scanner_peek(s).length > 0)
    TAC_TRY(tac_scanner_integer(s, "the number of edges", INT64_MIN, INT64_MAX, &edges));
  TAC_TRY(tac_scanner_end_line(s, "the numbers of vertices, faces and edges"));
  TAC_TRY(tac_scanner_check_count(s, *vertices, 6, "vertices"));
  return tac_scanner_check_count(s, *faces, 2, "faces");
}

static tacStatus read_face(tacScanner *s, tacMeshBuilder *builder) {
  int64_t count, index, vertex_count = (int64_t)builder->vertex_count;
  TAC_TRY(tac_scanner_integer(s, "the number of vertices of a face", 0, INT64_MAX, &count));
  TAC_TRY(tac_scanner_check_count(s, count, 2, "vertices of a face"));
  for (int64_t c = 0; c < count; ++c) {
    TAC_TRY(tac_scanner_integer(s, "a vertex of the face", 0, vertex_count - 1, &index));
    TAC_TRY(tac_mesh_builder_add_corner(builder, (int)index));
  }
  return tac_mesh_builder_add_face(builder, 0, NULL);
}

tacStatus tac_off_read(tacScanner *s, tacMeshBuilder *builder) {
  int64_t vertices, faces;
  s->comment = '#';
  TAC_TRY(read_header(s, &vertices, &faces));
  for (int64_t v = 0; v < vertices; ++v) {
    tacVec3 point;
    tac_scanner_at_end(s);
    TAC_TRY(tac_scanner_point(s, TAC_NUMBER_F64, &point));
    TAC_TRY(tac_mesh_builder_add_vertex(builder, point));
    tac_scanner_skip_line(s); /* normal, colour */
  }
  for (int64_t f = 0; f < faces; ++f) {
    tac_scanner_at_end(s);
    TAC_TRY(read_face(s, builder));
    tac_scanner_skip_line(s); /* colour */
  }
  if (tac_scanner_at_end(s)) return TAC_OK;
  return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected the end of the file after %lld faces", (long long)faces);
}

tacStatus tac_off_write(FILE *stream, bool binary, const tacMeshContents *contents, tacError *error) {
  (void)binary;
  (void)error;
  const tacTriMesh *surface = contents->surface;
  fprintf(stream, "OFF\n%d %d 0\n", surface->vertex_count, surface->triangle_count);
  for (int v = 0; v < surface->vertex_count; ++v) {
    tac_number_text_write_point(stream, surface->vertices[v]);
    fputc('\n', stream);
  }
  for (int t = 0; t < surface->triangle_count; ++t) {
    const int *v = surface->triangles[t].v;
    fprintf(stream, "3 %d %d %d\n", v[0], v[1], v[2]);
  }
  return TAC_OK;
}
