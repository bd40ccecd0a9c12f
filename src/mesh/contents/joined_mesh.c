#include "mesh/contents/joined_mesh.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include "base/memory/array.h"
#include "mesh/contents/vertex_welder.h"

static const tacTriMesh no_surface;
static const tacVolMesh no_volume;

static bool same_place(tacVec3 a, tacVec3 b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* Fills surface_vertex with the volume's vertex at the same place, -1 where there is none that is free. */
static tacStatus match(tacJoinedMesh *joined, tacError *error) {
  const tacVolMesh *volume = joined->volume;
  const tacTriMesh *surface = joined->surface;
  size_t size = 16;
  while (size < 2 * (size_t)volume->vertex_count) size *= 2;
  int *table = tac_array_create(size, sizeof *table, "a table of vertices", error);
  bool *taken = tac_array_create((size_t)volume->vertex_count, sizeof *taken, "flags of vertices", error);
  tacStatus status = table != NULL && taken != NULL ? TAC_OK : TAC_ERR_MEMORY;
  for (int v = 0; v < volume->vertex_count && status == TAC_OK; ++v) {
    size_t slot = tac_vertex_hash(volume->vertices[v]) & (size - 1);
    while (table[slot] != 0 && !same_place(volume->vertices[table[slot] - 1], volume->vertices[v]))
      slot = (slot + 1) & (size - 1);
    if (table[slot] == 0) table[slot] = v + 1;
  }
  for (int v = 0; v < surface->vertex_count && status == TAC_OK; ++v) {
    size_t slot = tac_vertex_hash(surface->vertices[v]) & (size - 1);
    while (table[slot] != 0 && !same_place(volume->vertices[table[slot] - 1], surface->vertices[v]))
      slot = (slot + 1) & (size - 1);
    int found = table[slot] - 1;
    joined->surface_vertex[v] = found >= 0 && !taken[found] ? found : -1;
    if (found >= 0) taken[found] = true;
  }
  free(table);
  free(taken);
  return status;
}

tacStatus tac_joined_mesh_make(const tacMeshContents *contents, tacJoinedMesh *joined, tacError *error) {
  *joined = (tacJoinedMesh){.surface = contents->surface != NULL ? contents->surface : &no_surface,
                            .volume = contents->volume != NULL ? contents->volume : &no_volume};
  size_t surface_count = (size_t)joined->surface->vertex_count;
  if (joined->volume->vertex_count > INT_MAX - joined->surface->vertex_count)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED, "surface and volume have more than %d vertices", INT_MAX);
  joined->surface_vertex = tac_array_create(surface_count, sizeof(int), "numbers of vertices", error);
  joined->extra = tac_array_create(surface_count, sizeof(int), "numbers of vertices", error);
  tacStatus status = joined->surface_vertex != NULL && joined->extra != NULL ? TAC_OK : TAC_ERR_MEMORY;
  if (status == TAC_OK) status = match(joined, error);
  if (status != TAC_OK) {
    tac_joined_mesh_free(joined);
    return status;
  }
  joined->vertex_count = joined->volume->vertex_count;
  for (int v = 0; v < joined->surface->vertex_count; ++v) {
    if (joined->surface_vertex[v] >= 0) continue;
    joined->extra[joined->vertex_count - joined->volume->vertex_count] = v;
    joined->surface_vertex[v] = joined->vertex_count++;
  }
  return TAC_OK;
}

void tac_joined_mesh_free(tacJoinedMesh *joined) {
  free(joined->surface_vertex);
  free(joined->extra);
  joined->surface_vertex = joined->extra = NULL;
}
