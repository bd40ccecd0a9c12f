#include "asset/broken_asset.h"
#include "asset/load_field.h"
#include "asset/load_slice.h"
#include "asset/make_load.h"
#include "base/lanes.h"
#include "math/random.h"

static tacLoadSlice *slice_of(const tacLoadField *field) {
  tacLoadSlice *slice;
  tac_test_ok(tac_load_slice_create(field, &slice, &error), error);
  return slice;
}

static const tacBox box = {{-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}};

/* Trilinear between distances to balls, worked out from the closed form. */
static double plain_value(int column, tacVec3 x) {
  double at[3] = {(x.x + 1.0) / LOAD_SPACING, (x.y + 1.0) / LOAD_SPACING, (x.z + 1.0) / LOAD_SPACING}, sum = 0.0;
  int cell[3];
  for (int a = 0; a < 3; ++a) cell[a] = fmin(floor(at[a]), LOAD_SIDE - 2);
  for (int c = 0; c < 8; ++c) {
    double weight = 1.0;
    int n[3];
    for (int a = 0; a < 3; ++a) {
      n[a] = cell[a] + (c >> a & 1);
      weight *= 1.0 - fabs(at[a] - n[a]);
    }
    sum += weight * load_distance(column, load_place(n[0], n[1], n[2]));
  }
  return sum;
}

/* Terms are rounded to 2e-5 m, samples of one column to 3e-5 m. */
#define ROUNDED 2.6e-5

TAC_TEST(a_slice_is_what_was_sampled) {
  TAC_OWN(tacLoadField, field) = make_load_field();
  TAC_OWN(tacLoadSlice, slice) = slice_of(field);
  tacRandom random = tac_random_seed(1);
  for (int i = 0; i < 2000; ++i) {
    const int column = i % (LOAD_COLUMNS + 1) - 1, node = column / LOAD_LEVELS, level = column % LOAD_LEVELS;
    const tacVec3 x = tac_random_in_cube(&random, 1.0);
    tac_load_slice_set_column(slice, column);
    const double expected = plain_value(column, x);
    ck_assert_double_lt(fabs(tac_load_slice_value(slice, x) - expected), ROUNDED);
    tacLoadPart part = {node, (level + 1.0) / LOAD_LEVELS, 1.0};
    tac_load_slice_set(slice, column >= 0, &part);
    ck_assert_double_lt(fabs(tac_load_slice_value(slice, x) - expected), ROUNDED);
  }
  ck_assert(tac_load_slice_value(slice, tac_vec3(NAN, 0.0, 0.0)) == INFINITY);
}

/* Corners of a triangle, sizes between the levels and beyond, several loads. */
TAC_TEST(parts_are_interpolated_and_added) {
  TAC_OWN(tacLoadField, field) = make_load_field();
  TAC_OWN(tacLoadSlice, slice) = slice_of(field);
  tacRandom random = tac_random_seed(2);
  for (int i = 0; i < 1000; ++i) {
    tacLoadPart parts[3];
    const tacVec3 x = tac_random_in_cube(&random, 1.0);
    const double rest = plain_value(-1, x);
    double expected = rest;
    for (int p = 0; p < 3; ++p) {
      parts[p].node = (i + p) % LOAD_NODES;
      parts[p].weight = tac_random_uniform(&random, 0.0, 1.0);
      parts[p].size = tac_random_uniform(&random, -0.1, 1.2);
      const double size = fmax(0.0, fmin(parts[p].size, 1.0));
      const int first = parts[p].node * LOAD_LEVELS;
      const double half = plain_value(first, x), whole = plain_value(first + 1, x);
      const double d = size < 0.5 ? rest + 2.0 * size * (half - rest) : half + (2.0 * size - 1.0) * (whole - half);
      expected += parts[p].weight * (d - rest);
    }
    tac_load_slice_set(slice, 3, parts);
    ck_assert_double_lt(fabs(tac_load_slice_value(slice, x) - expected), 4.0 * ROUNDED);
    const tacLoadPart wrong = {LOAD_NODES, 1.0, 1.0}; /* there is no such node */
    tac_load_slice_set(slice, 1, &wrong);
    ck_assert_double_lt(fabs(tac_load_slice_value(slice, x) - rest), ROUNDED);
  }
}

/* Distances change by no more than the way. Interpolated ones by sqrt(3) times it at most, within the box and beside
 * it. */
