#include "mesh/query/box_tree.h"

#include <float.h>
#include <stdlib.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"

/* Splits are at the object median along the longest side, at a multiple of the leaf size: leaves are full, the tree is
 * balanced whatever the input, and nearest-point queries lose little against surface-area heuristics on meshes. */

TAC_OWNED_TYPE(tacBoxTree, tac_box_tree_destroy)

typedef struct {
  float centre[3];
  int item;
} Entry;

typedef struct {
  const tacBox *boxes;
  Entry *entries;
  tacBoxTree *tree;
} Builder;

static int longest_axis(const Entry *entries, int first, int count) {
  float lower[3] = {FLT_MAX, FLT_MAX, FLT_MAX}, upper[3] = {-FLT_MAX, -FLT_MAX, -FLT_MAX};
  for (int i = first; i < first + count; ++i)
    for (int a = 0; a < 3; ++a) {
      float c = entries[i].centre[a];
      if (c < lower[a]) lower[a] = c;
      if (c > upper[a]) upper[a] = c;
    }
  int axis = 0;
  for (int a = 1; a < 3; ++a)
    if (upper[a] - lower[a] > upper[axis] - lower[axis]) axis = a;
  return axis;
}

/* Quickselect: afterwards entries before `middle` are not above those from it on. */
static void select_median(Entry *entries, int first, int last, int middle, int axis) {
  while (first < last) {
    float pivot = entries[first + (last - first) / 2].centre[axis];
    int i = first, j = last;
    while (i <= j) {
      while (entries[i].centre[axis] < pivot) ++i;
      while (entries[j].centre[axis] > pivot) --j;
      if (i <= j) {
        Entry swap = entries[i];
        entries[i++] = entries[j];
        entries[j--] = swap;
      }
    }
    if (middle <= j) {
      last = j;
    } else if (middle >= i) {
      first = i;
    } else {
      return;
    }
  }
}

/* The first half, rounded so that it fills whole leaves: less than `count`, which is above that of a leaf. */
static int split(Entry *entries, int first, int count) {
  int half = (count / 2 + TAC_BOX_TREE_LEAF - 1) / TAC_BOX_TREE_LEAF * TAC_BOX_TREE_LEAF;
  select_median(entries, first, first + count - 1, first + half, longest_axis(entries, first, count));
  return half;
}

static void set_box(const tacBoxTree *tree, tacBox box, float to_centre[3][4], float to_half[3][4], int lane) {
  tacVec3 lower = tac_box_tree_local(tree, box.lower), upper = tac_box_tree_local(tree, box.upper);
  tacVec3 centre = tac_vec3_mix(lower, upper, 0.5), half = tac_vec3_scale(0.5, tac_vec3_sub(upper, lower));
  const double c[3] = {centre.x, centre.y, centre.z}, h[3] = {half.x, half.y, half.z};
  for (int a = 0; a < 3; ++a) {
    /* Coordinates are within [-1, 1]: this margin covers the rounding of boxes and of query points near them. */
    to_centre[a][lane] = (float)c[a];
    to_half[a][lane] = (float)(h[a] + 4.0 * FLT_EPSILON);
  }
}

static tacBox box_of(const Builder *builder, int first, int count) {
  tacBox box = tac_box_empty();
  for (int i = first; i < first + count; ++i) box = tac_box_join(box, builder->boxes[builder->entries[i].item]);
  return box;
}

static int build(Builder *builder, int first, int count) {
  int index = builder->tree->node_count++;
  int starts[TAC_BOX_TREE_WIDTH] = {first}, counts[TAC_BOX_TREE_WIDTH] = {count}, parts = 1;
  while (parts < TAC_BOX_TREE_WIDTH) {
    int widest = 0;
    for (int c = 1; c < parts; ++c)
      if (counts[c] > counts[widest]) widest = c;
    if (counts[widest] <= TAC_BOX_TREE_LEAF) break;
    int half = split(builder->entries, starts[widest], counts[widest]);
    starts[parts] = starts[widest] + half;
    counts[parts] = counts[widest] - half;
    counts[widest] = half;
    ++parts;
  }
  for (int c = 0; c < TAC_BOX_TREE_WIDTH; ++c) {
    tacBoxTreeNode *node = &builder->tree->nodes[index];
    if (c >= parts) {
      for (int a = 0; a < 3; ++a) node->centre[a][c] = INFINITY;
      node->count[c] = -1;
      continue;
    }
    set_box(builder->tree, box_of(builder, starts[c], counts[c]), node->centre, node->half, c);
    if (counts[c] <= TAC_BOX_TREE_LEAF) {
      node->first[c] = starts[c];
      node->count[c] = counts[c];
    } else {
      node->count[c] = 0;
      node->first[c] = build(builder, starts[c], counts[c]);
    }
  }
  return index;
}

