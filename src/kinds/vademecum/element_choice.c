#include "kinds/vademecum/element_choice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/owned.h"
#include "base/progress.h"
#include "base/threads/parallel.h"
#include "elastic/elements/tet4.h"
#include "elastic/laws/hyper_point.h"
#include "math/dense/dense_product.h"
#include "math/dense/nonnegative.h"
#include "math/dense/vector.h"
#include "math/random.h"

/* The least squares matrix has a column per element, and a row per coordinate of each state. The matrix does not fit
 * in memory. So each row is added, with random signs, to COPIES random rows of a smaller matrix, the sketch. The
 * norm of any combination of columns changes by a few percent only (Clarkson, Woodruff 2013). The elements are
 * selected with the sketch. The final weights are fitted to the full matrix. */
enum { COPIES = 2 };
static const double rest_weight = 0.1; /* weight of the small motions; the training states have weight 1 */
static const char what[] = "element choice";

typedef struct Work {
  const tacElementChoiceDef *def;
  double tolerance;
  double done; /* reported progress, 0 to 1 */
  int size, elements;
  tacTet4 *shapes;
  int state_count;  /* number of states, including small motions */
  double *place;    /* [state][vertex][3]: displacements, m */
  double *force;    /* [state][n]: force R(q_m), times `scale` */
  double *scale;    /* [state]: weight of the state, divided by |R(q_m)| */
  int rows;         /* number of rows of the sketch */
  int *to;          /* [state][n][COPIES]: row of the sketch to add to; -1 - row: row to subtract from */
  float *sketch;    /* [element][rows]: sketch column of each element */
  double *right;    /* [rows]: sketch of `force`, the right-hand side */
  double *residual; /* [rows]: residual of the fit; before the fit, scratch of the threads */
  double *gain;     /* [element]: projection of `residual` on the element's sketch column */
  float *length;    /* [element]: norm of the element's sketch column */
  bool *in;         /* [element]: true if the element is chosen, or if its sketch column is zero or not finite */
  tacNonnegative fit;
  tacArrays arrays;
} Work;

/* ---- forces ---- */

/* Computes the force R_e [n] of an element in a state. */
static void element_force(const Work *w, int element, int state, double *to) {
  const tacElementChoiceDef *def = w->def;
  const int *v = def->mesh->tets[element].v;
  const tacTet4 *shape = &w->shapes[element];
  const double *u = w->place + 3 * (size_t)state * (size_t)def->mesh->vertex_count;
  tacMat3 f = tac_mat3_identity();
  for (int c = 0; c < 4; ++c)
    for (int i = 0; i < 3; ++i) {
      double by = u[3 * (size_t)v[c] + (size_t)i];
      f.m[i][0] += by * shape->gradient[c].x;
      f.m[i][1] += by * shape->gradient[c].y;
      f.m[i][2] += by * shape->gradient[c].z;
    }
  tacHyperPoint point;
  tac_hyper_point_evaluate(def->material.law, def->material.parameters, NULL, &f, &point);
  memset(to, 0, (size_t)w->size * sizeof *to);
  for (int c = 0; c < 4; ++c) {
    tacVec3 pull = tac_vec3_scale(shape->volume, tac_mat3_mul_vec(point.stress, shape->gradient[c]));
    const double *basis = def->basis + 3 * (size_t)v[c] * (size_t)w->size;
    tac_vector_add(w->size, pull.x, basis, to);
    tac_vector_add(w->size, pull.y, basis + w->size, to);
    tac_vector_add(w->size, pull.z, basis + 2 * (size_t)w->size, to);
  }
}

static void displace(const Work *w, const double *q, double *u) {
  for (size_t i = 0; i < 3 * (size_t)w->def->mesh->vertex_count; ++i)
    u[i] = tac_vector_dot(w->size, w->def->basis + i * (size_t)w->size, q);
}

/* Computes the displacements of the training states, then of a small motion along each coordinate. The size of a small
 * motion is a thousandth of the norm of the largest state. */
static tacStatus fill_places(Work *w, tacError *error) {
  const tacElementChoiceDef *def = w->def;
  size_t n = (size_t)w->size, row = 3 * (size_t)def->mesh->vertex_count;
  double most = 0.0;
  for (int s = 0; s < def->state_count; ++s) {
    displace(w, def->states + (size_t)s * n, w->place + (size_t)s * row);
    most = fmax(most, tac_vector_norm(w->size, def->states + (size_t)s * n));
  }
  if (!(most > 0.0) || !isfinite(most))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the norm of the largest state is %g; it must be positive and "
                         "finite",
                         most);
  for (size_t k = 0; k < n; ++k)
    for (size_t i = 0; i < row; ++i)
      w->place[((size_t)def->state_count + k) * row + i] = 1e-3 * most * def->basis[i * n + k];
  return TAC_OK;
}

