#include "contact/problem_file.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include "base/files/input_file.h"
#include "base/files/new_file.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "contact/contact_problem.h"
#include "contact/laws/delassus.h"
#include "mesh/text/number_text.h"
#include "mesh/text/scanner.h"

TAC_OWNED_TYPE(tacContactProblem, tac_contact_problem_destroy)

/* Data read from the file. `def` points into `entries` and `arrays`. */
typedef struct Reader {
  tacContactProblemDef def;
  tacContactEntry *entries;
  size_t capacity;
  tacArrays arrays; /* arrays with one item per contact */
} Reader;

static void free_reader(Reader *reader) {
  free(reader->entries);
  tac_arrays_free(&reader->arrays);
}

static tacStatus read_equal(tacScanner *s, const char *what, int64_t expected) {
  int64_t value;
  TAC_TRY(tac_scanner_integer(s, what, INT64_MIN, INT64_MAX, &value));
  if (value == expected) return TAC_OK;
  return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected %s, %" PRId64 ", found %" PRId64, what, expected, value);
}

static tacStatus add_entry(Reader *reader, tacScanner *s, int row, int column) {
  double value;
  TAC_TRY(tac_scanner_double(s, "an entry of W", &value));
  if (value == 0.0) return TAC_OK;
  if (reader->def.entry_count == INT_MAX)
    return tac_scanner_fail(s, TAC_ERR_UNSUPPORTED, "W has more than %d entries", INT_MAX);
  TAC_TRY(tac_array_reserve((void **)&reader->entries, &reader->capacity, (size_t)reader->def.entry_count + 1,
                            sizeof *reader->entries, "entries of W", s->error));
  reader->entries[reader->def.entry_count++] = (tacContactEntry){row, column, value};
  return TAC_OK;
}

static tacStatus read_dense(Reader *reader, tacScanner *s) {
  int size = reader->def.dimension * reader->def.count;
  TAC_TRY(read_equal(s, "the number of rows of W again", size));
  TAC_TRY(read_equal(s, "the number of columns of W again", size));
  TAC_TRY(tac_scanner_check_count(s, (int64_t)size * size, 2, "entries of W"));
  for (int column = 0; column < size; ++column)
    for (int row = 0; row < size; ++row) TAC_TRY(add_entry(reader, s, row, column));
  return TAC_OK;
}

static tacStatus read_sizes(tacScanner *s, const char *what, int dimension, int count) {
  for (int i = 0; i < count; ++i) TAC_TRY(read_equal(s, what, (int64_t)dimension * (i + 1)));
  return TAC_OK;
}

/* Reads the index of the first block of each row, and the end of the last row, as `filled` numbers. Rows that are
 * missing in the file are empty. */
static tacStatus read_starts(tacScanner *s, int count, int64_t filled, int64_t blocks, int *start) {
  int64_t least = 0, value = 0;
  for (int64_t i = 0; i < filled; ++i, least = value) {
    TAC_TRY(tac_scanner_integer(s, i == 0 ? "0, where the blocks of W begin" : "where the blocks of a row of W begin",
                                least, i == 0 ? 0 : blocks, &value));
    start[i] = (int)value;
  }
  for (int64_t i = filled; i <= count; ++i) start[i] = (int)value;
  if (value == blocks) return TAC_OK;
  return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected %" PRId64 " blocks of W in its rows, found %" PRId64, blocks,
                          value);
}

static tacStatus read_block_values(Reader *reader, tacScanner *s, const int *start, const int *column) {
  int d = reader->def.dimension;
  for (int i = 0; i < reader->def.count; ++i)
    for (int k = start[i]; k < start[i + 1]; ++k) {
      TAC_TRY(read_equal(s, "the number of a block", k));
      for (int b = 0; b < d; ++b)
        for (int a = 0; a < d; ++a) TAC_TRY(add_entry(reader, s, d * i + a, d * column[k] + b));
    }
  return TAC_OK;
}

static tacStatus read_block_places(Reader *reader, tacScanner *s, int64_t blocks, int *start, int *column) {
  int count = reader->def.count;
  int64_t filled, value;
  TAC_TRY(read_sizes(s, "where a row of blocks ends", reader->def.dimension, count));
  TAC_TRY(read_sizes(s, "where a column of blocks ends", reader->def.dimension, count));
  TAC_TRY(tac_scanner_integer(s, "the number of rows of blocks and one more", 1, (int64_t)count + 1, &filled));
  TAC_TRY(read_equal(s, "the number of blocks of W again", blocks));
  TAC_TRY(read_starts(s, count, filled, blocks, start));
  for (int64_t k = 0; k < blocks; ++k) {
    TAC_TRY(tac_scanner_integer(s, "the column of a block", 0, (int64_t)count - 1, &value));
    column[k] = (int)value;
  }
  return read_block_values(reader, s, start, column);
}

