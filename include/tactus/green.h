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
#include <tactus/base.h>
#include <tactus/material.h>
#include <tactus/scene.h>
#include <tactus/world.h>

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
/* Rows of a column: 3 a vertex, then those of the sensors in their order. */
TAC_API int tac_green_row_count(const tacGreen *green);
TAC_API int tac_green_column_count(const tacGreen *green);         /* wanted vertices */
TAC_API const int *tac_green_column_vertex(const tacGreen *green); /* [column] -> vertex, ascending */
/* The 3 columns of a vertex, one after the other, row_count numbers each; NULL where they are not kept. */
TAC_API const double *tac_green_column(const tacGreen *green, int vertex);
/* The 3 x 3 block Xi_ij, row-major: response of vertex i to vertex j. False where it is not kept. */
TAC_API bool tac_green_block(const tacGreen *green, int i, int j, double block[3][3]);
/* Defect of Betti's reciprocity a_i Xi_ij = (a_j Xi_ji)^T, in the Frobenius norm over the pairs of up to 200 wanted free
 * vertices, relative to the norm of these blocks; measured when it was baked. Round-off for finite elements, a measure of
 * the discretisation for boundary elements. 0 where there is no pair. */
TAC_API double tac_green_betti_defect(const tacGreen *green);
TAC_API const tacBakeChecks *tac_green_checks(const tacGreen *green); /* of its bake */

/* What builds Green's functions. Offline. */
typedef struct tacGreenDef {
  tacReferenceDef problem;
  int wanted_count;        /* vertices whose columns are wanted, in any order; */
  const int *wanted;       /* NULL: every free vertex (the fixed ones' displacement stays zero) */
  tacGreenStorage storage; /* default TAC_GREEN_WHOLE */
  double near_radius;      /* m, for TAC_GREEN_NEAR */
  /* A file that keeps the factored problem (tac_reference_problem_write), for columns on demand; one that is there and
   * belongs to this problem is used. NULL: none. */
  const char *factored;
  /* A file that keeps finished columns, so that an interrupted bake goes on from there to the same bits; one that is broken
   * or belongs to another bake is ignored. In the end it holds all of them, and is the caller's to remove once the result is
   * safe. NULL: none. */
  const char *checkpoint;
  int error_estimate_loads; /* tried by a nonlinear solution to measure tac_green_error_estimate; default 9; 0: it stays unknown */
} tacGreenDef;

TAC_API tacGreenDef tac_green_def_default(void);
/* TAC_ERR_MEMORY, with the size, where the result would not fit into this machine's memory. */
TAC_API tacStatus tac_green_bake(const tacGreenDef *def, const tacProgress *progress, tacGreen **green,
                                 tacError *error);

/* An elastostatic body of Green's functions (James and Pai 2001), at rest, held, or free. */
typedef struct tacGreenBodyDef {
  /* Its name, place and springs. A free one moves by the inertia, and what deforms does so in its frame: a corotational body
   * (Duriez and others 2006, section 6). Green's functions of a body of which nothing is fixed know no rigid motion, which so is the
   * frame's alone; where some vertices are fixed, those move with the frame. */
  tacBodyDef body;
  const tacGreen *green;  /* must outlive the world */
  double mask_radius;     /* m; of the spherical pressure masks. 0: single vertices, for comparison only */
  double stiffness;       /* factor on the baked stiffness; 1 */
  double rigid_stiffness; /* k^Rigid, N/m: at fixed vertices, and the most that is rendered anywhere */
  double young,
      poisson; /* Pa: of the material, for fingertips; young 0: not known, and they feel what the mesh resolves */
  tacInertia inertia; /* with which it is free, or held dynamically; mass 0: a tool's own */
  /* For Green's functions stored TAC_GREEN_NEAR: the factored problem, from which a thread of the world computes what the
   * display and the coupling of several tools take; it must outlive the world and not be used elsewhere. NULL: contacts have
   * their stiffness, but the surface does not move and tools do not feel each other. */
  tacReferenceProblem *problem;
  size_t response_bytes; /* of such responses that are kept; default 1 GiB */
  /* For contact of bodies, both at rest; both may be NULL, both must outlive the world. */
  const tacPointshell *shell;
  const tacDistanceField *field;
} tacGreenBodyDef;
/* Radius 0 (it must be chosen), stiffness 1, rigid stiffness 1500 N/m, friction 0.2, contacts 2000 N/m and 2 N s/m. */
TAC_API tacGreenBodyDef tac_green_body_def_default(void);
TAC_API tacStatus tac_world_add_green(tacWorld *world, const tacGreenBodyDef *def, tacBodyId *id, tacError *error);
TAC_API const tacGreen *tac_world_body_green(const tacWorld *world, tacBodyId id); /* NULL for another kind */

/* After the bake of a scene: NULL before, and for another kind. */
static inline const tacGreen *tac_scene_green(const tacScene *scene, int body) {
  return (const tacGreen *)tac_scene_made(scene, body, "green");
}

/* Boundary value problems that differ from the reference problem of Green's functions in the type of constraint at s
 * vertices, solved through the s x s capacitance matrix.
 *
 * James and Pai 2001, section 4: with S the switched vertices, E their columns of the identity and C = -E^T Xi E (19),
 *   v = v0 + (E + Xi E) C^-1 E^T v0   (18),   v0 = [Xi (I - E E^T) - E E^T] vbar   (20).
 * C^-1 is extended and shrunk as vertices are switched, O(s^2) each; it is computed anew only where a measured residual
 * demands it. Costs are bounded and known before: see tac_capacitance_cost. */

/* Everything below: any phase, no allocation, bounded time; false where nothing was done, because a limit is reached, the
 * vertex has no column, the new problem is singular (nothing would hold the body) or a value is not finite. */

TAC_END_DECLS

#endif
