#include "mesh/formats/vtu_array.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "mesh/text/byte_order.h"

static int base64_digit(unsigned char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Decodes at most `most` bytes; stops at what is not base64. Padding may stand inside, where a header was encoded apart from
 * its data: it ends a group of four characters only. */
static size_t decode_base64(const unsigned char *at, const unsigned char *end, unsigned char *out, size_t most) {
  size_t made = 0;
  while (made < most) {
    unsigned digits = 0, padding = 0, bits = 0;
    while (at < end && digits + padding < 4) {
      int digit = base64_digit(*at);
      if (digit >= 0 && padding == 0)
        bits = bits << 6 | (unsigned)digit, ++digits;
      else if (*at == '=' && digits >= 2)
        bits <<= 6, ++padding;
      else if (*at != ' ' && *at != '\n' && *at != '\r' && *at != '\t')
        break;
      ++at;
    }
    if (digits + padding < 4) return made;
    for (unsigned i = 0; i + 1 < digits && made < most; ++i) out[made++] = (unsigned char)(bits >> (16 - 8 * i));
  }
  return made;
}

/* The first `size` bytes of the array as they are in the file, without base64; fewer where there are fewer. */
static tacStatus take(tacVtuFormat format, const unsigned char *data, const unsigned char *end, size_t size,
                      unsigned char **bytes, size_t *taken, tacError *error) {
  size_t most = (size_t)(end - data);
  if (format == TAC_VTU_BASE64) most = most / 4 * 3 + 3;
  if (size > most) size = most;
  free(*bytes);
  *bytes = tac_array_create(size, 1, "an array", error);
  if (*bytes == NULL) return TAC_ERR_MEMORY;
  if (format == TAC_VTU_RAW) memcpy(*bytes, data, size);
  *taken = format == TAC_VTU_RAW ? size : decode_base64(data, end, *bytes, size);
  return TAC_OK;
}

/* Blocks of zlib behind their header: number of blocks, size of one, size of the last, compressed size of each. */
static tacStatus inflate_blocks(tacVtuArray *array, size_t word, const tacVtuEncoding *encoding,
                                const unsigned char *stored, size_t stored_size, uint64_t block_count) {
  bool big_endian = encoding->big_endian;
  const tacScanner *s = &array->scanner;
  uint64_t block = tac_bytes_load(stored + word, word, big_endian);
  uint64_t last = tac_bytes_load(stored + 2 * word, word, big_endian);
  uint64_t full_blocks = last > 0 ? block_count - 1 : block_count;
  uint64_t most = encoding->most_expanded;
  if (last > most || (block > 0 && full_blocks > (most - last) / block))
    return tac_scanner_fail(s, TAC_ERR_FORMAT,
                            "%" PRIu64 " blocks of %" PRIu64 " bytes expand to more than this file can hold",
                            block_count, block);
  array->size = (size_t)(full_blocks * block + last);
  array->bytes = tac_array_create(array->size, 1, "an array", s->error);
  if (array->bytes == NULL) return TAC_ERR_MEMORY;
  size_t at = (size_t)(3 + block_count) * word, made = 0;
  for (uint64_t b = 0; b < block_count; ++b) {
    uint64_t compressed = tac_bytes_load(stored + (3 + b) * word, word, big_endian);
    uint64_t expected = b < full_blocks ? block : last;
    uLongf size = (uLongf)expected;
    if (compressed > stored_size - at ||
        uncompress(array->bytes + made, &size, stored + at, (uLong)compressed) != Z_OK || size != expected)
      return tac_scanner_fail(s, TAC_ERR_FORMAT, "block %" PRIu64 " is corrupt", b);
    at += (size_t)compressed;
    made += (size_t)expected;
  }
  return TAC_OK;
}

/* The first `size` bytes, which must be there: a header. */
static tacStatus take_header(tacVtuArray *array, tacVtuFormat format, const unsigned char *data,
                             const unsigned char *end, size_t size, unsigned char **bytes) {
  size_t taken;
  TAC_TRY(take(format, data, end, size, bytes, &taken, array->scanner.error));
  if (taken >= size) return TAC_OK;
  return tac_scanner_fail(&array->scanner, TAC_ERR_FORMAT, "expected a header of %zu bytes", size);
}

static tacStatus open_blocks(tacVtuArray *array, size_t word, const tacVtuEncoding *encoding, tacVtuFormat format,
                             const unsigned char *data, const unsigned char *end, unsigned char **stored) {
  const tacScanner *s = &array->scanner;
  bool big_endian = encoding->big_endian;
  size_t taken;
  TAC_TRY(take_header(array, format, data, end, word, stored));
  uint64_t blocks = tac_bytes_load(*stored, word, big_endian);
  if (blocks == 0) return TAC_OK;
  if (blocks > (size_t)(end - data) / word)
    return tac_scanner_fail(s, TAC_ERR_FORMAT, "%" PRIu64 " blocks are more than the file can hold", blocks);
  size_t header = (size_t)(3 + blocks) * word;
  TAC_TRY(take_header(array, format, data, end, header, stored));
  uint64_t total = 0, most = (uint64_t)(end - data);
  for (uint64_t b = 0; b < blocks; ++b) {
    uint64_t size = tac_bytes_load(*stored + (3 + b) * word, word, big_endian);
    if (size > most - total)
      return tac_scanner_fail(s, TAC_ERR_FORMAT, "the compressed blocks are longer than the file");
    total += size;
  }
  TAC_TRY(take(format, data, end, header + (size_t)total, stored, &taken, s->error));
  if (taken < header + total)
    return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected %" PRIu64 " bytes, found %zu", header + total, taken);
  array->stored_size = taken;
  return inflate_blocks(array, word, encoding, *stored, taken, blocks);
}

static tacStatus open_whole(tacVtuArray *array, size_t word, bool big_endian, tacVtuFormat format,
                            const unsigned char *data, const unsigned char *end, unsigned char **stored) {
  const tacScanner *s = &array->scanner;
  size_t taken;
  TAC_TRY(take_header(array, format, data, end, word, stored));
  uint64_t size = tac_bytes_load(*stored, word, big_endian);
  if (size > (uint64_t)(end - data))
    return tac_scanner_fail(s, TAC_ERR_FORMAT, "%" PRIu64 " bytes are more than the %zu that follow", size,
                            (size_t)(end - data));
  TAC_TRY(take(format, data, end, word + (size_t)size, &array->bytes, &taken, s->error));
  if (taken < word + size)
    return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected %" PRIu64 " bytes, found %zu", size, taken - word);
  memmove(array->bytes, array->bytes + word, (size_t)size);
  array->size = (size_t)size;
  array->stored_size = taken;
  return TAC_OK;
}

tacStatus tac_vtu_array_open(tacVtuArray *array, const tacScanner *place, const char *part,
                             const tacVtuEncoding *encoding, tacVtuFormat format, const unsigned char *data,
                             const unsigned char *end) {
  *array = (tacVtuArray){.scanner = tac_scanner_begin(place->name, data, (size_t)(end - data), place->error)};
  array->scanner.outer = place;
  array->scanner.part = part;
  if (format == TAC_VTU_ASCII) return TAC_OK;
  TAC_MEMORY(unsigned char, stored) = NULL;
  size_t word = encoding->wide_header ? 8 : 4;
  TAC_TRY(encoding->compressed ? open_blocks(array, word, encoding, format, data, end, &stored)
                               : open_whole(array, word, encoding->big_endian, format, data, end, &stored));
  static const unsigned char nothing[1] = {0};
  const unsigned char *bytes = array->bytes != NULL ? array->bytes : nothing;
  array->scanner.begin = array->scanner.at = array->scanner.token = bytes;
  array->scanner.end = bytes + array->size;
  array->scanner.binary = true;
  array->scanner.big_endian = encoding->big_endian;
  return TAC_OK;
}

void tac_vtu_array_close(tacVtuArray *array) {
  free(array->bytes);
  array->bytes = NULL;
}
