#include "mesh/query/triangle_tree.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "mesh/query/scan_winding.h"
#include "mesh/query/triangle_point.h"

TAC_OWNED_TYPE(tacTriangleTree, tac_triangle_tree_destroy)

/* What one child of a tree node looks like from afar: moments of its area vectors about its centre. */
typedef struct {
  tacVec3 centre;     /* area-weighted */
  double radius;      /* of a ball about the centre that holds all its corners */
  double area;        /* sum of areas */
  tacVec3 normal;     /* sum of area vectors */
  double first[3][3]; /* sum of area vector (row) times triangle centroid minus centre (column) */
} Cluster;

struct tacTriangleTree {
  const tacTriMesh *mesh;
  tacBoxTree *boxes;
  Cluster *clusters; /* four a node */
};

/* A cluster is far where the point is beyond this many radii. */
#define FAR 5.0
#define FOUR_PI 12.566370614359172

static tacVec3 corner(const tacTriMesh *mesh, int triangle, int i) {
  return mesh->vertices[mesh->triangles[triangle].v[i]];
}

static tacVec3 area_vector(const tacTriMesh *mesh, int t) {
  tacVec3 a = corner(mesh, t, 0);
  return tac_vec3_scale(0.5, tac_vec3_cross(tac_vec3_sub(corner(mesh, t, 1), a), tac_vec3_sub(corner(mesh, t, 2), a)));
}

static tacVec3 centroid(const tacTriMesh *mesh, int t) {
  tacVec3 sum = tac_vec3_add(corner(mesh, t, 0), tac_vec3_add(corner(mesh, t, 1), corner(mesh, t, 2)));
  return tac_vec3_scale(1.0 / 3.0, sum);
}

/* Adds the outer product of an area vector and an arm. */
static void add_moment(double first[3][3], tacVec3 normal, tacVec3 arm) {
  const double n[3] = {normal.x, normal.y, normal.z}, r[3] = {arm.x, arm.y, arm.z};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) first[i][j] += n[i] * r[j];
}

static Cluster cluster_of_leaf(const tacTriangleTree *tree, int first, int count) {
  const tacTriMesh *mesh = tree->mesh;
  Cluster c = {0};
  tacVec3 plain = tac_vec3(0.0, 0.0, 0.0);
  for (int k = first; k < first + count; ++k) {
    int t = tree->boxes->order[k];
    tacVec3 n = area_vector(mesh, t);
    double area = tac_vec3_norm(n);
    c.normal = tac_vec3_add(c.normal, n);
    c.area += area;
    c.centre = tac_vec3_mad(c.centre, area, centroid(mesh, t));
    plain = tac_vec3_mad(plain, 1.0 / count, centroid(mesh, t));
  }
  c.centre = c.area > 0.0 ? tac_vec3_scale(1.0 / c.area, c.centre) : plain;
  for (int k = first; k < first + count; ++k) {
    int t = tree->boxes->order[k];
    add_moment(c.first, area_vector(mesh, t), tac_vec3_sub(centroid(mesh, t), c.centre));
    for (int i = 0; i < 3; ++i) c.radius = fmax(c.radius, tac_vec3_distance(corner(mesh, t, i), c.centre));
  }
  return c;
}

static Cluster cluster_of_node(const tacTriangleTree *tree, int index) {
  const tacBoxTreeNode *node = &tree->boxes->nodes[index];
  const Cluster *parts = &tree->clusters[TAC_BOX_TREE_WIDTH * (size_t)index];
  Cluster c = {0};
  tacVec3 plain = tac_vec3(0.0, 0.0, 0.0);
  int n = 0;
  for (; n < TAC_BOX_TREE_WIDTH && node->count[n] >= 0; ++n) {
    c.normal = tac_vec3_add(c.normal, parts[n].normal);
    c.area += parts[n].area;
    c.centre = tac_vec3_mad(c.centre, parts[n].area, parts[n].centre);
    plain = tac_vec3_add(plain, parts[n].centre);
  }
  c.centre = tac_vec3_scale(c.area > 0.0 ? 1.0 / c.area : 1.0 / n, c.area > 0.0 ? c.centre : plain);
  for (int i = 0; i < n; ++i) {
    tacVec3 arm = tac_vec3_sub(parts[i].centre, c.centre);
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) c.first[a][b] += parts[i].first[a][b];
    add_moment(c.first, parts[i].normal, arm);
    c.radius = fmax(c.radius, tac_vec3_norm(arm) + parts[i].radius);
  }
  return c;
}

