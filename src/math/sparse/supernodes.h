/* A sparse factor L by its supernodes: columns that follow each other and have the same rows below them, stored as one dense
 * matrix. A plain view of numbers that someone else owns (tac_factor_supernodes), with substitutions that allocate nothing, lock
 * nothing and call no library: safe in a tick, any number of threads.
 *
 * Supernodes form a tree: the parent of one has its first row below the diagonal block. The rows of a supernode are columns of its
 * ancestors, so that L^-1 of a vector touches only the paths from its entries to the root (Gilbert and Peierls 1988). */
#pragma once

#include <stddef.h>

typedef struct tacSupernodes {
  int size, count;
  const int *first;       /* [count + 1]: supernode s has the columns first[s] to first[s + 1] - 1 */
  const int *row_start;   /* [count + 1] into `row` */
  const int *row;         /* ascending, its own columns first */
  const int *value_start; /* [count + 1] into `value` */
  const double *value;    /* column-major without gaps; what is above the diagonal is not read */
  const int *permutation; /* [size]: row k of P A P^T is row permutation[k] of A */
} tacSupernodes;

/* Rows and columns of one as a matrix. */
static inline int tac_supernodes_high(const tacSupernodes *l, int supernode) {
  return l->row_start[supernode + 1] - l->row_start[supernode];
}
static inline int tac_supernodes_width(const tacSupernodes *l, int supernode) {
  return l->first[supernode + 1] - l->first[supernode];
}

/* parent[supernode], -1 for roots, always a later one; home[column]: its supernode. They do not depend on the values. */
void tac_supernodes_tree(const tacSupernodes *l, int *parent, int *home);
/* Rows of the tallest, numbers that the next two need as `work`. */
int tac_supernodes_tallest(const tacSupernodes *l);

/* x = L^-1 x and x = L^-T x, in the order of P. */
void tac_supernodes_forward(const tacSupernodes *l, double *x, double *work);
void tac_supernodes_backward(const tacSupernodes *l, double *x, double *work);
/* The part of supernodes [begin, end) alone. What they add to x goes to x[to[i]] in place of x[row[i]]. */
void tac_supernodes_forward_some(const tacSupernodes *l, int begin, int end, const int *to, double *x, double *work);
void tac_supernodes_backward_some(const tacSupernodes *l, int begin, int end, double *x, double *work);

/* Vectors side by side, TAC_PANEL numbers a row: panel[row * TAC_PANEL + vector]. */
enum { TAC_PANEL = 8 };
/* One supernode's part of L^-1 panel: solves for its columns, and takes them out of its other rows. Once for each supernode of
 * the paths, ascending, it is all of it. */
void tac_supernodes_eliminate(const tacSupernodes *l, int supernode, double *panel);
/* Its part of L^-T panel, after those that it acts on. work: [tallest][TAC_PANEL]. */
void tac_supernodes_substitute(const tacSupernodes *l, int supernode, double *panel, double *work);
/* sum[i][j] += sum over rows of a[row][i] b[row][j] */
void tac_panel_product(int rows, const double *a, const double *b, double sum[TAC_PANEL * TAC_PANEL]);
