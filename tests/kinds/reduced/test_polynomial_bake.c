#include "kinds/reduced/polynomial_bake.h"

#include <tactus/reduced.h>
#include "base/threads/parallel.h"
#include "elastic/make_body.h"
#include "elastic/solids/finite_strain.h"
#include "kinds/reduced/reduced_stress.h"

typedef struct Sample {
  tacVolMesh *mesh;
  tacMaterial materials[4]; /* the third is of no element */
  int *material_of;
  int r;
  double *basis;
} Sample;

static const tacBox box = {{0.1, -0.2, 0.3}, {1.1, 0.7, 1.2}};

/* n^3 bricks, or 6 n^3 tetrahedra, of two isotropic materials and an anisotropic one; a random basis. Vertices inside are moved by up
 * to `by` of a cell. */
static Sample make_sample_uneven(bool bricks, int n, int r, double by) {
  Sample s = {.mesh = make_uneven(box, bricks, n, by), .r = r};
  s.materials[0] = make_isotropic(1000.0, 2e6, 0.3);
  s.materials[1] = make_anisotropic(3);
  s.materials[2] = make_anisotropic(4);
  s.materials[3] = make_isotropic(700.0, 5e5, -0.2);
  int elements = tac_element_count(s.mesh);
  s.material_of = tac_test_alloc((size_t)elements * sizeof *s.material_of);
  for (int e = 0; e < elements; ++e) s.material_of[e] = (const int[]){0, 1, 3}[e % 3];
  size_t numbers = 3 * (size_t)s.mesh->vertex_count * (size_t)r;
  s.basis = tac_test_alloc(numbers * sizeof *s.basis);
  tacRandom random = tac_random_seed(5);
  for (size_t i = 0; i < numbers; ++i) s.basis[i] = tac_random_uniform(&random, -1.0, 1.0);
  return s;
}

static Sample make_sample(bool bricks, int n, int r) {
  return make_sample_uneven(bricks, n, r, 0.2);
}

/* Where the sample is by now. */
static tacSolid solid_of(const Sample *s) {
  return (tacSolid){.mesh = s->mesh, .material_count = 4, .materials = s->materials, .material_of = s->material_of};
}

static void free_sample(Sample *s) {
  tac_volmesh_destroy(s->mesh);
}

typedef struct Parts {
  int count;
  tacPolynomialPart *list;
} Parts;

static void free_parts(Parts *parts) {
  tac_polynomial_parts_destroy(parts->count, parts->list);
}

static Parts bake(const tacSolid *solid, int r, const double *basis, bool stress, tacPolynomialBakeReport *report) {
  Parts parts;
  tac_test_ok(tac_polynomial_bake(solid, r, basis, stress, NULL, &parts.list, &parts.count, report, &error), error);
  return parts;
}

/* What a part counts for in its material. */
static double weight_of(const tacMaterial *m, const tacPolynomialPart *part) {
  const double weights[] = {m->stiffness[0][1], m->stiffness[3][3], 1.0};
  return weights[part->kind];
}

/* All parts as the materials weight them. */
static double *sum_of_parts(const Sample *s, const Parts *parts) {
  double *sum = tac_test_alloc(tac_reduced_polynomial_count(s->r) * sizeof *sum);
  for (int p = 0; p < parts->count; ++p) {
    const tacPolynomialPart *part = &parts->list[p];
    const tacMaterial *m = &s->materials[part->group];
    ck_assert(m->isotropic == (part->kind != TAC_REDUCED_WHOLE));
    for (size_t i = 0; i < tac_reduced_polynomial_count(s->r); ++i)
      sum[i] += weight_of(m, part) * part->coefficients[i];
  }
  return sum;
}

/* U^T K U of a sparse K, row i and column j; `product` is K U. */
static double entry(const Sample *s, const double *product, int i, int j) {
  size_t n = 3 * (size_t)s->mesh->vertex_count;
  double sum = 0.0;
  for (size_t a = 0; a < n; ++a) sum += s->basis[(size_t)i * n + a] * product[(size_t)j * n + a];
  return sum;
}

/* u = U q for random q. */
static double *draw(const Sample *s, double most, double *q) {
  size_t n = 3 * (size_t)s->mesh->vertex_count;
  double *u = tac_test_alloc(n * sizeof *u);
  tacRandom random = tac_random_seed(6);
  for (int i = 0; i < s->r; ++i) q[i] = tac_random_uniform(&random, -most, most);
  for (int i = 0; i < s->r; ++i)
    for (size_t a = 0; a < n; ++a) u[a] += s->basis[(size_t)i * n + a] * q[i];
  return u;
}

