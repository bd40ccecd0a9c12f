/* The small version of a scene: the same bodies, tools and contacts with fewer vertices, elements, modes, voxels and points, so
 * that it is baked in seconds. To be touched while the whole one is baked; not to be measured. */
#ifndef TAC_SCENE_SMALL_SCENE_H
#define TAC_SCENE_SMALL_SCENE_H

#include "scene/scene_file.h"

/* Lowers what was read, once it was checked; false where there was nothing to lower. */
bool tac_small_scene_lower(tacSceneFile *file);

#endif
