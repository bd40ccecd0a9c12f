#include "base/files/checksum.h"

#include <zstd.h>
#include "base/files/little_endian.h"
#include "test.h"

TAC_TEST(agrees_with_published_values) {
  ck_assert(tac_checksum("", 0) == 0xEF46DB3751D8E999u);
  ck_assert(tac_checksum("a", 1) == 0xD24EC4F1A98C6E5Bu);
  ck_assert(tac_checksum("abc", 3) == 0x44BC2CF5AD770999u);
}

/* zstd ends a frame with the lower half of the XXH64 of its content. */
TAC_TEST(agrees_with_the_checksum_that_zstd_writes) {
  unsigned char content[300], frame[1024];
  for (size_t i = 0; i < sizeof content; ++i) content[i] = (unsigned char)(i * i + 7 * i);
  ZSTD_CCtx *compressor = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(compressor, ZSTD_c_checksumFlag, 1);
  for (size_t size = 0; size <= sizeof content; ++size) {
    size_t length = ZSTD_compress2(compressor, frame, sizeof frame, content, size);
    ck_assert(!ZSTD_isError(length));
    ck_assert_uint_eq((uint32_t)tac_checksum(content, size), tac_little_endian_u32(frame + length - 4));
  }
  ZSTD_freeCCtx(compressor);
}

TAC_TEST(does_not_depend_on_alignment) {
  unsigned char shifted[8 + 100];
  for (size_t shift = 0; shift < 8; ++shift) {
    for (size_t i = 0; i < 100; ++i) shifted[shift + i] = (unsigned char)(3 * i);
    static uint64_t first;
    if (shift == 0) first = tac_checksum(shifted, 100);
    ck_assert(tac_checksum(shifted + shift, 100) == first);
  }
}
