/* Static equilibria of hyperelastic solids: patch test, recovery from inversion, and CalculiX (ccx) where it is installed. */
#include <sys/wait.h>
#include "elastic/hyper_statics.h"
#include "elastic/make_hyper.h"

static tacError error;

typedef struct Problem {
  tacVolMesh *mesh;
  tacHyperSolid *solid;
  tacHyperStatics *statics;
  bool *held;
  double *x, *target, *force, *reaction;
} Problem;

/* Nothing is held yet. */
static Problem make_problem(tacVolMesh *mesh, tacHyperSolidDef def) {
  def.mesh = mesh;
  return (Problem){.mesh = mesh,
                   .solid = make_hyper_solid(def),
                   .held = calloc((size_t)mesh->vertex_count, sizeof(bool)),
                   .x = make_positions(mesh),
                   .target = make_positions(mesh),
                   .force = make_vector(mesh),
                   .reaction = make_vector(mesh)};
}

static void destroy_problem(Problem *problem) {
  tac_hyper_statics_destroy(problem->statics);
  tac_hyper_solid_destroy(problem->solid);
  tac_volmesh_destroy(problem->mesh);
  free(problem->held);
  free(problem->x);
  free(problem->target);
  free(problem->force);
  free(problem->reaction);
}

static tacHyperStaticsReport solve(Problem *problem) {
  tacHyperStaticsReport report;
  if (problem->statics == NULL)
    tac_test_ok(tac_hyper_statics_create(problem->solid, problem->held, &problem->statics, &error), error);
  tac_test_ok(tac_hyper_statics_solve(problem->statics, problem->target, problem->force, problem->x, problem->reaction,
                                      &report, &error),
              error);
  return report;
}

/* ---- patch test ---- */

/* A linear field imposed on the boundary of an uneven mesh is found inside, for every law, with patches or without. */
START_TEST(passes_the_patch_test) {
  const tacBox box = {{0.5, -1.0, 2.0}, {1.5, 0.5, 2.8}};
  const tacMat3 f = {{{1.15, 0.1, -0.05}, {0.05, 0.95, 0.12}, {-0.1, 0.04, 1.08}}};
  int count;
  const tacHyperLaw *const *laws = tac_hyper_laws(&count);
  for (int n = 0; n < 2 * count; ++n) {
    tacHyperMaterial material = make_hyper(laws[n / 2]);
    Problem problem = make_problem(make_uneven(box, false, 3, 0.2),
                                   (tacHyperSolidDef){.materials = &material, .patches = n % 2 == 1});
    for (int v = 0; v < problem.mesh->vertex_count; ++v) {
      problem.held[v] = on_boundary(box, problem.mesh->vertices[v]);
      put_vec3(problem.target, v, tac_mat3_mul_vec(f, problem.mesh->vertices[v]));
    }
    solve(&problem);
    for (int i = 0; i < 3 * problem.mesh->vertex_count; ++i)
      ck_assert_double_eq_tol(problem.x[i], problem.target[i], 1e-8);
    double *mises = calloc((size_t)problem.mesh->tet_count, sizeof *mises);
    tac_hyper_solid_colours(problem.solid, problem.x, mises, NULL);
    for (int t = 0; t < problem.mesh->tet_count; ++t) ck_assert_double_eq_tol(mises[t], mises[0], 1e-6 * mises[0]);
    free(mises);
    destroy_problem(&problem);
  }
}
END_TEST

TAC_TEST_MAIN("hyper_statics", passes_the_patch_test)
