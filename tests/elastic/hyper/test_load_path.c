/* Equilibria along a load against Newton's method, closed forms and the orders that they state. */
#include "elastic/hyper/load_path.h"

#include "elastic/hyper/hyper_statics.h"
#include "elastic/hyper/make_hyper.h"
#include "math/dense/vector.h"

typedef struct Problem {
  tacVolMesh *mesh;
  tacHyperMaterial material;
  bool *held;
  double *force;
  int size; /* 3 vertices */
} Problem;

/* Held at z = 0; no force yet. */
static Problem make_problem(tacVolMesh *mesh, tacHyperMaterial material) {
  Problem problem = {tac_test_keep(mesh, tac_volmesh_destroy), material,
                     tac_test_alloc((size_t)mesh->vertex_count * sizeof(bool)), vector_of(mesh),
                     3 * mesh->vertex_count};
  for (int v = 0; v < mesh->vertex_count; ++v) problem.held[v] = mesh->vertices[v].z <= 0.0;
  return problem;
}

/* Of Young's modulus and Poisson's ratio at small strain. */
static tacHyperMaterial make_law(bool neo, double young, double poisson) {
  double mu = young / (2.0 * (1.0 + poisson)), bulk = young / (3.0 * (1.0 - 2.0 * poisson));
  return neo ? find_hyper("neo-hookean", mu, bulk, 0.0)
             : find_hyper("st-venant-kirchhoff", mu, bulk - 2.0 / 3.0 * mu, 0.0);
}

/* The steel beam of 189 nodes (Gonzalez et al. 2015): 1e6 N across its end bend it by half its length. */
static Problem make_beam(bool neo, double newtons) {
  const tacBox box = {{0.0, 0.0, 0.0}, {0.04, 0.04, 0.4}};
  Problem problem = make_problem(make_tets(box, 2, 2, 20), make_law(neo, 209e9, 0.3));
  for (int v = 0; v < problem.mesh->vertex_count; ++v)
    if (problem.mesh->vertices[v].z >= box.upper.z) problem.force[3 * v] = newtons / 9.0;
  return problem;
}

/* A soft block whose upper face is pulled and sheared by a third of its height. */
static Problem make_block(bool neo) {
  const tacBox box = {{0.0, 0.0, 0.0}, {0.1, 0.1, 0.1}};
  Problem problem = make_problem(make_uneven(box, false, 3, 0.2), make_law(neo, 1e4, 0.4));
  for (int v = 0; v < problem.mesh->vertex_count; ++v)
    if (problem.mesh->vertices[v].z >= box.upper.z) put_vec3(problem.force, v, tac_vec3(0.8, 0.3, 1.5));
  return problem;
}

static const double all[1] = {1.0}; /* levels: the whole load */

static tacLoadPathDef define(const Problem *problem) {
  tacLoadPathDef def = tac_load_path_def_default();
  def.mesh = problem->mesh;
  def.material = &problem->material;
  def.held = problem->held;
  return def;
}

static tacStatus try_follow(tacLoadPathDef def, const double *force, int count, const double *levels, double *u,
                            tacLoadPathReport *report) {
  TAC_CREATE(tacLoadPath, path, tac_load_path_create(&def, &path, &error));
  return tac_load_path_follow(path, force, count, levels, u, report, &error);
}

static tacLoadPathReport follow(tacLoadPathDef def, const double *force, int count, const double *levels, double *u) {
  tacLoadPathReport report;
  tac_test_ok(try_follow(def, force, count, levels, u, &report), error);
  return report;
}

/* Displacements in equilibrium with level f, by Newton's method; it goes on from `u` (m), which has to be near for
 * large loads. */
static void solve(const Problem *problem, double level, double *u) {
  TAC_OWN(tacHyperSolid, solid) =
      make_hyper_solid((tacHyperSolidDef){.mesh = problem->mesh, .materials = (tacHyperMaterial[]){problem->material}});
  TAC_OWN(tacHyperStatics, statics) = NULL;
  double *x = positions_of(problem->mesh), *rest = positions_of(problem->mesh), *load = vector_of(problem->mesh);
  for (int i = 0; i < problem->size; ++i) {
    load[i] = level * problem->force[i];
    x[i] += u[i];
  }
  tac_test_ok(tac_hyper_statics_create(solid, problem->held, &statics, &error), error);
  tac_test_ok(tac_hyper_statics_solve(statics, rest, load, x, NULL, NULL, &error), error);
  for (int i = 0; i < problem->size; ++i) u[i] = x[i] - rest[i];
}

