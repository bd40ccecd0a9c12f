/* Green's functions of an elastostatic body: the asset, its bake, and the body that uses the asset (James and Pai 2001;
 * docs/green.md).
 *
 * An elastostatic body responds linearly to small loads. Its Green's functions are the responses to unit loads. A bake
 * computes the Green's functions once; at run time each contact adds a few of them.
 *
 * Example:
 *
 *     const bool *held_vertices(const tacTriMesh *surface);  // defined by the program: [vertex], the held ones
 *     tacMaterial silicone;
 *     tacStatus status = tac_material_isotropic(1000.0, 30e3, 0.45, &silicone, error);  // kg/m^3, Pa
 *     if (status != TAC_OK) return status;
 *     tacGreenDef def = tac_green_def_default();
 *     def.problem.method = TAC_BOUNDARY_ELEMENTS;
 *     def.problem.surface = surface;
 *     def.problem.material_count = 1;
 *     def.problem.materials = &silicone;
 *     def.problem.fixed = held_vertices(surface);
 *     tacGreen *green = NULL;
 *     status = tac_green_bake(&def, NULL, &green, error);
 *     if (status != TAC_OK) return status;
 *     tacGreenBodyDef body = tac_green_body_def_default();
 *     body.body.name = "ball";
 *     body.green = green;
 *     body.mask_radius = 0.02;  // m
 *     status = tac_world_add_green(world, &body, NULL, error);
 *     if (status == TAC_OK) status = tac_world_seal(world, error);
 *     tac_world_destroy(world);  // after the last step: first the world, then what it refers to
 *     tac_green_destroy(green);
 *     return status;
 *
 * Equations: numbers of equations refer to James and Pai 2001. The surface has n vertices. Each vertex is either fixed
 * or free. A fixed vertex belongs to Lambda_u: its displacement is prescribed, and its traction is unknown. A free
 * vertex belongs to Lambda_p: its traction is prescribed, and its displacement is unknown. With the unknown values v
 * and the prescribed values vbar,
 *
 *     v = Xi vbar   (11)
 *
 * The 3 columns of vertex j are the response to a unit value at vertex j. Tractions are per area: the nodal force of a
 * traction p_j is a_j p_j, where a_j is the integral of the hat function of the vertex (5).
 *
 * Units: m, Pa, N. Columns of a free vertex are in m/Pa (rows of free vertices) or Pa/Pa (rows of fixed vertices).
 * Columns of a fixed vertex are in m/m or Pa/m.
 *
 * Phases: bakes belong to the offline phase. Functions that create, read, write or destroy Green's functions, or add a
 * body to a world, belong to the load phase. Queries may be made in any phase and allocate nothing.
 *
 * Threads: a tacGreen is immutable. Any number of threads may read a tacGreen at the same time. */
#ifndef TACTUS_GREEN_H
#define TACTUS_GREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <tactus/base.h>
#include <tactus/material.h>
#include <tactus/scene.h>
#include <tactus/world.h>

TAC_BEGIN_DECLS

/* ---- the asset ---- */

/* Green's functions of a body. Opaque and immutable. */
typedef struct tacGreen tacGreen;

/* Part of Xi that an asset stores. An asset stores columns only for the vertices of tacGreenDef.wanted. */
typedef enum tacGreenStorage {
  TAC_GREEN_WHOLE, /* all rows of each wanted column */
  /* 3 x 3 blocks for pairs of wanted vertices with a distance of at most tacGreenDef.near_radius. The blocks are
   * sufficient for the stiffness of point-like contact. Whole columns and sensors are computed on demand from the
   * stored reference problem. */
  TAC_GREEN_NEAR
} tacGreenStorage;

/* Frees Green's functions. `green` may be NULL. Call in the load phase. */
TAC_API void tac_green_destroy(tacGreen *green);

/* Writes Green's functions to a file. Call in the load phase. */
TAC_API tacStatus tac_green_write(const tacGreen *green, const char *path, tacError *error);
/* Reads Green's functions from a file. The caller destroys the result. Call in the load phase. */
TAC_API tacStatus tac_green_read(const char *path, tacGreen **green, tacError *error);

/* ---- queries: any phase, any thread, no allocation ----
 *
 * Returned pointers belong to the asset. */

/* Returns the surface of the body, without groups. */
TAC_API const tacTriMesh *tac_green_surface(const tacGreen *green);
/* Returns an array [vertex] that is true for each fixed vertex. */
TAC_API const bool *tac_green_fixed(const tacGreen *green);
/* Returns the array [vertex] of the areas a_j, m^2 (5). */
TAC_API const double *tac_green_area(const tacGreen *green);
/* Returns the number of rows of a column: 3 rows for each vertex, then the rows of the sensors in their order. */
TAC_API int tac_green_row_count(const tacGreen *green);
/* Returns the number of wanted vertices. Each wanted vertex has 3 columns. */
TAC_API int tac_green_column_count(const tacGreen *green);
/* Returns the array [tac_green_column_count] of the wanted vertices, ascending. */
TAC_API const int *tac_green_column_vertex(const tacGreen *green);
/* Returns the 3 columns of a vertex, one after the other. Each column has tac_green_row_count numbers. Returns NULL if
 * the asset does not store the columns. */
TAC_API const double *tac_green_column(const tacGreen *green, int vertex);
/* Computes the 3 x 3 block Xi_ij, row-major: the response of vertex i to unit values at vertex j. Returns false if the
 * asset does not store the block. */