static tacStatus read_blocks(Reader *reader, tacScanner *s) {
  int count = reader->def.count, d = reader->def.dimension;
  int64_t blocks;
  TAC_TRY(tac_scanner_integer(s, "the number of blocks of W", 0, INT_MAX, &blocks));
  TAC_TRY(tac_scanner_check_count(s, blocks, 2 * (size_t)(d * d + 2), "blocks of W"));
  TAC_TRY(read_equal(s, "the number of rows of blocks", count));
  TAC_TRY(read_equal(s, "the number of columns of blocks", count));
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  int *start = tac_arrays_add(&work, (size_t)count + 1, sizeof *start);
  int *column = tac_arrays_add(&work, (size_t)blocks, sizeof *column);
  TAC_TRY(tac_arrays_status(&work, "blocks of W", s->error));
  return read_block_places(reader, s, blocks, start, column);
}

static tacStatus read_vectors(Reader *reader, tacScanner *s) {
  size_t count = (size_t)reader->def.count, d = (size_t)reader->def.dimension;
  double *free = tac_arrays_add(&reader->arrays, count, d * sizeof *free);
  double *friction = tac_arrays_add(&reader->arrays, count, sizeof *friction);
  TAC_TRY(tac_arrays_status(&reader->arrays, "contacts", s->error));
  for (size_t i = 0; i < d * count; ++i) TAC_TRY(tac_scanner_double(s, "a number of q", &free[i]));
  for (size_t i = 0; i < count; ++i) {
    TAC_TRY(tac_scanner_double(s, "the friction of a contact", &friction[i]));
    if (friction[i] < 0.0)
      return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected the friction of a contact, not negative, found %g",
                              friction[i]);
  }
  reader->def.entries = reader->entries;
  reader->def.free = free;
  reader->def.friction = friction;
  return TAC_OK;
}

static tacStatus read_problem(Reader *reader, tacScanner *s) {
  int64_t dimension, count, storage, flag;
  TAC_TRY(tac_scanner_integer(s, "the dimension of contacts, 2 or 3", 2, 3, &dimension));
  TAC_TRY(tac_scanner_integer(s, "the number of contacts", 0, INT_MAX / 9, &count));
  TAC_TRY(tac_scanner_check_count(s, count, 2 * ((size_t)dimension + 1), "contacts"));
  reader->def.dimension = (int)dimension;
  reader->def.count = (int)count;
  TAC_TRY(
      tac_scanner_integer(s, "the storage of W, 0 (all entries) or 1 (sparse blocks)", INT64_MIN, INT64_MAX, &storage));
  if (storage != 0 && storage != 1)
    return tac_scanner_fail(s, storage == 2 ? TAC_ERR_UNSUPPORTED : TAC_ERR_FORMAT,
                            "expected the storage of W, 0 (all entries) or 1 (sparse blocks), found %" PRId64, storage);
  TAC_TRY(read_equal(s, "the number of rows of W", dimension * count));
  TAC_TRY(read_equal(s, "the number of columns of W", dimension * count));
  TAC_TRY(storage == 0 ? read_dense(reader, s) : read_blocks(reader, s));
  TAC_TRY(read_vectors(reader, s));
  if (tac_scanner_at_end(s)) return TAC_OK;
  /* Older versions of the format store here a flag for a solution, but never a solution. */
  TAC_TRY(tac_scanner_integer(s, "the end of the file, or 0 or 1", 0, 1, &flag));
  if (tac_scanner_at_end(s)) return TAC_OK;
  return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected the end of the file");
}

tacStatus tac_problem_file_parse(const char *name, const unsigned char *bytes, size_t size, tacContactProblem **problem,
                                 tacError *error) {
  *problem = NULL;
  TAC_FREED(free_reader, Reader, reader) = {.entries = NULL};
  tacScanner scanner = tac_scanner_begin(name, bytes, size, error);
  TAC_TRY(read_problem(&reader, &scanner));
  tacError inner = {.text = ""};
  tacStatus status = tac_contact_problem_create(&reader.def, problem, &inner);
  if (status == TAC_ERR_ARGUMENT) status = TAC_ERR_FORMAT;
  return status == TAC_OK ? TAC_OK : tac_error_set(error, status, "%s: %s", name, inner.text);
}

tacStatus tac_contact_problem_read(const char *path, tacContactProblem **problem, tacError *error) {
  TAC_FREED(tac_input_file_free, tacInputFile, input) = {NULL, 0};
  *problem = NULL;
  TAC_TRY(tac_input_file_read(path, TAC_INPUT_PROBLEM, &input, error));
  return tac_problem_file_parse(path, input.bytes, input.size, problem, error);
}

static void print_number(FILE *stream, double value, char after) {
  char text[TAC_NUMBER_TEXT_SIZE];
  fwrite(text, 1, tac_number_text_print(value, text), stream);
  fputc(after, stream);
}

