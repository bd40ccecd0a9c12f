/* What a scene's `fixed` holds: the same of a solid whichever kind of body is made of it. */
#include <tactus/reduced.h>
#include "elastic/reference/reference_problem.h"
#include "kinds/green/green_problem.h"
#include "kinds/reduced/polynomial_bake.h"
#include "kinds/reduced/reduced_problem.h"
#include "math/dense/blas.h"
#include "math/dense/dense.h"
#include "math/geometry/vec3.h"
#include "scene/scene_file.h"
#include "test.h"

/* A cube of 2 x 2 x 2 bricks, held up to its middle: nine vertices below, nine at the middle, of which one is inside. */
#define SOLID                                                        \
  "    volume: {shape: cube, size: 35 mm}\n"                         \
  "    material: {young: 20 kPa, poisson: 0.35, density: 1 g/cm3}\n" \
  "    fixed: [{below: {axis: z, at: 36 mm}}]\n"
#define TOOLS \
  "tools:\n  - {name: probe, kind: point, centre: [0, 0, 0], device: {kind: operator, path: [{at: [0, 0, 0]}]}}\n"
static const char green_text[] = "tactus: 1\nbodies:\n  - name: cube\n    kind: green\n    method: finite-elements\n"
                                 "    mask: single\n" SOLID TOOLS;
static const char reduced_text[] = "tactus: 1\nbodies:\n  - name: cube\n    kind: reduced\n"
                                   "    basis: {from: modes, modes: 1, size: 1}\n" SOLID TOOLS;

typedef struct Read {
  tacYamlTree *tree;
  tacSceneFile file;
} Read;

static Read read_scene(const char *text) {
  Read read;
  tac_test_ok(tac_yaml_tree_parse(text, strlen(text), "s", &read.tree, &error), error);
  tac_test_ok(tac_scene_file_read(read.tree, &read.file, &error), error);
  return read;
}

static void close_scene(Read *read) {
  tac_yaml_tree_destroy(read->tree);
}

/* The stiffness at rest of a reduced body whose coordinates are all displacements that are free: 27 of them. */
static void reduced_stiffness(const tacReducedDef *def, int r, const int *number, tacDense *stiffness) {
  tacSolid solid = {.mesh = def->volume, .material_count = 1, .materials = def->materials, .held = def->fixed};
  size_t height = 3 * (size_t)def->volume->vertex_count;
  TAC_DOUBLES *basis = calloc(height * (size_t)r, sizeof *basis), *q = calloc((size_t)r, sizeof *q);
  TAC_MEMORY(double, scratch) = malloc(tac_reduced_polynomial_scratch(r) * sizeof *scratch);
  TAC_MEMORY(double, part) = malloc((size_t)(r * r) * sizeof *part);
  for (size_t i = 0; i < height; ++i)
    if (number[i] >= 0) basis[(size_t)number[i] * height + i] = 1.0;
  tacPolynomialPart *parts;
  int count = tac_test_made(int, tac_polynomial_bake(&solid, r, basis, false, NULL, &parts, &made, NULL, &error));
  memset(stiffness->a, 0, (size_t)(r * r) * sizeof *stiffness->a);
  for (int p = 0; p < count; ++p) {
    const double(*c)[6] = def->materials[0].stiffness;
    double weight = parts[p].kind == TAC_REDUCED_LAMBDA ? c[0][1] : c[3][3];
    tac_reduced_polynomial_evaluate(r, parts[p].coefficients, q, scratch, NULL, part);
    for (int i = 0; i < r * r; ++i) stiffness->a[i] += weight * part[i];
  }
  tac_polynomial_parts_destroy(count, parts);
}

/* Loads on the surface move a Green body by finite elements as they do the reduced body of the same scene, to rounding. With the
 * vertex inside free, as it was once, they differ by percents. */
TAC_TEST(green_and_reduced_bodies_are_held_alike) {
  tac_blas_start();
  Read scenes[2];
  scenes[0] = read_scene(green_text);
  scenes[1] = read_scene(reduced_text);
  tacBodyMaker maker = {scenes[0].tree, tac_scene_file_body(&scenes[0].file, 0), .error = &error, .relaxed = true};
  tacGreenProblem green = tac_test_made(tacGreenProblem, tac_green_problem_create(&maker, &made));
  maker = (tacBodyMaker){scenes[1].tree, tac_scene_file_body(&scenes[1].file, 0), .error = &error};
  tacReducedProblem reduced = tac_test_made(tacReducedProblem, tac_reduced_problem_create(&maker, &made));
  const tacVolMesh *mesh = reduced.volume;
  ck_assert_int_eq(mesh->brick_count, 8);
  ck_assert_int_eq(green.volume->vertex_count, mesh->vertex_count);
  int number[81], r = 0;
  for (int i = 0; i < 81; ++i) number[i] = reduced.held[i / 3] ? -1 : r++;
  ck_assert_int_eq(r, 27);

  tacDense stiffness = tac_test_made(tacDense, tac_dense_create(r, r, &made, &error));
  reduced_stiffness(&reduced.def, r, number, &stiffness);
  tac_test_ok(tac_dense_cholesky(&stiffness, &error), error);

  tacReferenceProblem *problem = NULL;
  tac_test_ok(tac_reference_problem_create(&green.def.problem, NULL, &problem, &error), error);
  const double *area = tac_reference_problem_area(problem);
  int n = green.surface->vertex_count, loaded = 0;
  for (int v = 0; v < n; ++v) {
    double columns[3][78], force[27];
    ck_assert(green.fixed[v] == reduced.held[green.vertex_of[v]]);
    if (green.fixed[v]) continue;
    ++loaded;
    ck_assert_int_eq(tac_reference_problem_row_count(problem), 78);
    tac_test_ok(tac_reference_problem_columns(problem, 1, &v, NULL, columns[0], &error), error);
    for (int axis = 0; axis < 3; ++axis) {
      tacDense right = {r, 1, r, force};
      memset(force, 0, sizeof force);
      force[number[3 * green.vertex_of[v] + axis]] = area[v];
      tac_dense_cholesky_solve(&stiffness, &right);
      double most = 0.0;
      for (int i = 0; i < r; ++i) most = fmax(most, fabs(force[i]));
      for (int i = 0; i < 3 * n; ++i) {
        int at = number[3 * green.vertex_of[i / 3] + i % 3];
        if (at >= 0) ck_assert_double_eq_tol(columns[axis][i], force[at], 1e-11 * most);
      }
    }
  }
  ck_assert_int_eq(loaded, 9);
  tac_reference_problem_destroy(problem);
  tac_dense_destroy(&stiffness);
  tac_green_problem_free(&green);
  tac_reduced_problem_free(&reduced);
  for (int i = 0; i < 2; ++i) close_scene(&scenes[i]);
}
