/* Green's functions of an elastostatic body: what a reference boundary value problem answers to unit loads.
 *
 * James and Pai 2001, section 3. The surface has n vertices, each of them fixed (in Lambda_u: its displacement is
 * prescribed, its traction unknown) or free (in Lambda_p: traction prescribed, displacement unknown). With v the unknown and
 * vbar the prescribed values, v = Xi vbar (11); the 3 columns of vertex j are the response to a unit value at j: metres or
 * pascals per pascal for a free vertex, metres or pascals per metre for a fixed one. Tractions are areal; the nodal force of
 * a traction p_j is a_j p_j, with a_j the integral of the vertex's hat function (5). */
#ifndef TACTUS_GREEN_H
#define TACTUS_GREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <tactus/bake_check.h>
#include <tactus/reference_problem.h>

TAC_BEGIN_DECLS

typedef struct tacGreen tacGreen; /* immutable; any thread may read it */

/* How much of Xi the asset keeps. */
typedef enum tacGreenStorage {
  TAC_GREEN_WHOLE, /* all rows of every wanted column */
  /* 3 x 3 blocks between wanted vertices no farther apart than a radius: enough for the stiffness of point-like contact;
   * whole columns and sensors are then computed on demand from the stored reference problem. */
  TAC_GREEN_NEAR
} tacGreenStorage;

TAC_API void tac_green_destroy(tacGreen *green); /* NULL is allowed */

TAC_API tacStatus tac_green_write(const tacGreen *green, const char *path, tacError *error);
TAC_API tacStatus tac_green_read(const char *path, tacGreen **green, tacError *error);

/* Below: any phase, no allocation. */
TAC_API const tacTriMesh *tac_green_surface(const tacGreen *green); /* without groups */
TAC_API const bool *tac_green_fixed(const tacGreen *green);         /* [vertex] */
TAC_API const double *tac_green_area(const tacGreen *green);        /* [vertex], m^2 */
TAC_API tacGreenMethod tac_green_method(const tacGreen *green);
TAC_API tacGreenStorage tac_green_storage(const tacGreen *green);
TAC_API double tac_green_near_radius(const tacGreen *green); /* m; 0 unless the storage is TAC_GREEN_NEAR */
TAC_API int tac_green_sensor_count(const tacGreen *green);
TAC_API const tacSensor *tac_green_sensor(const tacGreen *green, int index); /* NULL where out of range */
/* Rows of a column: 3 a vertex, then those of the sensors in their order. */
TAC_API int tac_green_row_count(const tacGreen *green);
TAC_API int tac_green_sensor_row(const tacGreen *green, int index); /* its first row */
TAC_API int tac_green_column_count(const tacGreen *green);          /* wanted vertices */
TAC_API const int *tac_green_column_vertex(const tacGreen *green);  /* [column] -> vertex, ascending */
/* The 3 columns of a vertex, one after the other, row_count numbers each; NULL where they are not kept. */
TAC_API const double *tac_green_column(const tacGreen *green, int vertex);
/* The 3 x 3 block Xi_ij, row-major: response of vertex i to vertex j. False where it is not kept. */
TAC_API bool tac_green_block(const tacGreen *green, int i, int j, double block[3][3]);
/* Defect of Betti's reciprocity a_i Xi_ij = (a_j Xi_ji)^T, in the Frobenius norm over the pairs of up to 200 wanted free
 * vertices, relative to the norm of these blocks; measured when it was baked. Round-off for finite elements, a measure of
 * the discretisation for boundary elements. 0 where there is no pair. */
TAC_API double tac_green_betti_defect(const tacGreen *green);
/* How far linear elasticity can be trusted, as measured when it was baked: under a force that moves the point where it acts by
 * u (m, by these functions), displacements differ from those of a neo-Hookean body of the same shape by about (u / length)^power,
 * relative to them, in the root of the mean square over the surface. */
enum { TAC_GREEN_OUT, TAC_GREEN_IN, TAC_GREEN_ACROSS, TAC_GREEN_WAYS };
typedef struct tacGreenDoubt {
  double power;                  /* 0: not known */
  double length[TAC_GREEN_WAYS]; /* m, for forces out of the body, into it, and along its surface */
} tacGreenDoubt;
TAC_API const tacGreenDoubt *tac_green_doubt(const tacGreen *green);
TAC_API const tacBakeChecks *tac_green_checks(const tacGreen *green); /* of its bake */

TAC_END_DECLS

#endif
