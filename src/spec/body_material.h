/* The materials of a body of a scene, and which element has which. Offline. */
#pragma once

#include <tactus/material.h>
#include "spec/body_mesh.h"

/* `materials` receives tac_scene_body_material_count of them; `material_of`, for a body with a list of materials, for each
 * element of the volume the last of those that hold it: an element that has none and a material without an element are errors.
 * Both are malloc'ed; NULL on failure. */
tacStatus tac_body_material_make(const tacBodyMaker *maker, const tacVolMesh *volume, tacMaterial **materials,
                                 int **material_of);
/* Which element has which, alone; NULL where the body has one material. */
tacStatus tac_body_material_assign(const tacBodyMaker *maker, const tacVolMesh *volume, int **material_of);
