/* The union of axis-aligned boxes, meshed exactly. Offline. */
#pragma once

#include <tactus/mesh.h>
#include "base/error.h"

/* The boundary of the union of `count` boxes: right triangles whose legs are at most about `size` long. No two boxes may
 * touch along an edge or at a corner alone, else the surface is not a manifold. More than 400^3 nodes: TAC_ERR_ARGUMENT. */
tacStatus tac_cuboids_mesh(int count, const tacBox *boxes, double size, tacTriMesh **mesh, tacError *error);
/* The same union filled with bricks, at least two of them through whatever is as thick as one of the boxes: one alone is far too
 * stiff in bending. Edges of at most about `size`; the planes of all faces cut everything. */
tacStatus tac_cuboids_bricks(int count, const tacBox *boxes, double size, tacVolMesh **mesh, tacError *error);
