/* An octree of cubes, addressed by integer coordinates. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "base/error.h"

typedef enum tacCubeState {
  TAC_CUBE_OUTSIDE, /* no point of it is inside */
  TAC_CUBE_INSIDE,  /* no point of it is outside or on the surface */
  TAC_CUBE_SAMPLED  /* of the finest level; its corners and centre are lattice points with values */
} tacCubeState;

typedef struct tacCubeNode {
  int children;        /* the first of eight; 0 for a leaf */
  unsigned char state; /* tacCubeState of a leaf */
  bool at_surface;     /* a sampled cube that must stay as small as it is */
} tacCubeNode;

/* A cube of level l has sides of 2^l finest cubes, and its lowest corner at (x, y, z) finest cubes. The root, node 0, has
 * level `depth`. */
typedef struct tacCube {
  int x, y, z, level;
} tacCube;

typedef struct tacBccOctree {
  int depth;
  size_t node_count, room;
  tacCubeNode *nodes;
} tacBccOctree;

tacStatus tac_bcc_octree_init(tacBccOctree *tree, int depth, tacError *error);
void tac_bcc_octree_free(tacBccOctree *tree); /* a zeroed struct is allowed */
/* Gives a leaf eight children of its own state. */
tacStatus tac_bcc_octree_split(tacBccOctree *tree, int node, tacError *error);
tacCube tac_cube_child(tacCube cube, int which);
/* The node of `cube`, or the leaf that contains it; `*level` is its level. -1 outside the root. */
int tac_bcc_octree_find(const tacBccOctree *tree, tacCube cube, int *level);
/* Splits leaves until `cube` has a node of its own. */
tacStatus tac_bcc_octree_make(tacBccOctree *tree, tacCube cube, int *node, tacError *error);

/* Calls `visit` for every node, parents first or children first; stops at the first error. */
typedef tacStatus (*tacCubeVisitFn)(int node, tacCube cube, void *context, tacError *error);
tacStatus tac_bcc_octree_walk(tacBccOctree *tree, bool children_first, tacCubeVisitFn visit, void *context,
                              tacError *error);
