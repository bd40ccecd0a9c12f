#include "contact/laws/law_system.h"

#include <math.h>
#include "base/memory/owned.h"
#include "contact/laws/delassus.h"
#include "contact/laws/frictional_problem.h"
#include "math/dense/dense.h"
#include "math/dense/dense_product.h"
#include "math/dense/vector.h"

/* PANEL: number of columns of a panel. LEAST_PANELLED: a matrix with fewer unknowns is not divided into panels. */
enum { PANEL = 32, LEAST_PANELLED = 96 };
enum { REFINEMENTS = 2 };

static bool has_parts(const tacLawProblem *problem) {
  for (int i = 0; i < problem->count; ++i)
    if (problem->contacts[i].part[0] >= 0 || problem->contacts[i].part[1] >= 0) return true;
  return false;
}

tacLawSystemForm tac_law_system_form(const tacLawProblem *problem) {
  bool parts = has_parts(problem);
  if (problem->compliance != NULL) return TAC_LAW_SYSTEM_DENSE;
  if (problem->blocks != NULL) return parts ? TAC_LAW_SYSTEM_DENSE : TAC_LAW_SYSTEM_SPARSE;
  return tac_law_iterate_coordinates(problem) < 3 * (size_t)problem->count ? TAC_LAW_SYSTEM_CONDENSED
                                                                           : TAC_LAW_SYSTEM_DENSE;
}

bool tac_law_system_built(const tacLawProblem *problem) {
  if (tac_law_system_form(problem) != TAC_LAW_SYSTEM_DENSE) return false;
  return problem->compliance == NULL || problem->blocks != NULL || has_parts(problem);
}

/* ---- envelope ---- */

/* Assigns places (positions in the order) to contacts without a place, by breadth-first search from `start`. The first
 * place is `placed`. Neighbours are visited in ascending order of index. Returns the number of contacts visited. */
static int walk(const tacContactProblem *blocks, int start, int placed, int *order, int *place) {
  int next = placed, end = placed;
  order[end] = start;
  place[start] = end++;
  for (; next < end; ++next)
    for (int k = blocks->first[order[next]]; k < blocks->first[order[next] + 1]; ++k)
      if (place[blocks->column[k]] < 0) {
        order[end] = blocks->column[k];
        place[blocks->column[k]] = end++;
      }
  return end - placed;
}

/* Orders contacts by the reverse Cuthill-McKee algorithm. In each connected set, a first search from any contact ends
 * at a distant contact. The order starts at this distant contact. Also sets `place` and `from` [count]: from[p] <= p is
 * the first place coupled with place p. */
static void order_contacts(const tacContactProblem *blocks, int *order, int *place, int *from) {
  int m = blocks->count, placed = 0;
  for (int i = 0; i < m; ++i) place[i] = -1;
  for (int i = 0; i < m; ++i) {
    if (place[i] >= 0) continue;
    int filled = walk(blocks, i, placed, order, place), start = order[placed + filled - 1], found = 0;
    /* If W has entries in only one triangle, a search from the last contact may not reach all contacts. */
    for (; found < filled; start = i) {
      for (int k = placed; k < placed + (found > 0 ? found : filled); ++k) place[order[k]] = -1;
      found = walk(blocks, start, placed, order, place);
    }
    placed += filled;
  }
  for (int k = 0; k < m / 2; ++k) {
    int swapped = order[k];
    order[k] = order[m - 1 - k];
    order[m - 1 - k] = swapped;
  }
  for (int k = 0; k < m; ++k) place[order[k]] = k;
  for (int k = 0; k < m; ++k) from[k] = k;
  for (int i = 0; i < m; ++i) /* both triangles of W are used, since a file may contain only one triangle */
    for (int k = blocks->first[i]; k < blocks->first[i + 1]; ++k) {
      int p = place[i], q = place[blocks->column[k]], low = p < q ? p : q, high = p < q ? q : p;
      if (low < from[high]) from[high] = low;
    }
}

