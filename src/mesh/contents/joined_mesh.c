#include "mesh/contents/joined_mesh.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include "base/memory/owned.h"
#include "mesh/weld.h"

static const tacTriMesh no_surface;
static const tacVolMesh no_volume;

/* Fills surface_vertex with the volume's vertex at the same place, -1 where there is none that is free. */
static tacStatus match(tacJoinedMesh *joined, tacError *error) {
  const tacVolMesh *volume = joined->volume;
  const tacTriMesh *surface = joined->surface;
  int inner = volume->vertex_count, count = inner + surface->vertex_count, welded;
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  tacVec3 *points = tac_arrays_add(&work, (size_t)count, sizeof *points);
  int *target = tac_arrays_add(&work, (size_t)count, sizeof *target);
  bool *taken = tac_arrays_add(&work, (size_t)inner, sizeof *taken);
  TAC_TRY(tac_arrays_status(&work, "a table of vertices", error));
  for (int v = 0; v < count; ++v) points[v] = v < inner ? volume->vertices[v] : surface->vertices[v - inner];
  TAC_TRY(tac_weld_points(count, points, 0.0, target, &welded, error));
  for (int v = 0; v < surface->vertex_count; ++v) {
    int found = target[inner + v];
    joined->surface_vertex[v] = found < inner && !taken[found] ? found : -1;
    if (found < inner) taken[found] = true;
  }
  return TAC_OK;
}

tacStatus tac_joined_mesh_make(const tacMeshContents *contents, tacJoinedMesh *joined, tacError *error) {
  *joined = (tacJoinedMesh){.surface = contents->surface != NULL ? contents->surface : &no_surface,
                            .volume = contents->volume != NULL ? contents->volume : &no_volume};
  size_t surface_count = (size_t)joined->surface->vertex_count;
  if (joined->volume->vertex_count > INT_MAX - joined->surface->vertex_count)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED, "the surface and the volume have more than %d vertices together",
                         INT_MAX);
  joined->surface_vertex = tac_arrays_add(&joined->arrays, surface_count, sizeof(int));
  joined->extra = tac_arrays_add(&joined->arrays, surface_count, sizeof(int));
  TAC_TRY(tac_arrays_status(&joined->arrays, "numbers of vertices", error));
  TAC_TRY(match(joined, error));
  joined->vertex_count = joined->volume->vertex_count;
  for (int v = 0; v < joined->surface->vertex_count; ++v) {
    if (joined->surface_vertex[v] >= 0) continue;
    joined->extra[joined->vertex_count - joined->volume->vertex_count] = v;
    joined->surface_vertex[v] = joined->vertex_count++;
  }
  return TAC_OK;
}

void tac_joined_mesh_free(tacJoinedMesh *joined) {
  tac_arrays_free(&joined->arrays);
}

int tac_joined_mesh_cell(const tacJoinedMesh *joined, int64_t cell, int corners[8]) {
  int64_t tet = cell - joined->surface->triangle_count, brick = tet - joined->volume->tet_count;
  if (tet < 0) {
    for (int c = 0; c < 3; ++c) corners[c] = joined->surface_vertex[joined->surface->triangles[cell].v[c]];
    return 3;
  }
  if (brick < 0)
    memcpy(corners, joined->volume->tets[tet].v, sizeof(tacTet));
  else
    memcpy(corners, joined->volume->bricks[brick].v, sizeof(tacBrick));
  return brick < 0 ? 4 : 8;
}
