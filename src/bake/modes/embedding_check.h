/* Points that move with a volume mesh, against an interpolation made anew: every element is tried. Offline.
 *
 * A point has the rows of the element that contains it; where several do, or it is outside and several are equally
 * near, those of any of them. Plain loops on one thread. */
#pragma once

#include <tactus/mesh.h>
#include "base/files/bake_check.h"

enum { TAC_EMBEDDING_SAMPLES = 64 };

typedef struct tacEmbeddingCheck {
  const tacVolMesh *volume;
  int r;
  const double *basis; /* [vertex][axis][r] */
  double largest;      /* of it */
} tacEmbeddingCheck;

tacEmbeddingCheck tac_embedding_check(const tacVolMesh *volume, int r, const double *basis);

/* Rows of one point, [axis][r] each; those that are NULL are not looked at. */
typedef struct tacEmbeddedRows {
  tacVec3 point, normal;
  const double *displacement;
  const double *normal_change; /* (dF/dq) normal */
  const double *gradient;      /* [row][column][r] */
} tacEmbeddedRows;

/* Adds the error: of displacements over the largest of the basis, of gradients over the sizes of what they are summed
 * from. Far outside a brick, where its map has no inverse, nothing is added. */
void tac_embedding_check_compare(const tacEmbeddingCheck *check, const tacEmbeddedRows *rows, int place,
                                 tacWorst *worst);