/* Scales the force of each state so that the norm of the force is the weight of the state. A force that is only
 * rounding error becomes zero. */
static void scale_forces(const Work *w) {
  double most = 0.0;
  size_t n = (size_t)w->size;
  for (int s = 0; s < w->state_count; ++s) {
    w->scale[s] = tac_vector_norm(w->size, w->force + (size_t)s * n);
    if (isfinite(w->scale[s])) most = fmax(most, w->scale[s]);
  }
  for (int s = 0; s < w->state_count; ++s) {
    double norm = w->scale[s], weight = s < w->def->state_count ? 1.0 : rest_weight;
    w->scale[s] = norm > 1e-9 * most && isfinite(norm) ? weight / norm : 0.0;
    for (size_t k = 0; k < n; ++k) w->force[(size_t)s * n + k] *= w->scale[s];
    if (w->scale[s] == 0.0) memset(w->force + (size_t)s * n, 0, n * sizeof *w->force);
  }
}

/* Computes the force R(q_m) of all elements in each state, then scales the forces. */
static tacStatus find_forces(const Work *w, tacError *error) {
  const tacVolMesh *mesh = w->def->mesh;
  size_t n = (size_t)w->size, row = 3 * (size_t)mesh->vertex_count;
  const tacHyperSolidDef def = {.mesh = mesh, .material_count = 1, .materials = &w->def->material, .thread_count = 1};
  TAC_OWN(tacHyperSolid, solid) = NULL;
  TAC_MEMORY(double, x) = NULL;
  TAC_TRY(tac_hyper_solid_create(&def, &solid, error));
  TAC_TRY(TAC_ARRAY(x, 2 * row, what, error));
  double *pull = x + row;
  for (size_t s = 0; s < (size_t)w->state_count; ++s) {
    const double *u = w->place + s * row;
    for (size_t v = 0; v < row / 3; ++v) {
      x[3 * v] = mesh->vertices[v].x + u[3 * v];
      x[3 * v + 1] = mesh->vertices[v].y + u[3 * v + 1];
      x[3 * v + 2] = mesh->vertices[v].z + u[3 * v + 2];
    }
    tac_hyper_solid_evaluate(solid, x, 0.0, pull, NULL);
    double *sum = w->force + s * n;
    for (size_t i = 0; i < row; ++i) tac_vector_add(w->size, pull[i], w->def->basis + i * n, sum);
  }
  scale_forces(w);
  return TAC_OK;
}

/* ---- sketch ---- */

static void choose_rows(Work *w) {
  tacRandom random = tac_random_seed(17);
  size_t all = (size_t)w->state_count * (size_t)w->size;
  bool whole = (size_t)w->rows == all;
  for (size_t i = 0; i < all; ++i)
    for (size_t c = 0; c < COPIES; ++c) {
      uint64_t bits = tac_random_bits(&random);
      int row = (int)((bits >> 1) % (uint64_t)w->rows);
      w->to[i * COPIES + c] = whole ? (int)i : bits & 1 ? row : -1 - row;
    }
}

static void add_to_sketch(const Work *w, int state, const double *numbers, double *sketch) {
  const int *to = w->to + (size_t)state * (size_t)w->size * COPIES;
  for (int k = 0; k < w->size; ++k)
    for (int c = 0; c < COPIES; ++c, ++to) {
      if (*to >= 0)
        sketch[*to] += numbers[k];
      else
        sketch[-1 - *to] -= numbers[k];
    }
}

/* Computes the columns of the sketch for elements [begin, end). The threads use the memory of `residual` as scratch. */
static void sketch_elements(size_t begin, size_t end, int thread, void *context) {
  const Work *w = context;
  double *one = w->residual + (size_t)thread * ((size_t)w->size + (size_t)w->rows), *sum = one + w->size;
  for (size_t e = begin; e < end; ++e) {
    memset(sum, 0, (size_t)w->rows * sizeof *sum);
    for (int s = 0; s < w->state_count; ++s) {
      if (w->scale[s] == 0.0) continue;
      element_force(w, (int)e, s, one);
      tac_vector_scale(w->size, w->scale[s], one);
      add_to_sketch(w, s, one, sum);
    }
    double norm = tac_vector_norm(w->rows, sum);
    float *to = w->sketch + e * (size_t)w->rows;
    for (int r = 0; r < w->rows; ++r) to[r] = (float)sum[r];
    w->length[e] = (float)norm;
    w->in[e] = !(norm > 0.0) || !isfinite(norm);
  }
}

