#include "kinds/green/pressure_mask.h"

#include <limits.h>
#include <stdlib.h>
#include "base/memory/array.h"
#include "math/geometry/vec3.h"

/* Connected by edges: vertices of the triangles around a vertex. */
typedef struct Fans {
  int *first, *triangle;
} Fans;

static void fans_free(Fans *fans) {
  free(fans->first);
  free(fans->triangle);
}

static tacStatus fans_create(const tacTriMesh *mesh, Fans *fans, tacError *error) {
  *fans = (Fans){0};
  fans->first = tac_array_create((size_t)mesh->vertex_count + 1, sizeof *fans->first, "pressure masks", error);
  fans->triangle = tac_array_create(3 * (size_t)mesh->triangle_count, sizeof *fans->triangle, "pressure masks", error);
  if (fans->first == NULL || fans->triangle == NULL) {
    fans_free(fans);
    return TAC_ERR_MEMORY;
  }
  for (int t = 0; t < mesh->triangle_count; ++t)
    for (int i = 0; i < 3; ++i) ++fans->first[mesh->triangles[t].v[i] + 1];
  for (int v = 0; v < mesh->vertex_count; ++v) fans->first[v + 1] += fans->first[v];
  for (int t = mesh->triangle_count - 1; t >= 0; --t)
    for (int i = 0; i < 3; ++i) {
      int v = mesh->triangles[t].v[i];
      fans->triangle[--fans->first[v + 1]] = t;
    }
  /* Filling moved the start of v to first[v + 1]; bring it back. */
  for (int v = 0; v < mesh->vertex_count; ++v) fans->first[v] = fans->first[v + 1];
  fans->first[mesh->vertex_count] = 3 * mesh->triangle_count;
  return TAC_OK;
}

/* By collocation (section 6.1.2): 1 - |x - x_i| / r, on the vertices that are connected with vertex i within the sphere (so that a thin
 * body is not pressed from both sides at once), then normalised (31). `queue` and `stamp`: memory, [vertices]. */
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
        return tac_error_set(error, TAC_ERR_ARGUMENT, "mask radius %g m: the masks would have 2^31 vertices together",
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
  *masks = (tacPressureMasks){0};
  Fans fans;
  TAC_TRY(fans_create(mesh, &fans, error));
  int *queue = tac_array_create((size_t)mesh->vertex_count, sizeof *queue, "pressure masks", error);
  int *stamp = tac_array_create((size_t)mesh->vertex_count, sizeof *stamp, "pressure masks", error);
  masks->first = tac_array_create((size_t)mesh->vertex_count + 1, sizeof *masks->first, "pressure masks", error);
  tacStatus status = queue != NULL && stamp != NULL && masks->first != NULL ? TAC_OK : TAC_ERR_MEMORY;
  for (int v = 0; v < mesh->vertex_count && status == TAC_OK; ++v) stamp[v] = -1;
  for (int v = 0; v < mesh->vertex_count && status == TAC_OK; ++v) {
    masks->first[v + 1] = masks->first[v];
    if (elastic[v]) status = build_mask(mesh, area, elastic, &fans, v, radius, queue, stamp, masks, error);
  }
  free(queue);
  free(stamp);
  fans_free(&fans);
  if (status != TAC_OK) tac_pressure_masks_free(masks);
  return status;
}

void tac_pressure_masks_free(tacPressureMasks *masks) {
  free(masks->first);
  free(masks->vertex);
  free(masks->density);
  *masks = (tacPressureMasks){0};
}
