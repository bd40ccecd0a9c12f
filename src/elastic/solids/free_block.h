/* The block of a solid's matrices that belongs to its free vertices, and where its entries come from: made once for one
 * pattern, filled with new values often. Offline. */
#pragma once

#include "elastic/solids/solid.h"

typedef struct tacFreeBlock {
  tacConstraints constraints;
  size_t size, free_size; /* 3 numbers a vertex */
  tacSparse matrix;       /* the block of the pattern, with its values */
  int *source;            /* [entry of the block] -> its place in the pattern */
} tacFreeBlock;

tacStatus tac_free_block_create(const tacSolid *solid, const tacSparse *pattern, tacFreeBlock *block, tacError *error);
void tac_free_block_destroy(tacFreeBlock *block); /* may be called on {0} */
