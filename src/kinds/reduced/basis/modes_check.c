#include "kinds/reduced/basis/modes_check.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/threads/parallel.h"
#include "elastic/elements/quadrature.h"
#include "math/geometry/vec3.h"
#include "math/random.h"

enum { WINDOW = 512, GRAIN = 16 };
enum { BLOCK = 8, TRIALS = 3 };  /* number of vectors multiplied together; number of random sums of derivatives */
#define MODES_ALLOWED 1e-6       /* minimum tolerance; the factor of a free body has a shift of 1e-8 */
#define DERIVATIVES_ALLOWED 1e-6 /* minimum tolerance; MINRES stops at 1e-10 of the preconditioned residual */
#define MOST_ALLOWED 1e-4

typedef struct {
  const tacSolid *solid;
  const tacVibrationModes *modes;
  const tacModalDerivatives *derivatives;
  size_t size;                 /* number of entries of a vector, 3 per vertex */
  double *x;                   /* vectors, [BLOCK][size] */
  double *kx, *mx, *magnitude; /* K x, M x and |K| |x|, [BLOCK][size] */
  int first, some;             /* first element and number of elements of the window */
  double (*k)[576], (*m)[64];  /* stiffness and mass matrices of the elements of the window, [WINDOW] */
} Check;

static double allow(double noise, double least) {
  return fmin(fmax(1e3 * noise, least), MOST_ALLOWED);
}

