/* A closed surface to move on: neighbours, normals, and walks in surface coordinates across triangles. Creation is for the
 * load phase; everything else is for any phase, without allocation and in bounded time. */
#pragma once

#include <stdbool.h>
#include <tactus/mesh.h>
#include "base/memory/array.h"
#include "mesh/surface_point.h"

typedef struct tacSurfaceWalk {
  const tacTriMesh *mesh;
  int (*neighbour)[3];    /* [triangle][side]: the triangle across side s, which runs from corner s to the next */
  tacVec3 *face_normal;   /* [triangle], unit, outward */
  tacVec3 *vertex_normal; /* [vertex], unit: mean of the faces' weighted by their angles */
  tacVec3 (*bulge)[3];    /* [triangle][side], m; NULL: positions lie on the triangles */
  tacArrays arrays;
} tacSurfaceWalk;

/* Refers to `mesh`, which must outlive it. Where parts of a solid touch along an edge, a walk stays in the same space outside.
 * TAC_ERR_GEOMETRY where the triangles of an edge do not run along it in opposite directions by pairs, or a triangle has no
 * area. */
tacStatus tac_surface_walk_create(const tacTriMesh *mesh, tacSurfaceWalk *walk, tacError *error);
void tac_surface_walk_destroy(tacSurfaceWalk *walk); /* a zeroed struct is allowed */

/* Load phase. From now on positions lie on a surface that is curved as the normals of its vertices say, where no edge is sharp: over
 * each side a parabola (Phong tessellation by a half), t (1 - t) bulge. Facets of a smooth body are then not felt. */
tacStatus tac_surface_walk_round(tacSurfaceWalk *walk, tacError *error);

tacVec3 tac_surface_walk_position(const tacSurfaceWalk *walk, tacSurfacePoint at);
/* m: what of it is off the triangle. */
tacVec3 tac_surface_walk_bulge(const tacSurfaceWalk *walk, tacSurfacePoint at);
/* Unit, continuous over the surface: vertex normals interpolated (Phong). */
tacVec3 tac_surface_walk_normal(const tacSurfaceWalk *walk, tacSurfacePoint at);
/* Surface coordinates of a point in the plane of a triangle; what lies outside is brought to the nearest edge. */
tacSurfacePoint tac_surface_walk_locate(const tacSurfaceWalk *walk, int triangle, tacVec3 p);

/* Moves `at` along the surface by `step` (m): the step's part in the plane of the triangle is followed straight on and
 * unfolded over the edges that it crosses, at most `most_crossings` of them. False where that bound ended the walk. */
bool tac_surface_walk_move(const tacSurfaceWalk *walk, tacVec3 step, int most_crossings, tacSurfacePoint *at);
