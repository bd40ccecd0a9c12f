#include "asset/broken_asset.h"
#include "asset/distance_field.h"
#include "asset/make_grid.h"
#include "base/lanes.h"
#include "math/random.h"

static double linear(tacVec3 p) {
  return 0.3 + 0.2 * p.x - 0.7 * p.y + 0.5 * p.z;
}
static double ball(tacVec3 p) {
  return tac_vec3_norm(p) - 0.5;
}
static const tacBox unit = {{-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}};

TAC_TEST(linear_functions_are_interpolated_exactly) {
  TAC_OWN(tacDistanceField, field) = make_grid_field(9, 1.0, linear);
  tacRandom random = tac_random_seed(1);
  for (int i = 0; i < 10000; ++i) {
    tacVec3 p = tac_random_in_box(&random, unit), gradient;
    ck_assert_double_eq_tol(tac_distance_field_value(field, p), linear(p), 1e-6);
    ck_assert_double_eq_tol(tac_distance_field_gradient(field, p, &gradient), linear(p), 1e-6);
    ck_assert_double_lt(tac_vec3_distance(gradient, tac_vec3(0.2, -0.7, 0.5)), 1e-5);
  }
}

TAC_TEST(nodes_and_corners_of_the_box_give_their_samples) {
  TAC_OWN(tacDistanceField, field) = make_grid_field(8, 1.0, ball);
  const tacGrid *grid = tac_distance_field_grid(field);
  for (int k = 0; k < 8; k += 7)
    for (int j = 0; j < 8; j += 7)
      for (int i = 0; i < 8; ++i) {
        tacVec3 p = tac_vec3_mad(grid->origin, grid->spacing, tac_vec3(i, j, k));
        p = tac_vec3_min(tac_vec3_max(p, unit.lower), unit.upper); /* origin + 7 spacing may round beyond the box */
        ck_assert_double_eq_tol(tac_distance_field_value(field, p), grid->values[(k * 8 + j) * 8 + i], 1e-6);
      }
}

TAC_TEST(gradient_is_the_derivative_of_the_value) {
  TAC_OWN(tacDistanceField, field) = make_grid_field(12, 1.0, ball);
  tacRandom random = tac_random_seed(2);
  const double h = 1e-6;
  for (int i = 0; i < 2000; ++i) {
    tacVec3 p = tac_random_in_box(&random, (tacBox){{-0.99, -0.99, -0.99}, {0.99, 0.99, 0.99}}), gradient;
    tacVec3 inside_cell = tac_vec3_scale(5.5, tac_vec3_add(p, tac_vec3(1.0, 1.0, 1.0)));
    double parts[3] = {inside_cell.x, inside_cell.y, inside_cell.z};
    bool near_face = false; /* where the interpolant has a kink */
    for (int a = 0; a < 3; ++a) near_face |= fabs(parts[a] - round(parts[a])) < 1e-4;
    if (near_face) continue;
    tac_distance_field_gradient(field, p, &gradient);
    const tacVec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double g[3] = {gradient.x, gradient.y, gradient.z};
    for (int a = 0; a < 3; ++a) {
      double difference = (tac_distance_field_value(field, tac_vec3_mad(p, h, axes[a])) -
                           tac_distance_field_value(field, tac_vec3_mad(p, -h, axes[a]))) /
                          (2.0 * h);
      ck_assert_double_eq_tol(g[a], difference, 1e-7);
    }
  }
}

/* Inequality 3.14. */
TAC_TEST(outside_the_box_the_value_never_exceeds_the_distance) {
  TAC_OWN(tacDistanceField, field) = make_grid_field(33, 1.0, ball);
  const double least = 0.5 - sqrt(0.5) / 16.0; /* the smallest sample is 0.5, voxels are 1/16 */
  ck_assert_double_eq_tol(tac_distance_field_boundary(field), least, 1e-6);
  tacRandom random = tac_random_seed(3);
  for (int i = 0; i < 10000; ++i) {
    tacVec3 p = tac_random_in_box(&random, (tacBox){{-5, -5, -5}, {5, 5, 5}}), gradient;
    if (fabs(p.x) < 1.0 && fabs(p.y) < 1.0 && fabs(p.z) < 1.0) continue;
    double value = tac_distance_field_value(field, p);
    ck_assert_double_le(value, ball(p) + 1e-6);
    ck_assert_double_ge(value, least - 1e-6);
    ck_assert_double_eq_tol(tac_distance_field_gradient(field, p, &gradient), value, 1e-12);
    ck_assert_double_eq_tol(tac_vec3_norm(gradient), 1.0, 1e-12);
    ck_assert_double_gt(tac_vec3_dot(gradient, p), 0.0);
  }
}

