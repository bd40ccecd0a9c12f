/* Solids by some of their elements, against the solid with all of them. */
#include "base/lanes.h"
#include "elastic/hyper/sampled_solid.h"

#include "elastic/hyper/make_sampled.h"

static const tacBox box = {{0.0, 0.0, 0.0}, {0.04, 0.03, 0.05}};

enum { LAWS = 3, MOST = 48 };
static tacHyperMaterial law(int index) {
  if (index == 0) return find_hyper("st-venant-kirchhoff", 2e3, 5e3, 0.0);
  if (index == 1) return find_hyper("neo-hookean", 2e3, 5e4, 0.0);
  return find_hyper("corotational", 5e3, 0.4, 0.0);
}

typedef struct Case {
  tacVolMesh *mesh;
  tacHyperMaterial material;
  int size;
  double *basis;
  Sampled sampled;
  tacSampledSolid *solid;
  double q[MOST];
} Case;

/* Displacements of about `by` (m). */
static Case make_case(tacHyperMaterial material, int size, double by) {
  Case c = {
      .mesh = tac_test_keep(make_uneven(box, false, 3, 0.2), tac_volmesh_destroy), .material = material, .size = size};
  c.basis = tac_test_keep(make_waves(c.mesh, size, 3), free);
  c.sampled = make_sampled(c.mesh, material, size, c.basis);
  tac_test_keep(c.sampled.volumes, free);
  tac_test_keep(c.sampled.gradients, free);
  c.solid = tac_test_keep(make_sampled_solid(&c.sampled.parts, size), tac_sampled_solid_destroy);
  tacRandom random = tac_random_seed(29);
  for (int k = 0; k < size; ++k) c.q[k] = by / sqrt(size) * tac_random_normal(&random);
  return c;
}

/* U^T K U of a solid's lower triangle. */
static void reduce_stiffness(const Case *c, const tacSparse *pattern, const double *value, double *to) {
  size_t n = (size_t)c->size;
  memset(to, 0, n * n * sizeof *to);
  for (int column = 0; column < pattern->cols; ++column)
    for (int at = pattern->column_start[column]; at < pattern->column_start[column + 1]; ++at) {
      const double *u = c->basis + (size_t)pattern->row[at] * n, *v = c->basis + (size_t)column * n;
      for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
          to[i * n + j] += value[at] * (pattern->row[at] == column ? u[i] * v[j] : u[i] * v[j] + v[i] * u[j]);
    }
}

TAC_TEST(all_elements_are_the_solid) {
  for (int l = 0; l < LAWS; ++l)
    for (int bend = 0; bend < 3; ++bend) { /* at rest, deformed, with some elements inside out */
      Case c = make_case(law(l), 21, bend == 0 ? 0.0 : bend == 1 ? 0.004 : 0.03);
      TAC_OWN(tacHyperSolid, full) =
          make_hyper_solid((tacHyperSolidDef){.mesh = c.mesh, .materials = &c.material, .definite = true});
      const tacSparse *pattern = tac_hyper_solid_pattern(full);
      double *x = vector_of(c.mesh), *f = vector_of(c.mesh);
      double *value = tac_test_alloc((size_t)tac_sparse_count(pattern) * 8);
      place_vertices(c.mesh, c.size, c.basis, c.q, x);
      ck_assert(bend < 2 || tac_hyper_solid_inverted(full, x) > 0);
      tac_hyper_solid_evaluate(full, x, 0.0, f, value);
      double exact[MOST], force[MOST], exact_k[MOST * MOST], k[MOST * MOST], scale = 0.0;
      reduce_force(c.mesh, c.size, c.basis, f, exact);
      reduce_stiffness(&c, pattern, value, exact_k);
      tac_sampled_solid_force(c.solid, c.q, force);
      tac_sampled_solid_stiffness(c.solid, c.q, k);
      for (int i = 0; i < c.size; ++i) scale = fmax(scale, fabs(exact[i]));
      for (int i = 0; i < c.size; ++i) {
        /* At rest there is no force but what rounding leaves of moduli (Pa) times volumes times gradients. */
        ck_assert_double_eq_tol(force[i], exact[i], 1e-10 * scale + 1e-13);
        for (int j = 0; j < c.size; ++j) {
          double entry = k[i * c.size + j];
          ck_assert_double_eq_tol(entry, exact_k[i * c.size + j],
                                  1e-5 * sqrt(exact_k[i * c.size + i] * exact_k[j * c.size + j]));
          ck_assert_double_eq(entry, k[j * c.size + i]);
        }
      }
      double energy = tac_hyper_solid_energy(full, x);
      ck_assert_double_eq_tol(tac_sampled_solid_energy(c.solid, c.q), energy, 1e-10 * energy + 1e-15);
    }
}

