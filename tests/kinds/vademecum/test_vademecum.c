#include <tactus/reduced.h>
#include "asset/broken_asset.h"
#include "asset/make_vademecum.h"
#include "base/error.h"
#include "elastic/hyper/sampled_solid.h"
#include "kinds/vademecum/vademecum.h"

static const tacVec3 any = {0.0, 0.0, 0.0}, down = {0.0, 0.0, -1.0};
enum { N = REDUCED_SIZE };

/* ---- terms ---- */

/* By their definition, with pow: by degree, x before y before z. */
TAC_TEST(terms_of_any_direction_are_all_monomials) {
  const tacVec3 t = {0.7, -0.4, 0.55};
  for (int degree = 1; degree <= TAC_LOAD_MOST_DEGREE; ++degree) {
    const tacLoadTerms terms = {any, degree};
    double values[TAC_LOAD_MOST_TERMS + 1];
    int count = 0;
    values[tac_load_terms_count(&terms)] = 77.0;
    tac_load_terms_values(&terms, t, values);
    ck_assert_double_eq(values[tac_load_terms_count(&terms)], 77.0);
    for (int p = 1; p <= degree; ++p) {
      int first = count;
      for (int a = p; a >= 0; --a)
        for (int b = p - a; b >= 0; --b)
          ck_assert_double_eq_tol(values[count++], pow(t.x, a) * pow(t.y, b) * pow(t.z, p - a - b), 1e-15);
      ck_assert_int_eq(count - first, (p + 1) * (p + 2) / 2);
    }
    ck_assert_int_eq(tac_load_terms_count(&terms), count);
  }
  ck_assert_int_eq(tac_load_terms_count(&(tacLoadTerms){any, TAC_LOAD_MOST_DEGREE}), TAC_LOAD_MOST_TERMS);
}

TAC_TEST(terms_along_a_direction_are_powers) {
  const tacVec3 t = {0.7, -0.4, 0.55}, along = {0.6, 0.0, 0.8};
  for (int degree = 1; degree <= TAC_LOAD_MOST_DEGREE; ++degree) {
    const tacLoadTerms terms = {along, degree};
    double values[TAC_LOAD_MOST_TERMS];
    ck_assert_int_eq(tac_load_terms_count(&terms), 2 + degree);
    tac_load_terms_values(&terms, t, values);
    ck_assert(values[0] == t.x && values[1] == t.y && values[2] == t.z);
    for (int p = 2; p <= degree; ++p) ck_assert_double_eq_tol(values[1 + p], pow(0.6 * t.x + 0.8 * t.z, p), 1e-15);
  }
}

/* ---- parts and files ---- */

