/* Statements of mechanics about whole elastostatic bodies. */
#include <tactus/green.h>
#include "body/make_green.h"
#include "elastic/boundary/boundary_elements.h"
#include "kinds/green/capacitance.h"
#include "kinds/green/green_body.h"
#include "math/dense/dense_lu.h"
#include "math/random.h"
#include "mesh/make_mesh.h"
#include "physics/block.h"

/* ---- switched problems against direct solves ---- */

/* A mixed problem: `value` is a displacement where `held`, else a traction; what is unknown goes to `answer`. */
typedef struct {
  int vertex_count;
  bool *held;
  tacVec3 *value, *answer;
} Mixed;

static Mixed make_mixed(int vertex_count, const bool *fixed) {
  Mixed m = {.vertex_count = vertex_count};
  m.held = tac_test_alloc((size_t)vertex_count * sizeof *m.held);
  m.value = tac_test_alloc((size_t)vertex_count * sizeof *m.value);
  m.answer = tac_test_alloc((size_t)vertex_count * sizeof *m.answer);
  memcpy(m.held, fixed, (size_t)vertex_count * sizeof *m.held);
  return m;
}

typedef struct {
  const tacBoundaryElements *elements;
  double young; /* of the elements */
} BoundaryElements;

/* H u = G p with the columns of known values on the right. */
static void solve_directly(const BoundaryElements *b, double stiffness, Mixed *m) {
  int n = 3 * m->vertex_count;
  TAC_DENSE a, x;
  tac_test_ok(tac_dense_create(n, n, &a, &error), error);
  tac_test_ok(tac_dense_create(n, 1, &x, &error), error);
  TAC_MEMORY(int, pivot) = calloc((size_t)n, sizeof *pivot);
  for (int j = 0; j < n; ++j) {
    bool held = m->held[j / 3];
    const double *h = tac_dense_column(&b->elements->h, j), *g = tac_dense_column(&b->elements->g, j);
    double *column = tac_dense_column(&a, j), value = (&m->value[j / 3].x)[j % 3];
    for (int i = 0; i < n; ++i) { /* tractions are in units of Young's modulus: columns of like size */
      column[i] = held ? -b->young * g[i] : h[i];
      x.a[i] += held ? -h[i] * value : g[i] * value / stiffness;
    }
  }
  tac_test_ok(tac_dense_lu(&a, pivot, NULL, 1, NULL, &error), error);
  tac_test_ok(tac_dense_lu_solve(&a, pivot, &x, 1, NULL, &error), error);
  for (int v = 0; v < m->vertex_count; ++v) {
    double unit = m->held[v] ? stiffness * b->young : 1.0;
    m->answer[v] = tac_vec3(unit * x.a[3 * v], unit * x.a[3 * v + 1], unit * x.a[3 * v + 2]);
  }
}

/* 1,000 random switches and values; every few of them both ways agree to 1e-9 of the largest displacement and traction. At
 * least ten vertices stay held. Displacements are about 1 mm. */
static void compare_switches(const tacGreen *green, const BoundaryElements *elements) {
  int n = tac_green_surface(green)->vertex_count, switches = tac_test_light() ? 100 : 1000, refused = 0;
  Mixed m = make_mixed(n, tac_green_fixed(green));
  TAC_MEMORY(tacVec3, found) = calloc((size_t)n, sizeof *found);
  tacRandom random = tac_random_seed(11);
  TAC_CREATE(tacCapacitance, c, tac_capacitance_create(green, 48, n, &c, &error));
  double worst = 0.0, stiffness = 1.0;
  int held = 0;
  for (int v = 0; v < n; ++v) held += m.held[v];
  for (int s = 1; s <= switches; ++s) {
    int v = (int)tac_random_uniform(&random, 0.0, n - 1e-9);
    if (m.held[v] && held <= 10) continue;
    if (!tac_capacitance_switch(c, v)) { /* full: let one go instead */
      ++refused;
      v = tac_capacitance_switched(c)[s % tac_capacitance_switched_count(c)];
      ck_assert(tac_capacitance_switch(c, v));
    }
    m.held[v] = !m.held[v];
    held += m.held[v] ? 1 : -1;
    m.value[v] = tac_vec3(0.0, 0.0, 0.0);
    int w = (int)tac_random_uniform(&random, 0.0, n - 1e-9);
    m.value[w] = tac_random_in_cube(&random, m.held[w] ? 1e-3 : 1e-2 * elements->young);
    ck_assert(tac_capacitance_prescribe(c, w, m.value[w]));
    if (s % 20 != 0) continue;
    stiffness = s % 40 == 0 ? 1.0 : 2.5;
    ck_assert(tac_capacitance_scale(c, stiffness));
    tac_capacitance_solve(c);
    tac_capacitance_everywhere(c, found);
    solve_directly(elements, stiffness, &m);
    double largest[2] = {0.0, 0.0}, difference[2] = {0.0, 0.0};
    for (int i = 0; i < n; ++i) {
      largest[m.held[i]] = fmax(largest[m.held[i]], tac_vec3_norm(m.answer[i]));
      difference[m.held[i]] = fmax(difference[m.held[i]], tac_vec3_distance(m.answer[i], found[i]));
    }
    worst = fmax(worst, fmax(difference[0] / largest[0], difference[1] / largest[1]));
  }
  ck_assert_msg(worst < 1e-9, "they differ by %g", worst);
  ck_assert_int_lt(refused, switches / 2);
}

