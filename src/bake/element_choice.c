#include "bake/element_choice.h"
#include <stdlib.h>
tacStatus tac_element_choice_create(const tacElementChoiceDef *def, const tacProgress *progress, tacElementChoice *choice, tacError *error) {
  (void)progress; (void)error;
  int n = def->mesh->tet_count; *choice=(tacElementChoice){0};
  int *tets = calloc(n, sizeof *tets); double *v = calloc(n, sizeof *v), *g = calloc((size_t)n * 9 * def->size, sizeof *g);
  for (int e = 0; e < n; ++e) { tets[e] = e; v[e] = tac_sampled_gradient(def->mesh, e, def->size, def->basis, g + (size_t)e * 9 * def->size); }
  choice->parts = (tacSampledParts){def->size, n, tets, v, g, def->material};
  return TAC_OK;
}
void tac_element_choice_destroy(tacElementChoice *choice) { *choice=(tacElementChoice){0}; }
