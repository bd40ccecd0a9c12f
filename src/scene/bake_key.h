/* Numbers that change with whatever changes what is baked. */
#ifndef TAC_SCENE_BAKE_KEY_H
#define TAC_SCENE_BAKE_KEY_H

#include <stdint.h>
#include <tactus/green_bake.h>
#include <tactus/reduced_bake.h>

/* Meshes, materials, fixed and wanted vertices, sensors, method, storage. */
uint64_t tac_bake_key_green(const tacGreenDef *def);
/* Meshes, materials and their names, held vertices, mass matrix, and what the source of the basis takes. */
uint64_t tac_bake_key_reduced(const tacReducedDef *def);

/* Of the surface that the fixed flags belong to: the given one, or the boundary of the volume. */
int tac_bake_key_surface_vertices(const tacReferenceDef *def);

#endif