/* Returns the number of entries in one half of the envelope, with three unknowns per contact. */
static size_t envelope_of(int count, const int *from) {
  size_t sum = 0;
  for (int p = 0; p < count; ++p) sum += 9 * (size_t)(p - from[p]) + 6;
  return sum;
}

/* Returns the number of entries in one half of the envelope of `blocks`. Needs no arena: allocates temporarily. If
 * memory is short, returns the number for a full matrix. */
static size_t envelope_ahead(const tacContactProblem *blocks) {
  size_t m = (size_t)blocks->count, numbers = 9 * m * (m + 1) / 2;
  TAC_MEMORY(int, all) = calloc(3 * m + 1, sizeof *all);
  if (all == NULL) return numbers;
  order_contacts(blocks, all, all + m, all + 2 * m);
  return envelope_of(blocks->count, all + 2 * m);
}

double tac_law_system_cost(const tacLawProblem *problem) {
  double m = problem->count, n = (double)tac_law_iterate_coordinates(problem), each = 0.0;
  switch (tac_law_system_form(problem)) {
    case TAC_LAW_SYSTEM_CONDENSED:
      for (int i = 0; i < problem->count; ++i) {
        double of = 0.0;
        for (int s = 0; s < 2; ++s) {
          int part = problem->contacts[i].part[s];
          if (part >= 0) of += problem->part_size[part];
        }
        each += 3.0 * of * of;
      }
      return each + n * n * n / 3.0;
    case TAC_LAW_SYSTEM_SPARSE: /* in packings of bodies, envelope rows are about four times as long as rows of W */
      each = 9.0 * problem->blocks->first[problem->blocks->count];
      return 16.0 * each * each / (9.0 * m);
    default: return 9.0 * m * m * m;
  }
}

/* Returns the number of multiplications of LU in the envelope. Entry (p, q) of L is a dot product over the columns
 * before q that rows p and q share. `at` [count + 1]: number of possibly pressing contacts before each place. */
static double count_envelope(int count, const int *from, const int *at) {
  double sum = 0.0;
  for (int p = 0; p < count; ++p)
    for (int q = from[p]; at[p + 1] > at[p] && q < p; ++q)
      if (at[q + 1] > at[q]) sum += at[q] - at[from[p] > from[q] ? from[p] : from[q]];
  return 2.0 * 27.0 * sum; /* three unknowns per contact */
}

double tac_law_system_envelope_cost(const tacLawProblem *problem, double apart, tacArena *arena) {
  if (tac_law_system_form(problem) != TAC_LAW_SYSTEM_SPARSE) return tac_law_system_cost(problem);
  tacArenaMark mark = tac_arena_mark(arena);
  size_t m = (size_t)problem->count;
  int *order = tac_arena_array(arena, 4 * m + 1, sizeof *order);
  double cost = 0.0;
  if (order != NULL) {
    int *from = order + 2 * m, *at = order + 3 * m;
    order_contacts(problem->blocks, order, order + m, from);
    at[0] = 0;
    for (size_t p = 0; p < m; ++p) at[p + 1] = at[p] + !(problem->contacts[order[p]].motion[0] > apart);
    cost = count_envelope(problem->count, from, at);
  }
  tac_arena_release(arena, mark);
  return order != NULL ? cost : tac_law_system_cost(problem);
}

size_t tac_law_system_room(const tacLawProblem *problem) {
  tacArena none = {0}; /* an empty arena, which only measures the bytes needed */
  tacLawSystem system;
  tac_law_system_take(&(tacLawIterate){.problem = problem}, &none, &system);
  size_t envelope = system.form == TAC_LAW_SYSTEM_SPARSE ? envelope_ahead(problem->blocks) : 0;
  return none.most_wanted + TAC_ARENA_ALIGNMENT + 2 * tac_law_iterate_rounded(envelope, sizeof(double));
}

