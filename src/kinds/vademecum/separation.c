#include "kinds/vademecum/separation.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/memory/physical_memory.h"
#include "base/threads/parallel.h"
#include "math/dense/dense.h"
#include "math/dense/dense_product.h"
#include "math/dense/vector.h"

/* Limits. BLOCK, BLOCK_NUMBERS: loads and displacement values (32 MB) solved at once. MOST_ALTERNATIONS: alternations
 * per term. Symbols such as X, Y, R, S and u_n are defined in separation.h. */
enum { BLOCK = 128, BLOCK_NUMBERS = 4 * 1000 * 1000, MOST_ALTERNATIONS = 8 };

static const double default_residual = 1e-5;
/* Convergence limit of an alternation: the sine of the angle between successive vectors R of a term, in the energy
 * product. The energy that a term misses is of the order of the square of the sine. */
static const double settled = 1e-3;
/* The errors |u - u_n|_K^2 are recomputed when their sum has fallen to this fraction. Until then, the energy of each
 * new term is subtracted from the errors. Rounding errors (1e-13 of the energies at best, 1e-10 if K is
 * ill-conditioned) would finally dominate the differences. */
static const double trusted = 1e-6;
/* Smallest fraction of the largest error that a new term must capture. A term starts from the load with the largest
 * error and, without rounding, captures at least this error. A smaller captured part is only rounding error. */
static const double least_gain = 0.5;

typedef struct Work {
  const tacSeparationDef *def;
  tacSeparation *separation;
  int size, load_count, most;
  size_t x_capacity, y_capacity, residual_capacity;
  double wanted;
  double *error;                     /* [load]: squared error |u - u_n|_K^2, J */
  double total, remaining, computed; /* weighted sums: energy; error; error after the last compute_errors */
  bool fresh;                        /* true if `error` was recomputed after the last term */
  double fraction;                   /* reported progress, 0 to 1 */
  double *force, *shape, *previous;  /* [size]: weighted sum of loads; R; R of the previous alternation */
  double *product;                   /* [size]: stiffness times R, K R */
  double *s;                         /* [load]: factor S of the term */
  double *coefficient;               /* [term]: scratch of orthonormalise */
} Work;

void tac_separation_destroy(tacSeparation *separation) {
  free(separation->x);
  free(separation->y);
  free(separation->residuals);
  *separation = (tacSeparation){0};
}

static double weight(const double *weights, int load) {
  return weights != NULL ? weights[load] : 1.0;
}

static tacDense terms(const tacSeparation *separation) {
  return (tacDense){separation->size, separation->count, separation->size, separation->x};
}

/* Returns the scalar product of `x` and the load vector f(s). */
static double load_dot(const tacSparse *loads, int s, const double *x) {
  double sum = 0.0;
  for (int p = loads->column_start[s]; p < loads->column_start[s + 1]; ++p) sum += loads->value[p] * x[loads->row[p]];
  return sum;
}

/* ---- errors of all loads ---- */

/* Work data of a thread. */
typedef struct Solver {
  double *u, *product; /* [load of a block][size]: error u - u_n; K (u - u_n) */
  tacStatus status;
  tacError error;
} Solver;

typedef struct Measure {
  const tacSeparationDef *def;
  const tacSeparation *separation;
  double *errors;
  Solver *solvers;
  int block; /* number of loads per block */
} Measure;

