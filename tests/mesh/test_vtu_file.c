#include "mesh/formats/mesh_format.h"

#include <zlib.h>
#include "base/base64.h"
#include "mesh/contents/mesh_builder.h"
#include "mesh/mesh_samples.h"
#include "mesh/text/byte_order.h"

#define PIECE                                                                                           \
  "<UnstructuredGrid><!-- <Piece> --><Piece NumberOfPoints=\"4\" NumberOfCells=\"2\">\n<CellData>"      \
  "<DataArray type='Int32' Name='group_a' format='ascii'>0 1</DataArray></CellData><Points>\n"          \
  "<DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1 0 0 0 1 0 0 0 "        \
  "1</DataArray></Points>\n"                                                                            \
  "<Cells><DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0 1 2 0 1 2 3</DataArray>\n" \
  "<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">3 7</DataArray>"                         \
  "<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">5 10</DataArray></Cells></Piece>\n"
#define FILE_HEAD \
  "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"BigEndian\">\n"
static const char two_pieces[] = FILE_HEAD PIECE PIECE "</UnstructuredGrid>\n</VTKFile>\n";

TAC_TEST(joins_pieces) {
  TAC_MESH_CONTENTS contents = tac_sample_accept_text(tac_vtu_read, two_pieces);
  ck_assert_int_eq(contents.volume->vertex_count, 8);
  ck_assert_int_eq(contents.volume->tet_count, 2);
  ck_assert_int_eq(contents.volume->tets[1].v[3], 7);
  ck_assert_int_eq(contents.surface->triangle_count, 2);
  ck_assert_int_eq(contents.volume->groups[0].count, 2);
}

TAC_TEST(reads_polydata) {
  static const char text[] =
      "<VTKFile type=\"PolyData\"><PolyData><Piece NumberOfPoints=\"4\" NumberOfVerts=\"0\" NumberOfPolys=\"1\">"
      "<Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1 0 0 1 1 0 0 1 "
      "0</DataArray></Points>"
      "<Polys><DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">0 1 2 3</DataArray>"
      "<DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">4</DataArray></Polys></Piece></PolyData></VTKFile>";
  TAC_MESH_CONTENTS contents = tac_sample_accept_text(tac_vtu_read, text);
  ck_assert_int_eq(contents.surface->triangle_count, 2);
}

/* ---- every encoding of binary data, made here ---- */

typedef struct Encoding {
  bool big_endian, wide, compressed, appended, raw, header_apart;
} Encoding;

static size_t put_base64(char *out, const unsigned char *bytes, size_t size) {
  tac_base64_text(bytes, size, out);
  return strlen(out);
}

/* The data of an array as the encoding has it: blocks of 16 bytes where compressed. */
static size_t encode(const Encoding *e, const unsigned char *data, size_t size, char *out) {
  unsigned char header[512], body[1024];
  size_t word = e->wide ? 8 : 4, header_size = word, body_size = size;
  if (e->compressed) {
    const size_t block = 16;
    size_t blocks = (size + block - 1) / block, last = size % block;
    header_size = (3 + blocks) * word;
    tac_bytes_store(header, word, e->big_endian, blocks);
    tac_bytes_store(header + word, word, e->big_endian, block);
    tac_bytes_store(header + 2 * word, word, e->big_endian, last);
    body_size = 0;
    for (size_t b = 0; b < blocks; ++b) {
      uLongf made = sizeof body - body_size;
      size_t length = b + 1 < blocks || last == 0 ? block : last;
      ck_assert_int_eq(compress(body + body_size, &made, data + b * block, length), Z_OK);
      tac_bytes_store(header + (3 + b) * word, word, e->big_endian, made);
      body_size += made;
    }
  } else {
    tac_bytes_store(header, word, e->big_endian, size);
    memcpy(body, data, size);
  }
  if (e->appended && e->raw) {
    memcpy(out, header, header_size);
    memcpy(out + header_size, body, body_size);
    return header_size + body_size;
  }
  if (e->compressed || e->header_apart) {
    size_t made = put_base64(out, header, header_size);
    return made + put_base64(out + made, body, body_size);
  }
  unsigned char all[2048];
  memcpy(all, header, header_size);
  memcpy(all + header_size, body, body_size);
  return put_base64(out, all, header_size + body_size);
}

