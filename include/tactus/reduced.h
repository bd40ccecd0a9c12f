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
#include <tactus/trimesh.h>
#include <tactus/volmesh.h>

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

TAC_END_DECLS

#endif
