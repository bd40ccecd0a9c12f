#include "mesh/surface_walk.h"

#include <math.h>
#include "base/memory/owned.h"
#include "math/geometry/vec3.h"
#include "mesh/edge_table.h"

static const double smooth_cosine =
    0.87;                 /* of the normals of a vertex and of a smooth surface's faces there: 30 degrees */
enum { MOST_SIDES = 16 }; /* of an edge: more are no solid that was meant */

static tacVec3 corner(const tacSurfaceWalk *walk, int triangle, int i) {
  return walk->mesh->vertices[walk->mesh->triangles[triangle].v[i]];
}

static void join(tacSurfaceWalk *walk, int p, int q) {
  walk->neighbour[p / 3][p % 3] = q / 3;
  walk->neighbour[q / 3][q % 3] = p / 3;
}

/* The angle about the edge from a to b by which the triangle of a side stands away from `first`, 0 to 2 pi. */
static double angle_about(const tacSurfaceWalk *walk, const tacEdge *edge, int first, int side) {
  tacVec3 a = walk->mesh->vertices[edge->a], axis = tac_vec3_unit(tac_vec3_sub(walk->mesh->vertices[edge->b], a));
  tacVec3 u = tac_vec3_sub(corner(walk, first / 3, (first % 3 + 2) % 3), a);
  tacVec3 v = tac_vec3_sub(corner(walk, side / 3, (side % 3 + 2) % 3), a);
  u = tac_vec3_mad(u, -tac_vec3_dot(u, axis), axis);
  double angle = atan2(tac_vec3_dot(axis, tac_vec3_cross(u, v)), tac_vec3_dot(u, v));
  return angle >= 0.0 ? angle : angle + 2.0 * M_PI;
}

/* Two parts of a solid may touch along an edge. About the line from a to b, the triangle of a side that runs that way looks
 * towards greater angles, where the next triangle looks back: both bound the same wedge of space outside, and are joined. False where
 * the sides do not come in such pairs. */
static bool join_wedges(tacSurfaceWalk *walk, const tacEdge *edge, const int *sides) {
  unsigned joined = 0; /* sides that run from b to a */
  if (edge->count > MOST_SIDES) return false;
  for (int i = 0; i < edge->count; ++i) {
    if (tac_side_start(walk->mesh, sides[i]) != edge->a) continue;
    int next = i; /* the nearest at a greater angle */
    double least = INFINITY;
    for (int k = 0; k < edge->count; ++k) {
      double angle = angle_about(walk, edge, sides[i], sides[k]);
      if (k != i && angle < least) least = angle, next = k;
    }
    if (tac_side_start(walk->mesh, sides[next]) == edge->a || (joined >> next & 1u) != 0) return false;
    joined |= 1u << next;
    join(walk, sides[i], sides[next]);
  }
  return true;
}

static tacStatus set_neighbours(tacSurfaceWalk *walk, tacError *error) {
  const tacTriMesh *mesh = walk->mesh;
  TAC_FREED(tac_edge_table_free, tacEdgeTable, edges) = {0};
  TAC_TRY(tac_edge_table_create(mesh, &edges, error));
  for (int e = 0; e < edges.edge_count; ++e) {
    const tacEdge *edge = &edges.edges[e];
    const int *sides = edges.sides + edge->first;
    int forward = 0;
    for (int i = 0; i < edge->count; ++i) forward += tac_side_start(mesh, sides[i]) == edge->a;
    if (2 * forward != edge->count || !join_wedges(walk, edge, sides))
      return tac_error_set(error, TAC_ERR_GEOMETRY,
                           "the surface is not closed at the edge between vertices %d and %d: its %d triangles do "
                           "not match; tactus mesh --repair may close it",
                           edge->a, edge->b, edge->count);
  }
  return TAC_OK;
}

static tacStatus set_normals(tacSurfaceWalk *walk, tacError *error) {
  const tacTriMesh *mesh = walk->mesh;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    tacVec3 a = corner(walk, t, 0), b = corner(walk, t, 1), c = corner(walk, t, 2);
    tacVec3 n = tac_vec3_cross(tac_vec3_sub(b, a), tac_vec3_sub(c, a));
    double longest2 = fmax(tac_vec3_norm2(tac_vec3_sub(b, a)),
                           fmax(tac_vec3_norm2(tac_vec3_sub(c, b)), tac_vec3_norm2(tac_vec3_sub(a, c))));
    if (!(tac_vec3_norm(n) > 1e-10 * longest2))
      return tac_error_set(error, TAC_ERR_GEOMETRY, "triangle %d has no area; tactus mesh --repair removes it", t);
    walk->face_normal[t] = tac_vec3_unit(n);
    for (int i = 0; i < 3; ++i) {
      tacVec3 p = corner(walk, t, i);
      tacVec3 u = tac_vec3_sub(corner(walk, t, (i + 1) % 3), p), v = tac_vec3_sub(corner(walk, t, (i + 2) % 3), p);
      double angle = atan2(tac_vec3_norm(tac_vec3_cross(u, v)), tac_vec3_dot(u, v));
      tacVec3 *sum = &walk->vertex_normal[mesh->triangles[t].v[i]];
      *sum = tac_vec3_mad(*sum, angle, walk->face_normal[t]);
    }
  }
  for (int v = 0; v < mesh->vertex_count; ++v) walk->vertex_normal[v] = tac_vec3_unit(walk->vertex_normal[v]);
  return TAC_OK;
}

