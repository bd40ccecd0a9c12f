#include "elastic/solids/newmark.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "elastic/free_lower.h"
#include "elastic/solids/assembly.h"
#include "elastic/solids/time_step.h"
#include "math/sparse/factor.h"

/* Vectors of all vertices have lower.size numbers, those of free vertices lower.free_size. Values of matrices are on
 * the places of the stiffness matrix. */
struct tacNewmark {
  tacArrays arrays; /* all below */
  tacNewmarkDef def;
  tacTimeStep step;
  tacFiniteStrain *strain;
  tacFreeLower lower;
  tacFactor *factor;                  /* NULL where every vertex is held */
  bool ready;                         /* the factor is that of the system matrix, or near enough to it */
  double *mass, *stiffness, *damping; /* damping: of strain rates alone; NULL: none */
  double *system;                     /* of free vertices */
  double *u, *v, *a;
  /* Work */
  double *next_u, *next_v, *next_a, *drag, *part; /* all vertices */
  double *residual;                               /* free vertices */
};

tacNewmarkDef tac_newmark_def_default(void) {
  return (tacNewmarkDef){.beta = 0.25, .gamma = 0.5, .most_newton = 10, .tolerance = 1e-8};
}

static tacStatus check_def(const tacNewmarkDef *def, tacError *error) {
  const char *wrong = NULL;
  if (!(def->step > 0.0 && isfinite(def->step))) wrong = "step";
  if (!(def->beta > 0.0 && def->beta <= 0.5)) wrong = "beta (it must be above 0 and at most 1/2)";
  if (!(def->gamma >= 0.5 && def->gamma <= 1.0)) wrong = "gamma (it must be 1/2 to 1)";
  if (def->most_newton < 1) wrong = "number of iterations";
  if (!(def->tolerance > 0.0)) wrong = "tolerance";
  if (!(def->reuse >= 0.0 && def->reuse < 1.0)) wrong = "reuse (it must be at least 0 and below 1)";
  if (!(def->mass_damping >= 0.0) || !(def->stiffness_damping >= 0.0) || (def->phi == NULL) != (def->psi == NULL))
    wrong = "damping";
  return wrong == NULL ? TAC_OK
                       : tac_error_set(error, TAC_ERR_ARGUMENT,
                                       "the parameter %s of the Newmark method is "
                                       "not valid",
                                       wrong);
}

/* ---- making it ---- */

/* The mass matrix on the places of the stiffness matrix, which has them all. */
static tacStatus spread_mass(tacNewmark *newmark, const tacSolid *solid, tacError *error) {
  TAC_FREED(tac_sparse_destroy, tacSparse, mass) = {0};
  const tacSparse *pattern = tac_finite_strain_pattern(newmark->strain);
  TAC_TRY(tac_assembly_mass(solid->mesh, solid->materials, solid->material_of, solid->mass, &mass, error));
  for (int j = 0; j < mass.cols; ++j) {
    for (int i = mass.column_start[j]; i < mass.column_start[j + 1]; ++i) {
      newmark->mass[tac_sparse_find(pattern, mass.row[i], j)] = mass.value[i];
      if (mass.row[i] == j && !(mass.value[i] > 0.0) && newmark->lower.free_of[j] >= 0)
        return tac_error_set(error, TAC_ERR_SINGULAR,
                             "vertex %d belongs to no element and has no mass; hold it or remove it from the mesh",
                             j / 3);
    }
  }
  return TAC_OK;
}

