#include <math.h>
#include <stdlib.h>
#include "base/memory/array.h"
#include "bench/report/bench.h"
#include "collide/broad_phase.h"
#include "math/geometry/vec3.h"
#include "math/random.h"

enum { BODIES = 512, PAIRS = 8192, TICKS = 2000 };

typedef struct Case {
  const char *name;
  double half;           /* m, of the cube in which bodies start */
  double least, largest; /* m, of radii */
} Case;

static const Case cases[] = {
    {"512 falling, alike", 0.2, 0.02, 0.02},
    {"512 falling, sizes 1 : 3", 0.2, 0.01, 0.03},
    {"512 falling, sizes 1 : 100", 0.2, 0.0005, 0.05},
    {"512 in a heap", 0.14, 0.025, 0.025},
};

typedef struct Bodies {
  tacVec3 place[BODIES];
  double radius[BODIES], speed[BODIES];
} Bodies;

/* Sizes even in their logarithm. */
static void start(const Case *c, Bodies *bodies) {
  tacRandom random = tac_random_seed(1);
  for (int i = 0; i < BODIES; ++i) {
    bodies->place[i] = tac_random_in_cube(&random, c->half);
    bodies->radius[i] = c->least * pow(c->largest / c->least, tac_random_uniform(&random, 0.0, 1.0));
    bodies->speed[i] = 0.0;
  }
}

static void fall(double half, Bodies *bodies) {
  for (int i = 0; i < BODIES; ++i) {
    bodies->speed[i] -= 9.81e-3;
    bodies->place[i].z += 1e-3 * bodies->speed[i];
    if (bodies->place[i].z < -half) bodies->speed[i] = fabs(bodies->speed[i]);
  }
}

static int brute_force(const Bodies *bodies) {
  int found = 0;
  for (int a = 0; a < BODIES; ++a)
    for (int b = a + 1; b < BODIES; ++b) {
      double reach = bodies->radius[a] + bodies->radius[b];
      found += tac_vec3_norm2(tac_vec3_sub(bodies->place[a], bodies->place[b])) <= reach * reach;
    }
  return found;
}

tacStatus tac_bench_broad_phase(tacBench *bench, tacError *error) {
  int ticks = bench->quick ? 20 : TICKS;
  tacBroadPhase *phase = NULL;
  tacStatus status = tac_broad_phase_create(BODIES + 1, PAIRS, &phase, error);
  if (status != TAC_OK) return status;
  double *seconds = tac_array_create(2 * TICKS, sizeof *seconds, "times", error);
  Bodies *bodies = tac_array_create(1, sizeof *bodies, "bodies", error);
  if (seconds == NULL || bodies == NULL) status = TAC_ERR_MEMORY;
  for (size_t c = 0; c < sizeof cases / sizeof *cases && status == TAC_OK; ++c) {
    start(&cases[c], bodies);
    /* And what they fall on. */
    tac_broad_phase_set_ball(phase, BODIES, tac_vec3(0.0, 0.0, -100.0 - cases[c].half), 100.0);
    tac_broad_phase_set_filter(phase, BODIES, false, 1, UINT32_MAX);
    int pairs = 0, meeting = 0;
    for (int t = 0; t < ticks; ++t) {
      fall(cases[c].half, bodies);
      double begin = tac_bench_now();
      for (int i = 0; i < BODIES; ++i) tac_broad_phase_set_ball(phase, i, bodies->place[i], bodies->radius[i]);
      pairs = tac_broad_phase_find(phase).count;
      double middle = tac_bench_now();
      meeting += brute_force(bodies);
      seconds[t] = 1e6 * (middle - begin);
      seconds[TICKS + t] = 1e6 * (tac_bench_now() - middle);
    }
    tacBenchResult direct = tac_bench_result(cases[c].name, "brute force", NAN, "us");
    tac_bench_percentiles((size_t)ticks, seconds + TICKS, &direct);
    tacBenchResult result = tac_bench_result(cases[c].name, "time", NAN, "us");
    tac_bench_percentiles((size_t)ticks, seconds, &result);
    result.baseline = direct.p50;
    tac_bench_report(bench, &result);
    result = tac_bench_result(cases[c].name, "pairs at the end", pairs, "1");
    tac_bench_report(bench, &result);
    if (meeting == 0) status = tac_error_set(error, TAC_ERR_CHECK, "no bodies meet");
  }
  free(bodies);
  free(seconds);
  tac_broad_phase_destroy(phase);
  return status;
}
