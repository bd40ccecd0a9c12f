#include "app/cli/commands/fclib_file.h"
#include "contact/contact_problem.h"

#include <math.h>
#include <string.h>
#include "test.h"

/* Two contacts: W = [A B; B A], of which B has three entries. A is not symmetric. */
static const double block_a[9] = {2.0, 0.5, 0.0, 0.75, 3.0, 0.0, 0.0, 0.0, 4.0};
static const double block_b[9] = {1.0, 0.0, 0.0, 0.0, 0.75, 0.0, 0.0, 0.0, 0.25};
static const double motion[6] = {-1.0 / 3.0, 0.5, 0.25, -2.0, 0.1, 0.0}, friction[2] = {0.5, 0.25};

static double entry(int row, int column) {
  const double *block = row / 3 == column / 3 ? block_a : block_b;
  return block[3 * (row % 3) + column % 3];
}

static tacContactProblem *make_problem(int dimension) {
  tacContactEntry entries[36];
  double moved[6];
  int size = 2 * dimension;
  for (int k = 0; k < size * size; ++k) {
    int row = k / size, column = k % size;
    entries[k] = (tacContactEntry){
        row, column, entry(row / dimension * 3 + row % dimension, column / dimension * 3 + column % dimension)};
  }
  for (int k = 0; k < size; ++k) moved[k] = motion[k / dimension * 3 + k % dimension];
  tacContactProblemDef def = {dimension, 2, size * size, entries, moved, friction};
  tacContactProblem *problem;
  tac_test_ok(tac_contact_problem_create(&def, &problem, &error), error);
  return problem;
}

static const char *path;

static void choose_path(void) {
  path = tac_test_path("problem.hdf5");
}
TAC_TEST_AROUND(choose_path, NULL)

#ifdef TAC_HAS_HDF5

#include <hdf5.h>

static void check_same(const tacContactProblem *a, const tacContactProblem *b, double tolerance) {
  ck_assert_int_eq(a->dimension, b->dimension);
  ck_assert_int_eq(a->count, b->count);
  int count = a->count;
  ck_assert_mem_eq(a->first, b->first, (size_t)(count + 1) * sizeof *a->first);
  ck_assert_mem_eq(a->column, b->column, (size_t)a->first[count] * sizeof *a->column);
  for (int k = 0; k < 9 * a->first[count]; ++k) ck_assert_double_le(fabs(a->entries[k] - b->entries[k]), tolerance);
  for (int k = 0; k < 3 * count; ++k) ck_assert_double_le(fabs(a->free[k] - b->free[k]), tolerance);
  for (int k = 0; k < count; ++k) ck_assert_double_eq(a->friction[k], b->friction[k]);
}

static tacContactProblem *accept(bool *solved) {
  tacContactProblem *problem;
  ck_assert(tac_fclib_file_recognise(path));
  tac_test_ok(tac_fclib_file_read(path, &problem, solved, &error), error);
  return problem;
}

static void refuse(const char *says) {
  tacContactProblem *problem;
  bool solved;
  ck_assert_int_ne(tac_fclib_file_read(path, &problem, &solved, &error), TAC_OK);
  ck_assert_ptr_null(problem);
  ck_assert_msg(strstr(error.text, "problem.hdf5") != NULL && strstr(error.text, says) != NULL, "'%s' expected in '%s'",
                says, error.text);
}

TAC_TEST(problems_and_solutions_survive_round_trips) {
  for (int dimension = 2; dimension <= 3; ++dimension)
    for (int with = 0; with < 2; ++with) {
      TAC_OWN(tacContactProblem, problem) = make_problem(dimension);
      error = (tacError){0};
      bool solved;
      for (int k = 0; k < 6; ++k) {
        problem->force[k] = k % 3 < dimension ? 0.1 + k : 0.0;
        problem->motion[k] = k % 3 < dimension ? 1.0 / (1 + k) : 0.0;
      }
      tac_test_ok(tac_fclib_file_write(problem, path, with != 0, &error), error);
      TAC_OWN(tacContactProblem, back) = accept(&solved);
      ck_assert_int_eq(solved, with);
      check_same(problem, back, 0.0);
      for (int k = 0; k < 6; ++k) {
        ck_assert_double_eq(back->force[k], with ? problem->force[k] : 0.0);
        ck_assert_double_eq(back->motion[k], with ? problem->motion[k] : 0.0);
      }
    }
}

