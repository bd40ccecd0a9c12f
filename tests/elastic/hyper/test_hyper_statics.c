/* Static equilibria of hyperelastic solids: patch test, recovery from inversion, and CalculiX (ccx) where it is
 * installed. */
#include "elastic/calculix.h"
#include "elastic/hyper/hyper_statics.h"
#include "elastic/hyper/make_hyper.h"
#include "elastic/laws/every_law.h"

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
  return (Problem){.mesh = tac_test_keep(mesh, tac_volmesh_destroy),
                   .solid = tac_test_keep(make_hyper_solid(def), tac_hyper_solid_destroy),
                   .held = tac_test_alloc((size_t)mesh->vertex_count * sizeof(bool)),
                   .x = positions_of(mesh),
                   .target = positions_of(mesh),
                   .force = vector_of(mesh),
                   .reaction = vector_of(mesh)};
}

static tacNewtonReport solve(Problem *problem) {
  tacNewtonReport report;
  if (problem->statics == NULL) {
    tac_test_ok(tac_hyper_statics_create(problem->solid, problem->held, &problem->statics, &error), error);
    tac_test_keep(problem->statics, tac_hyper_statics_destroy);
  }
  tac_test_ok(tac_hyper_statics_solve(problem->statics, problem->target, problem->force, problem->x, problem->reaction,
                                      &report, &error),
              error);
  return report;
}

/* ---- patch test ---- */

/* A linear field imposed on the boundary of an uneven mesh is found inside, for every law, with patches or without. */
TAC_TEST(passes_the_patch_test) {
  const tacBox box = {{0.5, -1.0, 2.0}, {1.5, 0.5, 2.8}};
  const tacMat3 f = {{{1.15, 0.1, -0.05}, {0.05, 0.95, 0.12}, {-0.1, 0.04, 1.08}}};
  for (int n = 0; n < 2 * law_count(); ++n) {
    tacHyperMaterial material = make_hyper(law_at(n / 2));
    Problem problem = make_problem(make_uneven(box, false, 3, 0.2),
                                   (tacHyperSolidDef){.materials = &material, .patches = n % 2 == 1});
    for (int v = 0; v < problem.mesh->vertex_count; ++v) {
      problem.held[v] = on_boundary(box, problem.mesh->vertices[v]);
      put_vec3(problem.target, v, tac_mat3_mul_vec(f, problem.mesh->vertices[v]));
    }
    solve(&problem);
    for (int i = 0; i < 3 * problem.mesh->vertex_count; ++i)
      ck_assert_double_eq_tol(problem.x[i], problem.target[i], 1e-8);
    double *mises = tac_test_doubles((size_t)problem.mesh->tet_count);
    tac_hyper_solid_colours(problem.solid, problem.x, mises, NULL);
    for (int t = 0; t < problem.mesh->tet_count; ++t) ck_assert_double_eq_tol(mises[t], mises[0], 1e-6 * mises[0]);
  }
}

/* ---- a block that is pulled ---- */

/* A block with one face clamped and the opposite one moved along z: x, y and z of the mesh are up to its box's. */
static Problem make_block(tacBox box, int nx, int ny, int nz, tacHyperMaterial *material) {
  Problem problem = make_problem(make_tets(box, nx, ny, nz), (tacHyperSolidDef){.materials = material});
  for (int v = 0; v < problem.mesh->vertex_count; ++v) {
    double z = problem.mesh->vertices[v].z;
    problem.held[v] = z <= box.lower.z || z >= box.upper.z;
  }
  return problem;
}

static void pull(Problem *problem, tacBox box, tacVec3 by) {
  for (int v = 0; v < problem->mesh->vertex_count; ++v) {
    tacVec3 at = problem->mesh->vertices[v];
    put_vec3(problem->target, v, at.z >= box.upper.z ? tac_vec3_add(at, by) : at);
  }
}

/* Sum of reactions along z at the face that moves. */
static double measure(const Problem *problem, tacBox box) {
  double sum = 0.0;
  for (int v = 0; v < problem->mesh->vertex_count; ++v)
    if (problem->mesh->vertices[v].z >= box.upper.z) sum += problem->reaction[3 * v + 2];
  return sum;
}