static void measure_blocks(size_t begin, size_t end, int thread, void *context) {
  const Measure *measure = context;
  const tacSparse *loads = measure->def->loads;
  const tacSeparation *separation = measure->separation;
  Solver *solver = &measure->solvers[thread];
  size_t size = (size_t)separation->size, load_count = (size_t)separation->load_count;
  for (size_t block = begin; block < end && solver->status == TAC_OK; ++block) {
    int first = (int)block * measure->block, left = separation->load_count - first;
    int count = left < measure->block ? left : measure->block;
    memset(solver->u, 0, (size_t)count * size * sizeof *solver->u);
    for (int i = 0; i < count; ++i)
      for (int p = loads->column_start[first + i]; p < loads->column_start[first + i + 1]; ++p)
        solver->u[(size_t)i * size + (size_t)loads->row[p]] = loads->value[p];
    solver->status = tac_factor_solve(measure->def->factor, solver->u, count, solver->u, &solver->error);
    if (solver->status != TAC_OK) return;
    if (separation->count > 0)
      tac_dense_product(separation->size, count, separation->count, -1.0, (tacDenseView){separation->x, 1, size},
                        (tacDenseView){separation->y + first, load_count, 1}, solver->u, size);
    tac_sparse_multiply_lower(measure->def->stiffness, solver->u, count, solver->product);
    for (int i = 0; i < count; ++i) {
      double square =
          tac_vector_dot(separation->size, solver->u + (size_t)i * size, solver->product + (size_t)i * size);
      measure->errors[first + i] = square < 0.0 ? 0.0 : square; /* rounding errors can make `square` negative */
    }
  }
}

/* Returns the number of threads. The memory of the threads is limited to a quarter of the machine's memory. */
static int choose_threads(size_t numbers, size_t blocks) {
  double each = 4.0 * (double)numbers * sizeof(double);
  double fit = 1.0 + 0.25 * (double)tac_physical_memory() / each;
  int cores = tac_parallel_core_count();
  int threads = fit < cores ? (int)fit : cores;
  return blocks < (size_t)threads ? (int)blocks : threads;
}

/* Computes the errors of all loads, block by block. The blocks do not depend on the number of threads, so the
 * results do not depend on this number either. */
static tacStatus measure_all(Measure *measure, const tacProgress *progress, const char *what, tacError *error) {
  size_t size = (size_t)measure->separation->size, load_count = (size_t)measure->separation->load_count;
  size_t block = BLOCK_NUMBERS / size + 1;
  if (block > BLOCK) block = BLOCK;
  if (block > load_count) block = load_count;
  size_t numbers = block * size, blocks = (load_count + block - 1) / block;
  int threads = choose_threads(numbers, blocks);
  measure->block = (int)block;
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  measure->solvers = tac_arrays_add(&work, (size_t)threads, sizeof *measure->solvers);
  TAC_TRY(tac_arrays_status(&work, "threads", error));
  for (int i = 0; i < threads; ++i) {
    measure->solvers[i].u = tac_arrays_add(&work, numbers, sizeof(double));
    measure->solvers[i].product = tac_arrays_add(&work, numbers, sizeof(double));
  }
  TAC_TRY(tac_arrays_status(&work, "displacements of loads", error));
  TAC_TRY(tac_parallel_for(threads, blocks, 1, measure_blocks, measure, progress, what, error));
  for (int i = 0; i < threads; ++i) {
    const Solver *solver = &measure->solvers[i];
    if (solver->status == TAC_OK) continue;
    if (error != NULL) *error = solver->error;
    return solver->status;
  }
  return TAC_OK;
}

static double sum_errors(const Work *work) {
  double sum = 0.0;
  for (int s = 0; s < work->load_count; ++s) sum += weight(work->def->weights, s) * work->error[s];
  return sum;
}

static tacStatus compute_errors(Work *work, const tacProgress *progress, tacError *error) {
  Measure measure = {.def = work->def, .separation = work->separation, .errors = work->error};
  TAC_TRY(measure_all(&measure, progress, work->separation->count == 0 ? "energy of loads" : "error of loads", error));
  work->remaining = sum_errors(work);
  if (!isfinite(work->remaining))
    return tac_error_set(error, TAC_ERR_SINGULAR,
                         "the energy of %d loads is NaN or infinite; check that the body is "
                         "held",
                         work->load_count);
  work->computed = work->remaining;
  work->fresh = true;
  return TAC_OK;
}

/* ---- computation of a term ---- */

/* Returns the load with the largest error. If errors are equal up to rounding, as on a symmetric body, returns the
 * first of these loads. */
