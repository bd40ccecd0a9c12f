#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "bench/contact/contact_scene.h"
#include "bench/contact/signorini_pictures.h"
#include "bench/report/bench.h"
#include "contact/laws/frictional_problem.h"
#include "contact/laws/law_solver.h"
#include "math/dense/dense.h"
#include "math/geometry/quat.h"
#include "math/geometry/vec3.h"
#include "math/random.h"

/* A rigid tool (six coordinates) on a body with thirty (a reduced one) that lies beneath it: contacts over a patch,
 * pressed together and dragged along as by a hand. A step in which the hand has moved on follows each solution: that
 * is the warm start. */
enum { RIGID = 6, REDUCED = 30, MOST = 200, MOST_BUILT = 60 };

typedef struct Touch {
  tacLawContact contacts[MOST];
  double rigid[MOST][3 * RIGID], reduced[MOST][3 * REDUCED];
  double phase[MOST];
  tacLawProblem problem;
  int sizes[2];
} Touch;

static const double STEP = 1e-3, MASS = 0.1, SIZE = 0.03, PRESSING = 3.0; /* s, kg, m, N */

/* Deformations are waves over the patch, softer ones longer, each in a direction of its own. */
static void make_touch(int count, Touch *touch) {
  tacRandom random = tac_random_seed(1);
  tacVec3 direction[REDUCED];
  double wave[REDUCED][3], give[REDUCED];
  memset(touch, 0, sizeof *touch);
  for (int k = 0; k < REDUCED; ++k) {
    direction[k] = tac_vec3_unit(tac_random_normal3(&random));
    for (int a = 0; a < 2; ++a) wave[k][a] = tac_random_uniform(&random, 0.0, 1.0 + 0.3 * k) / SIZE;
    wave[k][2] = tac_random_uniform(&random, 0.0, 6.3);
    give[k] = STEP / sqrt(0.05 * (1.0 + pow(6.3 * STEP * 100.0 * (1 + k), 2.0))); /* L^-1 of m + h^2 m omega^2 */
  }
  for (int i = 0; i < count; ++i) {
    tacVec3 at = tac_random_in_cube(&random, SIZE), tilt = tac_random_in_cube(&random, 0.3);
    at.z = -0.01;
    tacMat3 turn = tac_quat_to_mat3(tac_quat_from_rotation_vector(tilt));
    for (int axis = 0; axis < 3; ++axis) { /* n is z as the tilt turns it, t1 x, t2 y */
      tacVec3 e = tac_mat3_column(turn, (axis + 2) % 3), moment = tac_vec3_cross(at, e);
      double *row = touch->rigid[i] + (size_t)axis * RIGID, *soft = touch->reduced[i] + (size_t)axis * REDUCED;
      double per = STEP / sqrt(MASS), per_turn = STEP / sqrt(MASS * SIZE * SIZE);
      const double all[RIGID] = {per * e.x,           per * e.y,           per * e.z,
                                 per_turn * moment.x, per_turn * moment.y, per_turn * moment.z};
      memcpy(row, all, sizeof all);
      for (int k = 0; k < REDUCED; ++k)
        soft[k] = -give[k] * tac_vec3_dot(e, direction[k]) * cos(wave[k][0] * at.x + wave[k][1] * at.y + wave[k][2]);
    }
    touch->phase[i] = tac_random_uniform(&random, 0.0, 6.3);
    touch->contacts[i] = (tacLawContact){.friction = 0.5, .part = {0, 1}, .rows = {touch->rigid[i], touch->reduced[i]}};
  }
  touch->sizes[0] = RIGID;
  touch->sizes[1] = REDUCED;
  touch->problem =
      (tacLawProblem){.count = count, .contacts = touch->contacts, .part_count = 2, .part_size = touch->sizes};
}