/* Everything that can be asked for is what was given. */
static void compare(const tacVademecum *vademecum, const MadeVademecum *made) {
  const tacVademecumParts *parts = tac_vademecum_parts(vademecum), *given = &made->parts;
  size_t terms = (size_t)tac_load_terms_count(&given->terms), elements = (size_t)given->sampled.element_count;
  ck_assert_int_eq(tac_vademecum_mode_count(vademecum), N);
  ck_assert(tac_vademecum_is_linear(vademecum) == (elements == 0));
  ck_assert_int_eq(tac_vademecum_load_count(vademecum), VADEMECUM_LOADS);
  static const int load_of[REDUCED_VERTICES] = {0, -1, 1, -1, -1, 2};
  for (int v = 0; v < REDUCED_VERTICES; ++v) ck_assert_int_eq(tac_vademecum_load_of(vademecum, v), load_of[v]);
  for (int s = 0; s < VADEMECUM_LOADS; ++s) {
    ck_assert_int_eq(tac_vademecum_load_vertex(vademecum, s), made->vertices[s]);
    for (int k = 0; k < N; ++k)
      for (int axis = 0; axis < 3; ++axis)
        ck_assert_double_eq(tac_vademecum_load_mode(vademecum, k, s, axis),
                            (double)made->y[((size_t)s * terms + (size_t)axis) * N + (size_t)k]);
  }
  tacVec3 direction = tac_vademecum_load_direction(vademecum);
  ck_assert_mem_eq(&direction, &given->terms.direction, sizeof direction);
  ck_assert_double_eq(tac_vademecum_load_most(vademecum), 5.0);
  ck_assert(parts->patch == given->patch && parts->terms.degree == given->terms.degree);
  ck_assert_mem_eq(parts->stiffness, made->stiffness, sizeof made->stiffness);
  ck_assert_mem_eq(parts->rows, made->rows, sizeof made->rows);
  ck_assert_mem_eq(parts->y, made->y, VADEMECUM_LOADS * terms * N * sizeof(float));
  ck_assert(parts->sampled.size == N && parts->sampled.element_count == given->sampled.element_count);
  ck_assert_mem_eq(parts->sampled.tets, made->tets, elements * sizeof(int));
  ck_assert_mem_eq(parts->sampled.volumes, made->volumes, elements * sizeof(double));
  ck_assert_mem_eq(parts->sampled.gradients, made->gradients, elements * 9 * N * sizeof(double));
  ck_assert_ptr_eq(parts->sampled.material.law, given->sampled.material.law);
  ck_assert_mem_eq(parts->sampled.material.parameters, given->sampled.material.parameters,
                   sizeof given->sampled.material.parameters);
  ck_assert_double_eq(parts->sampled.material.density, 900.0);
  const tacVademecumInfo *info = tac_vademecum_info(vademecum), *meant = &given->info;
  ck_assert_str_eq(info->law, meant->law);
  ck_assert(info->node_count == meant->node_count && info->element_count == meant->element_count &&
            info->load_count == meant->load_count && info->mode_count == meant->mode_count &&
            info->term_count == meant->term_count && info->sampled_count == meant->sampled_count);
  ck_assert(info->path_count == meant->path_count && info->sample_count == meant->sample_count &&
            info->reached == meant->reached && info->wanted == meant->wanted && info->residual == meant->residual);
  ck_assert(info->error_mean == meant->error_mean && info->error_most == meant->error_most &&
            info->corrected_mean == meant->corrected_mean && info->corrected_most == meant->corrected_most &&
            info->linear_mean == meant->linear_mean && info->bytes == meant->bytes);
  /* The shape: its numbers are those of test_reduced. */
  const tacReduced *shape = tac_vademecum_shape(vademecum);
  TAC_OWN(tacReduced, other) = make_reduced();
  ck_assert_mem_eq(tac_reduced_basis(shape), tac_reduced_basis(other),
                   REDUCED_VOLUME_VERTICES * 3 * N * sizeof(double));
  ck_assert_mem_eq(tac_reduced_displacements(shape), tac_reduced_displacements(other),
                   REDUCED_VERTICES * 3 * N * sizeof(double));
}

TAC_TEST(parts_are_copied) {
  MadeVademecum made, kept;
  make_vademecum_parts(&made, false, any);
  kept = made;
  TAC_CREATE(tacVademecum, vademecum, tac_vademecum_create(&made.parts, made.shape, &vademecum, &error));
  memset(&made, 0xff, sizeof made);
  compare(vademecum, &kept);
  tac_vademecum_destroy(NULL);
  tac_vademecum_solver_destroy(NULL);
}

