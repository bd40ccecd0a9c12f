#include "bake/meshing/bcc_octree.h"

#include <limits.h>
#include <stdlib.h>
#include "base/memory/array.h"

tacStatus tac_bcc_octree_init(tacBccOctree *tree, int depth, tacError *error) {
  *tree = (tacBccOctree){.depth = depth};
  TAC_TRY(tac_array_reserve((void **)&tree->nodes, &tree->room, 1, sizeof *tree->nodes, "octree", error));
  tree->nodes[0] = (tacCubeNode){0};
  tree->node_count = 1;
  return TAC_OK;
}

void tac_bcc_octree_free(tacBccOctree *tree) {
  free(tree->nodes);
  *tree = (tacBccOctree){0};
}

tacStatus tac_bcc_octree_split(tacBccOctree *tree, int node, tacError *error) {
  if (tree->node_count > INT_MAX - 8)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "more than %d octree nodes; use a larger size", INT_MAX);
  tacStatus status =
      tac_array_reserve((void **)&tree->nodes, &tree->room, tree->node_count + 8, sizeof *tree->nodes, "octree", error);
  if (status != TAC_OK) return status;
  for (int c = 0; c < 8; ++c)
    tree->nodes[tree->node_count + (size_t)c] = (tacCubeNode){.state = tree->nodes[node].state};
  tree->nodes[node].children = (int)tree->node_count;
  tree->node_count += 8;
  return TAC_OK;
}

tacCube tac_cube_child(tacCube cube, int which) {
  int side = 1 << (cube.level - 1);
  return (tacCube){cube.x + (which & 1) * side, cube.y + (which >> 1 & 1) * side, cube.z + (which >> 2) * side,
                   cube.level - 1};
}

static int child_at(tacCube cube, int level) {
  return (cube.x >> level & 1) | (cube.y >> level & 1) << 1 | (cube.z >> level & 1) << 2;
}

int tac_bcc_octree_find(const tacBccOctree *tree, tacCube cube, int *level) {
  if ((cube.x | cube.y | cube.z) < 0 || (cube.x | cube.y | cube.z) >> tree->depth != 0) return -1;
  int node = 0, at = tree->depth;
  while (at > cube.level && tree->nodes[node].children != 0) node = tree->nodes[node].children + child_at(cube, --at);
  *level = at;
  return node;
}

tacStatus tac_bcc_octree_make(tacBccOctree *tree, tacCube cube, int *node, tacError *error) {
  int at = cube.level;
  *node = tac_bcc_octree_find(tree, cube, &at);
  if (*node < 0) return tac_error_set(error, TAC_ERR_ARGUMENT, "no octree cube at %d, %d, %d", cube.x, cube.y, cube.z);
  while (at > cube.level) {
    TAC_TRY(tac_bcc_octree_split(tree, *node, error));
    *node = tree->nodes[*node].children + child_at(cube, --at);
  }
  return TAC_OK;
}

static tacStatus walk(tacBccOctree *tree, int node, tacCube cube, bool children_first, tacCubeVisitFn visit,
                      void *context, tacError *error) {
  tacStatus status = children_first ? TAC_OK : visit(node, cube, context, error);
  for (int c = 0; c < 8 && status == TAC_OK && tree->nodes[node].children != 0; ++c)
    status = walk(tree, tree->nodes[node].children + c, tac_cube_child(cube, c), children_first, visit, context, error);
  return status == TAC_OK && children_first ? visit(node, cube, context, error) : status;
}

tacStatus tac_bcc_octree_walk(tacBccOctree *tree, bool children_first, tacCubeVisitFn visit, void *context,
                              tacError *error) {
  return walk(tree, 0, (tacCube){0, 0, 0, tree->depth}, children_first, visit, context, error);
}
