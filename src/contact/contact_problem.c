#include "contact/contact_problem.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/memory/physical_memory.h"
#include "contact/laws/law_solver.h"
#include "math/sparse/sparse.h"

/* A problem and the memory of its arrays. Callers see only the member `problem`. */
typedef struct Made {
  tacContactProblem problem;
  tacArrays arrays;
} Made;

void tac_contact_problem_destroy(tacContactProblem *problem) {
  Made *made = (Made *)problem;
  if (made == NULL) return;
  tac_arrays_free(&made->arrays);
  free(made);
}
TAC_OWNED_TYPE(tacContactProblem, tac_contact_problem_destroy)

static tacStatus check_def(const tacContactProblemDef *def, tacError *error) {
  int d = def->dimension;
  if (d != 2 && d != 3)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the contact dimension is %d; it must be 2 or 3", def->dimension);
  if (def->count < 0 || def->count > INT_MAX / 9 || def->entry_count < 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a contact problem cannot have %d contacts and %d entries of W",
                         def->count, def->entry_count);
  for (int k = 0; k < def->entry_count; ++k) {
    const tacContactEntry *entry = &def->entries[k];
    if (entry->row < 0 || entry->row >= d * def->count || entry->column < 0 || entry->column >= d * def->count)
      return tac_error_set(error, TAC_ERR_ARGUMENT,
                           "an entry of W at row %d, column %d lies outside the %d x %d "
                           "matrix",
                           entry->row, entry->column, d * def->count, d * def->count);
    if (!isfinite(entry->value))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "the entry of W at row %d, column %d is NaN or infinite",
                           entry->row, entry->column);
  }
  for (int i = 0; i < def->count; ++i) {
    for (int a = 0; a < d; ++a)
      if (!isfinite(def->free[(size_t)d * (size_t)i + (size_t)a]))
        return tac_error_set(error, TAC_ERR_ARGUMENT, "the free motion of contact %d is NaN or infinite", i);
    if (!(def->friction[i] >= 0.0) || !isfinite(def->friction[i]))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "the friction of contact %d is %g; it must be 0 or more", i,
                           def->friction[i]);
  }
  return TAC_OK;
}

static double largest(const tacSparse *matrix) {
  double most = 0.0;
  for (int k = 0; k < tac_sparse_count(matrix); ++k) most = fmax(most, fabs(matrix->value[k]));
  return most;
}

/* Builds W from the nonzero entries of the definition. The laws use the rows of W, so W need not be symmetric. */
static tacStatus gather(const tacContactProblemDef *def, double *asymmetry, tacSparse *matrix, tacError *error) {
  int size = def->dimension * def->count;
  TAC_FREED(tac_triplets_destroy, tacTriplets, triplets) = {.rows = size, .cols = size};
  TAC_FREED(tac_sparse_destroy, tacSparse, transposed) = {0};
  TAC_FREED(tac_sparse_destroy, tacSparse, difference) = {0};
  for (int i = 0; i < def->entry_count; ++i) {
    const tacContactEntry *e = &def->entries[i];
    if (e->value != 0.0) TAC_TRY(tac_triplets_add(&triplets, e->row, e->column, e->value, error));
  }
  TAC_TRY(tac_triplets_compress(&triplets, matrix, error));
  TAC_TRY(tac_sparse_transpose(matrix, &transposed, error));
  TAC_TRY(tac_sparse_add(0.5, matrix, -0.5, &transposed, &difference, error));
  double most = largest(matrix);
  *asymmetry = most > 0.0 ? 2.0 * (largest(&difference) / most) : 0.0;
  return isfinite(most) ? TAC_OK
                        : tac_error_set(error, TAC_ERR_ARGUMENT, "the entries of W are too large: their sum overflows");
}

/* Converts a sparse matrix from columns to rows of blocks. Processes one column of blocks after the other, so that
 * column indices ascend in each row. `at`: present block of each row; `seen`: last column found in each row. If
 * problem->column is NULL, only counts the blocks. */
static void place_blocks(const tacSparse *matrix, int d, tacContactProblem *problem, int *seen, int *at) {
  int *column = problem->column;
  for (int i = 0; i < problem->count; ++i) seen[i] = -1;
  for (int j = 0; j < problem->count; ++j) {
    seen[j] = j;
    problem->diagonal[j] = at[j]++;
    if (column != NULL) column[problem->diagonal[j]] = j;
    for (int s = matrix->column_start[d * j]; s < matrix->column_start[d * (j + 1)]; ++s) {
      int i = matrix->row[s] / d;
      if (seen[i] == j) continue;
      seen[i] = j;
      if (column != NULL) column[at[i]] = j;
      ++at[i];
    }
    for (int b = 0; column != NULL && b < d; ++b)
      for (int s = matrix->column_start[d * j + b]; s < matrix->column_start[d * j + b + 1]; ++s) {
        int i = matrix->row[s] / d, a = matrix->row[s] % d;
        problem->entries[9 * ((size_t)at[i] - 1) + (size_t)(3 * a + b)] = matrix->value[s];
      }
  }
}