/* The free motion of step t: 3 N press, as over the step, and the hand drags to and fro. Some contacts are apart. */
static void move_hand(int t, bool cold, Touch *touch) {
  double press = STEP * STEP / MASS * PRESSING, time = t * STEP;
  for (int i = 0; i < touch->problem.count; ++i) {
    tacLawContact *contact = &touch->contacts[i];
    contact->gap = -press * (1.0 + 0.3 * sin(6.3 * time + touch->phase[i]));
    if (i % 5 == 4) contact->gap += 1.5 * press;
    contact->slip[0] = press * 0.6 * sin(12.6 * time);
    contact->slip[1] = press * 0.3 * cos(9.0 * time);
    if (cold) memset(contact->force, 0, sizeof contact->force);
  }
}

/* Factors of both parts, and rows L^-1 J^T of all contacts: with the solution all that an island takes. The matrices are any. */
static void factor_and_reduce(Touch *touch, double (*rows)[3 * REDUCED]) {
  static double reduced[REDUCED * REDUCED], rigid[RIGID * RIGID];
  for (int i = 0; i < REDUCED * REDUCED; ++i)
    reduced[i] = i % (REDUCED + 1) == 0 ? 100.0 : cos(i % REDUCED + i / REDUCED);
  for (int i = 0; i < RIGID * RIGID; ++i) rigid[i] = i % (RIGID + 1) == 0 ? 100.0 : 1.0;
  tacDense large = {REDUCED, REDUCED, REDUCED, reduced}, small = {RIGID, RIGID, RIGID, rigid};
  tac_dense_loop_cholesky(&large);
  tac_dense_loop_cholesky(&small);
  for (int i = 0; i < touch->problem.count; ++i) {
    double six[3 * RIGID];
    memcpy(rows[i], touch->reduced[i], sizeof rows[i]);
    memcpy(six, touch->rigid[i], sizeof six);
    tac_dense_loop_cholesky_forward3(&large, 0, rows[i]);
    tac_dense_loop_cholesky_forward3(&small, 0, six);
  }
}

static void measure_reduction(tacBench *bench, int count, Touch *touch) {
  enum { SAMPLES = 2000 };
  static double time[SAMPLES], rows[MOST_BUILT][3 * REDUCED];
  make_touch(count, touch);
  for (int t = 0; t < SAMPLES; ++t) {
    double start = tac_bench_now();
    factor_and_reduce(touch, rows);
    time[t] = 1e6 * (tac_bench_now() - start);
  }
  char name[64];
  snprintf(name, sizeof name, "%d contacts", count);
  tacBenchResult result = tac_bench_result(name, "factors and rows before it", NAN, "us");
  tac_bench_percentiles(SAMPLES, time, &result);
  tac_bench_report(bench, &result);
}

static tacStatus measure(tacBench *bench, int count, bool cold, tacDelassusForm form, tacArena *arena,
                         tacError *error) {
  int samples = bench->quick ? 200 : 20000;
  double *time = tac_array_create((size_t)samples, sizeof *time, "times", error);
  Touch *touch = tac_array_create(1, sizeof *touch, "contacts", error);
  if (time == NULL || touch == NULL) {
    free(time);
    free(touch);
    return TAC_ERR_MEMORY;
  }
  make_touch(count, touch);
  tacLawSolverDef def = tac_law_solver_def_default();
  def.method = TAC_CONTACT_GAUSS_SEIDEL;
  def.form = form;
  def.afresh = true;
  double sweeps = 0.0, unsolved = 0.0, metres = 0.0, newtons = 0.0;
  for (int t = 0; t < samples; ++t) {
    move_hand(t, cold, touch);
    double start = tac_bench_now();
    tacContactReport report = tac_law_solve(&touch->problem, &def, arena);
    time[t] = 1e6 * (tac_bench_now() - start);
    sweeps += report.sweeps;
    unsolved += report.unsolved > 0;
    metres = fmax(metres, report.residual.metres);
    newtons = fmax(newtons, report.residual.newtons);
  }
  if (cold && form == TAC_DELASSUS_BUILT) measure_reduction(bench, count, touch);
  char name[64];
  snprintf(name, sizeof name, "%d contacts, %s, %s", count, cold ? "cold" : "warm",
           form == TAC_DELASSUS_BUILT ? "built" : "unbuilt");
  tacBenchResult result = tac_bench_result(name, "time", NAN, "us");
  tac_bench_percentiles((size_t)samples, time, &result);
  tac_bench_report(bench, &result);
  const struct {
    const char *metric, *unit;
    double value;
  } others[] = {{"sweeps, mean", "", sweeps / samples},
                {"steps unsolved", "%", 100.0 * unsolved / samples},
                {"worst residual", "m", metres},
                {"worst residual", "N", newtons}};
  for (size_t k = 0; k < sizeof others / sizeof *others; ++k) {
    result = tac_bench_result(name, others[k].metric, others[k].value, others[k].unit);
    tac_bench_report(bench, &result);
  }
  free(time);
  free(touch);
  return TAC_OK;
}

