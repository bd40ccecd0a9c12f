#include "math/sparse/supernodal_plan.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/owned.h"
#include "base/memory/physical_memory.h"
#include "math/sparse/elimination_tree.h"

enum {
  NARROW = 4, /* supernodes up to this width are always made one */
  BROAD = 32, /* and above this one, only where that adds few zeros */
  SHARES = 64 /* a subtree has at most one of so many shares of all numbers */
};
static const double few_flops = 1e6; /* of a factor that is not worth dividing */

static const char what[] = "a sparse factor";

TAC_OWNED_TYPE(tacSupernodalPlan, tac_supernodal_plan_release)

/* ---- where L has entries ---- */

/* Columns that are stored as one matrix. */
typedef struct Group {
  int first, width, high;
  double zeros; /* that L does not have */
} Group;

static double entries_of(int width, int high) {
  return (double)width * high - 0.5 * (double)width * (width - 1);
}

/* What is below the columns of `left` is in the columns or rows of `right`, which has its parent. */
static Group joined(const Group *left, const Group *right) {
  Group both = {.first = left->first, .width = left->width + right->width, .high = left->width + right->high};
  both.zeros = left->zeros + right->zeros + entries_of(both.width, both.high) - entries_of(left->width, left->high) -
               entries_of(right->width, right->high);
  return both;
}

static bool worth_joining(const Group *both) {
  double share = both->zeros / entries_of(both->width, both->high);
  return both->width <= NARROW || share < (both->width <= BROAD ? 0.15 : 0.05);
}

/* Groups of columns, in their order; returns how many. */
static int group_columns(int size, const int *parent, const int *count, Group *group) {
  int groups = 0;
  for (int k = 0; k < size; ++k) {
    group[groups++] = (Group){.first = k, .width = 1, .high = count[k]};
    while (groups > 1) {
      Group *left = &group[groups - 2], *right = &group[groups - 1];
      int above = parent[left->first + left->width - 1];
      if (above < right->first || above >= right->first + right->width) break; /* a root, or elsewhere */
      Group both = joined(left, right);
      /* Columns with the same rows join at once; others when all that have the same rows are there. */
      bool last = k + 1 == size || parent[k] != k + 1 || count[k + 1] != count[k] - 1;
      if (both.zeros > left->zeros + right->zeros && !(last && worth_joining(&both))) break;
      *left = both;
      --groups;
    }
  }
  return groups;
}

/* Adds those of the rows [begin, end) that are at least `least` and not yet there. */
static int add_rows(const int *begin, const int *end, int least, int s, int *seen, int *row, int found) {
  for (const int *i = begin; i < end; ++i)
    if (*i >= least && seen[*i] != s) seen[*i] = s, row[found++] = *i;
  return found;
}

/* The rows of every supernode: of its columns in A, and of the supernodes whose parent it is. `work`: 2 count + size. */
static void find_rows(tacSupernodalPlan *plan, const tacStrictLower *lower, const int *home, int *work) {
  int *list = work, *next = list + plan->count, *seen = next + plan->count;
  for (int s = 0; s < plan->count; ++s) list[s] = -1;
  for (int i = 0; i < plan->size; ++i) seen[i] = -1;
  for (int s = 0; s < plan->count; ++s) {
    int *row = plan->row + plan->row_start[s], end = plan->first[s + 1], width = end - plan->first[s], found = width;
    for (int k = 0; k < width; ++k) {
      int column = row[k] = plan->first[s] + k;
      found = add_rows(lower->row + lower->column_start[column], lower->row + lower->column_start[column + 1], end, s,
                       seen, row, found);
    }
    for (int child = list[s]; child >= 0; child = next[child])
      found = add_rows(plan->row + plan->row_start[child], plan->row + plan->row_start[child + 1], end, s, seen, row,
                       found);
    qsort(row + width, (size_t)(found - width), sizeof *row, tac_array_compare_ints);
    if (found > width) {
      int above = home[row[width]];
      next[s] = list[above];
      list[above] = s;
    }
  }
}

/* The place of `at` among the rows of a supernode, which mostly is `near` or the next: neighbours in A often are in L. */
static int find_row(const int *rows, int high, int at, int near) {
  if (near < high && rows[near] == at) return near;
  if (near + 1 < high && rows[near + 1] == at) return near + 1;
  const int *found = bsearch(&at, rows, (size_t)high, sizeof at, tac_array_compare_ints);
  return (int)(found - rows);
}

