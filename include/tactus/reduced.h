/* Reduced bodies: deformable bodies with large deformations in a few coordinates, u = U q (Barbic 2007, chapter 2).
 *
 * Example:
 *
 *     tacMaterial rubber;
 *     tacReduced *reduced = NULL;
 *     tacReducedDef def = tac_reduced_def_default();
 *     tacStatus status = tac_material_isotropic(1100.0, 1e6, 0.45, &rubber, error); // kg/m^3, Pa
 *     def.volume = volume; // no `fixed` vertices: a free body
 *     def.material_count = 1;
 *     def.materials = &rubber;
 *     def.size = 20; // coordinates
 *     if (status == TAC_OK) status = tac_reduced_bake(&def, NULL, &reduced, error);
 *     if (status == TAC_OK) status = tac_reduced_write(reduced, "ring.reduced", error);
 *     tac_reduced_destroy(reduced);
 *     if (status != TAC_OK) return status;
 *
 * The matrix U is the displacement basis, with r mass-orthonormal columns. Internal forces of linear materials are
 * cubic polynomials in q. The coefficients of each material group are stored separately, so that lambda, mu and density
 * of a group can be changed after the bake. The surface for contact and display is embedded in the volume mesh.
 * Displacements and normals of the surface are linear in q.
 *
 * Units: SI. Lengths are in m, in the frame of the body. A coordinate q_j is in m kg^1/2 and U is in kg^-1/2, because U
 * is mass-orthonormal.
 *
 * Threads and phases: a baked body is an immutable asset that any thread may read. Queries may be made in any phase and
 * allocate nothing. Files and tac_world_add_reduced belong to the load phase. Baking belongs to the offline phase.
 *
 * Numbers of equations refer to Barbic 2007. */
#ifndef TACTUS_REDUCED_H
#define TACTUS_REDUCED_H

#include <stdbool.h>
#include <stddef.h>
#include <tactus/base.h>
#include <tactus/material.h>
#include <tactus/mesh.h>
#include <tactus/pointshell.h>
#include <tactus/scene.h>
#include <tactus/world.h>

TAC_BEGIN_DECLS

/* A baked reduced body. Opaque and immutable; any thread may read a tacReduced. */
typedef struct tacReduced tacReduced;

/* ---- files ---- */

/* Frees a baked body. Call after the worlds that use the body are destroyed. `reduced` may be NULL. */
TAC_API void tac_reduced_destroy(tacReduced *reduced);

/* Writes a baked body to an asset file. */
TAC_API tacStatus tac_reduced_write(const tacReduced *reduced, const char *path, tacError *error);

/* Reads a baked body from an asset file. The caller destroys the result. */
TAC_API tacStatus tac_reduced_read(const char *path, tacReduced **reduced, tacError *error);

/* ---- queries: any phase, no allocation ----
 *
 * Returned pointers belong to the baked body. */

/* Returns the number of coordinates, r. */
TAC_API int tac_reduced_size(const tacReduced *reduced);

/* Returns the embedded surface at rest, without groups. */
TAC_API const tacTriMesh *tac_reduced_surface(const tacReduced *reduced);

/* Returns an array [vertex] that is true for each vertex of the surface that cannot move. */
TAC_API const bool *tac_reduced_fixed(const tacReduced *reduced);

/* Returns the matrix U_s of (3.6) as an array [vertex][axis][r], kg^-1/2: the displacement of each vertex of the
 * surface for a unit of each coordinate. */
TAC_API const double *tac_reduced_displacements(const tacReduced *reduced);

/* Returns the volume mesh at rest. Callers can embed more points in this mesh with tac_reduced_basis. */
TAC_API const tacVolMesh *tac_reduced_volume(const tacReduced *reduced);

/* Returns the matrix U at the vertices of the volume mesh as an array [vertex][axis][r], kg^-1/2. */
TAC_API const double *tac_reduced_basis(const tacReduced *reduced);

