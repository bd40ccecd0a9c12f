/* Fewer vertices for the same surface. */
#pragma once

#include <tactus/mesh.h>

/* Collapses edges of a closed manifold surface, cheapest first, until `vertex_count` vertices are left. The cost is the
 * quadric error (Garland and Heckbert 1997) with a part that grows with the edge, which keeps triangles even where the
 * surface is flat. Topology and orientation stay; groups are not kept. TAC_ERR_GEOMETRY where the surface is not closed or
 * no edge can go before the count is reached. The same mesh gives the same result. */
tacStatus tac_trimesh_simplify(const tacTriMesh *mesh, int vertex_count, tacTriMesh **simplified, tacError *error);

/* The same with edges that are alike everywhere, at the price of detail: no collapse makes one longer than `longest`, and where
 * none is left that may go there are more vertices than `vertex_count`. */
tacStatus tac_trimesh_coarsen(const tacTriMesh *mesh, int vertex_count, double longest, tacTriMesh **coarse,
                              tacError *error);