static int worst_load(const Work *work) {
  double worst = 0.0;
  for (int s = 0; s < work->load_count; ++s) worst = fmax(worst, weight(work->def->weights, s) * work->error[s]);
  int s = 0;
  while (weight(work->def->weights, s) * work->error[s] < (1.0 - 1e-6) * worst) ++s;
  return s;
}

/* Makes R (`shape`) orthonormal to X in the energy product. `r` is K R. Repeats R := R - X X^T r and R := R / |R|_K
 * until a repetition preserves at least a tenth of |R|_K. The component of R along X is then only rounding error.
 * This component is small enough for R . f(s), although the first terms are far larger. False if nothing remains of
 * R. */
static bool orthonormalise(Work *work, const double *r) {
  tacDense x = terms(work->separation);
  double before = tac_vector_dot(work->size, work->shape, r);
  for (int pass = 0; pass < 4; ++pass) {
    if (x.cols > 0) {
      tac_dense_gemv(1.0, &x, true, r, 0.0, work->coefficient);
      tac_dense_gemv(-1.0, &x, false, work->coefficient, 1.0, work->shape);
    }
    tac_sparse_multiply_lower(work->def->stiffness, work->shape, 1, work->product);
    double square = tac_vector_dot(work->size, work->shape, work->product);
    if (!(square > DBL_MIN) || !isfinite(square)) return false;
    tac_vector_scale(work->size, 1.0 / sqrt(square), work->shape);
    tac_vector_scale(work->size, 1.0 / sqrt(square), work->product);
    if (square > 0.01 * before) return true;
    r = work->product;
    before = 1.0;
  }
  return false;
}

/* Computes S(s) = R . f(s) of all loads. This equals the definition of S in separation.h, because X^T K R = 0 and
 * |R|_K = 1. Returns sum_s w S^2, the energy captured by the term. */
static double project_loads(const Work *work, double *s) {
  double gain = 0.0;
  for (int i = 0; i < work->load_count; ++i) {
    s[i] = load_dot(work->def->loads, i, work->shape);
    gain += weight(work->def->weights, i) * s[i] * s[i];
  }
  return gain;
}

/* Computes `force` = sum_s w S f(s). The definition of R also subtracts K u_n, but orthonormalise removes the
 * contribution of K u_n from R. */
static void sum_loads(Work *work) {
  const tacSparse *loads = work->def->loads;
  memset(work->force, 0, (size_t)work->size * sizeof *work->force);
  for (int s = 0; s < work->load_count; ++s) {
    double share = weight(work->def->weights, s) * work->s[s];
    for (int p = loads->column_start[s]; p < loads->column_start[s + 1]; ++p)
      work->force[loads->row[p]] += share * loads->value[p];
  }
}

static tacStatus report(Work *work, const tacProgress *progress, tacError *error) {
  double levels = log(work->total / work->remaining) / log(1.0 / (work->wanted * work->wanted));
  double fraction = fmax((double)work->separation->count / work->most, fmin(levels, 1.0));
  work->fraction = fmax(work->fraction, fraction);
  if (progress == NULL || progress->report == NULL || progress->report("separation", work->fraction, progress->user))
    return TAC_OK;
  return tac_error_set(error, TAC_ERR_CANCELLED, "separation: cancelled");
}

/* Computes a term by alternating directions. The first S is 1 for load `start` and 0 for all other loads. `shape`
 * becomes R, orthonormal to X in the energy product, and `s` becomes R . f(s). `gain` receives the captured energy;
 * 0 if R depends linearly on X. */
static tacStatus alternate(Work *work, int start, const tacProgress *progress, double *gain, tacError *error) {
  *gain = 0.0;
  memset(work->s, 0, (size_t)work->load_count * sizeof *work->s);
  work->s[start] = 1.0;
  for (int i = 0; i < MOST_ALTERNATIONS; ++i) {
    TAC_TRY(report(work, progress, error));
    sum_loads(work);
    tac_vector_swap(work->size, work->shape, work->previous);
    TAC_TRY(tac_factor_solve(work->def->factor, work->force, 1, work->shape, error));
    ++work->separation->alternations;
    if (!orthonormalise(work, work->force)) return TAC_OK;
    double cosine = i > 0 ? tac_vector_dot(work->size, work->previous, work->product) : 0.0;
    project_loads(work, work->s);
    if (1.0 - cosine * cosine < settled * settled) break;
  }
  if (orthonormalise(work, work->product)) *gain = project_loads(work, work->s);
  return TAC_OK;
}