TAC_TEST(values_are_continuous_in_place_and_bounded_outside) {
  TAC_OWN(tacLoadField, field) = make_load_field();
  TAC_OWN(tacLoadSlice, slice) = slice_of(field);
  tacRandom random = tac_random_seed(3);
  for (int i = 0; i < 300; ++i) {
    tac_load_slice_set_column(slice, i % LOAD_COLUMNS);
    const tacVec3 a = tac_random_in_cube(&random, 2.0);
    const tacVec3 b = tac_random_in_cube(&random, 2.0);
    double last = 0.0;
    const int steps = 200;
    for (int s = 0; s <= steps; ++s) {
      const tacVec3 x = tac_vec3_mix(a, b, (double)s / steps);
      const double value = tac_load_slice_value(slice, x);
      if (s > 0) ck_assert_double_le(fabs(value - last), sqrt(3.0) * tac_vec3_distance(a, b) / steps + 1e-4);
      const tacVec3 p = tac_vec3_min(tac_vec3_max(x, box.lower), box.upper);
      if (tac_vec3_distance(x, p) > 0.0) /* below the distance, but for what interpolation adds on the box */
        ck_assert_double_le(value, load_distance(i % LOAD_COLUMNS, x) + 0.02);
      last = value;
    }
  }
}

/* Values of many places at once have the bits of each alone. */
TAC_TEST(values_of_many_places_are_those_of_each) {
  enum { COUNT = 101 };
  TAC_OWN(tacLoadField, field) = make_load_field();
  TAC_OWN(tacLoadSlice, slice) = slice_of(field);
  tacRandom random = tac_random_seed(7);
  for (int trial = 0; trial < 20; ++trial) {
    tacVec3 x[COUNT];
    double values[COUNT];
    for (int i = 0; i < COUNT; ++i) x[i] = tac_random_in_cube(&random, 1.5);
    x[trial].z = INFINITY;
    tac_load_slice_set_column(slice, trial % LOAD_COLUMNS);
    tac_load_slice_values(slice, COUNT - trial, x, values);
    for (int i = 0; i < COUNT - trial; ++i) ck_assert(values[i] == tac_load_slice_value(slice, x[i]));
    tac_load_slice_set(slice, 1, &(tacLoadPart){trial % LOAD_NODES, 0.7, 0.9}); /* no column: sums */
    tac_load_slice_values(slice, COUNT - trial, x, values);
    for (int i = 0; i < COUNT - trial; ++i) ck_assert(values[i] == tac_load_slice_value(slice, x[i]));
  }
}

/* Whether blocks are expanded or summed up when asked: the same bits. */
TAC_TEST(expansion_changes_nothing) {
  static float samples[2][LOAD_SIDE * LOAD_SIDE * LOAD_SIDE];
  TAC_OWN(tacLoadField, expanded) = make_load_field();
  TAC_OWN(tacLoadField, compact) = make_load_field_as(true);
  TAC_OWN(tacLoadSlice, of_expanded) = slice_of(expanded);
  TAC_OWN(tacLoadSlice, of_compact) = slice_of(compact);
  ck_assert(expanded->expanded[0] != NULL && compact->expanded[0] == NULL);
  tacRandom random = tac_random_seed(8);
  for (int column = -1; column < LOAD_COLUMNS; ++column) {
    const tacVec3 x = tac_random_in_cube(&random, 1.0);
    for (int f = 0; f < 2; ++f) {
      tac_load_slice_set_column(f == 0 ? of_expanded : of_compact, column);
      tac_load_slice_samples(f == 0 ? of_expanded : of_compact, samples[f]);
    }
    ck_assert_int_eq(memcmp(samples[0], samples[1], sizeof samples[0]), 0);
    ck_assert_double_eq(tac_load_slice_value(of_expanded, x), tac_load_slice_value(of_compact, x));
    ck_assert_double_lt(fabs(tac_load_slice_value(of_compact, x) - plain_value(column, x)), ROUNDED);
  }
}

TAC_TEST(gradients_are_those_of_the_value) {
  TAC_OWN(tacLoadField, field) = make_load_field();
  TAC_OWN(tacLoadSlice, slice) = slice_of(field);
  tacRandom random = tac_random_seed(4);
  int compared = 0;
  for (int i = 0; i < 600; ++i) {
    const tacVec3 x = tac_random_in_cube(&random, 1.5);
    const tacLoadPart part = {i % LOAD_NODES, tac_random_uniform(&random, 0.0, 1.0), 1.0};
    tac_load_slice_set(slice, 1, &part);
    tacVec3 gradient;
    const double e = 1e-5, value = tac_load_slice_gradient(slice, x, &gradient);
    ck_assert_double_lt(fabs(value - tac_load_slice_value(slice, x)), 1e-12);
    const double by[3] = {gradient.x, gradient.y, gradient.z};
    for (int axis = 0; axis < 3; ++axis) {
      const tacVec3 step = tac_vec3(axis == 0 ? e : 0.0, axis == 1 ? e : 0.0, axis == 2 ? e : 0.0);
      const double up = tac_load_slice_value(slice, tac_vec3_add(x, step)),
                   down = tac_load_slice_value(slice, tac_vec3_sub(x, step));
      if (fabs(up + down - 2.0 * value) > 1e-9) continue; /* a kink */
      ck_assert_double_lt(fabs((up - down) / (2.0 * e) - by[axis]), 1e-4);
      ++compared;
    }
  }
  ck_assert_int_gt(compared, 1000);
}

