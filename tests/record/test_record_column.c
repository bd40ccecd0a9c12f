#include "record/record_column.h"

#include "test.h"

TAC_TEST(every_byte_but_padding_is_in_one_column) {
  static unsigned char covered[sizeof(tacTickRecord)];
  for (int c = 0; c < tac_record_column_count(TAC_MOST_TOOLS); ++c) {
    tacRecordColumn column = tac_record_column(c);
    for (size_t b = 0; b < tac_record_column_size(&column); ++b) ++covered[column.offset + b];
  }
  size_t once = 0;
  for (size_t b = 0; b < sizeof covered; ++b) {
    ck_assert_uint_le(covered[b], 1);
    once += covered[b];
  }
  /* Counted by hand from the headers: 3 int64_t, flags, a report of 16 ints and three doubles, a parameter and its value; a tool has
   * 12 vectors (one of weights), 3 quaternions, a depth and 9 numbers of 4 bytes: buttons, health, grab, lifted, state, body,
   * triangle, saturated, limits. */
  const size_t tick = 3 * 8 + 4 + 16 * 4 + 3 * 8 + 4 + 8;
  const size_t tool = (2 + 3 + 1 + 4 + 2) * 24 + 3 * 4 * 8 + 8 + 9 * 4;
  ck_assert_uint_eq(once, tick + TAC_MOST_TOOLS * tool);
  ck_assert_uint_eq(tac_record_size(TAC_MOST_TOOLS), sizeof(tacTickRecord));
}

TAC_TEST(columns_of_each_tool_have_unique_names) {
  int count = tac_record_column_count(2);
  for (int a = 0; a < count; ++a)
    for (int b = 0; b < a; ++b) {
      tacRecordColumn first = tac_record_column(a), second = tac_record_column(b);
      ck_assert(first.tool != second.tool || strcmp(first.name, second.name) != 0);
      ck_assert_uint_ne(first.offset, second.offset);
    }
}

static double set_and_print(uint64_t bits, char *text) {
  tacRecordColumn column = tac_record_column(tac_record_column_count(0)); /* the device's x of the first tool */
  tacTickRecord record = {0};
  tac_record_column_set_bits(&column, bits, &record);
  ck_assert_uint_eq(tac_record_column_bits(&column, &record), bits);
  ck_assert_uint_eq(tac_record_column_print(&column, &record, text), strlen(text));
  return record.tool[0].device.position.x;
}

TAC_TEST(numbers_print_so_that_they_read_back) {
  char text[TAC_RECORD_COLUMN_TEXT_SIZE];
  const double values[] = {0.0, 0.1, -1.0 / 3.0, 5e-324, -1.7976931348623157e308};
  for (size_t i = 0; i < sizeof values / sizeof *values; ++i) {
    uint64_t bits;
    memcpy(&bits, &values[i], sizeof bits);
    ck_assert(set_and_print(bits, text) == values[i]);
    ck_assert(strtod(text, NULL) == values[i]);
  }
  ck_assert(isnan(set_and_print(UINT64_C(0xfff8000000000123), text)));
  ck_assert_str_eq(text, "nan");
  set_and_print(UINT64_C(0xfff0000000000000), text);
  ck_assert_str_eq(text, "-inf");
}
