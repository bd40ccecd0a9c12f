/* Reduced bodies: large deformations in a few coordinates, u = U q (Barbic 2007, chapter 2).
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
 * The displacement basis U has r mass-orthonormal columns. Internal forces of linear materials are cubic polynomials in
 * q. Their coefficients are kept by group of material, so that lambda, mu and density of each group can be changed
 * after the bake. The surface that is touched and shown is embedded in the volume mesh; its displacements and normals
 * are linear in q.
 *
 * Units: SI; lengths in m, in the body's frame. A coordinate q_j is in m kg^1/2 and U in kg^-1/2, since U is
 * mass-orthonormal.
 *
 * Threads and phases: a baked body is an immutable asset that any thread may read. Its queries are for any phase and
 * allocate nothing. Files and tac_world_add_reduced are for the load phase, baking is offline. Equation numbers are
 * those of Barbic 2007. */
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

/* A baked reduced body. Immutable and opaque; any thread may read it. */
typedef struct tacReduced tacReduced;

/* ---- files ---- */

/* Frees a baked body, after the worlds that use it. NULL is allowed. */
TAC_API void tac_reduced_destroy(tacReduced *reduced);

/* Writes a baked body to an asset file. */
TAC_API tacStatus tac_reduced_write(const tacReduced *reduced, const char *path, tacError *error);

/* Reads a baked body from an asset file. The caller destroys it. */
TAC_API tacStatus tac_reduced_read(const char *path, tacReduced **reduced, tacError *error);

/* ---- queries: any phase, no allocation; the body owns what they return ---- */

/* Returns r, the number of coordinates. */
TAC_API int tac_reduced_size(const tacReduced *reduced);

/* Returns the embedded surface at rest, without groups. */
TAC_API const tacTriMesh *tac_reduced_surface(const tacReduced *reduced);

/* Returns which vertices of the surface cannot move, [vertex]. */
TAC_API const bool *tac_reduced_fixed(const tacReduced *reduced);

/* Returns U_s of (3.6), [vertex][axis][r]: displacement of each vertex of the surface for a unit of each coordinate,
 * kg^-1/2. */
TAC_API const double *tac_reduced_displacements(const tacReduced *reduced);

/* Returns the volume mesh at rest. With tac_reduced_basis, more points can be embedded in it. */
TAC_API const tacVolMesh *tac_reduced_volume(const tacReduced *reduced);

/* Returns U at the vertices of the volume mesh, [vertex][axis][r], kg^-1/2. */
TAC_API const double *tac_reduced_basis(const tacReduced *reduced);

/* Summary of a bake. */
typedef struct tacReducedInfo {
  char source[16];                    /* source of the basis: "modes", "sketch", "motion" or "vectors" */
  int mode_count;                     /* k: linear modes that entered the basis; 0 if none */
  int element_count, vertex_count;    /* of the volume mesh */
  double mass;                        /* kg */
  double captured;                    /* share of the squared mass norm of the data that the basis holds, 0 to 1 */
  double linear_least, linear_most;   /* Hz: frequencies of the k linear modes; 0 if none */
  double reduced_least, reduced_most; /* Hz: frequencies of the reduced body at rest */
  /* s: time spent on each stage of the bake. */
  double seconds_modes, seconds_derivatives, seconds_basis, seconds_polynomials;
  double bytes_polynomials; /* size of the coefficients of all groups */
  double bytes_bake;        /* peak memory of the bake, as far as it is counted */
} tacReducedInfo;

/* Returns the summary of the bake. */
TAC_API const tacReducedInfo *tac_reduced_info(const tacReduced *reduced);

/* Returns the checks of the bake. */
TAC_API const tacBakeChecks *tac_reduced_checks(const tacReduced *reduced);

/* ---- baking: offline ---- */

/* Source of the basis (Barbic 2007, section 2.8). */
typedef enum tacBasisSource {
  TAC_BASIS_MODES,  /* linear modes and their derivatives: needs no loads */
  TAC_BASIS_SKETCH, /* static shapes under given loads */
  TAC_BASIS_MOTION  /* motion of the full simulation under loads over time */
} tacBasisSource;

/* A force at a point of the body, for TAC_BASIS_SKETCH and TAC_BASIS_MOTION. */
typedef struct tacLoadSample {
  double time;   /* s; samples of one time act together */
  tacVec3 point; /* of the body at rest, m, in or near the volume */
  tacVec3 force; /* N, on the body */
  /* m, over which the force is spread, with the same resultant and moment. 0, or less than the size of the elements:
   * the force is not spread. */
  double radius;
} tacLoadSample;