TAC_TEST(inconsistent_parts_are_rejected) {
  enum { CASES = 34 };
  for (int bad = 0; bad < CASES; ++bad) {
    MadeVademecum made;
    make_vademecum_parts(&made, bad == 33, down);
    tacVademecumParts *parts = &made.parts;
    switch (bad) {
      case 0: parts->load_count = 0; break;
      case 1: parts->load_count = REDUCED_VERTICES + 1; break;
      case 2: made.rows[2][1][2] = NAN; break;
      case 3: parts->patch = -1.0; break;
      case 4: parts->patch = NAN; break;
      case 5: parts->most = 0.0; break;
      case 6: parts->most = INFINITY; break;
      case 7: parts->terms.degree = 0; break;
      case 8: parts->terms.degree = TAC_LOAD_MOST_DEGREE + 1; break;
      case 9: parts->terms.direction.x = 0.1; break;
      case 10: parts->terms.direction.y = NAN; break;
      case 11: made.vertices[2] = REDUCED_VERTICES; break;
      case 12: made.vertices[0] = -1; break;
      case 13: made.vertices[1] = 1; break; /* fixed */
      case 14: made.vertices[1] = 0; break; /* twice */
      case 15: made.y[VADEMECUM_LOADS * 5 * N - 1] = NAN; break;
      case 16: parts->sampled.element_count = -1; break;
      case 17: parts->sampled.size = N - 1; break;
      case 18: made.stiffness[2][2] = NAN; break;
      case 19: made.volumes[1] = 0.0; break;
      case 20: made.volumes[0] = INFINITY; break;
      case 21: made.tets[0] = -1; break;
      case 22: made.tets[1] = 1; break; /* there is one, and a brick */
      case 23: made.gradients[1][8][N - 1] = INFINITY; break;
      case 24: parts->sampled.material.parameters[0] = -1.0; break;
      case 25: parts->sampled.material.density = NAN; break;
      case 26: memset(parts->info.law, 'x', sizeof parts->info.law); break;
      case 27: parts->info.error_most = NAN; break;
      case 28: parts->info.wanted = INFINITY; break;
      case 29: parts->info.path_count = -1; break;
      case 30: parts->sampled.material.law = NULL; break;
      case 31: made.stiffness[0][1] += 1e-3; break; /* not symmetric */
      case 32: made.stiffness[1][1] = -30.0; break; /* not definite */
      case 33: parts->sampled.material.density = NAN; break;
    }
    error.text[0] = 0;
    tacVademecum *vademecum = (tacVademecum *)&made;
    tacStatus status = tac_vademecum_create(parts, made.shape, &vademecum, &error);
    ck_assert_msg(status == TAC_ERR_ARGUMENT, "case %d: %s", bad, tac_status_name(status));
    ck_assert_ptr_null(vademecum);
    ck_assert_int_gt((int)strlen(error.text), 0);
    tac_reduced_destroy(made.shape); /* still the caller's */
  }
}

TAC_TEST(file_round_trip_is_bitwise) {
  const char *path = tac_test_path("made.vademecum");
  for (int kind = 0; kind < 4; ++kind) {
    MadeVademecum made;
    make_vademecum_parts(&made, kind % 2 == 1, kind < 2 ? any : down);
    TAC_CREATE(tacVademecum, vademecum, tac_vademecum_create(&made.parts, made.shape, &vademecum, &error));
    tac_vademecum_set_checks(vademecum, &some_checks);
    tac_test_ok(tac_vademecum_write(vademecum, path, &error), error);
    TAC_CREATE(tacVademecum, read, tac_vademecum_read(path, &read, &error));
    compare(read, &made);
    ck_assert_int_eq(tac_vademecum_checks(read)->count, 1);
    for (int s = 0; s < VADEMECUM_LOADS; ++s) {
      double a[N], b[N];
      const tacVec3 force = {0.3, 1.0, -4.0};
      ck_assert(tac_vademecum_coordinates(vademecum, s, force, a) == tac_vademecum_coordinates(read, s, force, b));
      ck_assert_mem_eq(a, b, sizeof a);
    }
  }
}

TRY_READ(tacVademecum, tac_vademecum_read)

TAC_TEST(truncated_files_are_rejected) {
  const char *path = tac_test_path("cut.vademecum");
  TAC_OWN(tacVademecum, vademecum) = make_vademecum(false, any);
  tac_test_ok(tac_vademecum_write(vademecum, path, &error), error);
  check_cut(try_read, path, tac_test_light() ? 200 : 0);
}

