/* Energy, force and tangent of hyperelastic solids, for every law of the registry. */
#include "elastic/hyper_point.h"
#include "elastic/make_hyper.h"
#include "elastic/tet4.h"

static tacError error;
static const tacBox box = {{0.0, 0.0, 0.0}, {0.04, 0.03, 0.05}};

typedef struct Case {
  tacVolMesh *mesh;
  tacHyperSolid *solid;
  int size;
  double *x, *force, *value;
} Case;

static Case make_case(tacHyperSolidDef def, double by) {
  Case made = {.mesh = make_uneven(box, false, 2, 0.2)};
  def.mesh = made.mesh;
  made.solid = make_hyper_solid(def);
  made.size = 3 * made.mesh->vertex_count;
  made.x = make_deformed(made.mesh, large_gradient(), by);
  made.force = make_vector(made.mesh);
  made.value = calloc((size_t)tac_sparse_count(tac_hyper_solid_pattern(made.solid)), sizeof(double));
  return made;
}

static void destroy_case(Case *made) {
  tac_hyper_solid_destroy(made->solid);
  tac_volmesh_destroy(made->mesh);
  free(made->x);
  free(made->force);
  free(made->value);
}

/* ---- derivatives ---- */

/* Central differences by Richardson: errors of h^4. */
static double energy_slope(const Case *c, double *x, const double *d, double h) {
  double by[2];
  for (int n = 0; n < 2; ++n, h *= 0.5) {
    for (int i = 0; i < c->size; ++i) x[i] = c->x[i] + h * d[i];
    double up = tac_hyper_solid_energy(c->solid, x);
    for (int i = 0; i < c->size; ++i) x[i] = c->x[i] - h * d[i];
    by[n] = (up - tac_hyper_solid_energy(c->solid, x)) / (2.0 * h);
  }
  return (4.0 * by[1] - by[0]) / 3.0;
}

/* Along random directions d: dW = force . d and dforce = K d. */
static void check_derivatives(Case *c, double step, bool with_energy) {
  const tacSparse *pattern = tac_hyper_solid_pattern(c->solid);
  tacSparse k = *pattern;
  k.value = c->value;
  size_t size = (size_t)c->size;
  double *d = calloc(size, sizeof *d), *x = calloc(size, sizeof *x), *product = calloc(size, sizeof *product);
  double *difference = calloc(size, sizeof *difference), *probe = calloc(size, sizeof *probe);
  tacRandom random = tac_random_seed(17);
  tac_hyper_solid_evaluate(c->solid, c->x, step, c->force, c->value);
  for (int trial = 0; trial < 3; ++trial) {
    for (int i = 0; i < c->size; ++i) d[i] = tac_random_uniform(&random, -1.0, 1.0);
    double h = 2e-5, slope = 0.0, scale = 0.0;
    for (int i = 0; i < c->size; ++i) {
      slope += c->force[i] * d[i];
      scale += fabs(c->force[i] * d[i]);
    }
    if (with_energy) ck_assert_double_eq_tol(energy_slope(c, x, d, h), slope, 1e-6 * scale);
    memset(difference, 0, size * sizeof *difference);
    for (int n = 0; n < 4; ++n) { /* weights of (4 central(h / 2) - central(h)) / 3 */
      static const double at[4] = {0.5, -0.5, 1.0, -1.0}, weight[4] = {4.0, -4.0, -0.5, 0.5};
      for (int i = 0; i < c->size; ++i) x[i] = c->x[i] + at[n] * h * d[i];
      tac_hyper_solid_evaluate(c->solid, x, step, probe, NULL);
      for (int i = 0; i < c->size; ++i) difference[i] += weight[n] * probe[i] / (3.0 * h);
    }
    tac_sparse_multiply_lower(&k, d, 1, product);
    double most = largest(product, c->size);
    for (int i = 0; i < c->size; ++i) ck_assert_double_eq_tol(difference[i], product[i], 1e-6 * most);
  }
  free(d);
  free(x);
  free(product);
  free(difference);
  free(probe);
}

