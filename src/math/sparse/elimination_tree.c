#include "math/sparse/elimination_tree.h"

#include <string.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"

/* start[i] is where list i goes on; after all have been put there it is where list i + 1 begins: back by one. */
static void shift_back(int *start, int size) {
  memmove(start + 1, start, (size_t)size * sizeof *start);
  start[0] = 0;
}

static void add_up(int *start, int size) {
  for (int i = 0, sum = 0; i <= size; ++i) {
    int count = start[i];
    start[i] = sum;
    sum += count;
  }
}

tacStatus tac_strict_lower_create(const tacSparse *pattern, const int *order, tacStrictLower *lower, tacError *error) {
  *lower = (tacStrictLower){.size = pattern->cols};
  size_t size = (size_t)pattern->cols, count = 0;
  for (int j = 0; j < pattern->cols; ++j)
    for (int p = pattern->column_start[j]; p < pattern->column_start[j + 1]; ++p) count += pattern->row[p] > j;
  TAC_MEMORY(int, place) = NULL;
  TAC_TRY(TAC_ARRAY(place, size, "an elimination tree", error));
  lower->row_start = tac_arrays_add(&lower->arrays, size + 1, sizeof *lower->row_start);
  lower->column_start = tac_arrays_add(&lower->arrays, size + 1, sizeof *lower->column_start);
  lower->column = tac_arrays_add(&lower->arrays, count, sizeof *lower->column);
  lower->row = tac_arrays_add(&lower->arrays, count, sizeof *lower->row);
  tacStatus status = tac_arrays_status(&lower->arrays, "an elimination tree", error);
  if (status != TAC_OK) {
    tac_strict_lower_destroy(lower);
    return status;
  }
  for (int k = 0; k < pattern->cols; ++k) place[order != NULL ? order[k] : k] = k;
  for (int round = 0; round < 2; ++round) { /* count, then put */
    for (int j = 0; j < pattern->cols; ++j)
      for (int p = pattern->column_start[j]; p < pattern->column_start[j + 1]; ++p) {
        if (pattern->row[p] <= j) continue;
        int a = place[j], b = place[pattern->row[p]], column = a < b ? a : b, row = a < b ? b : a;
        int in_row = lower->row_start[row]++, in_column = lower->column_start[column]++;
        if (round == 1) lower->column[in_row] = column, lower->row[in_column] = row;
      }
    if (round == 0) {
      add_up(lower->row_start, pattern->cols);
      add_up(lower->column_start, pattern->cols);
    }
  }
  shift_back(lower->row_start, pattern->cols);
  shift_back(lower->column_start, pattern->cols);
  return TAC_OK;
}

void tac_strict_lower_destroy(tacStrictLower *lower) {
  tac_arrays_free(&lower->arrays);
  *lower = (tacStrictLower){0};
}

/* The columns such that each follows its children at once. work: [2 size]. */
static void postorder(int size, const int *parent, int *post, int *work) {
  int *child = work, *sibling = work + size, done = 0, roots = -1;
  for (int k = 0; k < size; ++k) child[k] = -1;
  for (int k = size - 1; k >= 0; --k) { /* the first child ends up first */
    int *list = parent[k] >= 0 ? &child[parent[k]] : &roots;
    sibling[k] = *list;
    *list = k;
  }
  for (int k = roots;
       k >= 0;) { /* down to a leaf, then on to its sibling, or to the parent that now has no child left */
    if (child[k] >= 0) {
      int next = child[k];
      child[k] = -1;
      k = next;
    } else {
      post[done++] = k;
      k = sibling[k] >= 0 ? sibling[k] : parent[k];
    }
  }
}

static void find_parents(const tacStrictLower *lower, int *parent, int *ancestor) {
  for (int i = 0; i < lower->size; ++i) {
    parent[i] = ancestor[i] = -1;
    for (int p = lower->row_start[i]; p < lower->row_start[i + 1]; ++p)
      for (int j = lower->column[p], next; j >= 0 && j < i;
           j = next) { /* up to the root so far, which i is put above */
        next = ancestor[j];
        ancestor[j] = i; /* a short cut for later rows */
        if (next < 0) parent[j] = i;
      }
  }
}

/* The root so far of what j is in; paths become shorter. */
static int root_of(int *ancestor, int j) {
  int root = j;
  while (ancestor[root] != root) root = ancestor[root];
  for (int next; j != root; j = next) {
    next = ancestor[j];
    ancestor[j] = root;
  }
  return root;
}

/* Row i of L has the columns of a subtree with root i, whose leaves are entries of A. A column has one entry for each leaf
 * below it, less one for each pair of neighbouring leaves at the column where their paths meet. */
static void count_entries(const tacStrictLower *lower, const int *parent, int *count, int *work) {
  int size = lower->size, *post = work, *first = post + size, *leaf = first + size;
  int *latest = leaf + size, *ancestor = latest + size;
  postorder(size, parent, post, first);
  for (int k = 0; k < size; ++k) first[k] = -1;
  for (int k = 0; k < size; ++k) {
    int j = post[k];
    count[j] = first[j] < 0;                                    /* a leaf of the tree */
    for (; j >= 0 && first[j] < 0; j = parent[j]) first[j] = k; /* place of the first descendant */
  }
  for (int i = 0; i < size; ++i) {
    leaf[i] = latest[i] = -1; /* of row i: its last leaf so far, and the place of that one's first descendant */
    ancestor[i] = i;
  }
  for (int k = 0; k < size; ++k) {
    int j = post[k];
    if (parent[j] >= 0) --count[parent[j]]; /* the child's diagonal entry */
    for (int p = lower->column_start[j]; p < lower->column_start[j + 1]; ++p) {
      int i = lower->row[p];
      if (first[j] <= latest[i]) continue; /* a descendant of j has been a leaf */
      ++count[j];
      if (leaf[i] >= 0) --count[root_of(ancestor, leaf[i])];
      leaf[i] = j;
      latest[i] = first[j];
    }
    if (parent[j] >= 0) ancestor[j] = parent[j];
  }
  for (int j = 0; j < size; ++j)
    if (parent[j] >= 0) count[parent[j]] += count[j];
}

void tac_elimination_tree(const tacStrictLower *lower, int *parent, int *count, int *work) {
  find_parents(lower, parent, work);
  count_entries(lower, parent, count, work);
}

void tac_elimination_postorder(int size, const int *parent, int *order, int *work) {
  int *post = work, *before = work + size;
  postorder(size, parent, post, work + size);
  memcpy(before, order, (size_t)size * sizeof *order);
  for (int k = 0; k < size; ++k) order[k] = before[post[k]];
}
