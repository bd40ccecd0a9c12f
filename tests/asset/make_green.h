/* Green's functions of made-up numbers, for the tests of this room and the fuzz target's seeds. */
#pragma once

#include <string.h>
#include <tactus/green.h>
#include "kinds/green/green.h"
#include "mesh/make_mesh.h"

enum { GREEN_VERTICES = 6, GREEN_COLUMNS = 4 };

static const int green_columns[GREEN_COLUMNS] = {0, 2, 3, 5};
static const bool green_fixed[GREEN_VERTICES] = {false, true, false, true, false, false};
static const double green_area[GREEN_VERTICES] = {1.0, 2.0, 0.5, 1.5, 3.0, 0.25};
static const tacSensor green_sensors[2] = {{"heart", TAC_SENSOR_DISPLACEMENT, {0.1, 0.2, 0.3}},
                                           {"wall", TAC_SENSOR_STRESS, {-0.1, 0.0, 0.2}}};

/* An octahedron. */
static inline tacTriMesh *make_octahedron(void) {
  static const tacVec3 corners[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  static const int faces[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                  {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  tacTriMesh *mesh = make_trimesh(6, 8);
  memcpy(mesh->vertices, corners, sizeof corners);
  for (int t = 0; t < 8; ++t) memcpy(mesh->triangles[t].v, faces[t], sizeof faces[t]);
  return mesh;
}

/* Response of vertex i, axis r, to vertex j, axis c: reciprocal, a_i Xi_ij = (a_j Xi_ji)^T. */
static inline double green_entry(int i, int r, int j, int c) {
  double symmetric = 1.0 / (1.0 + (i - j) * (i - j)) + 0.1 * (r + 1.0) * (c + 1.0) * (i + j + 1.0) + (r == c);
  return symmetric / green_area[i];
}

static inline double green_sensor_entry(int row, int j, int c) {
  return 100.0 * row + 10.0 * j + c;
}

static inline tacGreenParts green_parts(tacGreenStorage storage, const tacTriMesh *mesh) {
  return (tacGreenParts){.method = TAC_FINITE_ELEMENTS,
                         .storage = storage,
                         .surface = mesh,
                         .fixed = green_fixed,
                         .area = green_area,
                         .sensor_count = 2,
                         .sensors = green_sensors,
                         .column_count = GREEN_COLUMNS,
                         .column_vertex = green_columns,
                         .betti_defect = -1.0};
}

static inline tacGreen *make_whole_green(void) {
  tacGreen *green;
  TAC_OWN(tacTriMesh, mesh) = make_octahedron();
  tacGreenParts parts = green_parts(TAC_GREEN_WHOLE, mesh);
  int rows = tac_green_parts_row_count(&parts);
  parts.columns = malloc((size_t)(3 * GREEN_COLUMNS * rows) * sizeof *parts.columns);
  for (int k = 0; k < 3 * GREEN_COLUMNS; ++k)
    for (int row = 0; row < rows; ++row)
      parts.columns[k * rows + row] = row < 3 * GREEN_VERTICES
                                          ? green_entry(row / 3, row % 3, green_columns[k / 3], k % 3)
                                          : green_sensor_entry(row - 3 * GREEN_VERTICES, green_columns[k / 3], k % 3);
  tac_test_ok(tac_green_create(&parts, &green, &error), error);
  return green;
}

/* Blocks between vertices at a right angle, but not opposite ones: nearer than 1.5. */
static inline tacGreen *make_near_green(void) {
  tacGreen *green;
  TAC_OWN(tacTriMesh, mesh) = make_octahedron();
  tacGreenParts parts = green_parts(TAC_GREEN_NEAR, mesh);
  parts.near_radius = 1.5;
  parts.near_start = calloc(GREEN_COLUMNS + 1, sizeof *parts.near_start);
  parts.near_vertex = calloc(GREEN_COLUMNS * GREEN_COLUMNS, sizeof *parts.near_vertex);
  parts.near_blocks = calloc(9 * GREEN_COLUMNS * GREEN_COLUMNS, sizeof *parts.near_blocks);
  int count = 0;
  for (int c = 0; c < GREEN_COLUMNS; ++c) {
    for (int r = 0; r < GREEN_COLUMNS; ++r) {
      int i = green_columns[r], j = green_columns[c];
      if (tac_vec3_distance(mesh->vertices[i], mesh->vertices[j]) > 1.5) continue;
      parts.near_vertex[count] = i;
      for (int e = 0; e < 9; ++e) parts.near_blocks[9 * count + e] = green_entry(i, e / 3, j, e % 3);
      ++count;
    }
    parts.near_start[c + 1] = count;
  }
  tac_test_ok(tac_green_create(&parts, &green, &error), error);
  return green;
}