size_t tac_law_system_room_most(int count, size_t coordinates, bool compliance) {
  size_t m = (size_t)count, most = 3 * m > coordinates ? 3 * m : coordinates;
  size_t size = compliance || 3 * m < coordinates ? 3 * m : coordinates;
  return tac_law_iterate_rounded(m, sizeof(tacLawUnknowns)) + 3 * tac_law_iterate_rounded(3 * m, sizeof(double)) +
         tac_law_iterate_rounded(size * size, sizeof(double)) + tac_law_iterate_rounded(coordinates, sizeof(double)) +
         tac_law_iterate_rounded(most, sizeof(int));
}

bool tac_law_system_take(const tacLawIterate *iterate, tacArena *arena, tacLawSystem *system) {
  const tacLawProblem *problem = iterate->problem;
  size_t m = (size_t)problem->count, n = tac_law_iterate_coordinates(problem);
  *system = (tacLawSystem){.form = tac_law_system_form(problem), .iterate = iterate};
  const size_t refused = arena->refused;
  system->unknowns = tac_arena_array(arena, m, sizeof *system->unknowns);
  if (system->form == TAC_LAW_SYSTEM_SPARSE) {
    int *place = tac_arena_array(arena, m, sizeof *place);
    system->order = tac_arena_array(arena, m, sizeof *system->order);
    system->from = tac_arena_array(arena, m, sizeof *system->from);
    system->row = tac_arena_array(arena, 3 * m, sizeof *system->row);
    system->begin = tac_arena_array(arena, 3 * m, sizeof *system->begin);
    if (arena->refused != refused) return false;
    order_contacts(problem->blocks, system->order, place, system->from);
    size_t numbers = envelope_of(problem->count, system->from);
    system->a = tac_arena_array(arena, numbers, sizeof *system->a);
    system->upper = tac_arena_array(arena, numbers, sizeof *system->upper);
    return arena->refused == refused;
  }
  size_t size = system->form == TAC_LAW_SYSTEM_CONDENSED ? n : 3 * m;
  if (system->form == TAC_LAW_SYSTEM_CONDENSED) {
    system->y = tac_arena_array(arena, n, sizeof *system->y);
    system->right = tac_arena_array(arena, 3 * m, sizeof *system->right);
    system->left = tac_arena_array(arena, 3 * m, sizeof *system->left);
    system->forces = tac_arena_array(arena, 3 * m, sizeof *system->forces);
  }
  system->a = tac_arena_array(arena, size * size, sizeof *system->a);
  system->pivot = tac_arena_array(arena, size, sizeof *system->pivot);
  return arena->refused == refused;
}

/* ---- LU of a dense matrix, in panels ---- */

static void swap(double *a, double *b) {
  double kept = *a;
  *a = *b;
  *b = kept;
}

static bool factor_dense(int n, double *a, int *pivot) {
  tacDense all = {n, n, n > 0 ? n : 1, a};
  if (n < LEAST_PANELLED) return tac_dense_loop_lu(&all, pivot);
  size_t stride = (size_t)n;
  for (int first = 0; first < n; first += PANEL) {
    int width = n - first < PANEL ? n - first : PANEL, end = first + width;
    for (int j = first; j < end; ++j) { /* factors the columns of the panel */
      double *column = a + (size_t)j * stride;
      int best = j;
      for (int i = j + 1; i < n; ++i)
        if (fabs(column[i]) > fabs(column[best])) best = i;
      pivot[j] = best;
      if (!(fabs(column[best]) > 0.0) || !isfinite(column[best])) return false;
      if (best != j)
        for (int k = 0; k < n; ++k) swap(&a[(size_t)k * stride + (size_t)j], &a[(size_t)k * stride + (size_t)best]);
      double per = 1.0 / column[j];
      for (int i = j + 1; i < n; ++i) column[i] *= per;
      for (int k = j + 1; k < end; ++k) {
        double *other = a + (size_t)k * stride;
        tac_vector_add(n - j - 1, -other[j], column + j + 1, other + j + 1);
      }
    }
    for (int k = end; k < n; ++k) { /* computes the rows of U to the right of the panel */
      double *other = a + (size_t)k * stride;
      for (int j = first; j < end; ++j)
        tac_vector_add(end - j - 1, -other[j], a + (size_t)j * stride + j + 1, other + j + 1);
    }
    if (end < n)
      tac_dense_product(n - end, n - end, width, -1.0,
                        (tacDenseView){a + (size_t)first * stride + (size_t)end, 1, stride},
                        (tacDenseView){a + (size_t)end * stride + (size_t)first, 1, stride},
                        a + (size_t)end * stride + (size_t)end, stride);
  }
  return true;
}

