/* Numbers that change with whatever changes what is baked. */
#pragma once

#include <stdint.h>
#include <tactus/green.h>
#include <tactus/reduced.h>
#include <tactus/vademecum.h>
#include "scene/body_solid.h"
#include "scene/made_mesh.h"
#include "scene/vademecum_loads.h"

/* Of the versions of all of them. */
uint64_t tac_bake_key_versions(void);

/* Meshes, materials, fixed and wanted vertices, sensors, method, storage. */
uint64_t tac_bake_key_green(const tacGreenDef *def);
/* Meshes, materials and their names, held vertices, mass matrix, and what the source of the basis takes. */
uint64_t tac_bake_key_reduced(const tacReducedDef *def);
/* Mesh, material, fixed and accessible vertices, loads, and all that is wanted of it. */
uint64_t tac_bake_key_vademecum(const tacVademecumDef *def);
/* Mesh, offset, resolution and size of the box. */
uint64_t tac_bake_key_field(const tacSolidDef *def);
/* The same of the field that they are fitted to, or the file that it is in, and how many they are; not what they are
 * embedded in. */
uint64_t tac_bake_key_points(const tacShellDef *def);
uint64_t tac_bake_key_embedded(const tacShellDef *def);
uint64_t tac_bake_key_deformed(const tacDeformedDef *def);
uint64_t tac_bake_key_loads(const tacVademecumLoadsDef *def);
/* The shape itself (tac_gallery_fingerprint), not its name alone, and what is wanted of it; an error where there is no such shape. */
tacStatus tac_bake_key_surface(const tacShapeMesh *def, uint64_t *key, tacError *error);
/* The surface, and the elements that fill it. */
uint64_t tac_bake_key_volume(const tacFilledMesh *def);

/* Of the surface that the fixed flags belong to: the given one, or the boundary of the volume. */
int tac_bake_key_surface_vertices(const tacReferenceDef *def);
