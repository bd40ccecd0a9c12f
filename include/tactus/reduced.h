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
#include <tactus/bake_check.h>
#include <tactus/material.h>
#include <tactus/pointshell.h>
#include <tactus/progress.h>
#include <tactus/scene.h>
#include <tactus/trimesh.h>
#include <tactus/volmesh.h>
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
/* Delta N_s (3.8): [vertex][axis][r], change of the pseudo-normal N + Delta N q per coordinate; N as in
 * tac_reduced_normals, unit, outward. */
TAC_API const double *tac_reduced_normal_changes(const tacReduced *reduced);
TAC_API const tacVec3 *tac_reduced_normals(const tacReduced *reduced);

/* The volume mesh at rest, and U at its vertices, [vertex][axis][r]: from these more points can be embedded. */
TAC_API const tacVolMesh *tac_reduced_volume(const tacReduced *reduced);
TAC_API const double *tac_reduced_basis(const tacReduced *reduced);

/* Whether it was baked with what strain-rate damping needs. */
TAC_API bool tac_reduced_has_strain_rate(const tacReduced *reduced);

/* Whether it is free: no vertex is held, and rigid motion is superimposed. Its mass properties at rest: */
TAC_API bool tac_reduced_is_free(const tacReduced *reduced);
TAC_API double tac_reduced_mass(const tacReduced *reduced);                        /* kg, as baked */
TAC_API tacVec3 tac_reduced_centre(const tacReduced *reduced);                     /* of mass, m */
TAC_API void tac_reduced_inertia(const tacReduced *reduced, double inertia[3][3]); /* about the centre, kg m^2 */

/* Groups of material; NULL or 0 where `group` is out of range, likewise for shapes. */
TAC_API int tac_reduced_group_count(const tacReduced *reduced);
TAC_API const char *tac_reduced_group_name(const tacReduced *reduced, int group);
TAC_API const tacMaterial *tac_reduced_group_material(const tacReduced *reduced, int group); /* as baked */
TAC_API double tac_reduced_group_mass(const tacReduced *reduced, int group);                 /* kg, as baked */

/* What it was made from, to look at: modes, derivatives, principal shapes; coordinates[r] whose norm is the share (of
 * the mass norm) that the basis holds. */
TAC_API int tac_reduced_shape_count(const tacReduced *reduced);
TAC_API const char *tac_reduced_shape_label(const tacReduced *reduced, int shape);
TAC_API const double *tac_reduced_shape(const tacReduced *reduced, int shape);

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
/* How far its basis can be trusted, as measured when it was baked: with coordinates q at rest under the internal force R(q) (N
 * kg^-1/2), the mass m and the lowest frequency w (rad/s), displacements differ from those of the full mesh by about the root of
 * (missing (|R| / |q| - w^2))^2 + (bent q.R / m)^2, relative to them, in the root of the mean square over the surface: by what the basis
 * lacks of a load, which is more the higher the frequencies are that it moves, and of large deformations, by their energy. */
typedef struct tacReducedDoubt {
  double missing;  /* s^2; */
  double bent;     /* s^2/m^2; both 0: not known */
  double straight; /* s/m: of a geometrically linear body, of which the second term is (straight)^2 q.R / m */
} tacReducedDoubt;
TAC_API const tacReducedDoubt *tac_reduced_doubt(const tacReduced *reduced);
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
  /* That are tried by the full solution to measure tac_reduced_doubt: in the limit of small ones all, and fewer large ones the larger
   * the mesh is; none of free bodies and of meshes with over 30,000 vertices. Default 12; 0: it stays unknown. */
  int doubt_loads;
} tacReducedDef;

TAC_API tacReducedDef tac_reduced_def_default(void);
/* Errors say what is wrong and what would be right: r larger than the data's rank or than TAC_REDUCED_MOST, a body that
 * is not held against rigid motion, a free one in several pieces, a vertex without mass, materials that are none, loads
 * that invert elements, more than fits into memory. Same input, same bits, whatever the number of cores. `progress` is
 * asked several times a second but for sparse factorisations, which take seconds for meshes of 30,000 vertices. */
TAC_API tacStatus tac_reduced_bake(const tacReducedDef *def, const tacProgress *progress, tacReduced **reduced,
                                   tacError *error);

/* What moves with a reduced body. */
/* The same points moving with a reduced body: U_s and Delta N_s of each (3.6, 3.8), and the growth of each ball (3.12). */
TAC_API tacStatus tac_pointshell_embed(const tacPointshell *shell, const tacReduced *reduced, tacPointshell **embedded,
                                       tacError *error);
/* Offline. Domains (section 3.12.1) are fields of parts of the body at rest in its frame (grids); their union is the body. One: no
 * division. Takes the domains over on success. */
TAC_API tacStatus tac_deformed_field_bake(const tacReduced *reduced, int domain_count, tacDistanceField *const *domains,
                                          const tacDeformedFieldDef *def, const tacProgress *progress,
                                          tacDeformedField **field, tacError *error);

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
/* NULL for another kind; of a vademecum its modes. */
TAC_API const tacReduced *tac_world_body_reduced(const tacWorld *world, tacBodyId id);

/* After the bake of a scene: NULL before, and for another kind. */
static inline const tacReduced *tac_scene_reduced(const tacScene *scene, int body) {
  return (const tacReduced *)tac_scene_made(scene, body, "reduced");
}

TAC_END_DECLS

#endif
