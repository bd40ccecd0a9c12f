#include "collide/proximity.h"

#include "math/geometry/vec3.h"

enum { MOST_STEPS = 64 };

tacStatus tac_proximity_create(const tacSurfaceWalk *surface, tacProximity *proximity, tacError *error) {
  *proximity = (tacProximity){.surface = surface};
  return tac_triangle_tree_create(surface->mesh, &proximity->tree, error);
}

void tac_proximity_destroy(tacProximity *proximity) {
  tac_triangle_tree_destroy(proximity->tree);
  *proximity = (tacProximity){0};
}

/* Returns the pseudo-normal at a surface point, not normalised: the normal of the face. At an edge, returns the sum of
 * both face normals. At a vertex, returns the vertex normal. */
static tacVec3 pseudo_normal(const tacSurfaceWalk *surface, tacSurfacePoint at) {
  const double edge = 1e-9; /* barycentric weight below which a point counts as on the edge */
  int zero_count = 0, zero = 0, largest = 0;
  for (int i = 0; i < 3; ++i) {
    if (at.weight[i] < edge) {
      ++zero_count;
      zero = i;
    }
    if (at.weight[i] > at.weight[largest]) largest = i;
  }
  tacVec3 face = surface->face_normal[at.triangle];
  if (zero_count == 0) return face;
  if (zero_count == 1) /* the edge opposite to corner `zero` */
    return tac_vec3_add(face, surface->face_normal[surface->neighbour[at.triangle][(zero + 1) % 3]]);
  return surface->vertex_normal[surface->mesh->triangles[at.triangle].v[largest]];
}

double tac_proximity_distance(const tacProximity *proximity, tacVec3 p, tacSurfacePoint *nearest) {
  return tac_proximity_distance_from(proximity, p, -1, nearest);
}

double tac_proximity_distance_from(const tacProximity *proximity, tacVec3 p, int guess, tacSurfacePoint *nearest) {
  int triangle;
  tacVec3 closest;
  double distance = tac_triangle_tree_distance_from(proximity->tree, p, guess, &triangle, &closest);
  if (triangle < 0) { /* `p` is not finite, or so far away that squared distances overflow */
    if (nearest != NULL) *nearest = (tacSurfacePoint){.weight = {1.0, 0.0, 0.0}};
    return INFINITY;
  }
  tacSurfacePoint at = tac_surface_walk_locate(proximity->surface, triangle, closest);
  if (nearest != NULL) *nearest = at;
  bool inside = tac_vec3_dot(tac_vec3_sub(p, closest), pseudo_normal(proximity->surface, at)) < 0.0;
  return inside ? -distance : distance;
}

bool tac_proximity_enters(const tacProximity *proximity, tacVec3 from, tacVec3 to, double *clearance,
                          tacSurfacePoint *entry) {
  double length = tac_vec3_distance(from, to), travelled = 0.0, free_distance = *clearance;
  while (travelled < length && travelled + free_distance <= length) {
    travelled = fmin(travelled + fmax(free_distance, length / MOST_STEPS), length);
    free_distance = tac_proximity_distance(proximity, tac_vec3_mix(from, to, travelled / length), entry);
    if (free_distance < 0.0) return true;
  }
  *clearance = free_distance - (length - travelled);
  return false;
}