/* Figure 3 of the paper: St. Venant and Kirchhoff's material hardens where it is pulled and softens where it is
 * pressed, those of Neo-Hooke and Mooney-Rivlin do the opposite, and the corotational one is close to a straight
 * line. All have E = 10 kPa and nu = 0.4 at small strains. */
TAC_TEST(hardens_and_softens_as_in_the_paper) {
  const tacBox box = {{0.0, 0.0, 0.0}, {0.1, 0.1, 0.1}};
  const double young = 1e4, poisson = 0.4, mu = young / (2.0 * (1.0 + poisson)),
               bulk = young / (3.0 * (1.0 - 2.0 * poisson)), lambda = bulk - 2.0 / 3.0 * mu;
  struct {
    tacHyperMaterial material;
    int pulled; /* sign of how the stiffness changes where it is pulled */
  } cases[] = {{find_hyper("st-venant-kirchhoff", mu, lambda, 0.0), 1},
               {find_hyper("neo-hookean", mu, bulk, 0.0), -1},
               {find_hyper("mooney-rivlin", 0.25 * mu, 0.25 * mu, bulk), -1},
               {find_hyper("corotational", young, poisson, 0.0), 0}};
  for (size_t n = 0; n < sizeof cases / sizeof *cases; ++n) {
    Problem problem = make_block(box, 3, 3, 3, &cases[n].material);
    double forces[3];
    static const double moves[3] = {1e-5, 0.03, -0.03};
    for (int i = 0; i < 3; ++i) {
      pull(&problem, box, tac_vec3(0.0, 0.0, moves[i]));
      solve(&problem);
      forces[i] = measure(&problem, box) / moves[i];
      ck_assert_double_gt(forces[i], 0.0);
    }
    double pulled = forces[1] / forces[0] - 1.0, pressed = forces[2] / forces[0] - 1.0;
    if (cases[n].pulled != 0) {
      ck_assert_double_gt(cases[n].pulled * pulled, 0.05);
      ck_assert_double_lt(cases[n].pulled * pressed, -0.05);
    } else {
      ck_assert_double_lt(fabs(pulled), 0.1);
      ck_assert_double_lt(fabs(pressed), 0.1);
    }
  }
}

/* ---- locking ---- */

/* Mean deflection of the end of a cantilever of 0.1 m x 0.1 m x 0.4 m under 0.6 N across it, Neo-Hooke with mu = 4
 * kPa, of n x n x 4 n cells; `shuffled`: elements in no order. */
static double bend(int n, double poisson, bool patches, bool shuffled) {
  const tacBox box = {{0.0, 0.0, 0.0}, {0.1, 0.1, 0.4}};
  const double mu = 4e3, bulk = 2.0 * mu * (1.0 + poisson) / (3.0 * (1.0 - 2.0 * poisson));
  tacHyperMaterial material = find_hyper("neo-hookean", mu, bulk, 0.0);
  tacVolMesh *mesh = make_tets(box, n, n, 4 * n);
  if (shuffled) shuffle_tets(mesh, 7);
  Problem problem = make_problem(mesh, (tacHyperSolidDef){.materials = &material, .patches = patches});
  double deflection = 0.0;
  for (int v = 0; v < problem.mesh->vertex_count; ++v) {
    tacVec3 p = problem.mesh->vertices[v];
    problem.held[v] = p.z <= box.lower.z;
    if (p.z < box.upper.z) continue;
    bool side = p.x <= box.lower.x || p.x >= box.upper.x, edge = p.y <= box.lower.y || p.y >= box.upper.y;
    problem.force[3 * v] = 0.6 / (n * n) * (side ? 0.5 : 1.0) * (edge ? 0.5 : 1.0);
  }
  solve(&problem);
  double held = 0.0; /* reactions balance the load */
  for (int v = 0; v < problem.mesh->vertex_count; ++v) held += problem.reaction[3 * v];
  ck_assert_double_eq_tol(held, -0.6, 1e-6);
  for (int v = 0; v < problem.mesh->vertex_count; ++v)
    if (problem.mesh->vertices[v].z >= box.upper.z)
      deflection += problem.force[3 * v] / 0.6 * (problem.x[3 * v] - problem.mesh->vertices[v].x);
  return deflection;
}

