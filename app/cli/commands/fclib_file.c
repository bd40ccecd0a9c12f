#include "app/cli/commands/fclib_file.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/files/input_file.h"
#include "base/text.h"

bool tac_fclib_file_recognise(const char *path) {
  static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  unsigned char bytes[sizeof signature];
  int descriptor;
  size_t size, filled = 0;
  if (tac_input_file_open(path, &descriptor, &size, NULL) != TAC_OK) return false;
  bool same = tac_input_file_read_at(descriptor, path, 0, sizeof bytes, bytes, &filled, NULL) == TAC_OK &&
              filled == sizeof bytes && memcmp(bytes, signature, sizeof bytes) == 0;
  close(descriptor);
  return same;
}

#ifdef TAC_HAS_HDF5

#include <hdf5.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include "base/files/new_file.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/memory/physical_memory.h"
#include "contact/contact_problem.h"
#include "math/sparse/factor.h"

TAC_OWNED_TYPE(tacContactProblem, tac_contact_problem_destroy)

/* Numbers in memory for a byte in the file: more than compression gives, less than fills the memory from a small
 * file. */
enum { MOST_EXPANSION = 256 };

typedef struct File {
  const char *path; /* for messages */
  hid_t id;
  tacError *error;
} File;

/* Until H5close, which forgets all of it. */
static void start_library(void) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* errors are ours to tell */
  H5PLset_loading_state(0);              /* no code of others for filters */
  H5Lunregister(H5L_TYPE_EXTERNAL);      /* no links into other files */
}

/* Reading */

static bool has(const File *file, const char *name) {
  hid_t id = H5Oopen(file->id, name, H5P_DEFAULT);
  if (id >= 0) H5Oclose(id);
  return id >= 0;
}

/* How many numbers a dataset has, where they can be read. */
static tacStatus check_dataset(const File *file, const char *name, hid_t set, bool integers, size_t *count) {
  hid_t space = H5Dget_space(set), type = H5Dget_type(set), list = H5Dget_create_plist(set);
  hssize_t points = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
  H5T_class_t kind = type >= 0 ? H5Tget_class(type) : H5T_NO_CLASS;
  size_t bytes = type >= 0 ? H5Tget_size(type) : 0;
  bool outside = list < 0 || H5Pget_external_count(list) != 0 || H5Pget_layout(list) == H5D_VIRTUAL;
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  if (list >= 0) H5Pclose(list);
  if (points < 0 || (kind != H5T_INTEGER && (integers || kind != H5T_FLOAT)))
    return tac_error_set(file->error, TAC_ERR_FORMAT, "%s: the dataset %s contains no %s", file->path, name,
                         integers ? "integers" : "numbers");
  if (outside)
    return tac_error_set(file->error, TAC_ERR_UNSUPPORTED,
                         "%s: the data of %s are stored in another file; store them in this one", file->path, name);
  hsize_t stored = H5Dget_storage_size(set);
  if ((hsize_t)points > INT_MAX || bytes > 16 || (hsize_t)points * bytes > MOST_EXPANSION * stored)
    return tac_error_set(file->error, TAC_ERR_FORMAT, "%s: %s claims %" PRIu64 " numbers and holds %" PRIu64 " bytes",
                         file->path, name, (uint64_t)points, (uint64_t)stored);
  *count = (size_t)points;
  return TAC_OK;
}

static void close_dataset(hid_t *set) {
  if (*set >= 0) H5Dclose(*set);
}

/* The numbers of a dataset, int or double; the caller frees them. */
static tacStatus read_numbers(const File *file, const char *name, bool integers, void **numbers, size_t *count) {
  *numbers = NULL;
  TAC_FREED(close_dataset, hid_t, set) = H5Dopen2(file->id, name, H5P_DEFAULT);
  if (set < 0) return tac_error_set(file->error, TAC_ERR_FORMAT, "%s: expected a dataset %s", file->path, name);
  TAC_TRY(check_dataset(file, name, set, integers, count));
  TAC_MEMORY(void, read) = tac_array_create(*count, integers ? sizeof(int) : sizeof(double), name, file->error);
  if (read == NULL) return TAC_ERR_MEMORY;
  if (*count > 0 &&
      H5Dread(set, integers ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, read) < 0)
    return tac_error_set(file->error, TAC_ERR_FORMAT, "%s: HDF5 cannot read the dataset %s", file->path, name);
  *numbers = tac_give(&read);
  return TAC_OK;
}