static double sketch_dot(const Work *w, int element, const double *x) {
  const float *a = w->sketch + (size_t)element * (size_t)w->rows;
  double sum[4] = {0.0};
  int r = 0;
  for (; r + 4 <= w->rows; r += 4)
    for (int i = 0; i < 4; ++i) sum[i] += (double)a[r + i] * x[r + i];
  for (; r < w->rows; ++r) sum[0] += (double)a[r] * x[r];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static void find_gains(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Work *w = context;
  for (size_t e = begin; e < end; ++e)
    w->gain[e] = w->in[e] ? 0.0 : sketch_dot(w, (int)e, w->residual) / (double)w->length[e];
}

/* ---- selection ---- */

static void find_residual(Work *w) {
  memcpy(w->residual, w->right, (size_t)w->rows * sizeof *w->right);
  for (int i = 0; i < w->fit.count; ++i) {
    const float *a = w->sketch + (size_t)w->fit.column[i] * (size_t)w->rows;
    for (int r = 0; r < w->rows; ++r) w->residual[r] -= w->fit.weight[i] * (double)a[r];
  }
}

/* Adds the element with the largest gain. False if no element has a positive gain, or if the maximum number of elements
 * is reached. */
static bool add_best(Work *w, double *column, double *gram) {
  int best = -1;
  for (int e = 0; e < w->elements; ++e)
    if (!w->in[e] && w->gain[e] > (best < 0 ? 0.0 : w->gain[best])) best = e;
  if (best < 0 || w->fit.count == w->fit.capacity) return false;
  const float *a = w->sketch + (size_t)best * (size_t)w->rows;
  for (int r = 0; r < w->rows; ++r) column[r] = (double)a[r];
  for (int i = 0; i < w->fit.count; ++i) gram[i] = sketch_dot(w, w->fit.column[i], column);
  gram[w->fit.count] = tac_vector_dot(w->rows, column, column);
  tac_nonnegative_add(&w->fit, best, gram, tac_vector_dot(w->rows, column, w->right));
  w->in[best] = true;
  return true;
}

enum { STALLS = 16 };

/* Updates the flags `in` after the weights were fitted. An element whose weight became zero may be chosen again
 * (Lawson and Hanson). */
static void mark_chosen(Work *w) {
  for (int e = 0; e < w->elements; ++e) w->in[e] = !(w->length[e] > 0.0f) || !isfinite(w->length[e]);
  for (int i = 0; i < w->fit.count; ++i) w->in[w->fit.column[i]] = true;
}

/* Adds elements until the relative error in the sketch is at most `target`. `*more` becomes false if no further element
 * reduces the error. */
static tacStatus select_elements(Work *w, double target, const tacProgress *progress, bool *more, tacError *error) {
  TAC_MEMORY(double, column) = NULL;
  TAC_TRY(TAC_ARRAY(column, (size_t)w->rows + (size_t)w->fit.capacity, what, error));
  int stalled = 0;
  *more = true;
  for (double now = tac_nonnegative_error(&w->fit); now > target && *more;) {
    find_residual(w);
    TAC_TRY(tac_parallel_for(w->def->thread_count, (size_t)w->elements, 256, find_gains, w, NULL, what, error));
    /* Add several elements before each solve. The number grows with the number of chosen elements. */
    int adds = 1 + w->fit.count / 16, added = 0;
    while (added < adds && add_best(w, column, column + w->rows)) ++added;
    *more = added > 0;
    if (added == 0) break;
    TAC_TRY(tac_nonnegative_solve(&w->fit, error));
    mark_chosen(w);
    double before = now;
    now = tac_nonnegative_error(&w->fit);
    /* The error may stagnate for some rounds while new elements replace earlier elements. */
    stalled = now < before ? 0 : stalled + 1;
    *more = stalled < STALLS;
    w->done = fmax(w->done, 0.5 + 0.45 * fmin(1.0, target / now));
    if (progress != NULL && !progress->report(what, w->done, progress->user))
      return tac_error_set(error, TAC_ERR_CANCELLED, "%s was cancelled", what);
  }
  return TAC_OK;
}

/* Fits the weights of the chosen elements to the full matrix. */
static tacStatus fit_all_rows(const Work *w, tacNonnegative *fit, tacError *error) {
  size_t k = (size_t)w->fit.count, n = (size_t)w->size;
  double square = 0.0;
  for (size_t i = 0; i < (size_t)w->state_count * n; ++i) square += w->force[i] * w->force[i];
  TAC_MEMORY(double, columns) = NULL;
  TAC_TRY(TAC_ARRAY(columns, k * n + k * k + k, what, error));
  TAC_TRY(tac_nonnegative_create(w->fit.count > 0 ? w->fit.count : 1, square, fit, error));
  double *gram = columns + k * n, *right = gram + k * k;
  for (int s = 0; s < w->state_count; ++s) {
    for (size_t i = 0; i < k; ++i) {
      element_force(w, w->fit.column[i], s, columns + i * n);
      tac_vector_scale(w->size, w->scale[s], columns + i * n);
      right[i] += tac_vector_dot(w->size, columns + i * n, w->force + (size_t)s * n);
    }
    tac_dense_product_lower((int)k, w->size, 1.0, (tacDenseView){columns, n, 1}, (tacDenseView){columns, 1, n}, gram,
                            k);
  }
  for (size_t i = 0; i < k; ++i) { /* the symmetric `gram` has only one triangle so far */
    for (size_t j = 0; j < i; ++j) gram[i * k + j] = gram[j * k + i];
    tac_nonnegative_add(fit, w->fit.column[i], gram + i * k, right[i]);
  }
  memcpy(fit->weight, w->fit.weight, k * sizeof *fit->weight);
  return tac_nonnegative_solve(fit, error);
}

/* ---- complete choice ---- */

static tacStatus check(const tacElementChoiceDef *def, tacError *error) {
  if (def->size < 1 || def->state_count < 1)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "there are %d states with %d coordinates; at least one of each is "
                         "needed",
                         def->state_count, def->size);
  if (def->mesh->tet_count < 1 || def->mesh->brick_count > 0)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED, "elements can be chosen only from meshes of tetrahedra");
  if (!(def->tolerance >= 0.0 && def->tolerance < 1.0))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the tolerance is %g; it must be 0 or more and below 1",
                         def->tolerance);
  for (size_t i = 0; i < (size_t)def->state_count * (size_t)def->size; ++i)
    if (!isfinite(def->states[i]))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "state %zu has NaN or infinite values", i / (size_t)def->size);
  TAC_TRY(tac_hyper_material_check(&def->material, error));
  if (def->material.prony_count > 0 || def->material.law->fibres)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "sampled elements do not support viscosity or fibres; omit both");
  return TAC_OK;
}

