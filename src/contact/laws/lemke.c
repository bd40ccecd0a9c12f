#include "contact/laws/lemke.h"

#include <math.h>
#include <string.h>
#include "contact/laws/law_iterate.h"
#include "math/random.h"

static const double DISTURBANCE = 1e-9, LEAST_PIVOT = 1e-11;

size_t tac_lemke_room(size_t n) {
  return tac_law_iterate_rounded(n * (n + 3), sizeof(double)) + tac_law_iterate_rounded(n, sizeof(int)) +
         tac_law_iterate_rounded(n + 1, sizeof(int));
}

bool tac_lemke_take(size_t n, tacArena *arena, tacLemke *lemke) {
  *lemke = (tacLemke){.n = n, .width = n + 3};
  lemke->a = tac_arena_array(arena, n * lemke->width, sizeof *lemke->a);
  lemke->basic = tac_arena_array(arena, n, sizeof *lemke->basic);
  lemke->other = tac_arena_array(arena, n + 1, sizeof *lemke->other);
  if (lemke->a == NULL || lemke->basic == NULL || lemke->other == NULL) return false;
  memset(lemke->a, 0, n * lemke->width * sizeof *lemke->a);
  return true;
}

/* Exchanges the basic variable of a row with a nonbasic one. */
static void exchange(tacLemke *t, size_t row, size_t column) {
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

/* Returns the row whose basic variable reaches zero first if the nonbasic variable of `column` grows. Returns n if no
 * basic variable reaches zero (a ray). */
static size_t blocking(const tacLemke *t, size_t column) {
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

bool tac_lemke_solve(tacLemke *t, int most_pivots, int *pivots) {
  size_t n = t->n, row = 0, column = n;
  tacRandom random = tac_random_seed(1);
  for (size_t r = 0; r < n; ++r) {
    double *to = t->a + r * t->width;
    to[n] = 1.0; /* coefficient of z_0 */
    to[n + 2] = to[n + 1] + DISTURBANCE * tac_random_uniform(&random, 0.5, 1.0);
    t->basic[r] = (int)r;
    t->other[r] = (int)(n + r);
    if (to[n + 2] < t->a[row * t->width + n + 2]) row = r; /* z_0 replaces the most negative variable */
  }
  t->other[n] = (int)(2 * n);
  if (n == 0 || t->a[row * t->width + n + 2] >= 0.0) return true;
  while (*pivots < most_pivots) {
    int leaves = t->basic[row];
    exchange(t, row, column);
    ++*pivots;
    if (leaves == (int)(2 * n)) return true;
    int next = leaves < (int)n ? leaves + (int)n : leaves - (int)n; /* complement of the leaving variable */
    for (column = 0; t->other[column] != next; ++column) continue;
    row = blocking(t, column);
    if (row == n) return false;
  }
  return false;
}