static tacStatus read_integers(const File *file, const char *name, int **numbers, size_t *count) {
  void *read;
  tacStatus status = read_numbers(file, name, true, &read, count);
  *numbers = read;
  return status;
}

/* Finite, and `expected` of them. */
static tacStatus read_vector(const File *file, const char *name, size_t expected, double **numbers) {
  TAC_MEMORY(void, read) = NULL;
  size_t count;
  *numbers = NULL;
  TAC_TRY(read_numbers(file, name, false, &read, &count));
  if (count != expected)
    return tac_error_set(file->error, TAC_ERR_FORMAT, "%s: expected %zu numbers in %s, found %zu", file->path, expected,
                         name, count);
  for (size_t i = 0; i < count; ++i)
    if (!isfinite(((const double *)read)[i]))
      return tac_error_set(file->error, TAC_ERR_FORMAT, "%s: number %zu of %s is NaN or infinite", file->path, i, name);
  *numbers = tac_give(&read);
  return TAC_OK;
}

static tacStatus read_integer(const File *file, const char *name, int *value) {
  TAC_MEMORY(int, numbers) = NULL;
  size_t count;
  TAC_TRY(read_integers(file, name, &numbers, &count));
  if (count != 1)
    return tac_error_set(file->error, TAC_ERR_FORMAT, "%s: expected one number in %s, found %zu", file->path, name,
                         count);
  *value = numbers[0];
  return TAC_OK;
}

/* A matrix as the file has it. */
typedef struct Matrix {
  const char *name; /* of its group */
  int rows, columns;
  int kind;      /* -1: by columns, -2: by rows; else triplets */
  int *p, *i;    /* as CSparse has them: of triplets, columns and rows */
  double *value; /* [value_count] */
  size_t p_count, i_count, value_count;
} Matrix;

static void destroy_matrix(Matrix *matrix) {
  free(matrix->p);
  free(matrix->i);
  free(matrix->value);
}

static tacText in_group(const char *group, const char *name) {
  tacText path;
  snprintf(path.text, sizeof path.text, "%.60s/%s", group, name);
  return path;
}

static tacStatus read_matrix_arrays(const File *file, Matrix *matrix) {
  const char *group = matrix->name;
  void *values;
  TAC_TRY(read_integer(file, in_group(group, "m").text, &matrix->rows));
  TAC_TRY(read_integer(file, in_group(group, "n").text, &matrix->columns));
  TAC_TRY(read_integer(file, in_group(group, "nz").text, &matrix->kind));
  TAC_TRY(read_integers(file, in_group(group, "p").text, &matrix->p, &matrix->p_count));
  TAC_TRY(read_integers(file, in_group(group, "i").text, &matrix->i, &matrix->i_count));
  TAC_TRY(read_numbers(file, in_group(group, "x").text, false, &values, &matrix->value_count));
  matrix->value = values;
  if (matrix->rows < 0 || matrix->columns < 0 || matrix->kind < -2)
    return tac_error_set(file->error, TAC_ERR_FORMAT,
                         "%s: expected a size of %s of at least 0 x 0 and nz of at least -2, found %d x %d and %d",
                         file->path, matrix->name, matrix->rows, matrix->columns, matrix->kind);
  return TAC_OK;
}

static bool within(const int *index, size_t count, int size) {
  for (size_t k = 0; k < count; ++k)
    if (index[k] < 0 || index[k] >= size) return false;
  return true;
}

/* FCLIB's description has rows in p and columns in i, CSparse and the programs that write such files the other way
 * round. */