/* |level f - R| over |level f| of free vertices. */
static double residual(const Problem *problem, double level, const double *u) {
  TAC_OWN(tacHyperSolid, solid) =
      make_hyper_solid((tacHyperSolidDef){.mesh = problem->mesh, .materials = (tacHyperMaterial[]){problem->material}});
  double *x = positions_of(problem->mesh), *inner = vector_of(problem->mesh);
  double left = 0.0, load = 0.0;
  for (int i = 0; i < problem->size; ++i) x[i] += u[i];
  tac_hyper_solid_evaluate(solid, x, 0.0, inner, NULL);
  for (int i = 0; i < problem->size; ++i) {
    if (problem->held[i / 3]) continue;
    left += pow(level * problem->force[i] - inner[i], 2.0);
    load += pow(level * problem->force[i], 2.0);
  }
  return sqrt(left / load);
}

/* ---- series ---- */

TAC_TEST(series_agree_with_newton) {
  enum { LEVELS = 5 };
  const double levels[LEVELS] = {0.01, 0.2, 0.45, 0.8, 1.0};
  for (int n = 0; n < 4; ++n) {
    bool beam = n < 2, neo = n % 2 == 1;
    Problem problem = beam ? make_beam(neo, 1e6) : make_block(neo);
    double *u = tac_test_doubles((size_t)(LEVELS * problem.size)), *expected = vector_of(problem.mesh);
    tacLoadPathReport report = follow(define(&problem), problem.force, LEVELS, levels, u);
    ck_assert_double_eq(report.carried, 1.0);
    ck_assert_int_eq(report.factorisations, report.steps);
    ck_assert_int_eq(report.corrections, 0);
    ck_assert_int_le(report.steps,
                     8); /* Newton's method takes 14 factorisations for the beam, and has one level then */
    double worst = 0.0;
    for (int l = 0; l < LEVELS; ++l) {
      double *at = u + l * problem.size;
      solve(&problem, levels[l], expected);
      ck_assert_double_lt(largest_apart(at, expected, problem.size), 1e-6 * largest_entry(expected, problem.size));
      worst = fmax(worst, residual(&problem, levels[l], at));
    }
    ck_assert_double_gt(largest_entry(expected, problem.size), beam ? 0.15 : 0.03);
    ck_assert_double_eq_tol(report.residual, worst, 1e-6 * worst + 1e-12);
  }
}

/* Within the first step: the residual of the series up to the order P begins with a^(P + 1), relative to the load
 * with a^P. */
TAC_TEST(residuals_fall_with_the_order) {
  for (int n = 0; n < 2; ++n)
    for (int order = 2; order <= 6; order += 2) {
      Problem problem = make_block(n == 1);
      const double levels[2] = {0.04, 0.08};
      double *u = tac_test_doubles((size_t)(2 * problem.size));
      tacLoadPathDef def = define(&problem);
      def.order = order;
      def.tolerance = 0.1;
      tacLoadPathReport report = follow(def, problem.force, 2, levels, u);
      ck_assert_int_eq(report.steps, 1);
      double small = residual(&problem, levels[0], u), large = residual(&problem, levels[1], u + problem.size);
      ck_assert_double_eq_tol(log2(large / small), order, 0.3);
    }
}

/* A tolerance is kept, to the number of steps, and looser ones take no more of them. */
TAC_TEST(keeps_its_tolerance) {
  Problem problem = make_beam(false, 1e6);
  double *u = vector_of(problem.mesh), *expected = vector_of(problem.mesh);
  solve(&problem, 1.0, expected);
  int steps = 1000, most = 0;
  for (double tolerance = 1e-9; tolerance < 1e-2; tolerance *= 100.0) {
    tacLoadPathDef def = define(&problem);
    def.order = 8;
    def.tolerance = tolerance;
    tacLoadPathReport report = follow(def, problem.force, 1, all, u);
    ck_assert_int_le(report.steps, steps);
    steps = report.steps;
    if (most == 0) most = steps;
    ck_assert_double_lt(largest_apart(u, expected, problem.size),
                        steps * tolerance * largest_entry(expected, problem.size));
  }
  ck_assert_int_gt(most, 2 * steps);
}

/* Where elements are pressed below J = 0.1 the laws go on otherwise, and equilibria still are theirs: the inner
 * vertex of a block that is held all round is pushed to its floor. */
