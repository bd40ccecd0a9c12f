#include "mesh/edge_table.h"

#include <limits.h>
#include <stdlib.h>
#include "base/memory/owned.h"

typedef struct Use {
  int larger, side;
} Use;

static int compare_uses(const void *a, const void *b) {
  const Use *x = a, *y = b;
  if (x->larger != y->larger) return x->larger < y->larger ? -1 : 1;
  return (x->side > y->side) - (x->side < y->side);
}

/* Few uses are sorted where they are, which costs less than a call of qsort. */
static void sort_uses(Use *uses, int count) {
  if (count > 16) {
    qsort(uses, (size_t)count, sizeof *uses, compare_uses);
    return;
  }
  for (int i = 1; i < count; ++i) {
    Use use = uses[i];
    int j = i;
    for (; j > 0 && compare_uses(&uses[j - 1], &use) > 0; --j) uses[j] = uses[j - 1];
    uses[j] = use;
  }
}

tacStatus tac_edge_table_create(const tacTriMesh *mesh, tacEdgeTable *table, tacError *error) {
  *table = (tacEdgeTable){0};
  if (mesh->triangle_count > INT_MAX / 3)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED, "the mesh has too many triangles (%d); at most %d are supported",
                         mesh->triangle_count, INT_MAX / 3);
  int side_count = 3 * mesh->triangle_count;
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  TAC_FREED(tac_edge_table_free, tacEdgeTable, made) = {0};
  Use *uses = tac_arrays_add(&work, (size_t)side_count, sizeof *uses);
  int *first = tac_arrays_add(&work, (size_t)mesh->vertex_count + 2, sizeof *first);
  made.sides = tac_arrays_add(&made.arrays, (size_t)side_count, sizeof *made.sides);
  TAC_TRY(tac_arrays_status(&work, "edges", error));

  /* Counting sort by the smaller vertex: first[v + 1] grows to the end of v's uses while they are placed. */
  for (int side = 0; side < side_count; ++side) {
    if (tac_triangle_repeats_corner(mesh->triangles[side / 3])) continue;
    int a = tac_side_start(mesh, side), b = tac_side_end(mesh, side);
    ++first[(size_t)(a < b ? a : b) + 2];
  }
  for (size_t v = 2; v < (size_t)mesh->vertex_count + 2; ++v) first[v] += first[v - 1];
  for (int side = 0; side < side_count; ++side) {
    if (tac_triangle_repeats_corner(mesh->triangles[side / 3])) continue;
    int a = tac_side_start(mesh, side), b = tac_side_end(mesh, side);
    uses[first[(size_t)(a < b ? a : b) + 1]++] = (Use){a < b ? b : a, side};
  }

  int edge_count = 0;
  for (int v = 0; v < mesh->vertex_count; ++v) {
    sort_uses(uses + first[v], first[v + 1] - first[v]);
    for (int u = first[v]; u < first[v + 1]; ++u) edge_count += u == first[v] || uses[u].larger != uses[u - 1].larger;
  }
  made.edges = tac_arrays_add(&made.arrays, (size_t)edge_count, sizeof *made.edges);
  TAC_TRY(tac_arrays_status(&made.arrays, "edges", error));
  for (int v = 0; v < mesh->vertex_count; ++v) {
    for (int u = first[v]; u < first[v + 1]; ++u) {
      if (u == first[v] || uses[u].larger != uses[u - 1].larger)
        made.edges[made.edge_count++] = (tacEdge){v, uses[u].larger, u, 0};
      ++made.edges[made.edge_count - 1].count;
      made.sides[u] = uses[u].side;
    }
  }
  *table = made;
  made = (tacEdgeTable){0};
  return TAC_OK;
}

void tac_edge_table_free(tacEdgeTable *table) {
  tac_arrays_free(&table->arrays);
  *table = (tacEdgeTable){0};
}

static int compare_edges(const void *a, const void *b) {
  const tacEdge *x = a, *y = b;
  if (x->a != y->a) return x->a < y->a ? -1 : 1;
  return (x->b > y->b) - (x->b < y->b);
}

const tacEdge *tac_edge_table_find(const tacEdgeTable *table, int a, int b) {
  tacEdge key = {a < b ? a : b, a < b ? b : a, 0, 0};
  return bsearch(&key, table->edges, (size_t)table->edge_count, sizeof key, compare_edges);
}
