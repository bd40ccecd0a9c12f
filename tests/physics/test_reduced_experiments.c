/* Reduced bodies against the full simulation, as Barbic 2007, chapter 2, compares them; small versions of what
 * `tactus bench figures` does. */
#include "bench/reduced/reduced_experiments.h"

#include <tactus/reduced.h>
#include "math/dense/blas.h"
#include "test.h"

static double relative(double value, double reference) {
  return fabs(value / reference - 1.0);
}

/* Figure 2.3. The thesis has frequencies that are 4.6 % (modes and derivatives) and 10.1 % (sketch) off. */
TAC_TEST(a_reduced_spoon_swings_like_the_full_one) {
  static tacSpoonExperiment spoon;
  int period = tac_test_light() ? 20 : 40;
  tac_blas_start();
  tac_test_ok(tac_reduced_experiment_spoon(tac_test_light() ? 12 : 18, period, period * 17 / 10, 0.3, &spoon, &error),
              error);
  const tacVertexPath *full = &spoon.path[TAC_SPOON_FULL];
  double frequency = tac_vertex_path_frequency(full), amplitude = tac_vertex_path_amplitude(full);
  ck_assert_double_gt(amplitude, 0.25 * spoon.length); /* far from small */
  ck_assert_double_lt(amplitude, 0.6 * spoon.length);
  static const double tolerance[TAC_SPOON_PATHS] = {0.0, 0.05, 0.1, 0.01};
  for (int i = TAC_SPOON_MODES; i < TAC_SPOON_PATHS; ++i) {
    ck_assert_double_lt(relative(tac_vertex_path_frequency(&spoon.path[i]), frequency), tolerance[i]);
    ck_assert_double_lt(relative(tac_vertex_path_amplitude(&spoon.path[i]), amplitude), tolerance[i]);
  }
  /* The best basis for a motion is its own. */
  for (int i = TAC_SPOON_MODES; i < TAC_SPOON_MOTION; ++i)
    ck_assert_double_lt(tac_vertex_path_error(&spoon.path[TAC_SPOON_MOTION], full),
                        tac_vertex_path_error(&spoon.path[i], full));
}

/* Figure 2.14: derivatives at rest reach 270 degrees; modes alone stiffen and stay behind. */
TAC_TEST(derivatives_twist_a_beam_by_270_degrees) {
  static tacTwistExperiment twist;
  tac_blas_start();
  tac_test_ok(tac_reduced_experiment_twist(20, 1.5 * M_PI, &twist, &error), error);
  int last = twist.count;
  ck_assert_double_ge(twist.angle[0][last], 1.5 * M_PI);
  ck_assert_double_lt(twist.angle[1][last], M_PI / 6.0);
  for (int i = 1; i <= last; ++i) {
    ck_assert_double_gt(twist.angle[0][i], twist.angle[0][i - 1]);
    ck_assert_double_lt(fabs(twist.size[i] - 1.0), 0.12); /* the end turns; it is not swollen or turned inside out */
  }
  /* Small twists are those of a rod after Saint-Venant, but for bricks (two across the beam), which are stiffer. */
  double stiffness = twist.torque[1] / twist.angle[0][1];
  ck_assert_double_gt(stiffness, 0.95 * twist.stiffness);
  ck_assert_double_lt(stiffness, 1.6 * twist.stiffness);
}

/* Table 2.1: the reduced body begins with the lowest mode, reaches far beyond the highest, and stays within the mesh
 * (both ends by Rayleigh's principle). */
TAC_TEST(reduced_bodies_have_high_frequencies) {
  tacSpectrumExperiment heart;
  const tacSpectrumDef def = {"heart", 12, 6, 10, 0.3, 0.4};
  if (tac_test_light()) return; /* its surface alone takes long */
  tac_blas_start();
  tac_test_ok(tac_reduced_experiment_spectrum(&def, &heart, &error), error);
  ck_assert_double_ge(heart.reduced[0], 1.0 - 1e-9);
  ck_assert_double_lt(heart.reduced[0], 1.01);
  ck_assert_double_gt(heart.reduced[1], 3.0 * heart.linear[1]);
  ck_assert_double_lt(heart.reduced[1], heart.whole);
}

/* Section 2.13.2, on a beam that is held at one end: the more shapes, the nearer to the full motion; with all of them
 * nearer than the linear one. And polynomials move the body as forces of the mesh, projected on the same shapes, do. */
TAC_TEST(more_shapes_approach_the_full_motion) {
  static tacProgressExperiment beam;
  int steps = tac_test_light() ? 15 : 60;
  const tacProgressDef def = {.shape = "beam",
                              .resolution = tac_test_light() ? 10 : 20,
                              .mode_count = 4,
                              .sizes = {4, 8, 14},
                              .load = {{{0.4, 0.02, 0.02}, 0.05, {0.0, 0.0, 1.0}, 0.2, 10, steps},
                                       {{0.25, 0.02, 0.04}, 0.05, {0.0, 1.0, 0.0}, 0.2, 20, steps}}};
  tac_blas_start();
  tac_test_ok(tac_reduced_experiment_progress(&def, &beam, &error), error);
  for (int load = 0; load < TAC_PROGRESS_LOADS; ++load) {
    const tacVertexPath *path = beam.path[load], *all = &path[TAC_PROGRESS_REDUCED + 2];
    double before = INFINITY;
    for (int i = 0; i < TAC_PROGRESS_SIZES && !tac_test_light(); ++i) {
      double off = tac_vertex_path_error(&path[TAC_PROGRESS_REDUCED + i], &path[TAC_PROGRESS_FULL]);
      ck_assert_double_lt(off, 0.7 * before);
      before = off;
    }
    if (!tac_test_light())
      ck_assert_double_lt(before, tac_vertex_path_error(&path[TAC_PROGRESS_LINEAR], &path[TAC_PROGRESS_FULL]));
    ck_assert_double_lt(tac_vertex_path_error(all, &path[TAC_PROGRESS_PROJECTED]), 1e-5);
  }
}
