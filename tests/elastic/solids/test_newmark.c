#include "elastic/solids/newmark.h"

#include "base/error.h"
#include "elastic/make_body.h"
#include "elastic/solids/assembly.h"
#include "elastic/solids/constraints.h"
#include "elastic/solids/finite_statics.h"
#include "math/sparse/eigen.h"

/* A small beam, held at its lowest x or free. */
typedef struct Beam {
  tacVolMesh *mesh;
  tacMaterial material;
  bool *held;
  tacSolid solid;
  double *zero;
  int size; /* 3 numbers a vertex */
} Beam;

static Beam *make_beam(int nx, double length, bool held, tacMassKind mass) {
  Beam *beam = tac_test_alloc(sizeof *beam);
  beam->mesh =
      tac_test_keep(make_bricks((tacBox){{0.0, 0.0, 0.0}, {length, 0.1, 0.08}}, nx, 1, 1), tac_volmesh_destroy);
  beam->material = make_isotropic(1100.0, 4e5, 0.3);
  beam->held = tac_test_alloc((size_t)beam->mesh->vertex_count * sizeof(bool));
  for (int v = 0; v < beam->mesh->vertex_count; ++v) beam->held[v] = held && beam->mesh->vertices[v].x <= 0.0;
  beam->solid = (tacSolid){.mesh = beam->mesh,
                           .material_count = 1,
                           .materials = &beam->material,
                           .held = held ? beam->held : NULL,
                           .mass = mass};
  beam->zero = vector_of(beam->mesh);
  beam->size = 3 * beam->mesh->vertex_count;
  return beam;
}

static tacNewmark *create(const Beam *beam, const tacNewmarkDef *def, const double *u, const double *v) {
  tacNewmark *newmark;
  tac_test_ok(tac_newmark_create(&beam->solid, def, &newmark, &error), error);
  tac_test_ok(tac_newmark_start(newmark, u, v, beam->zero, &error), error);
  return tac_test_keep(newmark, tac_newmark_destroy);
}

static void step(tacNewmark *newmark, const double *force, int count) {
  for (int i = 0; i < count; ++i) tac_test_ok(tac_newmark_step(newmark, force, &error), error);
}

/* The lowest linear mode of a held beam: its frequency (rad/s) and its shape, whose largest entry is 1. */
static double lowest_mode(const Beam *beam, double *shape) {
  TAC_SPARSE k, m, kff, mff;
  TAC_FREED(tac_constraints_destroy, tacConstraints, constraints);
  TAC_FREED(tac_eigen_destroy, tacEigen, eigen);
  tac_test_ok(tac_assembly_stiffness(beam->mesh, &beam->material, NULL, &k, &error), error);
  tac_test_ok(tac_assembly_mass(beam->mesh, &beam->material, NULL, beam->solid.mass, &m, &error), error);
  tac_test_ok(tac_constraints_create(beam->mesh->vertex_count, beam->held, &constraints, &error), error);
  tac_test_ok(tac_constraints_block(&constraints, &k, TAC_SIDE_FREE, TAC_SIDE_FREE, &kff, &error), error);
  tac_test_ok(tac_constraints_block(&constraints, &m, TAC_SIDE_FREE, TAC_SIDE_FREE, &mff, &error), error);
  tac_test_ok(tac_eigen_lowest(&kff, &mff, 1, NULL, &eigen, &error), error);
  double largest = 0.0, omega = sqrt(eigen.value[0]);
  for (int i = 0; i < eigen.size; ++i) largest = fmax(largest, fabs(eigen.vector[i]));
  for (int i = 0; i < eigen.size; ++i) eigen.vector[i] /= largest;
  tac_constraints_put(&constraints, TAC_SIDE_FREE, eigen.vector, shape);
  return omega;
}

static double distance(const double *x, const double *y, double scale, int count) {
  double sum = 0.0;
  for (int i = 0; i < count; ++i) sum += pow(x[i] - scale * y[i], 2);
  return sqrt(sum);
}