/* Definition of a bake. */
typedef struct tacReducedDef {
  const tacVolMesh *volume;       /* the body at rest */
  int material_count;             /* at least 1; these are the groups of material */
  const tacMaterial *materials;   /* [material_count] */
  const int *material_of;         /* [element] -> index in `materials`; NULL: all have materials[0] */
  const char *const *group_names; /* [material]; NULL: "body", or "group 1", ... */
  const bool *fixed;              /* [vertex of the volume]: true if fixed; NULL or no true: a free body */
  const tacTriMesh *surface;      /* embedded surface; NULL: the boundary of the volume */
  bool lumped_mass;               /* true: lumped mass matrix; default false: consistent */
  tacBasisSource source;          /* default TAC_BASIS_MODES */
  int mode_count; /* k; default 10, at most 1000. TAC_BASIS_SKETCH and _MOTION add these modes to their data; 0: none */
  int size;       /* r; default 20, at most TAC_BODY_MOST_COORDINATES */
  int load_count;
  const tacLoadSample *loads;             /* in order of time; for TAC_BASIS_SKETCH and _MOTION */
  double motion_step;                     /* s, time step of the full simulation of TAC_BASIS_MOTION; default 1 ms */
  double motion_duration;                 /* s; default 0: to the last load */
  double mass_damping, stiffness_damping; /* Rayleigh damping of that simulation, 1/s and s */
  bool strain_rate; /* also bakes what strain-rate damping needs: r^4 / 8 numbers for each part of the energy */
  /* Number of loads that the full solution is computed for, to measure the error estimate of the body
   * (tac_world_body_error_estimate). All are tried in the limit of small loads. Large loads are tried, too: the larger
   * the mesh, the fewer. Free bodies and meshes with over 30,000 vertices try none. Default 12; 0: the error estimate
   * is unknown. */
  int error_estimate_loads;
} tacReducedDef;

/* Returns the defaults named above. */
TAC_API tacReducedDef tac_reduced_def_default(void);

/* Bakes a reduced body. The same input gives the same bits, whatever the number of cores. The caller destroys the
 * result. `progress` is called several times a second, except during sparse factorisations, which take seconds for
 * meshes of 30,000 vertices.
 *
 * Each error names the problem and the remedy. Errors are: r larger than the rank of the data or than
 * TAC_BODY_MOST_COORDINATES; a body that is not held against rigid motion; a free body in several pieces; a vertex
 * without mass; invalid materials; loads that invert elements; TAC_ERR_MEMORY if the bake needs more memory than the
 * machine has; TAC_ERR_CHECK if the result does not pass its checks. */
TAC_API tacStatus tac_reduced_bake(const tacReducedDef *def, const tacProgress *progress, tacReduced **reduced,
                                   tacError *error);

/* ---- in a world: load phase ---- */

/* Definition of a body of a world. A body without held vertices is free: it falls, and touches the floor and other
 * bodies. */
typedef struct tacReducedBodyDef {
  tacBodyDef body;           /* name, pose and contact springs; `free` is not used, since `reduced` determines it */
  const tacReduced *reduced; /* must outlive the world */
  const bool *kept;          /* [r] which vectors of the basis to use; NULL: all */
  /* Rayleigh damping (alpha M + beta K(q)) q'. */
  double mass_damping;      /* alpha, 1/s; default 0.5 */
  double stiffness_damping; /* beta, s; default 0.002 */
  /* Strain-rate damping (Barbic 2007, (2.34)), s: the viscous stress is this time multiplied by the stress that the
   * elasticity would have at the strain rate. Only for a body that was baked with tacReducedDef.strain_rate; 0:
   * none. */
  double strain_rate;
  int newton_steps;          /* of the implicit Newmark method in a step, 1 to 10; default 1 */
  bool is_static;            /* no inertia */
  bool linear;               /* geometrically linear, for sketching loads and for comparison */
  double acceleration_limit; /* limit of |q''|, kg^1/2 m/s^2; 0: none */
  /* For distributed contact with other bodies (tacPairDef). Each may be NULL; each must outlive the world. */
  const tacPointshell *shell;    /* embedded in `reduced` */
  const tacDeformedField *field; /* of `reduced` */
  const tacLoadField *loads;     /* baked deformations of `field`; NULL: none */
} tacReducedBodyDef;

/* Returns the defaults named above and those of tacBodyDef. */
TAC_API tacReducedBodyDef tac_reduced_body_def_default(void);

/* Adds a reduced body to a world that is not sealed. `id` (may be NULL) receives its id. The body's kind name is
 * "reduced". TAC_ERR_ARGUMENT if the definition is invalid, such as a shell or field of another body. */
TAC_API tacStatus tac_world_add_reduced(tacWorld *world, const tacReducedBodyDef *def, tacBodyId *id, tacError *error);

/* Returns the reduced body that tac_scene_bake made of a body of the scene, owned by the scene. NULL before the bake,
 * and for a body of another kind. */
static inline const tacReduced *tac_scene_reduced(const tacScene *scene, int body) {
  return (const tacReduced *)tac_scene_made(scene, body, "reduced");
}

TAC_END_DECLS

#endif