/* Adds the second tangent of a 2D problem (tac_contact_problem_create). */
static void embed(tacContactProblem *problem) {
  for (int i = 0; i < problem->count; ++i) {
    double *w = problem->entries + 9 * (size_t)problem->diagonal[i];
    w[8] = w[4] > 0.0 ? w[4] : w[0];
  }
}

static tacStatus make_blocks(const tacSparse *matrix, int d, Made *made, tacError *error) {
  tacContactProblem *problem = &made->problem;
  size_t count = (size_t)problem->count;
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  int *seen = tac_arrays_add(&work, count, sizeof *seen), *at = tac_arrays_add(&work, count, sizeof *at);
  TAC_TRY(tac_arrays_status(&work, "rows of W", error));
  problem->first = tac_arrays_add(&made->arrays, count + 1, sizeof *problem->first);
  problem->diagonal = tac_arrays_add(&made->arrays, count, sizeof *problem->diagonal);
  TAC_TRY(tac_arrays_status(&made->arrays, "rows of W", error));
  place_blocks(matrix, d, problem, seen, at);
  for (size_t i = 0; i < count; ++i) problem->first[i + 1] = problem->first[i] + at[i];
  size_t blocks = (size_t)problem->first[count];
  problem->column = tac_arrays_add(&made->arrays, blocks, sizeof *problem->column);
  problem->entries = tac_arrays_add(&made->arrays, blocks, 9 * sizeof *problem->entries);
  TAC_TRY(tac_arrays_status(&made->arrays, "blocks of W", error));
  memcpy(at, problem->first, count * sizeof *at);
  place_blocks(matrix, d, problem, seen, at);
  if (d == 2) embed(problem);
  return TAC_OK;
}

static tacStatus make_vectors(const tacContactProblemDef *def, Made *made, tacError *error) {
  size_t count = (size_t)def->count, d = (size_t)def->dimension;
  tacContactProblem *problem = &made->problem;
  problem->free = tac_arrays_add(&made->arrays, count, 3 * sizeof *problem->free);
  problem->friction = tac_arrays_add(&made->arrays, count, sizeof *problem->friction);
  problem->force = tac_arrays_add(&made->arrays, count, 3 * sizeof *problem->force);
  problem->motion = tac_arrays_add(&made->arrays, count, 3 * sizeof *problem->motion);
  problem->state = tac_arrays_add(&made->arrays, count, sizeof *problem->state);
  TAC_TRY(tac_arrays_status(&made->arrays, "contacts", error));
  for (size_t i = 0; i < count; ++i) {
    memcpy(problem->free + 3 * i, def->free + d * i, d * sizeof *def->free);
    problem->friction[i] = def->friction[i];
  }
  return TAC_OK;
}

tacStatus tac_contact_problem_create(const tacContactProblemDef *def, tacContactProblem **problem, tacError *error) {
  *problem = NULL;
  TAC_TRY(check_def(def, error));
  Made *made;
  TAC_TRY(TAC_ARRAY(made, 1, "a contact problem", error));
  TAC_OWN(tacContactProblem, owned) = &made->problem;
  owned->dimension = def->dimension;
  owned->count = def->count;
  TAC_FREED(tac_sparse_destroy, tacSparse, matrix) = {0};
  TAC_TRY(gather(def, &owned->asymmetry, &matrix, error));
  TAC_TRY(make_blocks(&matrix, def->dimension, made, error));
  TAC_TRY(make_vectors(def, made, error));
  *problem = tac_give(&owned);
  return TAC_OK;
}