/* Twice for each law: as it is, and with mean changes of volume. */
START_TEST(differentiates_every_law) {
  int count;
  const tacHyperLaw *const *laws = tac_hyper_laws(&count);
  for (int n = 0; n < 2 * count; ++n) {
    tacHyperMaterial material = make_hyper(laws[n / 2]);
    Case c = make_case((tacHyperSolidDef){.materials = &material, .patches = n % 2 == 1}, 1e-3);
    check_derivatives(&c, 0.0, true);
    destroy_case(&c);
  }
}
END_TEST

/* The kernel is another way to what one point's evaluator computes. */
START_TEST(agrees_with_one_point_at_a_time) {
  int count;
  const tacHyperLaw *const *laws = tac_hyper_laws(&count);
  for (int n = 0; n < count; ++n) {
    tacHyperMaterial material = make_hyper(laws[n]);
    Case c = make_case((tacHyperSolidDef){.materials = &material}, 1e-3);
    size_t size = (size_t)c.size;
    double *force = make_vector(c.mesh), *dense = calloc(size * size, sizeof *dense), energy = 0.0;
    for (int t = 0; t < c.mesh->tet_count; ++t) {
      const int *v = c.mesh->tets[t].v;
      tacVec3 corners[4];
      for (int a = 0; a < 4; ++a) corners[a] = c.mesh->vertices[v[a]];
      tacTet4 tet;
      ck_assert(tac_tet4_init(corners, &tet));
      tacMat3 f = tac_mat3_zero();
      for (int a = 0; a < 4; ++a) f = tac_mat3_add(f, tac_mat3_outer(get_vec3(c.x, v[a]), tet.gradient[a]));
      tacHyperPoint point;
      tac_hyper_point_evaluate(laws[n], material.parameters, NULL, &f, &point);
      energy += tet.volume * point.energy;
      for (int a = 0; a < 4; ++a) {
        tacVec3 r = tac_vec3_scale(tet.volume, tac_mat3_mul_vec(point.stress, tet.gradient[a]));
        put_vec3(force, v[a], tac_vec3_add(get_vec3(force, v[a]), r));
        for (int b = 0; b < 4; ++b)
          for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k) {
              const double p[3] = {tet.gradient[a].x, tet.gradient[a].y, tet.gradient[a].z};
              const double q[3] = {tet.gradient[b].x, tet.gradient[b].y, tet.gradient[b].z};
              for (int j = 0; j < 3; ++j)
                for (int l = 0; l < 3; ++l)
                  dense[(3 * (size_t)v[a] + (size_t)i) * size + 3 * (size_t)v[b] + (size_t)k] +=
                      tet.volume * p[j] * point.tangent[3 * i + j][3 * k + l] * q[l];
            }
      }
    }
    tac_hyper_solid_evaluate(c.solid, c.x, 0.0, c.force, c.value);
    ck_assert_double_eq_tol(tac_hyper_solid_energy(c.solid, c.x), energy, 1e-12 * fabs(energy));
    double most = largest(force, c.size);
    for (int i = 0; i < c.size; ++i) ck_assert_double_eq_tol(c.force[i], force[i], 1e-12 * most);
    const tacSparse *pattern = tac_hyper_solid_pattern(c.solid);
    tac_test_ok(tac_sparse_check(pattern, &error), error);
    most = largest(dense, c.size * c.size);
    for (int j = 0; j < pattern->cols; ++j)
      for (int i = j; i < pattern->rows; ++i) {
        int place = tac_sparse_find(pattern, i, j);
        double expected = dense[(size_t)i * size + (size_t)j];
        ck_assert_double_eq_tol(place >= 0 ? c.value[place] : 0.0, expected, 1e-12 * most);
      }
    free(force);
    free(dense);
    destroy_case(&c);
  }
}
END_TEST

TAC_TEST_MAIN("hyper_solid", differentiates_every_law, agrees_with_one_point_at_a_time)
