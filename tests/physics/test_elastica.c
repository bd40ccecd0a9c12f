/* Large deflections of beams: against Euler's elastica, and against CalculiX (ccx) where it is installed. */
#include "elastic/calculix.h"
#include "elastic/solids/finite_statics.h"

/* ---- Euler's elastica ---- */

/* A thin cantilever of length 1 under an end force k EI across it: theta'' = -k cos theta with theta(0) = 0 and
 * theta'(1) = 0, x' = cos theta, w' = sin theta. Integrates from the root with the curvature c by Runge and Kutta's method;
 * returns the curvature at the tip. */
static double shoot(double k, double c, double *x, double *w) {
  enum { STEPS = 1000 };
  double y[4] = {0.0, c, 0.0, 0.0}, h = 1.0 / STEPS; /* theta, theta', x, w */
  for (int n = 0; n < STEPS; ++n) {
    double slope[5][4] = {{0.0}}, sum[4] = {0.0};
    static const double share[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    for (int s = 0; s < 4; ++s) {
      double theta = y[0] + share[s] * h * slope[s][0], rate = y[1] + share[s] * h * slope[s][1];
      const double at[4] = {rate, -k * cos(theta), cos(theta), sin(theta)};
      memcpy(slope[s + 1], at, sizeof at);
      for (int i = 0; i < 4; ++i) sum[i] += weight[s] * at[i];
    }
    for (int i = 0; i < 4; ++i) y[i] += h / 6.0 * sum[i];
  }
  *x = y[2];
  *w = y[3];
  return y[1];
}

/* Where the tip comes to lie. */
static void elastica_tip(double k, double *x, double *w) {
  double low = 0.0, high = k; /* the moment at the root is between nothing and that of the straight beam */
  for (int i = 0; i < 60; ++i) {
    double c = 0.5 * (low + high);
    *(shoot(k, c, x, w) < 0.0 ? &low : &high) = c;
  }
}

/* ---- the beam ---- */

typedef struct Beam {
  tacVolMesh *mesh;
  tacMaterial material;
  bool *held;
  double *force, *u;
  double length;
} Beam;

/* 1 m high and wide, held at x = 0. */
static void make_beam(tacVolMesh *mesh, double poisson, Beam *beam) {
  *beam = (Beam){.mesh = tac_test_keep(mesh, tac_volmesh_destroy),
                 .material = make_isotropic(1000.0, 1e6, poisson),
                 .held = tac_test_alloc((size_t)mesh->vertex_count * sizeof(bool)),
                 .force = tac_test_keep(make_vector(mesh), free),
                 .u = tac_test_keep(make_vector(mesh), free),
                 .length = tac_volmesh_box(mesh).upper.x};
  for (int v = 0; v < mesh->vertex_count; ++v) beam->held[v] = mesh->vertices[v].x <= 0.0;
}

static tacBox beam_box(double length) {
  return (tacBox){{0.0, 0.0, 0.0}, {length, 1.0, 1.0}};
}

/* The force k EI / L^2 along z, spread over the end; it keeps its direction. */
static void load_end(Beam *beam, double k) {
  int count = 0;
  for (int v = 0; v < beam->mesh->vertex_count; ++v) count += beam->mesh->vertices[v].x >= beam->length;
  for (int v = 0; v < beam->mesh->vertex_count; ++v)
    if (beam->mesh->vertices[v].x >= beam->length)
      beam->force[3 * v + 2] = k * 1e6 / 12.0 / (beam->length * beam->length) / count;
}

/* From the state of the load before. Returns the mean displacement of the end. */
static tacVec3 deflect(Beam *beam) {
  tacSolid solid = {.mesh = beam->mesh, .material_count = 1, .materials = &beam->material, .held = beam->held};
  TAC_CREATE(tacFiniteStatics, statics, tac_finite_statics_create(&solid, &statics, &error));
  tac_test_ok(tac_finite_statics_solve(statics, beam->force, NULL, beam->u, NULL, &error), error);
  tacVec3 sum = {0.0, 0.0, 0.0};
  int count = 0;
  for (int v = 0; v < beam->mesh->vertex_count; ++v) {
    if (beam->mesh->vertices[v].x < beam->length) continue;
    sum = tac_vec3_add(sum, get_vec3(beam->u, v));
    ++count;
  }
  return tac_vec3_scale(1.0 / count, sum);
}

/* Bricks an eighth as long as high: fully integrated ones are too stiff in bending by half the square of that ratio, about
 * 0.8 %. Poisson's ratio is zero, as in a thin beam. */
TAC_TEST(cantilevers_bend_as_the_elastica) {
  double length = tac_test_light() ? 10.0 : 40.0;
  Beam beam;
  make_beam(make_bricks(beam_box(length), (int)(8.0 * length), 1, 1), 0.0, &beam);
  const double loads[] = {0.5, 1.5, 3.3};
  double x = 0.0, w = 0.0;
  for (int i = 0; i < 3; ++i) {
    elastica_tip(loads[i], &x, &w);
    load_end(&beam, loads[i]);
    tacVec3 tip = tac_vec3_scale(1.0 / length, deflect(&beam));
    ck_assert_msg(fabs(tip.z - w) < 0.02 * w, "load %g: the tip rises by %g, not %g", loads[i], tip.z, w);
    ck_assert_msg(fabs(tip.x - (x - 1.0)) < 0.03 * (1.0 - x), "load %g: the tip moves by %g, not %g", loads[i], tip.x,
                  x - 1.0);
    ck_assert_double_eq_tol(tip.y, 0.0, 1e-6);
  }
  ck_assert_double_gt(w, 0.6);
}

/* The same elastica is approached with the square of the bricks' length. */
TAC_TEST(refinement_approaches_the_elastica) {
  double x, w, left[2];
  elastica_tip(2.0, &x, &w);
  for (int i = 0; i < 2; ++i) {
    Beam beam;
    make_beam(make_bricks(beam_box(40.0), 60 << i, 1, 1), 0.0, &beam);
    load_end(&beam, 2.0);
    left[i] = w - deflect(&beam).z / 40.0;
  }
  ck_assert_msg(left[1] > 0.0 && fabs(left[0] / left[1] - 4.0) < 0.6, "%g, then %g", left[0], left[1]);
}

/* Slenderness drops out: wires that differ only in length bend alike. Rounding leaves more of the load unbalanced there. */
TAC_TEST(long_wires_bend_as_short_ones) {
  double rise[2];
  for (int i = 0; i < 2; ++i) {
    int length = i == 0 ? 100 : 300;
    Beam beam;
    make_beam(make_bricks(beam_box(length), length, 1, 1), 0.0, &beam);
    load_end(&beam, 4.0);
    rise[i] = deflect(&beam).z / length;
  }
  ck_assert_double_gt(rise[0], 0.5);
  ck_assert_double_eq_tol(rise[0], rise[1], 0.005 * rise[0]);
}

/* ---- CalculiX ---- */

/* The same elements with the same law (linear in Green's strain) have the same answer, node by node: tetrahedra to what CalculiX
 * calls converged. It integrates bricks with two points a side, which is inexact beyond small strains; the beam bends so far that
 * this shows in the fourth digit. */
TAC_TEST(beams_agree_with_calculix) {
  if (!have_calculix()) return;
  for (int bricks = 0; bricks < 2; ++bricks) {
    int n = tac_test_light() ? 10 : 20;
    Beam beam;
    make_beam(bricks == 1 ? make_bricks(beam_box(10.0), n, 2, 2) : make_tets(beam_box(10.0), n, 2, 2), 0.3, &beam);
    char law[100];
    TAC_MEMORY(double, expected) = make_vector(beam.mesh);
    double largest = 0.0;
    load_end(&beam, 8.0); /* coarse as they are, these beams are stiffer than the elastica */
    snprintf(law, sizeof law, "*ELASTIC\n%.12g, %.12g", beam.material.young, beam.material.poisson);
    ask_calculix(beam.mesh, law, beam.held, NULL, beam.force, expected);
    tacVec3 tip = deflect(&beam);
    ck_assert_double_gt(tip.z, 4.0);
    for (int i = 0; i < 3 * beam.mesh->vertex_count; ++i) largest = fmax(largest, fabs(beam.u[i] - expected[i]));
    double tolerance = bricks == 0 ? 1e-4 : tac_test_light() ? 1e-3 : 5e-4; /* bricks that are longer bend more, each */
    ck_assert_msg(largest < tolerance * tip.z, "displacements differ by %g of %g", largest, tip.z);
  }
}
