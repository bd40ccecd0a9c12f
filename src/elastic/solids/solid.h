/* What a deformable solid is: a mesh, its materials and what holds it. Refers to arrays of the caller. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "elastic/elements/element.h"
#include "elastic/solids/constraints.h"

typedef struct tacSolid {
  const tacVolMesh *mesh;
  int material_count;
  const tacMaterial *materials;
  const int *material_of; /* [element]; NULL: all have materials[0] */
  const bool *held;       /* [vertex]; NULL: none, a free body */
  tacMassKind mass;
} tacSolid;

static inline const tacMaterial *tac_solid_material(const tacSolid *solid, int element) {
  return &solid->materials[solid->material_of != NULL ? solid->material_of[element] : 0];
}

/* Which of its vertices are held. */
tacStatus tac_solid_constraints(const tacSolid *solid, tacConstraints *constraints, tacError *error);
/* TAC_ERR_SINGULAR where a free vertex is in no element and so has no mass. TAC_ERR_GEOMETRY where a part of a held
 * solid is not held against rigid motion, or a free one is in several pieces. `constraints` are the solid's. */
tacStatus tac_solid_check_parts(const tacSolid *solid, const tacConstraints *constraints, tacError *error);