static tacStatus make_shapes(Work *w, tacError *error) {
  const tacVolMesh *mesh = w->def->mesh;
  for (int e = 0; e < w->elements; ++e) {
    tacVec3 corners[4];
    for (int c = 0; c < 4; ++c) corners[c] = mesh->vertices[mesh->tets[e].v[c]];
    if (!tac_tet4_init(corners, &w->shapes[e]))
      return tac_error_set(error, TAC_ERR_GEOMETRY, "element %d is inverted or flat", e);
  }
  return TAC_OK;
}

static tacStatus make_work(const tacElementChoiceDef *def, Work *w, tacError *error) {
  *w = (Work){.def = def,
              .tolerance = def->tolerance > 0.0 ? def->tolerance : 0.01,
              .size = def->size,
              .elements = def->mesh->tet_count,
              .state_count = def->state_count + def->size};
  size_t n = (size_t)w->size, states = (size_t)w->state_count, all = states * n, elements = (size_t)w->elements;
  size_t threads = (size_t)(def->thread_count > 0 ? def->thread_count : tac_parallel_core_count());
  w->rows = all < 16 * n + 256 ? (int)all : (int)(16 * n + 256);
  size_t rows = (size_t)w->rows;
  w->shapes = tac_arrays_add(&w->arrays, elements, sizeof *w->shapes);
  w->place = tac_arrays_add(&w->arrays, 3 * states, (size_t)def->mesh->vertex_count * sizeof *w->place);
  w->force = tac_arrays_add(&w->arrays, all, sizeof *w->force);
  w->scale = tac_arrays_add(&w->arrays, states, sizeof *w->scale);
  w->right = tac_arrays_add(&w->arrays, rows, sizeof *w->right);
  w->to = tac_arrays_add(&w->arrays, all, COPIES * sizeof *w->to);
  w->sketch = tac_arrays_add(&w->arrays, elements, rows * sizeof *w->sketch);
  w->residual = tac_arrays_add(&w->arrays, threads * (n + rows), sizeof *w->residual);
  w->gain = tac_arrays_add(&w->arrays, elements, sizeof *w->gain);
  w->length = tac_arrays_add(&w->arrays, elements, sizeof *w->length);
  w->in = tac_arrays_add(&w->arrays, elements, sizeof *w->in);
  TAC_TRY(tac_arrays_status(&w->arrays, what, error));
  return make_shapes(w, error);
}

