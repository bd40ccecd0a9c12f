#include "contact/delassus.h"

#include <string.h>
#include "math/vector.h"

/* Three rows of `stride` numbers times x: three sums in four parts each. */
static void add_rows_times(int n, size_t stride, const double *restrict rows, const double *restrict x,
                           double sums[3]) {
  const double *a = rows, *b = rows + stride, *c = b + stride;
  tacVectorPair a0 = {0.0, 0.0}, a1 = a0, b0 = a0, b1 = a0, c0 = a0, c1 = a0;
  int k = 0;
  for (; k + 4 <= n; k += 4) {
    tacVectorPair x0 = *(const tacVectorPair *)(x + k), x1 = *(const tacVectorPair *)(x + k + 2);
    a0 += *(const tacVectorPair *)(a + k) * x0;
    a1 += *(const tacVectorPair *)(a + k + 2) * x1;
    b0 += *(const tacVectorPair *)(b + k) * x0;
    b1 += *(const tacVectorPair *)(b + k + 2) * x1;
    c0 += *(const tacVectorPair *)(c + k) * x0;
    c1 += *(const tacVectorPair *)(c + k + 2) * x1;
  }
  a0 += a1;
  b0 += b1;
  c0 += c1;
  double sa = a0[0] + a0[1], sb = b0[0] + b0[1], sc = c0[0] + c0[1];
  for (; k < n; ++k) {
    sa += a[k] * x[k];
    sb += b[k] * x[k];
    sc += c[k] * x[k];
  }
  sums[0] += sa;
  sums[1] += sb;
  sums[2] += sc;
}

/* block += Z Y^T, both [3][n] */
static void add_product(int n, const double *z, const double *y, tacMat3 *block) {
  double columns[3] = {0.0, 0.0, 0.0};
  for (int b = 0; b < 3; ++b) {
    columns[0] = columns[1] = columns[2] = 0.0;
    add_rows_times(n, (size_t)n, z, y + (size_t)b * (size_t)n, columns);
    for (int a = 0; a < 3; ++a) block->m[a][b] += columns[a];
  }
}

/* W_ij of blocks, NULL where it is zero. */
static const double *find_block(const tacBlockMatrix *blocks, int i, int j) {
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
  if (i == j) { /* symmetric to the last bit, also where both sides are the same part */
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
  if (problem->blocks != NULL) tac_block_matrix_add_row(problem->blocks, i, forces, motion);
}

void tac_delassus_built_motion(int count, const double *w, int i, const double *forces, double motion[3]) {
  size_t n = 3 * (size_t)count;
  motion[0] = motion[1] = motion[2] = 0.0;
  add_rows_times((int)n, n, w + 3 * (size_t)i * n, forces, motion);
}

tacDelassusCost tac_delassus_cost(const tacLawProblem *problem) {
  double m = problem->count, n = 0.0, dense = problem->compliance != NULL ? 9.0 * m * m : 0.0;
  if (problem->blocks != NULL) dense += 9.0 * problem->blocks->first[problem->blocks->count];
  for (int i = 0; i < problem->count; ++i)
    for (int s = 0; s < 2; ++s) {
      int part = problem->contacts[i].part[s];
      if (part >= 0) n += problem->part_size[part];
    }
  /* as if every two contacts had their parts in common; where they do not, both are cheaper */
  return (tacDelassusCost){
      .build = 4.5 * (m + 1.0) * n, .built_sweep = 9.0 * m * m, .blocks = 9.0 * n, .unbuilt_sweep = 6.0 * n + dense};
}
