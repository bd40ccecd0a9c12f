#include "contact/laws/law_methods.h"

#include <math.h>
#include <string.h>
#include "contact/laws/delassus.h"
#include "contact/laws/frictional_problem.h"
#include "contact/laws/lemke.h"
#include "math/dense/dense.h"
#include "math/dense/vector.h"

enum { SWEEPS = 6, REFINEMENTS = 3, MOST_GUESSES = 4, PIVOTS_EACH = 10 };
/* Proximal term relative to N_ii. Makes the matrix of the pressing contacts invertible. */
static const double PROXIMAL = 1e-9;

typedef struct Normals {
  int count;
  double *columns; /* [count][count]: N, column by column */
  double *gap, *f; /* [count]: gaps of the free motion, m; forces, N */
  double *u;       /* [count]: gaps u = gap + N f, m */
  int *which;      /* [count]: indices of the pressing contacts */
  double *a, *x;   /* matrix and unknowns of the equations for the pressing contacts */
  int *pivot;
} Normals;

bool tac_law_frictionless_fits(const tacLawProblem *problem) {
  for (int i = 0; i < problem->count; ++i)
    if (problem->contacts[i].friction != 0.0 || problem->contacts[i].grabbed) return false;
  return problem->count > 1 && problem->count <= TAC_FRICTIONLESS_MOST;
}

size_t tac_law_frictionless_room(int count) {
  size_t m = (size_t)count;
  return TAC_ARENA_ALIGNMENT + 2 * tac_law_iterate_rounded(m * m, sizeof(double)) +
         4 * tac_law_iterate_rounded(m, sizeof(double)) + 2 * tac_law_iterate_rounded(m, sizeof(int)) +
         tac_lemke_room(m);
}

static bool take(int count, tacArena *arena, Normals *n) {
  size_t m = (size_t)count;
  double **const doubles[] = {&n->gap, &n->f, &n->u, &n->x};
  n->count = count;
  n->columns = tac_arena_array(arena, m * m, sizeof(double));
  n->a = tac_arena_array(arena, m * m, sizeof(double));
  n->which = tac_arena_array(arena, m, sizeof(int));
  n->pivot = tac_arena_array(arena, m, sizeof(int));
  for (size_t k = 0; k < sizeof doubles / sizeof *doubles; ++k) {
    *doubles[k] = tac_arena_array(arena, m, sizeof(double));
    if (*doubles[k] == NULL) return false;
  }
  return n->columns != NULL && n->a != NULL && n->which != NULL && n->pivot != NULL;
}

/* Returns N_ij, computed from the first rows of Z and the normal entries of the other terms of W. */
static double normal_entry(const tacLawIterate *iterate, int i, int j) {
  const tacLawProblem *problem = iterate->problem;
  const tacLawContact *a = &problem->contacts[i], *b = &problem->contacts[j];
  size_t n = 3 * (size_t)problem->count;
  if (iterate->w != NULL) return iterate->w[3 * (size_t)i * n + 3 * (size_t)j];
  double sum = i == j ? a->softness : 0.0;
  for (int s = 0; s < 2; ++s)
    for (int t = 0; t < 2; ++t)
      if (a->part[s] >= 0 && a->part[s] == b->part[t])
        sum += tac_vector_dot(problem->part_size[a->part[s]], a->rows[s], b->rows[t]);
  if (problem->compliance != NULL) sum += problem->compliance[3 * (size_t)i * n + 3 * (size_t)j];
  return sum;
}

static void fill(const tacLawIterate *iterate, Normals *n) {
  const tacLawProblem *problem = iterate->problem;
  const tacContactProblem *blocks = iterate->w == NULL ? problem->blocks : NULL;
  bool alike = problem->compliance == NULL || iterate->w != NULL; /* a given compliance may be asymmetric */
  size_t m = (size_t)n->count;
  for (int i = 0; i < n->count; ++i)
    for (int j = 0; j < (alike ? i + 1 : n->count); ++j) {
      n->columns[(size_t)j * m + (size_t)i] = normal_entry(iterate, i, j);
      if (alike) n->columns[(size_t)i * m + (size_t)j] = n->columns[(size_t)j * m + (size_t)i];
    }
  for (int i = 0; blocks != NULL && i < n->count; ++i)
    for (int k = blocks->first[i]; k < blocks->first[i + 1]; ++k)
      n->columns[(size_t)blocks->column[k] * m + (size_t)i] += blocks->entries[9 * (size_t)k];
  for (int i = 0; i < n->count; ++i) {
    const tacLawContact *contact = &problem->contacts[i];
    double own = n->columns[(size_t)i * m + (size_t)i];
    tacMat3 block = tac_mat3_zero(); /* tangential entries are not needed */
    block.m[0][0] = own;
    iterate->refused[i] = !tac_law_iterate_usable(contact, &block) && !(contact->gap >= 0.0);
    n->gap[i] = contact->gap;
    n->f[i] = iterate->refused[i] || !(own > 0.0) ? 0.0 : iterate->forces[3 * (size_t)i];
  }
}

