#include "base/files/little_endian.h"

#include "test.h"

TAC_TEST(the_lowest_byte_is_first) {
  unsigned char bytes[9] = {0xFF, 1, 2, 3, 4, 5, 6, 7, 0x88};
  ck_assert_uint_eq(tac_little_endian_u32(bytes + 1), 0x04030201u);
  ck_assert(tac_little_endian_u64(bytes + 1) == 0x8807060504030201u);
}

TAC_TEST(stored_integers_read_back) {
  unsigned char bytes[9];
  tac_little_endian_put_u32(0xFEDCBA98u, bytes + 1);
  ck_assert_uint_eq(bytes[1], 0x98);
  ck_assert_uint_eq(tac_little_endian_u32(bytes + 1), 0xFEDCBA98u);
  tac_little_endian_put_u64(0xFEDCBA9876543210u, bytes + 1);
  ck_assert_uint_eq(bytes[1], 0x10);
  ck_assert(tac_little_endian_u64(bytes + 1) == 0xFEDCBA9876543210u);
}
