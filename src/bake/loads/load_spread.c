#include "bake/loads/load_spread.h"

#include <math.h>
#include <stdlib.h>
#include "base/memory/array.h"
#include "math/geometry/mat3.h"
#include "math/geometry/svd3.h"
#include "mesh/element_volume.h"

/* Of the moments of vertices about the axis that has the least of it, in parts of the most: below it they are in a
 * line. */
static const double line = 1e-3;

tacStatus tac_load_spread_create(const tacVolMesh *mesh, tacLoadSpread *spread, tacError *error) {
  *spread = (tacLoadSpread){mesh, tac_array_create((size_t)mesh->vertex_count, sizeof(double), "loads", error)};
  if (spread->volume == NULL) return TAC_ERR_MEMORY;
  for (int e = 0; e < mesh->tet_count + mesh->brick_count; ++e) {
    bool tet = e < mesh->tet_count;
    const int *v = tet ? mesh->tets[e].v : mesh->bricks[e - mesh->tet_count].v;
    double volume = fabs(tac_element_volume(mesh, e));
    for (int c = 0; c < (tet ? 4 : 8); ++c) spread->volume[v[c]] += volume / (tet ? 4.0 : 8.0);
  }
  return TAC_OK;
}

void tac_load_spread_free(tacLoadSpread *spread) {
  free(spread->volume);
  *spread = (tacLoadSpread){0};
}

/* Not yet divided by the sum of all. */
static double weight(const tacLoadSpread *spread, int vertex, tacVec3 point, double radius) {
  double share = 1.0 - tac_vec3_norm2(tac_vec3_sub(spread->mesh->vertices[vertex], point)) / (radius * radius);
  return share > 0.0 ? spread->volume[vertex] * share * share : 0.0;
}

bool tac_load_spread_add(const tacLoadSpread *spread, tacVec3 point, double radius, tacVec3 force, double *forces) {
  const tacVec3 *x = spread->mesh->vertices;
  int count = spread->mesh->vertex_count;
  if (!(radius > 0.0)) return false;
  double sum = 0.0;
  tacVec3 centre = tac_vec3(0.0, 0.0, 0.0); /* from the point */
  for (int v = 0; v < count; ++v) {
    double w = weight(spread, v, point, radius);
    sum += w;
    centre = tac_vec3_mad(centre, w, tac_vec3_sub(x[v], point));
  }
  if (!(sum > 0.0)) return false;
  centre = tac_vec3_scale(1.0 / sum, centre);
  tacVec3 middle = tac_vec3_add(point, centre);
  tacMat3 moment = tac_mat3_zero(), inverse;
  for (int v = 0; v < count; ++v) {
    double w = weight(spread, v, point, radius) / sum;
    if (w == 0.0) continue;
    tacVec3 r = tac_vec3_sub(x[v], middle);
    double square = tac_vec3_norm2(r);
    tacMat3 of_one = tac_mat3_sub(tac_mat3_diagonal(square, square, square), tac_mat3_outer(r, r));
    moment = tac_mat3_add(moment, tac_mat3_scale(w, of_one));
  }
  tacSvd3 parts = tac_svd3(moment);
  if (!(parts.s[2] > line * parts.s[0]) || !tac_mat3_inverse(moment, &inverse)) return false;
  tacVec3 turn = tac_mat3_mul_vec(inverse, tac_vec3_cross(tac_vec3_scale(-1.0, centre), force));
  for (int v = 0; v < count; ++v) {
    double w = weight(spread, v, point, radius) / sum;
    tacVec3 f = tac_vec3_scale(w, tac_vec3_add(force, tac_vec3_cross(turn, tac_vec3_sub(x[v], middle))));
    forces[3 * (size_t)v] += f.x;
    forces[3 * (size_t)v + 1] += f.y;
    forces[3 * (size_t)v + 2] += f.z;
  }
  return true;
}