/* ---- methods beside each other ---- */

static const char *const METHODS[] = {"automatic", "Gauss-Seidel", "Algorithm 1", "Newton", "pyramid of 8 sides"};

/* Steps of the hand solved by one method, from the forces of the step before or from none, to a share of the free motion
 * and of the force that presses. */
static tacStatus measure_method(tacBench *bench, int count, double friction, double share, bool cold,
                                tacContactSolver method, tacError *error) {
  int samples = method == TAC_CONTACT_PYRAMID ? 100 : count > MOST_BUILT ? 1000 : 5000;
  if (bench->quick) samples = method == TAC_CONTACT_PYRAMID ? 3 : 30;
  double *time = tac_array_create((size_t)samples, sizeof *time, "times", error);
  Touch *touch = tac_array_create(1, sizeof *touch, "contacts", error);
  tacArena arena = {0};
  tacStatus status = time != NULL && touch != NULL ? TAC_OK : TAC_ERR_MEMORY;
  tacLawSolverDef def = tac_law_solver_def_default();
  def.method = method;
  def.tolerance = (tacContactMeasure){share * STEP * STEP / MASS * PRESSING, share * PRESSING};
  def.most_sweeps = 2000;
  def.most_steps = 200;
  if (status == TAC_OK) {
    make_touch(count, touch);
    for (int i = 0; i < count; ++i) touch->contacts[i].friction = friction;
    status = tac_arena_create(tac_law_solver_room(&touch->problem, &def), "laws", &arena, error);
  }
  double sweeps = 0.0, steps = 0.0, unsolved = 0.0, metres = 0.0;
  for (int t = 0; t < samples && status == TAC_OK; ++t) {
    move_hand(t, cold, touch);
    double start = tac_bench_now();
    tacContactReport report = tac_law_solve(&touch->problem, &def, &arena);
    time[t] = 1e6 * (tac_bench_now() - start);
    sweeps += (double)report.sweeps / samples;
    steps += (double)report.steps / samples;
    unsolved += 100.0 * (report.unsolved > 0) / samples;
    metres = fmax(metres, report.residual.metres);
  }
  if (status == TAC_OK) {
    char name[96];
    snprintf(name, sizeof name, "%d contacts, mu %.1f, to %.0e, %s: %s", count, friction, share, cold ? "cold" : "warm",
             METHODS[method]);
    tacBenchResult result = tac_bench_result(name, "time", NAN, "us");
    tac_bench_percentiles((size_t)samples, time, &result);
    tac_bench_report(bench, &result);
    const struct {
      const char *metric, *unit;
      double value;
    } others[] = {{"sweeps, mean", "", sweeps},
                  {"steps or pivots, mean", "", steps},
                  {"steps unsolved", "%", unsolved},
                  {"worst residual", "m", metres}};
    for (size_t k = 0; k < sizeof others / sizeof *others; ++k) {
      result = tac_bench_result(name, others[k].metric, others[k].value, others[k].unit);
      tac_bench_report(bench, &result);
    }
  }
  tac_arena_destroy(&arena);
  free(time);
  free(touch);
  return status;
}

