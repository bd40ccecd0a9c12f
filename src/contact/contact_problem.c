#include <tactus/contact_problem.h>

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "base/memory/physical_memory.h"
#include "contact/laws/law_solver.h"
#include "contact/problem_laws.h"
#include "math/sparse/sparse.h"

void tac_contact_problem_destroy(tacContactProblem *problem) {
  if (problem == NULL) return;
  free(problem->free);
  free(problem->friction);
  free(problem->first);
  free(problem->column);
  free(problem->entries);
  free(problem->diagonal);
  free(problem->force);
  free(problem->motion);
  free(problem->state);
  free(problem);
}

static tacStatus check_def(const tacContactProblemDef *def, tacError *error) {
  int d = def->dimension;
  if (d != 2 && d != 3)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a contact has 2 or 3 directions, not %d", def->dimension);
  if (def->count < 0 || def->count > INT_MAX / 9 || def->entry_count < 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "%d contacts and %d entries of W are not possible", def->count,
                         def->entry_count);
  for (int k = 0; k < def->entry_count; ++k) {
    const tacContactEntry *entry = &def->entries[k];
    if (entry->row < 0 || entry->row >= d * def->count || entry->column < 0 || entry->column >= d * def->count)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "an entry of W at row %d, column %d is outside of its %d x %d",
                           entry->row, entry->column, d * def->count, d * def->count);
    if (!isfinite(entry->value))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "the entry of W at row %d, column %d is not finite", entry->row,
                           entry->column);
  }
  for (int i = 0; i < def->count; ++i) {
    for (int a = 0; a < d; ++a)
      if (!isfinite(def->free[(size_t)d * (size_t)i + (size_t)a]))
        return tac_error_set(error, TAC_ERR_ARGUMENT, "the free motion of contact %d is not finite", i);
    if (!(def->friction[i] >= 0.0) || !isfinite(def->friction[i]))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "the friction of contact %d is %g; it is not negative", i,
                           def->friction[i]);
  }
  return TAC_OK;
}

static double largest(const tacSparse *matrix) {
  double most = 0.0;
  for (int k = 0; k < tac_sparse_count(matrix); ++k) most = fmax(most, fabs(matrix->value[k]));
  return most;
}

/* W of the entries that are not zero, as it was given: the laws are those of its rows, also where it is not quite
 * symmetric. */
static tacStatus gather(const tacContactProblemDef *def, double *asymmetry, tacSparse *matrix, tacError *error) {
  int size = def->dimension * def->count;
  tacTriplets triplets = {.rows = size, .cols = size};
  tacSparse transposed = {0}, difference = {0};
  tacStatus status = TAC_OK;
  for (int k = 0; k < def->entry_count && status == TAC_OK; ++k)
    if (def->entries[k].value != 0.0)
      status = tac_triplets_add(&triplets, def->entries[k].row, def->entries[k].column, def->entries[k].value, error);
  if (status == TAC_OK) status = tac_triplets_compress(&triplets, matrix, error);
  tac_triplets_destroy(&triplets);
  if (status == TAC_OK) status = tac_sparse_transpose(matrix, &transposed, error);
  if (status == TAC_OK) status = tac_sparse_add(0.5, matrix, -0.5, &transposed, &difference, error);
  if (status == TAC_OK) {
    double most = largest(matrix);
    *asymmetry = most > 0.0 ? 2.0 * (largest(&difference) / most) : 0.0;
    if (!isfinite(most))
      status = tac_error_set(error, TAC_ERR_ARGUMENT, "entries of W add up to more than the largest number");
  }
  tac_sparse_destroy(&transposed);
  tac_sparse_destroy(&difference);
  return status;
}

/* Rows of blocks from a matrix by columns. Column of blocks after column, so that those of a row ascend; `at` is where a
 * row's block of the current column is, `seen` in which column a row was met last. */