/* `place`: [size], room. */
static void find_targets(tacSupernodalPlan *plan, const tacSparse *pattern, const int *home, int *place) {
  for (int k = 0; k < plan->size; ++k) place[plan->order[k]] = k;
  for (int j = 0, row = 0; j < plan->size; ++j)
    for (int p = pattern->column_start[j]; p < pattern->column_start[j + 1]; ++p) {
      plan->target[p] = -1;
      if (pattern->row[p] < j) continue;
      int a = place[j], b = place[pattern->row[p]], column = a < b ? a : b, s = home[column];
      int high = plan->row_start[s + 1] - plan->row_start[s];
      row = find_row(plan->row + plan->row_start[s], high, a < b ? b : a, row);
      plan->target[p] = plan->value_start[s] + (column - plan->first[s]) * high + row;
    }
}

static void *array(tacSupernodalPlan *plan, size_t count, size_t item) {
  plan->bytes += count * item;
  return tac_arrays_add(&plan->arrays, count, item);
}

static tacStatus check_size(const tacSupernodalPlan *plan, double values, double rows, tacError *error) {
  if (values > INT_MAX || rows > INT_MAX)
    return tac_error_set(
        error, TAC_ERR_UNSUPPORTED,
        "the factor of a sparse matrix of size %d would have more than 2^31 entries; use a coarser mesh", plan->size);
  double bytes = (double)sizeof(double) * values, machine = (double)tac_physical_memory();
  if (bytes > 0.9 * machine)
    return tac_error_set(
        error, TAC_ERR_MEMORY,
        "the factor of a matrix with %d rows needs %.1f GiB, but this machine has %.1f GiB; use a coarser mesh",
        plan->size, bytes / (1 << 30), machine / (1 << 30));
  return TAC_OK;
}

/* Of the groups: everything but the rows. */
static tacStatus make_layout(tacSupernodalPlan *plan, const int *order, const Group *group, int *home,
                             tacError *error) {
  size_t size = (size_t)plan->size, count = (size_t)plan->count;
  double values = 0.0, rows = 0.0;
  for (int s = 0; s < plan->count; ++s) {
    rows += group[s].high;
    values += (double)group[s].high * group[s].width;
    if (group[s].high > plan->tallest) plan->tallest = group[s].high;
    if (group[s].width > plan->widest) plan->widest = group[s].width;
  }
  TAC_TRY(check_size(plan, values, rows, error));
  plan->first = array(plan, count + 1, sizeof *plan->first);
  plan->row_start = array(plan, count + 1, sizeof *plan->row_start);
  plan->value_start = array(plan, count + 1, sizeof *plan->value_start);
  plan->run_start = array(plan, count + 1, sizeof *plan->run_start);
  plan->row = array(plan, (size_t)rows, sizeof *plan->row);
  plan->to = array(plan, (size_t)rows, sizeof *plan->to);
  plan->order = array(plan, size, sizeof *plan->order);
  plan->target = array(plan, plan->entries, sizeof *plan->target);
  plan->subtrees = array(plan, count, sizeof *plan->subtrees);
  plan->top = array(plan, count, sizeof *plan->top);
  TAC_TRY(tac_arrays_status(&plan->arrays, what, error));
  memcpy(plan->order, order, size * sizeof *order);
  for (int s = 0; s < plan->count; ++s) {
    plan->first[s] = group[s].first;
    plan->row_start[s + 1] = plan->row_start[s] + group[s].high;
    plan->value_start[s + 1] = plan->value_start[s] + group[s].high * group[s].width;
    for (int k = 0; k < group[s].width; ++k) home[group[s].first + k] = s;
  }
  plan->first[plan->count] = plan->size;
  return TAC_OK;
}

/* ---- which supernodes act on which ---- */

/* Adds the runs of all supernodes to the lists of those that they act on; `runs` NULL: only counts them. */
static void list_runs(const tacSupernodes *l, const int *home, int *at, tacSupernodalRun *runs) {
  for (int s = 0; s < l->count; ++s) {
    const int *row = l->row + l->row_start[s];
    for (int i = tac_supernodes_width(l, s), end; i < tac_supernodes_high(l, s); i = end) {
      int on = home[row[i]];
      for (end = i + 1; end < tac_supernodes_high(l, s) && home[row[end]] == on;) ++end;
      if (runs != NULL) runs[at[on]] = (tacSupernodalRun){s, i, end};
      ++at[on];
    }
  }
}

/* Sums of counts[0 .. count) before each, and all in starts[count]. */
static void add_up(int count, const int *counts, int *starts) {
  starts[0] = 0;
  for (int i = 0; i < count; ++i) starts[i + 1] = starts[i] + counts[i];
}

/* `at`: [count], room. */
static tacStatus find_runs(tacSupernodalPlan *plan, const tacSupernodes *l, const int *home, int *at, tacError *error) {
  memset(at, 0, (size_t)l->count * sizeof *at);
  list_runs(l, home, at, NULL);
  add_up(l->count, at, plan->run_start);
  plan->runs = array(plan, (size_t)plan->run_start[l->count], sizeof *plan->runs);
  TAC_TRY(tac_arrays_status(&plan->arrays, what, error));
  memcpy(at, plan->run_start, (size_t)l->count * sizeof *at);
  list_runs(l, home, at, plan->runs);
  return TAC_OK;
}