TAC_TEST(continues_through_flat_elements) {
  enum { LEVELS = 24 };
  const tacBox box = {{0.0, 0.0, 0.0}, {0.1, 0.1, 0.1}};
  double levels[LEVELS];
  for (int l = 0; l < LEVELS; ++l) levels[l] = (l + 1.0) / LEVELS;
  for (int n = 0; n < 2; ++n) {
    Problem problem = make_problem(make_tets(box, 2, 2, 2), make_law(n == 1, 1e4, 0.2));
    const double newtons = n == 1 ? 600.0 : 225.0;
    for (int v = 0; v < problem.mesh->vertex_count; ++v) {
      problem.held[v] = on_boundary(box, problem.mesh->vertices[v]);
      if (!problem.held[v]) put_vec3(problem.force, v, tac_vec3(0.02 * newtons, 0.01 * newtons, -newtons));
    }
    double *u = tac_test_doubles((size_t)(LEVELS * problem.size)), *expected = vector_of(problem.mesh);
    tacLoadPathReport report = follow(define(&problem), problem.force, LEVELS, levels, u);
    ck_assert_int_gt(report.corrections, 0);
    for (int l = 0; l < LEVELS; ++l) {
      solve(&problem, levels[l], expected);
      ck_assert_double_lt(largest_apart(u + l * problem.size, expected, problem.size),
                          1e-6 * largest_entry(expected, problem.size));
    }
    ck_assert_double_gt(largest_entry(expected, problem.size), 0.045); /* of 0.05 m: J < 0.1 */
  }
}

/* A load whose displacements are nearly lost in positions: what rounding leaves of the residual is no reason to
 * stop. */
TAC_TEST(small_loads_are_linear) {
  Problem problem = make_beam(false, 1e-6);
  const double levels[2] = {0.5, 1.0};
  double *u = tac_test_doubles((size_t)(2 * problem.size));
  tacLoadPathReport report = follow(define(&problem), problem.force, 2, levels, u);
  ck_assert_int_eq(report.factorisations, 1);
  for (int i = 0; i < problem.size; ++i) ck_assert_double_eq_tol(2.0 * u[i], u[problem.size + i], 1e-15);
  ck_assert_double_gt(largest_entry(u + problem.size, problem.size), 1e-13);
  memset(problem.force, 0, (size_t)problem.size * sizeof *problem.force);
  report = follow(define(&problem), problem.force, 2, levels, u);
  ck_assert_double_eq(report.carried, 1.0);
  ck_assert_double_eq(largest_entry(u, 2 * problem.size), 0.0);
}

/* ---- increments ---- */

/* With the residual of the last increment carried on, an increment h is a step of Newton's method: it leaves R'' h^2
 * / 2, and the next one takes that away again. So errors do not add up, and fall by 4 where increments are halved. */
TAC_TEST(increments_converge_with_their_square) {
  for (int n = tac_test_light() ? 2 : 0; n < 4; ++n) {
    bool beam = n < 2;
    Problem problem = beam ? make_beam(n % 2 == 1, 1e6) : make_block(n % 2 == 1);
    double *u = vector_of(problem.mesh), *expected = vector_of(problem.mesh);
    double off[3], left[3];
    solve(&problem, 1.0, expected);
    for (int k = 0; k < 3; ++k) {
      tacLoadPathDef def = define(&problem);
      def.method = TAC_PATH_INCREMENTS;
      def.increments = (beam ? 64 : 32) << k;
      tacLoadPathReport report = follow(def, problem.force, 1, all, u);
      ck_assert_int_eq(report.factorisations, def.increments);
      off[k] = largest_apart(u, expected, problem.size);
      left[k] = report.residual;
      ck_assert_double_eq_tol(left[k], residual(&problem, 1.0, u), 1e-6 * left[k]);
    }
    ck_assert_double_lt(off[2], 1e-3 * largest_entry(expected, problem.size));
    for (int k = 0; k < 2; ++k) ck_assert_double_eq_tol(log2(left[k] / left[k + 1]), 2.0, 0.2);
    if (!beam)
      ck_assert_double_eq_tol(log2(off[1] / off[2]), 2.0, 0.3); /* the beam's stiffness stretches errors apart */
  }
}

/* Levels between ends of increments, and increments of a law without series. */
TAC_TEST(increments_have_levels_anywhere) {
  Problem problem = make_block(false);
  problem.material = find_hyper("mooney-rivlin", 1e3, 5e2, 1e4);
  const double levels[3] = {0.101, 0.5, 0.777};
  double *u = tac_test_doubles((size_t)(3 * problem.size)), *expected = vector_of(problem.mesh);
  tacLoadPathDef def = define(&problem);
  def.method = TAC_PATH_INCREMENTS;
  def.increments = 128;
  tacLoadPathReport report = follow(def, problem.force, 3, levels, u);
  ck_assert_int_eq(report.steps, 100); /* 0.777 x 128 = 99.5 */
  ck_assert_double_eq(report.carried, 0.777);
  for (int l = 0; l < 3; ++l) {
    solve(&problem, levels[l], expected);
    ck_assert_double_lt(largest_apart(u + l * problem.size, expected, problem.size),
                        1e-3 * largest_entry(expected, problem.size));
  }
}