/* A linear mode, released at rest, moves as cos(w t) in its own shape. The method with beta = 1/4, gamma = 1/2 only
 * changes the frequency: tan(w' h / 2) = w h / 2. Also with small oscillations of the nonlinear body. */
TAC_TEST(small_oscillations_have_the_linear_frequency) {
  for (int kind = 0; kind < 4; ++kind) {
    Beam *beam = make_beam(4, 0.5, true, kind % 2 == 0 ? TAC_MASS_CONSISTENT : TAC_MASS_LUMPED);
    double *shape = vector_of(beam->mesh), omega = lowest_mode(beam, shape), amplitude = kind < 2 ? 1.0 : 1e-7;
    for (int i = 0; i < beam->size; ++i) shape[i] *= amplitude;
    tacNewmarkDef def = tac_newmark_def_default();
    def.step = 2.0 * M_PI / omega / 40.0;
    def.linear = kind < 2;
    def.tolerance = 1e-12;
    double turn = 2.0 * atan(0.5 * omega * def.step), scale = distance(shape, beam->zero, 0.0, beam->size);
    tacNewmark *newmark = create(beam, &def, shape, NULL);
    for (int n = 1; n <= (tac_test_light() ? 60 : 200); ++n) {
      step(newmark, beam->zero, 1);
      double left = distance(tac_newmark_displacement(newmark), shape, cos(n * turn), beam->size) / scale;
      ck_assert_msg(left < (kind < 2 ? 1e-8 : 1e-4), "kind %d, step %d: %g", kind, n, left);
    }
  }
}

/* (alpha M + beta K) v damps a mode of frequency w by the ratio (alpha / w + beta w) / 2. */
TAC_TEST(rayleigh_damping_has_its_closed_form) {
  for (int kind = tac_test_light() ? 2 : 0; kind < 3; ++kind) { /* mass, stiffness, both */
    Beam *beam = make_beam(4, 0.5, true, TAC_MASS_CONSISTENT);
    double *shape = vector_of(beam->mesh), omega = lowest_mode(beam, shape);
    for (int i = 0; i < beam->size; ++i) shape[i] *= 1e-6;
    tacNewmarkDef def = tac_newmark_def_default();
    def.step = 2.0 * M_PI / omega / 400.0;
    def.mass_damping = kind != 1 ? 0.1 * omega : 0.0;
    def.stiffness_damping = kind != 0 ? 0.16 / omega : 0.0;
    double ratio = 0.5 * (def.mass_damping / omega + def.stiffness_damping * omega), root = sqrt(1.0 - ratio * ratio);
    double scale = distance(shape, beam->zero, 0.0, beam->size);
    for (int linear = 0; linear < 2; ++linear) {
      def.linear = linear == 1;
      tacNewmark *newmark = create(beam, &def, shape, NULL);
      for (int n = 1; n <= (tac_test_light() ? 200 : 800); ++n) {
        double t = n * def.step,
               expected = exp(-ratio * omega * t) * (cos(root * omega * t) + ratio / root * sin(root * omega * t));
        step(newmark, beam->zero, 1);
        if (n % 50 == 0)
          ck_assert_double_lt(distance(tac_newmark_displacement(newmark), shape, expected, beam->size) / scale, 5e-4);
      }
    }
  }
}