/* Files as other programs write them, and wrong in one place: what `change` names has other numbers. */
typedef struct Change {
  const char *name;
  bool integers;
  int count; /* -1: it is not there */
  double numbers[48];
} Change;

static const Change none = {.name = ""};

static void put(hid_t file, const Change *change, const char *name, bool integers, int count, const double *numbers) {
  int whole[64];
  if (strcmp(change->name, name) == 0) {
    integers = change->integers;
    count = change->count;
    numbers = change->numbers;
  }
  if (count < 0) return;
  for (int k = 0; k < count; ++k) whole[k] = integers ? (int)numbers[k] : 0;
  hsize_t size = (hsize_t)count;
  hid_t space = H5Screate_simple(1, &size, NULL), type = integers ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE;
  hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  ck_assert(set >= 0);
  if (count > 0)
    ck_assert_int_ge(
        H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, integers ? (const void *)whole : (const void *)numbers), 0);
  H5Dclose(set);
  H5Sclose(space);
}

static void put_integer(hid_t file, const Change *change, const char *name, int value) {
  double number = value;
  put(file, change, name, true, 1, &number);
}

static void make_group(hid_t file, const char *name) {
  H5Gclose(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}

/* kind: -1 columns, -2 rows, 1 triplets with rows in i, 2 triplets with rows in p. Entries that are zero are left
 * out. */
static void put_matrix(hid_t file, const Change *change, const char *group, int rows, int columns, const double *matrix,
                       int kind) {
  double p[64], i[64], x[64];
  int count = 0, lines = kind == -2 ? rows : columns, across = kind == -2 ? columns : rows;
  char name[64];
  make_group(file, group);
  for (int j = 0; j < lines; ++j) {
    if (kind < 0) p[j] = count;
    for (int k = 0; k < across; ++k) {
      int row = kind == -2 ? j : k, column = kind == -2 ? k : j;
      double value = matrix[row * columns + column];
      if (value == 0.0) continue;
      if (kind > 0) p[count] = kind == 1 ? column : row;
      i[count] = kind == 2 ? column : kind == 1 ? row : k;
      x[count++] = value;
    }
  }
  if (kind < 0) p[lines] = count;
  const struct {
    const char *letter;
    int value;
  } integers[] = {{"m", rows}, {"n", columns}, {"nz", kind < 0 ? kind : count}, {"nzmax", count}};
  for (size_t k = 0; k < 4; ++k) {
    snprintf(name, sizeof name, "%s/%s", group, integers[k].letter);
    put_integer(file, change, name, integers[k].value);
  }
  const double *const arrays[] = {p, i, x};
  for (int k = 0; k < 3; ++k) {
    snprintf(name, sizeof name, "%s/%c", group, "pix"[k]);
    put(file, change, name, k < 2, k == 0 && kind < 0 ? lines + 1 : count, arrays[k]);
  }
}

static void write_local(int kind, const Change *change) {
  double w[36];
  for (int k = 0; k < 36; ++k) w[k] = entry(k / 6, k % 6);
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  make_group(file, "/fclib_local");
  make_group(file, "/fclib_local/vectors");
  put_integer(file, change, "/fclib_local/spacedim", 3);
  put_matrix(file, change, "/fclib_local/W", 6, 6, w, kind);
  put(file, change, "/fclib_local/vectors/q", false, 6, motion);
  put(file, change, "/fclib_local/vectors/mu", false, 2, friction);
  if (strncmp(change->name, "/solution", 9) == 0) {
    make_group(file, "/solution");
    bool empty = strcmp(change->name, "/solution") == 0;
    if (!empty) put(file, change, "/solution/u", false, 6, motion);
    if (!empty) put(file, change, "/solution/r", false, 6, motion);
  }
  if (strcmp(change->name, "/fclib_local/V") == 0) make_group(file, "/fclib_local/V");
  H5Fclose(file);
}

/* Of a square matrix nothing tells which index of triplets is the row: CSparse's is taken. */
TAC_TEST(every_order_of_entries_is_read) {
  const int kinds[] = {-1, -2, 1};
  TAC_OWN(tacContactProblem, problem) = make_problem(3);
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
    bool solved;
    write_local(kinds[k], &none);
    TAC_OWN(tacContactProblem, read) = accept(&solved);
    check_same(problem, read, 0.0);
  }
}