tacStatus tac_triangle_tree_create(const tacTriMesh *mesh, tacTriangleTree **result, tacError *error) {
  *result = NULL;
  if (mesh->triangle_count < 1) return tac_error_set(error, TAC_ERR_GEOMETRY, "the mesh has no triangles");
  TAC_OWN(tacTriangleTree, tree) = NULL;
  TAC_TRY(TAC_ARRAY(tree, 1, "a triangle tree", error));
  tree->mesh = mesh;
  TAC_TRY(tac_box_tree_of_triangles(mesh, &tree->boxes, error));
  TAC_TRY(TAC_ARRAY(tree->clusters, TAC_BOX_TREE_WIDTH * (size_t)tree->boxes->node_count, "a triangle tree", error));
  for (int index = tree->boxes->node_count - 1; index >= 0; --index) { /* children come after their parent */
    const tacBoxTreeNode *node = &tree->boxes->nodes[index];
    for (int c = 0; c < TAC_BOX_TREE_WIDTH && node->count[c] >= 0; ++c)
      tree->clusters[TAC_BOX_TREE_WIDTH * (size_t)index + (size_t)c] =
          node->count[c] > 0 ? cluster_of_leaf(tree, node->first[c], node->count[c])
                             : cluster_of_node(tree, node->first[c]);
  }
  *result = tac_give(&tree);
  return TAC_OK;
}

void tac_triangle_tree_destroy(tacTriangleTree *tree) {
  if (tree == NULL) return;
  tac_box_tree_destroy(tree->boxes);
  free(tree->clusters);
  free(tree);
}

const tacBoxTree *tac_triangle_tree_boxes(const tacTriangleTree *tree) {
  return tree->boxes;
}

static tacVec3 closest_on(const tacTriMesh *mesh, int t, tacVec3 p) {
  return tac_triangle_closest(corner(mesh, t, 0), corner(mesh, t, 1), corner(mesh, t, 2), p);
}

static double distance2_to(int triangle, tacVec3 p, void *context) {
  const tacTriMesh *mesh = context;
  return tac_vec3_norm2(tac_vec3_sub(closest_on(mesh, triangle, p), p));
}

double tac_triangle_tree_distance(const tacTriangleTree *tree, tacVec3 p, int *triangle, tacVec3 *closest) {
  return tac_triangle_tree_distance_from(tree, p, -1, triangle, closest);
}

double tac_triangle_tree_distance_from(const tacTriangleTree *tree, tacVec3 p, int guess, int *triangle,
                                       tacVec3 *closest) {
  void *mesh =
      (void *)(uintptr_t)tree->mesh; /* the callback's context is not const in the interface; it is only read */
  /* A little above the guess, so that of equally near triangles the same one is found. */
  double bound2 = guess >= 0 ? distance2_to(guess, p, mesh) * (1.0 + 1e-9) + DBL_MIN : INFINITY, best2 = INFINITY;
  int best = tac_box_tree_nearest(tree->boxes, p, isnan(bound2) ? INFINITY : bound2, distance2_to, mesh, &best2);
  if (triangle != NULL) *triangle = best;
  if (closest != NULL) *closest = best >= 0 ? closest_on(tree->mesh, best, p) : p;
  return sqrt(best2);
}

/* The solid angle of a cluster to first order about its centre: with r from the point to the centre,
 * N . r / |r|^3 + sum_ij F_ij d/dr_j (r_i / |r|^3). */
static double far_solid_angle(const Cluster *c, tacVec3 r, double distance) {
  double d3 = distance * distance * distance;
  double dipole = tac_vec3_dot(c->normal, r) / d3;
  const double v[3] = {r.x, r.y, r.z};
  double trace = c->first[0][0] + c->first[1][1] + c->first[2][2], form = 0.0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) form += c->first[i][j] * v[i] * v[j];
  return dipole + (trace - 3.0 * form / (distance * distance)) / d3;
}

double tac_triangle_tree_winding(const tacTriangleTree *tree, tacVec3 p) {
  double sum = 0.0;
  int stack[TAC_BOX_TREE_STACK], top = 0;
  stack[top++] = 0;
  while (top > 0) {
    int index = stack[--top];
    const tacBoxTreeNode *node = &tree->boxes->nodes[index];
    for (int c = 0; c < TAC_BOX_TREE_WIDTH && node->count[c] >= 0; ++c) {
      const Cluster *cluster = &tree->clusters[TAC_BOX_TREE_WIDTH * (size_t)index + (size_t)c];
      tacVec3 r = tac_vec3_sub(cluster->centre, p);
      double distance = tac_vec3_norm(r);
      if (distance > FAR * cluster->radius) {
        if (distance > 0.0) sum += far_solid_angle(cluster, r, distance);
      } else if (node->count[c] == 0) {
        stack[top++] = node->first[c];
      } else {
        for (int k = node->first[c]; k < node->first[c] + node->count[c]; ++k) {
          int t = tree->boxes->order[k];
          sum +=
              tac_triangle_solid_angle(corner(tree->mesh, t, 0), corner(tree->mesh, t, 1), corner(tree->mesh, t, 2), p);
        }
      }
    }
  }
  return sum / FOUR_PI;
}

double tac_triangle_tree_signed_distance(const tacTriangleTree *tree, tacVec3 p) {
  double distance = tac_triangle_tree_distance(tree, p, NULL, NULL);
  return tac_scan_winding_number(tree->mesh, tree->boxes, p) != 0 ? -distance : distance;
}
