#include "elastic/solids/free_block.h"

#include <stdlib.h>
#include "base/memory/array.h"

tacStatus tac_free_block_create(const tacSolid *solid, const tacSparse *pattern, tacFreeBlock *block, tacError *error) {
  *block = (tacFreeBlock){0};
  tacFreeBlock made = {0};
  tacSparse places = *pattern; /* whose values are their own places: exact in double precision */
  places.value = tac_array_create((size_t)tac_sparse_count(pattern), sizeof *places.value, "places of a matrix", error);
  tacStatus status = places.value != NULL ? tac_solid_constraints(solid, &made.constraints, error) : TAC_ERR_MEMORY;
  for (int i = 0; status == TAC_OK && i < tac_sparse_count(pattern); ++i) places.value[i] = i;
  if (status == TAC_OK)
    status = tac_constraints_block(&made.constraints, &places, TAC_SIDE_FREE, TAC_SIDE_FREE, &made.matrix, error);
  free(places.value);
  if (status == TAC_OK) {
    made.source =
        tac_array_create((size_t)tac_sparse_count(&made.matrix), sizeof *made.source, "places of a matrix", error);
    if (made.source == NULL) status = TAC_ERR_MEMORY;
  }
  if (status != TAC_OK) {
    tac_free_block_destroy(&made);
    return status;
  }
  made.size = 3 * (size_t)made.constraints.vertex_count;
  made.free_size = 3 * (size_t)made.constraints.count[TAC_SIDE_FREE];
  for (int i = 0; i < tac_sparse_count(&made.matrix); ++i) {
    made.source[i] = (int)made.matrix.value[i];
    made.matrix.value[i] = pattern->value[made.source[i]];
  }
  *block = made;
  return TAC_OK;
}

void tac_free_block_destroy(tacFreeBlock *block) {
  tac_constraints_destroy(&block->constraints);
  tac_sparse_destroy(&block->matrix);
  free(block->source);
  *block = (tacFreeBlock){0};
}