tacStatus tac_box_tree_create(int item_count, const tacBox *boxes, tacBoxTree **result, tacError *error) {
  *result = NULL;
  tacBox whole = tac_box_empty();
  for (int i = 0; i < item_count; ++i) {
    tacVec3 l = boxes[i].lower, u = boxes[i].upper;
    if (!(l.x <= u.x && l.y <= u.y && l.z <= u.z && l.x >= -1e100 && l.y >= -1e100 && l.z >= -1e100 && u.x <= 1e100 &&
          u.y <= 1e100 && u.z <= 1e100))
      return tac_error_set(error, TAC_ERR_GEOMETRY, "item %d has coordinates that are NaN, infinite or beyond 1e100",
                           i);
    whole = tac_box_join(whole, boxes[i]);
  }
  TAC_OWN(tacBoxTree, tree) = NULL;
  TAC_MEMORY(Entry, entries) = NULL;
  TAC_TRY(TAC_ARRAY(tree, 1, "a box tree", error));
  double half = 0.5 * tac_box_longest(whole);
  tree->origin = tac_box_centre(whole);
  tree->scale = half > 0.0 ? 1.0 / half : 1.0;
  tree->item_count = item_count;
  TAC_TRY(TAC_ARRAY(tree->order, (size_t)item_count, "a box tree", error));
  TAC_TRY(TAC_ARRAY(entries, (size_t)item_count, "a box tree", error));
  /* Every node but the root and the lowest has four children; item_count nodes are always enough. */
  TAC_TRY(TAC_ARRAY(tree->nodes, (size_t)item_count, "a box tree", error));
  for (int i = 0; i < item_count; ++i) {
    tacVec3 c = tac_box_tree_local(tree, tac_box_centre(boxes[i]));
    entries[i] = (Entry){{(float)c.x, (float)c.y, (float)c.z}, i};
  }
  int leaves = (item_count + TAC_BOX_TREE_LEAF - 1) / TAC_BOX_TREE_LEAF;
  TAC_TRY(TAC_ARRAY(tree->leaves, (size_t)leaves, "a box tree", error));
  build(&(Builder){boxes, entries, tree}, 0, item_count);
  for (int i = 0; i < item_count; ++i) {
    tacBoxTreeLeaf *leaf = &tree->leaves[i / TAC_BOX_TREE_LEAF];
    tree->order[i] = entries[i].item;
    set_box(tree, boxes[tree->order[i]], leaf->centre, leaf->half, i % TAC_BOX_TREE_LEAF);
  }
  for (int i = item_count; i < leaves * TAC_BOX_TREE_LEAF; ++i)
    for (int a = 0; a < 3; ++a) tree->leaves[leaves - 1].centre[a][i % TAC_BOX_TREE_LEAF] = INFINITY;
  tacBoxTreeNode *nodes = realloc(tree->nodes, (size_t)tree->node_count * sizeof *nodes);
  if (nodes != NULL) tree->nodes = nodes;
  *result = tac_give(&tree);
  return TAC_OK;
}

tacStatus tac_box_tree_of_triangles(const tacTriMesh *mesh, tacBoxTree **tree, tacError *error) {
  TAC_MEMORY(tacBox, boxes) = NULL;
  TAC_TRY(TAC_ARRAY(boxes, (size_t)mesh->triangle_count, "boxes of triangles", error));
  for (int t = 0; t < mesh->triangle_count; ++t) {
    boxes[t] = tac_box_empty();
    for (int i = 0; i < 3; ++i) boxes[t] = tac_box_add(boxes[t], mesh->vertices[mesh->triangles[t].v[i]]);
  }
  return tac_box_tree_create(mesh->triangle_count, boxes, tree, error);
}

void tac_box_tree_destroy(tacBoxTree *tree) {
  if (tree == NULL) return;
  free(tree->order);
  free(tree->leaves);
  free(tree->nodes);
  free(tree);
}

