#include "bake/points/surface_samples.h"

#include <stdlib.h>
#include "base/memory/array.h"
#include "math/geometry/vec3.h"

static tacVec3 twice_area(const tacTriMesh *mesh, int triangle) {
  const int *v = mesh->triangles[triangle].v;
  tacVec3 a = mesh->vertices[v[0]];
  return tac_vec3_cross(tac_vec3_sub(mesh->vertices[v[1]], a), tac_vec3_sub(mesh->vertices[v[2]], a));
}

tacStatus tac_surface_samples_create(const tacTriMesh *mesh, tacSurfaceSamples *samples, tacError *error) {
  *samples = (tacSurfaceSamples){.mesh = mesh};
  TAC_TRY(TAC_ARRAY(samples->area_up_to, (size_t)mesh->triangle_count, "areas of triangles", error));
  for (int t = 0; t < mesh->triangle_count; ++t) {
    samples->area += 0.5 * tac_vec3_norm(twice_area(mesh, t));
    samples->area_up_to[t] = samples->area;
  }
  return TAC_OK;
}

void tac_surface_samples_free(tacSurfaceSamples *samples) {
  free(samples->area_up_to);
  *samples = (tacSurfaceSamples){0};
}

/* The part of (0, 1) after the point of n times an irrational step: a sequence that leaves no gaps. */
static double additive(size_t n, double step) {
  double x = 0.5 + step * (double)(n % 16777216);
  return x - floor(x);
}

tacVec3 tac_surface_samples_at(const tacSurfaceSamples *samples, size_t index, size_t count, tacVec3 *normal) {
  const tacTriMesh *mesh = samples->mesh;
  double place = ((double)index + 0.5) / (double)count * samples->area;
  int low = 0, high = mesh->triangle_count - 1;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (samples->area_up_to[middle] > place)
      high = middle;
    else
      low = middle + 1;
  }
  *normal = tac_vec3_unit(twice_area(mesh, low));
  /* Roberts' R2 sequence on the parallelogram, folded onto the triangle. */
  double u = additive(index, 0.7548776662466927), v = additive(index, 0.5698402909980532);
  if (u + v > 1.0) {
    u = 1.0 - u;
    v = 1.0 - v;
  }
  const int *c = mesh->triangles[low].v;
  tacVec3 a = mesh->vertices[c[0]];
  tacVec3 p = tac_vec3_mad(a, u, tac_vec3_sub(mesh->vertices[c[1]], a));
  return tac_vec3_mad(p, v, tac_vec3_sub(mesh->vertices[c[2]], a));
}
