/* Contact problems in the text format of Siconos. */
#pragma once

#include "contact/laws/law_problem.h"
#include "test.h"

static inline double siconos_number(FILE *file) {
  double value = NAN;
  ck_assert_int_eq(fscanf(file, "%lf", &value), 1);
  return value;
}

static inline int siconos_whole(FILE *file) {
  return (int)siconos_number(file);
}

/* W [3 count][3 count], q and mu as the file has them; those of a plane have a second tangent that nothing else knows of.
 * Returns its contacts. */
static inline int siconos_problem_read(const char *path, tacLawContact **contacts, double **w) {
  FILE *file = fopen(path, "r");
  ck_assert_msg(file != NULL, "%s", path);
  int d = siconos_whole(file);
  ck_assert(d == 2 || d == 3);
  int count = siconos_whole(file), storage = siconos_whole(file), rows = siconos_whole(file),
      columns = siconos_whole(file);
  ck_assert(count > 0 && count < 1000 && rows == d * count && columns == rows);
  size_t m = (size_t)count, n = 3 * m, e = (size_t)d;
  *w = calloc(n * n, sizeof **w);
  *contacts = calloc(m, sizeof **contacts);
  if (storage == 0) { /* rows and columns once more */
    ck_assert(siconos_whole(file) == rows && siconos_whole(file) == columns);
    for (size_t c = 0; c < e * m; ++c)
      for (size_t r = 0; r < e * m; ++r) (*w)[(r / e * 3 + r % e) * n + c / e * 3 + c % e] = siconos_number(file);
  } else { /* blocks in rows: their number, rows and columns of blocks, where those end, starts, columns, values */
    int blocks = siconos_whole(file);
    ck_assert(siconos_whole(file) == count && siconos_whole(file) == count);
    for (int i = 0; i < 2 * count; ++i) siconos_whole(file);
    int starts = siconos_whole(file), filled = siconos_whole(file);
    ck_assert(filled == blocks && starts == count + 1);
    TAC_MEMORY(int, begin) = calloc((size_t)starts, sizeof *begin);
    TAC_MEMORY(int, column) = calloc((size_t)filled, sizeof *column);
    for (int i = 0; i < starts; ++i) begin[i] = siconos_whole(file);
    for (int i = 0; i < filled; ++i) column[i] = siconos_whole(file);
    for (size_t i = 0; i < m; ++i)
      for (int k = begin[i]; k < begin[i + 1]; ++k) {
        ck_assert_int_eq(siconos_whole(file), k);
        for (size_t c = 0; c < e; ++c)
          for (size_t r = 0; r < e; ++r) (*w)[(3 * i + r) * n + 3 * (size_t)column[k] + c] = siconos_number(file);
      }
  }
  for (size_t i = 0; i < m; ++i) {
    tacLawContact *contact = &(*contacts)[i];
    contact->gap = siconos_number(file);
    for (int a = 0; a < d - 1; ++a) contact->slip[a] = siconos_number(file);
    contact->part[0] = -1;
    contact->part[1] = -1;
    if (d == 2) (*w)[(3 * i + 2) * (n + 1)] = (*w)[(3 * i + 1) * (n + 1)];
  }
  for (int i = 0; i < count; ++i) (*contacts)[i].friction = siconos_number(file);
  fclose(file);
  return count;
}
