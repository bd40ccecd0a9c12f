/* Exact queries on a triangle mesh: closest triangle, winding number. */
#pragma once

#include <tactus/mesh.h>
#include "mesh/query/box_tree.h"

typedef struct tacTriangleTree tacTriangleTree;

/* Refers to `mesh`, which must be valid and not empty and must outlive the tree. */
tacStatus tac_triangle_tree_create(const tacTriMesh *mesh, tacTriangleTree **tree, tacError *error);
void tac_triangle_tree_destroy(tacTriangleTree *tree); /* NULL is allowed */

/* Unsigned distance to the nearest triangle, and which it is and where; both may be NULL. */
double tac_triangle_tree_distance(const tacTriangleTree *tree, tacVec3 p, int *triangle, tacVec3 *closest);
/* The same, faster where `guess` is a triangle near to the nearest; below zero: none is known. */
double tac_triangle_tree_distance_from(const tacTriangleTree *tree, tacVec3 p, int guess, int *triangle,
                                       tacVec3 *closest);

/* Generalised winding number: 1 inside a closed outward-facing mesh, 0 outside, with an error below 0.01. Far clusters of
 * triangles are dipoles and quadrupoles (Barill et al. 2018), near ones exact solid angles. */
double tac_triangle_tree_winding(const tacTriangleTree *tree, tacVec3 p);

/* Distance to a closed mesh, negative where the winding number is not zero. */
double tac_triangle_tree_signed_distance(const tacTriangleTree *tree, tacVec3 p);

/* The box tree underneath. */
const tacBoxTree *tac_triangle_tree_boxes(const tacTriangleTree *tree);
