#include "collide/surface_boxes.h"

#include <float.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "mesh/edge_table.h"

/* ---- creation ---- */

static tacStatus list_stars(tacSurfaceBoxes *s, tacError *error) {
  const tacTriMesh *mesh = s->mesh;
  int side_count = 3 * mesh->triangle_count;
  s->star_first = tac_arrays_add(&s->arrays, (size_t)mesh->vertex_count + 2, sizeof *s->star_first);
  s->star = tac_arrays_add(&s->arrays, (size_t)side_count, sizeof *s->star);
  TAC_TRY(tac_arrays_status(&s->arrays, "a surface's vertices", error));
  /* Counting sort: `star_first[v + 1]` increases to the end of the sides of vertex v while the sides are stored. */
  for (int side = 0; side < side_count; ++side) ++s->star_first[(size_t)tac_side_start(mesh, side) + 2];
  for (size_t v = 2; v < (size_t)mesh->vertex_count + 2; ++v) s->star_first[v] += s->star_first[v - 1];
  for (int side = 0; side < side_count; ++side) s->star[s->star_first[(size_t)tac_side_start(mesh, side) + 1]++] = side;
  return TAC_OK;
}

/* Assigns each vertex and edge to its owner: the first of its triangles in the order of the leaves. */
static void own(tacSurfaceBoxes *s, const tacEdgeTable *table, int *edge_number, int *last_leaf) {
  const tacTriMesh *mesh = s->mesh;
  int vertices = 0, corners = 0, leaf = 0, triangles = 0;
  for (int n = 0; n < s->tree->node_count; ++n) {
    for (int c = 0; c < TAC_BOX_TREE_WIDTH; ++c) {
      const tacBoxTreeNode *node = &s->tree->nodes[n];
      if (node->count[c] <= 0) continue;
      s->leaves[leaf] = (tacSurfaceLeaf){triangles, s->edge_count, vertices, corners, TAC_BOX_TREE_WIDTH * n + c};
      for (int k = node->first[c]; k < node->first[c] + node->count[c]; ++k) {
        int t = s->tree->order[k];
        s->leaf_triangles[triangles++] = t;
        for (int i = 0; i < 3; ++i) {
          int v = mesh->triangles[t].v[i];
          if (s->vertex_side[v] < 0) {
            s->vertex_side[v] = 3 * t + i;
            s->leaf_vertices[vertices++] = v;
          }
          if (last_leaf[v] != leaf + 1) s->leaf_corners[corners++] = v;
          last_leaf[v] = leaf + 1;
          s->owned_edge[t][i] = -1;
          if (tac_triangle_repeats_corner(mesh->triangles[t])) continue;
          const tacEdge *edge = tac_edge_table_find(table, v, mesh->triangles[t].v[(i + 1) % 3]);
          int number = (int)(edge - table->edges);
          if (edge_number[number] != 0) continue;
          edge_number[number] = 1;
          tacSurfaceEdge *made = &s->edges[s->edge_count];
          *made = (tacSurfaceEdge){{v, mesh->triangles[t].v[(i + 1) % 3]}, {t, -1}, {(i + 2) % 3, 0}};
          for (int k2 = edge->first; k2 < edge->first + edge->count && made->triangle[1] < 0; ++k2) {
            int side = table->sides[k2];
            if (side / 3 == t) continue;
            made->triangle[1] = side / 3;
            made->opposite[1] = (side % 3 + 2) % 3;
          }
          s->owned_edge[t][i] = s->edge_count++;
        }
      }
      s->leaf_of[n][c] = leaf++;
    }
  }
  s->leaf_count = leaf;
  s->leaves[leaf] = (tacSurfaceLeaf){triangles, s->edge_count, vertices, corners, 0};
}