int tac_box_tree_nearest(const tacBoxTree *tree, tacVec3 p, double bound2, tacBoxTreeDistanceFn distance2,
                         void *context, double *best2) {
  tacVec3 local = tac_box_tree_local(tree, p);
  const tacFloat4 q[3] = {tac_float4((float)local.x), tac_float4((float)local.y), tac_float4((float)local.z)};
  /* Box distances are floats: a relative slack keeps boxes that rounding puts just beyond the bound. */
  const double to_local = tree->scale * tree->scale * (1.0 + 1e-5);
  int best = -1;
  struct {
    int node;
    float distance2;
  } stack[TAC_BOX_TREE_STACK];
  int top = 0;
  stack[top].node = 0;
  stack[top++].distance2 = 0.0f;
  while (top > 0) {
    --top;
    if ((double)stack[top].distance2 > bound2 * to_local) continue;
    const tacBoxTreeNode *node = &tree->nodes[stack[top].node];
    tacFloat4 d = tac_box_tree_distance2(node, q);
    int order[TAC_BOX_TREE_WIDTH], n = 0;
    for (int c = 0; c < TAC_BOX_TREE_WIDTH && node->count[c] >= 0; ++c) {
      int at = n++;
      for (; at > 0 && d[order[at - 1]] < d[c]; --at) order[at] = order[at - 1];
      order[at] = c;
    }
    /* Leaves first, nearest first; then nodes are pushed farthest first. */
    for (int i = n - 1; i >= 0; --i) {
      int c = order[i];
      if (node->count[c] == 0 || (double)d[c] > bound2 * to_local) continue;
      const tacBoxTreeLeaf *leaf = &tree->leaves[node->first[c] / TAC_BOX_TREE_LEAF];
      const tacFloat4 away = tac_boxes_distance2(leaf->centre, leaf->half, q);
      for (int k = node->first[c]; k < node->first[c] + node->count[c]; ++k) {
        if ((double)away[k - node->first[c]] > bound2 * to_local) continue;
        double d2 = distance2(tree->order[k], p, context);
        if (d2 < bound2) {
          bound2 = d2;
          best = tree->order[k];
        }
      }
    }
    for (int i = 0; i < n; ++i) {
      int c = order[i];
      if (node->count[c] != 0 || (double)d[c] > bound2 * to_local) continue;
      stack[top].node = node->first[c];
      stack[top++].distance2 = d[c];
    }
  }
  if (best2 != NULL) *best2 = bound2;
  return best;
}

void tac_box_tree_overlap(const tacBoxTree *tree, tacBox box, tacBoxTreeVisitFn visit, void *context) {
  tacVec3 l = tac_box_tree_local(tree, box.lower), u = tac_box_tree_local(tree, box.upper);
  const double lower[3] = {l.x, l.y, l.z}, upper[3] = {u.x, u.y, u.z};
  int stack[TAC_BOX_TREE_STACK], top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const tacBoxTreeNode *node = &tree->nodes[stack[--top]];
    for (int c = 0; c < TAC_BOX_TREE_WIDTH && node->count[c] >= 0; ++c) {
      bool apart = false;
      for (int a = 0; a < 3; ++a) {
        double centre = node->centre[a][c], half = node->half[a][c];
        apart |= centre + half < lower[a] || centre - half > upper[a];
      }
      if (apart) continue;
      if (node->count[c] == 0) {
        stack[top++] = node->first[c];
        continue;
      }
      for (int k = node->first[c]; k < node->first[c] + node->count[c]; ++k)
        if (!visit(tree->order[k], context)) return;
    }
  }
}

/* Slabs: the part of the ray between the planes of each axis. Boxes are widened by more than rounding moves the ray. */
static bool ray_hits(const tacBoxTreeNode *node, int c, const double start[3], const double direction[3]) {
  double first = 0.0, last = INFINITY;
  for (int a = 0; a < 3; ++a) {
    double centre = (double)node->centre[a][c] - start[a], half = (double)node->half[a][c] + 1e-9;
    if (direction[a] == 0.0) {
      if (fabs(centre) > half) return false;
      continue;
    }
    double one = (centre - half) / direction[a], other = (centre + half) / direction[a];
    first = fmax(first, fmin(one, other));
    last = fmin(last, fmax(one, other));
  }
  return first <= last * (1.0 + 1e-9);
}

void tac_box_tree_ray(const tacBoxTree *tree, tacVec3 start, tacVec3 direction, tacBoxTreeVisitFn visit,
                      void *context) {
  tacVec3 p = tac_box_tree_local(tree, start);
  const double local[3] = {p.x, p.y, p.z}, along[3] = {direction.x, direction.y, direction.z};
  int stack[TAC_BOX_TREE_STACK], top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const tacBoxTreeNode *node = &tree->nodes[stack[--top]];
    for (int c = 0; c < TAC_BOX_TREE_WIDTH && node->count[c] >= 0; ++c) {
      if (!ray_hits(node, c, local, along)) continue;
      if (node->count[c] == 0) {
        stack[top++] = node->first[c];
        continue;
      }
      for (int k = node->first[c]; k < node->first[c] + node->count[c]; ++k)
        if (!visit(tree->order[k], context)) return;
    }
  }
}
