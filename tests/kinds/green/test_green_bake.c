#include <sys/stat.h>
#include <tactus/base.h>
#include <tactus/green.h>
#include <tactus/meshing.h>
#include "bake/meshing/stuffing.h"
#include "elastic/make_body.h"
#include "elastic/reference/reference_problem.h"
#include "given_memory.h"
#include "kinds/green/green.h"
#include "math/dense/blas.h"
#include "physics/block.h"

/* A block that stands on its bottom. */
typedef struct {
  Block of;
  tacGreenDef def;
} Body;

static Body *make_body(tacVolMesh *volume, tacReferenceMethod method) {
  tac_blas_start();
  Body *body = calloc(1, sizeof *body);
  body->of = make_block(volume, at_bottom, 1e5, 0.3);
  body->def = tac_green_def_default();
  body->def.error_estimate_loads = 0; /* not of interest here */
  body->def.problem = (tacReferenceDef){.method = method,
                                        .surface = body->of.surface,
                                        .volume = volume,
                                        .material_count = 1,
                                        .materials = &body->of.material,
                                        .fixed = body->of.fixed};
  return body;
}

/* Of n^3 bricks. */
static Body *make_cube(int n, tacReferenceMethod method) {
  return make_body(make_bricks(unit_box(), n, n, n), method);
}

static void free_body(Body *body) {
  free(body);
}
TAC_OWNED_TYPE(Body, free_body)

static tacGreen *bake(const tacGreenDef *def) {
  tacGreen *green = NULL;
  tac_test_ok(tac_green_bake(def, NULL, &green, &error), error);
  return green;
}

static void check_same(const tacGreen *a, const tacGreen *b) {
  int count = tac_green_column_count(a);
  ck_assert_int_eq(tac_green_column_count(b), count);
  ck_assert_mem_eq(tac_green_column_vertex(a), tac_green_column_vertex(b), (size_t)count * sizeof(int));
  bool same = true;
  for (int c = 0; c < count; ++c) {
    int j = tac_green_column_vertex(a)[c];
    const double *x = tac_green_column(a, j), *y = tac_green_column(b, j);
    same = same && (x != NULL) == (y != NULL);
    if (x != NULL && same) same = memcmp(x, y, 3 * (size_t)tac_green_row_count(a) * sizeof *x) == 0;
    for (int i = 0; i < tac_green_surface(a)->vertex_count; ++i) {
      double p[3][3] = {{0.0}}, q[3][3] = {{0.0}};
      same = same && tac_green_block(a, i, j, p) == tac_green_block(b, i, j, q) && memcmp(p, q, sizeof p) == 0;
    }
  }
  ck_assert(same);
  ck_assert_double_eq(tac_green_betti_defect(a), tac_green_betti_defect(b));
}

TAC_TEST(asset_contains_the_problem_columns) {
  const tacSensor sensor = {"heart", TAC_SENSOR_STRESS, {0.4, 0.55, 0.6}};
  for (int method = 0; method < 2; ++method) {
    TAC_OWN(Body, body) = make_cube(4, (tacReferenceMethod)method);
    body->def.problem.sensor_count = 1;
    body->def.problem.sensors = &sensor;
    TAC_CREATE(tacReferenceProblem, problem, tac_reference_problem_create(&body->def.problem, NULL, &problem, &error));
    int rows = tac_reference_problem_row_count(problem), n = body->of.surface->vertex_count, free_count = 0;
    TAC_MEMORY(double, columns) = malloc(3 * (size_t)rows * sizeof *columns);
    tacGreen *green = bake(&body->def);
    ck_assert_int_eq(tac_green_method(green), method);
    ck_assert_int_eq(tac_green_row_count(green), rows);
    ck_assert_str_eq(tac_green_sensor(green, 0)->name, "heart");
    for (int v = 0; v < n; ++v) {
      ck_assert_int_eq(tac_green_column(green, v) != NULL, !body->of.fixed[v]);
      ck_assert_double_eq(tac_green_area(green)[v], tac_reference_problem_area(problem)[v]);
      if (body->of.fixed[v]) continue;
      ++free_count;
      tac_test_ok(tac_reference_problem_columns(problem, 1, &v, NULL, columns, &error), error);
      double largest = 0.0, difference = 0.0;
      for (int i = 0; i < 3 * rows; ++i) {
        largest = fmax(largest, fabs(columns[i]));
        difference = fmax(difference, fabs(columns[i] - tac_green_column(green, v)[i]));
      }
      ck_assert_double_lt(difference, 1e-12 * largest);
    }
    ck_assert_int_eq(tac_green_column_count(green), free_count);
    ck_assert_double_lt(tac_green_betti_defect(green), method == TAC_FINITE_ELEMENTS ? 1e-10 : 0.1);
    tac_green_destroy(green);

    /* Some vertices in any order, fixed ones too. */
    int wanted[4] = {n - 1, 0, n / 2, 3};
    body->def.wanted = wanted;
    body->def.wanted_count = 4;
    green = bake(&body->def);
    ck_assert_int_eq(tac_green_column_count(green), 4);
    for (int k = 0; k < 4; ++k) {
      if (k > 0) ck_assert_int_lt(tac_green_column_vertex(green)[k - 1], tac_green_column_vertex(green)[k]);
      ck_assert_ptr_nonnull(tac_green_column(green, wanted[k]));
    }
    tac_green_destroy(green);
  }
}