static double norm3(const double v[3]) {
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

tacContactMeasure tac_contact_problem_scale(const tacContactProblem *problem) {
  tacContactMeasure scale = {0.0, 0.0};
  for (int i = 0; i < problem->count; ++i) {
    const double *w = problem->entries + 9 * (size_t)problem->diagonal[i];
    double moved = norm3(problem->free + 3 * (size_t)i), give = (w[0] + w[4] + w[8]) / 3.0;
    scale.metres = fmax(scale.metres, moved);
    if (give > 0.0) scale.newtons = fmax(scale.newtons, moved / give);
  }
  if (!(scale.metres > 0.0)) scale.metres = 1.0;
  if (!(scale.newtons > 0.0) || !isfinite(scale.newtons)) scale.newtons = 1.0;
  return scale;
}

/* Projects v to the nearest point of the cone |v_t| <= mu v_n. */
static void project(double friction, double v[3]) {
  double tangential = hypot(v[1], v[2]);
  if (tangential <= friction * v[0]) return;
  if (friction * tangential <= -v[0]) {
    v[0] = v[1] = v[2] = 0.0;
    return;
  }
  double normal = (v[0] + friction * tangential) / (1.0 + friction * friction);
  double scale = friction * normal / tangential;
  v[0] = normal;
  v[1] *= scale;
  v[2] *= scale;
}

double tac_contact_problem_error(const tacContactProblem *problem, const double *force) {
  double sum = 0.0, of_free = 0.0, of_motion = 0.0, of_force = 0.0; /* sums of squares */
  if (force == NULL) force = problem->force;
  for (int i = 0; i < problem->count; ++i) {
    const double *free = problem->free + 3 * (size_t)i, *f = force + 3 * (size_t)i;
    double u[3] = {free[0], free[1], free[2]};
    tac_contact_problem_add_row(problem, i, force, u);
    double mu = problem->friction[i];
    double v[3] = {f[0] - (u[0] + mu * hypot(u[1], u[2])), f[1] - u[1], f[2] - u[2]};
    project(mu, v);
    for (int a = 0; a < 3; ++a) {
      sum += (v[a] - f[a]) * (v[a] - f[a]);
      of_free += free[a] * free[a];
      of_motion += u[a] * u[a];
      of_force += f[a] * f[a];
    }
  }
  double whole = fmax(of_free, fmax(of_motion, of_force));
  return whole > 0.0 ? sqrt(sum / whole) : sqrt(sum);
}

tacContactSolverDef tac_contact_solver_def_default(void) {
  return (tacContactSolverDef){
      .solver = TAC_CONTACT_AUTOMATIC, .tolerance = 1e-10, .most_sweeps = 10000, .most_steps = 2000, .sides = 8};
}

static void take_solution(const tacLawContact *contacts, tacContactProblem *problem, tacContactReport *report) {
  for (int i = 0; i < problem->count; ++i) {
    memcpy(problem->force + 3 * (size_t)i, contacts[i].force, sizeof contacts[i].force);
    memcpy(problem->motion + 3 * (size_t)i, contacts[i].motion, sizeof contacts[i].motion);
    problem->state[i] = contacts[i].state;
    report->open += contacts[i].state == TAC_CONTACT_NONE;
    report->sticking += contacts[i].state == TAC_CONTACT_STICKS;
    report->sliding += contacts[i].state == TAC_CONTACT_SLIDES;
  }
}

tacStatus tac_contact_problem_solve(tacContactProblem *problem, const tacContactSolverDef *def,
                                    tacContactReport *report, tacError *error) {
  *report = (tacContactReport){0};
  if (!(def->tolerance > 0.0) || def->most_sweeps < 1 || def->most_steps < 1 || def->sides < 3)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the solver settings are not valid: the tolerance must be positive, with at least one "
                         "sweep, one step and 3 sides (found %g, %d, %d, %d)",
                         def->tolerance, def->most_sweeps, def->most_steps, def->sides);
  tacContactMeasure scale = tac_contact_problem_scale(problem);
  report->tolerance = (tacContactMeasure){def->tolerance * scale.metres, def->tolerance * scale.newtons};
  TAC_MEMORY(tacLawContact, contacts) = NULL;
  TAC_TRY(TAC_ARRAY(contacts, (size_t)problem->count, "contacts", error));
  tac_problem_laws_fill(problem, contacts);
  tacLawProblem laws = {.count = problem->count, .contacts = contacts, .blocks = problem};
  const tacLawSolverDef law = {.method = def->solver,
                               .tolerance = report->tolerance,
                               .most_sweeps = def->most_sweeps,
                               .most_steps = def->most_steps,
                               .sides = def->sides};
  size_t room = tac_law_solver_room(&laws, &law);
  if (!(room / 2 < tac_physical_memory() / 4))
    return tac_error_set(error, TAC_ERR_MEMORY,
                         "%d contacts need %.3g GiB of memory with this method, which is more than half of the "
                         "machine's memory",
                         problem->count, (double)room / (1024.0 * 1024.0 * 1024.0));
  TAC_FREED(tac_arena_destroy, tacArena, arena) = {0};
  TAC_TRY(tac_arena_create(room, "a contact problem", &arena, error));
  if (problem->count == 0) return TAC_OK;
  *report = tac_law_solve(&laws, &law, &arena);
  report->tolerance = law.tolerance;
  take_solution(contacts, problem, report);
  return TAC_OK;
}