static double dot(size_t count, const double *a, const double *b) {
  double sum = 0.0;
  for (size_t i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

static bool is_held(const Check *check, size_t number) {
  return check->solid->held != NULL && check->solid->held[number / 3];
}

static tacStatus compute_element(const Check *check, int e, double k[576], double m[64], tacError *error) {
  const tacVolMesh *mesh = check->solid->mesh;
  const tacMaterial *material = tac_solid_material(check->solid, e);
  TAC_TRY(tac_element_stiffness(mesh, e, material, k, error));
  return tac_element_mass(mesh, e, material, check->solid->mass, m, error);
}

/* Computes the stiffness and mass matrices of elements. If the computation fails for an element, the first entry of its
 * stiffness matrix is NaN. */
static void compute_elements(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Check *check = context;
  for (size_t i = begin; i < end; ++i)
    if (compute_element(check, check->first + (int)i, check->k[i], check->m[i], NULL) != TAC_OK) check->k[i][0] = NAN;
}

static void multiply_vectors(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Check *check = context;
  const tacVolMesh *mesh = check->solid->mesh;
  for (size_t c = begin; c < end; ++c)
    for (int n = 0; n < check->some; ++n) {
      const int *v = tac_element_vertices(mesh, check->first + n);
      const double *k = check->k[n], *m = check->m[n];
      int corners = tac_element_corner_count(mesh, check->first + n), rows = 3 * corners;
      double x[24];
      for (int i = 0; i < rows; ++i) x[i] = check->x[c * check->size + 3 * (size_t)v[i / 3] + (size_t)(i % 3)];
      for (int i = 0; i < rows; ++i) {
        size_t to = c * check->size + 3 * (size_t)v[i / 3] + (size_t)(i % 3);
        double sum = 0.0, all = 0.0, mass = 0.0;
        for (int j = 0; j < rows; ++j) {
          double part = k[i * rows + j] * x[j];
          sum += part;
          all += fabs(part);
        }
        for (int b = 0; b < corners; ++b) mass += m[i / 3 * corners + b] * x[3 * b + i % 3];
        check->kx[to] += sum;
        check->magnitude[to] += all;
        check->mx[to] += mass;
      }
    }
}

/* Computes K x, M x and |K| |x| for `count` vectors. */
static tacStatus multiply(Check *check, size_t count, tacError *error) {
  int elements = tac_element_count(check->solid->mesh);
  size_t bytes = count * check->size * sizeof(double);
  memset(check->kx, 0, bytes);
  memset(check->mx, 0, bytes);
  memset(check->magnitude, 0, bytes);
  for (check->first = 0; check->first < elements; check->first += WINDOW) {
    check->some = elements - check->first < WINDOW ? elements - check->first : WINDOW;
    TAC_TRY(tac_parallel_for(0, (size_t)check->some, GRAIN, compute_elements, check, NULL, "a check", error));
    for (int n = 0; n < check->some; ++n)
      if (isnan(check->k[n][0])) TAC_TRY(compute_element(check, check->first + n, check->k[n], check->m[n], error));
    TAC_TRY(tac_parallel_for(0, count, 1, multiply_vectors, check, NULL, "a check", error));
  }
  return TAC_OK;
}

static tacStatus check_values(Check *check, tacBakeChecks *checks, tacError *error) {
  tacWorst worst = {0};
  double noise = 0.0;
  for (int first = 0; first < check->modes->count; first += BLOCK) {
    int left = check->modes->count - first;
    size_t count = (size_t)(left < BLOCK ? left : BLOCK);
    memcpy(check->x, check->modes->vector + (size_t)first * check->size, count * check->size * sizeof(double));
    TAC_TRY(multiply(check, count, error));
    for (size_t c = 0; c < count; ++c) {
      double lambda = check->modes->value[(size_t)first + c], error2 = 0.0, inertia2 = 0.0, all2 = 0.0;
      for (size_t i = c * check->size; i < (c + 1) * check->size; ++i) {
        if (is_held(check, i - c * check->size)) continue; /* held vertices carry reaction forces */
        double residual = check->kx[i] - lambda * check->mx[i];
        error2 += residual * residual;
        inertia2 += lambda * lambda * check->mx[i] * check->mx[i];
        all2 += check->magnitude[i] * check->magnitude[i];
      }
      tac_worst_add(&worst, sqrt(error2 / inertia2), first + (int)c);
      noise = fmax(noise, DBL_EPSILON * sqrt(all2 / inertia2));
    }
  }
  return tac_bake_checks_add(checks, "K x with lambda M x of the vibration modes", &worst, allow(noise, MODES_ALLOWED),
                             "mode", error);
}

/* ---- derivatives ---- */

/* Computes the stress C e, where e is the symmetric part of g. */
static void stress_of(const tacMaterial *material, double g[3][3], double s[3][3]) {
  static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {2, 0}, {0, 1}};
  for (int c = 0; c < 6; ++c) {
    double sum = 0.0;
    for (int d = 0; d < 6; ++d) {
      int a = pair[d][0], b = pair[d][1];
      sum += material->stiffness[c][d] * (d < 3 ? g[a][a] : g[a][b] + g[b][a]);
    }
    s[pair[c][0]][pair[c][1]] = s[pair[c][1]][pair[c][0]] = sum;
  }
}

/* Computes (H : a) b = sum over points of weight (C q(a, b) + G_a S_b + G_b S_a) n. G_a is the gradient of a, S_a is
 * the linear stress of a, n is the gradient of a shape function, and q(a, b) is the symmetric part of G_a^T G_b. `all`
 * receives the sum of the magnitudes of the terms. */
static void contract_hessian(const Check *check, const double *a, const double *b, double *to, double *all) {
  const tacVolMesh *mesh = check->solid->mesh;
  memset(to, 0, check->size * sizeof *to);
  memset(all, 0, check->size * sizeof *all);
  for (int e = 0; e < tac_element_count(mesh); ++e) {
    tacQuadraturePoint points[TAC_MOST_QUADRATURE_POINTS];
    const tacMaterial *material = tac_solid_material(check->solid, e);
    const int *v = tac_element_vertices(mesh, e);
    int corners = tac_element_corner_count(mesh, e), count = tac_quadrature_points(mesh, e, 3, points);
    for (int p = 0; p < count; ++p) {
      double g[2][3][3] = {{{0.0}}}, s[2][3][3], product[3][3], sum[3][3];
      for (int c = 0; c < corners; ++c) {
        const double n[3] = {points[p].gradient[c].x, points[p].gradient[c].y, points[p].gradient[c].z};
        for (int i = 0; i < 9; ++i) {
          g[0][i / 3][i % 3] += a[3 * (size_t)v[c] + (size_t)(i / 3)] * n[i % 3];
          g[1][i / 3][i % 3] += b[3 * (size_t)v[c] + (size_t)(i / 3)] * n[i % 3];
        }
      }
      for (int side = 0; side < 2; ++side) stress_of(material, g[side], s[side]);
      for (int i = 0; i < 9; ++i) {
        product[i / 3][i % 3] = 0.0;
        for (int k = 0; k < 3; ++k) product[i / 3][i % 3] += g[0][k][i / 3] * g[1][k][i % 3];
      }
      stress_of(material, product, sum);
      for (int i = 0; i < 9; ++i)
        for (int k = 0; k < 3; ++k)
          sum[i / 3][i % 3] += g[0][i / 3][k] * s[1][k][i % 3] + g[1][i / 3][k] * s[0][k][i % 3];
      for (int c = 0; c < corners; ++c) {
        tacVec3 n = tac_vec3_scale(points[p].weight, points[p].gradient[c]);
        for (int i = 0; i < 3; ++i) {
          double part = sum[i][0] * n.x + sum[i][1] * n.y + sum[i][2] * n.z;
          to[3 * (size_t)v[c] + (size_t)i] += part;
          all[3 * (size_t)v[c] + (size_t)i] += fabs(part);
        }
      }
    }
  }
}

static void add_scaled(size_t size, double by, const double *x, double *to) {
  for (size_t i = 0; i < size; ++i) to[i] += by * x[i];
}

/* Removes the components along M times rigid motions and modes from the residuals r: r - M Psi (Psi^T r). */
static tacStatus remove_known(Check *check, double *residual, tacError *error) {
  const tacVibrationModes *modes = check->modes;
  int rigid = modes->rigid_count, known = rigid + modes->count + modes->more_count;
  for (int first = 0; first < known; first += BLOCK) {
    size_t count = (size_t)(known - first < BLOCK ? known - first : BLOCK);
    for (size_t c = 0; c < count; ++c) {
      int l = first + (int)c;
      memcpy(check->x + c * check->size,
             l < rigid ? modes->rigid + (size_t)l * check->size : modes->vector + (size_t)(l - rigid) * check->size,
             check->size * sizeof(double));
    }
    TAC_TRY(multiply(check, count, error));
    for (size_t c = 0; c < count * TRIALS; ++c) {
      double *r = residual + c % TRIALS * check->size;
      size_t at = c / TRIALS * check->size;
      add_scaled(check->size, -dot(check->size, check->x + at, r), check->mx + at, r);
    }
  }
  return TAC_OK;
}

/* Draws random weights for which all modes have similar strain energies. */
static void weigh(const Check *check, tacRandom *random, double *a) {
  for (int i = 0; i < check->modes->count; ++i) {
    double half = tac_random_uniform(random, -0.5, 0.5);
    a[i] = (half + copysign(0.5, half)) * sqrt(check->modes->value[0] / check->modes->value[i]);
  }
}

/* Computes x[0] = Phi(a, b), x[1] = Phi(a, b) with each term multiplied by lambda_i, x[2] = Psi(a) and x[3] =
 * Psi(b). */
static void sum_up(Check *check, const double *a, const double *b) {
  const tacModalDerivatives *derivatives = check->derivatives;
  bool is_free = check->modes->rigid_count > 0;
  memset(check->x, 0, 4 * check->size * sizeof *check->x);
  for (int c = 0; c < derivatives->count; ++c) {
    const double *phi = derivatives->vector + (size_t)c * check->size;
    int i = derivatives->pair[c][0], j = derivatives->pair[c][1];
    double weight = a[i] * b[j] + (is_free || i == j ? 0.0 : a[j] * b[i]);
    add_scaled(check->size, weight, phi, check->x);
    if (is_free) add_scaled(check->size, weight * check->modes->value[i], phi, check->x + check->size);
  }
  for (int i = 0; i < check->modes->count; ++i) {
    add_scaled(check->size, a[i], check->modes->vector + (size_t)i * check->size, check->x + 2 * check->size);
    add_scaled(check->size, b[i], check->modes->vector + (size_t)i * check->size, check->x + 3 * check->size);
  }
}

/* Computes the residual of one random sum, the reference magnitude `scale`, and the relative rounding error `noise`. */
static tacStatus find_residual(Check *check, const double *a, const double *b, double *residual, double *scale,
                               double *noise, tacError *error) {
  size_t size = check->size;
  double right2 = 0.0, all2 = 0.0, magnitude2 = 0.0;
  sum_up(check, a, b);
  double *right = check->x + 4 * size, *all = check->x + 5 * size;
  contract_hessian(check, check->x + 2 * size, check->x + 3 * size, right, all);
  TAC_TRY(multiply(check, 2, error));
  for (size_t i = 0; i < size; ++i) {
    residual[i] = is_held(check, i) ? 0.0 : check->kx[i] - check->mx[size + i] + right[i];
    if (is_held(check, i)) continue;
    right2 += right[i] * right[i];
    all2 += all[i] * all[i];
    magnitude2 += check->magnitude[i] * check->magnitude[i];
  }
  *scale = fmax(sqrt(right2), 1e-6 * sqrt(all2)); /* the right-hand side may vanish by symmetry */
  *noise = DBL_EPSILON * (sqrt(magnitude2) + sqrt(all2)) / *scale;
  return TAC_OK;
}

static tacStatus check_sums(Check *check, tacBakeChecks *checks, tacError *error) {
  size_t modes = (size_t)check->modes->count;
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  double *a = tac_arrays_add(&work, 2 * modes, sizeof *a);
  double *residual = tac_arrays_add(&work, TRIALS * check->size, sizeof *residual);
  TAC_TRY(tac_arrays_status(&work, "a check", error));
  double scale[TRIALS], most = 0.0;
  tacRandom random = tac_random_seed(9);
  tacWorst worst = {0};
  for (size_t t = 0; t < TRIALS; ++t) {
    double noise = 0.0, *b = a + (check->modes->rigid_count > 0 ? modes : 0);
    weigh(check, &random, a);
    if (b != a) weigh(check, &random, b);
    TAC_TRY(find_residual(check, a, b, residual + t * check->size, &scale[t], &noise, error));
    most = fmax(most, noise);
  }
  if (check->modes->rigid_count > 0) TAC_TRY(remove_known(check, residual, error));
  for (size_t t = 0; t < TRIALS; ++t) {
    const double *r = residual + t * check->size;
    double left = sqrt(dot(check->size, r, r));
    tac_worst_add(&worst, left == 0.0 ? 0.0 : left / scale[t], (int)t);
  }
  return tac_bake_checks_add(checks, "random sums of all modal derivatives with the loads that they balance", &worst,
                             allow(most, DERIVATIVES_ALLOWED), NULL, error);
}

tacStatus tac_modes_check(const tacSolid *solid, const tacVibrationModes *modes, const tacModalDerivatives *derivatives,
                          tacBakeChecks *checks, tacError *error) {
  size_t size = (size_t)modes->size;
  Check check = {.solid = solid, .modes = modes, .derivatives = derivatives, .size = size};
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  check.x = tac_arrays_add(&work, BLOCK * size, sizeof(double));
  check.kx = tac_arrays_add(&work, BLOCK * size, sizeof(double));
  check.mx = tac_arrays_add(&work, BLOCK * size, sizeof(double));
  check.magnitude = tac_arrays_add(&work, BLOCK * size, sizeof(double));
  check.k = tac_arrays_add(&work, WINDOW, sizeof *check.k);
  check.m = tac_arrays_add(&work, WINDOW, sizeof *check.m);
  TAC_TRY(tac_arrays_status(&work, "a check", error));
  TAC_TRY(check_values(&check, checks, error));
  return check_sums(&check, checks, error);
}
