/* On scenes of the gallery: reduced force and stiffness are the projections of the full ones, U^T R(U q) and U^T K(U q) U, for
 * deformations as large as the scenes' (Barbic 2007, (2.23), (2.25)). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/reduced.h>
#include "base/files/input_file.h"
#include "elastic/solids/finite_strain.h"
#include "kinds/reduced/basis/motion_basis.h"
#include "kinds/reduced/polynomial_bake.h"
#include "kinds/reduced/reduced_problem.h"
#include "math/geometry/vec3.h"
#include "math/random.h"
#include "scene/scene_file.h"
#include "test.h"

static tacError error;

/* sum of the parts' forces and stiffnesses, by their materials' weights */
static void reduced(int r, int part_count, const tacPolynomialPart *parts, const tacMaterial *materials,
                    const double *q, double *force, double *stiffness) {
  double *scratch = malloc(tac_reduced_polynomial_scratch(r) * sizeof *scratch);
  double *f = malloc((size_t)r * sizeof *f), *k = malloc((size_t)(r * r) * sizeof *k);
  memset(force, 0, (size_t)r * sizeof *force);
  memset(stiffness, 0, (size_t)(r * r) * sizeof *stiffness);
  for (int p = 0; p < part_count; ++p) {
    const tacMaterial *m = &materials[parts[p].group];
    double lambda = m->young * m->poisson / ((1.0 + m->poisson) * (1.0 - 2.0 * m->poisson));
    double weight = parts[p].kind == TAC_PART_LAMBDA ? lambda
                    : parts[p].kind == TAC_PART_MU   ? m->young / (2.0 + 2.0 * m->poisson)
                                                     : 1.0;
    tac_reduced_polynomial_evaluate(r, parts[p].coefficients, q, scratch, f, k);
    for (int i = 0; i < r; ++i) force[i] += weight * f[i];
    for (int i = 0; i < r * r; ++i) stiffness[i] += weight * k[i];
  }
  free(scratch);
  free(f);
  free(k);
}

/* Largest difference over the largest entry. */
static double defect(int count, const double *a, const double *b) {
  double most = 0.0, off = 0.0;
  for (int i = 0; i < count; ++i) {
    most = fmax(most, fabs(b[i]));
    off = fmax(off, fabs(a[i] - b[i]));
  }
  return off / most;
}

static double dot(size_t n, const double *a, const double *b) {
  double sum = 0.0;
  for (size_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

static void compare(const tacReducedProblem *problem) {
  const tacReducedDef *def = &problem->def;
  tacSolid solid = {def->volume,      def->material_count, def->materials,
                    def->material_of, def->held,           def->lumped_mass ? TAC_MASS_LUMPED : TAC_MASS_CONSISTENT};
  TAC_FREED(tac_motion_basis_destroy, tacMotionBasis, basis) = {0};
  tac_test_ok(tac_motion_basis_compute(&solid, def, NULL, &basis, &error), error);
  int r = basis.count, part_count;
  size_t size = (size_t)basis.size;
  tacPolynomialPart *parts;
  tacPolynomialBakeReport report;
  tac_test_ok(tac_polynomial_bake(&solid, r, basis.vector, false, NULL, &parts, &part_count, &report, &error), error);
  tacFiniteStrain *strain;
  tac_test_ok(tac_finite_strain_create(&solid, &strain, &error), error);
  tacSparse k = *tac_finite_strain_pattern(strain);
  k.value = malloc((size_t)tac_sparse_count(&k) * sizeof *k.value);
  TAC_DOUBLES *q = malloc((size_t)r * sizeof *q), *u = malloc(size * sizeof *u), *full = malloc(size * sizeof *full);
  TAC_DOUBLES *force = malloc((size_t)r * sizeof *force), *expected = malloc((size_t)r * sizeof *expected);
  TAC_DOUBLES *stiffness = malloc((size_t)(r * r) * sizeof *stiffness),
              *wanted = malloc((size_t)(r * r) * sizeof *wanted);
  tacBox box = tac_box_empty();
  for (int v = 0; v < def->volume->vertex_count; ++v) box = tac_box_add(box, def->volume->vertices[v]);
  tacRandom random = tac_random_seed(5);
  for (int n = 0; n < 3; ++n) {
    double most = 0.0;
    memset(u, 0, size * sizeof *u);
    for (int j = 0; j < r; ++j) {
      q[j] = tac_random_normal(&random);
      for (size_t i = 0; i < size; ++i) u[i] += basis.vector[(size_t)j * size + i] * q[j];
    }
    for (size_t i = 0; i < size; ++i) most = fmax(most, fabs(u[i]));
    double scale = (n == 0 ? 0.02 : n == 1 ? 0.2 : 0.5) * tac_box_longest(box) / most;
    for (int j = 0; j < r; ++j) q[j] *= scale;
    for (size_t i = 0; i < size; ++i) u[i] *= scale;
    reduced(r, part_count, parts, def->materials, q, force, stiffness);
    tac_finite_strain_force(strain, u, full);
    for (int j = 0; j < r; ++j) expected[j] = dot(size, basis.vector + (size_t)j * size, full);
    ck_assert_double_lt(defect(r, force, expected), 1e-10);
    tac_finite_strain_stiffness(strain, u, k.value);
    for (int j = 0; j < r; ++j) {
      tac_sparse_multiply(&k, basis.vector + (size_t)j * size, 1, full);
      for (int i = 0; i < r; ++i) wanted[j * r + i] = dot(size, basis.vector + (size_t)i * size, full);
    }
    ck_assert_double_lt(defect(r * r, stiffness, wanted), 1e-10);
  }
  free(k.value);
  tac_finite_strain_destroy(strain);
  tac_polynomial_parts_destroy(part_count, parts);
}

TAC_TEST(reduced_forces_are_projections_of_the_full_ones) {
  static const char *const scenes[] = {"spoon", "twisting-beam", "baskets", "bridge"};
  for (int i = 0; i < (tac_test_light() ? 1 : tac_test_all() ? 4 : 3); ++i) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s.yaml", TACTUS_SCENES, scenes[i]);
    TAC_FREED(tac_input_file_free, tacInputFile, text);
    tac_test_ok(tac_input_file_read(path, TAC_INPUT_ANY, &text, &error), error);
    TAC_OWN(tacYamlTree, tree) = NULL;
    tac_test_ok(tac_yaml_tree_parse((const char *)text.bytes, text.size, path, &tree, &error), error);
    tacSceneFile file;
    tac_test_ok(tac_scene_file_read(tree, &file, &error), error);
    TAC_FREED(tac_reduced_problem_free, tacReducedProblem, problem);
    const tacBodyMaker maker = {.tree = tree, .body = tac_scene_file_body(&file, 0), .error = &error};
    tac_test_ok(tac_reduced_problem_create(&maker, &problem), error);
    compare(&problem);
  }
}
