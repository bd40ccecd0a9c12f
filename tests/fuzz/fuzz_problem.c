/* Bytes as a file of a reference problem: an error, or one that can be solved. */
#include <tactus/material.h>
#include "chunk_fuzz.h"
#include "elastic/reference/reference_problem.h"

static void solve(tacReferenceProblem *problem) {
  if (tac_reference_problem_row_count(problem) >= 10000) return;
  double *columns = malloc(3 * (size_t)tac_reference_problem_row_count(problem) * sizeof *columns);
  if (columns == NULL) abort();
  tac_reference_problem_columns(problem, 1, &(int){0}, NULL, columns, NULL);
  free(columns);
}

TAC_FUZZ_FILE(tacReferenceProblem, tac_reference_problem, solve)
