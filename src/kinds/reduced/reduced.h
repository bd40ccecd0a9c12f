/* Creation of reduced bodies from their parts, and data for simulation: the internal side of <tactus/reduced.h>. */
#pragma once

#include <tactus/reduced.h>
#include "base/files/chunk_transfer.h"
#include "kinds/reduced/reduced_polynomial.h"
#include "kinds/reduced/reduced_stress.h"

/* Delta N_s (3.8): [vertex][axis][r], change of the pseudo-normal N + Delta N q per coordinate; N as in
 * tac_reduced_normals, unit, outward. */
const double *tac_reduced_normal_changes(const tacReduced *reduced);
const tacVec3 *tac_reduced_normals(const tacReduced *reduced);

/* Whether it was baked with data for strain-rate damping. */
bool tac_reduced_has_strain_rate(const tacReduced *reduced);

/* Whether it is free: no vertex is held, and rigid motion is superimposed. Its mass properties at rest: */
bool tac_reduced_is_free(const tacReduced *reduced);
tacVec3 tac_reduced_centre(const tacReduced *reduced);                     /* of mass, m */
void tac_reduced_inertia(const tacReduced *reduced, double inertia[3][3]); /* about the centre, kg m^2 */

/* Material groups; NULL or 0 if `group` is out of range, likewise for shapes. */
int tac_reduced_group_count(const tacReduced *reduced);
const char *tac_reduced_group_name(const tacReduced *reduced, int group);
const tacMaterial *tac_reduced_group_material(const tacReduced *reduced, int group); /* as baked */
double tac_reduced_group_mass(const tacReduced *reduced, int group);                 /* kg, as baked */

/* Its source shapes, for display: modes, derivatives, principal shapes; the norm of coordinates[r] is the share of the
 * shape's mass norm in the basis. */
int tac_reduced_shape_count(const tacReduced *reduced);
const char *tac_reduced_shape_label(const tacReduced *reduced, int shape);
const double *tac_reduced_shape(const tacReduced *reduced, int shape);

/* Error estimate of the basis, measured at bake. For coordinates q at rest under the internal force R(q) (N kg^-1/2),
 * mass m and lowest frequency w (rad/s), displacements differ from those of the full mesh by about the root of (missing
 * (|R| / |q| - w^2))^2 + (bent q.R / m)^2, relative, as a root mean square over the surface. The first term is the part
 * of a load that the basis lacks, which grows with the frequencies it excites; the second is for large deformations, by
 * their energy. */
typedef struct tacReducedErrorEstimate {
  double missing;  /* s^2 */
  double bent;     /* s^2/m^2; both 0: unknown */
  double straight; /* s/m: of a geometrically linear body, whose second term is (straight)^2 q.R / m */
} tacReducedErrorEstimate;
const tacReducedErrorEstimate *tac_reduced_error_estimate(const tacReduced *reduced);

enum { TAC_REDUCED_MOST_GROUPS = 256 };

/* A part of the internal energy: W = sum weight(part) W_part. */
typedef struct tacReducedPart {
  int group;
  tacReducedPartKind kind;
  double weight;              /* as baked: lambda or mu of the group's material, Pa; 1 for TAC_REDUCED_WHOLE */
  const double *coefficients; /* tac_reduced_polynomial_count(r) */
  const double *stress;       /* tac_reduced_stress_count(r), for all parts or none (NULL); for strain-rate damping */
} tacReducedPart;

typedef struct tacReducedParts {
  int size; /* r */
  /* All copied. */
  const tacTriMesh *surface;
  const bool *fixed; /* displacements are zero there */
  const tacVec3 *normals;
  const double *displacements, *normal_changes; /* [vertex][axis][r] */
  const tacVolMesh *volume;                     /* without groups, sets and materials */
  const double *basis;                          /* U, [vertex of the volume][axis][r] */
  bool is_free;
  double mass, inertia[3][3];
  tacVec3 centre;
  int group_count;
  const char *const *group_names;
  const tacMaterial *materials;
  const double *group_mass;  /* [group], kg */
  const double *mass_matrix; /* [group][r][r]: U^T M_group U as baked; sums to the identity */
  int part_count;
  const tacReducedPart *parts;
  /* Load per uniform acceleration, for gravity: [group][axis][r]: U^T M_group e_axis, kg^1/2. */
  const double *body_force;
  int shape_count;
  const char (*labels)[32];
  const double *shapes; /* [shape][r] */
  tacReducedInfo info;
} tacReducedParts;

/* TAC_ERR_ARGUMENT: the parts are inconsistent or not finite (says which). */
tacStatus tac_reduced_create(const tacReducedParts *parts, tacReduced **reduced, tacError *error);

/* Offline, from given vectors: def->size columns `vectors` [column][3 vertices], made mass-orthonormal in their order.
 * Reads volume, materials, held, surface and mass of `def`. No polynomials: the user supplies forces. Shapes are the
 * columns, named "label 1" and so on. */
tacStatus tac_reduced_from_vectors(const tacReducedDef *def, const double *vectors, const char *label,
                                   tacReduced **reduced, tacError *error);

/* Stores the results of the bake's checks. */
void tac_reduced_set_checks(tacReduced *reduced, const tacBakeChecks *checks);

/* Stores the measured estimate, also an unknown one. */
void tac_reduced_set_error_estimate(tacReduced *reduced, const tacReducedErrorEstimate *error_estimate);
bool tac_reduced_has_error_estimate(const tacReduced *reduced); /* it was measured */

/* Transfers all of it as chunks of a file, which may contain others; NULL after a failure. */
void tac_reduced_put(tacChunkTransfer *to, const tacReduced *reduced);
tacReduced *tac_reduced_take(tacChunkTransfer *from);

/* Its contents, not copied; valid as long as it lives. */
const tacReducedParts *tac_reduced_parts(const tacReduced *reduced);
