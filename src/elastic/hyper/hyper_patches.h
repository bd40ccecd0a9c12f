/* Disjoint patches of tetrahedra that share one mean change of volume, against volumetric locking: linear tetrahedra
 * have more constraints than a nearly incompressible body can meet; patches of six to eight of them have about one
 * to three free nodal coordinates. (The F-bar patches of de Souza Neto et al. 2005, in the form of an energy.)
 * Offline. */
#pragma once

#include <tactus/mesh.h>
#include "base/memory/array.h"

/* Of one material each, connected by faces; numbered material by material. */
typedef struct tacHyperPatches {
  tacArrays arrays;
  int count;
  int *of;           /* [tet] */
  int *start;        /* [count + 1] into element */
  int *element;      /* ascending in each patch */
  int *vertex_start; /* [count + 1] into vertex */
  int *vertex;       /* ascending in each patch */
} tacHyperPatches;

/* Six tetrahedra in a row that fill a cell of eight vertices are a patch; others grow by the neighbour that adds
 * fewest vertices. material_of: NULL: all have one. */
tacStatus tac_hyper_patches_create(const tacVolMesh *mesh, const int *material_of, tacHyperPatches *patches,
                                   tacError *error);
void tac_hyper_patches_destroy(tacHyperPatches *patches); /* may be called on {0} */
