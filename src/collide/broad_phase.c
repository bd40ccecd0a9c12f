#include "collide/broad_phase.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "math/geometry/vec3.h"

enum {
  MOST_GRIDS = 4,
  BIN_COUNT = 42, /* number of bins of radii; each bin holds one power of two */
  FEW = 24,       /* number of balls whose comparison takes as long as a search of 27 cells */
  CELL_BITS = 21, /* bits of a cell number along one axis; a key holds three cell numbers */
  HALF_CELLS = 1 << (CELL_BITS - 1),
  BUCKETS_PER_BALL = 4, /* minimum number of buckets per ball; the actual number is at most twice as large */
  LEAST_BUCKETS = 16,
  NOWHERE = -2,
  IN_LIST = -1,
};

/* Cells are wider than the diameter of the largest ball, by more than the rounding error of cell numbers (2^-32 cells).
 * So overlapping balls are at most one cell apart. `least_edge`: minimum width of a cell, m. */
static const double edge_margin = 1.0 + 1.0 / 1024.0, least_edge = 1e-6;

typedef struct Ball {
  /* cell numbers of x, y and z, CELL_BITS each, from 1 to 2^21 - 2; the keys of neighbour cells differ by a constant */
  uint64_t key;
  tacVec3 centre;
  double radius;
  uint32_t category, mask;
  int body;
  bool moves;
} Ball;

typedef struct Grid {
  double inverse_edge; /* reciprocal width of a cell, 1/m */
  int count;
  int shift;   /* 64 minus the number of bits of a bucket index */
  Ball *balls; /* [count] balls sorted by bucket, then by body */
  int *start;  /* [buckets + 1] index of the first ball of each bucket */
} Grid;

/* Found pairs. Each loop works on a local copy of the struct, which stays in registers. */
typedef struct Found {
  tacBodyPair *pairs;
  int count, lost, most;
} Found;

struct tacBroadPhase {
  tacArrays arrays; /* memory of all arrays below */
  int body_most, pair_most;
  Ball *balls; /* [body_most] ball of each body */
  int *place;  /* [body_most] grid of the body's ball, or IN_LIST, or NOWHERE */
  int *list;   /* [body_most] bodies in the list, ascending */
  int list_count;
  Grid grids[MOST_GRIDS]; /* grids in the order of decreasing radii */
  int grid_count;
  Ball *grid_balls;   /* [body_most + 1] buffer for `balls` of all grids */
  int *buckets;       /* buffer for `start` of all grids */
  tacBodyPair *pairs; /* [pair_most] found pairs */
  tacBodyPair *other; /* [pair_most] partly sorted pairs */
  int *first;         /* [body_most + 1] index of the first pair of each body, for sorting */
  Found found;
};

tacStatus tac_broad_phase_create(int body_most, int pair_most, tacBroadPhase **phase, tacError *error) {
  *phase = NULL;
  if (body_most < 0 || pair_most < 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a broad phase cannot have %d bodies and %d pairs", body_most,
                         pair_most);
  TAC_OWN(tacBroadPhase, made) = NULL;
  TAC_TRY(TAC_ARRAY(made, 1, "a broad phase", error));
  tacArrays *arrays = &made->arrays;
  size_t n = (size_t)body_most, p = (size_t)pair_most;
  size_t bucket_most = 2 * BUCKETS_PER_BALL * n + MOST_GRIDS * (LEAST_BUCKETS + 1);
  made->body_most = body_most;
  made->pair_most = pair_most;
  made->balls = tac_arrays_add(arrays, n, sizeof *made->balls);
  made->place = tac_arrays_add(arrays, n, sizeof *made->place);
  made->list = tac_arrays_add(arrays, n, sizeof *made->list);
  made->grid_balls = tac_arrays_add(arrays, n + 1, sizeof *made->grid_balls);
  made->buckets = tac_arrays_add(arrays, bucket_most, sizeof *made->buckets);
  made->pairs = tac_arrays_add(arrays, p, sizeof *made->pairs);
  made->other = tac_arrays_add(arrays, p, sizeof *made->other);
  made->first = tac_arrays_add(arrays, n + 1, sizeof *made->first);
  TAC_TRY(tac_arrays_status(arrays, "pairs of bodies", error));
  for (int i = 0; i < body_most; ++i)
    made->balls[i] = (Ball){.radius = -1.0, .category = 1, .mask = UINT32_MAX, .body = i, .moves = true};
  *phase = tac_give(&made);
  return TAC_OK;
}

