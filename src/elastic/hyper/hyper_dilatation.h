/* Mean changes of volume of patches of elements: v (m^3) and dv/dx at positions x, and what U''(v / V) adds to a
 * tangent stiffness. Nothing allocates after creation. */
#pragma once

#include "elastic/hyper/hyper_patches.h"
#include "elastic/laws/hyper_law.h"
#include "math/sparse/sparse.h"

/* Up to TAC_HYPER_LANES patches of one material. */
typedef struct tacDilatationGroup {
  int material, first, count;
} tacDilatationGroup;

typedef struct tacHyperDilatation {
  tacArrays arrays;
  tacHyperPatches patches;
  int group_count;
  tacDilatationGroup *groups;
  int (*corner)[4];   /* [place in patches.element]: among the vertices of the patch */
  double *volume;     /* V, at rest, m^3 */
  double *uj, *ujj;   /* [patch]: U'(v / V) (Pa), U''(v / V) / V (Pa/m^3): the caller's */
  double *by;         /* dv/dx, m^2, 3 a vertex of a patch */
  size_t *place_from; /* [patch + 1] into places */
  int *places;        /* of blocks (a, b), b <= a, row by row, in the pattern */
} tacHyperDilatation;

/* To be destroyed after a failure too. */
tacStatus tac_hyper_dilatation_create(const tacVolMesh *mesh, const int *material_of, tacHyperDilatation *dilatation,
                                      tacError *error);
/* Finds places in the pattern, which has blocks for all pairs of vertices of a patch. */
tacStatus tac_hyper_dilatation_place(tacHyperDilatation *dilatation, const tacSparse *pattern, tacError *error);
void tac_hyper_dilatation_destroy(tacHyperDilatation *dilatation); /* may be called on {0} */

/* v / V of a group's patches at x; lanes that are not used have 1. `with_derivatives`: sets `by` as well. */
void tac_hyper_dilatation_measure(const tacHyperDilatation *dilatation, const tacDilatationGroup *group,
                                  const double *x, bool with_derivatives, double j[TAC_HYPER_LANES]);
/* value += scale dv dv^T, in the columns of vertices whose owner is `member`; owner NULL: all. */
void tac_hyper_dilatation_add(const tacHyperDilatation *dilatation, int patch, double scale, const tacSparse *pattern,
                              const int *owner, int member, double *value);