static tacStatus measure_methods(tacBench *bench, tacError *error) {
  const struct {
    int count;
    double friction, share;
    bool pyramid;
  } cases[] = {{30, 0.0, 1e-6, false}, {20, 0.2, 1e-3, true},   {20, 0.8, 1e-3, true},  {20, 0.2, 1e-8, false},
               {20, 0.8, 1e-8, false}, {200, 0.5, 1e-3, false}, {200, 0.5, 1e-6, false}};
  tacStatus status = TAC_OK;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k)
    for (int cold = 1; cold >= 0; --cold)
      for (tacContactSolver method = TAC_CONTACT_AUTOMATIC; method <= TAC_CONTACT_PYRAMID && status == TAC_OK; ++method)
        if (method != TAC_CONTACT_PYRAMID || (cases[k].pyramid && cold == 1)) /* which has no warm start */
          status = measure_method(bench, cases[k].count, cases[k].friction, cases[k].share, cold != 0, method, error);
  return status;
}

/* ---- the paper's figures ---- */

static void report(tacBench *bench, const char *name, const char *metric, double value, const char *unit,
                   const char *paper) {
  tacBenchResult result = tac_bench_result(name, metric, value, unit);
  result.paper = paper;
  tac_bench_report(bench, &result);
}

static tacStatus bench_sides(tacBench *bench, const tacWorld *table, tacError *error) {
  tacSidesExperiment e;
  tacStatus status = tac_signorini_experiment_sides(table, bench->quick ? 2 : 30, 0, TAC_SIDES_COUNT, &e, error);
  for (int k = 0; k < TAC_SIDES_COUNT && status == TAC_OK; ++k) {
    char name[64];
    snprintf(name, sizeof name, "table, %d contacts, pyramid of %d", e.contacts, e.sides[k]);
    report(bench, name, "gap, mean", e.gap[k], "%", e.sides[k] == 16 ? "< 5 %" : NULL);
    report(bench, name, "gap, largest", e.worst[k], "%", NULL);
  }
  if (status != TAC_OK) return status;
  report(bench, "table, cone", "sliding", e.sliding, "% of contacts", NULL);
  report(bench, "table, cone and pyramids", "unsolved", e.unsolved, "", NULL);
  return bench->plots != NULL ? tac_signorini_picture_sides(bench->plots, &e, error) : TAC_OK;
}

static tacStatus bench_growth(tacBench *bench, const tacWorld *table, tacError *error) {
  static const char *const methods[TAC_GROWTH_METHODS] = {"automatic", "Gauss-Seidel", "Algorithm 1",
                                                          "pyramid of 8 sides"};
  tacGrowthExperiment e;
  tacStatus status = tac_signorini_experiment_growth(table, bench->quick ? 8 : 36, bench->quick ? 2 : 50, &e, error);
  for (int i = 0; i < e.count && status == TAC_OK; ++i)
    for (int k = 0; k < TAC_GROWTH_METHODS; ++k) {
      char name[64];
      snprintf(name, sizeof name, "table, %d contacts: %s", e.contacts[i], methods[k]);
      tacBenchResult result = tac_bench_result(name, "time, mean", 1e6 * e.time[k][i], "us");
      if (k != TAC_GROWTH_PYRAMID) result.baseline = 1e6 * e.time[TAC_GROWTH_PYRAMID][i];
      tac_bench_report(bench, &result);
      if (e.unsolved[k][i] > 0) report(bench, name, "unsolved", e.unsolved[k][i], "", NULL);
    }
  return status == TAC_OK && bench->plots != NULL ? tac_signorini_picture_growth(bench->plots, &e, error) : status;
}

static void report_times(tacBench *bench, const char *name, const char *metric, int count, double *seconds,
                         const char *paper) {
  tacBenchResult result = tac_bench_result(name, metric, NAN, "us");
  for (int k = 0; k < count; ++k) seconds[k] *= 1e6;
  result.paper = paper;
  tac_bench_percentiles((size_t)count, seconds, &result);
  tac_bench_report(bench, &result);
}

