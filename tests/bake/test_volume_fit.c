#include "bake/meshing/volume_fit.h"

#include <tactus/base.h>
#include "mesh/make_mesh.h"
#include "test.h"

static char warned[200];

static void keep_warning(tacLogLevel level, const char *text, void *user) {
  (void)level;
  (void)user;
  snprintf(warned, sizeof warned, "%.199s", text);
}

/* `count` unit cubes that do not touch: as many parts. */
static tacVolMesh *cubes(int count) {
  tacVolMesh *mesh = make_volmesh(8 * count, 0, count);
  for (int c = 0; c < count; ++c)
    for (int i = 0; i < 8; ++i) {
      static const int order[8] = {0, 1, 3, 2, 4, 5, 7, 6};
      mesh->vertices[8 * c + i] = tac_vec3(2.0 * c + (order[i] & 1), order[i] >> 1 & 1, order[i] >> 2);
      mesh->bricks[c].v[i] = 8 * c + i;
    }
  return mesh;
}

static tacVolumeFit begin(bool confirm) {
  tacTriMesh *surface = make_box(unit_box(), 1); /* one part */
  tacVolumeFit fit;
  tac_test_ok(tac_volume_fit_begin(surface, 0.1, confirm, &fit, &error), error);
  tac_trimesh_destroy(surface);
  warned[0] = 0;
  tac_log_set(keep_warning, NULL);
  return fit;
}

/* Offers a mesh of `parts` parts that claims `volume`, if it is wanted. */
static void offer(tacVolumeFit *fit, double volume, int parts, double size) {
  if (tac_volume_fit_wants(fit, volume, 100.0))
    tac_test_ok(tac_volume_fit_offer(fit, cubes(parts), size, &error), error);
}

static double end(tacVolumeFit *fit) {
  double size;
  TAC_CREATE(tacVolMesh, mesh, tac_volume_fit_end(fit, &mesh, &size, &error));
  return size;
}

TAC_TEST(the_first_with_volume_and_parts_is_chosen) {
  tacVolumeFit fit = begin(false);
  offer(&fit, 1.5, 1, 5.0);
  offer(&fit, 1.05, 3, 4.0);
  ck_assert(!fit.done);
  offer(&fit, 0.95, 1, 3.0);
  ck_assert(fit.done);
  ck_assert_double_eq(end(&fit), 3.0);
  ck_assert_str_eq(warned, "");
}

TAC_TEST(unconfirmed_sizes_are_skipped) {
  tacVolumeFit fit = begin(true);
  offer(&fit, 1.0, 1, 5.0);
  offer(&fit, 1.3, 1, 4.0); /* so the first was an accident */
  offer(&fit, 1.02, 1, 3.0);
  ck_assert(!fit.done);
  offer(&fit, 1.01, 1, 2.0);
  ck_assert(fit.done);
  ck_assert_double_eq(end(&fit), 3.0);
}

TAC_TEST(without_matching_parts_the_nearest_size_is_chosen_with_a_warning) {
  tacVolumeFit fit = begin(true);
  offer(&fit, 1.0, 4, 5.0);
  offer(&fit, 1.0, 2, 4.0);
  offer(&fit, 1.0, 3, 3.0);
  ck_assert(!fit.done);
  tac_volume_fit_wants(&fit, 1.0, 1e9); /* too many elements to go on */
  ck_assert(fit.done);
  ck_assert_double_eq(end(&fit), 4.0);
  ck_assert_ptr_nonnull(strstr(warned, "2 parts, but the surface has 1"));
}

TAC_TEST(without_the_volume_no_size_is_found) {
  tacVolumeFit fit = begin(false);
  offer(&fit, 0.5, 1, 5.0);
  tacVolMesh *mesh;
  double size;
  tac_test_refused(tac_volume_fit_end(&fit, &mesh, &size, &error), TAC_ERR_GEOMETRY, error, "deviation is 0.5");
}