/* CalculiX finds 0.1154 m at nu = 0.4999 and 0.1364 m at nu = 0.3 with 4 x 4 x 12 bricks of 20 nodes (C3D20R).
 * Tetrahedra are stiff in bending at any nu (0.82 of it at 0.3); at 0.4999 they lock (0.07 of it), and patches take
 * that from them (0.91, and 0.87 of patches that had to be grown). */
TAC_TEST(patches_do_not_lock) {
  const int n = tac_test_light() ? 2 : 4;
  double plain = bend(n, 0.4999, false, false) / 0.1154, patched = bend(n, 0.4999, true, false) / 0.1154,
         grown = bend(n, 0.4999, true, true) / 0.1154, compressible = bend(n, 0.3, false, false) / 0.1364;
  ck_assert_double_lt(plain, 0.15);
  ck_assert_double_gt(patched, compressible);
  ck_assert_double_gt(grown, compressible);
  ck_assert_double_lt(fmax(patched, grown), 1.02);
  if (n == 4) ck_assert_double_gt(fmin(patched, grown), 0.85);
}

/* ---- inverted starts ---- */

/* A held block whose free vertices start anywhere, most elements inside out, comes back to rest: forces stay finite
 * and push the right way. */
TAC_TEST(recovers_from_inversion) {
  const tacBox box = {{0.0, 0.0, 0.0}, {0.1, 0.1, 0.1}};
  static const char *names[] = {"neo-hookean", "mooney-rivlin", "veronda-westmann"};
  for (size_t n = 0; n < sizeof names / sizeof *names; ++n) {
    tacHyperMaterial material = make_hyper(tac_hyper_law_find(names[n], NULL));
    Problem problem = make_block(box, 2, 2, 2, &material);
    for (int v = 0; v < problem.mesh->vertex_count; ++v)
      if (!problem.held[v]) problem.x[3 * v + 2] += 0.12; /* above the upper face */
    ck_assert_int_gt(tac_hyper_solid_inverted(problem.solid, problem.x), 10);
    solve(&problem);
    ck_assert_int_eq(tac_hyper_solid_inverted(problem.solid, problem.x), 0);
    for (int i = 0; i < 3 * problem.mesh->vertex_count; ++i)
      ck_assert_double_eq_tol(problem.x[i], problem.target[i], 1e-7);
  }
}

/* A copy gives the same bits; with as many iterations as it takes too, and with one less it is refused. */
TAC_TEST(copies_give_the_same_bits_and_iterations_can_be_limited) {
  const tacBox box = {{0.0, 0.0, 0.0}, {0.1, 0.1, 0.1}};
  tacHyperMaterial material = make_hyper(tac_hyper_law_find("neo-hookean", NULL));
  Problem problem = make_block(box, 3, 3, 3, &material);
  size_t numbers = 3 * (size_t)problem.mesh->vertex_count;
  for (size_t v = 0; v < numbers / 3; ++v) problem.force[3 * v] = 1e-3 * material.parameters[0] * 0.01;
  double *rest = positions_of(problem.mesh), *other = positions_of(problem.mesh);
  tacNewtonReport free_report = solve(&problem), report;
  ck_assert_int_gt(free_report.iterations, 1);
  for (int less = 0; less < 2; ++less) {
    TAC_OWN(tacHyperStatics, copy) = NULL;
    tac_hyper_statics_limit(problem.statics, free_report.iterations - less);
    tac_test_ok(tac_hyper_statics_copy(problem.statics, &copy, &error), error);
    memcpy(other, rest, numbers * sizeof *other);
    tacStatus status = tac_hyper_statics_solve(copy, problem.target, problem.force, other, NULL, &report, &error);
    ck_assert_int_eq(status, less ? TAC_ERR_NO_CONVERGENCE : TAC_OK);
    ck_assert_int_eq(report.iterations, free_report.iterations - less);
    ck_assert_mem_eq(other, less ? rest : problem.x, numbers * sizeof *other);
  }
}