/* With phi = b lambda and psi = b mu the viscous stress is b dS/dt, and at small amplitudes D = b K v. */
TAC_TEST(strain_rate_damping_of_the_material_is_rayleigh_damping) {
  Beam *beam = make_beam(4, 0.5, true, TAC_MASS_LUMPED);
  double *shape = vector_of(beam->mesh), omega = lowest_mode(beam, shape), b = 0.2 / omega;
  double phi = b * beam->material.stiffness[0][1], psi = b * beam->material.stiffness[3][3];
  for (int i = 0; i < beam->size; ++i) shape[i] *= 1e-7;
  tacNewmarkDef def = tac_newmark_def_default();
  def.step = 2.0 * M_PI / omega / 100.0;
  def.stiffness_damping = b;
  tacNewmark *rayleigh = create(beam, &def, shape, NULL);
  def.stiffness_damping = 0.0;
  def.phi = &phi;
  def.psi = &psi;
  tacNewmark *viscous = create(beam, &def, shape, NULL);
  step(rayleigh, beam->zero, 60);
  step(viscous, beam->zero, 60);
  ck_assert_double_lt(distance(tac_newmark_displacement(rayleigh), tac_newmark_displacement(viscous), 1.0, beam->size),
                      1e-4 * distance(tac_newmark_displacement(rayleigh), beam->zero, 0.0, beam->size));
}

/* A large deflection to release: equilibrium under a force at the free end. */
static double *deflected(const Beam *beam, double force) {
  double *u = vector_of(beam->mesh), *f = vector_of(beam->mesh), end = tac_volmesh_box(beam->mesh).upper.x;
  for (int v = 0; v < beam->mesh->vertex_count; ++v)
    if (beam->mesh->vertices[v].x >= end) f[3 * v + 2] = 0.25 * force;
  TAC_OWN(tacFiniteStatics, statics) = NULL;
  tac_test_ok(tac_finite_statics_create(&beam->solid, &statics, &error), error);
  tac_test_ok(tac_finite_statics_solve(statics, f, NULL, u, NULL, &error), error);
  return u;
}

/* Halving the step divides the error by four, also with damping, at large amplitudes. */
TAC_TEST(error_falls_with_the_square_of_the_step) {
  for (int kind = tac_test_light() ? 1 : 0; kind < 3; ++kind) { /* undamped, Rayleigh, strain rates */
    Beam *beam = make_beam(2, 0.25, true, TAC_MASS_CONSISTENT);
    double *u = deflected(beam, 70.0), *shape = vector_of(beam->mesh);
    double period = 2.0 * M_PI / lowest_mode(beam, shape);
    double *result[3], phi = 40.0, psi = 60.0;
    int steps = tac_test_light() ? 75 : 150;
    ck_assert_double_gt(u[beam->size - 1], 0.07);
    tacNewmarkDef def = tac_newmark_def_default();
    def.tolerance = 1e-11;
    if (kind == 1) def.mass_damping = 0.5 / period, def.stiffness_damping = 0.005 * period;
    if (kind == 2) def.phi = &phi, def.psi = &psi;
    for (int k = 0; k < 3; ++k) {
      def.step = 0.25 * period / (steps << k);
      tacNewmark *newmark = create(beam, &def, u, NULL);
      step(newmark, beam->zero, steps << k);
      result[k] = vector_of(beam->mesh);
      memcpy(result[k], tac_newmark_displacement(newmark), (size_t)beam->size * sizeof(double));
    }
    double ratio = distance(result[0], result[1], 1.0, beam->size) / distance(result[1], result[2], 1.0, beam->size);
    ck_assert_msg(fabs(ratio - 4.0) < 0.4, "kind %d: %g", kind, ratio);
  }
}

/* Without damping the energy stays within 1 % over 100 periods of 200 steps, at a deflection of a third of the length. */
TAC_TEST(undamped_motion_keeps_its_energy) {
  Beam *beam = make_beam(2, 0.25, true, TAC_MASS_LUMPED);
  double *u = deflected(beam, 70.0), *shape = vector_of(beam->mesh);
  tacNewmarkDef def = tac_newmark_def_default();
  def.step = 2.0 * M_PI / lowest_mode(beam, shape) / 200.0;
  tacNewmark *newmark = create(beam, &def, u, NULL);
  double start = tac_newmark_energy(newmark), worst = 0.0;
  int periods = tac_test_light() ? 3 : 100;
  for (int n = 0; n < 200 * periods; ++n) {
    step(newmark, beam->zero, 1);
    worst = fmax(worst, fabs(tac_newmark_energy(newmark) / start - 1.0));
  }
  ck_assert_double_gt(u[beam->size - 1], 0.25 / 3.0);
  ck_assert_msg(worst < 0.01, "%g", worst);
}