TAC_TEST(errors_name_the_fault) {
  static const struct {
    int kind;
    Change change;
    const char *says;
  } wrong[] = {
      {-1, {"/fclib_local/spacedim", true, 1, {4}}, "expected 2 or 3"},
      {-1, {"/fclib_local/spacedim", true, 2, {3, 3}}, "one number"},
      {-1, {"/fclib_local/spacedim", false, 1, {3}}, "contains no integers"},
      {-1, {"/fclib_local/spacedim", true, -1, {0}}, "expected a dataset /fclib_local/spacedim"},
      {-1, {"/fclib_local/W/m", true, 1, {-6}}, "at least 0 x 0"},
      {-1, {"/fclib_local/W/m", true, 1, {9}}, "square"},
      {-1, {"/fclib_local/W/m", true, 1, {2147483647}}, "2147483647 x 6"},
      {-1, {"/fclib_local/W/n", true, 1, {7}}, "expected 8 ascending numbers in /fclib_local/W/p"},
      {-1, {"/fclib_local/W/n", true, 1, {2147483647}}, "6 x 2147483647"},
      {-1, {"/fclib_local/W/nz", true, 1, {-3}}, "nz of at least -2"},
      {-1, {"/fclib_local/W/nz", true, 1, {1000000}}, "expected 1000000 entries"},
      {-1, {"/fclib_local/W/p", true, 7, {1, 3, 6, 8, 11, 14, 16}}, "ascending numbers"},
      {-1, {"/fclib_local/W/p", true, 7, {0, 9, 6, 8, 11, 14, 16}}, "ascending numbers"},
      {-1, {"/fclib_local/W/p", true, 7, {0, 3, 6, 8, 11, 14, 1000}}, "ascending numbers"},
      {-1, {"/fclib_local/W/p", true, 7, {0, -3, 6, 8, 11, 14, 16}}, "ascending numbers"},
      {-1, {"/fclib_local/W/p", true, 3, {0, 3, 6}}, "ascending numbers"},
      {-1, {"/fclib_local/W/i", true, 16, {0, 1, 6}}, "outside its size of 6 x 6"},
      {-1, {"/fclib_local/W/i", true, 16, {0, -1}}, "outside its size of 6 x 6"},
      {-1, {"/fclib_local/W/x", false, 2, {1, 1}}, "(at most 2)"},
      {-1, {"/fclib_local/W/x", false, 16, {NAN, 1}}, "NaN or infinite entry"},
      {1, {"/fclib_local/W/p", true, 16, {0, 7}}, "outside its size of 6 x 6"},
      {1, {"/fclib_local/W/nz", true, 1, {17}}, "expected 17 entries"},
      {-2, {"/fclib_local/vectors/q", false, 5, {1}}, "expected 6 numbers"},
      {-2,
       {"/fclib_local/vectors/q", false, 6, {1, INFINITY}},
       "number 1 of /fclib_local/vectors/q is NaN or infinite"},
      {-2, {"/fclib_local/vectors/mu", false, 3, {1}}, "expected 2 numbers"},
      {-2, {"/fclib_local/vectors/mu", false, 2, {0.5, -0.5}}, "friction of contact 1"},
      {-2, {"/fclib_local/vectors/mu", false, -1, {0}}, "expected a dataset"},
      {-2, {"/solution/r", false, 3, {0}}, "expected 6 numbers in /solution/r"},
      {-2, {"/fclib_local/V", false, 0, {0}}, "equality constraints"},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    write_local(wrong[k].kind, &wrong[k].change);
    refuse(wrong[k].says);
  }
}

/* A problem whose u0 is a dataset of so many numbers that were never written. */
static void write_without_motion(hsize_t size, hid_t list) {
  write_local(-1, &(Change){"/fclib_local/vectors/q", false, -1, {0}});
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), space = H5Screate_simple(1, &size, NULL);
  H5Dclose(H5Dcreate2(file, "/fclib_local/vectors/q", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT));
  H5Sclose(space);
  H5Fclose(file);
}

/* A dataset of 2^31 - 2 numbers that were never written, in a file of some kB. */
TAC_TEST(stated_sizes_allocate_no_memory) {
  write_without_motion(2147483646, H5P_DEFAULT);
  refuse("claims 2147483646 numbers and holds 0 bytes");
}

