#include "kinds/green/pressure_mask.h"

#include <limits.h>
#include <stdlib.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/geometry/vec3.h"

/* Triangles around each vertex: the indices first[v] to first[v + 1] - 1 in `triangle`. */
typedef struct Fans {
  int *first, *triangle;
} Fans;

static void list_fans(const tacTriMesh *mesh, Fans *fans) {
  for (int t = 0; t < mesh->triangle_count; ++t)
    for (int i = 0; i < 3; ++i) ++fans->first[mesh->triangles[t].v[i] + 1];
  for (int v = 0; v < mesh->vertex_count; ++v) fans->first[v + 1] += fans->first[v];
  for (int t = mesh->triangle_count - 1; t >= 0; --t)
    for (int i = 0; i < 3; ++i) {
      int v = mesh->triangles[t].v[i];
      fans->triangle[--fans->first[v + 1]] = t;
    }
  /* Restores the starts of the lists. The loop above has moved the start of vertex v to first[v + 1]. */
  for (int v = 0; v < mesh->vertex_count; ++v) fans->first[v] = fans->first[v + 1];
  fans->first[mesh->vertex_count] = 3 * mesh->triangle_count;
}

/* Computes a mask by collocation (section 6.1.2). The density at a vertex with position x is 1 - |x - x_i| / r, then
 * normalised (31). The mask covers the sphere of radius r around vertex i, but only vertices that are connected to
 * vertex i inside the sphere. So a thin body is not pressed from both sides. `queue` and `stamp`: work memory,
 * [vertices]. */
static tacStatus build_mask(const tacTriMesh *mesh, const double *area, const bool *elastic, const Fans *fans,
                            int vertex, double radius, int *queue, int *stamp, tacPressureMasks *masks,
                            tacError *error) {
  const size_t first = (size_t)masks->first[vertex];
  size_t used = first;
  int head = 0, tail = 0;
  queue[tail++] = vertex;
  stamp[vertex] = vertex;
  double sum = 0.0;
  while (head < tail) {
    int j = queue[head++];
    double rho = j == vertex ? 1.0 : 1.0 - tac_vec3_distance(mesh->vertices[j], mesh->vertices[vertex]) / radius;
    if (elastic[j]) {
      if (used == INT_MAX)
        return tac_error_set(error, TAC_ERR_ARGUMENT,
                             "the mask radius of %g m is too large: the masks would have "
                             "2^31 vertices in total; use a smaller radius",
                             radius);
      size_t capacity = masks->capacity;
      TAC_TRY(tac_array_reserve((void **)&masks->vertex, &capacity, used + 1, sizeof *masks->vertex, "pressure masks",
                                error));
      TAC_TRY(tac_array_reserve((void **)&masks->density, &masks->capacity, used + 1, sizeof *masks->density,
                                "pressure masks", error));
      masks->vertex[used] = j;
      masks->density[used] = rho;
      sum += area[j] * rho;
      ++used;
    }
    for (int k = fans->first[j]; k < fans->first[j + 1]; ++k)
      for (int i = 0; i < 3; ++i) {
        int next = mesh->triangles[fans->triangle[k]].v[i];
        if (stamp[next] == vertex) continue;
        stamp[next] = vertex;
        if (tac_vec3_distance(mesh->vertices[next], mesh->vertices[vertex]) < radius) queue[tail++] = next;
      }
  }
  for (size_t k = first; k < used; ++k) masks->density[k] /= sum;
  masks->first[vertex + 1] = (int)used;
  return TAC_OK;
}

tacStatus tac_pressure_masks_create(const tacTriMesh *mesh, const double *area, const bool *elastic, double radius,
                                    tacPressureMasks *masks, tacError *error) {
  size_t vertices = (size_t)mesh->vertex_count;
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  Fans fans;
  fans.first = tac_arrays_add(&work, vertices + 1, sizeof *fans.first);
  fans.triangle = tac_arrays_add(&work, 3 * (size_t)mesh->triangle_count, sizeof *fans.triangle);
  int *queue = tac_arrays_add(&work, vertices, sizeof *queue);
  int *stamp = tac_arrays_add(&work, vertices, sizeof *stamp);
  TAC_TRY(tac_arrays_status(&work, "pressure masks", error));
  TAC_TRY(TAC_ARRAY(masks->first, vertices + 1, "pressure masks", error));
  list_fans(mesh, &fans);
  for (size_t v = 0; v < vertices; ++v) stamp[v] = -1;
  for (int v = 0; v < mesh->vertex_count; ++v) {
    masks->first[v + 1] = masks->first[v];
    if (elastic[v]) TAC_TRY(build_mask(mesh, area, elastic, &fans, v, radius, queue, stamp, masks, error));
  }
  return TAC_OK;
}

/* Adds the elastic vertices of a patch as a mask, with densities normalised to unit force. */
static tacStatus add_patch(const tacPatch *patch, const double *area, const bool *elastic, tacPressureMasks *masks,
                           size_t *used, tacError *error) {
  size_t capacity = masks->capacity, most = *used + (size_t)patch->count;
  if (most > INT_MAX)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the fingertip is too large: its patches would have 2^31 vertices "
                         "in total; use a smaller radius");
  TAC_TRY(tac_array_reserve((void **)&masks->vertex, &capacity, most, sizeof *masks->vertex, "pressure masks", error));
  TAC_TRY(tac_array_reserve((void **)&masks->density, &masks->capacity, most, sizeof *masks->density, "pressure masks",
                            error));
  double sum = 0.0;
  for (int i = 0; i < patch->count; ++i)
    if (elastic[patch->vertex[i]]) sum += patch->weight[i];
  for (int i = 0; i < patch->count && sum > 0.0; ++i) {
    int v = patch->vertex[i];
    if (!elastic[v] || patch->weight[i] == 0.0) continue;
    masks->vertex[*used] = v;
    masks->density[(*used)++] = patch->weight[i] / (sum * area[v]);
  }
  return TAC_OK;
}

tacStatus tac_pressure_masks_of_fingertip(const tacFingertip *tip, const double *area, const bool *elastic,
                                          tacPressureMasks *masks, tacError *error) {
  const tacTriMesh *mesh = tip->walk->mesh;
  size_t vertices = (size_t)mesh->vertex_count, used = 0;
  TAC_MEMORY(tacSurfacePoint, place) = NULL;
  TAC_TRY(TAC_ARRAY(place, vertices, "pressure masks", error));
  TAC_TRY(TAC_ARRAY(masks->first, vertices + 1, "pressure masks", error));
  for (int t = 0; t < mesh->triangle_count; ++t)
    for (int k = 0; k < 3; ++k) {
      tacSurfacePoint *at = &place[mesh->triangles[t].v[k]];
      *at = (tacSurfacePoint){.triangle = t};
      at->weight[k] = 1.0;
    }
  for (size_t v = 0; v < vertices; ++v) {
    tacPatch patch;
    if (elastic[v]) {
      tac_fingertip_patch(tip, place[v], &patch, NULL);
      TAC_TRY(add_patch(&patch, area, elastic, masks, &used, error));
    }
    masks->first[v + 1] = (int)used;
  }
  return TAC_OK;
}

void tac_pressure_masks_free(tacPressureMasks *masks) {
  free(masks->first);
  free(masks->vertex);
  free(masks->density);
}