TAC_TEST(near_blocks_equal_those_of_whole_storage) {
  for (int method = 0; method < 2; ++method) {
    TAC_OWN(Body, body) = make_cube(tac_test_light() ? 4 : 7, (tacReferenceMethod)method);
    TAC_OWN(tacGreen, whole) = bake(&body->def);
    body->def.storage = TAC_GREEN_NEAR;
    body->def.near_radius = 0.3;
    TAC_OWN(tacGreen, near) = bake(&body->def);
    const tacVec3 *p = body->of.surface->vertices;
    for (int i = 0; i < body->of.surface->vertex_count; ++i)
      for (int j = 0; j < body->of.surface->vertex_count; ++j) {
        double a[3][3], b[3][3];
        bool kept = tac_green_block(near, i, j, a);
        ck_assert_int_eq(kept, !body->of.fixed[i] && !body->of.fixed[j] && tac_vec3_distance(p[i], p[j]) <= 0.3);
        if (!kept) continue;
        ck_assert(tac_green_block(whole, i, j, b));
        ck_assert_mem_eq(a, b, sizeof a);
      }
    ck_assert_double_lt(tac_green_betti_defect(near), method == TAC_FINITE_ELEMENTS ? 1e-10 : 0.2);
  }
}

static void count_warning(tacLogLevel level, const char *text, void *user) {
  if (level == TAC_LOG_WARNING && strstr(text, "too stiff") != NULL) ++*(int *)user;
}

TAC_TEST(thin_parts_cause_one_warning) {
  const tacBox flat = {tac_vec3(0.0, 0.0, 0.0), tac_vec3(1.0, 0.25, 1.0)};
  TAC_OWN(Body, body) = make_body(make_bricks(flat, 3, 1, 3), TAC_BOUNDARY_ELEMENTS);
  int warnings = 0;
  body->def.problem.accept_thin = true;
  tac_log_set(count_warning, &warnings);
  tac_green_destroy(bake(&body->def));
  tac_log_set(NULL, NULL);
  ck_assert_int_eq(warnings, 1);
}

/* ---- progress, interruption and going on ---- */

typedef struct {
  double stop, first_column, last; /* fractions */
  int calls;
} Watch;

static bool watch(const char *what, double fraction, void *user) {
  Watch *w = user;
  ck_assert(fraction >= w->last - 1e-12 && fraction <= 1.0 + 1e-12);
  w->last = fraction;
  ++w->calls;
  if (strcmp(what, "Green's functions") == 0 && w->first_column < 0.0) w->first_column = fraction;
  return fraction < w->stop;
}

static tacStatus bake_until(const tacGreenDef *def, double stop, Watch *w, tacGreen **green) {
  *w = (Watch){.stop = stop, .first_column = -1.0};
  const tacProgress progress = {watch, w};
  return tac_green_bake(def, &progress, green, &error);
}

static void bake_to_the_same(const tacGreenDef *def, const tacGreen *straight, Watch *w) {
  TAC_CREATE(tacGreen, green, bake_until(def, 2.0, w, &green));
  check_same(green, straight);
}

static long size_of(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 ? (long)about.st_size : -1;
}

static void flip_byte(const char *path, long offset) {
  FILE *file = fopen(path, "r+b");
  fseek(file, offset, SEEK_SET);
  int byte = fgetc(file);
  fseek(file, offset, SEEK_SET);
  fputc(byte ^ 0x55, file);
  fclose(file);
}

