/* A body of volume elements, part of whose surface is held. */
#pragma once

#include <tactus/green.h>
#include "math/geometry/vec3.h"
#include "math/random.h"
#include "test.h"
#include "world/make_defs.h"

typedef struct {
  tacVolMesh *volume;
  tacTriMesh *surface;
  int *vertex_of; /* of the surface -> of the volume */
  bool *fixed;    /* of the surface */
  tacMaterial material;
} Block;

static inline Block make_block(tacVolMesh *volume, bool (*holds)(tacVec3), double young, double poisson) {
  Block b = {.volume = tac_test_keep(volume, tac_volmesh_destroy)};
  tac_test_ok(tac_volmesh_surface(volume, &b.surface, &b.vertex_of, NULL, &error), error);
  tac_test_keep(b.surface, tac_trimesh_destroy);
  tac_test_keep(b.vertex_of, free);
  b.fixed = tac_test_alloc((size_t)b.surface->vertex_count * sizeof *b.fixed);
  for (int v = 0; v < b.surface->vertex_count; ++v) b.fixed[v] = holds(b.surface->vertices[v]);
  tac_test_ok(tac_material_isotropic(1000.0, young, poisson, &b.material, &error), error);
  return b;
}

/* By finite elements, the columns of the wanted vertices (NULL: of all, also of fixed ones). */
static inline tacGreen *bake_block(const Block *b, int wanted_count, const int *wanted) {
  TAC_MEMORY(int, all) = calloc((size_t)b->surface->vertex_count, sizeof *all);
  for (int v = 0; v < b->surface->vertex_count; ++v) all[v] = v;
  tacGreenDef def = tac_green_def_default();
  def.error_estimate_loads = 0; /* not of interest here */
  def.problem = (tacReferenceDef){.method = TAC_FINITE_ELEMENTS,
                                  .volume = b->volume,
                                  .material_count = 1,
                                  .materials = &b->material,
                                  .fixed = b->fixed};
  def.wanted = wanted != NULL ? wanted : all;
  def.wanted_count = wanted != NULL ? wanted_count : b->surface->vertex_count;
  return tac_test_made(tacGreen *, tac_green_bake(&def, NULL, &made, &error));
}

static inline bool at_bottom(tacVec3 p) {
  return p.z <= 1e-12;
}
