/* A load field of made-up numbers, for the tests of this room, of traversals and of the fuzz target's seeds: a ball
 * that every load moves and lets grow, each by another vector. */
#pragma once

#include "asset/load_field.h"
#include "math/geometry/vec3.h"
#include "test.h"

enum { LOAD_NODES = 4, LOAD_LEVELS = 2, LOAD_COLUMNS = LOAD_NODES * LOAD_LEVELS, LOAD_SIDE = 21, LOAD_SIZE = 2 };
#define LOAD_SPACING 0.1
#define LOAD_RADIUS 0.4

/* Where the ball of a column is; -1: at rest. */
static inline tacVec3 load_centre(int column) {
  if (column < 0) return tac_vec3(0.0, 0.0, 0.0);
  const int node = column / LOAD_LEVELS;
  const double size = (column % LOAD_LEVELS + 1.0) / LOAD_LEVELS;
  return tac_vec3(0.1 * size * cos(node), 0.1 * size * sin(node), -0.12 * size * size);
}
static inline double load_radius(int column) {
  return column < 0 ? LOAD_RADIUS : LOAD_RADIUS + 0.1 * (column % LOAD_LEVELS + 1);
}
static inline double load_distance(int column, tacVec3 x) {
  return tac_vec3_distance(x, load_centre(column)) - load_radius(column);
}

/* Its coordinates: the ball's place along x and z. */
static inline void load_state(int column, double q[LOAD_SIZE]) {
  q[0] = load_centre(column).x;
  q[1] = load_centre(column).z;
}

static inline tacVec3 load_place(int i, int j, int k) {
  const double half = 0.5 * (LOAD_SIDE - 1) * LOAD_SPACING;
  return tac_vec3(LOAD_SPACING * i - half, LOAD_SPACING * j - half, LOAD_SPACING * k - half);
}

/* The separated form has a term for each column. */
static inline tacLoadFieldParts make_load_parts(void) {
  enum { BLOCKS = 27 };
  tacLoadFieldParts parts = {.size = LOAD_SIZE,
                             .node_count = LOAD_NODES,
                             .level_count = LOAD_LEVELS,
                             .info = {.nodes = {LOAD_SIDE, LOAD_SIDE, LOAD_SIDE},
                                      .origin = load_place(0, 0, 0),
                                      .spacing = LOAD_SPACING,
                                      .tolerance = 1e-4,
                                      .steepest = 1.5}};
  const size_t total = BLOCKS * LOAD_COLUMNS;
  parts.vertices = malloc(LOAD_NODES * sizeof *parts.vertices);
  parts.levels = malloc(LOAD_LEVELS * sizeof *parts.levels);
  parts.states = malloc(LOAD_COLUMNS * LOAD_SIZE * sizeof *parts.states);
  parts.rest = calloc(BLOCKS * TAC_LOAD_BLOCK, sizeof *parts.rest);
  parts.ranks = malloc(BLOCKS * sizeof *parts.ranks);
  parts.units = malloc(BLOCKS * sizeof *parts.units);
  parts.shapes = calloc(total * TAC_LOAD_BLOCK, sizeof *parts.shapes);
  parts.loads = calloc(total * LOAD_COLUMNS, sizeof *parts.loads);
  parts.scales = malloc(total * sizeof *parts.scales);
  for (int i = 0; i < LOAD_NODES; ++i) parts.vertices[i] = 10 + 3 * i;
  for (int l = 0; l < LOAD_LEVELS; ++l) parts.levels[l] = (l + 1.0) / LOAD_LEVELS;
  for (int c = 0; c < LOAD_COLUMNS; ++c) load_state(c, parts.states + LOAD_SIZE * c);
  const float unit = 2e-5f;
  for (int b = 0; b < BLOCKS; ++b) {
    parts.ranks[b] = LOAD_COLUMNS;
    parts.units[b] = 3e-5f; /* another one, so that rounding is seen */
    for (int j = 0; j < LOAD_COLUMNS; ++j) {
      const size_t term = (size_t)(LOAD_COLUMNS * b + j);
      parts.scales[term] = unit / 32767.0f;
      parts.loads[(size_t)j * total + term] = 32767;
    }
    for (int at = 0; at < TAC_LOAD_BLOCK; ++at) {
      const int i = b % 3 * 8 + at % 8, j = b / 3 % 3 * 8 + at / 8 % 8, k = b / 9 * 8 + at / 64;
      if (i >= LOAD_SIDE || j >= LOAD_SIDE || k >= LOAD_SIDE) continue;
      const tacVec3 x = load_place(i, j, k);
      parts.rest[b * TAC_LOAD_BLOCK + at] = (float)load_distance(-1, x);
      for (int c = 0; c < LOAD_COLUMNS; ++c)
        parts.shapes[(size_t)((b * TAC_LOAD_BLOCK + at) * LOAD_COLUMNS + c)] =
            (int16_t)lrint((load_distance(c, x) - load_distance(-1, x)) / (double)unit);
    }
  }
  return parts;
}

/* `compact`: without expanded blocks. */
static inline tacLoadField *make_load_field_as(bool compact) {
  tacLoadFieldParts parts = make_load_parts();
  parts.compact = compact;
  tacLoadField *field;
  tac_test_ok(tac_load_field_create(&parts, &field, &error), error);
  /* Gradients of interpolated distances are below sqrt(3). */
  tacLoadBounds bounds = {.boundary = 0.2, .reach = {.bin = 1.0, .per_metre = 1.0}};
  bounds.solids = malloc(LOAD_COLUMNS * sizeof *bounds.solids);
  for (int b = 0; b < TAC_FIELD_REACH_BINS; ++b) {
    bounds.reach.slope[b] = 0.57;
    bounds.reach.at[b] = 0.57 * b;
  }
  for (int c = 0; c < LOAD_COLUMNS; ++c)
    bounds.solids[c] = (tacLoadSolid){load_centre(c), load_radius(c) + 2.0 * LOAD_SPACING};
  tac_test_ok(tac_load_field_set_bounds(field, &bounds, &error), error);
  return field;
}

static inline tacLoadField *make_load_field(void) {
  return make_load_field_as(false);
}