TAC_TEST(switching_a_boundary_element_body_equals_a_new_solution) {
  const double young = 3e4;
  TAC_CREATE(tacTriMesh, surface, tac_shape_build("sphere", 0.02, NULL, &surface, &error));
  TAC_MEMORY(bool, fixed) = lowest_fixed(surface, 0.25);
  tacMaterial material = tac_test_made(tacMaterial, tac_material_isotropic(1000.0, young, 0.35, &made, &error));
  TAC_MEMORY(int, all) = calloc((size_t)surface->vertex_count, sizeof *all);
  for (int v = 0; v < surface->vertex_count; ++v) all[v] = v;
  tacGreenDef def = tac_green_def_default();
  def.error_estimate_loads = 0; /* not of interest here */
  def.problem = (tacReferenceDef){
      .method = TAC_BOUNDARY_ELEMENTS, .surface = surface, .material_count = 1, .materials = &material, .fixed = fixed};
  def.wanted = all;
  def.wanted_count = surface->vertex_count;
  TAC_CREATE(tacGreen, green, tac_green_bake(&def, NULL, &green, &error));
  tacBoundaryDef boundary = tac_boundary_def_default();
  boundary.young = young;
  boundary.poisson = 0.35;
  TAC_CREATE(tacBoundaryElements, elements,
             tac_boundary_elements_create(surface, &boundary, 0, NULL, &elements, &error));
  ck_assert_int_eq(elements->traction_count, surface->vertex_count); /* no creases: one traction a vertex */
  compare_switches(green, &(BoundaryElements){elements, young});
}

/* ---- a half space ---- */

/* Boussinesq and Cerruti: a pressure p_0 (1 - rho / r) of total force F on a half space displaces its centre by
 *   w = 3 F (1 - nu^2) / (pi r E) along the normal, u = w (2 - nu) / (2 (1 - nu)) along the surface.
 * What the far supports add is the same for two masks of one force, so that the difference of their compliances is the half
 * space's. Cells grow away from the middle of the upper face. */
static double graded(int i, int n, double fine, double far) {
  double x = 2.0 * i / n - 1.0, a = fabs(x), b = fine * n / 2.0; /* `fine` in the middle, `far` at the end */
  return copysign(b * a + (far - b) * a * a * a, x);
}

static bool at_far_side(tacVec3 p) {
  return p.z < -1.0 + 1e-9 || fabs(p.x) > 1.0 - 1e-9 || fabs(p.y) > 1.0 - 1e-9;
}

TAC_TEST(masks_on_a_half_space_match_boussinesq_and_cerruti) {
  enum { N = 22, DEEP = 11 };
  const double young = 2e5, poisson = 0.3, fine = 0.02, radius[2] = {0.115, 0.24};
  tacVolMesh *volume = make_bricks(unit_box(), N, N, DEEP);
  for (int k = 0, v = 0; k <= DEEP; ++k)
    for (int j = 0; j <= N; ++j)
      for (int i = 0; i <= N; ++i)
        volume->vertices[v++] =
            tac_vec3(graded(i, N, fine, 1.0), graded(j, N, fine, 1.0), graded(k, 2 * DEEP, fine, 1.0));
  Block b = make_block(volume, at_far_side, young, poisson);
  TAC_MEMORY(int, wanted) = calloc((size_t)b.surface->vertex_count, sizeof *wanted);
  int count = 0, centre = -1;
  for (int v = 0; v < b.surface->vertex_count; ++v) {
    tacVec3 p = b.surface->vertices[v];
    if (tac_vec3_norm(p) < radius[1]) wanted[count++] = v;
    if (tac_vec3_norm(p) < 1e-9) centre = v;
  }
  TAC_OWN(tacGreen, green) = bake_block(&b, count, wanted);
  tacVec3 compliance[2]; /* diagonal */
  for (int i = 0; i < 2; ++i) {
    TAC_CREATE(tacGreenBody, body, tac_green_body_create(green, radius[i], 1e9, &body, &error));
    tacMat3 k = tac_green_body_elastic_stiffness(body, centre);
    ck_assert_double_lt(fabs(k.m[0][1]) + fabs(k.m[0][2]) + fabs(k.m[1][2]), 1e-2 * k.m[0][0]); /* symmetry */
    compliance[i] = tac_vec3(1.0 / k.m[0][0], 1.0 / k.m[1][1], 1.0 / k.m[2][2]);
  }
  double w = 3.0 * (1.0 - poisson * poisson) / (M_PI * young) * (1.0 / radius[0] - 1.0 / radius[1]);
  double u = w * (2.0 - poisson) / (2.0 * (1.0 - poisson));
  tacVec3 found = tac_vec3_sub(compliance[0], compliance[1]);
  ck_assert_double_eq_tol(found.z, w, 0.03 * w);
  ck_assert_double_eq_tol(found.x, u, 0.03 * u);
  ck_assert_double_eq_tol(found.y, u, 0.03 * u);
}
