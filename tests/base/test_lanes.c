#include "base/lanes.h"

#include <string.h>
#include "base/platform.h"
#include "test.h"

/* Adds the width of its copy, which tells the copies apart. */
TAC_LANES_BODY void mark_lanes(const int doubles, int count, int *marks) {
  for (int i = 0; i < count; ++i) marks[i] += doubles;
}
TAC_LANES_KERNEL(static, mark, (int count, int *marks), count, marks)

TAC_TEST(a_kernel_is_the_copy_of_the_chosen_width) {
  const int widths[] = {8, 4, 2, 8};
  for (size_t w = 0; w < sizeof widths / sizeof *widths; ++w) {
    int marks[3] = {1, 2, 3};
    tacLanes used = tac_lanes_limit(widths[w]);
    ck_assert_int_le(used, widths[w]);
    ck_assert_int_eq(used, tac_lanes());
    mark(2, marks);
    ck_assert_int_eq(marks[0], 1 + (int)used);
    ck_assert_int_eq(marks[1], 2 + (int)used);
    ck_assert_int_eq(marks[2], 3);
  }
  ck_assert_int_eq(tac_lanes_limit(1), TAC_LANES_2); /* every processor has the baseline */
}

/* What the system says of its processor, which is not where the choice comes from. */
TAC_TEST(the_width_is_the_processors) {
  FILE *file = fopen("/proc/cpuinfo", "r");
  static char text[1 << 16];
  size_t size = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
  if (file != NULL) fclose(file);
  text[size] = 0;
  tacLanes most = tac_lanes_limit(8);
  if (strncmp(tac_platform(), "x86-64", 6) != 0) {
    ck_assert_int_eq(most, TAC_LANES_2);
  } else if (strstr(text, "\nflags") != NULL) {
    bool v4 = strstr(text, " avx512vl") != NULL && strstr(text, " avx512dq") != NULL;
    bool v3 = strstr(text, " avx2") != NULL && strstr(text, " fma ") != NULL && strstr(text, " bmi2") != NULL;
    ck_assert_int_eq(most, v4 ? TAC_LANES_8 : v3 ? TAC_LANES_4 : TAC_LANES_2);
  }
}
