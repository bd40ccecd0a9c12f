#include "app/viewer/frame/volume_edges.h"

#include <stdlib.h>
#include "base/memory/array.h"

static int compare_edges(const void *x, const void *y) {
  const tacVolumeEdge *p = x, *q = y;
  if (p->a != q->a) return p->a < q->a ? -1 : 1;
  return (p->b > q->b) - (p->b < q->b);
}

static tacVolumeEdge edge_between(int a, int b) {
  return a < b ? (tacVolumeEdge){(uint32_t)a, (uint32_t)b} : (tacVolumeEdge){(uint32_t)b, (uint32_t)a};
}

tacStatus tac_volume_edges(const tacVolMesh *mesh, tacVolumeEdge **edges, size_t *count, tacError *error) {
  static const int tet[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  static const int brick[12][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                                   {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
  size_t all = 0, kept = 0;
  *edges = NULL;
  *count = 0;
  if (mesh == NULL) return TAC_OK;
  tacVolumeEdge *list = tac_array_create(6 * (size_t)mesh->tet_count + 12 * (size_t)mesh->brick_count, sizeof *list,
                                         "edges of a volume", error);
  if (list == NULL) return TAC_ERR_MEMORY;
  for (int e = 0; e < mesh->tet_count; ++e)
    for (int i = 0; i < 6; ++i) list[all++] = edge_between(mesh->tets[e].v[tet[i][0]], mesh->tets[e].v[tet[i][1]]);
  for (int e = 0; e < mesh->brick_count; ++e)
    for (int i = 0; i < 12; ++i)
      list[all++] = edge_between(mesh->bricks[e].v[brick[i][0]], mesh->bricks[e].v[brick[i][1]]);
  if (all > 0) qsort(list, all, sizeof *list, compare_edges);
  for (size_t i = 0; i < all; ++i)
    if (i == 0 || compare_edges(&list[i], &list[kept - 1]) != 0) list[kept++] = list[i];
  *edges = list;
  *count = kept;
  return TAC_OK;
}
