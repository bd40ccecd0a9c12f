#include "bake/points/pseudo_normals.h"

#include "math/geometry/vec3.h"
#include "mesh/edge_table.h"

static tacVec3 corner(const tacTriMesh *mesh, int triangle, int i) {
  return mesh->vertices[mesh->triangles[triangle].v[i % 3]];
}

static void add_faces(tacPseudoNormals *n) {
  for (int t = 0; t < n->mesh->triangle_count; ++t) {
    tacVec3 a = corner(n->mesh, t, 0);
    n->faces[t] =
        tac_vec3_unit(tac_vec3_cross(tac_vec3_sub(corner(n->mesh, t, 1), a), tac_vec3_sub(corner(n->mesh, t, 2), a)));
    for (int i = 0; i < 3; ++i) {
      tacVec3 p = corner(n->mesh, t, i);
      tacVec3 u = tac_vec3_sub(corner(n->mesh, t, i + 1), p), v = tac_vec3_sub(corner(n->mesh, t, i + 2), p);
      double angle = atan2(tac_vec3_norm(tac_vec3_cross(u, v)), tac_vec3_dot(u, v));
      tacVec3 *sum = &n->vertices[n->mesh->triangles[t].v[i]];
      *sum = tac_vec3_mad(*sum, angle, n->faces[t]);
    }
  }
}

static tacStatus add_edges(tacPseudoNormals *n, tacError *error) {
  tacEdgeTable edges = {0};
  TAC_TRY(tac_edge_table_create(n->mesh, &edges, error));
  for (int e = 0; e < edges.edge_count; ++e) {
    const int *sides = &edges.sides[edges.edges[e].first];
    tacVec3 sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < edges.edges[e].count; ++i) sum = tac_vec3_add(sum, n->faces[sides[i] / 3]);
    for (int i = 0; i < edges.edges[e].count; ++i) n->sides[sides[i]] = sum;
  }
  tac_edge_table_free(&edges);
  return TAC_OK;
}

tacStatus tac_pseudo_normals_create(const tacTriMesh *mesh, tacPseudoNormals *n, tacError *error) {
  size_t triangles = (size_t)mesh->triangle_count;
  *n = (tacPseudoNormals){.mesh = mesh};
  n->faces = tac_arrays_add(&n->arrays, triangles, sizeof *n->faces);
  n->sides = tac_arrays_add(&n->arrays, 3 * triangles, sizeof *n->sides);
  n->vertices = tac_arrays_add(&n->arrays, (size_t)mesh->vertex_count, sizeof *n->vertices);
  TAC_TRY(tac_arrays_status(&n->arrays, "normals of a mesh", error));
  TAC_TRY(tac_triangle_tree_create(mesh, &n->tree, error));
  add_faces(n);
  return add_edges(n, error);
}

void tac_pseudo_normals_free(tacPseudoNormals *n) {
  tac_triangle_tree_destroy(n->tree);
  tac_arrays_free(&n->arrays);
  *n = (tacPseudoNormals){0};
}

tacVec3 tac_pseudo_normals_at(const tacPseudoNormals *n, tacVec3 p, double *distance) {
  const double on_it = 1e-9; /* weights below this are on the edge */
  int triangle;
  tacVec3 closest;
  *distance = tac_triangle_tree_distance(n->tree, p, &triangle, &closest);
  if (triangle < 0) return tac_vec3(0.0, 0.0, 0.0); /* beyond all numbers */
  /* Barycentric weights, not divided by the area; each belongs to the corner opposite a side. */
  tacVec3 normal = n->faces[triangle];
  double weight[3], sum = 0.0;
  for (int s = 0; s < 3; ++s) { /* of the corner s + 2, from side s */
    tacVec3 a = corner(n->mesh, triangle, s), b = corner(n->mesh, triangle, s + 1);
    weight[s] = tac_vec3_dot(normal, tac_vec3_cross(tac_vec3_sub(b, a), tac_vec3_sub(closest, a)));
    sum += weight[s];
  }
  int on_sides = 0, side = 0, farthest = 0;
  for (int s = 0; s < 3; ++s) {
    if (weight[s] < on_it * sum) {
      ++on_sides;
      side = s;
    }
    if (weight[s] > weight[farthest]) farthest = s;
  }
  if (on_sides == 1) normal = n->sides[3 * triangle + side];
  if (on_sides > 1) normal = n->vertices[n->mesh->triangles[triangle].v[(farthest + 2) % 3]];
  return tac_vec3_unit(normal);
}
