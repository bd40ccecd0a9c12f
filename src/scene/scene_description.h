/* Why two runs of a scene may differ in bits. */
#pragma once

#include <tactus/scene.h>

/* Why two runs may differ in bits though scene, assets, program and platform are the same; NULL: they do not. */
const char *tac_scene_variation(const tacScene *scene);
