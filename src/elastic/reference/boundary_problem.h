/* The reference problem by boundary elements: A x = -Abar vbar with dense LU factors of A (James and Pai 2001, (7) to (13)).
 *
 * Unknowns x come in blocks of 3: one a free vertex, its displacement; one for each held fan of a fixed vertex, its
 * traction in units of `scale`, which brings the columns of -G to the size of those of H. A vertex with several held fans
 * has more unknowns than its own collocation point gives equations: a point inside each fan but the first gives the rest. */
#pragma once

#include <tactus/material.h>
#include "base/files/chunk_transfer.h"
#include "base/memory/owned.h"
#include "elastic/reference/column_check.h"
#include "math/dense/dense.h"

typedef struct tacBoundaryProblem {
  int vertex_count, block_count, sensor_rows;
  int thread_count;
  int *first_block; /* [vertex + 1] -> its blocks of unknowns */
  double *share;    /* [block]: a vertex's row of Xi is the sum of share times x over its blocks */
  tacDense factor;  /* LU of A */
  int *pivot;
  tacDense known;                        /* Abar at the vertices, 3n x 3n */
  tacDense extra_known;                  /* Abar at the points inside fans */
  tacDense sensor_unknown, sensor_known; /* rows of A and Abar at the sensors, which read -A x - Abar vbar there */
  tacBakeChecks checks;                  /* of matrices and factors */
  tacColumnCheck column_check;
} tacBoundaryProblem;

/* `area[vertex]` is the integral of its hat function. `def` was checked. */
tacStatus tac_boundary_problem_create(const tacReferenceDef *def, const double *area, const tacProgress *progress,
                                      tacBoundaryProblem **problem, tacError *error);
void tac_boundary_problem_destroy(tacBoundaryProblem *problem); /* NULL is allowed */
TAC_OWNED_TYPE(tacBoundaryProblem, tac_boundary_problem_destroy)

/* As tac_reference_problem_columns. */
tacStatus tac_boundary_problem_columns(const tacBoundaryProblem *problem, int count, const int *vertices,
                                       const tacProgress *progress, double *columns, tacError *error);

void tac_boundary_problem_put(const tacBoundaryProblem *problem, tacChunkTransfer *to);
/* NULL on failure. Its checks are the caller's to fill in. */
tacBoundaryProblem *tac_boundary_problem_take(tacChunkTransfer *from, int vertex_count);