/* Momentum and angular momentum about the origin. */
static void find_momentum(const Beam *beam, const tacNewmark *newmark, tacVec3 *linear, tacVec3 *angular) {
  TAC_SPARSE mass;
  tac_test_ok(tac_assembly_mass(beam->mesh, &beam->material, NULL, beam->solid.mass, &mass, &error), error);
  double *p = vector_of(beam->mesh);
  tac_sparse_multiply(&mass, tac_newmark_velocity(newmark), 1, p);
  *linear = *angular = tac_vec3(0.0, 0.0, 0.0);
  for (int v = 0; v < beam->mesh->vertex_count; ++v) {
    tacVec3 x = tac_vec3_add(beam->mesh->vertices[v], get_vec3(tac_newmark_displacement(newmark), v));
    *linear = tac_vec3_add(*linear, get_vec3(p, v));
    *angular = tac_vec3_add(*angular, tac_vec3_cross(x, get_vec3(p, v)));
  }
}

/* A free body that tumbles and wobbles: its momentum stays, its angular momentum to the order of the method, and strain-rate
 * damping takes none of either. */
TAC_TEST(free_bodies_keep_their_momentum) {
  double phi = 30.0, psi = 30.0;
  for (int damped = 0; damped < 2; ++damped) {
    Beam *beam = make_beam(3, 0.3, false, TAC_MASS_CONSISTENT);
    double *v = vector_of(beam->mesh);
    for (int i = 0; i < beam->mesh->vertex_count; ++i) {
      tacVec3 x = beam->mesh->vertices[i];
      tacVec3 turning = tac_vec3_cross(tac_vec3(3.0, 12.0, 5.0), tac_vec3_sub(x, tac_vec3(0.15, 0.05, 0.04)));
      put_vec3(v, i, tac_vec3_add(turning, tac_vec3(1.0 + 8.0 * (x.x - 0.15), 0.4, -0.7)));
    }
    tacNewmarkDef def = tac_newmark_def_default();
    def.step = 2e-4;
    def.tolerance = 1e-11;
    if (damped == 1) def.phi = &phi, def.psi = &psi;
    tacNewmark *newmark = create(beam, &def, NULL, v);
    tacVec3 linear[2], angular[2];
    double energy = tac_newmark_energy(newmark);
    find_momentum(beam, newmark, &linear[0], &angular[0]);
    step(newmark, beam->zero, tac_test_light() ? 200 : 1000);
    find_momentum(beam, newmark, &linear[1], &angular[1]);
    ck_assert_double_lt(tac_vec3_distance(linear[0], linear[1]), 1e-8 * tac_vec3_norm(linear[0]));
    ck_assert_double_lt(tac_vec3_distance(angular[0], angular[1]), 1e-3 * tac_vec3_norm(angular[0]));
    if (damped == 0)
      ck_assert_double_eq_tol(tac_newmark_energy(newmark), energy, 5e-3 * energy);
    else
      ck_assert_double_lt(tac_newmark_energy(newmark), 0.99 * energy);
  }
}

