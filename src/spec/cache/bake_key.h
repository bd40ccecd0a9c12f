/* Numbers that change with whatever changes what is baked. */
#pragma once

#include <stdint.h>
#include "spec/body_solid.h"
#include "spec/cache/made_mesh.h"

/* What keys are made of: each changes the sum by something that an asset depends on. */
void tac_key_mix(uint64_t *sum, const void *bytes, size_t size);
void tac_key_count(uint64_t *sum, int64_t count);
void tac_key_number(uint64_t *sum, double number);
void tac_key_surface(uint64_t *sum, const tacTriMesh *mesh);
void tac_key_volume(uint64_t *sum, const tacVolMesh *mesh);
void tac_key_materials_of(uint64_t *sum, const tacVolMesh *mesh, const int *material_of); /* NULL: nothing */
void tac_key_solid(uint64_t *sum, const tacSolidDef *solid);
void tac_key_region(uint64_t *sum, const tacSceneRegion *region);

/* Of all versions: those of the kinds that have assets of their own, and of what all kinds share. */
uint64_t tac_bake_key_versions(int count, const int *own);

/* Mesh, offset, resolution and size of the box. */
uint64_t tac_bake_key_field(const tacSolidDef *def);
/* The same of the field that they are fitted to, or the file that it is in, and how many they are; not what they are
 * embedded in. */
uint64_t tac_bake_key_points(const tacShellDef *def);
/* The shape itself (tac_gallery_fingerprint), not its name alone, and what is wanted of it; an error where there is no such shape. */
tacStatus tac_bake_key_surface(const tacShapeMesh *def, uint64_t *key, tacError *error);
/* The surface, and the elements that fill it. */
uint64_t tac_bake_key_volume(const tacFilledMesh *def);