static tacStatus triplets_of_triplets(const File *file, const Matrix *matrix, tacTriplets *triplets) {
  size_t count = (size_t)matrix->kind;
  if (count > matrix->p_count || count > matrix->i_count || count > matrix->value_count)
    return tac_error_set(file->error, TAC_ERR_FORMAT, "%s: expected %zu entries of %s, found %zu, %zu and %zu",
                         file->path, count, matrix->name, matrix->p_count, matrix->i_count, matrix->value_count);
  const int *row = matrix->i, *column = matrix->p;
  if (!within(row, count, matrix->rows) || !within(column, count, matrix->columns)) {
    row = matrix->p;
    column = matrix->i;
  }
  if (!within(row, count, matrix->rows) || !within(column, count, matrix->columns))
    return tac_error_set(file->error, TAC_ERR_FORMAT, "%s: %s has entries with indices outside its size of %d x %d",
                         file->path, matrix->name, matrix->rows, matrix->columns);
  for (size_t k = 0; k < count; ++k)
    TAC_TRY(tac_triplets_add(triplets, row[k], column[k], matrix->value[k], file->error));
  return TAC_OK;
}

static tacStatus triplets_of_lines(const File *file, const Matrix *matrix, tacTriplets *triplets) {
  bool by_rows = matrix->kind == -2;
  size_t lines = (size_t)(by_rows ? matrix->rows : matrix->columns);
  int across = by_rows ? matrix->columns : matrix->rows;
  size_t most = matrix->i_count < matrix->value_count ? matrix->i_count : matrix->value_count;
  bool right = matrix->p_count == lines + 1 && matrix->p[0] == 0;
  for (size_t j = 0; right && j < lines; ++j) right = matrix->p[j + 1] >= matrix->p[j];
  if (!right || (size_t)matrix->p[lines] > most)
    return tac_error_set(file->error, TAC_ERR_FORMAT,
                         "%s: expected %zu ascending numbers in %s/p, from 0 to the number of entries (at most %zu)",
                         file->path, lines + 1, matrix->name, most);
  if (!within(matrix->i, (size_t)matrix->p[lines], across))
    return tac_error_set(file->error, TAC_ERR_FORMAT, "%s: %s has entries with indices outside its size of %d x %d",
                         file->path, matrix->name, matrix->rows, matrix->columns);
  for (size_t j = 0; j < lines; ++j)
    for (int k = matrix->p[j]; k < matrix->p[j + 1]; ++k)
      TAC_TRY(tac_triplets_add(triplets, by_rows ? (int)j : matrix->i[k], by_rows ? matrix->i[k] : (int)j,
                               matrix->value[k], file->error));
  return TAC_OK;
}

/* The caller destroys `sparse`, whatever comes of it. */
static tacStatus read_matrix(const File *file, const char *name, tacSparse *sparse) {
  TAC_FREED(destroy_matrix, Matrix, matrix) = {.name = name};
  TAC_TRY(read_matrix_arrays(file, &matrix));
  TAC_FREED(tac_triplets_destroy, tacTriplets, triplets) = {.rows = matrix.rows, .cols = matrix.columns};
  size_t most =
      1000 + 16 * (matrix.p_count + matrix.value_count); /* rows and columns that numbers in the file justify */
  if ((size_t)matrix.rows > most || (size_t)matrix.columns > most)
    return tac_error_set(file->error, TAC_ERR_FORMAT,
                         "%s: %s has the size %d x %d, which is too large for its %zu entries", file->path, name,
                         matrix.rows, matrix.columns, matrix.value_count);
  TAC_TRY(matrix.kind >= 0 ? triplets_of_triplets(file, &matrix, &triplets)
                           : triplets_of_lines(file, &matrix, &triplets));
  TAC_TRY(tac_triplets_compress(&triplets, sparse, file->error));
  for (int k = 0; k < tac_sparse_count(sparse); ++k)
    if (!isfinite(sparse->value[k]))
      return tac_error_set(file->error, TAC_ERR_FORMAT, "%s: %s has a NaN or infinite entry", file->path, name);
  return TAC_OK;
}