static void place_blocks(const tacSparse *matrix, int d, tacContactProblem *problem, int *seen, int *at) {
  for (int j = 0; j < problem->count; ++j) {
    seen[j] = j;
    problem->diagonal[j] = at[j]++;
    problem->column[problem->diagonal[j]] = j;
    for (int s = matrix->column_start[d * j]; s < matrix->column_start[d * (j + 1)]; ++s) {
      int i = matrix->row[s] / d;
      if (seen[i] == j) continue;
      seen[i] = j;
      problem->column[at[i]++] = j;
    }
    for (int b = 0; b < d; ++b)
      for (int s = matrix->column_start[d * j + b]; s < matrix->column_start[d * j + b + 1]; ++s) {
        int i = matrix->row[s] / d, a = matrix->row[s] % d;
        problem->entries[9 * ((size_t)at[i] - 1) + (size_t)(3 * a + b)] = matrix->value[s];
      }
  }
}

static void count_blocks(const tacSparse *matrix, int d, int count, int *seen, int *first) {
  for (int j = 0; j < count; ++j) {
    seen[j] = j;
    ++first[j + 1];
    for (int s = matrix->column_start[d * j]; s < matrix->column_start[d * (j + 1)]; ++s) {
      int i = matrix->row[s] / d;
      if (seen[i] == j) continue;
      seen[i] = j;
      ++first[i + 1];
    }
  }
  for (int i = 0; i < count; ++i) first[i + 1] += first[i];
}

/* A tangent of which nothing else knows; see the header. */
static void embed(tacContactProblem *problem) {
  for (int i = 0; i < problem->count; ++i) {
    double *w = problem->entries + 9 * (size_t)problem->diagonal[i];
    w[8] = w[4] > 0.0 ? w[4] : w[0];
  }
}

static tacStatus make_blocks(const tacSparse *matrix, int d, tacContactProblem *problem, tacError *error) {
  size_t count = (size_t)problem->count;
  int *seen = tac_array_create(count, sizeof *seen, "rows of W", error);
  int *at = tac_array_create(count, sizeof *at, "rows of W", error);
  problem->first = tac_array_create(count + 1, sizeof *problem->first, "rows of W", error);
  problem->diagonal = tac_array_create(count, sizeof *problem->diagonal, "rows of W", error);
  tacStatus status = TAC_ERR_MEMORY;
  if (seen != NULL && at != NULL && problem->first != NULL && problem->diagonal != NULL) {
    for (size_t i = 0; i < count; ++i) seen[i] = -1;
    count_blocks(matrix, d, problem->count, seen, problem->first);
    size_t blocks = (size_t)problem->first[count];
    problem->column = tac_array_create(blocks, sizeof *problem->column, "blocks of W", error);
    problem->entries = tac_array_create(blocks, 9 * sizeof *problem->entries, "blocks of W", error);
    if (problem->column != NULL && problem->entries != NULL) status = TAC_OK;
  }
  if (status == TAC_OK) {
    for (size_t i = 0; i < count; ++i) seen[i] = -1;
    if (count > 0) memcpy(at, problem->first, count * sizeof *at);
    place_blocks(matrix, d, problem, seen, at);
    if (d == 2) embed(problem);
  }
  free(seen);
  free(at);
  return status;
}

static tacStatus make_vectors(const tacContactProblemDef *def, tacContactProblem *problem, tacError *error) {
  size_t count = (size_t)def->count, d = (size_t)def->dimension;
  problem->free = tac_array_create(count, 3 * sizeof *problem->free, "motions", error);
  problem->friction = tac_array_create(count, sizeof *problem->friction, "frictions", error);
  problem->force = tac_array_create(count, 3 * sizeof *problem->force, "forces", error);
  problem->motion = tac_array_create(count, 3 * sizeof *problem->motion, "motions", error);
  problem->state = tac_array_create(count, sizeof *problem->state, "states", error);
  if (problem->free == NULL || problem->friction == NULL || problem->force == NULL || problem->motion == NULL ||
      problem->state == NULL)
    return TAC_ERR_MEMORY;
  for (size_t i = 0; i < count; ++i) {
    memcpy(problem->free + 3 * i, def->free + d * i, d * sizeof *def->free);
    problem->friction[i] = def->friction[i];
  }
  return TAC_OK;
}

