#include "collide/surface_boxes.h"

#include <tactus/mesh.h>
#include "math/random.h"
#include "mesh/trimesh.h"
#include "shape/geodesic.h"
#include "test.h"

static tacTriMesh *make_sphere(int frequency) {
  tacTriMesh *mesh;
  tac_test_ok(tac_geodesic_sphere(1.0, frequency, &mesh, &error), error);
  return mesh;
}

static tacSurfaceBoxes *make(const tacTriMesh *mesh) {
  tacSurfaceBoxes *surface;
  tac_test_ok(tac_surface_boxes_create(mesh, &surface, &error), error);
  return surface;
}

static bool holds(const tacBoxTreeNode *node, int c, tacVec3 p) {
  const double q[3] = {p.x, p.y, p.z};
  for (int axis = 0; axis < 3; ++axis)
    if (!(fabs(q[axis] - (double)node->centre[axis][c]) <= (double)node->half[axis][c])) return false;
  return true;
}

/* Every box holds the corners of all triangles below it, and is not much larger than they are. Returns their box. */
static tacBox check_node(const tacSurfaceBoxes *s, int number) {
  const tacBoxTreeNode *node = &s->tree->nodes[number];
  tacBox whole = tac_box_empty();
  for (int c = 0; c < TAC_BOX_TREE_WIDTH; ++c) {
    if (node->count[c] < 0) {
      ck_assert(!holds(node, c, tac_vec3(0.0, 0.0, 0.0)));
      continue;
    }
    tacBox box = tac_box_empty();
    if (node->count[c] == 0) {
      box = check_node(s, node->first[c]);
    } else {
      const tacSurfaceLeaf *leaf = &s->leaves[s->leaf_of[number][c]];
      ck_assert_int_eq(leaf->box, TAC_BOX_TREE_WIDTH * number + c);
      for (int k = leaf->triangle; k < leaf[1].triangle; ++k)
        for (int i = 0; i < 3; ++i) box = tac_box_add(box, s->vertices[s->mesh->triangles[s->leaf_triangles[k]].v[i]]);
    }
    ck_assert(holds(node, c, box.lower) && holds(node, c, box.upper));
    const double size[3] = {tac_box_size(box).x, tac_box_size(box).y, tac_box_size(box).z};
    for (int axis = 0; axis < 3; ++axis) {
      double centre = fabs((double)node->centre[axis][c]);
      ck_assert_double_le(2.0 * (double)node->half[axis][c], size[axis] + 1e-5 * (centre + size[axis]));
      ck_assert_double_le(centre + (double)node->half[axis][c], (double)s->extent * (1.0 + 1e-6));
    }
    whole = tac_box_join(whole, box);
  }
  return whole;
}

TAC_TEST(boxes_follow_the_vertices) {
  tacRandom random = tac_random_seed(4);
  for (int frequency = 1; frequency < 9; ++frequency) {
    TAC_OWN(tacTriMesh, mesh) = make_sphere(frequency);
    TAC_OWN(tacSurfaceBoxes, surface) = make(mesh);
    check_node(surface, 0);
    TAC_MEMORY(tacVec3, vertices) = malloc((size_t)mesh->vertex_count * sizeof *vertices);
    const double away[] = {0.0, 1e-6, 1.0, 1e6};
    for (int k = 0; k < 4; ++k) {
      for (int v = 0; v < mesh->vertex_count; ++v) {
        tacVec3 noise = tac_random_in_cube(&random, 0.3);
        vertices[v] = tac_vec3_add(tac_vec3_add(mesh->vertices[v], noise), tac_vec3(away[k], -away[k], 0.0));
      }
      uint64_t before = surface->shape;
      ck_assert(tac_surface_boxes_follow(surface, vertices));
      ck_assert_uint_ne(surface->shape, before);
      check_node(surface, 0);
      ck_assert(!tac_surface_boxes_follow(surface, vertices)); /* they have not moved */
      ck_assert_uint_eq(surface->shape, before + 1);
    }
    /* One that moves alone is followed, too. */
    vertices[mesh->vertex_count - 1].z += 5.0;
    ck_assert(tac_surface_boxes_follow(surface, vertices));
    check_node(surface, 0);
  }
}