void tac_broad_phase_destroy(tacBroadPhase *phase) {
  if (phase == NULL) return;
  tac_arrays_free(&phase->arrays);
  free(phase);
}

void tac_broad_phase_set_ball(tacBroadPhase *phase, int body, tacVec3 centre, double radius) {
  phase->balls[body].centre = centre;
  phase->balls[body].radius = tac_vec3_finite(centre) && radius >= 0.0 ? radius : -1.0;
}

void tac_broad_phase_set_filter(tacBroadPhase *phase, int body, bool moves, uint32_t category, uint32_t mask) {
  phase->balls[body].moves = moves;
  phase->balls[body].category = category;
  phase->balls[body].mask = mask;
}

/* Adds the pair if the balls overlap. If a squared distance overflows, the balls may count as overlapping, which is
 * safe. */
static inline void compare(Found *found, const Ball *a, const Ball *b) {
  double reach = a->radius + b->radius;
  if (!(tac_vec3_norm2(tac_vec3_sub(a->centre, b->centre)) <= reach * reach)) return;
  if (!(a->moves || b->moves) || (a->mask & b->category) == 0 || (b->mask & a->category) == 0) return;
  if (found->count == found->most) {
    ++found->lost;
    return;
  }
  bool ordered = a->body < b->body;
  found->pairs[found->count++] = (tacBodyPair){ordered ? a->body : b->body, ordered ? b->body : a->body};
}

/* Returns the bin of a radius by its power of two. Bin 0 holds the largest radii. */
static int bin_of(double radius) {
  int exponent;
  frexp(radius, &exponent);
  if (radius == 0.0) exponent = -BIN_COUNT;
  int bin = BIN_COUNT / 2 - exponent;
  return bin < 0 ? 0 : bin >= BIN_COUNT ? BIN_COUNT - 1 : bin;
}

/* Assigns the bins to grids, two bins per grid, starting with the largest balls. Bins with few balls go to the list.
 * The last grid takes all smaller balls. */
static void choose_grids(tacBroadPhase *phase) {
  int counts[BIN_COUNT] = {0}, grid_of_bin[BIN_COUNT];
  double largest[BIN_COUNT] = {0.0};
  phase->grid_count = 0;
  for (int i = 0; i < phase->body_most; ++i) {
    double radius = phase->balls[i].radius;
    phase->place[i] = NOWHERE;
    if (radius < 0.0) continue;
    if (isinf(radius)) {
      phase->place[i] = IN_LIST;
      continue;
    }
    int bin = bin_of(radius);
    phase->place[i] = bin; /* temporarily the bin; replaced by the grid below */
    ++counts[bin];
    largest[bin] = fmax(largest[bin], radius);
  }
  int room = FEW + phase->body_most / 16; /* free entries of the list */
  for (int bin = 0; bin < BIN_COUNT; ++bin) {
    if (counts[bin] == 0) continue;
    int last = phase->grid_count == MOST_GRIDS - 1 ? BIN_COUNT - 1 : bin + 1 < BIN_COUNT ? bin + 1 : bin, count = 0;
    for (int k = bin; k <= last; ++k) count += counts[k];
    bool few = count <= FEW && count <= room;
    if (few) room -= count;
    for (int k = bin; k <= last; ++k) grid_of_bin[k] = few ? IN_LIST : phase->grid_count;
    if (!few) {
      Grid *grid = &phase->grids[phase->grid_count++];
      double edge = fmax(2.0 * edge_margin * largest[bin], least_edge);
      *grid = (Grid){.inverse_edge = 1.0 / edge};
    }
    bin = last;
  }
  for (int i = 0; i < phase->body_most; ++i)
    if (phase->place[i] >= 0) phase->place[i] = grid_of_bin[phase->place[i]];
}

