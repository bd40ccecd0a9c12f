#include <tactus/distance_field.h>
#include <tactus/reduced.h>
#include "asset/deformed_field.h"
#include "asset/deformed_pose.h"
#include "asset/load_bases.h"
#include "asset/load_field.h"
#include "asset/load_slice.h"
#include "asset/make_deformed.h"
#include "bake/make_loaded.h"
#include "kinds/reduced/embedded/deformed_field_bake.h"
#include "kinds/vademecum/load_field_bake.h"
#include "mesh/query/triangle_point.h"

/* A beam with loads, its field by proxies, and poses without and with the baked deformations. */
typedef struct {
  MadeLoads made;
  tacLoadField *loads;
  tacDistanceField *rest;
  tacDeformedField *deformed;
  tacDeformedPose *plain, *loaded;
  int r;
} Scene;

/* Loads at every `stride`-th vertex, in voxels of 1/`resolution` of the box. */
static Scene make_scene(int levels, int stride, int resolution, int proxy_count) {
  Scene scene = {
      .made = make_loads(brick_beam_reduced(10, 1, 1, 0.02, false, 4, 10), levels, stride, tac_vec3(0.0, 0.1, -0.15))};
  tacLoadFieldDef def = loads_def(&scene.made, tac_test_light() ? 24 : resolution);
  tac_test_ok(tac_load_field_bake(&def, NULL, &scene.loads, &error), error);
  /* Voxels of the same size, in a cube of 1.5 times the beam. */
  scene.rest = rest_field(scene.made.reduced, (int)(0.3 / tac_load_field_info(scene.loads)->spacing));
  tacDeformedFieldDef proxies = tac_deformed_field_def_default();
  proxies.proxy_count = proxy_count;
  tac_test_ok(tac_deformed_field_bake(scene.made.reduced, 1, &scene.rest, &proxies, NULL, &scene.deformed, &error),
              error);
  tac_test_ok(tac_deformed_pose_create(scene.deformed, &scene.plain, &error), error);
  tac_test_ok(tac_deformed_pose_create_loaded(scene.deformed, scene.loads, &scene.loaded, &error), error);
  scene.r = tac_reduced_size(scene.made.reduced);
  return scene;
}

/* Between vertices with loads. */
static int stride(void) {
  return tac_test_light() ? 10 : tac_test_all() ? 2 : 4;
}

static void free_scene(Scene *scene) {
  tac_deformed_pose_destroy(scene->plain);
  tac_deformed_pose_destroy(scene->loaded);
  tac_deformed_field_destroy(scene->deformed);
  tac_load_field_destroy(scene->loads);
  free_loads(&scene->made);
}

static tacVec3 near_surface(const tacTriMesh *surface, double away, tacRandom *random) {
  const int v = (int)(tac_random_bits(random) % (uint64_t)surface->vertex_count);
  return tac_vec3_add(surface->vertices[v], tac_random_in_cube(random, away));
}

/* ---- values ---- */