tacStatus tac_surface_walk_create(const tacTriMesh *mesh, tacSurfaceWalk *walk, tacError *error) {
  *walk = (tacSurfaceWalk){.mesh = mesh};
  if (mesh->triangle_count < 1) return tac_error_set(error, TAC_ERR_GEOMETRY, "the surface has no triangles");
  size_t triangles = (size_t)mesh->triangle_count;
  walk->neighbour = tac_arrays_add(&walk->arrays, triangles, sizeof *walk->neighbour);
  walk->face_normal = tac_arrays_add(&walk->arrays, triangles, sizeof *walk->face_normal);
  walk->vertex_normal = tac_arrays_add(&walk->arrays, (size_t)mesh->vertex_count, sizeof *walk->vertex_normal);
  tacStatus status = tac_arrays_status(&walk->arrays, "a surface's normals and neighbours", error);
  if (status == TAC_OK) status = set_normals(walk, error);
  if (status == TAC_OK) status = set_neighbours(walk, error);
  if (status != TAC_OK) tac_surface_walk_destroy(walk);
  return status;
}

void tac_surface_walk_destroy(tacSurfaceWalk *walk) {
  tac_arrays_free(&walk->arrays);
  *walk = (tacSurfaceWalk){0};
}

static tacVec3 mix(const tacSurfaceWalk *walk, tacSurfacePoint at, const tacVec3 *values) {
  const int *v = walk->mesh->triangles[at.triangle].v;
  tacVec3 sum = tac_vec3_scale(at.weight[0], values[v[0]]);
  return tac_vec3_mad(tac_vec3_mad(sum, at.weight[1], values[v[1]]), at.weight[2], values[v[2]]);
}

/* x_j of a pair of vertices moves the point between them by w_i w_j ((x_i - x_j).n_i) n_i / 2 towards the plane of the other's normal. */
static tacVec3 bulge_of(const tacSurfaceWalk *walk, int t, int side) {
  int other = walk->neighbour[t][side];
  const int *v = walk->mesh->triangles[t].v;
  tacVec3 sum = tac_vec3(0.0, 0.0, 0.0);
  for (int end = 0; end < 2; ++end) {
    int i = v[(side + end) % 3], j = v[(side + 1 - end) % 3];
    tacVec3 n = walk->vertex_normal[i], way = tac_vec3_sub(walk->mesh->vertices[i], walk->mesh->vertices[j]);
    if (tac_vec3_dot(n, walk->face_normal[t]) < smooth_cosine ||
        tac_vec3_dot(n, walk->face_normal[other]) < smooth_cosine)
      return tac_vec3(0.0, 0.0, 0.0);
    sum = tac_vec3_mad(sum, 0.5 * tac_vec3_dot(way, n), n);
  }
  return sum;
}

tacStatus tac_surface_walk_round(tacSurfaceWalk *walk, tacError *error) {
  if (walk->bulge != NULL) return TAC_OK;
  tacVec3(*bulge)[3] = tac_arrays_add(&walk->arrays, (size_t)walk->mesh->triangle_count, sizeof *bulge);
  TAC_TRY(tac_arrays_status(&walk->arrays, "a surface's curvature", error));
  for (int t = 0; t < walk->mesh->triangle_count; ++t)
    for (int side = 0; side < 3; ++side) bulge[t][side] = bulge_of(walk, t, side);
  walk->bulge = bulge;
  return TAC_OK;
}

static tacVec3 flat_position(const tacSurfaceWalk *walk, tacSurfacePoint at) {
  return mix(walk, at, walk->mesh->vertices);
}

tacVec3 tac_surface_walk_bulge(const tacSurfaceWalk *walk, tacSurfacePoint at) {
  tacVec3 sum = {0.0, 0.0, 0.0};
  for (int side = 0; walk->bulge != NULL && side < 3; ++side)
    sum = tac_vec3_mad(sum, at.weight[side] * at.weight[(side + 1) % 3], walk->bulge[at.triangle][side]);
  return sum;
}

