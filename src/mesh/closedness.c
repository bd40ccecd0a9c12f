#include <tactus/trimesh.h>

#include <stdint.h>
#include <stdlib.h>
#include "base/memory/array.h"

/* An edge in the list of its smaller vertex. */
typedef struct Edge {
  int larger;
  int direction; /* +1 where it runs towards the larger vertex */
} Edge;

static int compare_edges(const void *a, const void *b) {
  int x = ((const Edge *)a)->larger, y = ((const Edge *)b)->larger;
  return (x > y) - (x < y);
}

static int edge_smaller(const tacTriangle *t, int side) {
  int a = t->v[side], b = t->v[(side + 1) % 3];
  return a < b ? a : b;
}

/* Sum over the edges of one smaller vertex of |uses towards - uses away|. */
static int64_t unmatched_edges(Edge *edges, size_t count) {
  if (count > 1) qsort(edges, count, sizeof *edges, compare_edges);
  int64_t unmatched = 0;
  for (size_t i = 0; i < count;) {
    int64_t balance = 0;
    size_t j = i;
    for (; j < count && edges[j].larger == edges[i].larger; ++j) balance += edges[j].direction;
    unmatched += balance < 0 ? -balance : balance;
    i = j;
  }
  return unmatched;
}

tacStatus tac_trimesh_require_closed(const tacTriMesh *mesh, tacError *error) {
  if (mesh->triangle_count == 0) return tac_error_set(error, TAC_ERR_GEOMETRY, "the surface has no triangles");
  size_t n = (size_t)mesh->vertex_count;
  size_t *first = tac_array_create(n + 2, sizeof *first, "the edges of vertices", error);
  Edge *edges = tac_array_create(3 * (size_t)mesh->triangle_count, sizeof *edges, "edges", error);
  tacStatus status = TAC_ERR_MEMORY;
  if (first == NULL || edges == NULL) goto done;

  /* Counting sort by the smaller vertex: first[v + 1] becomes the end of v's edges while they are placed. */
  for (int t = 0; t < mesh->triangle_count; ++t)
    for (int side = 0; side < 3; ++side) ++first[edge_smaller(&mesh->triangles[t], side) + 2];
  for (size_t v = 2; v < n + 2; ++v) first[v] += first[v - 1];
  for (int t = 0; t < mesh->triangle_count; ++t) {
    for (int side = 0; side < 3; ++side) {
      int a = mesh->triangles[t].v[side], b = mesh->triangles[t].v[(side + 1) % 3];
      int smaller = a < b ? a : b;
      edges[first[smaller + 1]++] = (Edge){a < b ? b : a, (a < b) - (a > b)};
    }
  }
  int64_t unmatched = 0;
  for (size_t v = 0; v < n; ++v) unmatched += unmatched_edges(edges + first[v], first[v + 1] - first[v]);
  status = unmatched == 0 ? TAC_OK
                          : tac_error_set(error, TAC_ERR_GEOMETRY, "the surface is not closed: %lld boundary edge%s",
                                          (long long)unmatched, unmatched == 1 ? "" : "s");
done:
  free(first);
  free(edges);
  return status;
}
