/* Reports whether two runs of a scene may differ. */
#pragma once

#include <tactus/scene.h>

/* Returns the reason why two runs may differ in bits, although scene, assets, program and platform are the same.
 * Returns NULL if the runs do not differ. */
const char *tac_scene_variation(const tacScene *scene);
