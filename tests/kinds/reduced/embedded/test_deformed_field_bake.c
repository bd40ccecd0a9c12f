#include <tactus/distance_field.h>
#include <tactus/mesh.h>
#include <tactus/reduced.h>
#include "asset/deformed_field.h"
#include "asset/deformed_pose.h"
#include "asset/distance_field.h"
#include "bake/fields/field_bake.h"
#include "bake/make_bent.h"
#include "kinds/reduced/embedded/deformed_field_bake.h"
#include "math/random.h"
#include "mesh/make_mesh.h"
#include "test.h"

static tacDeformedField *bake(const tacReduced *reduced, int count, tacDistanceField *const *domains) {
  tacDeformedFieldDef def = tac_deformed_field_def_default();
  tacDeformedField *field;
  tac_test_ok(tac_deformed_field_bake(reduced, count, domains, &def, NULL, &field, &error), error);
  return field;
}

static tacDeformedPose *pose_of(const tacDeformedField *field, const double *q) {
  tacDeformedPose *pose;
  tac_test_ok(tac_deformed_pose_create(field, &pose, &error), error);
  tac_deformed_pose_set(pose, q);
  return pose;
}

/* Errors against the distance to the bent triangles at random places in and around them, in voxels. */
typedef struct {
  double near, mean, wrong; /* largest and mean within 2 voxels, largest distance at which the sign is wrong */
  int missed, spurious;     /* places farther than half a voxel inside, outside, with the other sign */
} Errors;

static Errors measure(const tacReduced *reduced, const tacDeformedPose *pose, const double *q, double voxel,
                      int samples) {
  TAC_OWN(tacTriMesh, bent) = bent_surface(reduced, q);
  TAC_CREATE(tacTriangleTree, tree, tac_triangle_tree_create(bent, &tree, &error));
  tacRandom random = tac_random_seed(12);
  tacBox box = tac_trimesh_box(bent);
  tacVec3 more = tac_vec3(4.0 * voxel, 4.0 * voxel, 4.0 * voxel);
  box = (tacBox){tac_vec3_sub(box.lower, more), tac_vec3_add(box.upper, more)};
  Errors errors = {0};
  int close = 0;
  for (int i = 0; i < samples; ++i) {
    tacVec3 x = tac_random_in_box(&random, box);
    double exact = tac_triangle_tree_signed_distance(tree, x), value = tac_deformed_pose_value(pose, x);
    if ((value < 0.0) != (exact < 0.0)) errors.wrong = fmax(errors.wrong, fabs(exact) / voxel);
    errors.missed += exact < -0.5 * voxel && value >= 0.0;
    errors.spurious += exact > 0.5 * voxel && value < 0.0;
    if (fabs(exact) > 2.0 * voxel) continue;
    errors.mean += fabs(value - exact) / voxel;
    errors.near = fmax(errors.near, fabs(value - exact) / voxel);
    ++close;
  }
  errors.mean /= close;
  return errors;
}

/* Pulled sideways at its end by about 40 % of its length. */
TAC_TEST(deformed_field_is_accurate_for_a_bent_beam) {
  enum { R = 12, NX = 12 };
  int samples = tac_test_light() ? 1000 : 8000;
  const double length = 0.12;
  TAC_OWN(tacReduced, reduced) = brick_beam_reduced(NX, 2, 2, 0.01, false, 5, R);
  tacDistanceField *domain = rest_field(reduced, 64);
  double voxel = tac_distance_field_grid(domain)->spacing, load[R] = {0.0}, q[R];
  TAC_OWN(tacDeformedField, field) = bake(reduced, 1, &domain);
  int count = tac_deformed_field_proxy_count(field, 0);
  ck_assert_int_eq(count, 40);
  for (int i = 0; i < count; ++i) /* apart; that they lie on the surface and move with it every bake is checked for */
    for (int j = 0; j < i; ++j)
      ck_assert_double_gt(
          tac_vec3_distance(tac_deformed_field_proxy(field, 0, i), tac_deformed_field_proxy(field, 0, j)), 0.004);
  add_pull(reduced, tac_vec3(length, 0.01, 0.01), tac_vec3(0.0, 0.0, 0.08), load);
  solve_statics(reduced, load, q);
  TAC_OWN(tacTriMesh, bent) = bent_surface(reduced, q);
  double tip = tac_trimesh_box(bent).upper.z - 0.02;
  ck_assert_double_gt(tip, 0.35 * length);
  TAC_OWN(tacDeformedPose, pose) = pose_of(field, q);
  Errors errors = measure(reduced, pose, q, voxel, samples);
  tac_test_print(
      "beam: tip %.2f of the length, voxel %g mm; errors near %.3f, mean %.3f voxels; sign wrong up to %.3f\n",
      tip / length, 1e3 * voxel, errors.near, errors.mean, errors.wrong);
  ck_assert_int_eq(errors.missed + errors.spurious, 0);
  ck_assert_double_lt(errors.wrong, 0.5);
  ck_assert_double_lt(errors.near, 1.0);
  ck_assert_double_lt(errors.mean, 0.2);
}

/* Fig. 3.24: two legs bend apart. Under the proxies of one leg the other is mirrored; where each has its own domain, it
 * is not. */
