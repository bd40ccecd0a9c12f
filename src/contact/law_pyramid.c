#include "contact/law_pyramid.h"

#include <math.h>
#include <string.h>
#include "contact/delassus.h"
#include "math/random.h"

static const double DISTURBANCE = 1e-9, LEAST_PIVOT = 1e-11; /* of W and u0 as scaled */

static int bounded(int sides) {
  return sides < 3 ? 3 : sides > TAC_PYRAMID_MOST_SIDES ? TAC_PYRAMID_MOST_SIDES : sides;
}

size_t tac_law_pyramid_room(int count, int sides) {
  size_t n = (size_t)count * (size_t)(bounded(sides) + 2);
  return TAC_ARENA_ALIGNMENT + tac_law_iterate_rounded(n * (n + 3), sizeof(double)) +
         tac_law_iterate_rounded(n, sizeof(int)) + tac_law_iterate_rounded(n + 1, sizeof(int)) +
         tac_law_iterate_rounded((size_t)count, sizeof(bool));
}

/* Lemke's tableau: basic = constant + sum over the others. Variables: 0 ... n - 1 are w, n ... 2 n - 1 z, 2 n z_0. */
typedef struct Tableau {
  size_t n, width; /* rows; others, then the constant, then the constant disturbed */
  double *a;       /* [n][width] */
  int *basic;      /* [n] */
  int *other;      /* [n + 1] */
} Tableau;

/* The basic variable of a row changes places with one of the others. */
static void exchange(Tableau *t, size_t row, size_t column) {
  double *pivot = t->a + row * t->width, per = 1.0 / pivot[column];
  for (size_t k = 0; k < t->width; ++k) pivot[k] *= -per;
  pivot[column] = per;
  for (size_t r = 0; r < t->n; ++r) {
    double *to = t->a + r * t->width, factor = to[column];
    if (r == row || factor == 0.0) continue;
    to[column] = 0.0;
    for (size_t k = 0; k < t->width; ++k) to[k] += factor * pivot[k];
  }
  int moved = t->basic[row];
  t->basic[row] = t->other[column];
  t->other[column] = moved;
}

/* The row whose basic variable vanishes first as the other one of `column` grows; n: none does, a ray. */
static size_t blocking(const Tableau *t, size_t column) {
  size_t best = t->n;
  double least = INFINITY;
  for (size_t r = 0; r < t->n; ++r) {
    const double *row = t->a + r * t->width;
    if (row[column] >= -LEAST_PIVOT) continue;
    double ratio = -row[t->width - 1] / row[column];
    if (ratio < least) {
      least = ratio;
      best = r;
    }
  }
  return best;
}

/* M and the constant of (24), for contacts with friction and without, in units in which W_ii and u0 are about 1. */
static void fill(const tacLawIterate *iterate, const bool *out, int sides, double give, double move, Tableau *t) {
  const tacLawProblem *problem = iterate->problem;
  size_t each = (size_t)sides + 2, n = t->n;
  double axes[TAC_PYRAMID_MOST_SIDES + 1][3] = {{1.0, 0.0, 0.0}};
  for (int s = 0; s < sides; ++s) {
    double angle = 2.0 * 3.14159265358979323846 * s / sides;
    axes[s + 1][1] = cos(angle);
    axes[s + 1][2] = sin(angle);
  }
  memset(t->a, 0, n * t->width * sizeof *t->a);
  tacRandom random = tac_random_seed(1);
  for (int i = 0; i < problem->count; ++i) {
    double u0[3];
    tac_law_iterate_free(&problem->contacts[i], u0);
    for (int j = 0; j < problem->count; ++j) {
      if (out[i] || out[j]) continue;
      tacMat3 block = tac_delassus_block(problem, i, j);
      for (size_t p = 0; p + 1 < each; ++p) {
        double g[3];
        for (int c = 0; c < 3; ++c)
          g[c] = (axes[p][0] * block.m[0][c] + axes[p][1] * block.m[1][c] + axes[p][2] * block.m[2][c]) / give;
        double *row = t->a + ((size_t)i * each + p) * t->width + (size_t)j * each;
        for (size_t q = 0; q + 1 < each; ++q) row[q] = g[0] * axes[q][0] + g[1] * axes[q][1] + g[2] * axes[q][2];
      }
    }
    for (size_t p = 0; p < each; ++p) {
      double *row = t->a + ((size_t)i * each + p) * t->width, *own = row + (size_t)i * each;
      double constant = 0.0;
      if (out[i]) {
        constant = 1.0; /* stays a basic one */
      } else if (p + 1 < each) {
        constant = (axes[p][0] * u0[0] + axes[p][1] * u0[1] + axes[p][2] * u0[2]) / move;
        own[each - 1] = p > 0 ? 1.0 : 0.0;
      } else {
        own[0] = problem->contacts[i].friction;
        for (size_t q = 1; q + 1 < each; ++q) own[q] = -1.0;
      }
      row[n] = 1.0; /* z_0 */
      row[n + 1] = constant;
      row[n + 2] = constant + DISTURBANCE * tac_random_uniform(&random, 0.5, 1.0);
    }
  }
  for (size_t k = 0; k < n; ++k) {
    t->basic[k] = (int)k;
    t->other[k] = (int)(n + k);
  }
  t->other[n] = (int)(2 * n);
}

