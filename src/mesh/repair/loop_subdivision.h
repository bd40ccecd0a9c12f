/* Smooth surfaces from coarse cages: Loop's subdivision (Loop 1987). */
#pragma once

#include <stdbool.h>
#include <tactus/mesh.h>

/* Divides each triangle of a closed surface in four, `levels` times (0 to 10). A vertex keeps its number; the new ones, one an
 * edge, follow. Triangle t becomes 4 t to 4 t + 3: those at its corners, in their order, then the middle one. With `limit` all
 * vertices are moved to where endless subdivision would bring them, which is the same place from every level. Groups are
 * dropped. TAC_ERR_GEOMETRY where an edge does not have two triangles that run along it in opposite directions. */
tacStatus tac_loop_subdivide(const tacTriMesh *mesh, int levels, bool limit, tacTriMesh **out, tacError *error);
