#include "elastic/solids/free_block.h"

#include <stdlib.h>
#include "elastic/free_lower.h"

tacStatus tac_free_block_create(const tacSolid *solid, const tacSparse *pattern, tacFreeBlock *block, tacError *error) {
  tacFreeLower part = {0};
  *block = (tacFreeBlock){0};
  tacStatus status = tac_solid_constraints(solid, &block->constraints, error);
  if (status == TAC_OK) status = tac_free_lower_create(pattern, block->constraints.held, &part, error);
  if (status != TAC_OK) {
    tac_free_block_destroy(block);
    return status;
  }
  block->size = part.size;
  block->free_size = part.free_size;
  block->matrix = part.matrix;
  block->source = part.source;
  free(part.free_of);
  return TAC_OK;
}

void tac_free_block_destroy(tacFreeBlock *block) {
  tac_constraints_destroy(&block->constraints);
  tac_sparse_destroy(&block->matrix);
  free(block->source);
  *block = (tacFreeBlock){0};
}
