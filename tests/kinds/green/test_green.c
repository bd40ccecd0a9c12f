#include <tactus/green.h>
#include "asset/broken_asset.h"
#include "asset/make_green.h"
#include "kinds/green/green.h"
#include "test.h"

static bool is_wanted(int v) {
  for (int c = 0; c < GREEN_COLUMNS; ++c)
    if (green_columns[c] == v) return true;
  return false;
}

TAC_TEST(blocks_and_columns_equal_the_input) {
  TAC_OWN(tacGreen, green) = make_whole_green();
  ck_assert_int_eq(tac_green_row_count(green), 3 * GREEN_VERTICES + 9);
  ck_assert_int_eq(tac_green_sensor_row(green, 0), 3 * GREEN_VERTICES);
  ck_assert_int_eq(tac_green_sensor_row(green, 1), 3 * GREEN_VERTICES + 3);
  ck_assert_str_eq(tac_green_sensor(green, 1)->name, "wall");
  ck_assert_ptr_null(tac_green_sensor(green, 2));
  ck_assert_int_eq(tac_green_sensor_row(green, -1), -1);
  ck_assert_int_eq(tac_green_column_count(green), GREEN_COLUMNS);
  int rows = tac_green_row_count(green);
  for (int j = -1; j <= GREEN_VERTICES; ++j) {
    const double *column = tac_green_column(green, j);
    ck_assert_int_eq(column != NULL, is_wanted(j));
    for (int i = -1; i <= GREEN_VERTICES; ++i) {
      double block[3][3];
      bool kept = tac_green_block(green, i, j, block);
      ck_assert_int_eq(kept, is_wanted(j) && i >= 0 && i < GREEN_VERTICES);
      for (int e = 0; kept && e < 9; ++e) {
        ck_assert_double_eq(block[e / 3][e % 3], green_entry(i, e / 3, j, e % 3));
        ck_assert_double_eq(column[e % 3 * rows + 3 * i + e / 3], block[e / 3][e % 3]);
      }
    }
    for (int c = 0; column != NULL && c < 3; ++c)
      ck_assert_double_eq(column[c * rows + tac_green_sensor_row(green, 1) + 2], green_sensor_entry(5, j, c));
  }
}

TAC_TEST(near_blocks_are_a_subset_of_the_whole) {
  TAC_OWN(tacGreen, whole) = make_whole_green();
  TAC_OWN(tacGreen, near) = make_near_green();
  ck_assert_int_eq(tac_green_storage(near), TAC_GREEN_NEAR);
  ck_assert_double_eq(tac_green_near_radius(near), 1.5);
  ck_assert_double_eq(tac_green_near_radius(whole), 0.0);
  const tacVec3 *p = tac_green_surface(near)->vertices;
  for (int j = -1; j <= GREEN_VERTICES; ++j) {
    ck_assert_ptr_null(tac_green_column(near, j));
    for (int i = -1; i <= GREEN_VERTICES; ++i) {
      double a[3][3], b[3][3];
      bool kept = tac_green_block(near, i, j, a);
      ck_assert_int_eq(kept, is_wanted(i) && is_wanted(j) && tac_vec3_distance(p[i], p[j]) < 1.5);
      if (!kept) continue;
      ck_assert(tac_green_block(whole, i, j, b));
      ck_assert_mem_eq(a, b, sizeof a);
    }
  }
}

