/* Closes the boundary loops of a surface. */
#pragma once

#include <tactus/mesh.h>

/* Appends triangles to `mesh`, which should be oriented consistently: the triangulation of least area of each boundary loop
 * (Barequet and Sharir 1995), or where that would repeat an edge of the mesh, or the loop has more than 500 edges, a fan
 * about a new vertex at its centroid. A loop around a single triangle stays open. */
tacStatus tac_hole_filling(tacTriMesh *mesh, int *filled_holes, tacError *error);