/* The problem u = u0 + W f from its parts. */
static tacStatus make_problem(const File *file, int dimension, const tacSparse *w, const double *motion,
                              const double *friction, tacContactProblem **problem) {
  int count = tac_sparse_count(w);
  TAC_MEMORY(tacContactEntry, entries) = tac_array_create((size_t)count, sizeof *entries, "entries of W", file->error);
  if (entries == NULL) return TAC_ERR_MEMORY;
  for (int j = 0; j < w->cols; ++j)
    for (int k = w->column_start[j]; k < w->column_start[j + 1]; ++k)
      entries[k] = (tacContactEntry){w->row[k], j, w->value[k]};
  const tacContactProblemDef def = {dimension, w->cols / dimension, count, entries, motion, friction};
  tacError inner = {.text = ""};
  tacStatus status = tac_contact_problem_create(&def, problem, &inner);
  if (status == TAC_ERR_ARGUMENT) status = TAC_ERR_FORMAT;
  return status == TAC_OK ? TAC_OK : tac_error_set(file->error, status, "%s: %s", file->path, inner.text);
}

static tacStatus read_dimension(const File *file, const char *name, const char *of, int size, int *dimension) {
  TAC_TRY(read_integer(file, name, dimension));
  if (*dimension != 2 && *dimension != 3)
    return tac_error_set(file->error, TAC_ERR_FORMAT, "%s: expected 2 or 3 in %s, found %d", file->path, name,
                         *dimension);
  if (size % *dimension == 0) return TAC_OK;
  return tac_error_set(file->error, TAC_ERR_FORMAT,
                       "%s: the size of %s is %d; it must be a multiple of the dimension %d", file->path, of, size,
                       *dimension);
}

static tacStatus read_local(const File *file, tacContactProblem **problem) {
  TAC_FREED(tac_sparse_destroy, tacSparse, w) = {0};
  TAC_MEMORY(double, motion) = NULL;
  TAC_MEMORY(double, friction) = NULL;
  int dimension = 0;
  if (has(file, "/fclib_local/V") || has(file, "/fclib_local/R"))
    return tac_error_set(
        file->error, TAC_ERR_UNSUPPORTED,
        "%s: the problem has equality constraints (/fclib_local/V, R); Tactus solves only problems with contacts",
        file->path);
  TAC_TRY(read_matrix(file, "/fclib_local/W", &w));
  TAC_TRY(read_dimension(file, "/fclib_local/spacedim", "/fclib_local/W", w.cols, &dimension));
  if (w.rows != w.cols)
    return tac_error_set(file->error, TAC_ERR_FORMAT, "%s: expected a square /fclib_local/W, found %d x %d", file->path,
                         w.rows, w.cols);
  TAC_TRY(read_vector(file, "/fclib_local/vectors/q", (size_t)w.cols, &motion));
  TAC_TRY(read_vector(file, "/fclib_local/vectors/mu", (size_t)(w.cols / dimension), &friction));
  return make_problem(file, dimension, &w, motion, friction, problem);
}

/* Columns of W = H^T M^-1 H, some at a time, and of u0 = H^T M^-1 f + w the first part. */
enum { COLUMNS_AT_ONCE = 32 };

static tacStatus add_columns(const tacSparse *h, tacFactor *factor, int first, int count, double *full, double *columns,
                             tacTriplets *triplets, tacError *error) {
  size_t rows = (size_t)h->rows, size = (size_t)h->cols;
  memset(full, 0, rows * (size_t)count * sizeof *full);
  for (int c = 0; c < count; ++c)
    for (int k = h->column_start[first + c]; k < h->column_start[first + c + 1]; ++k)
      full[rows * (size_t)c + (size_t)h->row[k]] = h->value[k];
  TAC_TRY(tac_factor_solve(factor, full, count, full, error));
  tac_sparse_multiply_transposed(h, full, count, columns);
  for (int c = 0; c < count; ++c)
    for (size_t i = 0; i < size; ++i) {
      double value = columns[size * (size_t)c + i];
      if (value != 0.0) TAC_TRY(tac_triplets_add(triplets, (int)i, first + c, value, error));
    }
  return TAC_OK;
}

