#include "body/patch.h"

#include <math.h>
#include "math/geometry/vec3.h"

enum { MOST_CROSSINGS = 64 }; /* maximum number of edges that a walk to a point of the disc crosses */

/* Gauss quadrature with the weight function sqrt(1 - t), for t = (r / R)^2 from 0 to 1; exact to degree 7 in t. */
static const double ring_radius[TAC_PATCH_RINGS] = {0.2503312817776343, 0.5486820459810426, 0.7897945843994334,
                                                    0.9459702518635985};
static const double ring_weight[TAC_PATCH_RINGS] = {0.22854380342180136, 0.37879101859386627, 0.2941443981466944,
                                                    0.0985207798376359};
/* cosines of the angles 2 pi i / 16, i = 0 to 15 */
static const double cosine[16] = {1.0,  0.9238795325112867,  0.7071067811865476,  0.3826834323650898,
                                  0.0,  -0.3826834323650898, -0.7071067811865476, -0.9238795325112867,
                                  -1.0, -0.9238795325112867, -0.7071067811865476, -0.3826834323650898,
                                  0.0,  0.3826834323650898,  0.7071067811865476,  0.9238795325112867};

static int index_of(tacPatch *patch, int vertex, int corner, tacVec3 *gradient) {
  for (int i = 0; i < patch->count; ++i)
    if (patch->vertex[i] == vertex) return i;
  patch->vertex[patch->count] = vertex;
  patch->corner[patch->count] = corner;
  patch->weight[patch->count] = 0.0;
  if (gradient != NULL) gradient[patch->count] = tac_vec3(0.0, 0.0, 0.0);
  return patch->count++;
}

/* Adds the weights of one point of the disc. The gradient of a hat function is perpendicular to the opposite side of
 * the triangle. */
static void add_point(const tacSurfaceWalk *walk, tacSurfacePoint at, double share, tacPatch *patch,
                      tacVec3 *gradient) {
  const tacVec3 *x = walk->mesh->vertices;
  const int *v = walk->mesh->triangles[at.triangle].v;
  tacVec3 n = walk->face_normal[at.triangle];
  double twice_area = tac_vec3_dot(n, tac_vec3_cross(tac_vec3_sub(x[v[1]], x[v[0]]), tac_vec3_sub(x[v[2]], x[v[0]])));
  for (int k = 0; k < 3; ++k) {
    if (gradient == NULL && at.weight[k] == 0.0) continue;
    int i = index_of(patch, v[k], 3 * at.triangle + k, gradient);
    patch->weight[i] += share * at.weight[k];
    if (gradient == NULL) continue;
    tacVec3 across = tac_vec3_cross(n, tac_vec3_sub(x[v[(k + 2) % 3]], x[v[(k + 1) % 3]]));
    gradient[i] = tac_vec3_mad(gradient[i], share / twice_area, across);
  }
}

/* Returns a direction in the plane of a triangle. Neighbouring triangles have similar directions. */
static tacVec3 along(tacVec3 normal) {
  tacVec3 fixed = tac_vec3(0.36, 0.48, 0.8);
  tacVec3 in_plane = tac_vec3_mad(fixed, -tac_vec3_dot(fixed, normal), normal);
  if (tac_vec3_norm2(in_plane) < 1e-6) in_plane = tac_vec3_cross(normal, tac_vec3(0.8, -0.6, 0.0));
  return tac_vec3_unit(in_plane);
}

void tac_patch_find(const tacSurfaceWalk *walk, tacSurfacePoint at, double radius, tacPatch *patch, tacVec3 *gradient) {
  tacVec3 n = walk->face_normal[at.triangle], facing = tac_surface_walk_normal(walk, at);
  tacVec3 first = along(n), second = tac_vec3_cross(n, first);
  double sum = 0.0;
  patch->count = 0;
  for (int ring = 0; ring < TAC_PATCH_RINGS; ++ring)
    for (int spoke = 0; spoke < TAC_PATCH_SPOKES; ++spoke) {
      int angle = 2 * spoke + ring % 2; /* odd rings are rotated by half the angle between spokes */
      double r = radius * ring_radius[ring];
      tacVec3 step = tac_vec3_mad(tac_vec3_scale(r * cosine[angle], first), r * cosine[(angle + 12) % 16], second);
      tacSurfacePoint there = at;
      tac_surface_walk_move(walk, step, MOST_CROSSINGS, &there);
      double share = ring_weight[ring] * fmax(0.0, tac_vec3_dot(facing, walk->face_normal[there.triangle]));
      if (share == 0.0) continue;
      add_point(walk, there, share, patch, gradient);
      sum += share;
    }
  if (!(sum > 0.0)) { /* at a very sharp fold all weights vanish; the patch is then the point `at` alone */
    add_point(walk, at, 1.0, patch, gradient);
    sum = 1.0;
  }
  int kept = 0;
  for (int i = 0; i < patch->count; ++i) {
    patch->vertex[kept] = patch->vertex[i];
    patch->corner[kept] = patch->corner[i];
    patch->weight[kept] = patch->weight[i] / sum;
    if (gradient != NULL) gradient[kept] = tac_vec3_scale(1.0 / sum, gradient[i]);
    kept += gradient != NULL || patch->weight[i] > 0.0;
  }
  patch->count = kept;
}