/* Adds P_i^T block T_j to the column-major matrix `a`. */
static void add_block(const tacLawUnknowns *row, const tacLawUnknowns *column, const double *block, size_t down,
                      double *a, size_t stride) {
  for (int p = 0; p < row->count; ++p) {
    const double *t = row->test[p];
    double g[3];
    for (size_t s = 0; s < 3; ++s) g[s] = t[0] * block[s] + t[1] * block[down + s] + t[2] * block[2 * down + s];
    for (int q = 0; q < column->count; ++q) {
      const double *f = column->press[q];
      a[(size_t)(column->at + q) * stride + (size_t)(row->at + p)] += g[0] * f[0] + g[1] * f[1] + g[2] * f[2];
    }
  }
}

static bool factor_all(tacLawSystem *system) {
  const tacLawIterate *iterate = system->iterate;
  const tacLawProblem *problem = iterate->problem;
  size_t n = 3 * (size_t)problem->count, size = (size_t)system->size;
  const double *w = iterate->w != NULL ? iterate->w : problem->compliance;
  memset(system->a, 0, size * size * sizeof *system->a);
  for (int i = 0; i < problem->count; ++i) {
    const tacLawUnknowns *row = &system->unknowns[i];
    if (row->count == 0) continue;
    for (int j = 0; w != NULL && j < problem->count; ++j)
      if (system->unknowns[j].count > 0)
        add_block(row, &system->unknowns[j], w + 3 * (size_t)i * n + 3 * (size_t)j, n, system->a, size);
    double soft = iterate->w != NULL ? 0.0 : problem->contacts[i].softness; /* built W already contains the softness */
    for (int p = 0; p < row->count; ++p)
      for (int q = 0; q < row->count; ++q)
        system->a[(size_t)(row->at + q) * size + (size_t)(row->at + p)] +=
            row->own[p][q] + soft * row->test[p][0] * row->press[q][0];
  }
  return factor_dense(system->size, system->a, system->pivot);
}

/* ---- condensed form ---- */

/* Factors D_i, with the contact's softness included, by Gauss-Jordan elimination. Returns false if D_i is singular. */
static bool factor_own(const tacLawContact *contact, tacLawUnknowns *u) {
  double d[3][3];
  int n = u->count;
  for (int p = 0; p < n; ++p)
    for (int q = 0; q < n; ++q) d[p][q] = u->own[p][q] + contact->softness * u->test[p][0] * u->press[q][0];
  for (int j = 0; j < n; ++j) { /* needs pivoting, since D_i of a sliding contact is not symmetric */
    int best = j;
    for (int i = j + 1; i < n; ++i)
      if (fabs(d[i][j]) > fabs(d[best][j])) best = i;
    if (!(fabs(d[best][j]) > 0.0)) return false;
    u->pivot[j] = best;
    for (int k = 0; k < n; ++k) swap(&d[j][k], &d[best][k]);
    for (int i = 0; i < n; ++i) {
      if (i == j) continue;
      u->factor[j][i] = d[i][j] / d[j][j];
      for (int k = j; k < n; ++k) d[i][k] -= u->factor[j][i] * d[j][k];
    }
  }
  for (int j = 0; j < n; ++j) u->factor[j][j] = d[j][j];
  return true;
}