/* ---- what can be computed side by side ---- */

/* numbers[s] of the subtree of s, and its first supernode; -1 where it is not all that is between them. */
static void measure_subtrees(const tacSupernodes *l, const int *parent, double *numbers, int *begin, int *nodes) {
  for (int s = 0; s < l->count; ++s) {
    numbers[s] = 0.0;
    begin[s] = s;
    nodes[s] = 1;
  }
  for (int s = 0; s < l->count; ++s) {
    numbers[s] += (double)tac_supernodes_width(l, s) * tac_supernodes_high(l, s);
    if (parent[s] < 0) continue;
    numbers[parent[s]] += numbers[s];
    nodes[parent[s]] += nodes[s];
    if (begin[s] < begin[parent[s]]) begin[parent[s]] = begin[s];
  }
  for (int s = 0; s < l->count; ++s)
    if (nodes[s] != s + 1 - begin[s]) begin[s] = -1;
}

/* Rows of the subtree's supernodes that are above its root are rows of the root. `place`: [size], room. */
static void aim_at_sums(const tacSupernodes *l, const tacSupernodalSubtree *tree, int *place, int *to) {
  int root = tree->end - 1, end = l->first[tree->end];
  const int *rows = l->row + l->row_start[root];
  for (int i = tac_supernodes_width(l, root); i < tac_supernodes_high(l, root); ++i)
    place[rows[i]] = l->size + tree->sums + i - tac_supernodes_width(l, root);
  for (int p = l->row_start[tree->begin]; p < l->row_start[tree->end]; ++p)
    to[p] = l->row[p] < end ? l->row[p] : place[l->row[p]];
}

/* `work`: 3 count + 2 size numbers. */
static void divide(tacSupernodalPlan *plan, const tacSupernodes *l, int shares, double *numbers, int *work) {
  int *parent = work, *begin = parent + l->count, *nodes = begin + l->count, *home = nodes + l->count;
  int *place = home + l->size;
  tac_supernodes_tree(l, parent, home);
  measure_subtrees(l, parent, numbers, begin, nodes);
  double most = (double)l->value_start[l->count] / shares;
  memcpy(plan->to, l->row, (size_t)l->row_start[l->count] * sizeof *plan->to);
  for (int s = 0; s < l->count; ++s) {
    bool small = numbers[s] <= most && begin[s] >= 0;
    while (small && plan->subtree_count > 0 && plan->subtrees[plan->subtree_count - 1].begin >= begin[s])
      --plan->subtree_count; /* part of this one */
    while (small && plan->top_count > 0 && plan->top[plan->top_count - 1] >= begin[s]) --plan->top_count;
    if (small)
      plan->subtrees[plan->subtree_count++] = (tacSupernodalSubtree){begin[s], s + 1, 0};
    else
      plan->top[plan->top_count++] = s;
  }
  for (int t = 0; t < plan->subtree_count; ++t) {
    tacSupernodalSubtree *tree = &plan->subtrees[t];
    tree->sums = plan->sum_count;
    plan->sum_count += tac_supernodes_high(l, tree->end - 1) - tac_supernodes_width(l, tree->end - 1);
    aim_at_sums(l, tree, place, plan->to);
  }
}

/* level[s] of those in `top`: above those of `top` that act on it; -1 of those in subtrees. */
static void find_levels(tacSupernodalPlan *plan, int *level) {
  for (int s = 0; s < plan->count; ++s) level[s] = -1;
  for (int n = 0; n < plan->top_count; ++n) {
    int s = plan->top[n], above = -1;
    for (int r = plan->run_start[s]; r < plan->run_start[s + 1]; ++r)
      if (level[plan->runs[r].by] > above) above = level[plan->runs[r].by];
    level[s] = above + 1;
    if (level[s] >= plan->levels) plan->levels = level[s] + 1;
  }
}

static void add_strips(tacSupernodalPlan *plan, const tacSupernodes *l, int level, int s, int *strips) {
  if (plan->run_start[s] == plan->run_start[s + 1]) return;
  for (int begin = 0, high = tac_supernodes_high(l, s); begin < high; begin += TAC_STRIP)
    plan->strips[(*strips)++] = (tacSupernodalStrip){s, begin, begin + TAC_STRIP < high ? begin + TAC_STRIP : high};
  for (int r = plan->run_start[s]; r < plan->run_start[s + 1]; ++r) {
    const tacSupernodalRun *run = &plan->runs[r];
    plan->level_flops[level] += 2.0 * tac_supernodes_width(l, run->by) * (run->end - run->begin) *
                                (tac_supernodes_high(l, run->by) - run->begin);
  }
}

