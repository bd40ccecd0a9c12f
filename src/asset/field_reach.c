#include "asset/field_reach.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include "asset/distance_field.h"

/* Roundings of gradients and sums stay below this part of them. */
#define ROUNDING 1e-9

static size_t sample_count(const tacGrid *grid) {
  return (size_t)grid->nx * (size_t)grid->ny * (size_t)grid->nz;
}

/* So that the bins of every part reach to its largest value, and are no narrower than half a voxel; 0 for analytic
 * fields. */
static double width_of_bins(const tacDistanceField *field) {
  const tacGrid *grid = tac_distance_field_grid(field);
  double width = 0.0;
  if (grid != NULL) {
    float largest = 0.0f;
    for (size_t i = 0; i < sample_count(grid); ++i) largest = grid->values[i] > largest ? grid->values[i] : largest;
    width = fmax((double)largest / TAC_FIELD_REACH_BINS, 0.5 * grid->spacing);
  }
  for (int i = 0; i < tac_distance_field_part_count(field); ++i)
    width = fmax(width, width_of_bins(tac_distance_field_part(field, i)));
  return width;
}

static int bin_of(const tacFieldReach *reach, double value) {
  double place = fmax(value * reach->per_metre, 0.0);
  return place < TAC_FIELD_REACH_BINS - 1 ? (int)place : TAC_FIELD_REACH_BINS - 1;
}

/* Raises g^2 h^2 of the bins that a cell's values are in. `v` is its first sample. */
static inline void add_cell(const tacFieldReach *reach, const float *v, size_t row, size_t layer,
                            double per_voxel2[TAC_FIELD_REACH_BINS]) {
  const float s[8] = {v[0],     v[1],         v[row],         v[row + 1],
                      v[layer], v[layer + 1], v[layer + row], v[layer + row + 1]}; /* bits of the index: z, y, x */
  float least = s[0], most = s[0];
  for (int c = 1; c < 8; ++c) {
    least = s[c] < least ? s[c] : least;
    most = s[c] > most ? s[c] : most;
  }
  if (!(most > 0.0f)) return;
  double along[3][4]; /* squares of the differences along the four edges of each direction */
  for (int e = 0; e < 4; ++e) {
    double x = (double)s[2 * e + 1] - (double)s[2 * e];
    double y = (double)s[(e >> 1) * 4 + (e & 1) + 2] - (double)s[(e >> 1) * 4 + (e & 1)];
    double z = (double)s[e + 4] - (double)s[e];
    along[0][e] = x * x; /* e: z, y */
    along[1][e] = y * y; /* e: z, x */
    along[2][e] = z * z; /* e: y, x */
  }
  double steepest = 0.0;
  for (int c = 0; c < 8; ++c) {
    double here = along[0][c >> 1] + along[1][(c >> 2) * 2 + (c & 1)] + along[2][c & 3];
    steepest = here > steepest ? here : steepest;
  }
  int last = bin_of(reach, (double)most);
  for (int b = bin_of(reach, (double)least); b <= last; ++b)
    per_voxel2[b] = steepest > per_voxel2[b] ? steepest : per_voxel2[b];
}

/* The largest sample of the box's faces. */
static double most_on_faces(const tacGrid *grid) {
  float largest = -INFINITY;
  size_t at = 0;
  for (int k = 0; k < grid->nz; ++k)
    for (int j = 0; j < grid->ny; ++j)
      for (int i = 0; i < grid->nx; ++i, ++at) {
        bool on_face = k == 0 || k == grid->nz - 1 || j == 0 || j == grid->ny - 1 || i == 0 || i == grid->nx - 1;
        if (on_face && grid->values[at] > largest) largest = grid->values[at];
      }
  return (double)largest;
}

static void add_field(const tacDistanceField *field, const tacFieldReach *reach,
                      double steepest2[TAC_FIELD_REACH_BINS]) {
  for (int i = 0; i < tac_distance_field_part_count(field); ++i)
    add_field(tac_distance_field_part(field, i), reach, steepest2);
  const tacGrid *grid = tac_distance_field_grid(field);
  if (grid == NULL) return;
  double per_voxel2[TAC_FIELD_REACH_BINS] = {0.0};
  size_t row = (size_t)grid->nx, layer = row * (size_t)grid->ny;
  for (int k = 0; k + 1 < grid->nz; ++k)
    for (int j = 0; j + 1 < grid->ny; ++j) {
      const float *v = grid->values + (size_t)k * layer + (size_t)j * row;
      for (int i = 0; i + 1 < grid->nx; ++i) add_cell(reach, v + i, row, layer, per_voxel2);
    }
  for (int b = 0; b < TAC_FIELD_REACH_BINS; ++b)
    steepest2[b] = fmax(steepest2[b], per_voxel2[b] / (grid->spacing * grid->spacing));
  if (tac_distance_field_boundary(field) >= 0.0) return;
  for (int b = 0, last = bin_of(reach, most_on_faces(grid)); b <= last; ++b) steepest2[b] = INFINITY;
}

tacFieldReach tac_field_reach(const tacDistanceField *field) {
  tacFieldReach reach = {.bin = width_of_bins(field)};
  if (!(reach.bin > 0.0)) reach.bin = 1.0;
  reach.per_metre = 1.0 / reach.bin;
  double steepest2[TAC_FIELD_REACH_BINS];
  for (int b = 0; b < TAC_FIELD_REACH_BINS; ++b) steepest2[b] = 1.0;
  add_field(field, &reach, steepest2);
  for (int b = 0; b < TAC_FIELD_REACH_BINS; ++b) {
    reach.slope[b] = (1.0 - ROUNDING) / sqrt(steepest2[b]);
    if (b > 0) reach.at[b] = reach.at[b - 1] + reach.bin * reach.slope[b - 1];
  }
  return reach;
}
