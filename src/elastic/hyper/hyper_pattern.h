/* The places of a tangent stiffness: the lower triangle, 3 x 3 blocks of vertices that share an element or a patch,
 * and of each with itself. Offline. */
#pragma once

#include "elastic/hyper/hyper_patches.h"
#include "math/sparse/sparse.h"

/* patches: NULL: none. Values are zero. */
tacStatus tac_hyper_pattern_create(const tacVolMesh *mesh, const tacHyperPatches *patches, tacSparse *pattern,
                                   tacError *error);
