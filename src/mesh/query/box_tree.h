/* A tree of boxes over the items of a mesh (triangles, elements): who is near, who overlaps. */
#pragma once

#include <stdint.h>
#include <tactus/base.h>
#include <tactus/mesh.h>
#include "base/error.h"
#include "math/geometry/float4.h"
#include "math/geometry/vec3.h"

#define TAC_BOX_TREE_WIDTH 4  /* children of a node: one vector */
#define TAC_BOX_TREE_LEAF 4   /* most items in a leaf; all leaves but the last are full */
#define TAC_BOX_TREE_STACK 64 /* enough for any traversal that pushes the children of a node: 3 a level, 4^16 items */

/* Four children side by side, so that one vector operation tests them all. Child c is a leaf of the items
 * order[first[c] .. first[c] + count[c]) where count[c] > 0, node first[c] where count[c] == 0, and absent (infinitely far
 * from everything) where count[c] < 0. Boxes are in the tree's own coordinates, rounded outward. */
typedef struct tacBoxTreeNode {
  float centre[3][TAC_BOX_TREE_WIDTH], half[3][TAC_BOX_TREE_WIDTH]; /* of the boxes */
  int32_t first[TAC_BOX_TREE_WIDTH], count[TAC_BOX_TREE_WIDTH];
} tacBoxTreeNode;

/* The items of a leaf likewise; absent ones are infinitely far away. */
typedef struct tacBoxTreeLeaf {
  float centre[3][TAC_BOX_TREE_LEAF], half[3][TAC_BOX_TREE_LEAF];
} tacBoxTreeLeaf;

typedef struct tacBoxTree {
  int item_count, node_count;
  int *order;             /* items, leaf by leaf */
  tacBoxTreeLeaf *leaves; /* of items from `first` on: leaves[first / TAC_BOX_TREE_LEAF] */
  tacBoxTreeNode *nodes;  /* the root is node 0; children come after their parent */
  tacVec3 origin;         /* tree coordinates are scale (p - origin): items lie within [-1, 1] */
  double scale;
} tacBoxTree;

/* item_count at least 1. TAC_ERR_GEOMETRY where a box is empty, not finite or beyond 1e100. */
tacStatus tac_box_tree_create(int item_count, const tacBox *boxes, tacBoxTree **tree, tacError *error);
/* Of the triangles of a mesh that has any. */
tacStatus tac_box_tree_of_triangles(const tacTriMesh *mesh, tacBoxTree **tree, tacError *error);
void tac_box_tree_destroy(tacBoxTree *tree); /* NULL is allowed */

static inline tacVec3 tac_box_tree_local(const tacBoxTree *tree, tacVec3 p) {
  return tac_vec3_scale(tree->scale, tac_vec3_sub(p, tree->origin));
}
static inline tacFloat4 tac_boxes_distance2(const float centre[3][4], const float half[3][4], const tacFloat4 p[3]) {
  tacFloat4 sum = tac_float4(0.0f);
  for (int axis = 0; axis < 3; ++axis) {
    tacFloat4 d = tac_float4_abs(p[axis] - tac_float4_load(centre[axis])) - tac_float4_load(half[axis]);
    d = tac_float4_positive(d);
    sum += d * d;
  }
  return sum;
}
/* Squared distances from a point, in tree coordinates, to the boxes of the children. */
static inline tacFloat4 tac_box_tree_distance2(const tacBoxTreeNode *node, const tacFloat4 p[3]) {
  return tac_boxes_distance2(node->centre, node->half, p);
}
/* The same; bit c of the result is set where that of child c is below `bound2`. */
static inline unsigned tac_box_tree_nearer(const tacBoxTreeNode *node, const tacFloat4 p[3], float bound2,
                                           float distance2[TAC_BOX_TREE_WIDTH]) {
  tacFloat4 d2 = tac_box_tree_distance2(node, p);
  memcpy(distance2, &d2, sizeof d2);
  return tac_int4_bits(d2 < tac_float4(bound2));
}

/* The item with the least squared distance to `p`, as `distance2` computes it (never less than the squared distance to the
 * item's box), among those below `bound2`; -1 where there is none. `*best2` (may be NULL) receives the distance. */
typedef double (*tacBoxTreeDistanceFn)(int item, tacVec3 p, void *context);
int tac_box_tree_nearest(const tacBoxTree *tree, tacVec3 p, double bound2, tacBoxTreeDistanceFn distance2,
                         void *context, double *best2);

/* Calls `visit` at least for every item whose box overlaps or touches `box`, and for some others of the same leaves; stops
 * where it returns 0. */
typedef int (*tacBoxTreeVisitFn)(int item, void *context);
void tac_box_tree_overlap(const tacBoxTree *tree, tacBox box, tacBoxTreeVisitFn visit, void *context);
/* The same for items whose box the ray from `start` along `direction` meets. */
void tac_box_tree_ray(const tacBoxTree *tree, tacVec3 start, tacVec3 direction, tacBoxTreeVisitFn visit, void *context);