static size_t make_file(const Encoding *e, char *out) {
  unsigned char points[96], connectivity[16], offsets[8], types[1] = {10};
  for (int i = 0; i < 12; ++i) tac_bytes_store_double(points + 8 * i, e->big_endian, 0.1 * i);
  for (int i = 0; i < 4; ++i) tac_bytes_store(connectivity + 4 * i, 4, e->big_endian, (uint64_t)i);
  tac_bytes_store(offsets, 8, e->big_endian, 4);
  const struct {
    const char *before, *attributes, *after;
    const unsigned char *data;
    size_t size;
  } arrays[] = {{"<Points>", "type=\"Float64\" NumberOfComponents=\"3\"", "</Points><Cells>", points, sizeof points},
                {"", "type=\"Int32\" Name=\"connectivity\"", "", connectivity, sizeof connectivity},
                {"", "type=\"Int64\" Name=\"offsets\"", "", offsets, sizeof offsets},
                {"", "type=\"UInt8\" Name=\"types\"", "</Cells>", types, sizeof types}};
  char *at = out, appended[4096];
  size_t appended_size = 0;
  at += sprintf(at,
                "<VTKFile type=\"UnstructuredGrid\" byte_order=\"%s\" header_type=\"%s\"%s>"
                "<UnstructuredGrid><Piece NumberOfPoints=\"4\" NumberOfCells=\"1\">",
                e->big_endian ? "BigEndian" : "LittleEndian", e->wide ? "UInt64" : "UInt32",
                e->compressed ? " compressor=\"vtkZLibDataCompressor\"" : "");
  for (int a = 0; a < 4; ++a) {
    at += sprintf(at, "%s<DataArray %s format=\"%s\"", arrays[a].before, arrays[a].attributes,
                  e->appended ? "appended" : "binary");
    if (e->appended) {
      at += sprintf(at, " offset=\"%zu\"/>%s", appended_size, arrays[a].after);
      appended_size += encode(e, arrays[a].data, arrays[a].size, appended + appended_size);
    } else {
      at += sprintf(at, ">\n   ");
      at += encode(e, arrays[a].data, arrays[a].size, at);
      at += sprintf(at, "\n</DataArray>%s", arrays[a].after);
    }
  }
  at += sprintf(at, "</Piece></UnstructuredGrid>");
  if (e->appended) {
    at += sprintf(at, "<AppendedData encoding=\"%s\">\n  _", e->raw ? "raw" : "base64");
    memcpy(at, appended, appended_size);
    at += appended_size;
    at += sprintf(at, "\n</AppendedData>");
  }
  at += sprintf(at, "</VTKFile>\n");
  return (size_t)(at - out);
}

TAC_TEST(reads_every_encoding_of_binary_data) {
  char file[8192];
  for (int bits = 0; bits < 64; ++bits) {
    Encoding e = {bits & 1, bits & 2, bits & 4, bits & 8, bits & 16, bits & 32};
    size_t size = make_file(&e, file);
    tacMeshContents contents = tac_sample_accept(tac_vtu_read, file, size);
    ck_assert_int_eq(contents.volume->vertex_count, 4);
    for (int v = 0; v < 4; ++v) {
      ck_assert_double_eq(contents.volume->vertices[v].y, 0.1 * (3 * v + 1));
      ck_assert_int_eq(contents.volume->tets[0].v[v], v);
    }
    tac_mesh_contents_destroy(&contents);
    if (bits % 5 == 0 || !tac_test_light()) tac_sample_damage(tac_vtu_read, file, size);
  }
}

TAC_TEST(blocks_with_oversized_headers_are_refused) {
  /* One block of 16 bytes that claims to hold 4 GB. */
  unsigned char header[32] = {0};
  char text[1024];
  tac_bytes_store(header, 4, false, 1);
  tac_bytes_store(header + 4, 4, false, 0xffffffffU);
  tac_bytes_store(header + 12, 4, false, 16);
  int length = sprintf(
      text, "<VTKFile type=\"UnstructuredGrid\" compressor=\"vtkZLibDataCompressor\"><UnstructuredGrid><Piece "
            "NumberOfPoints=\"4\" "
            "NumberOfCells=\"0\"><Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"binary\">");
  length += (int)put_base64(text + length, header, sizeof header);
  length += sprintf(text + length, "</DataArray></Points></Piece></UnstructuredGrid></VTKFile>");
  tac_sample_refuse(tac_vtu_read, text, (size_t)length,
                    "1 blocks of 4294967295 bytes expand to more than this file can hold");
}