/* In a deformation that was baked the answer is what was baked, whatever proxies take part. */
TAC_TEST(baked_deformations_have_baked_distances) {
  TAC_FREED(free_scene, Scene, s) = make_scene(2, tac_test_light() ? 10 : 5, 72, 8);
  tacRandom random = tac_random_seed(1);
  TAC_CREATE(tacLoadSlice, slice, tac_load_slice_create(s.loads, &slice, &error));
  TAC_CREATE(tacLoadBases, bases, tac_load_bases_create(s.loads, s.deformed, &bases, &error));
  const double voxel = tac_load_field_info(s.loads)->spacing;
  double by_loads = 0.0, by_proxies = 0.0;
  int samples = 0;
  for (int node = 0; node < s.made.node_count; ++node)
    for (int level = 0; level < 2; ++level) {
      TAC_OWN(tacTriMesh, surface) = bent_surface(s.made.reduced, state_of(&s.made, node, level));
      tac_deformed_pose_set(s.loaded, state_of(&s.made, node, level));
      tac_deformed_pose_set(s.plain, state_of(&s.made, node, level));
      tac_load_slice_set_column(slice, 2 * node + level);
      /* Those that others do for, within a voxel, are not looked at. */
      const double *q = state_of(&s.made, node, level);
      tac_load_bases_set(bases, q);
      if (bases->count != 1 || bases->active[0]->column != 2 * node + level) continue;
      for (int i = 0; i < 40; ++i) {
        const tacVec3 x = near_surface(surface, 0.005, &random);
        const double value = tac_deformed_pose_value(s.loaded, x), exact = true_distance(surface, x);
        ck_assert_double_lt(fabs(value - tac_load_slice_value(slice, x)), 1e-6 * voxel);
        ck_assert_double_le(fabs(value - exact), 0.87 * voxel + tac_load_field_info(s.loads)->tolerance);
        by_loads += fabs(value - exact);
        by_proxies += fabs(tac_deformed_pose_value(s.plain, x) - exact);
        ++samples;
      }
    }
  if (getenv("TACTUS_TEST_PRINT") != NULL)
    printf("baked: mean error %g m with loads, %g m by proxies alone\n", by_loads / samples, by_proxies / samples);
  ck_assert_int_gt(samples, tac_test_light() ? 0 : 400);
  if (!tac_test_light()) ck_assert_double_lt(by_loads, 0.7 * by_proxies); /* with voxels that are small enough */
}

/* Between nodes and sizes: no worse than proxies alone. */
TAC_TEST(between_baked_loads_error_is_at_most_that_of_proxies) {
  TAC_FREED(free_scene, Scene, s) = make_scene(2, stride(), 72, 8);
  const tacTriMesh *rest = tac_reduced_surface(s.made.reduced);
  tacRandom random = tac_random_seed(2);
  double by_loads = 0.0, by_proxies = 0.0;
  int samples = 0;
  for (int i = 0; i < (tac_test_light() ? 10 : 60); ++i) {
    const int *v = rest->triangles[tac_random_bits(&random) % (uint64_t)rest->triangle_count].v;
    const double size = tac_random_uniform(&random, 0.3, 1.0);
    double load[BENT_MOST] = {0.0}, q[BENT_MOST];
    for (int c = 0; c < 3; ++c)
      add_pull(s.made.reduced, rest->vertices[v[c]], tac_vec3_scale(size / 3.0, tac_vec3(0.0, 0.1, -0.15)), load);
    solve_statics(s.made.reduced, load, q);
    TAC_OWN(tacTriMesh, surface) = bent_surface(s.made.reduced, q);
    tac_deformed_pose_set(s.loaded, q);
    tac_deformed_pose_set(s.plain, q);
    for (int p = 0; p < 40; ++p, ++samples) {
      const tacVec3 x = near_surface(surface, 0.005, &random);
      const double exact = true_distance(surface, x);
      by_loads += fabs(tac_deformed_pose_value(s.loaded, x) - exact);
      by_proxies += fabs(tac_deformed_pose_value(s.plain, x) - exact);
    }
  }
  if (getenv("TACTUS_TEST_PRINT") != NULL)
    printf("between: mean error %g m with loads, %g m by proxies alone\n", by_loads / samples, by_proxies / samples);
  if (!tac_test_light()) ck_assert_double_lt(by_loads, 0.9 * by_proxies);
}

/* Near rest nothing of it is seen, to the last bit. */
TAC_TEST(near_rest_the_field_equals_the_field_without_loads) {
  TAC_FREED(free_scene, Scene, s) = make_scene(1, 10, 32, 20);
  tacRandom random = tac_random_seed(3);
  double q[BENT_MOST];
  for (int i = 0; i < 50; ++i) {
    for (int j = 0; j < s.r; ++j) q[j] = 1e-6 * tac_random_normal(&random);
    ck_assert_double_eq(tac_deformed_pose_set(s.loaded, q), tac_deformed_pose_set(s.plain, q));
    const tacVec3 x = near_surface(tac_reduced_surface(s.made.reduced), 0.05, &random);
    ck_assert_double_eq(tac_deformed_pose_value(s.loaded, x), tac_deformed_pose_value(s.plain, x));
    ck_assert_double_eq(reach_of(s.loaded, x, 0.0, 0.1), reach_of(s.plain, x, 0.0, 0.1));
  }
}