/* ---- CalculiX ---- */

/* k0 / 2 (J - 1)^2, as CalculiX has it with D1 = 2 / k0. */
static void volume_square(double k0, const double *j, tacVolumeEnergy *out) {
  for (int l = 0; l < TAC_HYPER_LANES; ++l) {
    out->u[l] = 0.5 * k0 * (j[l] - 1.0) * (j[l] - 1.0);
    out->uj[l] = k0 * (j[l] - 1.0);
    out->ujj[l] = k0;
  }
}

/* The same tetrahedra with the same law have the same answer, node by node: a block that is pulled and sheared, and
 * a beam that is bent by forces. */
TAC_TEST(agrees_with_calculix) {
  if (!have_calculix()) return;
  const double mu = 4e3, bulk = 2e4, lambda = bulk - 2.0 / 3.0 * mu;
  struct {
    tacHyperMaterial material;
    char text[200];
  } cases[] = {{find_hyper("st-venant-kirchhoff", mu, lambda, 0.0), ""},
               {find_hyper("neo-hookean", mu, bulk, 0.0), ""},
               {find_hyper("mooney-rivlin", 0.3 * mu, 0.2 * mu, bulk), ""},
               {find_hyper("ogden", 0.5 * mu, 4.0, 0.0), ""}};
  cases[3].material.parameters[6] = bulk;
  snprintf(cases[0].text, sizeof cases[0].text, "*ELASTIC\n%.15g, %.15g", 9.0 * bulk * mu / (3.0 * bulk + mu),
           0.5 * lambda / (lambda + mu));
  snprintf(cases[1].text, sizeof cases[1].text, "*HYPERELASTIC, NEO HOOKE\n%.12g, %.12g", 0.5 * mu, 2.0 / bulk);
  snprintf(cases[2].text, sizeof cases[2].text, "*HYPERELASTIC, MOONEY-RIVLIN\n%.12g, %.12g, %.12g", 0.3 * mu, 0.2 * mu,
           2.0 / bulk);
  /* its factor is 2 mu / alpha^2 */
  snprintf(cases[3].text, sizeof cases[3].text, "*HYPERELASTIC, OGDEN, N=1\n%.12g, 4, %.12g", mu, 2.0 / bulk);
  for (size_t n = 0; n < sizeof cases / sizeof *cases; ++n) {
    tacHyperLaw law = *cases[n].material.law;
    if (law.volume != NULL) law.volume = volume_square;
    cases[n].material.law = &law;
    for (int beam = 0; beam < 2; ++beam) {
      tacBox box = {{0.0, 0.0, 0.0}, {0.1, 0.1, beam ? 0.6 : 0.1}};
      Problem problem = make_block(box, 2, 2, beam ? 12 : 3, &cases[n].material);
      if (beam)
        for (int v = 0; v < problem.mesh->vertex_count; ++v) {
          bool end = problem.mesh->vertices[v].z >= box.upper.z;
          problem.held[v] = problem.held[v] && !end;
          if (end) problem.force[3 * v] = 0.15; /* nine vertices */
        }
      else
        pull(&problem, box, tac_vec3(0.02, 0.01, 0.03));
      double *expected = vector_of(problem.mesh), most = 0.0, apart = 0.0;
      ask_calculix(problem.mesh, cases[n].text, problem.held, problem.target, problem.force, expected);
      solve(&problem);
      for (int v = 0; v < problem.mesh->vertex_count; ++v) {
        tacVec3 u = tac_vec3_sub(get_vec3(problem.x, v), problem.mesh->vertices[v]);
        most = fmax(most, tac_vec3_norm(u));
        apart = fmax(apart, tac_vec3_distance(u, get_vec3(expected, v)));
      }
      ck_assert_double_gt(most, 0.03);
      ck_assert_msg(apart < 1e-3 * most, "%s, %s: displacements differ by %g of %g m", law.name,
                    beam ? "beam" : "block", apart, most);
    }
  }
}