/* Central differences with errors of h^4, and stiffness where no tangent is projected: all are definite near rest. */
TAC_TEST(force_is_the_gradient_of_energy) {
  for (int l = 0; l < LAWS; ++l)
    for (int near = 0; near < 2; ++near) {
      Case c = make_case(law(l), 13, near ? 1e-5 : 0.004);
      for (int e = 0; e < c.mesh->tet_count; ++e) c.sampled.volumes[e] *= 1.0 + e % 3; /* any weights */
      TAC_OWN(tacSampledSolid, solid) = make_sampled_solid(&c.sampled.parts, c.size);
      double force[MOST], k[MOST * MOST], d[MOST], up[MOST], down[MOST], q[MOST];
      tac_sampled_solid_force(solid, c.q, force);
      tac_sampled_solid_stiffness(solid, c.q, k);
      tacRandom random = tac_random_seed(31);
      for (int trial = 0; trial < 3; ++trial) {
        double slope[2], exact = 0.0, norm = 0.0, h = 2e-5;
        for (int i = 0; i < c.size; ++i) {
          d[i] = tac_random_normal(&random);
          exact += force[i] * d[i];
          norm += force[i] * force[i];
        }
        for (int n = 0; n < 2; ++n, h *= 0.5) {
          for (int i = 0; i < c.size; ++i) q[i] = c.q[i] + h * d[i];
          double above = tac_sampled_solid_energy(solid, q);
          for (int i = 0; i < c.size; ++i) q[i] = c.q[i] - h * d[i];
          slope[n] = (above - tac_sampled_solid_energy(solid, q)) / (2.0 * h);
        }
        if (!near) ck_assert_double_eq_tol((4.0 * slope[1] - slope[0]) / 3.0, exact, 1e-6 * sqrt(norm));
        if (!near) continue;
        double wrong = 0.0, all = 0.0;
        h = 1e-6;
        for (int i = 0; i < c.size; ++i) q[i] = c.q[i] + h * d[i];
        tac_sampled_solid_force(solid, q, up);
        for (int i = 0; i < c.size; ++i) q[i] = c.q[i] - h * d[i];
        tac_sampled_solid_force(solid, q, down);
        for (int i = 0; i < c.size; ++i) {
          double product = 0.0, difference = (up[i] - down[i]) / (2.0 * h);
          for (int j = 0; j < c.size; ++j) product += k[i * c.size + j] * d[j];
          wrong += (product - difference) * (product - difference);
          all += product * product;
        }
        /* What projection takes at strains of 1e-4 is at most of that order. */
        ck_assert_double_le(sqrt(wrong), 2e-3 * sqrt(all));
      }
    }
}

TAC_TEST(slices_complete_to_the_same_bits) {
  Case c = make_case(law(1), 43, 0.004);
  TAC_OWN(tacSampledSolid, other) = make_sampled_solid(&c.sampled.parts, c.size);
  size_t bytes = (size_t)(c.size * c.size) * sizeof(double);
  double *whole = tac_test_alloc(bytes), *k = tac_test_alloc(bytes), *resumed = tac_test_alloc(bytes);
  double later[MOST] = {0.0}, at[MOST];
  tac_sampled_solid_stiffness(c.solid, c.q, whole);
  int slices = tac_sampled_solid_slices(c.solid);
  ck_assert_int_ge(slices, 3);
  for (int round = 0; round < 2; ++round)
    for (int call = 1; call <= slices; ++call) {
      if (call == slices / 2 + 1) { /* another goes on from here */
        int done = tac_sampled_solid_slice_at(c.solid, at);
        ck_assert_int_eq(done, slices / 2);
        tac_sampled_solid_slice_set(other, done, at);
      }
      bool done = tac_sampled_solid_stiffness_slice(c.solid, call == 1 ? c.q : later, k);
      ck_assert_int_eq(done, call == slices);
      if (call > slices / 2) tac_sampled_solid_stiffness_slice(other, later, resumed);
      tac_sampled_solid_stiffness(c.solid, later, whole); /* does not disturb it */
      if (call < slices && round == 0) ck_assert_double_eq(k[0], 0.0);
    }
  tac_sampled_solid_stiffness(c.solid, c.q, whole);
  ck_assert_int_eq(memcmp(k, whole, bytes), 0);
  ck_assert_int_eq(memcmp(resumed, whole, bytes), 0);
  ck_assert_int_eq(tac_sampled_solid_slice_at(c.solid, at), 0);
}

/* The first coordinates alone are all of them with the others at zero. */
TAC_TEST(keeps_the_first_coordinates) {
  Case c = make_case(law(0), 19, 0.004);
  TAC_OWN(tacSampledSolid, some) = make_sampled_solid(&c.sampled.parts, 7);
  double all[MOST], force[MOST];
  for (int k = 7; k < c.size; ++k) c.q[k] = 0.0;
  tac_sampled_solid_force(c.solid, c.q, all);
  tac_sampled_solid_force(some, c.q, force);
  for (int k = 0; k < 7; ++k) ck_assert_double_eq_tol(force[k], all[k], 1e-12 * fabs(all[k]) + 1e-13);
}

static void check_refused(const Case *c, int kept, const char *says) {
  tacSampledSolid *solid;
  tac_test_refused(tac_sampled_solid_create(&c->sampled.parts, kept, &solid, &error), TAC_ERR_ARGUMENT, error, says);
  ck_assert_ptr_null(solid);
}

TAC_TEST(impossible_definitions_are_refused) {
  Case c = make_case(law(0), 3, 0.004);
  check_refused(&c, 4, "the number of kept coordinates is 4; it must be 1 to 3");
  c.sampled.volumes[5] = -1.0;
  check_refused(&c, 3, "element 5 has a volume of -1");
  c.sampled.volumes[5] = 1e-9;
  c.sampled.gradients[30] = NAN;
  check_refused(&c, 3, "element 1 have NaN or infinite values");
  c.sampled.gradients[30] = 0.0;
  c.sampled.parts.material.prony_count = 1;
  c.sampled.parts.material.prony[0] = (tacPronyTerm){0.5, 1.0};
  check_refused(&c, 3, "viscosity");
  c.sampled.parts.element_count = 0;
  check_refused(&c, 3, "0 sampled elements");
}

TAC_TEST_EVERY_WIDTH()