TAC_TEST(refuses_blocks_that_expand_beyond_bounds) {
  /* 8 MiB of zeros are sound in 8 kB of zlib, and as numbers of cells they would be 64 MiB. */
  const uLong size = 8 << 20;
  uLongf packed = compressBound(size);
  unsigned char *zeros = tac_test_alloc(size), *stored = tac_test_alloc(16 + packed);
  ck_assert_int_eq(compress2(stored + 16, &packed, zeros, size, 9), Z_OK);
  const uint32_t header[4] = {1, (uint32_t)size, 0, (uint32_t)packed};
  for (int i = 0; i < 4; ++i) tac_bytes_store(stored + 4 * i, 4, false, header[i]);
  char *text = tac_test_alloc(2 * packed + 2048);
  int length =
      sprintf(text,
              "<VTKFile type=\"UnstructuredGrid\" compressor=\"vtkZLibDataCompressor\"><UnstructuredGrid><Piece "
              "NumberOfPoints=\"0\" NumberOfCells=\"%lu\"><Cells><DataArray type=\"UInt8\" Name=\"connectivity\"/>"
              "<DataArray type=\"UInt8\" Name=\"types\"/><DataArray type=\"UInt8\" Name=\"offsets\" "
              "format=\"binary\">",
              size);
  length += (int)put_base64(text + length, stored, 16 + packed);
  length += sprintf(text + length, "</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>");
  tac_sample_refuse(tac_vtu_read, text, (size_t)length, "expand to more than this file can hold");
}

TAC_TEST(other_elements_among_arrays_do_not_hide_groups) {
  static const char text[] = FILE_HEAD
      "<UnstructuredGrid><Piece NumberOfPoints=\"4\" NumberOfCells=\"1\"><CellData><Array type=\"String\" "
      "Name=\"s\" format=\"ascii\">65 0</Array><DataArray type=\"Float64\" Name=\"v\" format=\"ascii\">1\n"
      "<InformationKey name=\"L2_NORM_RANGE\" length=\"1\"><Value index=\"0\">1</Value></InformationKey></DataArray>"
      "<DataArray type=\"UInt8\" Name=\"group_a\" format=\"ascii\">1</DataArray></CellData><Points><DataArray "
      "type=\"Float32\" NumberOfComponents=\"3\">0 0 0 1 0 0 0 1 0 0 0 1</DataArray></Points><Cells><DataArray "
      "type=\"Int32\" Name=\"connectivity\">0 1 2 3<InformationKey/></DataArray><DataArray type=\"Int32\" "
      "Name=\"offsets\">4</DataArray><DataArray type=\"UInt8\" Name=\"types\">10</DataArray></Cells></Piece>"
      "</UnstructuredGrid></VTKFile>";
  TAC_MESH_CONTENTS contents = tac_sample_accept_text(tac_vtu_read, text);
  ck_assert_int_eq(contents.volume->tet_count, 1);
  ck_assert_int_eq(contents.volume->group_count, 1);
  ck_assert_str_eq(contents.volume->groups[0].name, "a");
}

TAC_TEST(refuses_broken_files_with_the_line) {
  static const tacRefusedText refused[] = {
      {"<?xml version=\"1.0\"?><svg></svg>", "not a VTKFile"},
      {"<VTKFile type=\"ImageData\">", "use UnstructuredGrid or PolyData"},
      {"<VTKFile type=\"UnstructuredGrid\" compressor=\"vtkLZ4DataCompressor\">", "vtkLZ4DataCompressor"},
      {FILE_HEAD PIECE, "</VTKFile> is missing"},
      {FILE_HEAD "<UnstructuredGrid><Piece NumberOfPoints=\"4\" NumberOfCells=\"1\"></Piece></VTKFile>",
       "no array of coordinates in Points"},
      {FILE_HEAD "<UnstructuredGrid><Piece NumberOfPoints=\"999999999\">\n<Points>\n<DataArray type=\"Float32\" "
                 "NumberOfComponents=\"3\" format=\"ascii\">0 0 0</DataArray></Points></Piece></VTKFile>",
       "sample:5: array \"Points\": 2999999997 numbers are too many"},
  };
  tac_sample_refuse_texts(tac_vtu_read, sizeof refused / sizeof *refused, refused);
  char broken[sizeof two_pieces];
  memcpy(broken, two_pieces, sizeof broken);
  memcpy(strstr(broken, "0 1 2 3</Data"), "0 1 2 4", 7);
  tac_sample_refuse_text(tac_vtu_read, broken, "cell 1 has point 4, which is not among the 4 points");
  memcpy(broken, two_pieces, sizeof broken);
  memcpy(strstr(broken, "0 1 0 0 0 1<"), "nan 0 0 0 1", 11);
  tac_sample_refuse_text(tac_vtu_read, broken,
                         "sample:5: array \"Points\": expected an x coordinate (a finite number), found \"nan\"");
  tac_sample_damage(tac_vtu_read, two_pieces, sizeof two_pieces - 1);
}