/* A dataset that is not written: contiguous or in chunks, with a fill value. `size` 0: without extent. */
static void add_unwritten(const char *name, hsize_t size, bool chunks, double fill) {
  const hsize_t chunk = 6;
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), list = H5Pcreate(H5P_DATASET_CREATE);
  hid_t space = size > 0 ? H5Screate_simple(1, &size, NULL) : H5Screate(H5S_NULL);
  H5Pset_fill_value(list, H5T_NATIVE_DOUBLE, &fill);
  if (chunks) H5Pset_chunk(list, 1, &chunk);
  hid_t set = H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  ck_assert(set >= 0);
  H5Dclose(set);
  H5Sclose(space);
  H5Pclose(list);
  H5Fclose(file);
}

/* The problem is read and has no solution. */
static void expect_no_solution(const tacContactProblem *problem) {
  bool solved;
  TAC_OWN(tacContactProblem, read) = accept(&solved);
  ck_assert(!solved);
  check_same(problem, read, 0.0);
  for (int k = 0; k < 6; ++k) ck_assert(read->force[k] == 0.0 && read->motion[k] == 0.0);
}

/* HDF5 gives a dataset its storage at the first write. Until then it reads as its fill value, which is legal and no
 * solution; nor is a group without datasets, or one of the two alone. */
TAC_TEST(unwritten_solutions_are_absent) {
  static const Change missing = {"/solution/r", false, -1, {0}}, empty = {"/solution", false, 0, {0}};
  TAC_OWN(tacContactProblem, problem) = make_problem(3);
  static const struct {
    hsize_t size;
    bool chunks;
    double fill;
  } sets[] = {{6, false, 0.0}, {6, true, 0.0}, {6, false, 7.0},          {6, true, 7.0},
              {6, false, NAN}, {6, true, NAN}, {2147483646, false, 0.0}, {0, false, 0.0}};
  write_local(-1, &none);
  expect_no_solution(problem);
  write_local(-1, &empty);
  expect_no_solution(problem);
  write_local(-1, &missing);
  expect_no_solution(problem);
  for (size_t k = 0; k < sizeof sets / sizeof *sets; ++k) {
    write_local(-1, &empty);
    add_unwritten("/solution/u", sets[k].size, sets[k].chunks, sets[k].fill);
    add_unwritten("/solution/r", sets[k].size, sets[k].chunks, sets[k].fill);
    expect_no_solution(problem);
    write_local(-1, &missing); /* u is written, r is not */
    add_unwritten("/solution/r", sets[k].size, sets[k].chunks, sets[k].fill);
    expect_no_solution(problem);
  }
}

TAC_TEST(numbers_in_other_files_are_refused) {
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(list, "/etc/passwd", 0, 48);
  write_without_motion(6, list);
  H5Pclose(list);
  refuse("stored in another file");
}

TAC_TEST(links_into_other_files_are_not_followed) {
  const char *other = tac_test_path("other.hdf5");
  write_local(-1, &none);
  ck_assert_int_eq(rename(path, other), 0);
  write_local(-1, &(Change){"/fclib_local/vectors/q", false, -1, {0}});
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  ck_assert_int_ge(
      H5Lcreate_external(other, "/fclib_local/vectors/q", file, "/fclib_local/vectors/q", H5P_DEFAULT, H5P_DEFAULT), 0);
  H5Fclose(file);
  refuse("expected a dataset /fclib_local/vectors/q");
}

TAC_TEST(truncated_files_are_refused) {
  static unsigned char bytes[65536];
  write_local(-1, &none);
  FILE *file = fopen(path, "rb");
  size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  ck_assert_int_lt((int)size, (int)sizeof bytes);
  for (size_t cut = 8; cut < size - 64; cut += tac_test_light() ? 997 : 97) {
    file = fopen(path, "wb");
    fwrite(bytes, 1, cut, file);
    fclose(file);
    refuse("");
  }
  tac_test_write("problem.hdf5", "3 1 0");
  ck_assert(!tac_fclib_file_recognise(path));
  refuse("not an HDF5 file");
}

/* M v = H r + f, u = H^T v + w: two contacts on a body of four coordinates with a full M, one of which is apart from
 * the rest. */