/* ---- continuity ---- */

/* Along straight ways in x and q through many baked deformations: where the way is cut ten times finer, steps become
 * smaller too. */
static double steepest_step(Scene *s, int steps, uint64_t seed) {
  tacRandom random = tac_random_seed(seed);
  double from[BENT_MOST], to[BENT_MOST], q[BENT_MOST], steepest = 0.0, last = 0.0;
  const int count = s->made.node_count * s->made.level_count;
  const double *a = s->made.states + (tac_random_bits(&random) % (uint64_t)count) * (uint64_t)s->r;
  const double *b = s->made.states + (tac_random_bits(&random) % (uint64_t)count) * (uint64_t)s->r;
  for (int j = 0; j < s->r; ++j) {
    from[j] = 1.1 * a[j] + 1e-3 * tac_random_normal(&random);
    to[j] = 0.9 * b[j] + 1e-3 * tac_random_normal(&random);
  }
  const tacVec3 x = tac_random_in_cube(&random, 0.02), y = tac_random_in_cube(&random, 0.1);
  for (int i = 0; i <= steps; ++i) {
    const double t = (double)i / steps;
    for (int j = 0; j < s->r; ++j) q[j] = from[j] + t * (to[j] - from[j]);
    tac_deformed_pose_set(s->loaded, q);
    const double value =
        tac_deformed_pose_value(s->loaded, tac_vec3_add(tac_vec3(0.1, 0.01, 0.0), tac_vec3_mix(x, y, t)));
    ck_assert(isfinite(value));
    if (i > 0) steepest = fmax(steepest, fabs(value - last) * steps);
    last = value;
  }
  return steepest;
}

TAC_TEST(values_are_continuous_in_place_and_deformation) {
  TAC_FREED(free_scene, Scene, s) = make_scene(2, stride(), 40, 20);
  for (uint64_t path = 0; path < (tac_test_light() ? 1 : tac_test_all() ? 8 : 4); ++path) {
    const double coarse = steepest_step(&s, 400, path), fine = steepest_step(&s, 4000, path);

    /* A jump would make it ten times as steep. */
    ck_assert_msg(fine < 2.0 * coarse + 0.1, "%g, %g", fine, coarse);
  }
}

/* The last column of some path. */
static int last_of(const tacLoadBases *bases, int number) {
  const int path = number % bases->path_count;
  return bases->columns[path * bases->level_count + bases->level_counts[path] - 1];
}

TAC_TEST(weights_add_up_and_do_not_jump) {
  TAC_FREED(free_scene, Scene, s) = make_scene(2, 2, 32, 20);
  TAC_CREATE(tacLoadBases, bases, tac_load_bases_create(s.loads, s.deformed, &bases, &error));
  tacRandom random = tac_random_seed(4);
  double q[BENT_MOST], at[BENT_MOST] = {0.0}, most = 0.0;
  const int columns = tac_load_field_column_count(s.loads);
  TAC_MEMORY(double, last) = calloc((size_t)columns + 1, sizeof *last);
  TAC_MEMORY(double, now) = malloc(((size_t)columns + 1) * sizeof *now);
  for (int i = 0; i < 20000; ++i) {
    if (i % 2000 == 0) /* from one baked deformation to the next */
      for (int j = 0; j < s.r; ++j)
        at[j] = state_of(&s.made, last_of(bases, i / 2000) / 2, last_of(bases, i / 2000) % 2)[j];
    for (int j = 0; j < s.r; ++j) q[j] = i % 2000 == 0 ? at[j] : q[j] + 1e-6 * tac_random_normal(&random);
    tac_load_bases_set(bases, q);
    double sum = bases->rest;
    for (int c = 0; c <= columns; ++c) now[c] = c == columns ? bases->rest : 0.0;
    for (int k = 0; k < bases->count; ++k) {
      ck_assert(bases->active[k]->weight > 0.0);
      sum += bases->active[k]->weight;
      now[bases->active[k]->column] = bases->active[k]->weight;
    }
    ck_assert_double_lt(fabs(sum - 1.0), 1e-12);
    if (i % 2000 == 0) {
      ck_assert_int_eq(bases->count, 1);
      ck_assert_double_gt(bases->active[0]->weight, 1.0 - 1e-9);
    } else {
      for (int c = 0; c <= columns; ++c) most = fmax(most, fabs(now[c] - last[c]));
    }
    memcpy(last, now, ((size_t)columns + 1) * sizeof *last);
  }
  ck_assert_double_lt(most, 0.1);
  for (int j = 0; j < s.r; ++j) q[j] = j == 1 ? NAN : 1.0;
  tac_load_bases_set(bases, q);
  ck_assert(bases->count == 0 && bases->rest == 1.0);
}

