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
#ifndef TACTUS_REFERENCE_PROBLEM_H
#define TACTUS_REFERENCE_PROBLEM_H

#include <stdbool.h>
#include <tactus/bake_check.h>
#include <tactus/material.h>
#include <tactus/progress.h>
#include <tactus/trimesh.h>
#include <tactus/volmesh.h>

TAC_BEGIN_DECLS

/* A quantity at an inner point that comes with every Green's function (James and Pai 2001, section 3.5). */
typedef enum tacSensorKind {
  TAC_SENSOR_DISPLACEMENT, /* 3 rows, m */
  TAC_SENSOR_STRESS        /* 6 rows: xx yy zz yz zx xy, Pa */
} tacSensorKind;

typedef struct tacSensor {
  const char *name;
  tacSensorKind kind;
  tacVec3 point; /* inside the body, m */
} tacSensor;

typedef enum tacReferenceMethod { TAC_BOUNDARY_ELEMENTS, TAC_FINITE_ELEMENTS } tacReferenceMethod;

typedef struct tacReferenceDef {
  tacReferenceMethod method;
  const tacTriMesh *surface; /* boundary elements: the closed surface. Finite elements: not used */
  const tacVolMesh *volume;  /* finite elements: its boundary (tac_volmesh_surface) is the surface */
  int material_count;
  const tacMaterial *materials; /* boundary elements: one, isotropic */
  const int *material_of;       /* finite elements: [element] -> materials; NULL: all have materials[0] */
  /* [vertex of the surface]; at least three that are not on a line. By finite elements none will do: the body is free,
   * and its displacements are relative to the rigid motion that the same forces cause, by the densities. */
  const bool *fixed;
  /* Finite elements: [vertex of the volume], those inside that never move, whatever is done to the surface; vertices of the surface are
   * as `fixed` says. NULL: none. TAC_ERR_GEOMETRY where they are all that is held. */
  const bool *fixed_inside;
  int sensor_count;
  const tacSensor *sensors;
  int thread_count; /* 0: one for each core */
  /* Boundary elements make parts too stiff in bending that are thinner than their edges are long, and such a surface is refused;
   * true: take it, with a warning in the log. */
  bool accept_thin;
} tacReferenceDef;

typedef struct tacReferenceProblem tacReferenceProblem;

/* Refers to nothing of `def` afterwards. */
TAC_API tacStatus tac_reference_problem_create(const tacReferenceDef *def, const tacProgress *progress,
                                               tacReferenceProblem **problem, tacError *error);
TAC_API void tac_reference_problem_destroy(tacReferenceProblem *problem); /* NULL is allowed */

TAC_API const tacTriMesh *tac_reference_problem_surface(const tacReferenceProblem *problem);
TAC_API const double *tac_reference_problem_area(const tacReferenceProblem *problem); /* [vertex], m^2 */
/* Rows of a column: 3 a vertex of the surface, then those of the sensors in their order. */
TAC_API int tac_reference_problem_row_count(const tacReferenceProblem *problem);
TAC_API const tacBakeChecks *tac_reference_problem_checks(
    const tacReferenceProblem *problem); /* of matrices and factors */
/* The 3 columns of each of `count` vertices, row_count numbers a column, one after the other. One thread at a time.
 * TAC_ERR_CHECK where one does not pass its check. */
TAC_API tacStatus tac_reference_problem_columns(tacReferenceProblem *problem, int count, const int *vertices,
                                                const tacProgress *progress, double *columns, tacError *error);

/* The factored problem as a file: columns on demand in another process without assembling again, 144 n^2 bytes for boundary
 * elements. (Finite elements keep their mesh, and are assembled and factored again when read.) */
TAC_API tacStatus tac_reference_problem_write(const tacReferenceProblem *problem, const char *path, tacError *error);
TAC_API tacStatus tac_reference_problem_read(const char *path, tacReferenceProblem **problem, tacError *error);

TAC_END_DECLS

#endif