/* Replaces b by D_i^-1 b. */
static inline void solve_own(const tacLawUnknowns *u, double b[3]) {
  for (int j = 0; j < u->count; ++j) {
    swap(&b[j], &b[u->pivot[j]]);
    for (int i = 0; i < u->count; ++i)
      if (i != j) b[i] -= u->factor[j][i] * b[j];
  }
  for (int j = 0; j < u->count; ++j) b[j] /= u->factor[j][j];
}

static bool factor_reduced(tacLawSystem *system) {
  const tacLawIterate *iterate = system->iterate;
  const tacLawProblem *problem = iterate->problem;
  size_t n = tac_law_iterate_coordinates(problem);
  double *a = system->a;
  memset(a, 0, n * n * sizeof *a);
  for (size_t k = 0; k < n; ++k) a[k * n + k] = 1.0;
  for (int i = 0; i < problem->count; ++i) {
    tacLawUnknowns *u = &system->unknowns[i];
    const tacLawContact *contact = &problem->contacts[i];
    if (u->count == 0) continue;
    if (!factor_own(contact, u)) return false;
    double inverse[3][3], c[3][3]; /* columns of D^-1 P^T; C = T D^-1 P^T */
    for (int k = 0; k < 3; ++k) {
      for (int p = 0; p < u->count; ++p) inverse[k][p] = u->test[p][k];
      solve_own(u, inverse[k]);
    }
    for (int r = 0; r < 3; ++r)
      for (int k = 0; k < 3; ++k) {
        c[r][k] = 0.0;
        for (int p = 0; p < u->count; ++p) c[r][k] += u->press[p][r] * inverse[k][p];
      }
    for (int t = 0; t < 2; ++t) {
      if (contact->part[t] < 0) continue;
      int columns = problem->part_size[contact->part[t]];
      const double *z = contact->rows[t];
      for (int k = 0; k < columns; ++k) {
        double z0 = z[k], z1 = z[columns + k], z2 = z[2 * columns + k];
        double v0 = c[0][0] * z0 + c[0][1] * z1 + c[0][2] * z2, v1 = c[1][0] * z0 + c[1][1] * z1 + c[1][2] * z2,
               v2 = c[2][0] * z0 + c[2][1] * z1 + c[2][2] * z2;
        double *column = a + (iterate->offset[contact->part[t]] + (size_t)k) * n;
        for (int s = 0; s < 2; ++s) {
          if (contact->part[s] < 0) continue;
          int rows = problem->part_size[contact->part[s]];
          const double *restrict x = contact->rows[s], *restrict y = x + rows, *restrict w = y + rows;
          double *restrict to = column + iterate->offset[contact->part[s]];
          for (int r = 0; r < rows; ++r) to[r] += x[r] * v0 + y[r] * v1 + w[r] * v2;
        }
      }
    }
  }
  return factor_dense((int)n, a, system->pivot);
}