static void free_work(Work *w) {
  tac_arrays_free(&w->arrays);
  tac_nonnegative_destroy(&w->fit);
}

static tacStatus prepare(Work *w, const tacProgress *progress, tacError *error) {
  TAC_TRY(fill_places(w, error));
  TAC_TRY(find_forces(w, error));
  choose_rows(w);
  double square = 0.0;
  for (int s = 0; s < w->state_count; ++s) add_to_sketch(w, s, w->force + (size_t)s * (size_t)w->size, w->right);
  for (int r = 0; r < w->rows; ++r) square += w->right[r] * w->right[r];
  if (!(square > 0.0)) return tac_error_set(error, TAC_ERR_ARGUMENT, "no state has a force");
  int most = w->elements < w->rows ? w->elements : w->rows;
  TAC_TRY(tac_nonnegative_create(most, square, &w->fit, error));
  const tacProgressPart half = {progress, 0.0, 0.5, NULL};
  const tacProgress first = tac_progress_part(&half);
  return tac_parallel_for(w->def->thread_count, (size_t)w->elements, 16, sketch_elements, w, &first, what, error);
}

static tacStatus fill_parts(const Work *w, const tacNonnegative *fit, tacElementChoice *choice, tacError *error) {
  const tacElementChoiceDef *def = w->def;
  size_t count = (size_t)fit->count, row = 9 * (size_t)w->size;
  int *tets = tac_arrays_add(&choice->arrays, count, sizeof *tets);
  double *volumes = tac_arrays_add(&choice->arrays, count, sizeof *volumes);
  double *gradients = tac_arrays_add(&choice->arrays, count, row * sizeof *gradients);
  TAC_TRY(tac_arrays_status(&choice->arrays, what, error));
  choice->parts = (tacSampledParts){.size = w->size,
                                    .element_count = fit->count,
                                    .tets = tets,
                                    .volumes = volumes,
                                    .gradients = gradients,
                                    .material = def->material};
  for (size_t i = 0; i < count; ++i) {
    tets[i] = fit->column[i];
    volumes[i] = fit->weight[i] * tac_sampled_gradient(def->mesh, tets[i], w->size, def->basis, gradients + i * row);
  }
  choice->error = tac_nonnegative_error(fit);
  return TAC_OK;
}

tacStatus tac_element_choice_create(const tacElementChoiceDef *def, const tacProgress *progress,
                                    tacElementChoice *choice, tacError *error) {
  *choice = (tacElementChoice){0};
  TAC_FREED(free_work, Work, w) = {0};
  TAC_FREED(tac_nonnegative_destroy, tacNonnegative, fit) = {0};
  TAC_FREED(tac_element_choice_destroy, tacElementChoice, made) = {0};
  TAC_TRY(check(def, error));
  TAC_TRY(make_work(def, &w, error));
  TAC_TRY(prepare(&w, progress, error));
  bool more = true;
  /* The elements are fitted to the few rows of the sketch. So the error in the sketch is smaller than over all rows. */
  for (double target = 0.8 * w.tolerance; more; target *= 0.8) {
    TAC_TRY(select_elements(&w, target, progress, &more, error));
    tac_nonnegative_destroy(&fit);
    TAC_TRY(fit_all_rows(&w, &fit, error));
    if (tac_nonnegative_error(&fit) <= w.tolerance) break;
  }
  TAC_TRY(fill_parts(&w, &fit, &made, error));
  *choice = made;
  made = (tacElementChoice){0};
  return TAC_OK;
}

void tac_element_choice_destroy(tacElementChoice *choice) {
  tac_arrays_free(&choice->arrays);
  *choice = (tacElementChoice){0};
}
