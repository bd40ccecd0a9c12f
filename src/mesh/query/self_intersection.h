/* Which triangles of a mesh intersect others? */
#pragma once

#include <tactus/mesh.h>

/* Pairs of triangles that meet other than at shared corners and edges (INT_MAX stands for more). Triangles for which
 * `skip` (one byte each) is not 0 take no part. */
tacStatus tac_self_intersection_count(const tacTriMesh *mesh, const unsigned char *skip, int *pairs, tacError *error);

/* Joins the sets (mesh/disjoint_sets.h) of labels whose triangles meet so; triangle t has the label labels[t]. */
tacStatus tac_self_intersection_join(const tacTriMesh *mesh, const unsigned char *skip, const int *labels, int *sets,
                                     tacError *error);
