/* A reduced body: large deformations in a few coordinates, u = U q (Barbic 2007, chapter 2).
 *
 * The displacement basis U has r mass-orthonormal columns. Internal forces of linear materials are cubic polynomials in
 * q, whose coefficients are kept by group of material: lambda, mu and density of each group can be changed after the
 * bake. The surface that is touched and shown is embedded in the volume mesh, so that its displacements and normals are
 * linear in q. */
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

typedef struct tacReduced tacReduced; /* immutable; any thread may read it */

TAC_API void tac_reduced_destroy(tacReduced *reduced); /* NULL is allowed */
TAC_API tacStatus tac_reduced_write(const tacReduced *reduced, const char *path, tacError *error);
TAC_API tacStatus tac_reduced_read(const char *path, tacReduced **reduced, tacError *error);

/* Below: any phase, no allocation. */
TAC_API int tac_reduced_size(const tacReduced *reduced);                  /* r */
TAC_API const tacTriMesh *tac_reduced_surface(const tacReduced *reduced); /* without groups */
TAC_API const bool *tac_reduced_fixed(const tacReduced *reduced);         /* [vertex of the surface]: it cannot move */
/* U_s (3.6): [vertex][axis][r], displacement of a vertex of the surface per coordinate; kg^-1/2. */
TAC_API const double *tac_reduced_displacements(const tacReduced *reduced);

/* The volume mesh at rest, and U at its vertices, [vertex][axis][r]: from these more points can be embedded. */
TAC_API const tacVolMesh *tac_reduced_volume(const tacReduced *reduced);
TAC_API const double *tac_reduced_basis(const tacReduced *reduced);

TAC_API double tac_reduced_mass(const tacReduced *reduced); /* kg, as baked */

typedef struct tacReducedInfo {
  char source[16];                    /* "modes", "sketch", "motion" or "vectors" */
  int mode_count;                     /* k, linear modes that went in; 0 where none */
  int element_count, vertex_count;    /* of the volume mesh */
  double captured;                    /* share of the squared mass norm of the data that the basis holds */
  double linear_least, linear_most;   /* Hz: of the k linear modes; 0 where none */
  double reduced_least, reduced_most; /* Hz: of the reduced body at rest */
  double seconds_modes, seconds_derivatives, seconds_basis, seconds_polynomials;
  double bytes_polynomials; /* of the coefficients of all groups */
  double bytes_bake;        /* largest amount of memory that the bake held at once, as far as it is counted */
} tacReducedInfo;
TAC_API const tacReducedInfo *tac_reduced_info(const tacReduced *reduced);
TAC_API const tacBakeChecks *tac_reduced_checks(const tacReduced *reduced); /* of its bake */

/* What builds reduced bodies. Offline. */

/* Where the basis comes from (Barbic 2007, section 2.8). */
typedef enum tacBasisSource {
  TAC_BASIS_MODES,  /* linear modes and their derivatives: no loads needed */
  TAC_BASIS_SKETCH, /* static shapes under loads that somebody drew */
  TAC_BASIS_MOTION  /* the full simulation's motion under loads over time */
} tacBasisSource;

/* A force at a point of the body. */
typedef struct tacLoadSample {
  double time;   /* s; samples of one time act together */
  tacVec3 point; /* of the body at rest, m, in or near the volume */
  tacVec3 force; /* N, on the body */
  double
      radius; /* m, over which it is spread, with the same resultant and moment; 0, or less than elements have: none */
} tacLoadSample;

typedef struct tacReducedDef {
  const tacVolMesh *volume;
  int material_count;
  const tacMaterial *materials;
  const int *material_of;         /* [element]; NULL: all have materials[0] */
  const char *const *group_names; /* [material]; NULL: "body", or "group 1", ... */
  const bool *held;               /* [vertex of the volume]; NULL or none: a free body */
  const tacTriMesh *surface;      /* embedded; NULL: the boundary of the volume */
  bool lumped_mass;               /* default false: consistent */
  tacBasisSource source;
  int mode_count; /* k; default 10, at most 1000. For TAC_BASIS_SKETCH and _MOTION these are mixed in; 0: none */
  int size;       /* r; default 20 */
  int load_count;
  const tacLoadSample *loads;        /* in order of time; for TAC_BASIS_SKETCH and _MOTION */
  double motion_step;                /* s; of the full simulation for TAC_BASIS_MOTION; default 1 ms */
  double motion_duration;            /* s; default 0: to the last load */
  double alpha_mass, beta_stiffness; /* Rayleigh damping of that simulation, 1/s and s */
  bool strain_rate;                  /* also what strain-rate damping needs: r^4 / 8 numbers a part of the energy */
  /* That are tried by the full solution to measure tac_reduced_error_estimate: in the limit of small ones all, and fewer large ones the larger
   * the mesh is; none of free bodies and of meshes with over 30,000 vertices. Default 12; 0: it stays unknown. */
  int error_estimate_loads;
} tacReducedDef;

TAC_API tacReducedDef tac_reduced_def_default(void);
/* Errors say what is wrong and what would be right: r larger than the data's rank or than TAC_REDUCED_MOST, a body that
 * is not held against rigid motion, a free one in several pieces, a vertex without mass, materials that are none, loads
 * that invert elements, more than fits into memory. Same input, same bits, whatever the number of cores. `progress` is
 * asked several times a second but for sparse factorisations, which take seconds for meshes of 30,000 vertices. */
TAC_API tacStatus tac_reduced_bake(const tacReducedDef *def, const tacProgress *progress, tacReduced **reduced,
                                   tacError *error);

/* What moves with a reduced body. */

/* A body of large deformations in reduced coordinates (Barbic 2007, chapter 2). Without held vertices it is free: it falls, and meets
 * the floor and other bodies. */

typedef struct tacReducedBodyDef {
  tacBodyDef body;           /* its name, place and springs; the asset knows whether it is free */
  const tacReduced *reduced; /* must outlive the world */
  const bool *kept;          /* [r] vectors of the basis to use; NULL: all */
  double alpha_mass;         /* Rayleigh damping (alpha M + beta K(q)) q': 1/s, */
  double beta_stiffness;     /* s */
  /* Strain-rate damping (Barbic 2007, (2.34)): viscous stress of this time, s, times that which the elasticity would have at the
   * strain rate. Only where tac_reduced_has_strain_rate. */
  double strain_rate;
  int newton_steps;          /* of the implicit Newmark method; default 1 */
  bool is_static;            /* no inertia */
  bool linear;               /* geometrically linear, to sketch on and to compare with */
  double acceleration_limit; /* of |q''|, kg^1/2 m/s^2; 0: none */
  /* For contact of bodies; both may be NULL, both must outlive the world. */
  const tacPointshell *shell;    /* embedded in `reduced` */
  const tacDeformedField *field; /* of `reduced` */
  const tacLoadField *loads;     /* baked deformations of `field`; NULL: none */
} tacReducedBodyDef;
/* Damping 0.5 1/s and 0.002 s. */
TAC_API tacReducedBodyDef tac_reduced_body_def_default(void);
TAC_API tacStatus tac_world_add_reduced(tacWorld *world, const tacReducedBodyDef *def, tacBodyId *id, tacError *error);

/* After the bake of a scene: NULL before, and for another kind. */
static inline const tacReduced *tac_scene_reduced(const tacScene *scene, int body) {
  return (const tacReduced *)tac_scene_made(scene, body, "reduced");
}

TAC_END_DECLS

#endif
