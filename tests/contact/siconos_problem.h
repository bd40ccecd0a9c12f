/* Contact problems in the text format of Siconos, of three dimensions. */
#ifndef TAC_TESTS_CONTACT_SICONOS_PROBLEM_H
#define TAC_TESTS_CONTACT_SICONOS_PROBLEM_H

#include "contact/law_problem.h"
#include "test.h"

static inline double siconos_number(FILE *file) {
  double value = NAN;
  ck_assert_int_eq(fscanf(file, "%lf", &value), 1);
  return value;
}

static inline int siconos_whole(FILE *file) {
  return (int)siconos_number(file);
}

/* W, q and mu of a problem in three dimensions; returns its contacts. */
static inline int siconos_problem_read(const char *path, tacLawContact **contacts, double **w) {
  FILE *file = fopen(path, "r");
  ck_assert_msg(file != NULL, "%s", path);
  ck_assert_int_eq(siconos_whole(file), 3);
  int count = siconos_whole(file), storage = siconos_whole(file), rows = siconos_whole(file),
      columns = siconos_whole(file);
  ck_assert(count > 0 && count < 1000 && rows == 3 * count && columns == rows);
  size_t n = (size_t)rows;
  *w = calloc(n * n, sizeof **w);
  *contacts = calloc((size_t)count, sizeof **contacts);
  if (storage == 0) { /* rows and columns once more */
    ck_assert(siconos_whole(file) == rows && siconos_whole(file) == columns);
    for (size_t i = 0; i < n * n; ++i) (*w)[i % n * n + i / n] = siconos_number(file);
  } else { /* blocks in rows: their number, rows and columns of blocks, where those end, starts, columns, values */
    int blocks = siconos_whole(file);
    ck_assert(siconos_whole(file) == count && siconos_whole(file) == count);
    for (int i = 0; i < 2 * count; ++i) siconos_whole(file);
    int starts = siconos_whole(file), filled = siconos_whole(file);
    ck_assert(filled == blocks && starts == count + 1);
    int *begin = calloc((size_t)starts, sizeof *begin), *column = calloc((size_t)filled, sizeof *column);
    for (int i = 0; i < starts; ++i) begin[i] = siconos_whole(file);
    for (int i = 0; i < filled; ++i) column[i] = siconos_whole(file);
    for (int i = 0; i < count; ++i)
      for (int k = begin[i]; k < begin[i + 1]; ++k) {
        ck_assert_int_eq(siconos_whole(file), k);
        for (size_t e = 0; e < 9; ++e)
          (*w)[(3 * (size_t)i + e % 3) * n + 3 * (size_t)column[k] + e / 3] = siconos_number(file);
      }
    free(begin);
    free(column);
  }
  for (int i = 0; i < count; ++i) {
    tacLawContact *contact = &(*contacts)[i];
    contact->gap = siconos_number(file);
    contact->slip[0] = siconos_number(file);
    contact->slip[1] = siconos_number(file);
    contact->part[0] = -1;
    contact->part[1] = -1;
  }
  for (int i = 0; i < count; ++i) (*contacts)[i].friction = siconos_number(file);
  fclose(file);
  return count;
}

#endif