static tacStatus make_leaves(tacSurfaceBoxes *s, tacError *error) {
  tacArrays *arrays = &s->arrays;
  size_t nodes = (size_t)s->tree->node_count, triangles = (size_t)s->mesh->triangle_count;
  size_t vertices = (size_t)s->mesh->vertex_count, leaves = TAC_BOX_TREE_WIDTH * nodes;
  TAC_FREED(tac_edge_table_free, tacEdgeTable, table) = {0};
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  TAC_TRY(tac_edge_table_create(s->mesh, &table, error));
  size_t edges = (size_t)table.edge_count;
  int *edge_number = tac_arrays_add(&work, edges, sizeof *edge_number);
  int *last_leaf = tac_arrays_add(&work, vertices, sizeof *last_leaf);
  s->leaf_of = tac_arrays_add(arrays, nodes, sizeof *s->leaf_of);
  s->leaves = tac_arrays_add(arrays, leaves + 1, sizeof *s->leaves);
  s->leaf_triangles = tac_arrays_add(arrays, triangles, sizeof *s->leaf_triangles);
  s->leaf_vertices = tac_arrays_add(arrays, vertices, sizeof *s->leaf_vertices);
  s->leaf_corners = tac_arrays_add(arrays, 3 * triangles, sizeof *s->leaf_corners);
  s->edges = tac_arrays_add(arrays, edges, sizeof *s->edges);
  s->owned_edge = tac_arrays_add(arrays, triangles, sizeof *s->owned_edge);
  s->vertex_side = tac_arrays_add(arrays, vertices, sizeof *s->vertex_side);
  s->vertices = tac_arrays_add(arrays, vertices, sizeof *s->vertices);
  s->places = tac_arrays_add(arrays, vertices, sizeof *s->places);
  s->faces = tac_arrays_add(arrays, triangles, sizeof *s->faces);
  s->ridges = tac_arrays_add(arrays, edges, sizeof *s->ridges);
  s->slabs = tac_arrays_add(arrays, leaves, sizeof *s->slabs);
  s->normals = tac_arrays_add(arrays, vertices, sizeof *s->normals);
  s->normal_shape = tac_arrays_add(arrays, vertices, sizeof *s->normal_shape);
  size_t near = (TAC_SURFACE_LEVELS + 1) * leaves;
  s->near_most = near < INT_MAX ? (int)near : INT_MAX;
  s->near = tac_arrays_add(arrays, near, sizeof *s->near);
  s->pairs = tac_arrays_add(arrays, leaves, sizeof *s->pairs);
  s->listed = tac_arrays_add(arrays, leaves, sizeof *s->listed);
  TAC_TRY(tac_arrays_status(&work, "a surface's boxes", error));
  TAC_TRY(tac_arrays_status(arrays, "a surface's boxes", error));
  for (size_t v = 0; v < vertices; ++v) s->vertex_side[v] = -1;
  for (size_t leaf = 0; leaf < leaves; ++leaf) s->pairs[leaf] = -1;
  own(s, &table, edge_number, last_leaf);
  return TAC_OK;
}

static void refit(tacSurfaceBoxes *s);

tacStatus tac_surface_boxes_create(const tacTriMesh *mesh, tacSurfaceBoxes **surface, tacError *error) {
  *surface = NULL;
  if (mesh->triangle_count < 1) return tac_error_set(error, TAC_ERR_GEOMETRY, "the surface has no triangles");
  if (mesh->triangle_count > TAC_SURFACE_MOST_TRIANGLES)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED,
                         "the surface has too many triangles (%d); at most %d are "
                         "supported",
                         mesh->triangle_count, TAC_SURFACE_MOST_TRIANGLES);
  TAC_OWN(tacSurfaceBoxes, made) = NULL;
  TAC_TRY(TAC_ARRAY(made, 1, "a surface's boxes", error));
  made->mesh = mesh;
  TAC_TRY(tac_box_tree_of_triangles(made->mesh, &made->tree, error));
  TAC_TRY(list_stars(made, error));
  TAC_TRY(make_leaves(made, error));
  memcpy(made->vertices, mesh->vertices, (size_t)mesh->vertex_count * sizeof *made->vertices);
  made->shape = 1;
  refit(made);
  *surface = tac_give(&made);
  return TAC_OK;
}

void tac_surface_boxes_destroy(tacSurfaceBoxes *s) {
  if (s == NULL) return;
  tac_box_tree_destroy(s->tree);
  tac_arrays_free(&s->arrays);
  free(s);
}

/* ---- boxes ---- */

static void set_box(tacBoxTreeNode *node, int c, tacFloat4 lower, tacFloat4 upper) {
  tacFloat4 centre = tac_float4(0.5f) * (lower + upper), half = tac_float4(0.5f) * (upper - lower);
  /* The boxes are enlarged by the rounding errors. Vertices are rounded to floats, and this code rounds three times. */
  half += tac_float4(4.0f * FLT_EPSILON) * (tac_float4_abs(centre) + half);
  for (int axis = 0; axis < 3; ++axis) {
    node->centre[axis][c] = centre[axis];
    node->half[axis][c] = half[axis];
  }
}