/* The numbers are reciprocal until one of them is changed. Vertices 0, 2 and 5 are free and wanted. */
TAC_TEST(betti_defect_is_measured) {
  static const int pairs[3][2] = {{0, 2}, {0, 5}, {2, 5}};
  tacGreen *green = make_whole_green();
  ck_assert_double_lt(tac_green_betti_defect(green), 1e-15);
  size_t count = (size_t)(3 * GREEN_COLUMNS * tac_green_row_count(green));
  double *columns = malloc(count * sizeof *columns), all = 0.0;
  memcpy(columns, tac_green_column(green, green_columns[0]), count * sizeof *columns);
  tac_green_destroy(green);
  columns[3 * 2 + 1] += 1e-6; /* row of vertex 2, column of vertex 0 */
  for (int k = 0; k < 3; ++k)
    for (int e = 0; e < 9; ++e)
      all += pow(green_area[pairs[k][0]] * green_entry(pairs[k][0], e / 3, pairs[k][1], e % 3), 2.0);
  TAC_OWN(tacTriMesh, mesh) = make_octahedron();
  tacGreenParts parts = green_parts(TAC_GREEN_WHOLE, mesh);
  parts.columns = columns;
  tac_test_ok(tac_green_create(&parts, &green, &error), error);
  ck_assert_double_eq_tol(tac_green_betti_defect(green), 1e-6 * green_area[2] / sqrt(all), 1e-12);
  tac_green_destroy(green);
}

TAC_TEST(inconsistent_parts_are_rejected) {
  TAC_OWN(tacTriMesh, mesh) = make_octahedron();
  tacGreen *green;
  TAC_MEMORY(double, numbers) = calloc(3 * GREEN_VERTICES * 30, sizeof *numbers);
  int64_t starts[GREEN_COLUMNS + 1] = {0, 1, 2, 3, 4};
  int rows_of[GREEN_COLUMNS] = {0, 2, 3, 5};
  for (int bad = 0; bad < 16; ++bad) {
    tacGreenParts parts = green_parts(bad < 9 ? TAC_GREEN_WHOLE : TAC_GREEN_NEAR, mesh);
    int columns[GREEN_COLUMNS] = {0, 2, 3, 5}, near_vertex[GREEN_COLUMNS];
    int64_t near_start[GREEN_COLUMNS + 1];
    double area[GREEN_VERTICES];
    tacSensor sensors[2];
    memcpy(area, green_area, sizeof area);
    memcpy(sensors, green_sensors, sizeof sensors);
    memcpy(near_start, starts, sizeof starts);
    memcpy(near_vertex, rows_of, sizeof rows_of);
    parts.column_vertex = columns;
    parts.area = area;
    parts.sensors = sensors;
    parts.columns = parts.near_blocks = numbers;
    parts.near_start = near_start;
    parts.near_vertex = near_vertex;
    parts.near_radius = 1.0;
    switch (bad) {
      case 0: columns[1] = 0; break;
      case 1: columns[3] = GREEN_VERTICES; break;
      case 2: columns[0] = -1; break;
      case 3: area[4] = 0.0; break;
      case 4: sensors[1].kind = (tacSensorKind)7; break;
      case 5: sensors[0].point.y = NAN; break;
      case 6: parts.betti_defect = INFINITY; break;
      case 7: parts.method = (tacReferenceMethod)2; break;
      case 8: parts.column_count = GREEN_VERTICES + 1; break;
      case 9: near_start[0] = 1; break;
      case 10: near_start[2] = 0; break;
      case 11: near_start[1] = 9; break;
      case 12: near_vertex[1] = 1; break; /* not wanted */
      case 13: near_vertex[2] = -1; break;
      case 14: near_start[1] = 0, near_vertex[1] = 0; break; /* out of order within a column */
      case 15: parts.near_radius = 0.0; break;
    }
    error.text[0] = '\0';
    ck_assert_msg(tac_green_create(&parts, &green, &error) == TAC_ERR_ARGUMENT, "case %d", bad);
    ck_assert_ptr_null(green);
    ck_assert_int_gt((int)strlen(error.text), 0);
  }
}