/* Writes all entries of W column by column. `at` [count], initially zero: next block of each row. */
static void write_dense(FILE *stream, const tacContactProblem *problem, int *at) {
  int d = problem->dimension;
  fprintf(stream, "%d\t%d\n", d * problem->count, d * problem->count);
  for (int j = 0; j < problem->count; ++j) {
    for (int b = 0; b < d; ++b) {
      for (int i = 0; i < problem->count; ++i) {
        int k = problem->first[i] + at[i];
        bool there = k < problem->first[i + 1] && problem->column[k] == j;
        for (int a = 0; a < d; ++a)
          print_number(stream, there ? problem->entries[9 * (size_t)k + (size_t)(3 * a + b)] : 0.0, ' ');
      }
      fputc('\n', stream);
    }
    for (int i = 0; i < problem->count; ++i) {
      int k = problem->first[i] + at[i];
      at[i] += k < problem->first[i + 1] && problem->column[k] == j;
    }
  }
}

static void write_counted(FILE *stream, int count, const int *numbers, int scale, int more) {
  for (int i = 0; i < count; ++i) fprintf(stream, "%d\t", numbers != NULL ? numbers[i] : scale * i + more);
  fputc('\n', stream);
}

static void write_blocks(FILE *stream, const tacContactProblem *problem) {
  int d = problem->dimension, blocks = problem->first[problem->count];
  fprintf(stream, "%d\n%d\n%d\n", blocks, problem->count, problem->count);
  write_counted(stream, problem->count, NULL, d, d);
  write_counted(stream, problem->count, NULL, d, d);
  fprintf(stream, "%d\n%d\n", problem->count + 1, blocks);
  write_counted(stream, problem->count + 1, problem->first, 1, 0);
  write_counted(stream, blocks, problem->column, 1, 0);
  for (int k = 0; k < blocks; ++k) {
    fprintf(stream, "%d\n", k);
    for (int b = 0; b < d; ++b)
      for (int a = 0; a < d; ++a) print_number(stream, problem->entries[9 * (size_t)k + (size_t)(3 * a + b)], '\n');
  }
}

tacStatus tac_contact_problem_write(const tacContactProblem *problem, const char *path, tacContactStorage storage,
                                    tacError *error) {
  int d = problem->dimension, size = d * problem->count;
  TAC_MEMORY(int, at) = NULL;
  TAC_TRY(TAC_ARRAY(at, (size_t)problem->count, "rows of W", error));
  tacNewFile file = {0};
  TAC_TRY(tac_new_file_open(path, &file, error));
  fprintf(file.stream, "%d\n%d\n%d\n%d\n%d\n", d, problem->count, storage == TAC_CONTACT_DENSE ? 0 : 1, size, size);
  if (storage == TAC_CONTACT_DENSE)
    write_dense(file.stream, problem, at);
  else
    write_blocks(file.stream, problem);
  for (int i = 0; i < problem->count; ++i)
    for (int a = 0; a < d; ++a) print_number(file.stream, problem->free[3 * (size_t)i + (size_t)a], ' ');
  fputc('\n', file.stream);
  for (int i = 0; i < problem->count; ++i) print_number(file.stream, problem->friction[i], ' ');
  fputc('\n', file.stream);
  return tac_new_file_commit(&file, error);
}

/* Stores the nonzero entries of W in `entries` and returns their number. If `entries` is NULL, only counts. */
static size_t collect(const tacLawProblem *problem, tacContactEntry *entries) {
  size_t count = 0;
  for (int i = 0; i < problem->count; ++i)
    for (int j = 0; j < problem->count; ++j) {
      tacMat3 block = tac_delassus_block(problem, i, j);
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
          if (block.m[a][b] == 0.0) continue;
          if (entries != NULL) entries[count] = (tacContactEntry){3 * i + a, 3 * j + b, block.m[a][b]};
          ++count;
        }
    }
  return count;
}

tacStatus tac_problem_file_write_laws(const char *path, const tacLawProblem *laws, tacError *error) {
  size_t count = (size_t)laws->count, entry_count = collect(laws, NULL);
  if (entry_count > INT_MAX)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED, "%s: W has more than %d entries", path, INT_MAX);
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  tacContactEntry *entries = tac_arrays_add(&work, entry_count, sizeof *entries);
  double *motions = tac_arrays_add(&work, count, 3 * sizeof *motions);
  double *friction = tac_arrays_add(&work, count, sizeof *friction);
  TAC_TRY(tac_arrays_status(&work, "a contact problem", error));
  collect(laws, entries);
  for (size_t i = 0; i < count; ++i) {
    const tacLawContact *contact = &laws->contacts[i];
    if (contact->grabbed)
      return tac_error_set(error, TAC_ERR_UNSUPPORTED,
                           "contact %zu is grabbed, but files of contact problems can store only contacts that obey "
                           "the laws",
                           i);
    motions[3 * i] = contact->gap;
    memcpy(motions + 3 * i + 1, contact->slip, sizeof contact->slip);
    friction[i] = contact->friction;
  }
  TAC_OWN(tacContactProblem, problem) = NULL;
  const tacContactProblemDef def = {3, laws->count, (int)entry_count, entries, motions, friction};
  TAC_TRY(tac_contact_problem_create(&def, &problem, error));
  return tac_contact_problem_write(problem, path, TAC_CONTACT_BLOCKS, error);
}