static void refit(tacSurfaceBoxes *s) {
  for (int v = 0; v < s->mesh->vertex_count; ++v) {
    s->places[v][0] = (float)s->vertices[v].x;
    s->places[v][1] = (float)s->vertices[v].y;
    s->places[v][2] = (float)s->vertices[v].z;
  }
  for (int n = s->tree->node_count - 1; n >= 0; --n) { /* backward, since children come after their parent */
    tacBoxTreeNode *node = &s->tree->nodes[n];
    for (int c = 0; c < TAC_BOX_TREE_WIDTH; ++c) {
      tacFloat4 lower, upper;
      if (node->count[c] > 0) {
        const tacSurfaceLeaf *leaf = &s->leaves[s->leaf_of[n][c]];
        lower = upper = tac_float4_load(s->places[s->leaf_corners[leaf->corner]]);
        for (int k = leaf->corner + 1; k < leaf[1].corner; ++k) {
          tacFloat4 p = tac_float4_load(s->places[s->leaf_corners[k]]);
          lower = tac_float4_min(lower, p);
          upper = tac_float4_max(upper, p);
        }
      } else if (node->count[c] == 0) {
        const tacBoxTreeNode *child = &s->tree->nodes[node->first[c]];
        lower = upper = tac_float4(0.0f);
        for (int axis = 0; axis < 3; ++axis) {
          tacFloat4 centre = tac_float4_load(child->centre[axis]), half = tac_float4_load(child->half[axis]);
          lower[axis] = tac_float4_least(centre - half);
          upper[axis] = -tac_float4_least(-centre - half);
        }
      } else {
        for (int axis = 0; axis < 3; ++axis) {
          node->centre[axis][c] = 0.0f;
          node->half[axis][c] = -INFINITY;
        }
        continue;
      }
      set_box(node, c, lower, upper);
    }
  }
  s->extent = 0.0f;
  for (int axis = 0; axis < 3; ++axis)
    for (int c = 0; c < TAC_BOX_TREE_WIDTH; ++c)
      s->extent = fmaxf(s->extent, fabsf(s->tree->nodes[0].centre[axis][c]) + s->tree->nodes[0].half[axis][c]);
}

bool tac_surface_boxes_follow(tacSurfaceBoxes *surface, const tacVec3 *vertices) {
  size_t size = (size_t)surface->mesh->vertex_count * sizeof *vertices;
  if (memcmp(vertices, surface->vertices, size) == 0) return false;
  memcpy(surface->vertices, vertices, size);
  ++surface->shape;
  refit(surface);
  return true;
}

/* ---- normals ---- */

/* Least vector area relative to the squared longest side. For a smaller area the normal would be a rounding error. */
#define NO_AREA 1e-12

static const tacVec3 zero = {0.0, 0.0, 0.0};

const tacSurfaceFace *tac_surface_boxes_face(tacSurfaceBoxes *s, int triangle) {
  tacSurfaceFace *face = &s->faces[triangle];
  if (face->shape == s->shape) return face;
  const int *v = s->mesh->triangles[triangle].v;
  tacVec3 e1 = tac_vec3_sub(s->vertices[v[1]], s->vertices[v[0]]);
  tacVec3 e2 = tac_vec3_sub(s->vertices[v[2]], s->vertices[v[0]]);
  tacVec3 area = tac_vec3_cross(e1, e2);
  double size2 = tac_vec3_norm2(area), longest2 = fmax(tac_vec3_norm2(e1), tac_vec3_norm2(e2));
  *face = (tacSurfaceFace){zero, {zero, zero}, s->shape};
  if (!(size2 > NO_AREA * NO_AREA * longest2 * longest2) || !(size2 >= DBL_MIN) || !isfinite(size2)) return face;
  face->normal = tac_vec3_scale(1.0 / sqrt(size2), area);
  face->dual[0] = tac_vec3_scale(1.0 / size2, tac_vec3_cross(e2, area));
  face->dual[1] = tac_vec3_scale(1.0 / size2, tac_vec3_cross(area, e1));
  return face;
}