static double ratio(const Work *work) {
  return work->total > 0.0 ? sqrt(work->remaining / work->total) : 0.0;
}

static tacStatus append(Work *work, tacError *error) {
  tacSeparation *separation = work->separation;
  size_t next = (size_t)separation->count + 1, size = (size_t)work->size, load_count = (size_t)work->load_count;
  TAC_TRY(tac_array_reserve((void **)&separation->x, &work->x_capacity, next * size, sizeof *separation->x,
                            "terms of a separation", error));
  TAC_TRY(tac_array_reserve((void **)&separation->y, &work->y_capacity, next * load_count, sizeof *separation->y,
                            "terms of a separation", error));
  TAC_TRY(tac_array_reserve((void **)&separation->residuals, &work->residual_capacity, next,
                            sizeof *separation->residuals, "residuals", error));
  memcpy(separation->x + (next - 1) * size, work->shape, size * sizeof *separation->x);
  memcpy(separation->y + (next - 1) * load_count, work->s, load_count * sizeof *separation->y);
  for (int s = 0; s < work->load_count; ++s) work->error[s] = fmax(work->error[s] - work->s[s] * work->s[s], 0.0);
  work->remaining = sum_errors(work);
  work->fresh = false;
  separation->residuals[next - 1] = ratio(work);
  separation->count = (int)next;
  return TAC_OK;
}

/* ---- all terms ---- */

static tacStatus renew_errors(Work *work, const tacProgress *progress, tacError *error) {
  TAC_TRY(compute_errors(work, progress, error));
  work->separation->residuals[work->separation->count - 1] = ratio(work);
  return TAC_OK;
}

static tacStatus separate(Work *work, const tacProgress *progress, tacError *error) {
  tacSeparation *separation = work->separation;
  TAC_TRY(compute_errors(work, progress, error));
  work->total = work->remaining;
  while (true) {
    if (work->remaining < trusted * work->computed) TAC_TRY(renew_errors(work, progress, error));
    if (work->remaining <= work->wanted * work->wanted * work->total) break;
    bool all = separation->count == work->load_count || separation->count == work->size;
    if (separation->count == work->most && !all) break;
    double gain = 0.0, largest = 0.0;
    if (!all) {
      int start = worst_load(work);
      largest = weight(work->def->weights, start) * work->error[start];
      TAC_TRY(alternate(work, start, progress, &gain, error));
    }
    if (gain >= least_gain * largest && gain > 0.0) {
      TAC_TRY(append(work, error));
    } else if (!work->fresh && separation->count > 0) {
      TAC_TRY(renew_errors(work, progress, error));
    } else {
      separation->stagnated = true;
      break;
    }
  }
  separation->residual = ratio(work);
  return TAC_OK;
}

/* Checks that `factor` is the factor of `stiffness`: K (K^-1 f) must equal f, where f is the sum of all loads. */
static tacStatus check_factor(Work *work, tacError *error) {
  for (int s = 0; s < work->load_count; ++s) work->s[s] = 1.0;
  sum_loads(work);
  TAC_TRY(tac_factor_solve(work->def->factor, work->force, 1, work->shape, error));
  tac_sparse_multiply_lower(work->def->stiffness, work->shape, 1, work->product);
  double size = tac_vector_norm(work->size, work->force);
  tac_vector_add(work->size, -1.0, work->force, work->product);
  if (tac_vector_norm(work->size, work->product) <= 1e-4 * size) return TAC_OK;
  return tac_error_set(error, TAC_ERR_ARGUMENT, "the factor does not belong to the stiffness matrix of the separation");
}

