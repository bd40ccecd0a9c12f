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

/* Whether the asset contains data for strain-rate damping. */
bool tac_reduced_has_strain_rate(const tacReduced *reduced);

/* Whether the body is free: no vertex is held, and a rigid motion is superimposed on the deformation. The functions
 * after this one give mass properties at rest. */
bool tac_reduced_is_free(const tacReduced *reduced);
tacVec3 tac_reduced_centre(const tacReduced *reduced);                     /* centre of mass, m */
void tac_reduced_inertia(const tacReduced *reduced, double inertia[3][3]); /* about the centre, kg m^2 */

/* Material groups. These functions, and the functions for shapes, return NULL or 0 if the index is out of range. */
int tac_reduced_group_count(const tacReduced *reduced);
const char *tac_reduced_group_name(const tacReduced *reduced, int group);
const tacMaterial *tac_reduced_group_material(const tacReduced *reduced, int group); /* as baked */
double tac_reduced_group_mass(const tacReduced *reduced, int group);                 /* kg, as baked */

/* Shapes that the basis was made from, for display: modes, derivatives, principal shapes. tac_reduced_shape returns r
 * coordinates; their norm is the share of the shape's mass norm in the basis. */
int tac_reduced_shape_count(const tacReduced *reduced);
const char *tac_reduced_shape_label(const tacReduced *reduced, int shape);
const double *tac_reduced_shape(const tacReduced *reduced, int shape);

/* Error estimate of the basis, measured at bake. Let q be coordinates in equilibrium, R(q) the internal force (N
 * kg^-1/2), m the mass and w the lowest frequency (rad/s). The relative difference from the displacements of the full
 * mesh, as a root mean square over the surface, is about
 *     sqrt((missing (|R| / |q| - w^2))^2 + (bent q.R / m)^2).
 * The first term estimates the part of the response that the basis lacks; it grows with the excited frequencies. The
 * second term estimates the error at large deformations from the work q.R. */
typedef struct tacReducedErrorEstimate {
  double missing;  /* s^2 */
  double bent;     /* s^2/m^2; both 0: unknown */
  double straight; /* s/m: for a geometrically linear body; its second term is (straight)^2 q.R / m */
} tacReducedErrorEstimate;
const tacReducedErrorEstimate *tac_reduced_error_estimate(const tacReduced *reduced);

enum { TAC_REDUCED_MOST_GROUPS = 256 };

/* A part of the internal energy: W = sum weight(part) W_part. */
typedef struct tacReducedPart {
  int group;
  tacReducedPartKind kind;
  double weight;              /* baked weight: lambda or mu of the group's material, Pa; 1 for TAC_REDUCED_WHOLE */
  const double *coefficients; /* tac_reduced_polynomial_count(r) */
  const double *stress;       /* tac_reduced_stress_count(r), for all parts or none (NULL); for strain-rate damping */
} tacReducedPart;

typedef struct tacReducedParts {
  int size; /* r */
  /* All copied. */
  const tacTriMesh *surface;
  const bool *fixed; /* [surface vertex]: its displacement is zero */
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

/* TAC_ERR_ARGUMENT: the parts are inconsistent or not finite; the error names the part. */
tacStatus tac_reduced_create(const tacReducedParts *parts, tacReduced **reduced, tacError *error);

/* Offline. Creates a reduced body from def->size given columns `vectors` [column][3 vertices], which it makes
 * mass-orthonormal in their order. Of `def` it reads volume, materials, held, surface and mass. The body has no
 * polynomials, so the caller must supply the internal force. Shapes are the columns, named "label 1" and so on. */
tacStatus tac_reduced_from_vectors(const tacReducedDef *def, const double *vectors, const char *label,
                                   tacReduced **reduced, tacError *error);

/* Stores the results of the bake's checks. */
void tac_reduced_set_checks(tacReduced *reduced, const tacBakeChecks *checks);

/* Stores the measured estimate. An unknown estimate ({0}) counts as measured, too. */
void tac_reduced_set_error_estimate(tacReduced *reduced, const tacReducedErrorEstimate *error_estimate);
bool tac_reduced_has_error_estimate(const tacReduced *reduced); /* true: the estimate was measured */

/* Write and read a reduced body as chunks of a file; the file may contain other chunks. `take` returns NULL after a
 * failure. */
void tac_reduced_put(tacChunkTransfer *to, const tacReduced *reduced);
tacReduced *tac_reduced_take(tacChunkTransfer *from);

/* The contents of the body, not copied; valid until the body is destroyed. */
const tacReducedParts *tac_reduced_parts(const tacReduced *reduced);