/* Sorts `top` by levels. `work`: 3 count numbers. */
static tacStatus sort_levels(tacSupernodalPlan *plan, const tacSupernodes *l, int *work, tacError *error) {
  int *level = work, *at = level + l->count, *top = at + l->count;
  size_t strips = 0;
  find_levels(plan, level);
  for (int n = 0; n < plan->top_count; ++n)
    strips += ((size_t)tac_supernodes_high(l, plan->top[n]) + TAC_STRIP - 1) / TAC_STRIP;
  plan->level_start = array(plan, (size_t)plan->levels + 1, sizeof *plan->level_start);
  plan->strip_start = array(plan, (size_t)plan->levels + 1, sizeof *plan->strip_start);
  plan->level_flops = array(plan, (size_t)plan->levels, sizeof *plan->level_flops);
  plan->strips = array(plan, strips, sizeof *plan->strips);
  TAC_TRY(tac_arrays_status(&plan->arrays, what, error));
  memset(at, 0, (size_t)plan->levels * sizeof *at);
  memcpy(top, plan->top, (size_t)plan->top_count * sizeof *top);
  for (int n = 0; n < plan->top_count; ++n) ++at[level[top[n]]];
  add_up(plan->levels, at, plan->level_start);
  memcpy(at, plan->level_start, (size_t)plan->levels * sizeof *at);
  for (int n = 0; n < plan->top_count; ++n) plan->top[at[level[top[n]]]++] = top[n];
  for (int n = 0, done = 0; n < plan->levels; ++n) {
    for (int i = plan->level_start[n]; i < plan->level_start[n + 1]; ++i) add_strips(plan, l, n, plan->top[i], &done);
    plan->strip_start[n + 1] = done;
  }
  return TAC_OK;
}

/* ---- all ---- */

/* `work`: 3 count + 2 size numbers, `numbers`: count. */
static tacStatus fill(tacSupernodalPlan *plan, const tacSparse *pattern, const tacStrictLower *lower, bool whole,
                      const int *home, double *numbers, int *work, tacError *error) {
  find_rows(plan, lower, home, work);
  find_targets(plan, pattern, home, work);
  const tacSupernodes l = tac_supernodal_plan_view(plan, NULL);
  TAC_TRY(find_runs(plan, &l, home, work, error));
  divide(plan, &l, whole || plan->flops < few_flops ? 1 : SHARES, numbers, work);
  return sort_levels(plan, &l, work, error);
}

tacStatus tac_supernodal_plan_create(const tacSparse *pattern, const int *order, bool whole, tacSupernodalPlan **plan,
                                     tacError *error) {
  size_t size = (size_t)pattern->cols;
  *plan = NULL;
  TAC_OWN(tacSupernodalPlan, made) = NULL;
  TAC_TRY(TAC_ARRAY(made, 1, what, error));
  atomic_init(&made->users, 1);
  TAC_FREED(tac_arrays_free, tacArrays, room) = {0};
  int *work = tac_arrays_add(&room, 7 * size, sizeof *work);
  double *numbers = tac_arrays_add(&room, size, sizeof *numbers);
  Group *group = tac_arrays_add(&room, size, sizeof *group);
  TAC_TRY(tac_arrays_status(&room, "an elimination tree", error));
  TAC_FREED(tac_strict_lower_destroy, tacStrictLower, lower) = {0};
  TAC_TRY(tac_strict_lower_create(pattern, order, &lower, error));
  int *home = work, *parent = work, *count = work + size;
  made->size = pattern->cols;
  made->entries = (size_t)tac_sparse_count(pattern);
  tac_elimination_tree(&lower, parent, count, work + 2 * size);
  for (size_t k = 0; k < size; ++k) {
    made->nonzeros += count[k];
    made->flops += (double)count[k] * count[k];
  }
  made->count = group_columns(made->size, parent, count, group);
  TAC_TRY(make_layout(made, order, group, home, error)); /* tree and counts are no longer needed */
  TAC_TRY(fill(made, pattern, &lower, whole, home, numbers, work + size, error));
  *plan = tac_give(&made);
  return TAC_OK;
}

tacSupernodalPlan *tac_supernodal_plan_share(tacSupernodalPlan *plan) {
  atomic_fetch_add(&plan->users, 1);
  return plan;
}

void tac_supernodal_plan_release(tacSupernodalPlan *plan) {
  if (plan == NULL || atomic_fetch_sub(&plan->users, 1) > 1) return;
  tac_arrays_free(&plan->arrays);
  free(plan);
}

tacSupernodes tac_supernodal_plan_view(const tacSupernodalPlan *plan, const double *value) {
  return (tacSupernodes){.size = plan->size,
                         .count = plan->count,
                         .first = plan->first,
                         .row_start = plan->row_start,
                         .row = plan->row,
                         .value_start = plan->value_start,
                         .value = value,
                         .permutation = plan->order};
}