const tacSurfaceRidge *tac_surface_boxes_ridge(tacSurfaceBoxes *s, int number) {
  tacSurfaceRidge *ridge = &s->ridges[number];
  if (ridge->shape == s->shape) return ridge;
  const tacSurfaceEdge *edge = &s->edges[number];
  tacVec3 first = tac_surface_boxes_face(s, edge->triangle[0])->normal, second;
  *ridge = (tacSurfaceRidge){.shape = s->shape};
  ridge->along = tac_vec3_unit(tac_vec3_sub(s->vertices[edge->vertex[1]], s->vertices[edge->vertex[0]]));
  bool border = edge->triangle[1] < 0;
  ridge->inward[0] = tac_vec3_cross(first, ridge->along);
  if (border) {
    ridge->inward[1] = tac_vec3_scale(-1.0, first);
    second = tac_vec3_scale(-1.0, ridge->inward[0]);
  } else {
    second = tac_surface_boxes_face(s, edge->triangle[1])->normal;
    ridge->inward[1] = tac_vec3_cross(ridge->along, second);
  }
  /* The normals cancel at a knife edge, and the inward directions cancel at a flat edge. So at least one of these two
   * sums is not zero. */
  tacVec3 normals = tac_vec3_add(first, second), inward = tac_vec3_add(ridge->inward[0], ridge->inward[1]);
  ridge->outward = tac_vec3_sub(normals, inward);
  ridge->normal[0] = first;
  ridge->normal[1] = second;
  bool whole = tac_vec3_norm2(first) > 0.0 && tac_vec3_norm2(second) > 0.0 && tac_vec3_norm2(ridge->along) > 0.0;
  ridge->sharp = whole && tac_vec3_dot(first, second) < TAC_SURFACE_SHARP &&
                 tac_vec3_dot(tac_vec3_cross(first, second), ridge->along) > -1e-9;
  return ridge;
}

const tacSurfaceSlab *tac_surface_boxes_slab(tacSurfaceBoxes *s, int number) {
  tacSurfaceSlab *slab = &s->slabs[number];
  if (slab->shape == s->shape) return slab;
  const tacSurfaceLeaf *leaf = &s->leaves[number];
  tacVec3 sum = zero;
  for (int k = leaf->triangle; k < leaf[1].triangle; ++k)
    sum = tac_vec3_add(sum, tac_surface_boxes_face(s, s->leaf_triangles[k])->normal);
  *slab = (tacSurfaceSlab){tac_vec3_unit(sum), INFINITY, -INFINITY, s->shape};
  for (int k = leaf->corner; k < leaf[1].corner; ++k) {
    double height = tac_vec3_dot(slab->normal, s->vertices[s->leaf_corners[k]]);
    slab->low = height < slab->low ? height : slab->low;
    slab->high = height > slab->high ? height : slab->high;
  }
  return slab;
}

tacVec3 tac_surface_boxes_vertex_normal(tacSurfaceBoxes *s, int vertex) {
  if (s->normal_shape[vertex] == s->shape) return s->normals[vertex];
  tacVec3 sum = zero, p = s->vertices[vertex];
  for (int k = s->star_first[vertex]; k < s->star_first[vertex + 1]; ++k) {
    int t = s->star[k] / 3, i = s->star[k] % 3;
    const int *v = s->mesh->triangles[t].v;
    tacVec3 e = tac_vec3_sub(s->vertices[v[(i + 1) % 3]], p), f = tac_vec3_sub(s->vertices[v[(i + 2) % 3]], p);
    tacVec3 normal = tac_surface_boxes_face(s, t)->normal;
    double angle = atan2(tac_vec3_norm(tac_vec3_cross(e, f)), tac_vec3_dot(e, f));
    sum = tac_vec3_mad(sum, angle, normal);
  }
  s->normals[vertex] = tac_vec3_norm(sum) > 1e-9 ? tac_vec3_unit(sum) : zero;
  s->normal_shape[vertex] = s->shape;
  return s->normals[vertex];
}

tacVec3 tac_surface_boxes_edge_normal(tacSurfaceBoxes *s, int edge) {
  tacVec3 sum = tac_surface_boxes_face(s, s->edges[edge].triangle[0])->normal;
  if (s->edges[edge].triangle[1] >= 0)
    sum = tac_vec3_add(sum, tac_surface_boxes_face(s, s->edges[edge].triangle[1])->normal);
  return tac_vec3_norm(sum) > 1e-9 ? tac_vec3_unit(sum) : zero;
}