static double bead_below_the_top(tacVec3 p) {
  return tac_vec3_distance(p, tac_vec3(0.1, 0.1, 0.85)) - 0.15;
}

/* The bead touches the box in the middle of a voxel's face: all samples are far from it. */
TAC_TEST(a_surface_between_samples_of_the_boundary_is_not_passed_over) {
  TAC_OWN(tacDistanceField, field) = make_grid_field(11, 1.0, bead_below_the_top);
  for (double height = 0.001; height < 1.0; height *= 1.5) {
    tacVec3 p = {0.1, 0.1, 1.0 + height};
    ck_assert_double_le(tac_distance_field_value(field, p), bead_below_the_top(p) + 1e-6);
  }
}

TAC_TEST(points_that_are_not_finite_are_infinitely_far) {
  tacDistanceField *fields[3] = {make_grid_field(4, 1.0, ball)};
  tac_test_ok(tac_distance_field_plane(tac_vec3(0, 0, 2), 1.0, &fields[1], &error), error);
  tac_test_ok(tac_distance_field_box(unit, &fields[2], &error), error);
  const double bad[3] = {NAN, INFINITY, -INFINITY};
  for (int f = 0; f < 3; ++f) {
    for (int i = 0; i < 3; ++i) {
      tacVec3 gradient;
      ck_assert_double_infinite(tac_distance_field_value(fields[f], tac_vec3(0.0, bad[i], 0.0)));
      tac_distance_field_gradient(fields[f], tac_vec3(0.0, 0.0, bad[i]), &gradient);
      ck_assert(tac_vec3_finite(gradient));
    }
    tac_distance_field_destroy(fields[f]);
  }
}

static void check_unit_gradient(const tacDistanceField *field, tacVec3 p) {
  const double h = 1e-6;
  tacVec3 gradient;
  double value = tac_distance_field_gradient(field, p, &gradient);
  ck_assert_double_eq_tol(value, tac_distance_field_value(field, p), 1e-15);
  /* A step along the gradient raises the distance by its length. */
  ck_assert_double_eq_tol(tac_distance_field_value(field, tac_vec3_mad(p, h, gradient)), value + h, 1e-11);
}

TAC_TEST(analytic_fields_are_distances) {
  TAC_CREATE(tacDistanceField, plane, tac_distance_field_plane(tac_vec3(0.0, 3.0, 4.0), 10.0, &plane, &error));
  ck_assert_double_eq_tol(tac_distance_field_value(plane, tac_vec3(7.0, 0.0, 0.0)), -2.0, 1e-12);
  TAC_CREATE(tacDistanceField, sphere, tac_distance_field_sphere(tac_vec3(1.0, 0.0, 0.0), 0.5, &sphere, &error));
  ck_assert_double_eq_tol(tac_distance_field_value(sphere, tac_vec3(1.0, 0.0, 2.0)), 1.5, 1e-12);
  ck_assert_double_eq_tol(tac_distance_field_value(sphere, tac_vec3(1.0, 0.0, 0.0)), -0.5, 1e-12);
  TAC_CREATE(tacDistanceField, box, tac_distance_field_box(unit, &box, &error));
  ck_assert_double_eq_tol(tac_distance_field_value(box, tac_vec3(4.0, 5.0, 0.0)), 5.0, 1e-12);
  ck_assert_double_eq_tol(tac_distance_field_value(box, tac_vec3(0.7, 0.0, -0.8)), -0.2, 1e-12);
  TAC_CREATE(tacDistanceField, capsule,
             tac_distance_field_capsule(tac_vec3(0, 0, 0), tac_vec3(0, 0, 2), 0.5, &capsule, &error));
  ck_assert_double_eq_tol(tac_distance_field_value(capsule, tac_vec3(3.0, 0.0, 1.0)), 2.5, 1e-12);
  ck_assert_double_eq_tol(tac_distance_field_value(capsule, tac_vec3(0.0, 0.0, -3.0)), 2.5, 1e-12);
  tacRandom random = tac_random_seed(4);
  for (int i = 0; i < 1000; ++i) {
    tacVec3 p = tac_random_in_box(&random, (tacBox){{-3, -3, -3}, {3, 3, 3}});
    const tacDistanceField *all[4] = {plane, sphere, box, capsule};
    for (int k = 0; k < 4; ++k) { /* many together as each alone */
      double together[2];
      tac_distance_field_values(all[k], 2, (tacVec3[2]){p, tac_vec3_scale(0.5, p)}, together);
      ck_assert_double_eq(together[0], tac_distance_field_value(all[k], p));
      ck_assert_double_eq(together[1], tac_distance_field_value(all[k], tac_vec3_scale(0.5, p)));
    }
    check_unit_gradient(plane, p);
    check_unit_gradient(sphere, p);
    check_unit_gradient(box, p);
    check_unit_gradient(capsule, p);
  }
  tacVec3 gradient;
  tac_distance_field_gradient(sphere, tac_vec3(1.0, 0.0, 0.0), &gradient);
  ck_assert_double_eq(tac_vec3_norm(gradient), 0.0);
}