TAC_API bool tac_green_block(const tacGreen *green, int i, int j, double block[3][3]);
/* Returns the defect of Betti's reciprocity that the bake measured. The defect is the violation of the equation
 *
 *     a_i Xi_ij = (a_j Xi_ji)^T
 *
 * in the Frobenius norm over the pairs of up to 200 wanted free vertices, relative to the norm of the same blocks. For
 * finite elements the defect is round-off. For boundary elements the defect measures the discretisation error. Returns
 * 0 if there is no pair of vertices. */
TAC_API double tac_green_betti_defect(const tacGreen *green);
/* Returns the checks of the bake. */
TAC_API const tacBakeChecks *tac_green_checks(const tacGreen *green);

/* ---- bake: offline phase ---- */

/* Options of tac_green_bake. */
typedef struct tacGreenDef {
  tacReferenceDef problem; /* elastic problem: surface or volume, materials, fixed vertices, sensors */
  int wanted_count;        /* number of `wanted` vertices */
  /* Vertices whose columns are stored, in any order. NULL: every free vertex; the displacement of fixed vertices is
   * then always zero. */
  const int *wanted;
  tacGreenStorage storage; /* part of Xi that is stored; default TAC_GREEN_WHOLE */
  double near_radius;      /* largest distance between the vertices of a stored block, m; only for TAC_GREEN_NEAR */
  /* Path of a file for the factored problem, from which columns are computed on demand. If the file already contains
   * the same problem, the bake uses the file; otherwise the bake writes the file. NULL: no file. */
  const char *factored;
  /* Path of a file for finished columns. After an interruption, the bake continues from this file, with the same bits.
   * The bake ignores a file that is broken or belongs to another bake. At the end the file contains all columns. The
   * caller deletes the file after the result is saved. NULL: no file. */
  const char *checkpoint;
  /* Number of loads for which the nonlinear problem is also solved, to fit the estimated model error of the body
   * (tac_world_body_error_estimate); default 9; 0: the model error is unknown. */
  int error_estimate_loads;
} tacGreenDef;

/* Returns the default options. Call in any phase. */
TAC_API tacGreenDef tac_green_def_default(void);
/* Bakes Green's functions. `progress` may be NULL. The caller destroys the result.
 *
 * Returns TAC_ERR_MEMORY if the result would not fit into the memory of the machine; the error text states the size of
 * the result. Returns TAC_ERR_ARGUMENT if an option is out of range, and TAC_ERR_CHECK if the result fails a check. */
TAC_API tacStatus tac_green_bake(const tacGreenDef *def, const tacProgress *progress, tacGreen **green,
                                 tacError *error);

/* ---- the body: load phase ---- */

/* Definition of an elastostatic body of a world. The body is at rest, held by a tool, or free. */
typedef struct tacGreenBodyDef {
  /* Name, pose and contact springs; `every` has no effect.
   *
   * A free body is a corotational body (Duriez and others 2006, section 6): it moves as a rigid body with `inertia`,
   * and deforms in its own frame. Green's functions of a body without fixed vertices contain no rigid motion, so only
   * the frame performs rigid motion. Fixed vertices move with the frame. */
  tacBodyDef body;
  const tacGreen *green; /* Green's functions; must outlive the world */
  double mask_radius;    /* radius of the spherical pressure masks, m; 0: single vertices, only for comparison */
  double stiffness;      /* factor on the baked stiffness; default 1 */
  /* Stiffness k^Rigid of fixed vertices, N/m, which is also the upper limit of the stiffness that is rendered anywhere;
   * default 1500. */
  double rigid_stiffness;
  /* Young's modulus, Pa, and Poisson's ratio of the baked material, used for contact with fingertips. Default 0 for
   * `young`: the material is unknown. A fingertip then has only the compliance of the mesh, without the compliance of
   * its contact patch. */
  double young, poisson;
  tacInertia inertia; /* inertia of a body that is free or held by a dynamic coupling; mass 0: the mass of the tool */
  /* Factored problem of Green's functions stored as TAC_GREEN_NEAR. A thread of the world uses the problem to compute
   * the responses that are needed for the display and for the coupling of several tools. The problem must outlive the
   * world and must not be used elsewhere. NULL: contacts have their stiffness, but the displayed surface does not
   * deform, and tools do not affect each other. */
  tacReferenceProblem *problem;
  size_t response_bytes; /* limit of the memory for the responses computed from `problem`, bytes; default 1 GiB */
  /* Pointshell and distance field of the body at rest, for contact with other bodies. Each pointer may be NULL.
   * Pointshell and field must outlive the world. */
  const tacPointshell *shell;
  const tacDistanceField *field;
} tacGreenBodyDef;
/* Returns the default options: stiffness 1, rigid stiffness 1500 N/m, friction 0.2, contact stiffness 2000 N/m and
 * contact damping 2 N s/m. The caller must set `mask_radius`, which is 0 by default. Call in any phase. */
TAC_API tacGreenBodyDef tac_green_body_def_default(void);
/* Adds an elastostatic body to a world that is not sealed. `id` receives the id of the body and may be NULL. Returns
 * TAC_ERR_ARGUMENT if a value of `def` is missing or out of range. */
TAC_API tacStatus tac_world_add_green(tacWorld *world, const tacGreenBodyDef *def, tacBodyId *id, tacError *error);
/* Returns the Green's functions of a body; NULL for a body of another kind. Call in any phase. */
TAC_API const tacGreen *tac_world_body_green(const tacWorld *world, tacBodyId id);

/* Returns the Green's functions that tac_scene_bake computed for a body of the scene. The scene owns the Green's
 * functions. Returns NULL before the bake, and for a body of another kind. */
static inline const tacGreen *tac_scene_green(const tacScene *scene, int body) {
  return (const tacGreen *)tac_scene_made(scene, body, "green");
}

TAC_END_DECLS

#endif