/* A free body falls by g t^2 / 2, which the method integrates exactly, and does not deform, however far it goes. */
TAC_TEST(free_bodies_fall) {
  Beam *beam = make_beam(2, 0.2, false, TAC_MASS_LUMPED);
  TAC_SPARSE mass;
  tac_test_ok(tac_assembly_mass(beam->mesh, &beam->material, NULL, TAC_MASS_LUMPED, &mass, &error), error);
  double *weight = vector_of(beam->mesh), *v = vector_of(beam->mesh);
  double t = 0.0;
  for (int i = 0; i < beam->size; ++i) {
    weight[i] = i % 3 == 2 ? -9.81 * mass.value[i] : 0.0;
    v[i] = i % 3 == 0 ? 100.0 : 0.0;
  }
  tacNewmarkDef def = tac_newmark_def_default();
  def.step = 0.01;
  TAC_CREATE(tacNewmark, newmark, tac_newmark_create(&beam->solid, &def, &newmark, &error));
  tac_test_ok(tac_newmark_start(newmark, NULL, v, weight, &error), error);
  step(newmark, weight, 300);
  t = 3.0;
  for (int i = 0; i < beam->mesh->vertex_count; ++i)
    ck_assert_double_lt(tac_vec3_distance(get_vec3(tac_newmark_displacement(newmark), i),
                                          tac_vec3(100.0 * t, 0.0, -0.5 * 9.81 * t * t)),
                        1e-7);
  tac_test_ok(tac_newmark_start(newmark, NULL, v, beam->zero, &error), error);
  step(newmark, beam->zero, 300); /* without any force there is only rounding to compare a residual with */
  ck_assert_double_eq_tol(tac_newmark_displacement(newmark)[0], 300.0, 1e-9);
}

/* Under a steady force, strongly damped motion ends in the static equilibrium; either damping only takes energy. */
TAC_TEST(damped_motion_ends_in_equilibrium) {
  double phi = 1e4, psi = 1e4;
  for (int kind = tac_test_light() ? 1 : 0; kind < 2; ++kind) {
    Beam *beam = make_beam(3, 0.3, true, TAC_MASS_CONSISTENT);
    double *expected = deflected(beam, 25.0), *force = vector_of(beam->mesh);
    for (int v = 0; v < beam->mesh->vertex_count; ++v)
      if (beam->mesh->vertices[v].x >= 0.3) force[3 * v + 2] = 0.25 * 25.0;
    tacNewmarkDef def = tac_newmark_def_default();
    def.step = 2e-3;
    def.mass_damping = kind == 0 ? 20.0 : 0.0;
    def.stiffness_damping = kind == 0 ? 0.01 : 0.0;
    if (kind == 1) def.phi = &phi, def.psi = &psi;
    tacNewmark *newmark = create(beam, &def, NULL, NULL);
    double last = tac_newmark_energy(newmark);
    for (int n = 0; n < 1000; ++n) {
      step(newmark, force, 1);
      double energy = tac_newmark_energy(newmark);
      for (int i = 0; i < beam->size; ++i) energy -= force[i] * tac_newmark_displacement(newmark)[i];
      if (n > 0) ck_assert_double_le(energy, last + 1e-9); /* of the load too; the first step still meets its onset */
      last = energy;
    }
    ck_assert_double_gt(expected[beam->size - 1], 0.05);
    ck_assert_double_lt(distance(tac_newmark_displacement(newmark), expected, 1.0, beam->size),
                        1e-4 * distance(expected, beam->zero, 0.0, beam->size));
  }
}

static void check_refused(const tacSolid *solid, const tacNewmarkDef *def, tacStatus status, const char *text) {
  tacNewmark *newmark;
  tac_test_refused(tac_newmark_create(solid, def, &newmark, &error), status, error, text);
  ck_assert_ptr_null(newmark);
}

TAC_TEST(wrong_problems_are_refused) {
  Beam *beam = make_beam(2, 0.2, true, TAC_MASS_LUMPED);
  tacNewmarkDef def = tac_newmark_def_default();
  check_refused(&beam->solid, &def, TAC_ERR_ARGUMENT, "step");
  def.step = 1e-3;
  def.beta = 0.0;
  check_refused(&beam->solid, &def, TAC_ERR_ARGUMENT, "beta");
  def = tac_newmark_def_default();
  def.step = 1e-3;
  def.phi = beam->zero;
  check_refused(&beam->solid, &def, TAC_ERR_ARGUMENT, "damping");
  def.phi = NULL;
  TAC_OWN(tacVolMesh, loose) = make_volmesh(9, 0, 1);
  for (int v = 0; v < 8; ++v) loose->vertices[v] = tac_vec3(v % 4 == 1 || v % 4 == 2, v % 4 > 1, v > 3);
  for (int v = 0; v < 8; ++v) loose->bricks[0].v[v] = v;
  tacSolid solid = {.mesh = loose, .material_count = 1, .materials = &beam->material};
  for (int mass = 0; mass < 2; ++mass) {
    solid.mass = (tacMassKind)mass;
    check_refused(&solid, &def, TAC_ERR_SINGULAR, "vertex 8");
  }
}