/* ---- certificates ---- */

/* Of states near to baked ones, and along walks: what was out of reach by more than sets say is so still. */
TAC_TEST(reach_bounds_hold_and_shrink_no_faster_than_reported) {
  TAC_FREED(free_scene, Scene, s) = make_scene(2, stride(), 40, 20);
  tacRandom random = tac_random_seed(5);
  enum { PLACES = 12 };
  const int walks = tac_test_light() ? 4 : tac_test_all() ? 40 : 20, steps = 30;
  int measured = 0, kept = 0;
  double share = 0.0;
  for (int walk = 0; walk < walks; ++walk) {
    double q[BENT_MOST], reach[PLACES];
    tacVec3 x[PLACES];
    const double *state = state_of(&s.made, (int)(tac_random_bits(&random) % (uint64_t)s.made.node_count), walk % 2);
    for (int j = 0; j < s.r; ++j) q[j] = tac_random_uniform(&random, 0.7, 1.0) * state[j];
    tac_deformed_pose_set(s.loaded, q);
    TAC_OWN(tacTriMesh, surface) = bent_surface(s.made.reduced, q);
    for (int p = 0; p < PLACES; ++p) {
      x[p] = near_surface(surface, p % 2 == 0 ? 0.02 : 0.1, &random);
      reach[p] = reach_of(s.loaded, x[p], 0.0, 0.1);
      if (!(reach[p] > 0.0)) continue;
      share += reach[p] / fmin(0.1, tac_deformed_pose_value(s.loaded, x[p]));
      ++measured;
      check_reach(s.loaded, x[p], reach[p], 8, 0.05, &random);
    }
    double moved = 0.0;
    const double size = pow(10.0, tac_random_uniform(&random, -6.0, -3.5));
    for (int step = 0; step < steps; ++step) {
      for (int j = 0; j < s.r; ++j) q[j] += size * tac_random_normal(&random);
      moved += tac_deformed_pose_set(s.loaded, q);
      for (int p = 0; p < PLACES; ++p) {
        if (!(reach[p] > moved)) continue;
        ++kept;
        if (step % 10 == 9) check_reach(s.loaded, x[p], reach[p] - moved, 8, 0.05, &random);
      }
    }
  }
  ck_assert_int_gt(measured, walks);
  ck_assert_int_gt(kept, walks * steps / 10); /* and tells something */
  ck_assert_double_gt(share / measured, 0.2);
}

/* A deformation that did not take part was not asked for reaches: when it comes in, none of them holds. Meanwhile
 * they are lost by no more than proxies move. */
TAC_TEST(a_newly_active_basis_resets_all_reaches) {
  TAC_FREED(free_scene, Scene, s) = make_scene(2, 5, 32, 20);
  TAC_CREATE(tacLoadBases, bases, tac_load_bases_create(s.loads, s.deformed, &bases, &error));
  int came = 0, stayed = 0;
  bool before[1024] = {false};
  const int columns = tac_load_field_column_count(s.loads);
  ck_assert_int_lt(columns, 1023);
  before[columns] = true; /* rest */
  for (int i = 1; i <= 400; ++i) {
    double q[BENT_MOST];
    const double *state = state_of(&s.made, i / 200 % s.made.node_count, 1);
    for (int j = 0; j < s.r; ++j) q[j] = (i % 200) / 200.0 * state[j];
    const double lost = tac_deformed_pose_set(s.loaded, q);
    tac_load_bases_set(bases, q);
    bool now[1024] = {false}, comes = bases->rest > 0.0 && !before[columns];
    now[columns] = bases->rest > 0.0;
    for (int k = 0; k < bases->count; ++k) {
      now[bases->active[k]->column] = true;
      comes = comes || !before[bases->active[k]->column];
    }
    memcpy(before, now, sizeof before);
    if (i % 200 == 0) continue; /* a jump back to rest */
    if (comes)
      ck_assert_double_gt(lost, 1e3);
    else
      ck_assert_double_lt(lost, 0.05);
    came += comes;
    stayed += !comes;
  }
  ck_assert_int_gt(came, 1);
  ck_assert_int_gt(stayed, 300);
}

