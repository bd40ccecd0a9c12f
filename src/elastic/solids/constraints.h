/* Which vertices are held and which are free: blocks of matrices and parts of vectors of 3 numbers a vertex. Offline. */
#pragma once

#include <stdbool.h>
#include <tactus/mesh.h>
#include "base/memory/array.h"
#include "math/sparse/sparse.h"

typedef enum tacSide { TAC_SIDE_FREE, TAC_SIDE_HELD } tacSide;

typedef struct tacConstraints {
  tacArrays arrays;
  int vertex_count;
  int count[2];     /* of free and of held vertices */
  int *vertices[2]; /* which ones, ascending */
  int *place;       /* [vertex] -> its place in the list of its side */
  bool *held;       /* [vertex] */
} tacConstraints;

tacStatus tac_constraints_create(int vertex_count, const bool *held, tacConstraints *constraints, tacError *error);
void tac_constraints_destroy(tacConstraints *constraints); /* may be called on {0} */

/* TAC_ERR_GEOMETRY where a connected part of the mesh can move rigidly, since fewer than three of its vertices that are
 * not in one line are held, or where a free vertex is in no element. Parts that meet in a vertex or an edge count as
 * connected, though they may turn there. */
tacStatus tac_constraints_check(const tacConstraints *constraints, const tacVolMesh *mesh, tacError *error);

/* The block of a 3 n x 3 n matrix with the rows of one side and the columns of another. */
tacStatus tac_constraints_block(const tacConstraints *constraints, const tacSparse *matrix, tacSide rows, tacSide cols,
                                tacSparse *block, tacError *error);

/* One side of a vector, and back; the other side of `vector` stays. */
void tac_constraints_take(const tacConstraints *constraints, tacSide side, const double *vector, double *part);
void tac_constraints_put(const tacConstraints *constraints, tacSide side, const double *part, double *vector);
