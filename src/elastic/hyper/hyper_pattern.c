#include "elastic/hyper/hyper_pattern.h"

#include <limits.h>
#include <stdlib.h>
#include "base/memory/array.h"

/* Sets of vertices of which all are coupled: patches, or else elements. */
typedef struct Cliques {
  tacArrays arrays;
  const tacVolMesh *mesh;
  const tacHyperPatches *patches;
  int count;
  size_t *start; /* [vertex + 2] into clique: those that contain the vertex */
  int *clique;
} Cliques;

static const int *members(const Cliques *cliques, int clique, int *count) {
  const tacHyperPatches *patches = cliques->patches;
  *count = patches != NULL ? patches->vertex_start[clique + 1] - patches->vertex_start[clique] : 4;
  return patches != NULL ? patches->vertex + patches->vertex_start[clique] : cliques->mesh->tets[clique].v;
}

static tacStatus list_cliques(Cliques *cliques, tacError *error) {
  size_t vertices = (size_t)cliques->mesh->vertex_count;
  cliques->start = tac_arrays_add(&cliques->arrays, vertices + 2, sizeof *cliques->start);
  TAC_TRY(tac_arrays_status(&cliques->arrays, "neighbours of vertices", error));
  for (int pass = 0; pass < 2;
       ++pass) { /* counts two places late: one to make them starts, one that filling takes back */
    for (int c = 0; c < cliques->count; ++c) {
      int count;
      const int *vertex = members(cliques, c, &count);
      for (int i = 0; i < count; ++i) {
        if (pass == 0)
          ++cliques->start[vertex[i] + 2];
        else
          cliques->clique[cliques->start[vertex[i] + 1]++] = c;
      }
    }
    if (pass == 1) break;
    for (size_t v = 0; v < vertices; ++v) cliques->start[v + 2] += cliques->start[v + 1];
    cliques->clique = tac_arrays_add(&cliques->arrays, cliques->start[vertices + 1], sizeof *cliques->clique);
    TAC_TRY(tac_arrays_status(&cliques->arrays, "neighbours of vertices", error));
  }
  return TAC_OK;
}

/* Vertices coupled with v, v and those after it, ascending; `seen` has v where one has been found. */
static int list_below(const Cliques *cliques, int v, int *seen, int *list) {
  int count = 0;
  seen[v] = v;
  list[count++] = v;
  for (size_t c = cliques->start[v]; c < cliques->start[v + 1]; ++c) {
    int size;
    const int *vertex = members(cliques, cliques->clique[c], &size);
    for (int i = 0; i < size; ++i) {
      if (vertex[i] <= v || seen[vertex[i]] == v) continue;
      seen[vertex[i]] = v;
      list[count++] = vertex[i];
    }
  }
  qsort(list, (size_t)count, sizeof *list, tac_array_compare_ints);
  return count;
}

static tacStatus fill(const Cliques *cliques, int *seen, int *list, tacSparse *pattern, tacError *error) {
  size_t vertices = (size_t)cliques->mesh->vertex_count, total = 0;
  for (int pass = 0; pass < 2; ++pass) {
    for (size_t v = 0; v < vertices; ++v) seen[v] = -1;
    total = 0;
    for (size_t v = 0; v < vertices; ++v) {
      int count = list_below(cliques, (int)v, seen, list);
      for (int j = 0; j < 3; ++j) {
        if (pass == 1)
          for (int i = j; i < 3 * count; ++i) pattern->row[total + (size_t)(i - j)] = 3 * list[i / 3] + i % 3;
        total += (size_t)(3 * count - j);
        if (total > INT_MAX)
          return tac_error_set(error, TAC_ERR_UNSUPPORTED,
                               "the stiffness matrix would have more than %d entries; "
                               "use a coarser mesh",
                               INT_MAX);
        if (pass == 1) pattern->column_start[3 * v + (size_t)j + 1] = (int)total;
      }
    }
    if (pass == 0) TAC_TRY(tac_sparse_create((int)(3 * vertices), (int)(3 * vertices), total, pattern, error));
  }
  return TAC_OK;
}

tacStatus tac_hyper_pattern_create(const tacVolMesh *mesh, const tacHyperPatches *patches, tacSparse *pattern,
                                   tacError *error) {
  *pattern = (tacSparse){0};
  if (mesh->vertex_count > INT_MAX / 3)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED, "the mesh has too many vertices (%d) for a stiffness matrix",
                         mesh->vertex_count);
  Cliques cliques = {.mesh = mesh, .patches = patches, .count = patches != NULL ? patches->count : mesh->tet_count};
  int *seen = tac_arrays_add(&cliques.arrays, (size_t)mesh->vertex_count, sizeof *seen);
  int *room = tac_arrays_add(&cliques.arrays, (size_t)mesh->vertex_count, sizeof *room);
  tacStatus status = list_cliques(&cliques, error);
  if (status == TAC_OK) status = fill(&cliques, seen, room, pattern, error);
  tac_arrays_free(&cliques.arrays);
  if (status != TAC_OK) tac_sparse_destroy(pattern);
  return status;
}
