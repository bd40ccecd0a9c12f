/* Four triangles side by side against one point, in single precision: the inner loop of distance fields. */
#pragma once

#include <tactus/mesh.h>
#include "mesh/query/box_tree.h"

/* Each triangle in a frame of its own, with corner a at the origin, b on the first axis and c in the plane of the first two:
 * there three distances to edges are plane geometry (Jones 1995). Lengths in the tree's coordinates. */
typedef struct tacTriangleBlock {
  float a[3][TAC_BOX_TREE_WIDTH];
  float axis[3][3][TAC_BOX_TREE_WIDTH];      /* axis[0] along a b, axis[2] the normal */
  float length[3][TAC_BOX_TREE_WIDTH];       /* of edges a b, b c, c a */
  float direction[2][2][TAC_BOX_TREE_WIDTH]; /* in the plane, of edges b c and c a; any for an edge of no length */
  float c[2][TAC_BOX_TREE_WIDTH];
} tacTriangleBlock;

/* The triangles of a leaf; lanes beyond `count` repeat the last. */
void tac_triangle_block_fill(const tacTriMesh *mesh, const tacBoxTree *tree, int first, int count,
                             tacTriangleBlock *block);

/* Squared distance in the plane from (x, y), taken from an edge's start, to the edge; `outer` is positive on its outer
 * side. */
static inline tacFloat4 tac_triangle_block_edge2(tacFloat4 along, tacFloat4 outer, tacFloat4 length) {
  tacFloat4 beyond = tac_float4_positive(along - length) + tac_float4_positive(-along);
  return beyond * beyond + outer * outer;
}

/* The least squared distance from `p` to the four triangles, in tree coordinates. */
static inline float tac_triangle_block_distance2(const tacTriangleBlock *block, const tacFloat4 p[3]) {
  tacFloat4 local[3];
  const tacFloat4 q[3] = {p[0] - tac_float4_load(block->a[0]), p[1] - tac_float4_load(block->a[1]),
                          p[2] - tac_float4_load(block->a[2])};
  for (int i = 0; i < 3; ++i)
    local[i] = tac_float4_load(block->axis[i][0]) * q[0] + tac_float4_load(block->axis[i][1]) * q[1] +
               tac_float4_load(block->axis[i][2]) * q[2];
  const tacFloat4 x = local[0], y = local[1];
  /* Edge a b runs along the first axis: its outer side is -y. The outer normal of direction (u, v) is (v, -u). */
  tacFloat4 outer_ab = -y;
  tacFloat4 d2 = tac_triangle_block_edge2(x, outer_ab, tac_float4_load(block->length[0]));
  tacFloat4 u = tac_float4_load(block->direction[0][0]), v = tac_float4_load(block->direction[0][1]);
  tacFloat4 from_b = x - tac_float4_load(block->length[0]);
  tacFloat4 outer_bc = v * from_b - u * y;
  d2 = tac_float4_min(d2, tac_triangle_block_edge2(u * from_b + v * y, outer_bc, tac_float4_load(block->length[1])));
  u = tac_float4_load(block->direction[1][0]), v = tac_float4_load(block->direction[1][1]);
  tacFloat4 from_c_x = x - tac_float4_load(block->c[0]), from_c_y = y - tac_float4_load(block->c[1]);
  tacFloat4 outer_ca = v * from_c_x - u * from_c_y;
  d2 = tac_float4_min(
      d2, tac_triangle_block_edge2(u * from_c_x + v * from_c_y, outer_ca, tac_float4_load(block->length[2])));
  /* Points on an edge's line count as outside: a triangle of no area has no inside. */
  const tacFloat4 zero = tac_float4(0.0f);
  tacInt4 outside = (outer_ab >= zero) | (outer_bc >= zero) | (outer_ca >= zero);
  d2 = local[2] * local[2] + (tacFloat4)(outside & (tacInt4)d2);
  return tac_float4_least(d2);
}