static void solve_reduced(tacLawSystem *system, double *x) {
  const tacLawIterate *iterate = system->iterate;
  const tacLawProblem *problem = iterate->problem;
  int n = (int)tac_law_iterate_coordinates(problem);
  double *y = system->y;
  memset(y, 0, (size_t)n * sizeof *y);
  for (int pass = 0; pass < 2; ++pass) {
    for (int i = 0; i < problem->count; ++i) {
      const tacLawUnknowns *u = &system->unknowns[i];
      const tacLawContact *contact = &problem->contacts[i];
      if (u->count == 0) continue;
      double b[3];
      for (int p = 0; p < u->count; ++p) b[p] = x[u->at + p];
      if (pass == 1) { /* b - P^T Z y */
        double move[3] = {0.0, 0.0, 0.0};
        for (int s = 0; s < 2; ++s) {
          if (contact->part[s] < 0) continue;
          double sums[3];
          tac_vector_dot3(problem->part_size[contact->part[s]], contact->rows[s], y + iterate->offset[contact->part[s]],
                          sums);
          for (int k = 0; k < 3; ++k) move[k] += sums[k];
        }
        for (int p = 0; p < u->count; ++p)
          b[p] -= u->test[p][0] * move[0] + u->test[p][1] * move[1] + u->test[p][2] * move[2];
      }
      solve_own(u, b);
      if (pass == 1) {
        for (int p = 0; p < u->count; ++p) x[u->at + p] = b[p];
        continue;
      }
      double force[3] = {0.0, 0.0, 0.0};
      for (int p = 0; p < u->count; ++p)
        for (int k = 0; k < 3; ++k) force[k] += u->press[p][k] * b[p];
      tac_delassus_push(problem, iterate->offset, i, force, y);
    }
    if (pass == 0) tac_dense_loop_lu_solve(&(tacDense){n, n, n > 0 ? n : 1, system->a}, system->pivot, y);
  }
}

/* ---- sparse form: row i of L and column i of U are stored from their first nonzero entry to the diagonal ---- */

/* Sets `at` of all contacts, and `begin` and `row` of all unknowns. Clears the matrix. */
static void lay_out(tacLawSystem *system) {
  size_t numbers = 0;
  int at = 0;
  for (int p = 0; p < system->iterate->problem->count; ++p) {
    tacLawUnknowns *u = &system->unknowns[system->order[p]];
    u->at = at;
    /* First unknown of the first coupled place, or of the next place that has unknowns. */
    int begin = system->unknowns[system->order[system->from[p]]].at;
    for (int k = 0; k < u->count; ++k, ++at) {
      system->begin[at] = begin;
      system->row[at] = numbers;
      numbers += (size_t)(at - begin + 1);
    }
  }
  system->size = at;
  memset(system->a, 0, numbers * sizeof *system->a);
  memset(system->upper, 0, numbers * sizeof *system->upper);
}

static void fill_sparse(tacLawSystem *system) {
  const tacLawProblem *problem = system->iterate->problem;
  const tacContactProblem *blocks = problem->blocks;
  for (int i = 0; i < problem->count; ++i) {
    const tacLawUnknowns *row = &system->unknowns[i];
    for (int k = blocks->first[i]; row->count > 0 && k < blocks->first[i + 1]; ++k) {
      int j = blocks->column[k];
      const tacLawUnknowns *column = &system->unknowns[j];
      const double *e = blocks->entries + 9 * (size_t)k;
      double soft = i == j ? problem->contacts[i].softness : 0.0;
      for (int p = 0; p < row->count; ++p) {
        const double *t = row->test[p];
        double g[3];
        for (int s = 0; s < 3; ++s) g[s] = t[0] * e[s] + t[1] * e[3 + s] + t[2] * e[6 + s];
        g[0] += soft * t[0];
        for (int q = 0; q < column->count; ++q) {
          const double *f = column->press[q];
          double value = g[0] * f[0] + g[1] * f[1] + g[2] * f[2] + (i == j ? row->own[p][q] : 0.0);
          int r = row->at + p, c = column->at + q;
          if (c < r)
            system->a[system->row[r] + (size_t)(c - system->begin[r])] = value;
          else
            system->upper[system->row[c] + (size_t)(r - system->begin[c])] = value;
        }
      }
    }
  }
}

