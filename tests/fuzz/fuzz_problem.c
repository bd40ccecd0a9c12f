/* Bytes as a file of a reference problem: an error, or one that can be solved. */
#include <tactus/reference_problem.h>
#include "chunk_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[64];
  int file = tac_fuzz_file(data, size, path);
  tacError error = {0};
  tacReferenceProblem *problem = NULL;
  tacStatus status = tac_reference_problem_read(path, &problem, &error);
  if ((status == TAC_OK) != (problem != NULL) || (status != TAC_OK && error.text[0] == '\0')) abort();
  if (problem != NULL && tac_reference_problem_row_count(problem) < 10000) {
    double *columns = malloc(3 * (size_t)tac_reference_problem_row_count(problem) * sizeof *columns);
    if (columns == NULL) abort();
    tac_reference_problem_columns(problem, 1, &(int){0}, NULL, columns, &error);
    free(columns);
  }
  tac_reference_problem_destroy(problem);
  close(file);
  return 0;
}
