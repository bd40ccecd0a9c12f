/* Green's functions of an elastostatic body, their bake, and the body that uses them (James and Pai 2001;
 * docs/green.md).
 *
 * An elastostatic body responds linearly to small loads. Its Green's functions are its responses to unit loads; they
 * are computed once, and at run time each contact adds a few of them.
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
 * Equations: numbers are those of James and Pai 2001. The surface has n vertices. Each is either fixed (in Lambda_u:
 * its displacement is prescribed and its traction unknown) or free (in Lambda_p: its traction is prescribed and its
 * displacement unknown). With v the unknown and vbar the prescribed values,
 *
 *     v = Xi vbar   (11)
 *
 * The 3 columns of vertex j are the response to a unit value at j. Tractions are per area: the nodal force of a
 * traction p_j is a_j p_j, where a_j is the integral of the vertex's hat function (5).
 *
 * Units: m, Pa, N. Columns of a free vertex are in m/Pa (rows of free vertices) or Pa/Pa (rows of fixed vertices);
 * columns of a fixed vertex are in m/m or Pa/m.
 *
 * Phases: bakes are offline. Creating, reading, writing, destroying and adding to a world belong to the load phase.
 * Queries may be made in any phase and allocate nothing.
 *
 * Threads: a tacGreen is immutable. Any number of threads may read it at a time. */
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

/* Green's functions. Immutable. */
typedef struct tacGreen tacGreen;

/* How much of Xi an asset stores. Columns are stored only for the wanted vertices, see tacGreenDef. */
typedef enum tacGreenStorage {
  TAC_GREEN_WHOLE, /* all rows of every wanted column */
  /* 3 x 3 blocks between wanted vertices whose distance is at most a radius: enough for the stiffness of point-like
   * contact. Whole columns and sensors are then computed on demand from the stored reference problem. */
  TAC_GREEN_NEAR
} tacGreenStorage;

/* Frees Green's functions; NULL is allowed. Load phase. */
TAC_API void tac_green_destroy(tacGreen *green);

/* Writes Green's functions to a file. Load phase. */
TAC_API tacStatus tac_green_write(const tacGreen *green, const char *path, tacError *error);
/* Reads Green's functions from a file. The caller destroys them. Load phase. */
TAC_API tacStatus tac_green_read(const char *path, tacGreen **green, tacError *error);

/* ---- queries: any phase, any thread, no allocation. Results belong to the asset. ---- */

/* Returns the surface, without its groups. */
TAC_API const tacTriMesh *tac_green_surface(const tacGreen *green);
/* Returns [vertex]: true if the vertex is fixed. */
TAC_API const bool *tac_green_fixed(const tacGreen *green);
/* Returns [vertex]: a_j, m^2 (5). */
TAC_API const double *tac_green_area(const tacGreen *green);
/* Returns the number of rows of a column: 3 for each vertex, followed by the rows of the sensors in their order. */
TAC_API int tac_green_row_count(const tacGreen *green);
/* Returns the number of wanted vertices. Each has 3 columns. */
TAC_API int tac_green_column_count(const tacGreen *green);
/* Returns the wanted vertices, [tac_green_column_count], ascending. */
TAC_API const int *tac_green_column_vertex(const tacGreen *green);
/* Returns the 3 columns of a vertex, one after the other, each with tac_green_row_count numbers. NULL if they are not
 * stored. */
TAC_API const double *tac_green_column(const tacGreen *green, int vertex);
/* Computes the 3 x 3 block Xi_ij, row-major: the response of vertex i to unit values at vertex j. False if it is not
 * stored. */
TAC_API bool tac_green_block(const tacGreen *green, int i, int j, double block[3][3]);
/* Returns the defect of Betti's reciprocity, measured by the bake: how far this equation is violated,
 *
 *     a_i Xi_ij = (a_j Xi_ji)^T
 *
 * in the Frobenius norm over the pairs of up to 200 wanted free vertices, relative to the norm of these blocks. It is
 * round-off for finite elements, and a measure of the discretisation for boundary elements. 0 if there is no pair. */
TAC_API double tac_green_betti_defect(const tacGreen *green);
/* Returns the checks of the bake. */
TAC_API const tacBakeChecks *tac_green_checks(const tacGreen *green);

/* ---- bake: offline ---- */

