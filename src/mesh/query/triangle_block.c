#include "mesh/query/triangle_block.h"

/* Some unit vector across `a`, which has unit length. */
static tacVec3 across(tacVec3 a) {
  tacVec3 other = fabs(a.x) < 0.5 ? tac_vec3(1.0, 0.0, 0.0) : tac_vec3(0.0, 1.0, 0.0);
  return tac_vec3_unit(tac_vec3_cross(a, other));
}

static void set(float rows[][TAC_BOX_TREE_WIDTH], int lane, int count, const double *values) {
  for (int i = 0; i < count; ++i) rows[i][lane] = (float)values[i];
}

/* A triangle of no area is its longest edge: that becomes a b, c lies on it, and the other edges run backwards, so that every
 * point is on the outer side of one of them. */
static void fill_lane(tacVec3 a, tacVec3 b, tacVec3 c, int lane, tacTriangleBlock *block) {
  tacVec3 twice_area = tac_vec3_cross(tac_vec3_sub(b, a), tac_vec3_sub(c, a)), normal = tac_vec3_unit(twice_area);
  double longest = fmax(tac_vec3_distance(a, b), fmax(tac_vec3_distance(b, c), tac_vec3_distance(c, a)));
  bool flat = tac_vec3_norm(twice_area) <= 1e-7 * longest * longest; /* a height that single precision cannot tell */
  for (int turn = 0; flat && turn < 2; ++turn)
    if (tac_vec3_distance(a, b) < longest) {
      tacVec3 first_corner = a;
      a = b;
      b = c;
      c = first_corner;
    }
  tacVec3 ab = tac_vec3_sub(b, a), ac = tac_vec3_sub(c, a), first = tac_vec3_unit(ab);
  if (tac_vec3_norm2(first) == 0.0) first = tac_vec3(1.0, 0.0, 0.0);
  if (flat) normal = across(first);
  tacVec3 second = tac_vec3_cross(normal, first);
  const tacVec3 axes[3] = {first, second, normal};
  for (int i = 0; i < 3; ++i) set(block->axis[i], lane, 3, (double[3]){axes[i].x, axes[i].y, axes[i].z});
  set(block->a, lane, 3, (double[3]){a.x, a.y, a.z});
  double bx = tac_vec3_norm(ab), cx = tac_vec3_dot(ac, first), cy = tac_vec3_dot(ac, second);
  double bc = hypot(cx - bx, cy), ca = hypot(cx, cy);
  set(block->length, lane, 3, (double[3]){bx, bc, ca});
  set(block->c, lane, 2, (double[2]){cx, cy});
  set(block->direction[0], lane, 2, (double[2]){bc > 0.0 ? (cx - bx) / bc : -1.0, bc > 0.0 ? cy / bc : 0.0});
  set(block->direction[1], lane, 2, (double[2]){ca > 0.0 ? -cx / ca : -1.0, ca > 0.0 ? -cy / ca : 0.0});
}

void tac_triangle_block_fill(const tacTriMesh *mesh, const tacBoxTree *tree, int first, int count,
                             tacTriangleBlock *block) {
  for (int lane = 0; lane < TAC_BOX_TREE_WIDTH; ++lane) {
    const int *v = mesh->triangles[tree->order[first + (lane < count ? lane : count - 1)]].v;
    tacVec3 corner[3];
    for (int i = 0; i < 3; ++i) corner[i] = tac_box_tree_local(tree, mesh->vertices[v[i]]);
    fill_lane(corner[0], corner[1], corner[2], lane, block);
  }
}