static tacStatus create_arrays(tacNewmark *newmark, tacError *error) {
  size_t entries = (size_t)tac_sparse_count(tac_finite_strain_pattern(newmark->strain)), size = newmark->lower.size;
  newmark->mass = tac_arrays_add(&newmark->arrays, entries, sizeof(double));
  newmark->stiffness = tac_arrays_add(&newmark->arrays, entries, sizeof(double));
  newmark->system = tac_arrays_add(&newmark->arrays, (size_t)tac_sparse_count(&newmark->lower.matrix), sizeof(double));
  newmark->u = tac_arrays_add(&newmark->arrays, size, sizeof(double));
  newmark->v = tac_arrays_add(&newmark->arrays, size, sizeof(double));
  newmark->a = tac_arrays_add(&newmark->arrays, size, sizeof(double));
  newmark->next_u = tac_arrays_add(&newmark->arrays, size, sizeof(double));
  newmark->next_v = tac_arrays_add(&newmark->arrays, size, sizeof(double));
  newmark->next_a = tac_arrays_add(&newmark->arrays, size, sizeof(double));
  newmark->drag = tac_arrays_add(&newmark->arrays, size, sizeof(double));
  newmark->part = tac_arrays_add(&newmark->arrays, size, sizeof(double));
  newmark->residual = tac_arrays_add(&newmark->arrays, newmark->lower.free_size, sizeof(double));
  if (newmark->def.phi != NULL) newmark->damping = tac_arrays_add(&newmark->arrays, entries, sizeof(double));
  return tac_arrays_status(&newmark->arrays, "motion", error);
}

static void find_matrices(tacNewmark *newmark, const double *u) {
  tac_finite_strain_stiffness(newmark->strain, u, newmark->stiffness);
  if (newmark->damping != NULL)
    tac_finite_strain_damping(newmark->strain, newmark->def.phi, newmark->def.psi, u, newmark->damping);
}

tacStatus tac_newmark_create(const tacSolid *solid, const tacNewmarkDef *def, tacNewmark **newmark, tacError *error) {
  *newmark = NULL;
  TAC_TRY(check_def(def, error));
  TAC_FREED(tac_constraints_destroy, tacConstraints, constraints) = {0};
  TAC_OWN(tacNewmark, made) = tac_array_create(1, sizeof *made, "motion", error);
  if (made == NULL) return TAC_ERR_MEMORY;
  made->def = *def;
  made->step = tac_time_step_newmark(def->step, def->beta, def->gamma);
  TAC_TRY(tac_finite_strain_create(solid, &made->strain, error));
  TAC_TRY(tac_solid_constraints(solid, &constraints, error));
  TAC_TRY(tac_free_lower_create(tac_finite_strain_pattern(made->strain), constraints.held, &made->lower, error));
  TAC_TRY(create_arrays(made, error));
  TAC_TRY(spread_mass(made, solid, error));
  if (made->lower.free_size > 0) TAC_TRY(tac_factor_create(&made->lower.matrix, &made->factor, error));
  find_matrices(made, made->u); /* at rest, which the linear case keeps */
  *newmark = tac_give(&made);
  return TAC_OK;
}

void tac_newmark_destroy(tacNewmark *newmark) {
  if (newmark == NULL) return;
  tac_finite_strain_destroy(newmark->strain);
  tac_free_lower_destroy(&newmark->lower);
  tac_factor_destroy(newmark->factor);
  tac_arrays_free(&newmark->arrays);
  free(newmark);
}

/* ---- motion ---- */

static double norm(const double *x, size_t count) {
  double sum = 0.0;
  for (size_t i = 0; i < count; ++i) sum += x[i] * x[i];
  return sqrt(sum);
}

/* y = A x for values on the places of the symmetric stiffness matrix. */
static void multiply(const tacNewmark *newmark, double *value, const double *x, double *y) {
  tacSparse matrix = *tac_finite_strain_pattern(newmark->strain);
  matrix.value = value;
  tac_sparse_multiply_transposed(&matrix, x, 1, y);
}

/* Whether the residual needs them already, and not only the correction. */
static bool drag_needs_matrices(const tacNewmark *newmark) {
  return newmark->def.stiffness_damping > 0.0 || newmark->damping != NULL;
}

/* drag = D(u, v) of the next state, with the matrices there. */
static void find_drag(tacNewmark *newmark) {
  const tacNewmarkDef *def = &newmark->def;
  multiply(newmark, newmark->mass, newmark->next_v, newmark->drag);
  for (size_t i = 0; i < newmark->lower.size; ++i) newmark->drag[i] *= def->mass_damping;
  if (def->stiffness_damping > 0.0) {
    multiply(newmark, newmark->stiffness, newmark->next_v, newmark->part);
    for (size_t i = 0; i < newmark->lower.size; ++i) newmark->drag[i] += def->stiffness_damping * newmark->part[i];
  }
  if (newmark->damping != NULL) {
    multiply(newmark, newmark->damping, newmark->next_v, newmark->part);
    for (size_t i = 0; i < newmark->lower.size; ++i) newmark->drag[i] += newmark->part[i];
  }
}