tacStatus tac_contact_problem_create(const tacContactProblemDef *def, tacContactProblem **problem, tacError *error) {
  *problem = NULL;
  TAC_TRY(check_def(def, error));
  tacContactProblem *made = tac_array_create(1, sizeof *made, "a contact problem", error);
  if (made == NULL) return TAC_ERR_MEMORY;
  made->dimension = def->dimension;
  made->count = def->count;
  tacSparse matrix = {0};
  tacStatus status = gather(def, &made->asymmetry, &matrix, error);
  if (status == TAC_OK) status = make_blocks(&matrix, def->dimension, made, error);
  if (status == TAC_OK) status = make_vectors(def, made, error);
  tac_sparse_destroy(&matrix);
  if (status == TAC_OK)
    *problem = made;
  else
    tac_contact_problem_destroy(made);
  return status;
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

/* The nearest point of the cone |v_t| <= mu v_n. */
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
  double sum = 0.0, of_free = 0.0, of_motion = 0.0, of_force = 0.0; /* squares */
  tacBlockMatrix matrix = tac_problem_laws_matrix(problem);
  if (force == NULL) force = problem->force;
  for (int i = 0; i < problem->count; ++i) {
    const double *free = problem->free + 3 * (size_t)i, *f = force + 3 * (size_t)i;
    double u[3] = {free[0], free[1], free[2]};
    tac_block_matrix_add_row(&matrix, i, force, u);
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
      .solver = TAC_CONTACT_AUTOMATIC, .tolerance = 1e-10, .most_sweeps = 1000, .most_steps = 200, .sides = 8};
}

static tacLawMethod method_of(tacContactSolver solver) {
  switch (solver) {
    case TAC_CONTACT_AUTOMATIC: return TAC_LAW_AUTOMATIC;
    case TAC_CONTACT_GAUSS_SEIDEL: return TAC_LAW_GAUSS_SEIDEL;
    case TAC_CONTACT_DIAGONAL: return TAC_LAW_DIAGONAL;
    case TAC_CONTACT_NEWTON: return TAC_LAW_NEWTON;
    case TAC_CONTACT_PYRAMID: return TAC_LAW_PYRAMID;
  }
  return TAC_LAW_AUTOMATIC;
}

static tacLawSolverDef law_def(const tacContactSolverDef *def, tacContactMeasure tolerance) {
  tacLawSolverDef law = tac_law_solver_def_default();
  law.method = method_of(def->solver);
  law.tolerance = (tacCoulombResidual){tolerance.metres, tolerance.newtons};
  law.most_sweeps = def->most_sweeps;
  law.most_steps = def->most_steps;
  law.sides = def->sides;
  return law;
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
                         "a solver needs a positive tolerance, at least one sweep and step, and 3 sides; not %g, %d, "
                         "%d, %d",
                         def->tolerance, def->most_sweeps, def->most_steps, def->sides);
  tacContactMeasure scale = tac_contact_problem_scale(problem);
  report->tolerance = (tacContactMeasure){def->tolerance * scale.metres, def->tolerance * scale.newtons};
  tacLawContact *contacts = tac_array_create((size_t)problem->count, sizeof *contacts, "contacts", error);
  if (contacts == NULL) return TAC_ERR_MEMORY;
  tac_problem_laws_fill(problem, contacts);
  tacBlockMatrix matrix = tac_problem_laws_matrix(problem);
  tacLawProblem laws = {.count = problem->count, .contacts = contacts, .blocks = &matrix};
  tacLawSolverDef law = law_def(def, report->tolerance);
  tacArena arena = {0};
  size_t room = tac_law_solver_room(&laws, &law);
  tacStatus status =
      room / 2 < tac_physical_memory() / 4
          ? tac_arena_create(room, "a contact problem", &arena, error)
          : tac_error_set(error, TAC_ERR_MEMORY,
                          "%d contacts take %.3g GiB of memory with this method, over half of what there is",
                          problem->count, (double)room / (1024.0 * 1024.0 * 1024.0));
  if (status == TAC_OK && problem->count > 0) {
    tacLawReport solved = tac_law_solve(&laws, &law, &arena);
    report->sweeps = solved.sweeps;
    report->steps = solved.steps;
    report->residual = (tacContactMeasure){solved.residual.metres, solved.residual.newtons};
    report->unsolved = solved.unsolved;
    report->infeasible = solved.infeasible;
    take_solution(contacts, problem, report);
  }
  tac_arena_destroy(&arena);
  free(contacts);
  return status;
}
