/* Making reduced bodies from their parts, and what simulation takes of them: the internal side of
 * <tactus/reduced.h>. */
#pragma once

#include <tactus/reduced.h>
#include "base/files/chunk_transfer.h"
#include "kinds/reduced/reduced_polynomial.h"
#include "kinds/reduced/reduced_stress.h"

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
void tac_reduced_set_doubt(tacReduced *reduced, const tacReducedDoubt *doubt);
bool tac_reduced_has_doubt(const tacReduced *reduced); /* it was measured */

/* All of it as chunks of a file, in which there may be others; NULL after a failure. */
void tac_reduced_put(tacChunkTransfer *to, const tacReduced *reduced);
tacReduced *tac_reduced_take(tacChunkTransfer *from);

/* What it holds, without copying; valid as long as it lives. */
const tacReducedParts *tac_reduced_parts(const tacReduced *reduced);