TAC_TEST(file_round_trip_is_bitwise) {
  const char *path = tac_test_path("made.green");
  for (int near = 0; near < 2; ++near) {
    TAC_OWN(tacGreen, green) = near ? make_near_green() : make_whole_green();
    tac_test_ok(tac_green_write(green, path, &error), error);
    TAC_CREATE(tacGreen, read, tac_green_read(path, &read, &error));
    ck_assert_int_eq(tac_green_method(read), TAC_FINITE_ELEMENTS);
    ck_assert_int_eq(tac_green_storage(read), near ? TAC_GREEN_NEAR : TAC_GREEN_WHOLE);
    ck_assert_double_eq(tac_green_near_radius(read), tac_green_near_radius(green));
    ck_assert_double_eq(tac_green_betti_defect(read), tac_green_betti_defect(green));
    ck_assert_int_eq(tac_green_surface(read)->triangle_count, 8);
    ck_assert_mem_eq(tac_green_surface(read)->vertices, tac_green_surface(green)->vertices, 6 * sizeof(tacVec3));
    ck_assert_mem_eq(tac_green_surface(read)->triangles, tac_green_surface(green)->triangles, 8 * sizeof(tacTriangle));
    ck_assert_mem_eq(tac_green_fixed(read), green_fixed, sizeof green_fixed);
    ck_assert_mem_eq(tac_green_area(read), green_area, sizeof green_area);
    ck_assert_mem_eq(tac_green_column_vertex(read), green_columns, sizeof green_columns);
    ck_assert_int_eq(tac_green_sensor_count(read), 2);
    for (int i = 0; i < 2; ++i) {
      ck_assert_str_eq(tac_green_sensor(read, i)->name, green_sensors[i].name);
      ck_assert_int_eq(tac_green_sensor(read, i)->kind, green_sensors[i].kind);
      ck_assert_mem_eq(&tac_green_sensor(read, i)->point, &green_sensors[i].point, sizeof(tacVec3));
    }
    ck_assert_int_eq(tac_green_row_count(read), tac_green_row_count(green));
    if (!near)
      ck_assert_mem_eq(tac_green_column(read, 0), tac_green_column(green, 0),
                       (size_t)(3 * GREEN_COLUMNS * tac_green_row_count(green)) * sizeof(double));
    for (int i = 0; i < GREEN_VERTICES; ++i)
      for (int j = 0; j < GREEN_VERTICES; ++j) {
        double a[3][3] = {{0.0}}, b[3][3] = {{0.0}};
        ck_assert_int_eq(tac_green_block(read, i, j, a), tac_green_block(green, i, j, b));
        ck_assert_mem_eq(a, b, sizeof a);
      }
  }
}

TRY_READ(tacGreen, tac_green_read)

/* Every byte that could be the last one is within a chunk or between two; the heads are where chunks begin. */
TAC_TEST(truncated_files_are_rejected) {
  for (int near = 0; near < 2; ++near) {
    TAC_OWN(tacGreen, green) = near ? make_near_green() : make_whole_green();
    const char *path = tac_test_path("cut.green");
    tac_test_ok(tac_green_write(green, path, &error), error);
    check_cut(try_read, path, 0);
  }
}

TAC_TEST(files_of_other_kinds_versions_or_contents_are_rejected) {
  check_other(try_read, "green", "distance field");
  static const char *const names[] = {"layout",       "measures", "checks", "check names",  "vertices",
                                      "triangles",    "fixed",    "area",   "sensor kinds", "sensor points",
                                      "sensor names", "columns",  "xi 0"};
  TAC_OWN(tacGreen, green) = make_whole_green();
  const char *good = tac_test_path("good.green");
  tac_green_set_checks(green, &some_checks);
  tac_test_ok(tac_green_write(green, good, &error), error);
  TAC_CREATE(tacChunkFile, file, tac_chunk_file_open(good, &file, &error));
  ck_assert_uint_eq(tac_chunk_file_version(file), 3);
  for (int i = 0; i < 13; ++i) ck_assert_str_eq(tac_chunk_file_info(file, i)->name, names[i]);
  ck_assert_int_eq(check_chunks(try_read, good, "fixed", NULL), 13); /* any byte but 0 is true */
}