TAC_TEST(domains_prevent_mirrored_legs) {
  enum { R = 12 };
  int samples = tac_test_light() ? 1000 : 8000;
  TAC_OWN(tacReduced, reduced) = make_legs(R);
  double load[R] = {0.0}, q[R];
  add_pull(reduced, tac_vec3(0.0, 0.01, 0.09), tac_vec3(-0.1, 0.0, 0.0), load);
  add_pull(reduced, tac_vec3(0.05, 0.01, 0.09), tac_vec3(0.1, 0.0, 0.0), load);
  solve_statics(reduced, load, q);
  tacDistanceField *whole = rest_field(reduced, 64), *halves[2];
  double voxel = tac_distance_field_grid(whole)->spacing;
  for (int side = 0; side < 2; ++side) { /* they overlap by two voxels */
    tacVec3 normal = {side == 0 ? 1.0 : -1.0, 0.0, 0.0};
    TAC_CREATE(tacDistanceField, region, tac_distance_field_plane(normal, 0.025 * normal.x + voxel, &region, &error));
    tac_test_ok(tac_distance_field_cut(whole, region, NULL, &halves[side], &error), error);
  }
  TAC_OWN(tacDeformedField, one) = bake(reduced, 1, &whole);
  TAC_OWN(tacDeformedField, two) = bake(reduced, 2, halves);
  TAC_OWN(tacDeformedPose, with_one) = pose_of(one, q);
  TAC_OWN(tacDeformedPose, with_two) = pose_of(two, q);
  Errors single = measure(reduced, with_one, q, voxel, samples), both = measure(reduced, with_two, q, voxel, samples);
  tac_test_print(
      "legs: one domain: near %.3f, %d spurious, %d missed, sign wrong to %.3f; two: near %.3f, %d, %d, %.3f\n",
      single.near, single.spurious, single.missed, single.wrong, both.near, both.spurious, both.missed, both.wrong);
  ck_assert_int_gt(single.spurious, samples / 100);
  ck_assert_int_eq(both.spurious + both.missed, 0);
  ck_assert_double_lt(both.wrong, 0.5);
}

/* A ball cut by a plane, against the closed form of half a ball, and what cannot be cut. */
TAC_TEST(cut_field_is_a_distance_field) {
  TAC_OWN(tacTriMesh, ball) = make_sphere(tac_vec3(0.0, 0.0, 0.0), 1.0, 40, 80);
  tacFieldDef def = tac_field_def_default();
  def.resolution = 48;
  TAC_CREATE(tacDistanceField, solid, tac_distance_field_bake(ball, &def, NULL, &solid, &error));
  TAC_CREATE(tacDistanceField, plane, tac_distance_field_plane(tac_vec3(0.0, 0.0, 1.0), 0.0, &plane, &error));
  TAC_CREATE(tacDistanceField, part, tac_distance_field_cut(solid, plane, NULL, &part, &error));
  double voxel = tac_distance_field_grid(solid)->spacing, worst = 0.0;
  ck_assert_double_le(tac_distance_field_grid(part)->spacing, voxel * (1.0 + 1e-12));
  tacRandom random = tac_random_seed(14);
  tacBox box = {{-1.2, -1.2, -1.2}, {1.2, 1.2, 0.3}};
  for (int i = 0; i < 3000; ++i) {
    tacVec3 x = tac_random_in_box(&random, box);
    double radial = hypot(x.x, x.y), exact;
    if (x.z <= 0.0 && tac_vec3_norm(x) <= 1.0)
      exact = fmax(x.z, tac_vec3_norm(x) - 1.0);
    else if (x.z > 0.0)
      exact = hypot(fmax(radial - 1.0, 0.0), x.z);
    else
      exact = tac_vec3_norm(x) - 1.0;
    worst = fmax(worst, fabs(tac_distance_field_value(part, x) - exact) / voxel);
  }
  ck_assert_double_lt(worst, 1.0); /* the edge is cut short by a part of a voxel */
  tacDistanceField *none = part;
  TAC_CREATE(tacDistanceField, far, tac_distance_field_sphere(tac_vec3(5.0, 0.0, 0.0), 1.0, &far, &error));
  ck_assert_int_eq(tac_distance_field_cut(solid, far, NULL, &none, &error), TAC_ERR_GEOMETRY);
  ck_assert_ptr_null(none);
  ck_assert_int_eq(tac_distance_field_cut(far, solid, NULL, &none, &error), TAC_ERR_ARGUMENT);
}

TAC_TEST(unbakeable_input_is_rejected) {
  TAC_OWN(tacReduced, reduced) = brick_beam_reduced(3, 1, 1, 0.01, false, 2, 3);
  TAC_OWN(tacDistanceField, domain) = rest_field(reduced, 24);
  TAC_CREATE(tacDistanceField, ball, tac_distance_field_sphere(tac_vec3(0.0, 0.0, 0.0), 1.0, &ball, &error));
  for (int bad = 0; bad < 5; ++bad) {
    tacDeformedFieldDef def = tac_deformed_field_def_default();
    tacDeformedField *field = (tacDeformedField *)&error;
    int calls = 0;
    const tacProgress cancel = {tac_test_cancel, &calls};
    if (bad == 2) def.proxy_count = 0;
    if (bad == 3) def.nearest = 0;
    tacStatus status = tac_deformed_field_bake(reduced, bad == 0 ? 0 : 1, bad == 1 ? &ball : &domain, &def,
                                               bad == 4 ? &cancel : NULL, &field, &error);
    ck_assert_int_eq(status, bad == 4 ? TAC_ERR_CANCELLED : TAC_ERR_ARGUMENT);
    ck_assert_ptr_null(field);
  }
}
