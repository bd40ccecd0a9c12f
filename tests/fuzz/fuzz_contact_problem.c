/* Bytes as a contact problem: an error, or a problem that can be solved. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include "contact/contact_problem.h"
#include "contact/problem_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  tacContactProblem *problem = NULL;
  tacError error = {.text = ""};
  tacStatus status = tac_problem_file_parse("fuzz", data, size, &problem, &error);
  if ((status == TAC_OK) != (problem != NULL) || (status != TAC_OK && error.text[0] == 0)) abort();
  if (problem == NULL) return 0;
  for (int i = 0; i < problem->count; ++i) {
    if (problem->column[problem->diagonal[i]] != i) abort();
    for (int k = problem->first[i]; k < problem->first[i + 1]; ++k)
      if (problem->column[k] < 0 || problem->column[k] >= problem->count) abort();
  }
  tacContactSolverDef def = tac_contact_solver_def_default();
  tacContactReport report;
  def.most_sweeps = 20;
  def.most_steps = 5;
  if (problem->count < 50) {
    if (tac_contact_problem_solve(problem, &def, &report, &error) != TAC_OK) abort();
    for (int i = 0; i < problem->count; ++i) {
      const double *f = problem->force + 3 * (size_t)i;
      if (!isfinite(f[0]) || !isfinite(f[1]) || !isfinite(f[2]) || f[0] < 0.0) abort();
    }
  }
  tac_contact_problem_destroy(problem);
  return 0;
}