TAC_TEST(a_union_is_the_smallest_of_its_parts) {
  tacDistanceField *parts[2];
  tac_test_ok(tac_distance_field_sphere(tac_vec3(-1.0, 0.0, 0.0), 0.5, &parts[0], &error), error);
  tac_test_ok(tac_distance_field_box((tacBox){{0.5, -0.5, -0.5}, {1.5, 0.5, 0.5}}, &parts[1], &error), error);
  TAC_CREATE(tacDistanceField, both, tac_distance_field_union(2, parts, &both, &error));
  tacRandom random = tac_random_seed(5);
  for (int i = 0; i < 1000; ++i) {
    tacVec3 p = tac_random_in_cube(&random, 3.0);
    double a = tac_distance_field_value(parts[0], p), b = tac_distance_field_value(parts[1], p), many;
    ck_assert_double_eq(tac_distance_field_value(both, p), fmin(a, b));
    tac_distance_field_values(both, 1, &p, &many);
    ck_assert_double_eq(many, fmin(a, b));
    check_unit_gradient(both, p);
  }
}

/* Points at random, on faces, edges and axes, and some that are not finite. */
static tacVec3 point_for_bits(tacRandom *random, int number) {
  static const double special[8] = {-1.0, 1.0, 0.0, -0.0, 2.0, 1e300, INFINITY, NAN};
  tacVec3 p = tac_random_in_cube(random, 3.0);
  double *x[3] = {&p.x, &p.y, &p.z};
  for (int axis = 0; axis < 3 && number % 3 == 0; ++axis)
    if (tac_random_uniform(random, 0.0, 1.0) < 0.6) *x[axis] = special[(int)tac_random_uniform(random, 0.0, 7.999)];
  return p;
}

TAC_TEST(batches_of_analytic_fields_have_the_bits_of_single_queries_and_gradients) {
  enum { MOST = 11, KINDS = 6 };
  tacDistanceField *fields[KINDS], *parts[3];
  tac_test_ok(tac_distance_field_plane(tac_vec3(1.0, -2.0, 0.5), 0.3, &fields[0], &error), error);
  tac_test_ok(tac_distance_field_sphere(tac_vec3(1.0, 0.0, 0.0), 0.5, &fields[1], &error), error);
  tac_test_ok(tac_distance_field_capsule(tac_vec3(-1, 0, 0.3), tac_vec3(1, 2, 0), 0.4, &fields[2], &error), error);
  tac_test_ok(tac_distance_field_box(unit, &fields[3], &error), error);
  tac_test_ok(tac_distance_field_plane(tac_vec3(0.0, 1.0, 0.1), -2.0, &parts[0], &error), error);
  tac_test_ok(tac_distance_field_capsule(tac_vec3(0, 0, -2), tac_vec3(0, 0, 1), 0.7, &parts[1], &error), error);
  tac_test_ok(tac_distance_field_box(unit, &parts[2], &error), error);
  tac_test_ok(tac_distance_field_union(3, parts, &fields[4], &error), error);
  parts[0] = make_grid_field(6, 1.0, ball);
  tac_test_ok(tac_distance_field_sphere(tac_vec3(0.0, 1.5, 0.0), 0.4, &parts[1], &error), error);
  tac_test_ok(tac_distance_field_union(2, parts, &fields[5], &error), error);
  tacRandom random = tac_random_seed(9);
  const int used = tac_lanes();
  for (int most = 2; most <= 8; most *= 2) {
    tac_lanes_limit(most);
    for (int k = 0; k < KINDS; ++k)
      for (int round = 0; round < 1000; ++round) {
        const int count = 1 + round % MOST;
        tacVec3 points[MOST];
        double values[MOST];
        for (int i = 0; i < count; ++i) points[i] = point_for_bits(&random, round + i);
        tac_distance_field_values(fields[k], count, points, values);
        for (int i = 0; i < count; ++i) {
          tacVec3 gradient;
          const double one = tac_distance_field_value(fields[k], points[i]);
          const double other = tac_distance_field_gradient(fields[k], points[i], &gradient);
          ck_assert_mem_eq(&values[i], &one, sizeof one);
          ck_assert_double_eq(one, other);
        }
      }
  }
  tac_lanes_limit(used);
  for (int k = 0; k < KINDS; ++k) tac_distance_field_destroy(fields[k]);
}