static void copy_file(const char *from, const char *to) {
  FILE *source = fopen(from, "rb"), *target = fopen(to, "wb");
  ck_assert(source != NULL && target != NULL);
  static char bytes[1 << 16];
  for (size_t got; (got = fread(bytes, 1, sizeof bytes, source)) > 0;)
    ck_assert_uint_eq(fwrite(bytes, 1, got, target), got);
  fclose(source);
  fclose(target);
}

/* 305 free vertices: pieces of 128, 128 and 49. */
TAC_TEST(interrupted_bake_resumes_bitwise) {
  const char *path = tac_test_path("checkpoint"), *kept = tac_test_path("kept");
  for (int kind = 0; kind < 4; ++kind) {
    if (!tac_test_all() && (kind == 1 || kind == 2)) continue;
    TAC_OWN(Body, body) = make_cube(8, (tacReferenceMethod)(kind % 2));
    body->def.storage = kind < 2 ? TAC_GREEN_WHOLE : TAC_GREEN_NEAR;
    body->def.near_radius = 0.4;
    TAC_OWN(tacGreen, straight) = bake(&body->def);
    tacGreen *green = NULL;
    Watch w;
    body->def.checkpoint = path;
    body->def.problem.thread_count = 1; /* the number of threads does not matter either */
    /* Stopped before the columns: nothing is left behind. */
    ck_assert_int_eq(bake_until(&body->def, 0.1, &w, &green), TAC_ERR_CANCELLED);
    ck_assert_ptr_null(green);
    ck_assert_int_eq(size_of(path), -1);
    /* Stopped in the second piece, then in the third. */
    ck_assert_int_eq(bake_until(&body->def, 0.65, &w, &green), TAC_ERR_CANCELLED);
    long first = size_of(path);
    ck_assert_int_gt(first, 1000);
    ck_assert_int_eq(bake_until(&body->def, 0.85, &w, &green), TAC_ERR_CANCELLED);
    long second = size_of(path);
    ck_assert_int_gt(second, first);
    ck_assert_double_gt(w.first_column, 0.59);
    copy_file(path, kept);
    bake_to_the_same(&body->def, straight, &w);
    ck_assert_double_gt(w.first_column, 0.79); /* two of the pieces are not computed again */
    ck_assert_double_eq_tol(w.last, 1.0, 1e-9);
    /* Until the caller removes it, the whole checkpoint is enough: no piece is computed again. */
    ck_assert_int_gt(size_of(path), second);
    bake_to_the_same(&body->def, straight, &w);
    ck_assert_double_lt(w.first_column, 0.0);

    /* A checkpoint that is cut or altered anywhere: what is whole in it is used, the rest is computed. */
    const long places[6] = {9, 20, 25, 40, first - 3, first + 100};
    for (int k = 0; k < 12; ++k) {
      if (kind == 1 || kind == 2 || (kind == 0 && k % 3 != 2) || (tac_test_light() && k % 3 != 0)) continue;
      copy_file(kept, path);
      if (k < 6)
        flip_byte(path, places[k]);
      else
        ck_assert_int_eq(truncate(path, places[k - 6]), 0);
      bake_to_the_same(&body->def, straight, &w);
      bool whole_first_piece = k % 6 == 5;
      ck_assert_int_eq(w.first_column > 0.59, whole_first_piece);
    }
    /* The checkpoint of another body is ignored. */
    copy_file(kept, path);
    body->of.material = make_isotropic(1000.0, 2e5, 0.3);
    tac_test_ok(bake_until(&body->def, 2.0, &w, &green), error);
    ck_assert_double_lt(w.first_column, 0.41);
    int j = tac_green_column_vertex(green)[0];
    double a[3][3], b[3][3];
    ck_assert(tac_green_block(green, j, j, a) && tac_green_block(straight, j, j, b));
    ck_assert_double_eq_tol(a[0][0] / b[0][0], 0.5, 1e-9);
    tac_green_destroy(green);
    remove(kept);
    remove(path);
  }
  ck_assert_int_eq(rmdir(tac_test_own_folder()), 0); /* nothing else is left */
}