/* Lemke's method. Returns whether z_0 left. */
static bool pivot_out(Tableau *t, int most, int *pivots) {
  size_t row = 0, column = t->n;
  for (size_t r = 1; r < t->n; ++r) /* z_0 comes in for the most negative */
    if (t->a[r * t->width + t->n + 2] < t->a[row * t->width + t->n + 2]) row = r;
  if (t->n == 0 || t->a[row * t->width + t->n + 2] >= 0.0) return true;
  while (*pivots < most) {
    int leaves = t->basic[row];
    exchange(t, row, column);
    ++*pivots;
    if (leaves == (int)(2 * t->n)) return true;
    int next = leaves < (int)t->n ? leaves + (int)t->n : leaves - (int)t->n; /* its complement comes in */
    for (column = 0; t->other[column] != next; ++column) continue;
    row = blocking(t, column);
    if (row == t->n) return false;
  }
  return false;
}

tacLawPyramidReport tac_law_pyramid_improve(tacLawIterate *iterate, int sides, int most_pivots, tacArena *arena) {
  const tacLawProblem *problem = iterate->problem;
  tacLawPyramidReport report = {.ray = true};
  tacArenaMark mark = tac_arena_mark(arena);
  int k = bounded(sides);
  size_t each = (size_t)k + 2, n = (size_t)problem->count * each;
  Tableau t = {.n = n, .width = n + 3};
  bool *out = tac_arena_array(arena, (size_t)problem->count, sizeof *out);
  t.a = tac_arena_array(arena, n * t.width, sizeof *t.a);
  t.basic = tac_arena_array(arena, n, sizeof *t.basic);
  t.other = tac_arena_array(arena, n + 1, sizeof *t.other);
  memset(iterate->forces, 0, 3 * (size_t)problem->count * sizeof *iterate->forces);
  if (out != NULL && t.a != NULL && t.basic != NULL && t.other != NULL) {
    double give = 0.0, move = 0.0;
    for (int i = 0; i < problem->count; ++i) {
      const tacLawContact *c = &problem->contacts[i];
      tacMat3 block = tac_law_iterate_block(iterate, i);
      out[i] = c->grabbed || !tac_law_iterate_usable(c, &block);
      iterate->refused[i] = out[i] && !(c->gap >= 0.0);
      if (out[i]) continue;
      give = fmax(give, block.m[0][0]);
      move = fmax(move, sqrt(c->gap * c->gap + c->slip[0] * c->slip[0] + c->slip[1] * c->slip[1]));
    }
    if (give > 0.0 && move > 0.0) {
      fill(iterate, out, k, give, move, &t);
      report.ray = !pivot_out(&t, most_pivots, &report.pivots);
      for (size_t r = 0; r < n; ++r) { /* z that are basic have their row's constant */
        if (t.basic[r] < (int)n || t.basic[r] >= (int)(2 * n)) continue;
        size_t z = (size_t)t.basic[r] - n, i = z / each, p = z % each;
        double value = fmax(t.a[r * t.width + n + 1], 0.0) * move / give, *f = iterate->forces + 3 * i;
        double angle = 2.0 * 3.14159265358979323846 * ((double)p - 1.0) / k;
        if (p == 0) f[0] = value;
        if (p > 0 && p + 1 < each) {
          f[1] += value * cos(angle);
          f[2] += value * sin(angle);
        }
      }
    } else {
      report.ray = false;
    }
  }
  tac_law_iterate_cut(iterate);
  tac_law_iterate_refresh(iterate);
  tac_arena_release(arena, mark);
  return report;
}