/* total -= part, at free vertices; returns the norm of the part. */
static double subtract(const tacNewmark *newmark, const double *part, double *total) {
  double sum = 0.0;
  for (size_t i = 0; i < newmark->lower.size; ++i) {
    if (newmark->lower.free_of[i] < 0) continue;
    total[newmark->lower.free_of[i]] -= part[i];
    sum += part[i] * part[i];
  }
  return sqrt(sum);
}

/* residual = f - M a - D(u, v) - R(u) of the next state; `largest` receives the norm of the largest of these parts.
 * Returns its norm. */
static double find_residual(tacNewmark *newmark, const double *force, double *largest) {
  if (!newmark->def.linear && drag_needs_matrices(newmark)) find_matrices(newmark, newmark->next_u);
  tac_free_lower_take(&newmark->lower, force, newmark->residual);
  *largest = norm(newmark->residual, newmark->lower.free_size);
  multiply(newmark, newmark->mass, newmark->next_a, newmark->part);
  *largest = fmax(*largest, subtract(newmark, newmark->part, newmark->residual));
  find_drag(newmark);
  *largest = fmax(*largest, subtract(newmark, newmark->drag, newmark->residual));
  if (newmark->def.linear)
    multiply(newmark, newmark->stiffness, newmark->next_u, newmark->part);
  else
    tac_finite_strain_force(newmark->strain, newmark->next_u, newmark->part);
  *largest = fmax(*largest, subtract(newmark, newmark->part, newmark->residual));
  return norm(newmark->residual, newmark->lower.free_size);
}

/* Factors of_mass M + of_damping (strain-rate damping) + of_stiffness K. */
static tacStatus factor_system(tacNewmark *newmark, double of_mass, double of_damping, double of_stiffness,
                               tacError *error) {
  for (int i = 0; i < tac_sparse_count(&newmark->lower.matrix); ++i) {
    int place = newmark->lower.source[i];
    newmark->system[i] = of_mass * newmark->mass[place] + of_stiffness * newmark->stiffness[place];
    if (newmark->damping != NULL) newmark->system[i] += of_damping * newmark->damping[place];
  }
  return tac_factor_update(newmark->factor, newmark->system, error);
}

static tacStatus check_orientation(const tacNewmark *newmark, tacError *error) {
  int inverted = newmark->def.linear ? -1 : tac_finite_strain_inverted(newmark->strain, newmark->next_u);
  return inverted < 0 ? TAC_OK
                      : tac_error_set(error, TAC_ERR_GEOMETRY,
                                      "the motion inverts element %d; use weaker forces or shorter steps", inverted);
}

static void take_next(tacNewmark *newmark) {
  size_t bytes = newmark->lower.size * sizeof(double);
  memcpy(newmark->u, newmark->next_u, bytes);
  memcpy(newmark->v, newmark->next_v, bytes);
  memcpy(newmark->a, newmark->next_a, bytes);
}

static void copy_or_zero(const double *from, size_t count, double *to) {
  if (from != NULL)
    memcpy(to, from, count * sizeof *to);
  else
    memset(to, 0, count * sizeof *to);
}

tacStatus tac_newmark_start(tacNewmark *newmark, const double *u, const double *v, const double *force,
                            tacError *error) {
  double largest;
  copy_or_zero(u, newmark->lower.size, newmark->next_u);
  copy_or_zero(v, newmark->lower.size, newmark->next_v);
  copy_or_zero(NULL, newmark->lower.size, newmark->next_a);
  for (size_t i = 0; i < newmark->lower.size; ++i)
    if (newmark->lower.free_of[i] < 0) newmark->next_v[i] = 0.0;
  TAC_TRY(check_orientation(newmark, error));
  if (newmark->factor != NULL) {
    find_residual(newmark, force, &largest);
    newmark->ready = false;
    TAC_TRY(factor_system(newmark, 1.0, 0.0, 0.0, error));
    TAC_TRY(tac_factor_solve(newmark->factor, newmark->residual, 1, newmark->residual, error));
    tac_free_lower_put(&newmark->lower, newmark->residual, newmark->next_a);
  }
  take_next(newmark);
  return TAC_OK;
}