static double largest(size_t count, const double *x) {
  double most = 0.0;
  for (size_t i = 0; i < count; ++i) most = fmax(most, fabs(x[i]));
  return most;
}

/* Energy, force and stiffness against those of all degrees of freedom, where edges change by a third of their length.
 * */
static void check_against_elements(Sample *s) {
  enum { MOST = 20 };
  int r = s->r;
  size_t n = 3 * (size_t)s->mesh->vertex_count;
  tacPolynomialBakeReport report;
  tacSolid solid = solid_of(s);
  TAC_FREED(free_parts, Parts, parts) = bake(&solid, r, s->basis, false, &report);
  ck_assert_int_eq(parts.count, tac_element_count(s->mesh) > 2 ? 5 : 2);
  ck_assert_uint_gt(report.bytes, tac_reduced_polynomial_count(r) * sizeof(double));
  double q[MOST], force[MOST], stiffness[MOST * MOST], *sum = sum_of_parts(s, &parts), *u = draw(s, 0.15 / sqrt(r), q);
  double *scratch = tac_test_alloc(tac_reduced_polynomial_scratch(r) * sizeof *scratch);
  double *full = tac_test_alloc(n * sizeof *full), *product = tac_test_alloc(n * (size_t)r * sizeof *product);

  TAC_CREATE(tacFiniteStrain, strain, tac_finite_strain_create(&solid, &strain, &error));
  double energy = tac_finite_strain_energy(strain, u);
  ck_assert_double_eq_tol(tac_reduced_polynomial_energy(r, sum, q, scratch), energy, 1e-10 * energy);
  tac_reduced_polynomial_evaluate(r, sum, q, scratch, force, stiffness);
  tac_finite_strain_force(strain, u, full);
  double size = largest((size_t)r, force);
  for (int i = 0; i < r; ++i) ck_assert_double_eq_tol(force[i], entry(s, full, i, 0), 1e-10 * size);
  tacSparse k = *tac_finite_strain_pattern(strain);
  k.value = tac_test_alloc((size_t)tac_sparse_count(&k) * sizeof *k.value);
  tac_finite_strain_stiffness(strain, u, k.value);
  tac_sparse_multiply(&k, s->basis, r, product);
  size = largest((size_t)(r * r), stiffness);
  for (int i = 0; i < r * r; ++i) ck_assert_double_eq_tol(stiffness[i], entry(s, product, i % r, i / r), 1e-10 * size);
}

TAC_TEST(agrees_with_finite_elements) {
  const int sizes[] = {1, 2, 3, 8, 17}; /* 17 has more than one tile */
  for (int bricks = 0; bricks < 2; ++bricks)
    for (int i = 0; i < (tac_test_light() ? 4 : 5); ++i) {
      TAC_FREED(free_sample, Sample, s) = make_sample(bricks, 2, sizes[i]);
      check_against_elements(&s);
    }
  TAC_FREED(free_sample, Sample, single) = make_sample(true, 1, 6); /* without parts of other materials */
  check_against_elements(&single);
}

/* Boxes have rows of their own: all of them, among others, and turned, where they are no boxes to the bake. */
TAC_TEST(boxes_agree_with_finite_elements) {
  for (int kind = 0; kind < 3; ++kind) {
    TAC_FREED(free_sample, Sample, s) = make_sample_uneven(true, kind == 1 ? 3 : 2, 8, 0.0);
    if (kind == 1) s.mesh->vertices[0] = tac_vec3_sub(s.mesh->vertices[0], tac_vec3(0.05, 0.02, 0.04));
    for (int v = 0; kind == 2 && v < s.mesh->vertex_count; ++v) {
      tacVec3 *p = &s.mesh->vertices[v];
      *p = tac_vec3(0.8 * p->x - 0.6 * p->y, 0.6 * p->x + 0.8 * p->y, p->z);
    }
    check_against_elements(&s);
  }
}

/* K less what stress adds to it is what strain-rate damping with phi = lambda and psi = mu multiplies velocities by (2.34): the full
 * one, projected. Materials are isotropic, since phi and psi are. */
