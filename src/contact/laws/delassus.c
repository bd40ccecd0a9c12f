#include "contact/laws/delassus.h"

#include "base/lanes.h"
#include "contact/laws/frictional_problem.h"

/* Versions of two functions for vectors of WIDTH doubles. Rows have about ten to a hundred numbers, and each sum is a
 * chain of dependent additions. Vectors of eight doubles would be slower because of final sums and remainders.
 *
 * add_rows_times: adds the products of three rows with x to `sums`. Each product is summed in 2 WIDTH parts. `stride`
 * is the distance between rows. add_product: adds Z Y^T to `block`, for Z and Y of size [3][n]. */
#define COPIES(WIDTH, TARGET)                                                                          \
  typedef double Vector##WIDTH                                                                         \
      __attribute__((vector_size(WIDTH * sizeof(double)), aligned(sizeof(double)), may_alias));        \
  TARGET static void add_rows_times_on_##WIDTH(int n, size_t stride, const double *restrict rows,      \
                                               const double *restrict x, double *restrict sums) {      \
    typedef Vector##WIDTH Vector;                                                                      \
    const double *a = rows, *b = rows + stride, *c = b + stride;                                       \
    Vector a0 = {0.0}, a1 = a0, b0 = a0, b1 = a0, c0 = a0, c1 = a0;                                    \
    int k = 0;                                                                                         \
    for (; k + 2 * WIDTH <= n; k += 2 * WIDTH) {                                                       \
      const Vector x0 = *(const Vector *)(x + k), x1 = *(const Vector *)(x + k + WIDTH);               \
      a0 += *(const Vector *)(a + k) * x0;                                                             \
      a1 += *(const Vector *)(a + k + WIDTH) * x1;                                                     \
      b0 += *(const Vector *)(b + k) * x0;                                                             \
      b1 += *(const Vector *)(b + k + WIDTH) * x1;                                                     \
      c0 += *(const Vector *)(c + k) * x0;                                                             \
      c1 += *(const Vector *)(c + k + WIDTH) * x1;                                                     \
    }                                                                                                  \
    if (k + WIDTH <= n) {                                                                              \
      const Vector x0 = *(const Vector *)(x + k);                                                      \
      a0 += *(const Vector *)(a + k) * x0;                                                             \
      b0 += *(const Vector *)(b + k) * x0;                                                             \
      c0 += *(const Vector *)(c + k) * x0;                                                             \
      k += WIDTH;                                                                                      \
    }                                                                                                  \
    double sa = SUM_##WIDTH((a0 + a1)), sb = SUM_##WIDTH((b0 + b1)), sc = SUM_##WIDTH((c0 + c1));      \
    for (; k < n; ++k) {                                                                               \
      sa += a[k] * x[k];                                                                               \
      sb += b[k] * x[k];                                                                               \
      sc += c[k] * x[k];                                                                               \
    }                                                                                                  \
    sums[0] += sa;                                                                                     \
    sums[1] += sb;                                                                                     \
    sums[2] += sc;                                                                                     \
  }                                                                                                    \
  TARGET static void add_product_on_##WIDTH(int n, const double *restrict z, const double *restrict y, \
                                            tacMat3 *restrict block) {                                 \
    for (int j = 0; j < 3; ++j) {                                                                      \
      double sums[3] = {0.0, 0.0, 0.0};                                                                \
      add_rows_times_on_##WIDTH(n, (size_t)n, z, y + (size_t)j * (size_t)n, sums);                     \
      for (int i = 0; i < 3; ++i) block->m[i][j] += sums[i];                                           \
    }                                                                                                  \
  }

#define SUM_2(v) ((v)[0] + (v)[1])
#define SUM_4(v) (((v)[0] + (v)[2]) + ((v)[1] + (v)[3]))

COPIES(2, )
#if defined(__x86_64__)
COPIES(4, TAC_LANES_TARGET_4)
#define CHOOSE(name, ...) (tac_lanes() >= TAC_LANES_4 ? name##_on_4(__VA_ARGS__) : name##_on_2(__VA_ARGS__))
#else
#define CHOOSE(name, ...) name##_on_2(__VA_ARGS__)
#endif

static void add_rows_times(int n, size_t stride, const double *rows, const double *x, double sums[3]) {
  CHOOSE(add_rows_times, n, stride, rows, x, sums);
}

static void add_product(int n, const double *z, const double *y, tacMat3 *block) {
  CHOOSE(add_product, n, z, y, block);
}

/* Returns W_ij of a block-sparse W; NULL if the block is zero. */
static const double *find_block(const tacContactProblem *blocks, int i, int j) {
  if (i == j) return blocks->entries + 9 * (size_t)blocks->diagonal[i];
  int low = blocks->first[i], high = blocks->first[i + 1];
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (blocks->column[middle] < j)
      low = middle + 1;
    else
      high = middle;
  }
  return low < blocks->first[i + 1] && blocks->column[low] == j ? blocks->entries + 9 * (size_t)low : NULL;
}