/* How Green's functions are baked. */
typedef struct tacGreenDef {
  tacReferenceDef problem; /* surface or volume, materials, fixed vertices, sensors */
  int wanted_count;        /* number of `wanted` vertices */
  /* Vertices whose columns are wanted, in any order. NULL: every free vertex; the displacement of fixed vertices then
   * stays zero. */
  const int *wanted;
  tacGreenStorage storage; /* default TAC_GREEN_WHOLE */
  double near_radius;      /* m, for TAC_GREEN_NEAR */
  /* File for the factored problem, from which columns are computed on demand. The bake stores the problem there, or
   * uses the file if it already holds this problem. NULL: no file. */
  const char *factored;
  /* File for finished columns, so that an interrupted bake continues from there, with the same bits. A broken file, or
   * one of another bake, is ignored. At the end it holds all columns; the caller removes it when the result is safe.
   * NULL: no file. */
  const char *checkpoint;
  /* Number of loads that are also solved nonlinearly, to fit the estimated model error of the body
   * (tac_world_body_error_estimate). Default 9. 0: the error estimate stays unknown. */
  int error_estimate_loads;
} tacGreenDef;

/* Returns the default options. Any phase. */
TAC_API tacGreenDef tac_green_def_default(void);
/* Bakes Green's functions. `progress` may be NULL. The caller destroys the result.
 *
 * TAC_ERR_MEMORY: the result would not fit into the machine's memory; the text states its size. TAC_ERR_ARGUMENT: an
 * option is out of range. TAC_ERR_CHECK: the result failed a check. */
TAC_API tacStatus tac_green_bake(const tacGreenDef *def, const tacProgress *progress, tacGreen **green,
                                 tacError *error);

/* ---- the body: load phase ---- */

/* An elastostatic body in a world: at rest, held by a tool, or free. */
typedef struct tacGreenBodyDef {
  /* Name, place and contact springs; `every` has no effect.
   *
   * A free body moves as a rigid body with `inertia` and deforms in its own frame: a corotational body (Duriez and
   * others 2006, section 6). Green's functions of a body without fixed vertices contain no rigid motion, so that only
   * the frame moves as a whole. If some vertices are fixed, they move with the frame. */
  tacBodyDef body;
  const tacGreen *green;  /* Green's functions; must outlive the world */
  double mask_radius;     /* m, of the spherical pressure masks. 0: single vertices, only for comparison */
  double stiffness;       /* factor on the baked stiffness; default 1 */
  double rigid_stiffness; /* k^Rigid, N/m: stiffness of fixed vertices, and upper bound of what is rendered anywhere */
  /* Pa and plain: Young's modulus and Poisson's ratio of the baked material, for fingertips. `young` 0, the default: not
   * known, and fingertips feel only what the mesh resolves. */
  double young, poisson;
  tacInertia inertia; /* used if the body is free or held by a dynamic coupling; mass 0: the tool's own mass is used */
  /* For Green's functions stored as TAC_GREEN_NEAR: the factored problem. A thread of the world computes from it the
   * responses that the display and the coupling of several tools need. It must outlive the world and must not be used
   * elsewhere. NULL: contacts have their stiffness, but the surface does not move and tools do not feel each other. */
  tacReferenceProblem *problem;
  size_t response_bytes; /* limit of memory for such responses, bytes; default 1 GiB */
  /* For contact between bodies: points and field, both at rest. Each may be NULL; they must outlive the world. */
  const tacPointshell *shell;
  const tacDistanceField *field;
} tacGreenBodyDef;
/* Returns the defaults: stiffness 1, rigid stiffness 1500 N/m, friction 0.2, contacts with 2000 N/m and 2 N s/m. The
 * caller must choose mask_radius, which is 0. Any phase. */
TAC_API tacGreenBodyDef tac_green_body_def_default(void);
/* Adds an elastostatic body to a world that is not sealed. `id` receives its id and may be NULL. TAC_ERR_ARGUMENT: a
 * value of `def` is missing or out of range. */
TAC_API tacStatus tac_world_add_green(tacWorld *world, const tacGreenBodyDef *def, tacBodyId *id, tacError *error);
/* Returns the Green's functions of a body; NULL for a body of another kind. Any phase. */
TAC_API const tacGreen *tac_world_body_green(const tacWorld *world, tacBodyId id);

/* Returns the Green's functions that the bake of a scene made for a body. They belong to the scene. NULL before the
 * bake, and for a body of another kind. */
static inline const tacGreen *tac_scene_green(const tacScene *scene, int body) {
  return (const tacGreen *)tac_scene_made(scene, body, "green");
}

TAC_END_DECLS

#endif