TAC_TEST(stiffness_without_stress_is_strain_rate_damping) {
  for (int kind = 0; kind < 3; ++kind) {
    TAC_FREED(free_sample, Sample, s) = make_sample_uneven(kind > 0, 2, 8, kind < 2 ? 0.2 : 0.0);
    for (int e = 0; e < tac_element_count(s.mesh); ++e) s.material_of[e] = e % 2 == 0 ? 0 : 3;
    int r = s.r;
    size_t n = 3 * (size_t)s.mesh->vertex_count, count = tac_reduced_stress_count(r);
    tacSolid solid = solid_of(&s);
    TAC_FREED(free_parts, Parts, parts) = bake(&solid, r, s.basis, true, NULL);
    double *sum = sum_of_parts(&s, &parts), *products = tac_test_alloc(count * sizeof *products);
    for (int p = 0; p < parts.count; ++p) {
      double weight = weight_of(&s.materials[parts.list[p].group], &parts.list[p]);
      for (size_t i = 0; i < count; ++i) products[i] += weight * parts.list[p].stress[i];
    }
    double q[8], stiffness[64], stress[64], *u = draw(&s, 0.05, q), *product = tac_test_alloc(n * 8 * sizeof *product);
    double *scratch = tac_test_alloc((tac_reduced_polynomial_scratch(r) + tac_reduced_stress_scratch(r)) *
                                     sizeof *scratch); /* whichever is larger */
    tac_reduced_polynomial_evaluate(r, sum, q, scratch, NULL, stiffness);
    tac_reduced_stress_evaluate(r, products, q, scratch, stress);
    TAC_CREATE(tacFiniteStrain, strain, tac_finite_strain_create(&solid, &strain, &error));
    tacSparse k = *tac_finite_strain_pattern(strain);
    k.value = tac_test_alloc((size_t)tac_sparse_count(&k) * sizeof *k.value);
    double phi[4], psi[4], size = largest(64, stiffness);
    for (int m = 0; m < 4; ++m) {
      phi[m] = s.materials[m].stiffness[0][1];
      psi[m] = s.materials[m].stiffness[3][3];
    }
    ck_assert_double_gt(largest(64, stress), 0.01 * size);
    tac_finite_strain_damping(strain, phi, psi, u, k.value);
    tac_sparse_multiply(&k, s.basis, r, product);
    for (int i = 0; i < 64; ++i)
      ck_assert_double_eq_tol(stiffness[i] - stress[i], entry(&s, product, i % 8, i / 8), 1e-10 * size);
  }
}

/* A brick that is stretched, turned by 100 degrees and spins about: its strain does not change, and strain-rate damping does
 * nothing to it. Rayleigh's, of the stiffness there or at rest, brakes it. */
TAC_TEST(strain_rate_damping_ignores_rotation) {
  enum { R = 24 };
  tacMaterial material = make_isotropic(1000.0, 2e6, 0.3);
  TAC_OWN(tacVolMesh, mesh) = make_bricks(box, 1, 1, 1);
  tacSolid solid = {.mesh = mesh, .material_count = 1, .materials = &material};
  double *basis = tac_test_alloc(R * R * sizeof *basis), q[R], v[R], at_rest[R * R], stiffness[R * R], stress[R * R];
  for (int i = 0; i < R; ++i) basis[i * R + i] = 1.0;
  TAC_FREED(free_parts, Parts, parts) = bake(&solid, R, basis, true, NULL);
  double c = cos(1.75), s = sin(1.75);
  for (int n = 0; n < 8; ++n) {
    tacVec3 p = mesh->vertices[n], to = {1.2 * c * p.x - 0.9 * s * p.y, 1.2 * s * p.x + 0.9 * c * p.y, 1.1 * p.z};
    const double moved[3] = {to.x - p.x, to.y - p.y, to.z - p.z}, speed[3] = {-to.y, to.x, 0.0};
    for (int i = 0; i < 3; ++i) {
      q[3 * n + i] = moved[i];
      v[3 * n + i] = speed[i];
    }
  }
  TAC_MEMORY(double, scratch) =
      malloc((tac_reduced_polynomial_scratch(R) + tac_reduced_stress_scratch(R)) * sizeof *scratch);
  double drag[3][R] = {{0.0}};
  for (int p = 0; p < parts.count; ++p) {
    const tacPolynomialPart *part = &parts.list[p];
    double weight = weight_of(&material, part);
    tac_reduced_polynomial_rest(R, part->coefficients, at_rest);
    tac_reduced_polynomial_evaluate(R, part->coefficients, q, scratch, NULL, stiffness);
    tac_reduced_stress_evaluate(R, part->stress, q, scratch, stress);
    for (int i = 0; i < R * R; ++i) {
      drag[0][i / R] += weight * at_rest[i] * v[i % R];
      drag[1][i / R] += weight * stiffness[i] * v[i % R];
      drag[2][i / R] += weight * (stiffness[i] - stress[i]) * v[i % R];
    }
  }
  ck_assert_double_gt(largest(R, drag[0]), 1e5);
  ck_assert_double_gt(largest(R, drag[1]), 1e5);
  ck_assert_double_lt(largest(R, drag[2]), 1e-7);
}