TAC_TEST(files_of_other_kinds_versions_or_contents_are_rejected) {
  const char *good = tac_test_path("good.vademecum");
  TAC_OWN(tacVademecum, vademecum) = make_vademecum(false, down);
  check_other(try_read, "vademecum", "reduced body");
  tac_vademecum_set_checks(vademecum, &some_checks);
  tac_test_ok(tac_vademecum_write(vademecum, good, &error), error);
  ck_assert_int_gt(check_chunks(try_read, good, NULL, "loads"), 30); /* those of the shape come before its own */
  /* Numbers that no file has room for: degree, loads, elements. */
  static const int numbers[] = {0, 4, 6, 2, INT32_MAX, -5};
  for (int place = 0; place < 3; ++place)
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k) {
      char how[64];
      if (place == 1 && numbers[k] == VADEMECUM_LOADS) continue;
      if (place == 2 && numbers[k] == VADEMECUM_ELEMENTS) continue;
      snprintf(how, sizeof how, "number %d is %d", place, numbers[k]);
      check_unread(try_read, spoil(good, "loads", OTHER_NUMBER, place, numbers[k]), how);
    }
}

/* ---- one load ---- */

/* By the formula, with pow: q_k = sum_m Y_km phi_m(t / T). */
TAC_TEST(coordinates_are_sums_of_terms) {
  MadeVademecum made;
  make_vademecum_parts(&made, false, any);
  TAC_CREATE(tacVademecum, vademecum, tac_vademecum_create(&made.parts, made.shape, &vademecum, &error));
  const tacVec3 force = {1.5, -2.0, 3.0}, t = {0.3, -0.4, 0.6};
  for (int s = 0; s < VADEMECUM_LOADS; ++s) {
    double q[N], expected[N] = {0.0};
    ck_assert(tac_vademecum_coordinates(vademecum, s, force, q));
    int m = 0;
    for (int p = 1; p <= 3; ++p)
      for (int a = p; a >= 0; --a)
        for (int b = p - a; b >= 0; --b, ++m)
          for (int k = 0; k < N; ++k)
            expected[k] += (double)made.y[(s * 19 + m) * N + k] * pow(t.x, a) * pow(t.y, b) * pow(t.z, p - a - b);
    ck_assert_int_eq(m, 19);
    for (int k = 0; k < N; ++k) ck_assert_double_eq_tol(q[k], expected[k], 1e-14);
  }
}

TAC_TEST(linear_loads_superpose) {
  TAC_OWN(tacVademecum, vademecum) = make_vademecum(true, any);
  const tacVec3 a = {1.0, -0.5, 0.25}, b = {-0.3, 2.0, 0.75};
  double of_a[N], of_b[N], of_both[N];
  for (int s = 0; s < VADEMECUM_LOADS; ++s) {
    tac_vademecum_coordinates(vademecum, s, a, of_a);
    tac_vademecum_coordinates(vademecum, s, b, of_b);
    ck_assert(tac_vademecum_coordinates(vademecum, s, tac_vec3_add(tac_vec3_scale(2.0, a), b), of_both));
    for (int k = 0; k < N; ++k) ck_assert_double_eq_tol(of_both[k], 2.0 * of_a[k] + of_b[k], 1e-14);
  }
}

TAC_TEST(extrapolation_is_linear_and_reported) {
  TAC_OWN(tacVademecum, vademecum) = make_vademecum(false, down);
  double at[N], beyond[N], small[N];
  ck_assert(tac_vademecum_coordinates(vademecum, 1, tac_vec3(0.0, 0.0, -5.0), at));
  ck_assert(tac_vademecum_coordinates(vademecum, 1, tac_vec3(0.0, 0.0, -2.5), small));
  ck_assert(!tac_vademecum_coordinates(vademecum, 1, tac_vec3(0.0, 0.0, -15.0), beyond));
  double curved = 0.0;
  for (int k = 0; k < N; ++k) {
    ck_assert_double_eq_tol(beyond[k], 3.0 * at[k], 1e-12);
    curved = fmax(curved, fabs(small[k] - 0.5 * at[k]));
  }
  ck_assert_double_gt(curved, 0.01); /* below it is not */
  /* Within five degrees a direction is the same; none at all is, too. */
  ck_assert(tac_vademecum_coordinates(vademecum, 1, tac_vec3(0.04, 0.0, -1.0), at));
  ck_assert(!tac_vademecum_coordinates(vademecum, 1, tac_vec3(0.2, 0.0, -1.0), at));
  ck_assert(!tac_vademecum_coordinates(vademecum, 1, tac_vec3(0.0, 0.0, 1.0), at));
  ck_assert(tac_vademecum_coordinates(vademecum, 1, tac_vec3(0.0, 0.0, 0.0), at));
  for (int k = 0; k < N; ++k) ck_assert_double_eq(at[k], 0.0);
}