tacVec3 tac_surface_walk_position(const tacSurfaceWalk *walk, tacSurfacePoint at) {
  return tac_vec3_add(flat_position(walk, at), tac_surface_walk_bulge(walk, at));
}

tacVec3 tac_surface_walk_normal(const tacSurfaceWalk *walk, tacSurfacePoint at) {
  tacVec3 n = mix(walk, at, walk->vertex_normal);
  double length = tac_vec3_norm(n);
  return length > 1e-6 ? tac_vec3_scale(1.0 / length, n) : walk->face_normal[at.triangle];
}

/* Barycentric coordinates of p in the plane of the triangle; they sum to 1 and may be negative. */
static void barycentric(const tacSurfaceWalk *walk, int triangle, tacVec3 p, double weight[3]) {
  tacVec3 a = corner(walk, triangle, 0), n = walk->face_normal[triangle];
  tacVec3 ab = tac_vec3_sub(corner(walk, triangle, 1), a), ac = tac_vec3_sub(corner(walk, triangle, 2), a);
  tacVec3 ap = tac_vec3_sub(p, a);
  double twice_area = tac_vec3_dot(n, tac_vec3_cross(ab, ac));
  weight[1] = tac_vec3_dot(n, tac_vec3_cross(ap, ac)) / twice_area;
  weight[2] = tac_vec3_dot(n, tac_vec3_cross(ab, ap)) / twice_area;
  weight[0] = 1.0 - weight[1] - weight[2];
}

/* Rounding must not leave a weight below zero. */
static void clean(double weight[3]) {
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) {
    if (!(weight[i] > 0.0)) weight[i] = 0.0;
    sum += weight[i];
  }
  for (int i = 0; i < 3; ++i) weight[i] = sum > 0.0 ? weight[i] / sum : 1.0 / 3.0;
}

tacSurfacePoint tac_surface_walk_locate(const tacSurfaceWalk *walk, int triangle, tacVec3 p) {
  tacSurfacePoint at = {.triangle = triangle};
  barycentric(walk, triangle, p, at.weight);
  clean(at.weight);
  return at;
}

bool tac_surface_walk_move(const tacSurfaceWalk *walk, tacVec3 step, int most_crossings, tacSurfacePoint *at) {
  int entered = -1; /* the side by which the walk came in: it does not go back over it */
  for (int crossings = 0;; ++crossings) {
    tacVec3 n = walk->face_normal[at->triangle], p = flat_position(walk, *at);
    step = tac_vec3_mad(step, -tac_vec3_dot(step, n), n);
    double end[3];
    barycentric(walk, at->triangle, tac_vec3_add(p, step), end);
    /* The side opposite corner i is left where weight i falls to zero first. */
    double fraction = 1.0;
    int leaving = -1;
    for (int i = 0; i < 3; ++i) {
      int side = (i + 1) % 3;
      if (end[i] >= 0.0 || side == entered) continue;
      double here = at->weight[i] / (at->weight[i] - end[i]);
      if (here < fraction || leaving < 0) {
        fraction = fmin(here, fraction);
        leaving = side;
      }
    }
    if (leaving < 0) {
      for (int i = 0; i < 3; ++i) at->weight[i] = end[i];
      clean(at->weight);
      return true;
    }
    for (int i = 0; i < 3; ++i) at->weight[i] += fraction * (end[i] - at->weight[i]);
    at->weight[(leaving + 2) % 3] = 0.0;
    clean(at->weight);
    if (crossings == most_crossings) return false;

    /* Into the neighbour: the step turns with the surface about the common edge. */
    const int *from = walk->mesh->triangles[at->triangle].v;
    int a = from[leaving], b = from[(leaving + 1) % 3], next = walk->neighbour[at->triangle][leaving];
    tacVec3 along = tac_vec3_unit(tac_vec3_sub(walk->mesh->vertices[b], walk->mesh->vertices[a]));
    tacVec3 out = tac_vec3_cross(along, n), onward = tac_vec3_cross(along, walk->face_normal[next]);
    step = tac_vec3_scale(1.0 - fraction, step);
    step =
        tac_vec3_add(tac_vec3_scale(tac_vec3_dot(step, along), along), tac_vec3_scale(tac_vec3_dot(step, out), onward));
    tacSurfacePoint there = {.triangle = next};
    for (int s = 0; s < 3; ++s) {
      int v = walk->mesh->triangles[next].v[s];
      if (v == b) entered = s; /* the neighbour runs along the edge from b to a */
      there.weight[s] = v == a ? at->weight[leaving] : v == b ? at->weight[(leaving + 1) % 3] : 0.0;
    }
    *at = there;
  }
}