/* Velocities and accelerations that belong to next_u; zero at held vertices, which never move. */
static void find_rates(tacNewmark *newmark) {
  for (size_t i = 0; i < newmark->lower.size; ++i) {
    double way = newmark->next_u[i] - newmark->u[i], v = newmark->v[i], a = newmark->a[i];
    newmark->next_v[i] = tac_time_step_velocity(&newmark->step, way, v, a);
    newmark->next_a[i] = tac_time_step_acceleration(&newmark->step, way, v, a);
  }
}

/* next_u += A^-1 residual, where A neglects that the damping matrix depends on u. `small`: rounding would hide less. */
static tacStatus correct(tacNewmark *newmark, bool *small, tacError *error) {
  const tacNewmarkDef *def = &newmark->def;
  if (!newmark->ready) {
    if (!def->linear && !drag_needs_matrices(newmark)) find_matrices(newmark, newmark->next_u);
    tacStatus status =
        factor_system(newmark, tac_time_step_of_mass(&newmark->step, def->mass_damping), newmark->step.v_way,
                      tac_time_step_of_stiffness(&newmark->step, def->stiffness_damping), error);
    if (status == TAC_ERR_SINGULAR)
      return tac_error_set(error, TAC_ERR_NO_CONVERGENCE,
                           "the matrix of a step of %g s is not positive definite; use shorter steps", def->step);
    if (status != TAC_OK) return status;
    newmark->ready = def->linear || def->reuse > 0.0;
  }
  TAC_TRY(tac_factor_solve(newmark->factor, newmark->residual, 1, newmark->residual, error));
  for (size_t i = 0; i < newmark->lower.size; ++i)
    if (newmark->lower.free_of[i] >= 0) newmark->next_u[i] += newmark->residual[newmark->lower.free_of[i]];
  *small = norm(newmark->residual, newmark->lower.free_size) <= 1e-12 * norm(newmark->next_u, newmark->lower.size);
  return TAC_OK;
}

tacStatus tac_newmark_step(tacNewmark *newmark, const double *force, tacError *error) {
  if (newmark->factor == NULL) return TAC_OK;
  memcpy(newmark->next_u, newmark->u, newmark->lower.size * sizeof *newmark->u);
  bool done = false;
  double before = INFINITY; /* what the last iteration left */
  for (int j = 0; !done; ++j) {
    double largest, left;
    find_rates(newmark);
    left = find_residual(newmark, force, &largest);
    if (left <= newmark->def.tolerance * largest) break;
    if (!newmark->def.linear && !(left <= newmark->def.reuse * before)) newmark->ready = newmark->ready && j == 0;
    before = left;
    if (j == newmark->def.most_newton) {
      TAC_TRY(check_orientation(newmark, error));
      return tac_error_set(error, TAC_ERR_NO_CONVERGENCE,
                           "a step of %g s did not converge: %.3g of its forces remain unbalanced after %d "
                           "iterations; use shorter steps",
                           newmark->def.step, left / largest, j);
    }
    TAC_TRY(correct(newmark, &done, error));
    done = done || newmark->def.most_newton == 1; /* the semi-implicit method takes what one iteration gives */
  }
  if (done) find_rates(newmark);
  TAC_TRY(check_orientation(newmark, error));
  take_next(newmark);
  return TAC_OK;
}

const double *tac_newmark_displacement(const tacNewmark *newmark) {
  return newmark->u;
}

const double *tac_newmark_velocity(const tacNewmark *newmark) {
  return newmark->v;
}

double tac_newmark_energy(const tacNewmark *newmark) {
  double sum = 0.0;
  multiply(newmark, newmark->mass, newmark->v, newmark->part);
  for (size_t i = 0; i < newmark->lower.size; ++i) sum += 0.5 * newmark->v[i] * newmark->part[i];
  if (!newmark->def.linear) return sum + tac_finite_strain_energy(newmark->strain, newmark->u);
  multiply(newmark, newmark->stiffness, newmark->u, newmark->part);
  for (size_t i = 0; i < newmark->lower.size; ++i) sum += 0.5 * newmark->u[i] * newmark->part[i];
  return sum;
}