tacMat3 tac_delassus_block(const tacLawProblem *problem, int i, int j) {
  const tacLawContact *a = &problem->contacts[i], *b = &problem->contacts[j];
  tacMat3 block = tac_mat3_zero();
  for (int s = 0; s < 2; ++s)
    for (int t = 0; t < 2; ++t)
      if (a->part[s] >= 0 && a->part[s] == b->part[t])
        add_product(problem->part_size[a->part[s]], a->rows[s], b->rows[t], &block);
  if (problem->compliance != NULL) {
    size_t n = 3 * (size_t)problem->count;
    const double *from = problem->compliance + 3 * (size_t)i * n + 3 * (size_t)j;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) block.m[r][c] += from[(size_t)r * n + (size_t)c];
  }
  const double *entries = problem->blocks != NULL ? find_block(problem->blocks, i, j) : NULL;
  for (int e = 0; entries != NULL && e < 9; ++e) block.m[e / 3][e % 3] += entries[e];
  if (i == j) { /* makes the block exactly symmetric, even if both bodies are the same part */
    block.m[0][0] += a->softness;
    block.m[1][0] = block.m[0][1];
    block.m[2][0] = block.m[0][2];
    block.m[2][1] = block.m[1][2];
  }
  return block;
}

void tac_delassus_build(const tacLawProblem *problem, double *w) {
  size_t n = 3 * (size_t)problem->count;
  for (int i = 0; i < problem->count; ++i)
    for (int j = 0; j <= i; ++j) {
      tacMat3 block = tac_delassus_block(problem, i, j);
      double *lower = w + 3 * (size_t)i * n + 3 * (size_t)j, *upper = w + 3 * (size_t)j * n + 3 * (size_t)i;
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
          lower[(size_t)r * n + (size_t)c] = block.m[r][c];
          if (i != j) upper[(size_t)c * n + (size_t)r] = block.m[r][c];
        }
    }
}

size_t tac_delassus_offsets(const tacLawProblem *problem, size_t *offset) {
  size_t sum = 0;
  for (int p = 0; p < problem->part_count; ++p) {
    offset[p] = sum;
    sum += (size_t)problem->part_size[p];
  }
  return sum;
}

void tac_delassus_push(const tacLawProblem *problem, const size_t *offset, int i, const double force[3], double *y) {
  const tacLawContact *contact = &problem->contacts[i];
  double f0 = force[0], f1 = force[1], f2 = force[2];
  for (int s = 0; s < 2; ++s) {
    if (contact->part[s] < 0) continue;
    int n = problem->part_size[contact->part[s]];
    const double *restrict a = contact->rows[s], *restrict b = a + n, *restrict c = b + n;
    double *restrict to = y + offset[contact->part[s]];
    for (int k = 0; k < n; ++k) to[k] += a[k] * f0 + b[k] * f1 + c[k] * f2;
  }
}

void tac_delassus_motion(const tacLawProblem *problem, const size_t *offset, int i, const double *forces,
                         const double *y, double motion[3]) {
  const tacLawContact *contact = &problem->contacts[i];
  motion[0] = contact->softness * forces[3 * (size_t)i];
  motion[1] = motion[2] = 0.0;
  for (int s = 0; s < 2; ++s) {
    if (contact->part[s] < 0) continue;
    int n = problem->part_size[contact->part[s]];
    add_rows_times(n, (size_t)n, contact->rows[s], y + offset[contact->part[s]], motion);
  }
  if (problem->compliance != NULL) {
    size_t n = 3 * (size_t)problem->count;
    add_rows_times((int)n, n, problem->compliance + 3 * (size_t)i * n, forces, motion);
  }
  if (problem->blocks != NULL) tac_contact_problem_add_row(problem->blocks, i, forces, motion);
}

tacDelassusCost tac_delassus_cost(const tacLawProblem *problem) {
  double m = problem->count, n = 0.0, dense = problem->compliance != NULL ? 9.0 * m * m : 0.0;
  if (problem->blocks != NULL) dense += 9.0 * problem->blocks->first[problem->blocks->count];
  for (int i = 0; i < problem->count; ++i)
    for (int s = 0; s < 2; ++s) {
      int part = problem->contacts[i].part[s];
      if (part >= 0) n += problem->part_size[part];
    }
  /* Assumes that any two contacts act on the same parts. Otherwise both forms need fewer multiplications. */
  return (tacDelassusCost){
      .build = 4.5 * (m + 1.0) * n, .built_sweep = 9.0 * m * m, .blocks = 9.0 * n, .unbuilt_sweep = 6.0 * n + dense};
}
