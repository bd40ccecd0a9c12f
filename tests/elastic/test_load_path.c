/* Equilibria along a load against Newton's method, closed forms and the orders that they state. */
#include "elastic/load_path.h"

#include "elastic/hyper_statics.h"
#include "elastic/make_hyper.h"
#include "math/vector.h"

static tacError error;

typedef struct Problem {
  tacVolMesh *mesh;
  tacHyperMaterial material;
  bool *held;
  double *force;
  int size; /* 3 vertices */
} Problem;

/* Held at z = 0; no force yet. */
static Problem make_problem(tacVolMesh *mesh, tacHyperMaterial material) {
  Problem problem = {mesh, material, calloc((size_t)mesh->vertex_count, sizeof(bool)), make_vector(mesh),
                     3 * mesh->vertex_count};
  for (int v = 0; v < mesh->vertex_count; ++v) problem.held[v] = mesh->vertices[v].z <= 0.0;
  return problem;
}

static void destroy_problem(Problem *problem) {
  tac_volmesh_destroy(problem->mesh);
  free(problem->held);
  free(problem->force);
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

static tacLoadPathDef define(const Problem *problem) {
  tacLoadPathDef def = tac_load_path_def_default();
  def.mesh = problem->mesh;
  def.material = &problem->material;
  def.held = problem->held;
  return def;
}

static tacStatus try_follow(tacLoadPathDef def, const double *force, int count, const double *levels, double *u,
                            tacLoadPathReport *report) {
  tacLoadPath *path;
  tac_test_ok(tac_load_path_create(&def, &path, &error), error);
  tacStatus status = tac_load_path_follow(path, force, count, levels, u, report, &error);
  tac_load_path_destroy(path);
  return status;
}

static tacLoadPathReport follow(tacLoadPathDef def, const double *force, int count, const double *levels, double *u) {
  tacLoadPathReport report;
  tac_test_ok(try_follow(def, force, count, levels, u, &report), error);
  return report;
}

/* Displacements in equilibrium with level f, by Newton's method; it goes on from `u` (m), which has to be near for large loads. */
static void solve(const Problem *problem, double level, double *u) {
  tacHyperSolid *solid =
      make_hyper_solid((tacHyperSolidDef){.mesh = problem->mesh, .materials = (tacHyperMaterial[]){problem->material}});
  tacHyperStatics *statics;
  double *x = make_positions(problem->mesh), *rest = make_positions(problem->mesh), *load = make_vector(problem->mesh);
  for (int i = 0; i < problem->size; ++i) {
    load[i] = level * problem->force[i];
    x[i] += u[i];
  }
  tac_test_ok(tac_hyper_statics_create(solid, problem->held, &statics, &error), error);
  tac_test_ok(tac_hyper_statics_solve(statics, rest, load, x, NULL, NULL, &error), error);
  for (int i = 0; i < problem->size; ++i) u[i] = x[i] - rest[i];
  tac_hyper_statics_destroy(statics);
  tac_hyper_solid_destroy(solid);
  free(x);
  free(rest);
  free(load);
}

/* |level f - R| over |level f| of free vertices. */
static double residual(const Problem *problem, double level, const double *u) {
  tacHyperSolid *solid =
      make_hyper_solid((tacHyperSolidDef){.mesh = problem->mesh, .materials = (tacHyperMaterial[]){problem->material}});
  double *x = make_positions(problem->mesh), *inner = make_vector(problem->mesh), left = 0.0, load = 0.0;
  for (int i = 0; i < problem->size; ++i) x[i] += u[i];
  tac_hyper_solid_evaluate(solid, x, 0.0, inner, NULL);
  for (int i = 0; i < problem->size; ++i) {
    if (problem->held[i / 3]) continue;
    left += pow(level * problem->force[i] - inner[i], 2.0);
    load += pow(level * problem->force[i], 2.0);
  }
  tac_hyper_solid_destroy(solid);
  free(x);
  free(inner);
  return sqrt(left / load);
}

static double distance(int size, const double *a, const double *b) {
  double most = 0.0;
  for (int i = 0; i < size; ++i) most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

/* ---- series ---- */

START_TEST(series_agree_with_newton) {
  enum { LEVELS = 5 };
  const double levels[LEVELS] = {0.01, 0.2, 0.45, 0.8, 1.0};
  for (int n = 0; n < 4; ++n) {
    bool beam = n < 2, neo = n % 2 == 1;
    Problem problem = beam ? make_beam(neo, 1e6) : make_block(neo);
    double *u = calloc((size_t)(LEVELS * problem.size), sizeof *u), *expected = make_vector(problem.mesh);
    tacLoadPathReport report = follow(define(&problem), problem.force, LEVELS, levels, u);
    ck_assert_double_eq(report.carried, 1.0);
    ck_assert_int_eq(report.factorisations, report.steps);
    ck_assert_int_eq(report.corrections, 0);
    ck_assert_int_le(report.steps, 8); /* Newton's method takes 14 factorisations for the beam, and has one level then */
    double worst = 0.0;
    for (int l = 0; l < LEVELS; ++l) {
      double *at = u + l * problem.size;
      solve(&problem, levels[l], expected);
      ck_assert_double_lt(distance(problem.size, at, expected), 1e-6 * largest(expected, problem.size));
      worst = fmax(worst, residual(&problem, levels[l], at));
    }
    ck_assert_double_gt(largest(expected, problem.size), beam ? 0.15 : 0.03);
    ck_assert_double_eq_tol(report.residual, worst, 1e-6 * worst + 1e-12);
    free(u);
    free(expected);
    destroy_problem(&problem);
  }
}
END_TEST

/* Within the first step: the residual of the series up to the order P begins with a^(P + 1), relative to the load with a^P. */
START_TEST(residuals_fall_with_the_order) {
  for (int n = 0; n < 2; ++n)
    for (int order = 2; order <= 6; order += 2) {
      Problem problem = make_block(n == 1);
      const double levels[2] = {0.04, 0.08};
      double *u = calloc((size_t)(2 * problem.size), sizeof *u);
      tacLoadPathDef def = define(&problem);
      def.order = order;
      def.tolerance = 0.1;
      tacLoadPathReport report = follow(def, problem.force, 2, levels, u);
      ck_assert_int_eq(report.steps, 1);
      double small = residual(&problem, levels[0], u), large = residual(&problem, levels[1], u + problem.size);
      ck_assert_double_eq_tol(log2(large / small), order, 0.3);
      free(u);
      destroy_problem(&problem);
    }
}
END_TEST

/* A tolerance is kept, and looser ones take fewer steps. */
START_TEST(keeps_its_tolerance) {
  Problem problem = make_beam(false, 1e6);
  double *u = make_vector(problem.mesh), *expected = make_vector(problem.mesh);
  const double levels[1] = {1.0};
  solve(&problem, 1.0, expected);
  int steps = 1000;
  for (double tolerance = 1e-9; tolerance < 1e-2; tolerance *= 100.0) {
    tacLoadPathDef def = define(&problem);
    def.order = 8;
    def.tolerance = tolerance;
    tacLoadPathReport report = follow(def, problem.force, 1, levels, u);
    ck_assert_int_lt(report.steps, steps);
    steps = report.steps;
    ck_assert_double_lt(distance(problem.size, u, expected), 10.0 * tolerance * largest(expected, problem.size));
  }
  free(u);
  free(expected);
  destroy_problem(&problem);
}
END_TEST

/* Where elements are pressed below J = 0.1 the laws go on otherwise, and equilibria still are theirs. */
START_TEST(goes_on_where_elements_are_flat) {
}
END_TEST

TAC_TEST_MAIN("load_path", series_agree_with_newton, residuals_fall_with_the_order, keeps_its_tolerance,
              goes_on_where_elements_are_flat)