static tacStatus condense_columns(const tacSparse *h, tacFactor *factor, double *full, double *columns, double *motion,
                                  double *force, tacSparse *w, tacError *error) {
  TAC_FREED(tac_triplets_destroy, tacTriplets, triplets) = {.rows = h->cols, .cols = h->cols};
  for (int j = 0; j < h->cols; j += COLUMNS_AT_ONCE) {
    int count = h->cols - j < COLUMNS_AT_ONCE ? h->cols - j : COLUMNS_AT_ONCE;
    TAC_TRY(add_columns(h, factor, j, count, full, columns, &triplets, error));
  }
  TAC_TRY(tac_triplets_compress(&triplets, w, error));
  TAC_TRY(tac_factor_solve(factor, force, 1, force, error));
  tac_sparse_multiply_transposed(h, force, 1, columns);
  for (int i = 0; i < h->cols; ++i) motion[i] += columns[i];
  return TAC_OK;
}

/* `force` is overwritten, `motion` comes as w and leaves as u0. */
static tacStatus condense(const File *file, const tacSparse *m, const tacSparse *h, double *force, double *motion,
                          tacSparse *w) {
  TAC_FREED(tac_sparse_destroy, tacSparse, transposed) = {0};
  TAC_FREED(tac_sparse_destroy, tacSparse, symmetric) = {0};
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  TAC_OWN(tacFactor, factor) = NULL;
  tacError inner = {.text = ""};
  if ((double)h->cols * h->cols * (double)sizeof(tacTriplet) > 0.25 * (double)tac_physical_memory())
    return tac_error_set(file->error, TAC_ERR_UNSUPPORTED,
                         "%s: the matrix W of %d x %d entries does not fit into memory", file->path, h->cols, h->cols);
  double *full = tac_arrays_add(&work, (size_t)m->rows, COLUMNS_AT_ONCE * sizeof *full);
  double *columns = tac_arrays_add(&work, (size_t)h->cols, COLUMNS_AT_ONCE * sizeof *columns);
  TAC_TRY(tac_arrays_status(&work, "columns", file->error));
  TAC_TRY(tac_sparse_transpose(m, &transposed, file->error));
  TAC_TRY(tac_sparse_add(0.5, m, 0.5, &transposed, &symmetric, file->error));
  TAC_TRY(tac_factor_create(&symmetric, &factor, file->error));
  tacStatus status = tac_factor_update(factor, symmetric.value, &inner);
  if (status != TAC_OK) return tac_error_set(file->error, status, "%s: /fclib_global/M: %s", file->path, inner.text);
  return condense_columns(h, factor, full, columns, motion, force, w, file->error);
}

static tacStatus read_global(const File *file, tacContactProblem **problem) {
  TAC_FREED(tac_sparse_destroy, tacSparse, m) = {0};
  TAC_FREED(tac_sparse_destroy, tacSparse, h) = {0};
  TAC_FREED(tac_sparse_destroy, tacSparse, w) = {0};
  TAC_MEMORY(double, force) = NULL;
  TAC_MEMORY(double, motion) = NULL;
  TAC_MEMORY(double, friction) = NULL;
  int dimension = 0;
  if (has(file, "/fclib_global/G"))
    return tac_error_set(
        file->error, TAC_ERR_UNSUPPORTED,
        "%s: the problem has equality constraints (/fclib_global/G); Tactus solves only problems with contacts",
        file->path);
  TAC_TRY(read_matrix(file, "/fclib_global/M", &m));
  TAC_TRY(read_matrix(file, "/fclib_global/H", &h));
  TAC_TRY(read_dimension(file, "/fclib_global/spacedim", "/fclib_global/H", h.cols, &dimension));
  if (m.rows != m.cols || h.rows != m.rows)
    return tac_error_set(
        file->error, TAC_ERR_FORMAT,
        "%s: expected a square M and an H with as many rows in /fclib_global, found %d x %d and %d rows", file->path,
        m.rows, m.cols, h.rows);
  TAC_TRY(read_vector(file, "/fclib_global/vectors/f", (size_t)m.rows, &force));
  TAC_TRY(read_vector(file, "/fclib_global/vectors/w", (size_t)h.cols, &motion));
  TAC_TRY(read_vector(file, "/fclib_global/vectors/mu", (size_t)(h.cols / dimension), &friction));
  TAC_TRY(condense(file, &m, &h, force, motion, &w));
  return make_problem(file, dimension, &w, motion, friction, problem);
}

