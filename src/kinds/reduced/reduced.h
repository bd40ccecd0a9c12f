/* Making reduced bodies from their parts, and what simulation takes of them: the internal side of
 * <tactus/reduced.h>. */
#pragma once

#include <tactus/reduced.h>
#include "base/files/chunk_transfer.h"
#include "kinds/reduced/reduced_polynomial.h"
#include "kinds/reduced/reduced_stress.h"

/* Delta N_s (3.8): [vertex][axis][r], change of the pseudo-normal N + Delta N q per coordinate; N as in
 * tac_reduced_normals, unit, outward. */
const double *tac_reduced_normal_changes(const tacReduced *reduced);
const tacVec3 *tac_reduced_normals(const tacReduced *reduced);

/* Whether it was baked with what strain-rate damping needs. */
bool tac_reduced_has_strain_rate(const tacReduced *reduced);

/* Whether it is free: no vertex is held, and rigid motion is superimposed. Its mass properties at rest: */
bool tac_reduced_is_free(const tacReduced *reduced);
tacVec3 tac_reduced_centre(const tacReduced *reduced);                     /* of mass, m */
void tac_reduced_inertia(const tacReduced *reduced, double inertia[3][3]); /* about the centre, kg m^2 */

/* Groups of material; NULL or 0 where `group` is out of range, likewise for shapes. */
int tac_reduced_group_count(const tacReduced *reduced);
const char *tac_reduced_group_name(const tacReduced *reduced, int group);
const tacMaterial *tac_reduced_group_material(const tacReduced *reduced, int group); /* as baked */
double tac_reduced_group_mass(const tacReduced *reduced, int group);                 /* kg, as baked */

/* What it was made from, to look at: modes, derivatives, principal shapes; coordinates[r] whose norm is the share (of
 * the mass norm) that the basis holds. */
int tac_reduced_shape_count(const tacReduced *reduced);
const char *tac_reduced_shape_label(const tacReduced *reduced, int shape);
const double *tac_reduced_shape(const tacReduced *reduced, int shape);

/* How far its basis can be trusted, as measured when it was baked: with coordinates q at rest under the internal force R(q) (N
 * kg^-1/2), the mass m and the lowest frequency w (rad/s), displacements differ from those of the full mesh by about the root of
 * (missing (|R| / |q| - w^2))^2 + (bent q.R / m)^2, relative to them, in the root of the mean square over the surface: by what the basis
 * lacks of a load, which is more the higher the frequencies are that it moves, and of large deformations, by their energy. */
typedef struct tacReducedErrorEstimate {
  double missing;  /* s^2; */
  double bent;     /* s^2/m^2; both 0: not known */
  double straight; /* s/m: of a geometrically linear body, of which the second term is (straight)^2 q.R / m */
} tacReducedErrorEstimate;
const tacReducedErrorEstimate *tac_reduced_error_estimate(const tacReduced *reduced);

enum { TAC_REDUCED_MOST_GROUPS = 256 };

/* A share of the internal energy: W = sum weight(part) W_part. */
typedef struct tacReducedPart {
  int group;
  tacReducedPartKind kind;
  double weight;              /* as baked: lambda or mu of the group's material, Pa; 1 for TAC_REDUCED_WHOLE */
  const double *coefficients; /* tac_reduced_polynomial_count(r) */
  const double *stress;       /* tac_reduced_stress_count(r), of all parts or of none: NULL; for strain-rate damping */
} tacReducedPart;

typedef struct tacReducedParts {
  int size; /* r */
  /* Copied, all of it. */
  const tacTriMesh *surface;
  const bool *fixed; /* those do not move: their displacements are zero */
  const tacVec3 *normals;
  const double *displacements, *normal_changes; /* [vertex][axis][r] */
  const tacVolMesh *volume;                     /* its groups, sets and materials are left out */
  const double *basis;                          /* U, [vertex of the volume][axis][r] */
  bool is_free;
  double mass, inertia[3][3];
  tacVec3 centre;
  int group_count;
  const char *const *group_names;
  const tacMaterial *materials;
  const double *group_mass;  /* [group], kg */
  const double *mass_matrix; /* [group][r][r]: U^T M_group U as baked; they add up to the identity */
  int part_count;
  const tacReducedPart *parts;
  /* Vertex loads of a uniform acceleration, for gravity: [group][axis][r]: U^T M_group e_axis, kg^1/2. */
  const double *body_force;
  int shape_count;
  const char (*labels)[32];
  const double *shapes; /* [shape][r] */
  tacReducedInfo info;
} tacReducedParts;

/* TAC_ERR_ARGUMENT where the parts do not fit together or are not finite (says which). */
tacStatus tac_reduced_create(const tacReducedParts *parts, tacReduced **reduced, tacError *error);

/* Offline, from vectors that somebody else has found: def->size columns `vectors` [column][3 vertices], made mass-orthonormal in their
 * order; of `def` volume, materials, held, surface and mass are read. Without polynomials: whoever uses it has forces of his own. Shapes
 * are the columns, called "label 1" and so on. */
tacStatus tac_reduced_from_vectors(const tacReducedDef *def, const double *vectors, const char *label,
                                   tacReduced **reduced, tacError *error);

/* What its bake was compared with. */
void tac_reduced_set_checks(tacReduced *reduced, const tacBakeChecks *checks);

/* What was measured of it, also where nothing could be told. */
void tac_reduced_set_error_estimate(tacReduced *reduced, const tacReducedErrorEstimate *error_estimate);
bool tac_reduced_has_error_estimate(const tacReduced *reduced); /* it was measured */

/* All of it as chunks of a file, in which there may be others; NULL after a failure. */
void tac_reduced_put(tacChunkTransfer *to, const tacReduced *reduced);
tacReduced *tac_reduced_take(tacChunkTransfer *from);

/* What it holds, without copying; valid as long as it lives. */
const tacReducedParts *tac_reduced_parts(const tacReduced *reduced);
