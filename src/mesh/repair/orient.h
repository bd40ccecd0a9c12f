/* Which way do the triangles of a surface face? */
#pragma once

#include <tactus/mesh.h>

/* Both turn triangles of `mesh` over and toggle flipped[t] (one byte for each triangle) as they do. */

/* Makes neighbours across edges of two triangles agree, by turning over the fewer triangles of each component. Where a
 * component has no orientation (a Moebius strip) some neighbours go on to disagree. */
tacStatus tac_orient_consistently(tacTriMesh *mesh, unsigned char *flipped, tacError *error);

/* For a mesh that is oriented consistently: makes closed components face outward. One without a triangle marked in
 * `flipped` had an orientation before, which may say that it is a cavity: it is turned over only together with all of
 * those where their volumes sum to less than 0, or where it faces inward and the winding number of the other closed
 * components around it is 0. */
tacStatus tac_orient_outward(tacTriMesh *mesh, unsigned char *flipped, tacError *error);