TAC_TEST(files_that_are_not_checkpoints_are_kept) {
  char text[16] = "";
  const char *path = tac_test_write("letter", "Dear Sir");
  TAC_OWN(Body, body) = make_cube(2, TAC_FINITE_ELEMENTS);
  tacGreen *green;
  body->def.checkpoint = path;
  tac_test_refused(tac_green_bake(&body->def, NULL, &green, &error), TAC_ERR_FILE, error, "letter");
  ck_assert_ptr_null(green);
  FILE *file = fopen(path, "r");
  ck_assert_ptr_nonnull(fgets(text, sizeof text, file));
  fclose(file);
  ck_assert_str_eq(text, "Dear Sir");
  body->def.checkpoint = tac_test_own_folder();
  ck_assert_int_eq(tac_green_bake(&body->def, NULL, &green, &error), TAC_ERR_FILE);
  body->def.checkpoint = "/no/such/folder/checkpoint";
  ck_assert_int_eq(tac_green_bake(&body->def, NULL, &green, &error), TAC_ERR_FILE);
  remove(path);
  ck_assert_int_eq(rmdir(tac_test_own_folder()), 0);
}

/* The file of the factored problem is made, used again, and made anew where it is broken or of another body. */
TAC_TEST(factored_problem_is_cached) {
  const char *path = tac_test_path("factored");
  for (int method = 0; method < 2; ++method) {
    TAC_OWN(Body, body) = make_cube(4, (tacReferenceMethod)method);
    TAC_OWN(tacGreen, straight) = bake(&body->def);
    body->def.factored = path;
    for (int round = 0; round < 4; ++round) {
      Watch w;
      if (round == 2) flip_byte(path, size_of(path) / 2);
      if (round == 3) { /* another body's */
        body->of.material = make_isotropic(1000.0, 3e5, 0.3);
        tac_green_destroy(bake(&body->def));
        body->of.material = make_isotropic(1000.0, 1e5, 0.3);
      }
      bake_to_the_same(&body->def, straight, &w);
    }
    /* Columns on demand, of fixed vertices too. */
    TAC_CREATE(tacReferenceProblem, problem, tac_reference_problem_read(path, &problem, &error));
    int rows = tac_reference_problem_row_count(problem), j = tac_green_column_vertex(straight)[7];
    TAC_MEMORY(double, column) = malloc(3 * (size_t)rows * sizeof *column);
    tac_test_ok(tac_reference_problem_columns(problem, 1, &j, NULL, column, &error), error);
    for (int i = 0; i < 3 * rows; ++i)
      ck_assert_double_eq_tol(column[i], tac_green_column(straight, j)[i], 1e-9 * fabs(column[i]) + 1e-16);
  }
}

static double ball(tacVec3 p, void *user) {
  (void)user;
  return tac_vec3_norm(p) - 1.0;
}

/* A ball of stuffed tetrahedra whose lower cap is held: columns of both methods far from the loaded vertex. */
TAC_TEST(boundary_and_finite_elements_agree_on_a_ball) {
  double before = 1.0;
  for (int fine = 0; fine < (tac_test_light() ? 1 : 2); ++fine) {
    tacStuffingDef stuffing = tac_stuffing_def_default();
    stuffing.size = fine ? 0.26 : 0.4;
    stuffing.levels = 0;
    tacVolMesh *volume = NULL; /* its owner is the body */
    const tacBox box = {{-1.3, -1.3, -1.3}, {1.3, 1.3, 1.3}};
    tac_test_ok(tac_stuffing_fill_implicit(ball, NULL, box, &stuffing, NULL, &volume, &error), error);
    TAC_OWN(Body, body) = make_body(volume, TAC_BOUNDARY_ELEMENTS);
    const tacVec3 *at = body->of.surface->vertices;
    int n = body->of.surface->vertex_count, count = 0, wanted[64];
    for (int v = 0; v < n; ++v) {
      body->of.fixed[v] = at[v].z < -0.6;
      if (at[v].z > 0.7 && count < 64) wanted[count++] = v;
    }
    body->def.wanted = wanted;
    body->def.wanted_count = count;
    body->def.problem.method = TAC_BOUNDARY_ELEMENTS;
    TAC_OWN(tacGreen, boundary) = bake(&body->def);
    body->def.problem.method = TAC_FINITE_ELEMENTS;
    TAC_OWN(tacGreen, finite) = bake(&body->def);
    double difference = 0.0, all = 0.0;
    for (int k = 0; k < count; ++k)
      for (int i = 0; i < n; ++i) {
        tacVec3 away = tac_vec3_sub(at[i], at[wanted[k]]);
        if (body->of.fixed[i] || tac_vec3_norm(away) < 0.8) continue;
        double a[3][3], b[3][3];
        ck_assert(tac_green_block(boundary, i, wanted[k], a) && tac_green_block(finite, i, wanted[k], b));
        /* Per newton: nodal areas differ much from vertex to vertex. */
        double area = tac_green_area(boundary)[wanted[k]];
        for (int e = 0; e < 9; ++e) {
          difference += pow((a[e / 3][e % 3] - b[e / 3][e % 3]) / area, 2.0);
          all += pow(b[e / 3][e % 3] / area, 2.0);
        }
      }
    difference = sqrt(difference / all);
    ck_assert_msg(difference < (fine ? 0.7 * before : 0.1), "they differ by %g", difference);
    if (fine) ck_assert_double_lt(difference, 0.05);
    before = difference;
  }
}