/* Summary of a bake. */
typedef struct tacReducedInfo {
  char source[16];                 /* source of the basis: "modes", "sketch", "motion" or "vectors" */
  int mode_count;                  /* number k of linear modes in the data of the basis; 0: no modes */
  int element_count, vertex_count; /* numbers of elements and vertices of the volume mesh */
  double mass;                     /* mass of the body, kg */
  double captured;                 /* fraction of the squared mass norm of the data that the basis represents, 0 to 1 */
  double linear_least, linear_most;   /* lowest and highest frequency of the k linear modes, Hz; 0 without modes */
  double reduced_least, reduced_most; /* lowest and highest frequency of the reduced body at rest, Hz */
  /* Durations of the stages of the bake, s. */
  double seconds_modes, seconds_derivatives, seconds_basis, seconds_polynomials;
  double bytes_polynomials; /* size of the polynomial coefficients of all groups, bytes */
  double bytes_bake;        /* estimated peak memory of the bake, bytes */
} tacReducedInfo;

/* Returns the summary of the bake. */
TAC_API const tacReducedInfo *tac_reduced_info(const tacReduced *reduced);

/* Returns the checks of the bake. */
TAC_API const tacBakeChecks *tac_reduced_checks(const tacReduced *reduced);

/* ---- baking: offline phase ---- */

/* Source of the basis (Barbic 2007, section 2.8). */
typedef enum tacBasisSource {
  TAC_BASIS_MODES,  /* linear modes and their derivatives; needs no loads */
  TAC_BASIS_SKETCH, /* static deformations under given loads */
  TAC_BASIS_MOTION  /* motion of the full simulation under loads that vary with time */
} tacBasisSource;

/* A force at a point of the body, for TAC_BASIS_SKETCH and TAC_BASIS_MOTION. */
typedef struct tacLoadSample {
  double time;   /* time of the force, s; samples with the same time act together */
  tacVec3 point; /* point of the body at rest, m, in or near the volume */
  tacVec3 force; /* force on the body, N */
  /* Radius of the region over which the force is spread, m. The spread force has the same resultant and moment. If the
   * radius is less than the size of the elements, the force is not spread; 0: the force is not spread. */
  double radius;
} tacLoadSample;

/* Options of tac_reduced_bake. */
typedef struct tacReducedDef {
  const tacVolMesh *volume;     /* volume mesh of the body at rest */
  int material_count;           /* number of `materials`, at least 1; each material forms one group */
  const tacMaterial *materials; /* array [material_count] of materials */
  const int *material_of;       /* array [element] of indices in `materials`; NULL: all elements have materials[0] */
  /* Array [material] of group names. NULL: "body" for a single group; "group 1", "group 2", ... for several groups. */
  const char *const *group_names;
  const bool *fixed;         /* array [vertex of the volume], true for fixed vertices; NULL or all false: a free body */
  const tacTriMesh *surface; /* embedded surface; NULL: the boundary of the volume */
  bool lumped_mass;          /* kind of mass matrix; true: lumped; default false: consistent */
  tacBasisSource source;     /* source of the basis; default TAC_BASIS_MODES */
  /* Number k of linear modes, at most 1000; default 10. TAC_BASIS_SKETCH and TAC_BASIS_MOTION add the modes to their
   * data; 0: no modes. */
  int mode_count;
  int size;                   /* number of coordinates r, at most TAC_BODY_MOST_COORDINATES; default 20 */
  int load_count;             /* number of `loads` */
  const tacLoadSample *loads; /* loads for TAC_BASIS_SKETCH and TAC_BASIS_MOTION, in the order of time */
  double motion_step;         /* time step of the full simulation for TAC_BASIS_MOTION, s; default 1 ms */
  double motion_duration;     /* duration of the full simulation, s; default 0: the simulation ends at the last load */
  double mass_damping, stiffness_damping; /* Rayleigh damping of the full simulation, 1/s and s; default 0 */
  /* True: the bake also computes the data for strain-rate damping, r^4 / 8 numbers for each part of the energy; default
   * false. */
  bool strain_rate;
  /* Number of loads for which the full solution is computed, to measure the error estimate of the body
   * (tac_world_body_error_estimate); default 12; 0: the error estimate is unknown. Each load is tried in the limit of
   * small loads. Some loads are also tried at a large size; the number of large loads decreases with the size of the
   * mesh. For free bodies and for meshes with over 30,000 vertices, no load is tried, and the error estimate is
   * unknown. */
  int error_estimate_loads;
} tacReducedDef;

