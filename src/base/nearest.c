#include "base/nearest.h"

#include <stddef.h>
#include <string.h>

#define NAME_MOST 64

/* Edits (insert, delete, replace) that turn `a` into `b`; adding characters at the end of `a` costs nothing more than one,
 * so that an abbreviation finds its word. */
static int edit_distance(const char *a, const char *b) {
  size_t n = strlen(a), m = strlen(b);
  if (n > NAME_MOST || m > NAME_MOST) return NAME_MOST;
  if (n > 2 && m > n && strncmp(a, b, n) == 0) return 1;
  int row[NAME_MOST + 1];
  for (size_t j = 0; j <= m; ++j) row[j] = (int)j;
  for (size_t i = 1; i <= n; ++i) {
    int diagonal = row[0];
    row[0] = (int)i;
    for (size_t j = 1; j <= m; ++j) {
      int best = diagonal + (a[i - 1] != b[j - 1]);
      if (row[j] + 1 < best) best = row[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      diagonal = row[j];
      row[j] = best;
    }
  }
  return row[m];
}

void tac_nearest_offer(tacNearest *nearest, const char *name) {
  int distance = edit_distance(nearest->given, name);
  if (nearest->best != NULL && distance >= nearest->distance) return;
  nearest->best = name;
  nearest->distance = distance;
}
