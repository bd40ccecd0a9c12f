/* Even triangles for the same surface, as many as before. */
#pragma once

#include <tactus/mesh.h>

/* Improves `mesh`, a coarse closed manifold that follows the closed surface `original`: flips edges towards well-shaped
 * triangles near the surface, moves vertices to the middle of the part of the surface that they stand for, along ridges where
 * they are on one (from about 40 degrees), and at last fits them, so that the mesh lies outside the surface as much as inside
 * and detail smaller than its triangles is averaged. The counts, topology and orientation stay, groups are not kept, and
 * there are no more self-intersections than before. TAC_ERR_GEOMETRY where a surface is not closed or an edge of `mesh` has
 * more than two triangles. The same meshes give the same result. */
tacStatus tac_trimesh_relax(const tacTriMesh *mesh, const tacTriMesh *original, tacTriMesh **relaxed, tacError *error);