/* Computes the key of the cell that contains `centre`. Returns false if a cell number is too large. The sums are
 * positive, so truncation rounds down. */
static bool cell_of(const Grid *grid, tacVec3 centre, uint64_t *key) {
  const double u[3] = {centre.x * grid->inverse_edge + HALF_CELLS, centre.y * grid->inverse_edge + HALF_CELLS,
                       centre.z * grid->inverse_edge + HALF_CELLS};
  *key = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (!(u[axis] >= 1.0 && u[axis] < 2.0 * HALF_CELLS - 1.0)) return false;
    *key |= (uint64_t)(int64_t)u[axis] << (axis * CELL_BITS);
  }
  return true;
}

/* Fibonacci hashing: the upper bits of the product depend on all bits of the key. */
static inline unsigned bucket_of(const Grid *grid, uint64_t key) {
  return (unsigned)((key * UINT64_C(0x9E3779B97F4A7C15)) >> grid->shift);
}

static void fill_grids(tacBroadPhase *phase) {
  phase->list_count = 0;
  for (int i = 0; i < phase->body_most; ++i) {
    Ball *ball = &phase->balls[i];
    if (phase->place[i] >= 0) {
      Grid *grid = &phase->grids[phase->place[i]];
      if (cell_of(grid, ball->centre, &ball->key))
        ++grid->count;
      else
        phase->place[i] = IN_LIST;
    }
    if (phase->place[i] == IN_LIST) phase->list[phase->list_count++] = i;
  }
  Ball *balls = phase->grid_balls;
  int *start = phase->buckets;
  for (int g = 0; g < phase->grid_count; ++g) {
    Grid *grid = &phase->grids[g];
    int bucket_count = LEAST_BUCKETS;
    grid->shift = 60;
    for (; bucket_count < BUCKETS_PER_BALL * grid->count; bucket_count *= 2) --grid->shift;
    grid->balls = balls;
    grid->start = start;
    memset(start, 0, (size_t)(bucket_count + 1) * sizeof *start);
    balls += grid->count;
    start += bucket_count + 1;
  }
  /* Counting sort: `start[k]` is at first the number of balls in bucket k, then the end of the bucket, finally its
   * start. */
  for (int i = 0; i < phase->body_most; ++i) {
    if (phase->place[i] < 0) continue;
    Grid *grid = &phase->grids[phase->place[i]];
    ++grid->start[bucket_of(grid, phase->balls[i].key)];
  }
  for (int g = 0; g < phase->grid_count; ++g) {
    Grid *grid = &phase->grids[g];
    int bucket_count = 1 << (64 - grid->shift), sum = 0;
    for (int k = 0; k <= bucket_count; ++k) {
      sum += grid->start[k];
      grid->start[k] = sum;
    }
  }
  for (int i = phase->body_most - 1; i >= 0; --i) { /* backward, so that bodies ascend in each bucket */
    if (phase->place[i] < 0) continue;
    Grid *grid = &phase->grids[phase->place[i]];
    int at = --grid->start[bucket_of(grid, phase->balls[i].key)];
    grid->balls[at] = phase->balls[i];
  }
}

/* Key offsets of the 27 cells around a cell. The middle entry is the cell itself. Entries k and 26 - k are opposite
 * cells. */
#define STEPS(y, z) ROW_STEP(y, z) - 1, ROW_STEP(y, z), ROW_STEP(y, z) + 1
#define ROW_STEP(y, z) ((y) * (INT64_C(1) << CELL_BITS) + (z) * (INT64_C(1) << 2 * CELL_BITS))
static const int64_t steps[27] = {STEPS(-1, -1), STEPS(0, -1), STEPS(1, -1), STEPS(-1, 0), STEPS(0, 0),
                                  STEPS(1, 0),   STEPS(-1, 1), STEPS(0, 1),  STEPS(1, 1)};

