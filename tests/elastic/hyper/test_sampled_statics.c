/* Equilibria in coordinates against the force that they are of, and, with a coordinate for every number, against all nodes. */
#include "elastic/hyper/sampled_statics.h"

#include "elastic/hyper/hyper_statics.h"
#include "elastic/hyper/make_sampled.h"

static const tacBox box = {{0.0, 0.0, 0.0}, {0.1, 0.1, 0.2}};

static tacSampledStatics *make_statics(const tacSampledParts *parts) {
  tacSampledStatics *statics = NULL;
  tac_test_ok(tac_sampled_statics_create(parts, &statics, &error), error);
  return tac_test_keep(statics, tac_sampled_statics_destroy);
}

/* A unit vector for every number of a free vertex: the same problem as with all nodes. */
TAC_TEST(with_all_numbers_as_coordinates_it_is_the_full_solution) {
  for (int neo = 0; neo < 2; ++neo) {
    TAC_OWN(tacVolMesh, mesh) = make_tets(box, 1, 1, 2);
    tacHyperMaterial material =
        neo ? find_hyper("neo-hookean", 4e3, 1e4, 0.0) : find_hyper("st-venant-kirchhoff", 4e3, 6e3, 0.0);
    enum { SIZE = 24 };
    ck_assert_int_eq(mesh->vertex_count, 12);
    bool held[12];
    double *basis = tac_test_doubles(36 * SIZE), *force = vector_of(mesh);
    int column = 0;
    for (int v = 0; v < 12; ++v) {
      held[v] = mesh->vertices[v].z <= 0.0;
      for (int i = 0; i < 3 && !held[v]; ++i) basis[(3 * v + i) * SIZE + column++] = 1.0;
      if (mesh->vertices[v].z >= 0.2) put_vec3(force, v, tac_vec3(1.0, 0.3, -0.4));
    }
    ck_assert_int_eq(column, SIZE);
    TAC_FREED(free_sampled, Sampled, made) = make_sampled(mesh, material, SIZE, basis);
    tacSampledStatics *statics = make_statics(&made.parts);
    double f[SIZE], q[SIZE] = {0.0}, residual = 1.0;
    reduce_force(mesh, SIZE, basis, force, f);
    int steps = tac_sampled_statics_solve(statics, f, 60, 60, 1e-10, q, &residual);
    ck_assert(steps > 1 && steps < 60);
    ck_assert_double_le(residual, 1e-10);
    TAC_OWN(tacHyperSolid, solid) = make_hyper_solid((tacHyperSolidDef){.mesh = mesh, .materials = &material});
    TAC_OWN(tacHyperStatics, full) = NULL;
    tac_test_ok(tac_hyper_statics_create(solid, held, &full, &error), error);
    double *rest = positions_of(mesh), *x = positions_of(mesh), *reduced = vector_of(mesh);
    tac_test_ok(tac_hyper_statics_solve(full, rest, force, x, NULL, NULL, &error), error);
    place_vertices(mesh, SIZE, basis, q, reduced);
    double most = 0.0;
    for (int i = 0; i < 36; ++i) {
      ck_assert_double_eq_tol(reduced[i], x[i], 1e-7);
      most = fmax(most, fabs(x[i] - rest[i]));
    }
    ck_assert_double_gt(most, 0.02); /* a tenth of its length */
  }
}

/* From afar, and from rest under a load for which whole steps are too long: the energy W - f . q falls with every step, until its
 * changes are lost in rounding. */
TAC_TEST(every_step_lowers_the_energy) {
  enum { SIZE = 6, HEAVY = 1000 };
  TAC_OWN(tacVolMesh, mesh) = make_tets(box, 2, 2, 3);
  TAC_MEMORY(double, basis) = make_waves(mesh, SIZE, 8);
  TAC_FREED(free_sampled, Sampled, made) = make_sampled(mesh, find_hyper("neo-hookean", 4e3, 1e4, 0.0), SIZE, basis);
  tacSampledStatics *statics = make_statics(&made.parts);
  TAC_OWN(tacSampledSolid, solid) = make_sampled_solid(&made.parts, SIZE);
  double f[SIZE] = {0.3, -0.2, 0.5, 0.1, 0.4, -0.3}, residual;
  for (int heavy = 0; heavy < 2; ++heavy) {
    const double start[SIZE] = {0.08, -0.1, 0.06, 0.05, -0.07, 0.1};
    double before = INFINITY, load[SIZE];
    for (int k = 0; k < SIZE; ++k) load[k] = heavy ? HEAVY * f[k] : f[k];
    for (int most = 0; most <= 40; ++most) {
      double q[SIZE], energy = 0.0;
      for (int k = 0; k < SIZE; ++k) q[k] = heavy ? 0.0 : start[k];
      int steps = tac_sampled_statics_solve(statics, load, most, most, 1e-6, q, &residual);
      energy = tac_sampled_solid_energy(solid, q);
      double rounding = 1e-13 * fabs(energy); /* of sums of a few hundred numbers */
      for (int k = 0; k < SIZE; ++k) {
        energy -= load[k] * q[k];
        rounding += 1e-13 * fabs(load[k] * q[k]);
      }
      ck_assert_int_le(steps, most);
      ck_assert_double_le(energy, before + rounding);
      before = energy;
    }
    ck_assert_double_le(residual, 1e-5); /* beyond, energies differ by rounding alone */
  }
  /* What is in equilibrium stays; without a load that is rest. */
  double q[SIZE] = {0.0}, none[SIZE] = {0.0};
  ck_assert_int_eq(tac_sampled_statics_solve(statics, none, 10, 10, 1e-9, q, &residual), 0);
  ck_assert_double_eq(residual, 0.0);
  /* Tangents that are kept take more steps to the same place. */
  double fresh[SIZE] = {0.0}, kept[SIZE] = {0.0};
  for (int k = 0; k < SIZE; ++k) f[k] *= 20.0;
  int few = tac_sampled_statics_solve(statics, f, 50, 50, 1e-6, fresh, &residual);
  int many = tac_sampled_statics_solve(statics, f, 200, 1, 1e-6, kept, &residual);
  ck_assert_double_le(residual, 1e-6);
  ck_assert_int_gt(many, few);
  for (int k = 0; k < SIZE; ++k) ck_assert_double_eq_tol(kept[k], fresh[k], 1e-5 * largest_entry(fresh, SIZE));
  tac_sampled_statics_destroy(NULL);
}
