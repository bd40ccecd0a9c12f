/* Declares the creation, queries and file chunks of reduced bodies that are internal to the library.
 *
 * The public functions are in <tactus/reduced.h>. A reduced body has r coordinates q and the displacement u = U q.
 * Equation numbers refer to Barbic 2007. */
#pragma once

#include <tactus/reduced.h>
#include "base/files/chunk_transfer.h"
#include "kinds/reduced/reduced_polynomial.h"
#include "kinds/reduced/reduced_stress.h"

/* `tac_reduced_normals` returns the unit outward vertex normals N of the undeformed surface, [vertex].
 * `tac_reduced_normal_changes` returns the derivatives Delta N_s of the normals by q (3.8), [vertex][axis][r]. The
 * normal of a deformed vertex is N + Delta N_s q, before normalisation. */
const double *tac_reduced_normal_changes(const tacReduced *reduced);
const tacVec3 *tac_reduced_normals(const tacReduced *reduced);

/* True if the asset contains data for strain-rate damping. */
bool tac_reduced_has_strain_rate(const tacReduced *reduced);

/* True if no vertex is held. A free body combines a rigid motion with the deformation. */
bool tac_reduced_is_free(const tacReduced *reduced);
tacVec3 tac_reduced_centre(const tacReduced *reduced); /* centre of mass, m */
/* Inertia about the centre of mass, kg m^2. */
void tac_reduced_inertia(const tacReduced *reduced, double inertia[3][3]);

/* Queries of material groups. These functions, and the functions for shapes, return NULL or 0 if the index is out of
 * range. */
int tac_reduced_group_count(const tacReduced *reduced);
const char *tac_reduced_group_name(const tacReduced *reduced, int group);
const tacMaterial *tac_reduced_group_material(const tacReduced *reduced, int group); /* material used in the bake */
double tac_reduced_group_mass(const tacReduced *reduced, int group);                 /* mass computed in the bake, kg */

/* Queries of the shapes from which the basis was made, for display: modes, derivatives, principal shapes.
 * `tac_reduced_shape` returns the r coordinates of a shape. The norm of the coordinates is the fraction of the shape's
 * mass norm that the basis represents. */
int tac_reduced_shape_count(const tacReduced *reduced);
const char *tac_reduced_shape_label(const tacReduced *reduced, int shape);
const double *tac_reduced_shape(const tacReduced *reduced, int shape);

/* Coefficients of the estimated error of the basis, measured in the bake. The estimate is the relative difference
 * between the displacements of the reduced body and of the full mesh, as a root mean square over the surface:
 *     sqrt((missing (|R| / |q| - w^2))^2 + (bent q.R / m)^2).
 * Here q are the coordinates in equilibrium, R(q) is the internal force (N kg^-1/2), m is the mass, and w is the lowest
 * frequency (rad/s). The first term estimates the part of the response that the basis cannot represent. The second term
 * estimates the error at large deformations from the work q.R. */
typedef struct tacReducedErrorEstimate {
  double missing;  /* coefficient of the first term, s^2 */
  double bent;     /* coefficient of the second term, s^2/m^2; 0 together with `missing` if the estimate is unknown */
  double straight; /* `bent` of a geometrically linear body, but the second term is straight^2 q.R / m; s/m */
} tacReducedErrorEstimate;
const tacReducedErrorEstimate *tac_reduced_error_estimate(const tacReduced *reduced);

enum { TAC_REDUCED_MOST_GROUPS = 256 };

/* Part of the internal energy. The internal energy is W = sum of weight W_part over the parts. */
typedef struct tacReducedPart {
  int group;
  tacReducedPartKind kind;
  double weight;              /* lambda or mu of the material used in the bake, Pa; 1 for TAC_REDUCED_WHOLE */
  const double *coefficients; /* coefficients of the polynomial W_part, tac_reduced_polynomial_count(r) numbers */
  /* Products for strain-rate damping, tac_reduced_stress_count(r) numbers; NULL in all parts if not baked. */
  const double *stress;
} tacReducedPart;

typedef struct tacReducedParts {
  int size; /* r, number of coordinates */
  /* tac_reduced_create copies all data to which the members below point. */
  const tacTriMesh *surface;
  const bool *fixed; /* [surface vertex]: true if the displacement of the vertex is zero */
  const tacVec3 *normals;
  const double *displacements, *normal_changes; /* U_s (3.6) and Delta N_s (3.8), [surface vertex][axis][r] */
  const tacVolMesh *volume;                     /* volume mesh without groups, sets and materials */
  const double *basis;                          /* U, [volume vertex][axis][r] */
  bool is_free;
  double mass, inertia[3][3];
  tacVec3 centre;
  int group_count;
  const char *const *group_names;
  const tacMaterial *materials;
  const double *group_mass;  /* [group], kg */
  const double *mass_matrix; /* [group][r][r]: U^T M_group U; the sum over all groups is the identity */
  int part_count;
  const tacReducedPart *parts;
  /* Reduced force per uniform acceleration, for gravity: U^T M_group e_axis, [group][axis][r], kg^1/2. */
  const double *body_force;
  int shape_count;
  const char (*labels)[32];
  const double *shapes; /* coordinates of each shape, [shape][r] */
  tacReducedInfo info;
} tacReducedParts;

/* Creates a reduced body from `parts`. Returns TAC_ERR_ARGUMENT if the parts are inconsistent or not finite; the error
 * names the faulty part. */
tacStatus tac_reduced_create(const tacReducedParts *parts, tacReduced **reduced, tacError *error);

/* Offline. Creates a reduced body from the def->size given columns `vectors`, [column][3 vertices]. The function makes
 * the columns mass-orthonormal in the given order. It reads only volume, materials, held, surface and mass of `def`.
 * The body has no polynomials, so the caller must supply the internal force. The shapes of the body are the columns,
 * named "label 1" and so on. */
tacStatus tac_reduced_from_vectors(const tacReducedDef *def, const double *vectors, const char *label,
                                   tacReduced **reduced, tacError *error);

/* Stores the results of the bake's checks. */
void tac_reduced_set_checks(tacReduced *reduced, const tacBakeChecks *checks);

/* Stores the measured error estimate. The value {0} (unknown) also marks the estimate as measured. */
void tac_reduced_set_error_estimate(tacReduced *reduced, const tacReducedErrorEstimate *error_estimate);
bool tac_reduced_has_error_estimate(const tacReduced *reduced); /* true if an estimate was stored */

/* Write and read a reduced body as chunks of a file, which may contain other chunks. `tac_reduced_take` returns NULL
 * after a failure. */
void tac_reduced_put(tacChunkTransfer *to, const tacReduced *reduced);
tacReduced *tac_reduced_take(tacChunkTransfer *from);

/* Returns the data of the body without a copy. The pointer is valid until the body is destroyed. */
const tacReducedParts *tac_reduced_parts(const tacReduced *reduced);
