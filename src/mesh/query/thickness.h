/* How thick is a solid under each triangle of its surface? */
#pragma once

#include <tactus/mesh.h>

/* How thick a closed surface's solid is, m: the thickness below which are triangles with `share` (0 to 1) of its area, measured
 * by rays inward from their centroids. 0.05 passes over sharp edges and tips. Infinity where no triangle bounds a solid.
 * TAC_ERR_GEOMETRY where the surface is not closed. Offline. */
tacStatus tac_surface_thickness(const tacTriMesh *mesh, double share, double *thickness, tacError *error);

/* thickness[t] becomes the length, m, of the ray from the centroid of triangle t against its normal to where it leaves the solid.
 * The solid is where the winding number is not 0, so parts that overlap are one: the ray goes through their walls.
 * Infinity where triangle t does not bound the solid (degenerate, inside another part, or facing into it); walls where
 * parts touch may count as bounding it or not. The mesh must be closed (tac_trimesh_require_closed). Which triangles a ray
 * crosses is decided exactly: none slips through an edge. The same for any number of threads. */
tacStatus tac_thickness_measure(const tacTriMesh *mesh, double *thickness, tacError *error);

/* The least thickness such that triangles of at most that one have the share `share` (0 to 1) of the area of all whose
 * thickness is finite; infinity where there are none. 0 gives the least of all.
 *
 * Beside a sharp edge of angle a < 90 deg the ray from a place x away from it is x tan a long, and at a needle's tip as
 * short as one likes: the least says how fine the triangles are there, not how thick the body is. A quantile leaves that
 * out: of a flank as wide as w, lengths below s take the share s / (w tan a), so 0.05 passes over them. Edges of 90 deg and
 * more, as of a cube, shorten no ray. */
double tac_thickness_quantile(const tacTriMesh *mesh, const double *thickness, double share);

/* Both: the thickness that triangles with this share of the area do not exceed. */
tacStatus tac_thickness_of_share(const tacTriMesh *mesh, double share, double *thickness, tacError *error);