static const double mass[16] = {4.0, 1.0, 0.5, 0.0, 1.0, 3.0, 0.25, 0.0, 0.5, 0.25, 2.0, 0.0, 0.0, 0.0, 0.0, 5.0};
static const double jacobian[24] = {1.0, 0.0, 0.0, 0.5, 0.0, 0.0,  0.0, 1.0, 0.0, 0.0, 1.0, 0.0,
                                    0.0, 0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0};
static const double load[4] = {1.0, -2.0, 0.5, 3.0};

static void write_global(int kind, const Change *change) {
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  make_group(file, "/fclib_global");
  make_group(file, "/fclib_global/vectors");
  put_integer(file, change, "/fclib_global/spacedim", 3);
  put_matrix(file, change, "/fclib_global/M", 4, 4, mass, kind);
  put_matrix(file, change, "/fclib_global/H", 4, 6, jacobian, kind);
  put(file, change, "/fclib_global/vectors/f", false, 4, load);
  put(file, change, "/fclib_global/vectors/w", false, 6, motion);
  put(file, change, "/fclib_global/vectors/mu", false, 2, friction);
  if (strcmp(change->name, "/fclib_global/G") == 0) make_group(file, "/fclib_global/G");
  H5Fclose(file);
}

/* x := M^-1 x by Gauss and Jordan, without pivots: M is positive definite. */
static void solve_mass(double x[4]) {
  double m[4][5];
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 4; ++c) m[r][c] = mass[4 * r + c];
    m[r][4] = x[r];
  }
  for (int k = 0; k < 4; ++k)
    for (int r = 0; r < 4; ++r) {
      double factor = m[r][k] / m[k][k];
      for (int c = 0; r != k && c < 5; ++c) m[r][c] -= factor * m[k][c];
    }
  for (int r = 0; r < 4; ++r) x[r] = m[r][4] / m[r][r];
}

TAC_TEST(global_problems_become_local) {
  tacContactEntry entries[36];
  double moved[6], free_velocity[4];
  memcpy(free_velocity, load, sizeof load);
  solve_mass(free_velocity);
  for (int i = 0; i < 6; ++i) {
    double column[4];
    moved[i] = motion[i];
    for (int r = 0; r < 4; ++r) column[r] = jacobian[6 * r + i];
    for (int r = 0; r < 4; ++r) moved[i] += jacobian[6 * r + i] * free_velocity[r];
    solve_mass(column);
    for (int j = 0; j < 6; ++j) {
      entries[6 * i + j] = (tacContactEntry){j, i, 0.0};
      for (int r = 0; r < 4; ++r) entries[6 * i + j].value += jacobian[6 * r + j] * column[r];
    }
  }
  tacContactProblemDef def = {3, 2, 36, entries, moved, friction};
  TAC_CREATE(tacContactProblem, problem, tac_contact_problem_create(&def, &problem, &error));
  const int kinds[] = {-1, -2, 1, 2};
  for (size_t k = 0; k < 4; ++k) {
    bool solved;
    write_global(kinds[k], &none);
    TAC_OWN(tacContactProblem, read) = accept(&solved);
    check_same(problem, read, 1e-14);
  }
  static const struct {
    Change change;
    const char *says;
  } wrong[] = {
      {{"/fclib_global/G", false, 0, {0}}, "equality constraints (/fclib_global/G)"},
      {{"/fclib_global/M/x", false, 10, {-4, 1, 0.5, 1, 3, 0.25, 0.5, 0.25, 2, 5}}, "/fclib_global/M"},
      {{"/fclib_global/vectors/f", false, 3, {0}}, "expected 4 numbers"},
      {{"/fclib_global/H/m", true, 1, {5}}, "an H with as many rows"},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    write_global(-1, &wrong[k].change);
    refuse(wrong[k].says);
  }
}

#else

TAC_TEST(without_hdf5_every_call_reports_it) {
  TAC_OWN(tacContactProblem, problem) = make_problem(3);
  tacContactProblem *read;
  bool solved;
  tac_test_refused(tac_fclib_file_write(problem, path, true, &error), TAC_ERR_UNSUPPORTED, error, "without HDF5");
  tac_test_refused(tac_fclib_file_read(path, &read, &solved, &error), TAC_ERR_UNSUPPORTED, error, "without HDF5");
  ck_assert_ptr_null(read);
}

#endif