/* Many places at once tell what each alone does, to the last bit. */
TAC_TEST(batched_queries_equal_single_ones) {
  TAC_FREED(free_scene, Scene, s) = make_scene(2, 5, 32, 20);
  tacRandom random = tac_random_seed(6);
  enum { COUNT = 70 };
  int inside = 0, taking = 0;
  for (int trial = 0; trial < 20; ++trial) {
    double q[BENT_MOST], radii[COUNT], values[COUNT];
    tacVec3 x[COUNT];
    tacDeformedLook looks[COUNT];
    for (int j = 0; j < s.r; ++j)
      q[j] = 0.9 * state_of(&s.made, trial % s.made.node_count, 1)[j] + 1e-4 * tac_random_normal(&random);
    tac_deformed_pose_set(s.loaded, q);
    tac_deformed_pose_set(s.plain, q);
    TAC_OWN(tacTriMesh, surface) = bent_surface(s.made.reduced, q);
    for (int i = 0; i < COUNT; ++i) {
      x[i] = near_surface(surface, 0.01, &random);
      radii[i] = i % 2 == 0 ? INFINITY : 0.0;
    }
    tac_deformed_pose_look(s.loaded, COUNT, x, radii, 0.01, looks);
    tac_deformed_pose_values(s.loaded, COUNT, x, values);
    for (int i = 0; i < COUNT; ++i) {
      ck_assert_double_eq(values[i], tac_deformed_pose_value(s.loaded, x[i]));
      const tacDeformedAnswer answer = tac_deformed_pose_gradient(s.loaded, x[i], NULL);
      ck_assert_double_lt(fabs(answer.value - values[i]), 1e-13);
      taking += fabs(values[i] - tac_deformed_pose_value(s.plain, x[i])) > 1e-9;
      if (values[i] < 0.0 && !(radii[i] == 0.0 && looks[i].reach > 0.0)) {
        ck_assert_double_eq(looks[i].value, values[i]);
        ck_assert_int_eq(looks[i].proxy, answer.proxy);
        ++inside;
      }
      const double e = 1e-7; /* the gradient, where no kink is near */
      const tacVec3 up = tac_vec3_mad(x[i], e, tac_vec3(0.0, 0.0, 1.0)),
                    down = tac_vec3_mad(x[i], -e, tac_vec3(0.0, 0.0, 1.0));
      const double above = tac_deformed_pose_value(s.loaded, up), below = tac_deformed_pose_value(s.loaded, down);
      if (fabs(above + below - 2.0 * values[i]) < 1e-12)
        ck_assert_double_lt(fabs((above - below) / (2.0 * e) - answer.gradient.z), 1e-4);
    }
  }
  ck_assert_int_gt(inside, 100);
  ck_assert_int_gt(taking, 500);
}

TAC_TEST(mismatched_fields_are_refused) {
  TAC_FREED(free_scene, Scene, s) = make_scene(1, 20, 32, 20);
  TAC_OWN(tacReduced, other) = brick_beam_reduced(4, 1, 1, 0.02, false, 3, 6);
  tacDistanceField *rest = rest_field(other, 20);
  tacDeformedFieldDef proxies = tac_deformed_field_def_default();
  proxies.proxy_count = 8;
  tacDeformedPose *pose = NULL;
  TAC_CREATE(tacDeformedField, field, tac_deformed_field_bake(other, 1, &rest, &proxies, NULL, &field, &error));
  ck_assert_int_eq(tac_deformed_pose_create_loaded(field, s.loads, &pose, &error), TAC_ERR_ARGUMENT);
  ck_assert(pose == NULL && strstr(error.text, "coordinates") != NULL);
}