/* ---- several loads ---- */

/* Corners without a load: fixed ones take their share, others are not known. */
TAC_TEST(a_load_in_a_triangle_is_shared_by_its_corners) {
  TAC_OWN(tacVademecum, vademecum) = make_vademecum(false, any);
  TAC_CREATE(tacVademecumSolver, solver, tac_vademecum_solver_create(vademecum, &solver, &error));
  const tacTriMesh *surface = tac_reduced_surface(tac_vademecum_shape(vademecum));
  const tacVec3 force = {1.0, -2.0, 0.5};
  tacVademecumLoad all[8];
  double sum[N] = {0.0}, q[N];
  bool unknown = false, any_fixed = false, any_unknown = false;
  for (int t = 0; t < surface->triangle_count; ++t) {
    tacVademecumLoad load = {t, {0.5, 0.3, 0.2}, force};
    double expected[N] = {0.0};
    unknown = false;
    for (int c = 0; c < 3; ++c) {
      int vertex = surface->triangles[t].v[c], s = tac_vademecum_load_of(vademecum, vertex);
      bool fixed = tac_reduced_fixed(tac_vademecum_shape(vademecum))[vertex];
      any_fixed = any_fixed || fixed;
      unknown = unknown || (s < 0 && !fixed);
      if (s < 0) continue;
      tac_vademecum_coordinates(vademecum, s, force, q);
      for (int k = 0; k < N; ++k) expected[k] += load.weight[c] * q[k];
    }
    any_unknown = any_unknown || unknown;
    tacVademecumSolution solution = tac_vademecum_solve(solver, 1, &load, 0, q);
    ck_assert(solution.outside == unknown && solution.steps == 0);
    for (int k = 0; k < N; ++k) {
      ck_assert_double_eq_tol(q[k], expected[k], 1e-14);
      sum[k] += expected[k];
    }
    all[t] = load;
  }
  ck_assert(any_fixed && any_unknown);
  tac_vademecum_solve(solver, surface->triangle_count, all, 0, q);
  for (int k = 0; k < N; ++k) ck_assert_double_eq_tol(q[k], sum[k], 1e-13);
  tac_vademecum_solve(solver, 0, NULL, 5, q);
  for (int k = 0; k < N; ++k) ck_assert_double_eq(q[k], 0.0);
}

/* Around the octahedron in small steps, over edges and through vertices: q changes no faster than weights do, which is 1 / edge
 * for each corner; with and without corrections. */
