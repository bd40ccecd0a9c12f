#include "elastic/reference/thin_parts.h"

#include <math.h>
#include "base/error.h"
#include "base/log.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/geometry/vec3.h"
#include "mesh/query/self_intersection.h"
#include "mesh/query/thickness.h"
#include "mesh/triangle_key.h"

#define SHARE 0.1 /* of the area that may be thin */
#define MOST 1.2  /* edges over thickness */
#define WARN 0.6
#define ENOUGH 0.5  /* what is advised */
#define BENDING 0.9 /* of (edge / thickness)^2: by how much bending is too stiff */

static double mean_edge(const tacTriMesh *mesh, int t) {
  const int *v = mesh->triangles[t].v;
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) sum += tac_vec3_distance(mesh->vertices[v[i]], mesh->vertices[v[(i + 1) % 3]]);
  return sum / 3.0;
}

static tacStatus check_crossings(const tacTriMesh *surface, tacError *error) {
  int pairs = 0;
  TAC_MEMORY(unsigned char, flat) = tac_array_create((size_t)surface->triangle_count, 1, "triangles", error);
  if (flat == NULL) return TAC_ERR_MEMORY;
  for (int t = 0; t < surface->triangle_count; ++t) flat[t] = tac_triangle_is_degenerate(surface, t);
  TAC_TRY(tac_self_intersection_count(surface, flat, &pairs, error));
  if (pairs == 0) return TAC_OK;
  return tac_error_set(
      error, TAC_ERR_GEOMETRY,
      "the surface intersects itself (%d pairs of triangles), which boundary elements do not allow; remesh it with "
      "tactus mesh IN --remesh SIZE -o OUT, or use finite elements",
      pairs);
}

/* Edges over thickness that a tenth of the area exceeds, and the thickness that a tenth is thinner than. */
static tacStatus measure(const tacTriMesh *surface, double *ratio, double *thin, tacError *error) {
  size_t count = (size_t)surface->triangle_count;
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  double *thickness = tac_arrays_add(&work, count, sizeof *thickness);
  double *fineness = tac_arrays_add(&work, count, sizeof *fineness);
  TAC_TRY(tac_arrays_status(&work, "thickness", error));
  TAC_TRY(tac_thickness_measure(surface, thickness, error));
  for (size_t t = 0; t < count; ++t) fineness[t] = thickness[t] / mean_edge(surface, (int)t);
  *ratio = 1.0 / tac_thickness_quantile(surface, fineness, SHARE);
  *thin = tac_thickness_quantile(surface, thickness, SHARE);
  return TAC_OK;
}

static double stiffness_factor(double ratio) {
  return 1.0 + BENDING * ratio * ratio;
}

tacStatus tac_thin_parts_check(const tacTriMesh *surface, bool accept, tacError *error) {
  double ratio = 0.0, thin = INFINITY;
  TAC_TRY(check_crossings(surface, error));
  if (!accept) TAC_TRY(measure(surface, &ratio, &thin, error));
  if (ratio <= MOST) return TAC_OK;
  return tac_error_set(
      error, TAC_ERR_GEOMETRY,
      "mesh too coarse for boundary elements: on a tenth of the surface edges are longer than %.2g times the local "
      "thickness (%.2g m), so bending would be about %.2g times too stiff; use triangles of %.2g m (tactus mesh IN "
      "--remesh SIZE, or more vertices), or finite elements",
      ratio, thin, stiffness_factor(ratio), ENOUGH * thin);
}

tacStatus tac_thin_parts_warn(const tacTriMesh *surface, tacError *error) {
  double ratio = 0.0, thin = INFINITY;
  tacStatus status = measure(surface, &ratio, &thin, error);
  if (status == TAC_OK && ratio > WARN)
    tac_log(TAC_LOG_WARNING,
            "mesh too coarse for boundary elements: on a tenth of the surface edges are longer than %.2g times the "
            "local thickness, so bending is about %.2g times too stiff; use edges of %.2g m",
            ratio, stiffness_factor(ratio), ENOUGH * thin);
  return status;
}
