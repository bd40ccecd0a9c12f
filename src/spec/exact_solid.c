#include "spec/exact_solid.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"

TAC_OWNED_TYPE(tacTriMesh, tac_trimesh_destroy)

/* Appends the triangles of a mesh to those before. */
static tacStatus append(const tacTriMesh *part, tacTriMesh **all, tacError *error) {
  int vertices = *all != NULL ? (*all)->vertex_count : 0, triangles = *all != NULL ? (*all)->triangle_count : 0;
  tacTriMesh *joined = NULL;
  TAC_TRY(tac_trimesh_create(vertices + part->vertex_count, triangles + part->triangle_count, &joined, error));
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
    TAC_OWN(tacTriMesh, mesh) = NULL;
    tacStatus status = tac_scene_solid_field(&solids[i], &parts[i], &reason);
    if (status == TAC_OK) status = tac_scene_solid_mesh(&solids[i], &mesh, &reason);
    if (status == TAC_OK) status = append(mesh, surface, &reason);
    if (status != TAC_OK) return tac_body_error(m, solids[i].node, status, &reason);
  }
  return TAC_OK;
}

typedef struct {
  int count;
  tacDistanceField **parts;
} Parts;

static void free_parts(Parts *made) {
  for (int i = 0; made->parts != NULL && i < made->count; ++i) tac_distance_field_destroy(made->parts[i]);
  free(made->parts);
}

tacStatus tac_exact_solid_make(const tacBodyMaker *m, tacTriMesh **surface, tacDistanceField **field) {
  *surface = NULL;
  *field = NULL;
  int count = m->body->analytic.count;
  TAC_OWN(tacTriMesh, shown) = NULL;
  TAC_FREED(free_parts, Parts, made) = {.count = count};
  TAC_TRY(TAC_ARRAY(made.parts, (size_t)count, "solids", m->error));
  TAC_TRY(make_exact(m, &shown, made.parts));
  if (count == 1)
    *field = made.parts[0];
  else
    TAC_TRY(tac_distance_field_union(count, made.parts, field, m->error));
  made.count = 0; /* they are the field's */
  *surface = tac_give(&shown);
  return TAC_OK;
}