/* ---- ends ---- */

/* A plate with Poisson's ratio 0 is pressed evenly: its stretch s has E (s - s^3) / 2 = a p, and no more than E /
 * 27^(1/2) at s^2 = 1/3. Beyond there is no equilibrium like that; before, it is the closed form's. */
TAC_TEST(ends_where_equilibria_end) {
  enum { LEVELS = 4, N = 4 };
  const tacBox box = {{0.0, 0.0, 0.0}, {0.1, 0.1, 0.025}};
  const double young = 1e4, pressure = 0.3 * young, levels[LEVELS] = {0.25, 0.5, 0.7, 1.0};
  for (int n = 0; n < 2; ++n) {
    Problem problem = make_problem(make_tets(box, N, N, 1), make_law(false, young, 0.0));
    for (int t = 0; t < problem.mesh->tet_count; ++t) { /* a third of the force on each triangle of the upper face */
      const int *v = problem.mesh->tets[t].v;
      int above = 0;
      for (int c = 0; c < 4; ++c) above += problem.mesh->vertices[v[c]].z >= box.upper.z;
      for (int c = 0; c < 4 && above == 3; ++c)
        if (problem.mesh->vertices[v[c]].z >= box.upper.z)
          problem.force[3 * v[c] + 2] -= pressure * 0.01 / (2.0 * N * N) / 3.0;
    }
    double *u = tac_test_doubles((size_t)(LEVELS * problem.size)), *again = vector_of(problem.mesh);
    for (int i = 0; i < LEVELS * problem.size; ++i) u[i] = 7.0;
    tacLoadPathDef def = define(&problem);
    if (n == 1) def.method = TAC_PATH_INCREMENTS;
    def.increments = 256;
    TAC_OWN(tacLoadPath, path) = NULL;
    tacLoadPathReport report;
    tac_test_ok(tac_load_path_create(&def, &path, &error), error);
    ck_assert_int_eq(tac_load_path_follow(path, problem.force, LEVELS, levels, u, &report, &error),
                     TAC_ERR_NO_CONVERGENCE);
    ck_assert_double_gt(report.carried * pressure, 0.99 * young / sqrt(27.0));
    ck_assert_double_lt(report.carried * pressure, young / sqrt(27.0) + (n == 1 ? pressure / 256.0 : 0.0));
    ck_assert_ptr_nonnull(strstr(error.text, "% of the load"));
    for (int l = 0; l < 2; ++l) {
      double stretch = 1.0; /* by Newton's method */
      for (int k = 0; k < 50; ++k)
        stretch -= (0.5 * young * (stretch - stretch * stretch * stretch) - levels[l] * pressure) /
                   (0.5 * young * (1.0 - 3.0 * stretch * stretch));
      for (int v = 0; v < problem.mesh->vertex_count; ++v) {
        tacVec3 at = get_vec3(u + l * problem.size, v);
        double fall = problem.mesh->vertices[v].z * (stretch - 1.0);
        ck_assert_double_lt(tac_vec3_norm(tac_vec3_sub(at, tac_vec3(0.0, 0.0, fall))), n == 1 ? 1e-5 : 1e-8);
      }
    }
    for (int i = 2 * problem.size; i < LEVELS * problem.size; ++i) ck_assert_double_eq(u[i], 7.0); /* not written */
    /* It can be used again, and nothing is left of the failure. */
    tac_test_ok(tac_load_path_follow(path, problem.force, 1, levels, again, NULL, &error), error);
    ck_assert_double_lt(largest_apart(again, u, problem.size), 1e-8);
  }
}

/* Loads along the beam that nothing holds: where equilibria end does not depend on how much more was asked for,
 * though steps are then 1e-9 of the load. Just before there are equilibria. */