TAC_TEST(source_information_survives) {
  TAC_OWN(tacLoadField, field) = make_load_field();
  ck_assert_int_eq(tac_load_field_coordinates(field), LOAD_SIZE);
  ck_assert_int_eq(tac_load_field_node_count(field), LOAD_NODES);
  ck_assert_int_eq(tac_load_field_level_count(field), LOAD_LEVELS);
  ck_assert_int_eq(tac_load_field_vertex(field, 2), 16);
  ck_assert_int_eq(tac_load_field_node_of(field, 16), 2);
  ck_assert_int_eq(tac_load_field_node_of(field, 17), -1);
  ck_assert_double_eq(tac_load_field_level(field, 0), 0.5);
  double q[LOAD_SIZE];
  load_state(2 * LOAD_LEVELS + 1, q);
  ck_assert_int_eq(memcmp(tac_load_field_state(field, 2, 1), q, sizeof q), 0);
  const tacLoadFieldInfo *info = tac_load_field_info(field);
  ck_assert_int_eq(info->block_count, 27);
  ck_assert_double_eq(info->bytes_dense, 2.0 * LOAD_COLUMNS * LOAD_SIDE * LOAD_SIDE * LOAD_SIDE);
}

TAC_TEST(mismatched_parts_are_refused) {
  for (int fault = 0; fault < 8; ++fault) {
    TAC_FREED(tac_load_field_parts_free, tacLoadFieldParts, parts) = make_load_parts();
    if (fault == 0) parts.size = 0;
    if (fault == 1) parts.info.nodes[1] = 1;
    if (fault == 2) parts.info.spacing = -1.0;
    if (fault == 3) parts.levels[0] = 1.0; /* no size is between both */
    if (fault == 4) parts.rest[100] = NAN;
    if (fault == 5) parts.states[3] = INFINITY;
    if (fault == 6) parts.ranks[5] = 7;
    if (fault == 7) parts.units[5] = 0.0f;
    tacLoadField *none = NULL;
    tac_test_refused(tac_load_field_create(&parts, &none, &error), TAC_ERR_ARGUMENT, error, " ");
    ck_assert_ptr_null(none);
  }
  TAC_OWN(tacLoadField, field) = make_load_field();
  tacLoadBounds bounds = *tac_load_field_bounds(field);
  bounds.boundary = -0.1;
  ck_assert_int_eq(tac_load_field_set_bounds(field, &bounds, &error), TAC_ERR_ARGUMENT);
  bounds.boundary = 0.1;
  bounds.reach.slope[7] = 1.1;
  ck_assert_int_eq(tac_load_field_set_bounds(field, &bounds, &error), TAC_ERR_ARGUMENT);
}

TRY_READ(tacLoadField, tac_load_field_read)

TAC_TEST(a_file_holds_all_of_it_and_a_broken_one_is_refused) {
  const char *path = tac_test_path("loads");
  TAC_OWN(tacLoadField, field) = make_load_field();
  tac_test_ok(tac_load_field_write(field, path, &error), error);
  TAC_CREATE(tacLoadField, read, tac_load_field_read(path, &read, &error));
  TAC_OWN(tacLoadSlice, a) = slice_of(field);
  TAC_OWN(tacLoadSlice, b) = slice_of(read);
  tacRandom random = tac_random_seed(5);
  for (int i = 0; i < 500; ++i) {
    const tacVec3 x = tac_random_in_cube(&random, 1.5);
    const tacLoadPart part = {i % LOAD_NODES, tac_random_uniform(&random, 0.0, 1.0), 1.0};
    tac_load_slice_set(a, 1, &part);
    tac_load_slice_set(b, 1, &part);
    ck_assert_double_eq(tac_load_slice_value(a, x), tac_load_slice_value(b, x));
  }
  ck_assert_int_eq(
      memcmp(&tac_load_field_bounds(field)->reach, &tac_load_field_bounds(read)->reach, sizeof(tacFieldReach)), 0);
  static const char *const chunks[] = {"layout", "place", "measured", "levels", "states", "rest",
                                       "ranks",  "units", "scales",   "reach",  "solids"};
  for (size_t i = 0; i < sizeof chunks / sizeof *chunks; ++i)
    for (int change = 0; change < CHANGES; ++change)
      check_unread(try_read, spoil(path, chunks[i], (Change)change, 0, 0), chunks[i]);
  check_cut(try_read, path, 50);
}

TAC_TEST_EVERY_WIDTH()
