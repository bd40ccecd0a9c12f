/* A body of the small version of a scene, which has the same bodies, tools and contacts with fewer vertices, elements, modes, voxels
 * and points, so that it is baked in seconds. To be touched while the whole one is baked; not to be measured. */
#pragma once

#include "spec/scene_body.h"

/* Lowers what was read, once it was checked; false where there was nothing to lower. */
bool tac_small_body_lower(tacSceneBody *body);
