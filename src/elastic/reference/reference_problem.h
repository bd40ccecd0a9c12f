/* The reference boundary value problem of a body's Green's functions: assembled and factored once, then any column of
 * Xi = -A^-1 Abar (James and Pai 2001, (13)) for two triangular solves. Offline, or on a thread of its own.
 *
 * Boundary elements: A has the columns of -G for fixed vertices and of H for free ones, Abar the others (9), (10); LU
 * factors. A free vertex has one traction, its hat function times p_j. A fixed vertex has one unknown traction for each
 * smooth fan of triangles around it that is held (has a triangle with three fixed vertices; all fans where none has), with
 * equations of its own, and none on the others; its p_j is the mean by which a_j p_j stays its force.
 * Finite elements: sparse Cholesky of K_ff; nodal loads a_j p_j, reactions divided by a_j; only the boundary is kept.
 * Where no vertex is fixed, inertia relief: the loads less the mass times the acceleration that they cause, and of the
 * displacements what is mass-orthogonal to rigid motions. */
#pragma once

#include <tactus/material.h>

/* Refers to nothing of `def` afterwards. */
tacStatus tac_reference_problem_create(const tacReferenceDef *def, const tacProgress *progress,
                                       tacReferenceProblem **problem, tacError *error);
void tac_reference_problem_destroy(tacReferenceProblem *problem); /* NULL is allowed */
const tacTriMesh *tac_reference_problem_surface(const tacReferenceProblem *problem);
const double *tac_reference_problem_area(const tacReferenceProblem *problem); /* [vertex], m^2 */

/* Rows of a column: 3 a vertex of the surface, then those of the sensors in their order. */
int tac_reference_problem_row_count(const tacReferenceProblem *problem);
const tacBakeChecks *tac_reference_problem_checks(const tacReferenceProblem *problem); /* of matrices and factors */

/* The 3 columns of each of `count` vertices, row_count numbers a column, one after the other. One thread at a time.
 * TAC_ERR_CHECK where one does not pass its check. */
tacStatus tac_reference_problem_columns(tacReferenceProblem *problem, int count, const int *vertices,
                                        const tacProgress *progress, double *columns, tacError *error);

/* The factored problem as a file: columns on demand in another process without assembling again, 144 n^2 bytes for boundary
 * elements. (Finite elements keep their mesh, and are assembled and factored again when read.) */
tacStatus tac_reference_problem_write(const tacReferenceProblem *problem, const char *path, tacError *error);
tacStatus tac_reference_problem_read(const char *path, tacReferenceProblem **problem, tacError *error);
