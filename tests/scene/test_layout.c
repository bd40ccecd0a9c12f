#include <stddef.h>
#include <tactus/tactus.h>
#include "test.h"

static const tacLayout *find(const char *type, const char *field) {
  int count;
  const tacLayout *layouts = tac_layouts(&count);
  for (int i = 0; i < count; ++i) {
    const tacLayout *layout = &layouts[i];
    if (strcmp(layout->type, type) == 0 && strcmp(layout->field, field) == 0) return layout;
  }
  ck_abort_msg("no %s.%s", type, field);
}

TAC_TEST(field_offsets_match_the_compiler) {
  ck_assert_uint_eq(find("tacToolInput", "")->size, sizeof(tacToolInput));
  ck_assert_uint_eq(find("tacToolInput", "grip")->offset, offsetof(tacToolInput, grip));
  ck_assert_uint_eq(find("tacTickRecord", "tool")->size, TAC_MOST_TOOLS * sizeof(tacToolRecord));
}

/* A struct comes before its fields, which follow one another without an overlap and lie in it. */
TAC_TEST(structs_hold_their_fields) {
  const tacLayout *of = NULL;
  size_t end = 0;
  int count;
  const tacLayout *layouts = tac_layouts(&count);
  for (int i = 0; i < count; ++i) {
    const tacLayout *layout = &layouts[i];
    if (layout->field[0] == '\0') {
      of = layout;
      end = 0;
      continue;
    }
    ck_assert_ptr_nonnull(of);
    ck_assert_str_eq(layout->type, of->type);
    ck_assert_msg(layout->offset >= end, "%s.%s", layout->type, layout->field);
    end = layout->offset + layout->size;
    ck_assert_msg(end <= of->size, "%s.%s", layout->type, layout->field);
  }
}