static tacStatus read_solution(const File *file, tacContactProblem *problem) {
  size_t d = (size_t)problem->dimension, count = (size_t)problem->count;
  TAC_MEMORY(double, u) = NULL;
  TAC_MEMORY(double, r) = NULL;
  TAC_TRY(read_vector(file, "/solution/u", d * count, &u));
  TAC_TRY(read_vector(file, "/solution/r", d * count, &r));
  for (size_t i = 0; i < count; ++i) {
    memcpy(problem->motion + 3 * i, u + d * i, d * sizeof *u);
    memcpy(problem->force + 3 * i, r + d * i, d * sizeof *r);
  }
  return TAC_OK;
}

/* Whether a dataset is there and something was written to it. HDF5 allocates storage at the first write; until then a
 * reader gets the fill value, which is no solution. */
static bool is_written(const File *file, const char *name) {
  TAC_FREED(close_dataset, hid_t, set) = H5Dopen2(file->id, name, H5P_DEFAULT);
  return set >= 0 && H5Dget_storage_size(set) > 0;
}

static tacStatus read_file(const File *file, tacContactProblem **problem, bool *solved) {
  bool local = has(file, "/fclib_local");
  if (!local && !has(file, "/fclib_global"))
    return tac_error_set(file->error, TAC_ERR_FORMAT,
                         "%s: expected a group /fclib_local or /fclib_global of a frictional contact problem",
                         file->path);
  TAC_TRY(local ? read_local(file, problem) : read_global(file, problem));
  if (!is_written(file, "/solution/u") || !is_written(file, "/solution/r")) return TAC_OK;
  TAC_TRY(read_solution(file, *problem));
  *solved = true;
  return TAC_OK;
}

tacStatus tac_fclib_file_read(const char *path, tacContactProblem **problem, bool *solved, tacError *error) {
  tacInputFile input = {NULL, 0};
  TAC_OWN(tacContactProblem, read) = NULL;
  *problem = NULL;
  *solved = false;
  TAC_TRY(tac_input_file_read(path, TAC_INPUT_PROBLEM, &input, error));
  start_library();
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  File file = {path, H5I_INVALID_HID, error};
  if (list >= 0 && H5Pset_fapl_core(list, 65536, 0) >= 0 && H5Pset_file_image(list, input.bytes, input.size) >= 0)
    file.id = H5Fopen("/dev/null/image", H5F_ACC_RDONLY, list); /* refused where a file has that name; none can */
  if (list >= 0) H5Pclose(list);
  tac_input_file_free(&input);
  tacStatus status = file.id >= 0
                         ? read_file(&file, &read, solved)
                         : tac_error_set(error, TAC_ERR_FORMAT, "%s: not an HDF5 file, or an incomplete one", path);
  if (file.id >= 0) H5Fclose(file.id);
  H5close();
  TAC_TRY(status);
  *problem = tac_give(&read);
  return TAC_OK;
}

/* Writing. Whatever fails leaves `failed` set, and is told once. */

typedef struct Writer {
  hid_t file, list; /* list: of datasets, without their times, so that the same problem gives the same bytes */
  bool failed;
} Writer;