/* Every triangle, edge and vertex is in one leaf, with the triangles that it belongs to. */
TAC_TEST(each_feature_has_one_owner) {
  for (int frequency = 1; frequency < 9; ++frequency) {
    TAC_OWN(tacTriMesh, mesh) = make_sphere(frequency);
    TAC_OWN(tacSurfaceBoxes, s) = make(mesh);
    ck_assert_int_eq(s->edge_count, 3 * mesh->triangle_count / 2); /* each of a closed surface is in two */
    ck_assert_int_eq(s->leaves[s->leaf_count].triangle, mesh->triangle_count);
    ck_assert_int_eq(s->leaves[s->leaf_count].edge, s->edge_count);
    ck_assert_int_eq(s->leaves[s->leaf_count].vertex, mesh->vertex_count);
    TAC_MEMORY(int, triangles) = calloc((size_t)mesh->triangle_count, sizeof *triangles);
    TAC_MEMORY(int, vertices) = calloc((size_t)mesh->vertex_count, sizeof *vertices);
    for (int leaf = 0; leaf < s->leaf_count; ++leaf) {
      const tacSurfaceLeaf *l = &s->leaves[leaf];
      ck_assert_int_le(l[1].triangle - l->triangle, TAC_BOX_TREE_LEAF);
      for (int k = l->triangle; k < l[1].triangle; ++k) triangles[s->leaf_triangles[k]] += leaf + 1;
      for (int k = l->vertex; k < l[1].vertex; ++k) {
        int v = s->leaf_vertices[k], side = s->vertex_side[v];
        ++vertices[v];
        ck_assert_int_eq(mesh->triangles[side / 3].v[side % 3], v);
        ck_assert_int_eq(triangles[side / 3], leaf + 1);
      }
      for (int k = l->edge; k < l[1].edge; ++k) {
        const tacSurfaceEdge *e = &s->edges[k];
        ck_assert_int_eq(triangles[e->triangle[0]], leaf + 1);
        ck_assert_int_ne(e->triangle[0], e->triangle[1]);
        for (int side = 0; side < 2; ++side) {
          const int *v = mesh->triangles[e->triangle[side]].v;
          /* In opposite directions. */
          ck_assert_int_eq(v[(e->opposite[side] + 1) % 3], e->vertex[side]);
          ck_assert_int_eq(v[(e->opposite[side] + 2) % 3], e->vertex[1 - side]);
        }
        ck_assert_int_eq(s->owned_edge[e->triangle[0]][(e->opposite[0] + 1) % 3], k);
      }
    }
    for (int t = 0; t < mesh->triangle_count; ++t) ck_assert_int_gt(triangles[t], 0);
    for (int v = 0; v < mesh->vertex_count; ++v) ck_assert_int_eq(vertices[v], 1);
  }
}

/* Of the shape that is now, whatever was asked before. */
TAC_TEST(normals_are_those_of_the_deformed_surface) {
  tacRandom random = tac_random_seed(6);
  TAC_OWN(tacTriMesh, mesh) = make_sphere(4);
  TAC_OWN(tacTriMesh, copy) = make_sphere(4);
  TAC_OWN(tacSurfaceBoxes, s) = make(mesh);
  TAC_MEMORY(tacVec3, normals) = malloc((size_t)mesh->vertex_count * sizeof *normals);
  for (int step = 0; step < 5; ++step) {
    for (int v = 0; v < mesh->vertex_count; ++v) {
      tacVec3 noise = tac_random_in_cube(&random, 0.03);
      copy->vertices[v] = tac_vec3_add(mesh->vertices[v], noise);
    }
    tac_surface_boxes_follow(s, copy->vertices);
    tac_trimesh_normals(copy, normals);
    for (int v = 0; v < mesh->vertex_count; ++v)
      ck_assert_double_le(tac_vec3_distance(tac_surface_boxes_vertex_normal(s, v), normals[v]), 1e-12);
    for (int t = 0; t < mesh->triangle_count; ++t) {
      const tacSurfaceFace *face = tac_surface_boxes_face(s, t);
      const int *v = mesh->triangles[t].v;
      tacVec3 c[3] = {copy->vertices[v[0]], copy->vertices[v[1]], copy->vertices[v[2]]};
      tacVec3 weight = tac_vec3(0.2, 0.5, 0.3), p = tac_vec3(0.0, 0.0, 0.0);
      p = tac_vec3_mad(tac_vec3_mad(tac_vec3_mad(p, weight.x, c[0]), weight.y, c[1]), weight.z, c[2]);
      tacVec3 d = tac_vec3_sub(tac_vec3_mad(p, 0.7, face->normal), c[0]);
      ck_assert_double_eq_tol(tac_vec3_dot(face->dual[0], d), weight.y, 1e-12);
      ck_assert_double_eq_tol(tac_vec3_dot(face->dual[1], d), weight.z, 1e-12);
      ck_assert_double_gt(tac_vec3_dot(face->normal, p), 0.0); /* outward */
      ck_assert_double_eq_tol(tac_vec3_dot(face->normal, d), 0.7, 1e-12);
    }
    for (int e = 0; e < s->edge_count; ++e) {
      const tacSurfaceRidge *ridge = tac_surface_boxes_ridge(s, e);
      const tacSurfaceEdge *edge = &s->edges[e];
      tacVec3 start = copy->vertices[edge->vertex[0]], third[2];
      for (int k = 0; k < 2; ++k) {
        third[k] = copy->vertices[mesh->triangles[edge->triangle[k]].v[edge->opposite[k]]];
        ck_assert_double_gt(tac_vec3_dot(ridge->inward[k], tac_vec3_sub(third[k], start)), 0.0);
        ck_assert_double_eq_tol(tac_vec3_dot(ridge->inward[k], ridge->along), 0.0, 1e-12);
        ck_assert_double_eq_tol(tac_vec3_dot(ridge->inward[k], ridge->normal[k]), 0.0, 1e-12);
      }
      /* Convex where the corner beyond is below the face; sharp where the angle is more than a degree, besides. */
      double below = -tac_vec3_dot(ridge->normal[0], tac_vec3_sub(third[1], start));
      double angle = acos(fmin(1.0, tac_vec3_dot(ridge->normal[0], ridge->normal[1])));
      if (fabs(angle - atan(1.0) / 45.0) > 1e-6) ck_assert(ridge->sharp == (below > 0.0 && angle > atan(1.0) / 45.0));
      if (ridge->sharp) ck_assert_double_gt(tac_vec3_dot(ridge->outward, tac_surface_boxes_edge_normal(s, e)), 0.0);
    }
    for (int leaf = 0; leaf < s->leaf_count; ++leaf) {
      const tacSurfaceSlab *slab = tac_surface_boxes_slab(s, leaf);
      double low = INFINITY, high = -INFINITY;
      for (int k = s->leaves[leaf].triangle; k < s->leaves[leaf + 1].triangle; ++k)
        for (int i = 0; i < 3; ++i) {
          double height = tac_vec3_dot(slab->normal, copy->vertices[mesh->triangles[s->leaf_triangles[k]].v[i]]);
          low = fmin(low, height);
          high = fmax(high, height);
        }
      ck_assert_double_eq_tol(slab->low, low, 1e-12);
      ck_assert_double_eq_tol(slab->high, high, 1e-12);
      ck_assert_double_eq_tol(tac_vec3_norm(slab->normal), 1.0, 1e-12);
    }
  }
}