TAC_TEST(arguments_that_make_no_field_are_refused) {
  tacDistanceField *field;
  float values[8] = {0}, bad[8] = {[5] = NAN};
  const tacGrid grids[] = {
      {2, 2, 1, {0, 0, 0}, 1.0, values}, {2, 2, 2, {0, 0, 0}, 0.0, values}, {2, 2, 2, {0, 0, 0}, 1.0, bad}};
  const char *const words[] = {"at least 2", "positive", "5"};
  for (int i = 0; i < 3; ++i) {
    tac_test_refused(tac_distance_field_from_grid(&grids[i], &field, &error), TAC_ERR_ARGUMENT, error, words[i]);
    ck_assert_ptr_null(field);
  }
  ck_assert_int_eq(tac_distance_field_plane(tac_vec3(0, 0, 0), 1.0, &field, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_distance_field_sphere(tac_vec3(0, 0, 0), -1.0, &field, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_distance_field_box((tacBox){{1, 0, 0}, {0, 1, 1}}, &field, NULL), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_distance_field_union(0, NULL, &field, &error), TAC_ERR_ARGUMENT);
}

/* Trilinear interpolation as one writes it down, in the cell that holds the point or is nearest to it. */
static double eight_weighted_samples(const tacGrid *grid, tacVec3 p) {
  const double at[3] = {(p.x - grid->origin.x) / grid->spacing, (p.y - grid->origin.y) / grid->spacing,
                        (p.z - grid->origin.z) / grid->spacing};
  const int sides[3] = {grid->nx, grid->ny, grid->nz};
  int cell[3];
  double sum = 0.0;
  for (int a = 0; a < 3; ++a) cell[a] = (int)fmin(fmax(floor(at[a]), 0.0), sides[a] - 2);
  for (int corner = 0; corner < 8; ++corner) {
    double weight = 1.0;
    size_t index = 0;
    for (int a = 2; a >= 0; --a) {
      int up = corner >> a & 1;
      weight *= up ? at[a] - cell[a] : 1.0 - (at[a] - cell[a]);
      index = index * (size_t)sides[a] + (size_t)(cell[a] + up);
    }
    sum += weight * (double)grid->values[index];
  }
  return sum;
}

/* Every node, the middle of every edge, face and cell, points at random there and around, and some that are none. */
static int make_places(const tacGrid *grid, tacRandom *random, tacVec3 *places) {
  int count = 0;
  for (int k = 0; k < 2 * grid->nz - 1; ++k)
    for (int j = 0; j < 2 * grid->ny - 1; ++j)
      for (int i = 0; i < 2 * grid->nx - 1; ++i)
        places[count++] = tac_vec3_mad(grid->origin, 0.5 * grid->spacing, tac_vec3(i, j, k));
  tacBox box = {grid->origin,
                tac_vec3_mad(grid->origin, grid->spacing, tac_vec3(grid->nx - 1, grid->ny - 1, grid->nz - 1))};
  tacVec3 margin = tac_vec3_scale(2.0 * grid->spacing, tac_vec3(1.0, 1.0, 1.0));
  for (int i = 0; i < 200; ++i) places[count++] = tac_random_in_box(random, box);
  box = (tacBox){tac_vec3_sub(box.lower, margin), tac_vec3_add(box.upper, margin)};
  for (int i = 0; i < 200; ++i) places[count++] = tac_random_in_box(random, box);
  const double none[5] = {NAN, INFINITY, -INFINITY, 1e300, -1e300};
  for (int i = 0; i < 15; ++i) {
    tacVec3 p = tac_random_in_box(random, box);
    *(i % 3 == 0 ? &p.x : i % 3 == 1 ? &p.y : &p.z) = none[i / 3];
    places[count++] = p;
  }
  return count;
}

/* Sides that are no multiples of anything, samples at random, so that no two places have the same value by luck; with
 * the kernels of every width that the processor has. */
TAC_TEST(batches_have_the_bits_of_single_queries_and_the_values_of_eight_weighted_samples) {
  enum { MOST = 27 * 27 * 27 + 500 };
  static const int sides[][3] = {{2, 2, 2}, {3, 2, 4}, {4, 5, 3}, {5, 3, 2}, {7, 4, 5}, {14, 9, 8}, {2, 13, 11}};
  TAC_MEMORY(tacVec3, places) = malloc(MOST * sizeof *places);
  TAC_MEMORY(double, values) = malloc(MOST * sizeof *values);
  TAC_MEMORY(tacVec3, gradients) = malloc(MOST * sizeof *gradients);
  tacRandom random = tac_random_seed(7);
  for (int s = 0; s < (int)(sizeof sides / sizeof *sides); ++s) {
    const int *n = sides[s], samples = n[0] * n[1] * n[2];
    tacGrid made = {n[0], n[1], n[2], {-0.25, 0.5, 1.0}, 0.25, malloc((size_t)samples * sizeof(float))};
    for (int i = 0; i < samples; ++i) made.values[i] = (float)tac_random_uniform(&random, -1.0, 1.0);
    TAC_CREATE(tacDistanceField, field, tac_distance_field_from_grid(&made, &field, &error));
    const tacGrid *grid = tac_distance_field_grid(field);
    const int count = make_places(grid, &random, places);
    ck_assert_int_le(count, MOST);
    const tacVec3 upper = tac_vec3_mad(grid->origin, grid->spacing, tac_vec3(n[0] - 1, n[1] - 1, n[2] - 1));
    for (int lanes = TAC_LANES_8; lanes >= TAC_LANES_2; lanes /= 2) {
      tac_lanes_limit(lanes);
      for (int begin = 0, size = 1; begin < count; begin += size, size = size % 131 + 1) { /* of all sizes */
        if (size > count - begin) size = count - begin;
        tac_distance_field_values(field, size, places + begin, values + begin);
        tac_distance_field_gradients(field, size, places + begin, gradients + begin);
      }
      for (int i = 0; i < count; ++i) {
        tacVec3 p = places[i], gradient;
        double single = tac_distance_field_value(field, p);
        ck_assert_mem_eq(&values[i], &single, sizeof single);
        double with_gradient = tac_distance_field_gradient(field, p, &gradient);
        ck_assert_mem_eq(&gradients[i], &gradient, sizeof gradient);
        ck_assert(with_gradient == single || fabs(with_gradient - single) < 1e-13);
        bool inside = p.x >= grid->origin.x && p.y >= grid->origin.y && p.z >= grid->origin.z && p.x <= upper.x &&
                      p.y <= upper.y && p.z <= upper.z;
        /* places are right to a few roundings of ten voxels, samples differ by 2 at most */
        if (inside) ck_assert_double_eq_tol(single, eight_weighted_samples(grid, p), 1e-13);
        if (!tac_vec3_finite(p)) ck_assert_double_infinite(single);
      }
    }
  }
  tac_lanes_limit(TAC_LANES_8);
}

TRY_READ(tacDistanceField, tac_distance_field_read)

TAC_TEST(files_keep_every_bit) {
  const char *path = tac_test_path("ball.field");
  TAC_OWN(tacDistanceField, field) = make_grid_field(10, 1.0, ball);
  tac_test_ok(tac_distance_field_write(field, path, &error), error);
  TAC_CREATE(tacDistanceField, read, tac_distance_field_read(path, &read, &error));
  const tacGrid *a = tac_distance_field_grid(field), *b = tac_distance_field_grid(read);
  ck_assert_int_eq(b->nx, 10);
  ck_assert_mem_eq(a->values, b->values, 1000 * sizeof(float));
  ck_assert_double_eq(a->spacing, b->spacing);
  ck_assert_double_eq(tac_vec3_distance(a->origin, b->origin), 0.0);
  check_cut(try_read, path, 50);
}
