/* What a sparse Cholesky factor P A P^T = L L^T by supernodes owes to the pattern of A and the order P alone: where L has
 * entries, which supernodes act on which, and which can be computed side by side. One plan serves all factors of a
 * pattern; it does not change. Load phase. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include "base/memory/array.h"
#include "math/sparse/sparse.h"
#include "math/sparse/supernodes.h"

/* Rows [begin, end) of supernode `by` are columns of the one that it acts on. */
typedef struct tacSupernodalRun {
  int by, begin, end;
} tacSupernodalRun;

typedef struct tacSupernodalStrip {
  int supernode, begin, end; /* rows */
} tacSupernodalStrip;
enum { TAC_STRIP = 192 }; /* rows of a supernode that a thread updates at a time */

/* Supernodes [begin, end), of which the last is the root; others act on none of them. In a solution, what they do to rows
 * above them is gathered in `sums`, one for each row of the root below its own columns. */
typedef struct tacSupernodalSubtree {
  int begin, end, sums;
} tacSupernodalSubtree;

typedef struct tacSupernodalPlan {
  atomic_int users;
  tacArrays arrays;                                   /* all below */
  int size, count;                                    /* rows, supernodes */
  int *first, *row_start, *row, *value_start, *order; /* as in tacSupernodes */
  int widest, tallest;
  double nonzeros, flops; /* of L without the zeros that supernodes add, and of one numeric factorisation */
  size_t bytes;           /* held by the plan */

  size_t entries;         /* of A */
  int *target;            /* [entry of A] -> its place in L; -1 above the diagonal */
  int *run_start;         /* [count + 1] */
  tacSupernodalRun *runs; /* on each supernode, ascending */

  int subtree_count, top_count, sum_count;
  tacSupernodalSubtree *subtrees; /* independent of each other */
  int *top; /* the other supernodes, by their level: those of one level do not act on each other */
  int *to;  /* [row of a supernode]: the place in x, or behind x in the sums, to which a solution adds */
  int levels, *level_start, *strip_start; /* [levels + 1], into `top` and `strips` */
  tacSupernodalStrip *strips;
  double *level_flops; /* [levels], of the strips */
} tacSupernodalPlan;

/* Reads the places of `pattern` on and below its diagonal. Row k of P A P^T is row order[k] of A; supernodes are largest where
 * the order is one of tac_elimination_postorder. `whole`: for one thread, in a single subtree for each root. TAC_ERR_MEMORY,
 * with the remedy, where the machine has no memory for L. */
tacStatus tac_supernodal_plan_create(const tacSparse *pattern, const int *order, bool whole, tacSupernodalPlan **plan,
                                     tacError *error);
tacSupernodalPlan *tac_supernodal_plan_share(tacSupernodalPlan *plan); /* for another factor of the same pattern */
void tac_supernodal_plan_release(tacSupernodalPlan *plan);             /* NULL is allowed */

/* L with these numbers, value_start[count] of them. */
tacSupernodes tac_supernodal_plan_view(const tacSupernodalPlan *plan, const double *value);