static tacStatus bench_clip(tacBench *bench, tacError *error) {
  enum { CASES = 3 };
  static const struct {
    int patch;
    double friction;
    const char *paper;
  } cases[CASES] = {{30, 0.0, "3 ms"}, {20, 0.2, "4 ms"}, {20, 0.8, "4 ms"}};
  tacClipExperiment e[CASES] = {{0}};
  tacStatus status = TAC_OK;
  for (int k = 0; k < CASES && status == TAC_OK; ++k)
    status = tac_signorini_experiment_clip(cases[k].patch, cases[k].friction, bench->quick ? 50 : 5000,
                                           bench->quick ? 20 : 1000, &e[k], error);
  if (status == TAC_OK && bench->plots != NULL) status = tac_signorini_picture_ticks(bench->plots, CASES, e, error);
  for (int k = 0; k < CASES && status == TAC_OK; ++k) {
    char name[64];
    snprintf(name, sizeof name, "clip, patch %d, mu %.1f", e[k].patch, e[k].friction);
    report_times(bench, name, "tick", e[k].ticks, e[k].tick, cases[k].paper);
    report_times(bench, name, "solution, warm", e[k].problem_count, e[k].warm, NULL);
    report_times(bench, name, "solution, cold", e[k].problem_count, e[k].cold, NULL);
    report(bench, name, "contacts, mean", e[k].contacts, "", NULL);
    report(bench, name, "contacts, least", e[k].least_contacts, "", NULL);
    report(bench, name, "contacts, most", e[k].most_contacts, "", NULL);
    report(bench, name, "pressing, mean", e[k].pressing, "", NULL);
    report(bench, name, "ticks unsolved", e[k].unsolved, "", NULL);
  }
  for (int k = 0; k < CASES; ++k) tac_signorini_experiment_clip_free(&e[k]);
  return status;
}

static tacStatus bench_many(tacBench *bench, tacError *error) {
  tacManyExperiment e;
  char name[64];
  tacStatus status = tac_signorini_experiment_many(bench->quick, &e, error);
  if (status != TAC_OK) return status;
  snprintf(name, sizeof name, "%d contacts on %d vertices", e.contacts, e.vertices);
  report(bench, name, "gathering W", 1e3 * e.assemble, "ms", NULL);
  for (int k = 0; k < TAC_MANY_CASES; ++k) {
    char metric[64];
    snprintf(metric, sizeof metric, "%s, to %s", k % 2 == 0 ? "cold" : "warm", k < 2 ? "1e-3" : "1e-6");
    report(bench, name, metric, 1e3 * e.solve[k], "ms", NULL);
  }
  report(bench, name, "open", e.open, "contacts", NULL);
  report(bench, name, "sliding", e.sliding, "contacts", NULL);
  report(bench, name, "unsolved", e.unsolved, "", NULL);
  return TAC_OK;
}

static tacStatus bench_figures(tacBench *bench, tacError *error) {
  tacContactScene table;
  tacStatus status = tac_contact_scene_open(tac_signorini_table, &table, error);
  if (status != TAC_OK) return status;
  status = bench_sides(bench, table.world, error);
  if (status == TAC_OK) status = bench_growth(bench, table.world, error);
  tac_contact_scene_close(&table);
  if (status == TAC_OK) status = bench_many(bench, error);
  return status == TAC_OK ? bench_clip(bench, error) : status;
}

tacStatus tac_bench_signorini(tacBench *bench, tacError *error) {
  const int counts[] = {1, 5, 20, MOST_BUILT};
  tacArena arena;
  size_t room = tac_law_solver_room_most(MOST_BUILT, 2, RIGID + REDUCED, true);
  tacStatus status = tac_arena_create(room, "laws", &arena, error);
  if (status != TAC_OK) return status;
  for (size_t k = 0; k < sizeof counts / sizeof *counts && status == TAC_OK; ++k)
    for (int cold = 1; cold >= 0 && status == TAC_OK; --cold) {
      status = measure(bench, counts[k], cold != 0, TAC_DELASSUS_BUILT, &arena, error);
      if (status == TAC_OK) status = measure(bench, counts[k], cold != 0, TAC_DELASSUS_UNBUILT, &arena, error);
    }
  tac_arena_destroy(&arena);
  if (status == TAC_OK) status = measure_methods(bench, error);
  return status == TAC_OK ? bench_figures(bench, error) : status;
}