/* ---- refusals ---- */

static void check_refusal(const tacGreenDef *def, tacStatus expected, const char *text) {
  tacGreen *green;
  tac_test_refused(tac_green_bake(def, NULL, &green, &error), expected, error, text);
  ck_assert_ptr_null(green);
}

TAC_TEST(unbakeable_input_is_rejected) {
  TAC_OWN(Body, body) = make_cube(2, TAC_BOUNDARY_ELEMENTS);
  int n = body->of.surface->vertex_count, wanted[3] = {1, 5, n};
  const tacGreenDef good = body->def;
  tacGreenDef def = good;
  def.wanted = wanted;
  def.wanted_count = 3;
  check_refusal(&def, TAC_ERR_ARGUMENT, "does not exist");
  wanted[2] = -1;
  check_refusal(&def, TAC_ERR_ARGUMENT, "-1");
  wanted[2] = 1;
  check_refusal(&def, TAC_ERR_ARGUMENT, "vertex 1 is listed twice as wanted; list it once");
  def.wanted_count = 0;
  check_refusal(&def, TAC_ERR_ARGUMENT, "vertices (0)");
  def = good;
  def.storage = TAC_GREEN_NEAR;
  check_refusal(&def, TAC_ERR_ARGUMENT, "radius");
  def.near_radius = INFINITY;
  check_refusal(&def, TAC_ERR_ARGUMENT, "radius");
  def.storage = (tacGreenStorage)5;
  check_refusal(&def, TAC_ERR_ARGUMENT, "storage 5");
  def = good;
  def.problem.material_count = 0;
  check_refusal(&def, TAC_ERR_ARGUMENT, "material");
  /* Everything is fixed: nothing is wanted by default, but what is named can be had. */
  memset(body->of.fixed, 1, (size_t)n * sizeof *body->of.fixed);
  check_refusal(&good, TAC_ERR_ARGUMENT, "every vertex is fixed, so no column would be computed");
  wanted[2] = 7;
  for (int method = 0; method < 2; ++method) {
    def = good;
    def.problem.method = (tacReferenceMethod)method;
    def.wanted = wanted;
    def.wanted_count = 3;
    TAC_OWN(tacGreen, green) = bake(&def);
    ck_assert_int_eq(tac_green_column_count(green), 3);
  }
  memset(body->of.fixed, 0, (size_t)n * sizeof *body->of.fixed);
  check_refusal(&good, TAC_ERR_GEOMETRY, "no vertex");
}

/* Nine doubles for each pair of vertices. */
TAC_TEST(bake_too_large_for_memory_is_rejected_early) {
  given_memory = (size_t)1 << 30;
  int side = (int)sqrt(1.3 * sqrt((double)given_memory / 72.0)) + 1;
  TAC_OWN(tacTriMesh, sphere) = make_sphere(tac_vec3(0.0, 0.0, 0.0), 1.0, side, side);
  TAC_MEMORY(bool, fixed) = calloc((size_t)sphere->vertex_count, sizeof *fixed);
  for (int v = 0; v < 3 * side; ++v) fixed[v] = true;
  tacMaterial material = make_isotropic(1000.0, 1e5, 0.3);
  tacGreenDef def = tac_green_def_default();
  def.error_estimate_loads = 0; /* not of interest here */
  def.problem = (tacReferenceDef){.surface = sphere, .material_count = 1, .materials = &material, .fixed = fixed};
  check_refusal(&def, TAC_ERR_MEMORY, "near storage");
  ck_assert_ptr_nonnull(strstr(error.text, "bytes"));
  def.storage = TAC_GREEN_NEAR;
  def.near_radius = 3.0;
  if (!tac_test_light()) check_refusal(&def, TAC_ERR_MEMORY, "smaller radius");
  given_memory = 0;
}