/* Returns the default options. */
TAC_API tacReducedDef tac_reduced_def_default(void);

/* Bakes a reduced body. The same input gives the same bits for any number of cores. The caller destroys the result.
 *
 * The function calls `progress` several times a second, except during sparse factorizations. A factorization takes
 * seconds for a mesh of 30,000 vertices.
 *
 * The function fails in these cases; the error text names the problem and the remedy:
 *
 * - r is larger than the rank of the data or than TAC_BODY_MOST_COORDINATES.
 * - The source is TAC_BASIS_SKETCH, but the body is free.
 * - Some vertices are fixed, but the body can still move without strain.
 * - The body is free and consists of several pieces.
 * - A vertex has no mass.
 * - A material is invalid.
 * - The loads invert elements.
 * - The bake needs more memory than the machine has (TAC_ERR_MEMORY).
 * - The result fails a check (TAC_ERR_CHECK). */
TAC_API tacStatus tac_reduced_bake(const tacReducedDef *def, const tacProgress *progress, tacReduced **reduced,
                                   tacError *error);

/* ---- bodies of a world: load phase ---- */

/* Definition of a reduced body of a world. A body without fixed vertices is free: it falls, and touches the floor and
 * other bodies. */
typedef struct tacReducedBodyDef {
  tacBodyDef body;           /* name, pose and contact springs; `free` has no effect */
  const tacReduced *reduced; /* baked body; must outlive the world */
  const bool *kept;          /* array [r], true for the vectors of the basis to use; NULL: all vectors */
  double mass_damping;       /* alpha of the Rayleigh damping (alpha M + beta K(q)) q', 1/s; default 0.5 */
  double stiffness_damping;  /* beta of the same Rayleigh damping, s; default 0.002 */
  /* Time constant of strain-rate damping (Barbic 2007, (2.34)), s. The viscous stress is the time constant multiplied
   * by the stress that the elasticity would have at the strain rate. A value above 0 requires a body that was baked
   * with tacReducedDef.strain_rate. Default 0: no strain-rate damping. */
  double strain_rate;
  int newton_steps; /* number of Newton iterations of the implicit Newmark method in a step, 1 to 10; default 1 */
  bool is_static;   /* true: the body has no inertia */
  bool linear;      /* true: the body is geometrically linear, for sketching loads and for comparison */
  double acceleration_limit; /* limit of |q''|, kg^1/2 m/s^2; 0: no limit */
  /* Pointshell embedded in `reduced`, for distributed contact with other bodies (tacPairDef). May be NULL; must outlive
   * the world. */
  const tacPointshell *shell;
  /* Distance field of `reduced`, for distributed contact with other bodies (tacPairDef). May be NULL; must outlive the
   * world. */
  const tacDeformedField *field;
  const tacLoadField *loads; /* baked deformations of `field`; must outlive the world; NULL: none */
} tacReducedBodyDef;

/* Returns the default options, including the defaults of tacBodyDef. */
TAC_API tacReducedBodyDef tac_reduced_body_def_default(void);

/* Adds a reduced body to a world that is not sealed. `id` receives the id of the body and may be NULL. The kind name of
 * the body is "reduced". Returns TAC_ERR_ARGUMENT if the definition is invalid, for example with a shell or field of
 * another body. */
TAC_API tacStatus tac_world_add_reduced(tacWorld *world, const tacReducedBodyDef *def, tacBodyId *id, tacError *error);

/* Returns the reduced body that tac_scene_bake computed for a body of the scene. The scene owns the reduced body.
 * Returns NULL before the bake, and for a body of another kind. */
static inline const tacReduced *tac_scene_reduced(const tacScene *scene, int body) {
  return (const tacReduced *)tac_scene_made(scene, body, "reduced");
}

TAC_END_DECLS

#endif