static tacStatus check_weights(const double *weights, int count, tacError *error) {
  for (int s = 0; weights != NULL && s < count; ++s)
    if (!(weights[s] >= 0.0 && isfinite(weights[s])))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "weight %d of a load is %g; it must be 0 or more", s, weights[s]);
  return TAC_OK;
}

static tacStatus check(const tacSeparationDef *def, tacError *error) {
  const tacSparse *k = def->stiffness;
  TAC_TRY(tac_sparse_check(k, error));
  TAC_TRY(tac_sparse_check(def->loads, error));
  int factored = tac_factor_report(def->factor).size;
  if (k->rows != k->cols || def->loads->rows != k->cols || factored != k->cols)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the sizes of a separation differ: the stiffness is %d x %d, the factor has size %d and the "
                         "loads have size %d; all must be equal",
                         k->rows, k->cols, factored, def->loads->rows);
  if (k->cols < 1 || def->loads->cols < 1)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "a separation of %d loads on %d degrees of freedom is not possible; give at least one of "
                         "each",
                         def->loads->cols, k->cols);
  if (!(def->residual >= 0.0 && def->residual < 1.0))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the wanted residual is %g; it must be at least 0 and below 1",
                         def->residual);
  if (def->most < 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the number of terms is %d; it must be 0 or more", def->most);
  return check_weights(def->weights, def->loads->cols, error);
}

tacStatus tac_separation_create(const tacSeparationDef *def, const tacProgress *progress, tacSeparation *separation,
                                tacError *error) {
  *separation = (tacSeparation){0};
  TAC_TRY(check(def, error));
  int size = def->stiffness->cols, load_count = def->loads->cols, rank = size < load_count ? size : load_count;
  TAC_FREED(tac_separation_destroy, tacSeparation, made) = {.size = size, .load_count = load_count};
  TAC_FREED(tac_arrays_free, tacArrays, arrays) = {0};
  Work work = {.def = def,
               .separation = &made,
               .size = size,
               .load_count = load_count,
               .most = def->most > 0 && def->most < rank ? def->most : rank,
               .wanted = def->residual > 0.0 ? def->residual : default_residual};
  double **vectors[] = {&work.force, &work.shape, &work.previous,   &work.product,
                        &work.s,     &work.error, &work.coefficient};
  int sizes[] = {size, size, size, size, load_count, load_count, rank};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
    *vectors[i] = tac_arrays_add(&arrays, (size_t)sizes[i], sizeof **vectors[i]);
  TAC_TRY(tac_arrays_status(&arrays, "a separation", error));
  TAC_TRY(check_factor(&work, error));
  TAC_TRY(separate(&work, progress, error));
  *separation = made;
  made = (tacSeparation){0};
  return TAC_OK;
}

/* ---- compression ---- */

static tacStatus check_mass(const double *mass, int size, tacError *error) {
  for (int i = 0; i < size; ++i)
    if (!(mass[i] > 0.0 && isfinite(mass[i])))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "the mass of degree of freedom %d is %g kg; it must be positive", i,
                           mass[i]);
  return TAC_OK;
}

/* Returns the smallest number of terms that meets `accuracy`. The singular values are in descending order. `tail[i]`
 * receives the relative error of the first i terms. */
static int choose_count(int count, const double *singular, double accuracy, double *tail) {
  double sum = 0.0;
  tail[count] = 0.0;
  for (int i = count - 1; i >= 0; --i) { /* small values first, to limit rounding errors */
    sum += singular[i] * singular[i];
    tail[i] = sum;
  }
  for (int i = 0; i <= count; ++i) tail[i] = sum > 0.0 ? sqrt(tail[i] / sum) : 0.0;
  int kept = 0;
  while (kept < count && tail[kept] > accuracy) ++kept;
  return kept;
}

typedef struct Compression {
  tacDense q, r;        /* QR factorisation M^1/2 X = Q R */
  tacDense ry, weighed; /* R Y; R Y with columns times the square roots of the weights */
  tacDense u, vt;       /* SVD of `weighed` */
  double *singular, *tail;
  double *x, *y, *residuals; /* X, Y and residuals after compression */
  tacArrays arrays;          /* owns `singular` and `tail` */
} Compression;

