/* Distance fields against brute force: all triangles for a few nodes, and all nodes against their neighbours. Offline.
 *
 * Nodes on the box, in the band and anywhere, chosen at random: distance to every triangle, and inside where the sum
 * of all solid angles says so; beyond the band the value may be 4.5 voxels too large. A distance changes by no more
 * than the way: neighbours in the band differ by a voxel at most, others by 5.5. Errors are in voxels. Distances are
 * measured in floats that hold the whole box, so that rounding makes about 2^-24 of its side; allowed is a hundred
 * times that, and 1e-3 voxels at least. Plain loops on one thread. */
#pragma once

#include <tactus/distance_field.h>
#include <tactus/mesh.h>
#include "base/files/bake_check.h"
#include "math/random.h"

/* Distance from p to the nearest triangle. */
double tac_field_check_distance(const tacTriMesh *mesh, tacVec3 p);
/* Whether p is inside of a closed mesh, by the sum of all solid angles. */
bool tac_field_check_inside(const tacTriMesh *mesh, tacVec3 p);
/* A random number from 0 to count - 1. */
int tac_field_check_choose(tacRandom *random, int count);

/* Adds three checks of the signed distance to a closed mesh; `band` in voxels. The third compares the volume where the interpolant is
 * negative with that of the solid (tac_trimesh_solid_volume), and allows any: from 10 % on a warning in the log says so, and how many
 * voxels would do. */
tacStatus tac_field_check(const tacTriMesh *mesh, const tacGrid *grid, double band, tacBakeChecks *checks,
                          tacError *error);
/* Adds one: random vertices of the surface are as far from the soup as the offset says, which interpolation between
 * nodes keeps to a voxel, and to 4.5 more where nodes are not exact. */
tacStatus tac_field_check_offset(const tacTriMesh *soup, const tacTriMesh *surface, double offset, double voxel,
                                 double band, tacBakeChecks *checks, tacError *error);
/* Adds one: random vertices of the surface of what `solid` and `region` have in common are on that of one and inside
 * the other, likewise. */
tacStatus tac_field_check_cut(const tacDistanceField *solid, const tacDistanceField *region, const tacTriMesh *surface,
                              tacBakeChecks *checks, tacError *error);