static void make_group(Writer *writer, const char *name) {
  hid_t group = H5Gcreate2(writer->file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  writer->failed |= group < 0 || H5Gclose(group) < 0;
}

static void write_typed(Writer *writer, const char *name, hid_t type, hid_t space, const void *data) {
  hid_t set = space >= 0 ? H5Dcreate2(writer->file, name, type, space, H5P_DEFAULT, writer->list, H5P_DEFAULT) : space;
  writer->failed |= set < 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0;
  if (set >= 0) H5Dclose(set);
  if (space >= 0) H5Sclose(space);
}

static void write_array(Writer *writer, const char *name, hid_t type, size_t count, const void *data) {
  hsize_t size = count;
  write_typed(writer, name, type, H5Screate_simple(1, &size, NULL), data);
}

static void write_integer(Writer *writer, const char *name, int value) {
  write_array(writer, name, H5T_NATIVE_INT, 1, &value);
}

static void write_text(Writer *writer, const char *name, const char *text) {
  hid_t type = H5Tcopy(H5T_C_S1);
  writer->failed |= type < 0 || H5Tset_size(type, strlen(text) + 1) < 0;
  write_typed(writer, name, type, H5Screate(H5S_SCALAR), text);
  if (type >= 0) H5Tclose(type);
}

/* The entries that are not zero, column by column. */
static int compress(const tacContactProblem *problem, int *start, int *index, double *value) {
  int d = problem->dimension, size = d * problem->count;
  memset(start, 0, (size_t)(size + 1) * sizeof *start);
  for (int placing = 0; placing < 2; ++placing) { /* counted first: start[c + 1]; then start[c] is where c goes on */
    for (int i = 0; i < problem->count; ++i)
      for (int a = 0; a < d; ++a)
        for (int k = problem->first[i]; k < problem->first[i + 1]; ++k)
          for (int b = 0; b < d; ++b) {
            double entry = problem->entries[9 * (size_t)k + (size_t)(3 * a + b)];
            int c = d * problem->column[k] + b;
            if (entry == 0.0) continue;
            if (placing) {
              index[start[c]] = d * i + a;
              value[start[c]++] = entry;
            } else {
              ++start[c + 1];
            }
          }
    for (int c = 0; c < size && !placing; ++c) start[c + 1] += start[c];
  }
  for (int c = size; c > 0; --c) start[c] = start[c - 1]; /* each had come to the next one's begin */
  start[0] = 0;
  return start[size];
}

/* Vectors of contacts in the problem's dimension. */
static void write_vector(Writer *writer, const char *name, const tacContactProblem *problem, const double *vector,
                         double *packed) {
  size_t d = (size_t)problem->dimension, count = (size_t)problem->count;
  for (size_t i = 0; i < count; ++i) memcpy(packed + d * i, vector + 3 * i, d * sizeof *packed);
  write_array(writer, name, H5T_NATIVE_DOUBLE, d * count, packed);
}

static void write_problem(Writer *writer, const tacContactProblem *problem, bool solution, int *start, int *index,
                          double *value, double *packed) {
  int size = problem->dimension * problem->count, count = compress(problem, start, index, value);
  make_group(writer, "/fclib_local");
  make_group(writer, "/fclib_local/W");
  make_group(writer, "/fclib_local/vectors");
  make_group(writer, "/fclib_local/info");
  write_integer(writer, "/fclib_local/spacedim", problem->dimension);
  write_integer(writer, "/fclib_local/W/nzmax", count);
  write_integer(writer, "/fclib_local/W/m", size);
  write_integer(writer, "/fclib_local/W/n", size);
  write_integer(writer, "/fclib_local/W/nz", -1);
  write_array(writer, "/fclib_local/W/p", H5T_NATIVE_INT, (size_t)size + 1, start);
  write_array(writer, "/fclib_local/W/i", H5T_NATIVE_INT, (size_t)count, index);
  write_array(writer, "/fclib_local/W/x", H5T_NATIVE_DOUBLE, (size_t)count, value);
  write_vector(writer, "/fclib_local/vectors/q", problem, problem->free, packed);
  write_array(writer, "/fclib_local/vectors/mu", H5T_NATIVE_DOUBLE, (size_t)problem->count, problem->friction);
  write_text(writer, "/fclib_local/info/title", "frictional contact");
  write_text(writer, "/fclib_local/info/description", "u = W r + q in frames (n, t1, t2), written by Tactus");
  char symmetry[80] = "W is symmetric";
  if (problem->asymmetry > 0.0)
    snprintf(symmetry, sizeof symmetry, "W is not symmetric, by %.1e of its largest entry", problem->asymmetry);
  write_text(writer, "/fclib_local/info/math_info", symmetry);
  if (!solution) return;
  make_group(writer, "/solution");
  write_vector(writer, "/solution/u", problem, problem->motion, packed);
  write_vector(writer, "/solution/r", problem, problem->force, packed);
}

/* The bytes of the file, made in memory; NULL where HDF5 failed. */
static void *make_image(const tacContactProblem *problem, bool solution, int *start, int *index, double *value,
                        double *packed, size_t *size) {
  void *image = NULL;
  Writer writer = {H5I_INVALID_HID, H5Pcreate(H5P_DATASET_CREATE), false};
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  if (writer.list >= 0 && H5Pset_obj_track_times(writer.list, false) >= 0 && list >= 0 &&
      H5Pset_fapl_core(list, 65536, 0) >= 0)
    writer.file = H5Fcreate("/dev/null/image", H5F_ACC_TRUNC, H5P_DEFAULT, list);
  if (writer.file >= 0) {
    write_problem(&writer, problem, solution, start, index, value, packed);
    ssize_t bytes =
        !writer.failed && H5Fflush(writer.file, H5F_SCOPE_GLOBAL) >= 0 ? H5Fget_file_image(writer.file, NULL, 0) : -1;
    if (bytes > 0) image = malloc((size_t)bytes);
    if (image != NULL && H5Fget_file_image(writer.file, image, (size_t)bytes) != bytes) {
      free(image);
      image = NULL;
    }
    *size = bytes > 0 ? (size_t)bytes : 0;
    H5Fclose(writer.file);
  }
  if (list >= 0) H5Pclose(list);
  if (writer.list >= 0) H5Pclose(writer.list);
  return image;
}

static tacStatus write_image(const char *path, const void *image, size_t size, tacError *error) {
  tacNewFile file = {0};
  if (image == NULL) return tac_error_set(error, TAC_ERR_FILE, "%s: HDF5 could not create the file", path);
  TAC_TRY(tac_new_file_open(path, &file, error));
  fwrite(image, 1, size, file.stream);
  return tac_new_file_commit(&file, error);
}

tacStatus tac_fclib_file_write(const tacContactProblem *problem, const char *path, bool solution, tacError *error) {
  size_t count = (size_t)problem->count, most = 9 * (size_t)problem->first[problem->count], size = 0;
  if (most > INT_MAX)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED, "%s: the matrix W has too many entries for FCLIB", path);
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  int *start = tac_arrays_add(&work, 3 * count + 1, sizeof *start), *index = tac_arrays_add(&work, most, sizeof *index);
  double *value = tac_arrays_add(&work, most, sizeof *value),
         *packed = tac_arrays_add(&work, count, 3 * sizeof *packed);
  TAC_TRY(tac_arrays_status(&work, "the entries of W", error));
  start_library();
  TAC_MEMORY(void, image) = make_image(problem, solution, start, index, value, packed, &size);
  H5close();
  return write_image(path, image, size, error);
}

#else

static tacStatus without(const char *path, tacError *error) {
  return tac_error_set(
      error, TAC_ERR_UNSUPPORTED,
      "%s: this program was built without HDF5; install libhdf5-dev, then configure and build it again", path);
}

tacStatus tac_fclib_file_read(const char *path, tacContactProblem **problem, bool *solved, tacError *error) {
  *problem = NULL;
  *solved = false;
  return without(path, error);
}

tacStatus tac_fclib_file_write(const tacContactProblem *problem, const char *path, bool solution, tacError *error) {
  (void)problem;
  (void)solution;
  return without(path, error);
}

#endif