/* Chunks and tiles are several here; what a thread does must not depend on the others. */
TAC_TEST(result_is_independent_of_thread_count) {
  TAC_FREED(free_sample, Sample, s) = make_sample(true, tac_test_light() ? 5 : 10, 16);
  for (int e = 0; e < tac_element_count(s.mesh); ++e) s.material_of[e] = 0;
  tacSolid solid = solid_of(&s);
  tac_parallel_set_threads(3);
  TAC_FREED(free_parts, Parts, several) = bake(&solid, s.r, s.basis, false, NULL);
  tac_parallel_set_threads(1);
  TAC_FREED(free_parts, Parts, one) = bake(&solid, s.r, s.basis, false, NULL);
  tac_parallel_set_threads(0);
  ck_assert(several.count == 2 && one.count == 2);
  for (int p = 0; p < 2; ++p)
    ck_assert_mem_eq(several.list[p].coefficients, one.list[p].coefficients,
                     tac_reduced_polynomial_count(s.r) * sizeof(double));
}

static bool note_progress(const char *what, double fraction, void *last) {
  (void)what;
  ck_assert_double_ge(fraction, *(double *)last);
  *(double *)last = fraction;
  return true;
}

TAC_TEST(reports_progress_and_can_be_cancelled) {
  TAC_FREED(free_sample, Sample, s) = make_sample(true, 2, 4);
  tacPolynomialPart *parts;
  int count, calls = 0;
  double last = 0.0;
  tacProgress cancel = {tac_test_cancel, &calls}, note = {note_progress, &last};
  tacSolid solid = solid_of(&s);
  ck_assert_int_eq(tac_polynomial_bake(&solid, 4, s.basis, false, &cancel, &parts, &count, NULL, &error),
                   TAC_ERR_CANCELLED);
  ck_assert_int_eq(calls, 1);
  ck_assert_ptr_null(parts);
  tac_test_ok(tac_polynomial_bake(&solid, 4, s.basis, false, &note, &parts, &count, NULL, &error), error);
  ck_assert_double_eq(last, 1.0);
  tac_polynomial_parts_destroy(count, parts);
}

static void check_refused(Sample *s, int r, tacStatus expected, const char *says) {
  tacPolynomialPart *parts;
  int count;
  tacSolid solid = solid_of(s);
  tac_test_refused(tac_polynomial_bake(&solid, r, s->basis, false, NULL, &parts, &count, NULL, &error), expected, error,
                   says);
  ck_assert_ptr_null(parts);
  ck_assert_int_eq(count, 0);
}

TAC_TEST(invalid_definitions_are_rejected) {
  TAC_FREED(free_sample, Sample, s) = make_sample(true, 2, 4);
  check_refused(&s, 0, TAC_ERR_ARGUMENT, "basis vectors (0)");
  check_refused(&s, TAC_BODY_MOST_COORDINATES + 1, TAC_ERR_ARGUMENT, "basis vectors (161)");
  s.material_of[5] = 4;
  check_refused(&s, 4, TAC_ERR_ARGUMENT, "element 5 has material 4");
  s.material_of[5] = 0;
  s.basis[7] = NAN;
  check_refused(&s, 4, TAC_ERR_ARGUMENT, "NaN or infinite");
  s.basis[7] = 0.0;
  s.materials[1].stiffness[2][2] = -1.0;
  check_refused(&s, 4, TAC_ERR_ARGUMENT, "positive definite");
  s.materials[1] = make_anisotropic(3);
  tacBrick brick = s.mesh->bricks[3];
  for (int c = 0; c < 4; ++c) {
    s.mesh->bricks[3].v[c] = brick.v[c + 4];
    s.mesh->bricks[3].v[c + 4] = brick.v[c];
  }
  check_refused(&s, 4, TAC_ERR_GEOMETRY, "element 3");
}