/* No area, no length, a vertex of nothing: zero, never a NaN. */
TAC_TEST(degenerate_features_have_zero_normals) {
  TAC_CREATE(tacTriMesh, mesh, tac_trimesh_create(7, 4, &mesh, &error));
  const tacVec3 v[7] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {2.0, 0.0, 0.0}, {0.0, 0.0, 0.0},
                        {0.0, 1.0, 0.0}, {5.0, 5.0, 5.0}, {7.0, 7.0, 7.0}};
  const tacTriangle t[4] = {{{0, 1, 2}}, {{0, 3, 4}}, {{5, 5, 5}}, {{0, 2, 4}}};
  memcpy(mesh->vertices, v, sizeof v);
  memcpy(mesh->triangles, t, sizeof t);
  tacSurfaceBoxes *s = make(mesh);
  for (int k = 0; k < 3; ++k) ck_assert_double_eq(tac_vec3_norm2(tac_surface_boxes_face(s, k)->normal), 0.0);
  ck_assert_double_eq(tac_surface_boxes_face(s, 3)->normal.z, 1.0);
  for (int k = 0; k < 7; ++k) ck_assert(tac_vec3_finite(tac_surface_boxes_vertex_normal(s, k)));
  ck_assert_double_eq(tac_vec3_norm2(tac_surface_boxes_vertex_normal(s, 5)), 0.0);
  ck_assert_int_eq(s->vertex_side[6], -1);
  int borders = 0;
  for (int e = 0; e < s->edge_count; ++e) {
    const tacSurfaceRidge *ridge = tac_surface_boxes_ridge(s, e);
    ck_assert(tac_vec3_finite(ridge->outward) && tac_vec3_finite(tac_surface_boxes_edge_normal(s, e)));
    bool border = s->edges[e].triangle[1] < 0;
    borders += border;
    if (s->edges[e].triangle[0] != 3) ck_assert(!ridge->sharp);
    if (s->edges[e].triangle[0] == 3 && border) ck_assert(ridge->sharp);
  }
  ck_assert_int_eq(borders, s->edge_count - 2); /* 0 2 and 0 4 have two triangles, one of them without area */
  tac_surface_boxes_destroy(s);
  mesh->triangle_count = 0;
  ck_assert_int_eq(tac_surface_boxes_create(mesh, &s, &error), TAC_ERR_GEOMETRY);
  ck_assert_ptr_null(s);
  mesh->triangle_count = 4;
}
