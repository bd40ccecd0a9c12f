#include "spec/exact_solid.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"

/* Appends the triangles of a mesh to those before. */
static tacStatus append(const tacTriMesh *part, tacTriMesh **all, tacError *error) {
  int vertices = *all != NULL ? (*all)->vertex_count : 0, triangles = *all != NULL ? (*all)->triangle_count : 0;
  tacTriMesh *joined = NULL;
  tacStatus status =
      tac_trimesh_create(vertices + part->vertex_count, triangles + part->triangle_count, &joined, error);
  if (status != TAC_OK) return status;
  if (*all != NULL) {
    memcpy(joined->vertices, (*all)->vertices, (size_t)vertices * sizeof *joined->vertices);
    memcpy(joined->triangles, (*all)->triangles, (size_t)triangles * sizeof *joined->triangles);
  }
  memcpy(joined->vertices + vertices, part->vertices, (size_t)part->vertex_count * sizeof *joined->vertices);
  for (int t = 0; t < part->triangle_count; ++t)
    for (int k = 0; k < 3; ++k) joined->triangles[triangles + t].v[k] = part->triangles[t].v[k] + vertices;
  tac_trimesh_destroy(*all);
  *all = joined;
  return TAC_OK;
}

static tacStatus make_exact(const tacBodyMaker *m, tacTriMesh **surface, tacDistanceField **parts) {
  const tacSceneSolid *solids = m->body->analytic.items;
  for (int i = 0; i < m->body->analytic.count; ++i) {
    tacError reason;
    tacTriMesh *mesh = NULL;
    tacStatus status = tac_scene_solid_field(&solids[i], &parts[i], &reason);
    if (status == TAC_OK) status = tac_scene_solid_mesh(&solids[i], &mesh, &reason);
    if (status == TAC_OK) status = append(mesh, surface, &reason);
    tac_trimesh_destroy(mesh);
    if (status != TAC_OK) return tac_body_blame(m, solids[i].node, status, &reason);
  }
  return TAC_OK;
}

tacStatus tac_exact_solid_make(const tacBodyMaker *m, tacTriMesh **surface, tacDistanceField **field) {
  *surface = NULL;
  *field = NULL;
  int count = m->body->analytic.count;
  tacDistanceField **parts = tac_array_create((size_t)count, sizeof *parts, "solids", m->error);
  if (parts == NULL) return TAC_ERR_MEMORY;
  tacStatus status = make_exact(m, surface, parts);
  if (status == TAC_OK && count == 1)
    *field = parts[0];
  else if (status == TAC_OK)
    status = tac_distance_field_union(count, parts, field, m->error);
  for (int i = 0; status != TAC_OK && i < count; ++i) tac_distance_field_destroy(parts[i]);
  free(parts);
  if (status == TAC_OK) return TAC_OK;
  tac_trimesh_destroy(*surface);
  *surface = NULL;
  return status;
}