/* A push that turns an element over is an error, and the state stays that before the step. */
TAC_TEST(failing_steps_leave_the_state) {
  Beam *beam = make_beam(2, 0.2, true, TAC_MASS_LUMPED);
  double *force = vector_of(beam->mesh), *u = vector_of(beam->mesh);
  tacNewmarkDef def = tac_newmark_def_default();
  def.step = 1e-3;
  def.most_newton = 40;
  tacNewmark *newmark = create(beam, &def, NULL, NULL);
  for (int v = 0; v < beam->mesh->vertex_count; ++v) force[3 * v] = beam->mesh->vertices[v].x >= 0.2 ? -30.0 : 0.0;
  tacStatus status = TAC_OK;
  for (int n = 0; n < 1000 && status == TAC_OK; ++n) {
    memcpy(u, tac_newmark_displacement(newmark), (size_t)beam->size * sizeof *u);
    status = tac_newmark_step(newmark, force, &error);
    for (int i = 0; i < beam->size; ++i) force[i] *= 1.2;
  }
  ck_assert_msg(status == TAC_ERR_GEOMETRY, "%s: %s", tac_status_name(status), error.text);
  ck_assert_ptr_nonnull(strstr(error.text, "inverts element 1"));
  ck_assert_mem_eq(u, tac_newmark_displacement(newmark), (size_t)beam->size * sizeof *u);
}

/* A factor that is used again in later steps and iterations changes how a step is found, not what it finds: a beam that is let go far
 * from rest moves alike, to the tolerance of its steps. */
TAC_TEST(factors_that_are_used_again_change_nothing) {
  Beam *beam = make_beam(6, 1.0, true, TAC_MASS_CONSISTENT);
  double *shape = vector_of(beam->mesh), way = 0.0;
  double omega = lowest_mode(beam, shape);
  for (int i = 0; i < beam->size; ++i) shape[i] *= 2.0 * omega; /* m/s */
  tacNewmarkDef def = tac_newmark_def_default();
  def.step = 2.0 * M_PI / omega / 60.0;
  def.tolerance = 1e-11;
  def.most_newton = 60;
  tacNewmark *newton = create(beam, &def, NULL, shape);
  def.reuse = 0.3;
  tacNewmark *again = create(beam, &def, NULL, shape);
  for (int i = 0; i < 20; ++i) {
    step(newton, beam->zero, 1);
    step(again, beam->zero, 1);
    const double *u = tac_newmark_displacement(newton), *w = tac_newmark_displacement(again);
    for (int k = 0; k < beam->size; ++k) {
      way = fmax(way, fabs(u[k]));
      ck_assert_double_eq_tol(u[k], w[k], 1e-7);
    }
  }
  ck_assert_double_gt(way, 0.2);
}

/* One iteration a step, the semi-implicit method, is nearly as good where steps are short. */
TAC_TEST(one_iteration_is_enough_for_short_steps) {
  Beam *beam = make_beam(2, 0.25, true, TAC_MASS_LUMPED);
  double *u = deflected(beam, 10.0);
  tacNewmarkDef def = tac_newmark_def_default();
  def.step = 2e-4;
  tacNewmark *full = create(beam, &def, u, NULL);
  def.most_newton = 1;
  tacNewmark *semi = create(beam, &def, u, NULL);
  step(full, beam->zero, 200);
  step(semi, beam->zero, 200);
  ck_assert_double_lt(distance(tac_newmark_displacement(full), tac_newmark_displacement(semi), 1.0, beam->size),
                      0.02 * distance(u, beam->zero, 0.0, beam->size));
}
