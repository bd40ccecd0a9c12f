/* Solids that reduced bodies are made from, for the tests of this folder. */
#pragma once

#include <tactus/reduced.h>
#include "elastic/make_body.h"
#include "elastic/solids/solid.h"

/* A mesh, its materials and what is held; the solid and the def refer to them. */
typedef struct Solid {
  tacVolMesh *mesh;
  tacMaterial materials[3];
  int *material_of; /* [element], 0 at first */
  bool *held;       /* [vertex], none at first */
  tacSolid solid;
  tacReducedDef def;
} Solid;

/* Takes the mesh over; `s` must stay where it is. */
static inline void make_solid(tacVolMesh *mesh, tacMaterial material, Solid *s) {
  *s = (Solid){.mesh = mesh, .materials = {material}, .def = tac_reduced_def_default()};
  s->material_of = tac_test_alloc((size_t)tac_element_count(mesh) * sizeof *s->material_of);
  s->held = tac_test_alloc((size_t)mesh->vertex_count * sizeof *s->held);
  s->solid = (tacSolid){
      .mesh = mesh, .material_count = 1, .materials = s->materials, .material_of = s->material_of, .held = s->held};
  s->def.volume = mesh;
  s->def.material_count = 1;
  s->def.materials = s->materials;
  s->def.material_of = s->material_of;
  s->def.fixed = s->held;
}

static inline void free_solid(Solid *s) {
  tac_volmesh_destroy(s->mesh);
}

/* Holds the end at which x is least, or z where `below`. */
static inline void hold_end(Solid *s, bool below) {
  tacVec3 end = tac_volmesh_box(s->mesh).lower;
  for (int v = 0; v < s->mesh->vertex_count; ++v)
    s->held[v] = below ? s->mesh->vertices[v].z <= end.z : s->mesh->vertices[v].x <= end.x;
}