static void free_compression(Compression *c) {
  tacDense *const matrices[] = {&c->q, &c->r, &c->ry, &c->weighed, &c->u, &c->vt};
  for (int i = 0; i < 6; ++i) tac_dense_destroy(matrices[i]);
  tac_arrays_free(&c->arrays);
  free(c->x);
  free(c->y);
  free(c->residuals);
}

static tacStatus compress(const tacSeparation *separation, const double *mass, const double *weights, double accuracy,
                          Compression *c, int *kept, tacError *error) {
  int n = separation->size, m = separation->load_count, count = separation->count, small = count < m ? count : m;
  tacDense x = terms(separation);
  c->singular = tac_arrays_add(&c->arrays, (size_t)small, sizeof *c->singular);
  c->tail = tac_arrays_add(&c->arrays, (size_t)small + 1, sizeof *c->tail);
  TAC_TRY(tac_arrays_status(&c->arrays, "singular values", error));
  TAC_TRY(tac_dense_copy(&x, &c->q, error));
  TAC_TRY(tac_dense_create(count, m, &c->ry, error));
  for (int j = 0; j < count; ++j)
    for (int i = 0; i < n; ++i) tac_dense_column(&c->q, j)[i] *= sqrt(mass[i]);
  TAC_TRY(tac_dense_qr(&c->q, &c->r, error));
  tacDense y_transposed = {m, count, m, separation->y};
  tac_dense_gemm(1.0, &c->r, false, &y_transposed, true, 0.0, &c->ry);
  TAC_TRY(tac_dense_copy(&c->ry, &c->weighed, error));
  for (int s = 0; s < m; ++s) tac_vector_scale(count, sqrt(weight(weights, s)), tac_dense_column(&c->weighed, s));
  TAC_TRY(tac_dense_svd(&c->weighed, &c->u, c->singular, &c->vt, error));

  *kept = choose_count(small, c->singular, accuracy, c->tail);
  TAC_TRY(TAC_ARRAY(c->x, (size_t)*kept * (size_t)n, "terms of a separation", error));
  TAC_TRY(TAC_ARRAY(c->y, (size_t)*kept * (size_t)m, "terms of a separation", error));
  TAC_TRY(TAC_ARRAY(c->residuals, (size_t)*kept, "residuals", error));
  tacDense leading = {count, *kept, c->u.stride, c->u.a}, new_x = {n, *kept, n, c->x}, new_y = {m, *kept, m, c->y};
  tac_dense_gemm(1.0, &c->q, false, &leading, false, 0.0, &new_x);
  for (int j = 0; j < *kept; ++j)
    for (int i = 0; i < n; ++i) tac_dense_column(&new_x, j)[i] /= sqrt(mass[i]);
  /* The new Y is U^T R Y. The right singular vectors would lack the loads of zero weight. */
  tac_dense_gemm(1.0, &c->ry, true, &leading, false, 0.0, &new_y);
  for (int i = 0; i < *kept; ++i) c->residuals[i] = c->tail[i + 1];
  return TAC_OK;
}

tacStatus tac_separation_compress(tacSeparation *separation, const double *mass, const double *weights, double accuracy,
                                  tacError *error) {
  TAC_TRY(check_weights(weights, separation->load_count, error));
  TAC_TRY(check_mass(mass, separation->size, error));
  if (!(accuracy >= 0.0))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the wanted accuracy is %g; it must be at least 0 and below 1",
                         accuracy);
  if (separation->count == 0) return TAC_OK;
  TAC_FREED(free_compression, Compression, c) = {0};
  int kept = 0;
  TAC_TRY(compress(separation, mass, weights, accuracy, &c, &kept, error));
  free(separation->x);
  free(separation->y);
  free(separation->residuals);
  separation->x = tac_give(&c.x);
  separation->y = tac_give(&c.y);
  separation->residuals = tac_give(&c.residuals);
  separation->count = kept;
  separation->residual = c.tail[kept];
  return TAC_OK;
}
