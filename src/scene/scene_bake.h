/* Returns baked distance fields of a scene's bodies. */
#pragma once

#include <tactus/scene.h>

const tacDeformedField *tac_scene_deformed_field(const tacScene *scene, int body);
const tacLoadField *tac_scene_load_field(const tacScene *scene, int body);