TAC_TEST(ends_do_not_depend_on_the_requested_load) {
  double end[2];
  for (int n = 0; n < 2; ++n) {
    const double newtons = n == 0 ? 1e9 : 1e15;
    Problem problem = make_beam(false, newtons);
    for (int v = 0; v < problem.mesh->vertex_count; ++v)
      put_vec3(problem.force, v, tac_vec3(1e-3 * problem.force[3 * v], 0.0, -problem.force[3 * v]));
    double *u = vector_of(problem.mesh);
    tacLoadPathReport report;
    tacLoadPathDef def = define(&problem);
    if (n == 1) def.order = TAC_LOAD_PATH_MOST_ORDER; /* powers of 1e-9 do not leave the range of numbers */
    ck_assert_int_eq(try_follow(def, problem.force, 1, all, u, &report), TAC_ERR_NO_CONVERGENCE);
    ck_assert_double_lt(report.carried, 1.0);
    end[n] = report.carried * newtons;
    ck_assert_double_gt(end[n], 1e4);
    const double before[1] = {0.99 * report.carried};
    follow(def, problem.force, 1, before, u);
    ck_assert_double_lt(residual(&problem, before[0], u), 1e-3);
  }
  ck_assert_double_eq_tol(end[1], end[0], 0.01 * end[0]);
}

/* One increment that goes through the floor is no equilibrium. */
TAC_TEST(increments_end_where_elements_are_turned_inside_out) {
  Problem problem = make_block(true);
  for (int v = 0; v < problem.mesh->vertex_count; ++v) put_vec3(problem.force, v, tac_vec3(0.0, 0.0, -1e3));
  double *u = vector_of(problem.mesh);
  tacLoadPathDef def = define(&problem);
  def.method = TAC_PATH_INCREMENTS;
  def.increments = 1;
  tacLoadPathReport report;
  ck_assert_int_eq(try_follow(def, problem.force, 1, all, u, &report), TAC_ERR_NO_CONVERGENCE);
  ck_assert_double_eq(report.carried, 0.0);
  ck_assert_double_eq(largest_entry(u, problem.size), 0.0);
}

/* ---- arguments ---- */

static void refuse(tacLoadPathDef def, tacStatus expected, const char *text) {
  tacLoadPath *path = (tacLoadPath *)&def;
  tac_test_refused(tac_load_path_create(&def, &path, &error), expected, error, text);
  ck_assert_ptr_null(path);
}

static void refuse_levels(tacLoadPath *path, const double *force, int count, double first, double second,
                          const char *text) {
  const double levels[2] = {first, second};
  double *u = NULL; /* not read or written */
  tac_test_refused(tac_load_path_follow(path, force, count, levels, u, NULL, &error), TAC_ERR_ARGUMENT, error, text);
}

TAC_TEST(impossible_definitions_are_refused) {
  Problem problem = make_beam(false, 1e6);
  tacLoadPathDef good = define(&problem), def = good;
  def.mesh = NULL;
  refuse(def, TAC_ERR_ARGUMENT, "mesh");
  def = good;
  def.order = 1;
  refuse(def, TAC_ERR_ARGUMENT, "order");
  def.order = TAC_LOAD_PATH_MOST_ORDER + 1;
  refuse(def, TAC_ERR_ARGUMENT, "order");
  def = good;
  def.tolerance = NAN;
  refuse(def, TAC_ERR_ARGUMENT, "tolerance");
  def = good;
  def.increments = 0;
  refuse(def, TAC_ERR_ARGUMENT, "increments");
  def = good;
  def.method = (tacLoadPathMethod)5;
  refuse(def, TAC_ERR_ARGUMENT, "method");
  def = good;
  tacHyperMaterial other = find_hyper("ogden", 1e3, 2.0, 1e4);
  def.material = &other;
  refuse(def, TAC_ERR_UNSUPPORTED, "st-venant-kirchhoff and neo-hookean");
  other = problem.material;
  other.prony_count = 1;
  other.prony[0] = (tacPronyTerm){0.1, 1.0};
  refuse(def, TAC_ERR_UNSUPPORTED, "Prony");
  bool *held = tac_test_alloc((size_t)problem.mesh->vertex_count * sizeof *held);
  def = good;
  def.held = held;
  refuse(def, TAC_ERR_GEOMETRY, "held");
  memset(held, true, (size_t)problem.mesh->vertex_count);
  refuse(def, TAC_ERR_ARGUMENT, "held");
  TAC_CREATE(tacLoadPath, path, tac_load_path_create(&good, &path, &error));
  refuse_levels(path, problem.force, 0, 0.5, 1.0, "at least one level");
  refuse_levels(path, problem.force, 2, 0.5, 0.5, "level 1");
  refuse_levels(path, problem.force, 1, 0.0, 1.0, "level 0");
  refuse_levels(path, problem.force, 2, 0.5, 1.5, "level 1");
  refuse_levels(path, problem.force, 2, NAN, 1.0, "level 0");
  problem.force[problem.size - 1] = INFINITY;
  refuse_levels(path, problem.force, 2, 0.5, 1.0, "NaN or infinite");
  tac_load_path_destroy(NULL);
}
