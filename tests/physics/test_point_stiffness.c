/* Point-like contact as the paper measured it: James and Pai 2001, Table 1 and Figure 7. */
#include "bench/green/point_stiffness.h"

#include <tactus/green.h>
#include "math/dense/blas.h"
#include "test.h"

TAC_TEST(the_models_have_the_counts_of_the_paper) {
  const int vertices[2] = {130, 322}, triangles[2] = {256, 640};
  for (int i = 0; i < 2; ++i) {
    tacPaperModel model;
    tac_test_ok(tac_paper_model_create(i == 0 ? TAC_PAPER_NODULE : TAC_PAPER_KIDNEY, 2, &model, &error), error);
    ck_assert_int_eq(model.surface->vertex_count, vertices[i]);
    ck_assert_int_eq(model.surface->triangle_count, triangles[i]);
    ck_assert_double_gt(tac_trimesh_volume(model.surface), 0.0);
    if (i == 0) ck_assert_int_eq(model.free_count, 89);
    tac_paper_model_free(&model);
  }
}

/* Table 1: a single vertex grows softer by more than a factor of two with every level, without end; the paper's by 2.6. A mask
 * of fixed width keeps the stiffness: 5 % between the last two levels there. */
TAC_TEST(masks_make_stiffness_independent_of_the_mesh) {
  const int levels = tac_test_light() ? 2 : 3;
  tac_blas_start();
  tacStiffnessLevel at[4];
  for (int l = 1; l <= levels; ++l) tac_test_ok(tac_point_stiffness_level(l, &at[l], &error), error);
  for (int l = 2; l <= levels; ++l) {
    ck_assert_double_gt(at[l - 1].single / at[l].single, 2.0);
    ck_assert_double_lt(at[l - 1].masked / at[l].masked, l == 2 ? 1.13 : 1.06);
    ck_assert_double_ge(at[l - 1].masked / at[l].masked, 1.0); /* towards a limit, from one side */
  }
  if (levels == 3) /* the changes fall: the limit is not zero */
    ck_assert_double_lt(at[2].masked - at[3].masked, 0.5 * (at[1].masked - at[2].masked));
}

/* Figure 7: on a kidney with uneven triangles the force along a slide follows the mesh where single vertices are touched. With
 * masks of two mean edges it follows the body: both what is left of it after its slow course is taken off, and how far it is
 * from that on a kidney with a finer mesh and the same masks. On an even mesh the same holds for the stiffness from vertex to vertex. */
TAC_TEST(masks_make_sliding_smooth_and_neighbours_alike) {
  const int level = tac_test_light() ? 1 : 2;
  enum { UNEVEN, EVEN, FINE, MODELS };
  tac_blas_start();
  tacPaperModel model[MODELS];
  tacGreen *green[MODELS];
  for (int i = 0; i < MODELS; ++i) {
    tac_test_ok(tac_paper_model_create(TAC_PAPER_KIDNEY, i == FINE ? level + 1 : level, &model[i], &error), error);
    if (i == UNEVEN) tac_test_ok(tac_paper_model_roughen(&model[i], &error), error);
    tac_test_ok(tac_trimesh_validate(model[i].surface, &error), error);
    tac_test_ok(tac_paper_model_bake(&model[i], &green[i], &error), error);
  }
  double radius = 2.0 * model[UNEVEN].mean_edge;
  static tacStiffnessSlide single, masked, reference;
  tac_test_ok(tac_point_stiffness_slide(green[UNEVEN], 0.0, &single, &error), error);
  tac_test_ok(tac_point_stiffness_slide(green[UNEVEN], radius, &masked, &error), error);
  tac_test_ok(tac_point_stiffness_slide(green[FINE], radius, &reference, &error), error);
  double times = level == 2 ? 5.0 : 1.0; /* on the coarsest mesh most of what is left comes from its facets */
  double rough_ripple = tac_point_stiffness_ripple(&single), smooth_ripple = tac_point_stiffness_ripple(&masked);
  tacStiffnessError rough = tac_point_stiffness_error(&single, &reference),
                    smooth = tac_point_stiffness_error(&masked, &reference);
  ck_assert_double_gt(rough_ripple, 0.03); /* the mesh is felt */
  ck_assert_double_lt(smooth_ripple, rough_ripple / times);
  ck_assert_double_lt(smooth.rms, rough.rms / times);
  ck_assert_double_lt(smooth.most, rough.most / times);

  double rough_spread, smooth_spread;
  radius = 2.0 * model[EVEN].mean_edge;
  tac_test_ok(tac_point_stiffness_spread(green[EVEN], 0.0, green[FINE], radius, &rough_spread, &error), error);
  tac_test_ok(tac_point_stiffness_spread(green[EVEN], radius, green[FINE], radius, &smooth_spread, &error), error);
  ck_assert_double_lt(smooth_spread, rough_spread / 5.0);
  for (int i = 0; i < MODELS; ++i) {
    tac_green_destroy(green[i]);
    tac_paper_model_free(&model[i]);
  }
}