/* Compares a ball with the balls of `cell_count` cells. Keys are compared, since a bucket may also hold balls of other
 * cells. Most buckets hold at most one ball, which makes branches unpredictable. So the first balls of all buckets are
 * gathered without a branch. */
static inline void compare_cells(Found *found, const Ball *ball, const Grid *grid, uint64_t key, int cell_count,
                                 const int64_t *cells) {
  const Ball *first[27];
  int first_count = 0;
  for (int k = 0; k < cell_count; ++k) {
    uint64_t cell = key + (uint64_t)cells[k];
    unsigned bucket = bucket_of(grid, cell);
    int i = grid->start[bucket], end = grid->start[bucket + 1];
    first[first_count] = &grid->balls[i];
    first_count += (i < end) & (grid->balls[i].key == cell);
    for (++i; i < end; ++i)
      if (grid->balls[i].key == cell) compare(found, ball, &grid->balls[i]);
  }
  for (int k = 0; k < first_count; ++k) compare(found, ball, first[k]);
}

/* Finds the pairs inside one grid. Each ball is compared with the later balls of its own cell, and with the balls of 13
 * neighbour cells, one of each opposite pair. */
static void compare_within(tacBroadPhase *phase, const Grid *grid) {
  Found found = phase->found;
  for (int i = 0; i < grid->count; ++i) {
    const Ball *ball = &grid->balls[i];
    int end = grid->start[bucket_of(grid, ball->key) + 1];
    for (int k = i + 1; k < end; ++k)
      if (grid->balls[k].key == ball->key) compare(&found, ball, &grid->balls[k]);
    compare_cells(&found, ball, grid, ball->key, 13, steps + 14);
  }
  phase->found = found;
}

/* Compares the balls of one grid with the balls of a grid with larger cells. Cell numbers in the larger cells are
 * smaller, so every ball has a valid cell. */
static void compare_across(tacBroadPhase *phase, const Grid *small, const Grid *large) {
  Found found = phase->found;
  for (int i = 0; i < small->count; ++i) {
    const Ball *ball = &small->balls[i];
    uint64_t key;
    (void)cell_of(large, ball->centre, &key);
    compare_cells(&found, ball, large, key, 27, steps);
  }
  phase->found = found;
}

static void compare_list(tacBroadPhase *phase) {
  Found found = phase->found;
  for (int k = 0; k < phase->list_count; ++k) {
    const Ball *ball = &phase->balls[phase->list[k]];
    for (int i = 0; i < phase->body_most; ++i) {
      int place = phase->place[i];
      if (place >= 0 || (place == IN_LIST && i > ball->body)) compare(&found, ball, &phase->balls[i]);
    }
  }
  phase->found = found;
}

/* Sorts pairs by body b if `second`, else by body a. The counting sort is stable. */
static void sort_by(tacBroadPhase *phase, bool second, const tacBodyPair *from, tacBodyPair *to) {
  int *first = phase->first;
  memset(first, 0, (size_t)(phase->body_most + 1) * sizeof *first);
  for (int i = 0; i < phase->found.count; ++i) ++first[(second ? from[i].b : from[i].a) + 1];
  for (int i = 0; i < phase->body_most; ++i) first[i + 1] += first[i];
  for (int i = 0; i < phase->found.count; ++i) {
    int at = first[second ? from[i].b : from[i].a]++;
    to[at] = from[i];
  }
}

tacBroadPhasePairs tac_broad_phase_find(tacBroadPhase *phase) {
  phase->found = (Found){.pairs = phase->pairs, .most = phase->pair_most};
  choose_grids(phase);
  fill_grids(phase);
  compare_list(phase);
  for (int g = 0; g < phase->grid_count; ++g) {
    compare_within(phase, &phase->grids[g]);
    for (int l = 0; l < g; ++l) compare_across(phase, &phase->grids[g], &phase->grids[l]);
  }
  sort_by(phase, true, phase->pairs, phase->other);
  sort_by(phase, false, phase->other, phase->pairs);
  return (tacBroadPhasePairs){phase->pairs, phase->found.count, phase->found.lost};
}