static void find_motion(Normals *n) {
  memcpy(n->u, n->gap, (size_t)n->count * sizeof *n->u);
  for (int i = 0; i < n->count; ++i)
    if (n->f[i] != 0.0) tac_vector_add(n->count, n->f[i], n->columns + (size_t)i * (size_t)n->count, n->u);
}

static void sweep(const tacLawIterate *iterate, Normals *n) {
  for (int i = 0; i < n->count; ++i) {
    const double *column = n->columns + (size_t)i * (size_t)n->count;
    if (iterate->refused[i] || !(column[i] > 0.0)) continue;
    double next = fmax(n->f[i] - n->u[i] / column[i], 0.0), change = next - n->f[i];
    if (change == 0.0) continue;
    n->f[i] = next;
    tac_vector_add(n->count, change, column, n->u);
  }
}

/* Solves N f = -g for the contacts that are guessed to press. Returns the number of wrong guesses, or -1 if the
 * equations have no solution. */
static int step(Normals *n, double pull, double depth) {
  int size = 0, wrong = 0;
  size_t m = (size_t)n->count;
  for (int i = 0; i < n->count; ++i)
    if (n->f[i] > 0.0) n->which[size++] = i;
  for (int q = 0; q < size; ++q) {
    const double *column = n->columns + (size_t)n->which[q] * m;
    double *to = n->a + (size_t)q * (size_t)size;
    for (int p = 0; p < size; ++p) to[p] = column[n->which[p]];
    to[q] *= 1.0 + PROXIMAL;
  }
  tacDense a = {size, size, size > 0 ? size : 1, n->a};
  if (!tac_dense_loop_lu(&a, n->pivot)) return -1;
  for (int round = 0; round < REFINEMENTS; ++round) {
    for (int p = 0; p < size; ++p) n->x[p] = -n->u[n->which[p]];
    tac_dense_loop_lu_solve(&a, n->pivot, n->x);
    for (int p = 0; p < size; ++p) n->f[n->which[p]] += n->x[p];
    find_motion(n);
  }
  for (int p = 0; p < size; ++p) {
    int i = n->which[p];
    wrong += n->f[i] < -pull || fabs(n->u[i]) > depth;
    n->f[i] = fmax(n->f[i], 0.0);
  }
  for (int i = 0; i < n->count; ++i) wrong += n->f[i] == 0.0 && n->u[i] < -depth;
  return isfinite(tac_vector_dot(n->count, n->f, n->f)) ? wrong : -1;
}

/* Determines the pressing contacts by Lemke's method. Used if guesses stay wrong because N is singular. */
static void pivot(Normals *n, tacArena *arena) {
  tacArenaMark mark = tac_arena_mark(arena);
  size_t m = (size_t)n->count;
  tacLemke lemke;
  if (tac_lemke_take(m, arena, &lemke)) {
    double give = 0.0, move = 0.0;
    int pivots = 0;
    for (size_t i = 0; i < m; ++i) {
      give = fmax(give, n->columns[i * m + i]);
      move = fmax(move, fabs(n->gap[i]));
    }
    for (size_t i = 0; i < m; ++i) {
      for (size_t j = 0; j < m; ++j) lemke.a[i * lemke.width + j] = n->columns[j * m + i] / give;
      lemke.a[i * lemke.width + m + 1] = n->gap[i] / move;
    }
    bool solved = give > 0.0 && move > 0.0 && tac_lemke_solve(&lemke, PIVOTS_EACH * n->count, &pivots);
    if (solved) memset(n->f, 0, m * sizeof *n->f);
    for (size_t r = 0; r < m && solved; ++r) {
      double value;
      int z = tac_lemke_solution(&lemke, r, &value);
      if (z >= 0) n->f[z] = fmax(value, 0.0) * move / give;
    }
  }
  tac_arena_release(arena, mark);
  find_motion(n);
}

tacContactReport tac_law_frictionless_improve(tacLawIterate *iterate, tacContactMeasure tolerance, tacArena *arena) {
  tacContactReport report = {0};
  tacArenaMark mark = tac_arena_mark(arena);
  Normals n = {0};
  int count = iterate->problem->count;
  double pull = 0.25 * tolerance.newtons, depth = 0.25 * tolerance.metres;
  if (take(count, arena, &n)) {
    fill(iterate, &n);
    int wrong = 1;
    while (wrong > 0 && report.steps < MOST_GUESSES) {
      find_motion(&n);
      for (int k = 0; k < SWEEPS; ++k) sweep(iterate, &n);
      report.sweeps += SWEEPS;
      wrong = step(&n, pull, depth);
      ++report.steps;
    }
    if (wrong != 0) {
      pivot(&n, arena);
      step(&n, pull, depth);
      ++report.steps;
    }
    for (int i = 0; i < count; ++i) {
      const double force[3] = {isfinite(n.f[i]) ? n.f[i] : 0.0, 0.0, 0.0};
      memcpy(iterate->forces + 3 * (size_t)i, force, sizeof force);
    }
    tac_law_iterate_cut(iterate);
  }
  report.unsolved = tac_law_iterate_examine(iterate, tolerance, &report.residual);
  tac_arena_release(arena, mark);
  return report;
}
