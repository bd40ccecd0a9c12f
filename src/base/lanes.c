#include "base/lanes.h"

#include <stdlib.h>

tacLanes tac_lanes_chosen = TAC_LANES_2;

static tacLanes of_processor(void) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi") ||
      !__builtin_cpu_supports("bmi2") || !__builtin_cpu_supports("popcnt"))
    return TAC_LANES_2;
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512cd") || !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl"))
    return TAC_LANES_4;
  return TAC_LANES_8;
#else
  return TAC_LANES_2;
#endif
}

tacLanes tac_lanes_limit(int most) {
  tacLanes lanes = of_processor();
  while ((int)lanes > most && lanes > TAC_LANES_2) lanes = lanes == TAC_LANES_8 ? TAC_LANES_4 : TAC_LANES_2;
  tac_lanes_chosen = lanes;
  return lanes;
}

/* Before main, and when the library is loaded: no thread sees it change. */
__attribute__((constructor)) static void choose(void) {
  const char *wanted = getenv("TACTUS_LANES");
  int most = wanted != NULL ? atoi(wanted) : 0;
  tac_lanes_limit(most > 0 ? most : TAC_LANES_8);
}