TAC_TEST(sliding_over_edges_is_continuous) {
  TAC_OWN(tacVademecum, vademecum) = make_vademecum(false, any);
  TAC_CREATE(tacVademecumSolver, solver, tac_vademecum_solver_create(vademecum, &solver, &error));
  const tacTriMesh *surface = tac_reduced_surface(tac_vademecum_shape(vademecum));
  const tacVec3 force = {0.2, -0.4, 0.1};
  for (int steps = 0; steps <= 20; steps += 20) {
    double previous[N], most = 0.0, size = 0.0;
    tacVec3 before = {0.0, 0.0, 0.0};
    int last = -1, crossings = 0;
    for (int i = 0; i <= 4000; ++i) {
      /* A ray in a plane that is tilted against all edges; the triangle that it goes through. */
      double angle = 2.0 * M_PI * i / 4000.0;
      tacVec3 ray = {cos(angle), sin(angle), 0.3 * cos(angle + 1.0)}, at = {0.0, 0.0, 0.0};
      tacVademecumLoad load = {.triangle = -1, .force = force};
      for (int t = 0; t < surface->triangle_count && load.triangle < 0; ++t) {
        const tacVec3 *x = surface->vertices;
        tacVec3 a = x[surface->triangles[t].v[0]], b = x[surface->triangles[t].v[1]], c = x[surface->triangles[t].v[2]];
        double w[3] = {tac_vec3_dot(ray, tac_vec3_cross(b, c)), tac_vec3_dot(ray, tac_vec3_cross(c, a)),
                       tac_vec3_dot(ray, tac_vec3_cross(a, b))};
        double sum = w[0] + w[1] + w[2];
        if (!(w[0] >= 0.0 && w[1] >= 0.0 && w[2] >= 0.0 && sum > 0.0)) continue;
        load.triangle = t;
        for (int k = 0; k < 3; ++k) load.weight[k] = w[k] / sum;
        at = tac_vec3_mad(tac_vec3_mad(tac_vec3_scale(w[0] / sum, a), w[1] / sum, b), w[2] / sum, c);
      }
      ck_assert_int_ge(load.triangle, 0);
      double q[N], jump = 0.0;
      tac_vademecum_solve(solver, 1, &load, steps, q);
      for (int k = 0; i > 0 && k < N; ++k) jump = fmax(jump, fabs(q[k] - previous[k]));
      for (int k = 0; k < N; ++k) size = fmax(size, fabs(q[k]));
      if (i > 0) most = fmax(most, jump / tac_vec3_distance(at, before));
      crossings += i > 0 && load.triangle != last;
      last = load.triangle;
      before = at;
      memcpy(previous, q, sizeof q);
    }
    ck_assert_int_ge(crossings, 4);
    /* An edge is at least 1 long, a height 0.8; a jump in one step of 1e-3 would be a slope of hundreds. */
    ck_assert_double_gt(size, 0.0);
    ck_assert_double_lt(most, 20.0 * size);
  }
}

/* X^T f from the rows of corners. */
static void reduce(const tacVademecum *vademecum, const tacVademecumLoad *load, double f[N]) {
  const int *v = tac_reduced_surface(tac_vademecum_shape(vademecum))->triangles[load->triangle].v;
  const double *u = tac_reduced_displacements(tac_vademecum_shape(vademecum));
  for (int c = 0; c < 3; ++c)
    for (int k = 0; k < N; ++k)
      f[k] += load->weight[c] * (u[(3 * v[c]) * N + k] * load->force.x + u[(3 * v[c] + 1) * N + k] * load->force.y +
                                 u[(3 * v[c] + 2) * N + k] * load->force.z);
}

TAC_TEST(corrections_lower_energy_and_residual) {
  TAC_OWN(tacVademecum, vademecum) = make_vademecum(false, any);
  TAC_CREATE(tacVademecumSolver, solver, tac_vademecum_solver_create(vademecum, &solver, &error));
  TAC_CREATE(tacSampledSolid, solid,
             tac_sampled_solid_create(&tac_vademecum_parts(vademecum)->sampled, N, &solid, &error));
  const tacVademecumLoad loads[2] = {{0, {0.5, 0.3, 0.2}, {0.5, -1.0, 0.4}}, {5, {0.1, 0.1, 0.8}, {-0.3, 0.2, 0.9}}};
  double f[N] = {0.0}, before = INFINITY, first = 0.0, q[N], force[N];
  for (int i = 0; i < 2; ++i) reduce(vademecum, &loads[i], f);
  for (int steps = 0; steps <= 12; ++steps) {
    tacVademecumSolution solution = tac_vademecum_solve(solver, 2, loads, steps, q);
    double energy = tac_sampled_solid_energy(solid, q), square = 0.0, scale = 0.0;
    tac_sampled_solid_force(solid, q, force);
    for (int k = 0; k < N; ++k) {
      energy -= f[k] * q[k];
      square += (f[k] - force[k]) * (f[k] - force[k]);
      scale += f[k] * f[k];
    }
    ck_assert_int_le(solution.steps, steps);
    ck_assert_double_eq_tol(solution.residual, sqrt(square / scale), 1e-9 * (1.0 + solution.residual));
    ck_assert_double_le(energy, before + 1e-12 * fabs(before));
    before = energy;
    if (steps == 0) first = solution.residual;
    if (steps == 12) ck_assert_double_lt(solution.residual, 1e-6 * fmin(1.0, first));
  }
}