static bool factor_sparse(tacLawSystem *system) {
  lay_out(system);
  fill_sparse(system);
  for (int i = 0; i < system->size; ++i) {
    int first = system->begin[i];
    double *l = system->a + system->row[i], *c = system->upper + system->row[i];
    for (int j = first; j < i; ++j) { /* computes L_ij and U_ji */
      int other = system->begin[j], start = first > other ? first : other;
      const double *lj = system->a + system->row[j], *cj = system->upper + system->row[j];
      double low = tac_vector_dot(j - start, l + (start - first), cj + (start - other));
      double high = tac_vector_dot(j - start, lj + (start - other), c + (start - first));
      l[j - first] = (l[j - first] - low) / cj[j - other];
      c[j - first] -= high;
    }
    c[i - first] -= tac_vector_dot(i - first, l, c);
    if (!(fabs(c[i - first]) > 0.0) || !isfinite(c[i - first])) return false;
  }
  return true;
}

static void solve_sparse(const tacLawSystem *system, double *x) {
  for (int i = 0; i < system->size; ++i) {
    int first = system->begin[i];
    x[i] -= tac_vector_dot(i - first, system->a + system->row[i], x + first);
  }
  for (int i = system->size - 1; i >= 0; --i) {
    int first = system->begin[i];
    const double *c = system->upper + system->row[i];
    x[i] /= c[i - first];
    tac_vector_add(i - first, -x[i], c, x + first);
  }
}

bool tac_law_system_factor(tacLawSystem *system) {
  if (system->form == TAC_LAW_SYSTEM_SPARSE) return factor_sparse(system);
  system->size = 0;
  for (int i = 0; i < system->iterate->problem->count; ++i) {
    system->unknowns[i].at = system->size;
    system->size += system->unknowns[i].count;
  }
  return system->form == TAC_LAW_SYSTEM_CONDENSED ? factor_reduced(system) : factor_all(system);
}

/* Computes the residual left = b - (P^T W T + D) x, with W f computed from the parts. */
static void find_left(tacLawSystem *system, const double *b, const double *x, double *left) {
  const tacLawProblem *problem = system->iterate->problem;
  const size_t *offset = system->iterate->offset;
  double *forces = system->forces, *y = system->y;
  memset(y, 0, tac_law_iterate_coordinates(problem) * sizeof *y);
  for (int i = 0; i < problem->count; ++i) {
    const tacLawUnknowns *u = &system->unknowns[i];
    double *f = forces + 3 * (size_t)i;
    f[0] = f[1] = f[2] = 0.0;
    for (int q = 0; q < u->count; ++q)
      for (int k = 0; k < 3; ++k) f[k] += u->press[q][k] * x[u->at + q];
    if (u->count > 0) tac_delassus_push(problem, offset, i, f, y);
  }
  for (int i = 0; i < problem->count; ++i) {
    const tacLawUnknowns *u = &system->unknowns[i];
    double motion[3];
    if (u->count == 0) continue;
    tac_delassus_motion(problem, offset, i, forces, y, motion);
    for (int p = 0; p < u->count; ++p) {
      double sum = u->test[p][0] * motion[0] + u->test[p][1] * motion[1] + u->test[p][2] * motion[2];
      for (int q = 0; q < u->count; ++q) sum += u->own[p][q] * x[u->at + q];
      left[u->at + p] = b[u->at + p] - sum;
    }
  }
}

void tac_law_system_solve(tacLawSystem *system, double *x) {
  int n = system->size;
  if (system->form == TAC_LAW_SYSTEM_SPARSE) {
    solve_sparse(system, x);
  } else if (system->form == TAC_LAW_SYSTEM_CONDENSED) { /* large entries of D^-1 require refinement */
    size_t bytes = (size_t)n * sizeof *x;
    memcpy(system->right, x, bytes);
    solve_reduced(system, x);
    for (int round = 0; round < REFINEMENTS; ++round) {
      find_left(system, system->right, x, system->left);
      solve_reduced(system, system->left);
      tac_vector_add(n, 1.0, system->left, x);
    }
  } else {
    tac_dense_loop_lu_solve(&(tacDense){n, n, n > 0 ? n : 1, system->a}, system->pivot, x);
  }
}
