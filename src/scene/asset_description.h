/* Describes the assets of a baked scene, or an asset file, in text. */
#pragma once

#include <tactus/scene.h>

/* Describes the assets of a baked scene, line by line, as tac_scene_describe does. The label of the first line of a
 * body is the name of the body. `assets` comes from tac_scene_bake. If `only_new` is true, assets from the cache are
 * omitted. */
void tac_scene_describe_assets(const tacScene *scene, const tacSceneAsset *assets, bool only_new, tacSceneLineFn line,
                               void *user);

/* Describes a file that the bake of a body kind has written, line by line. Other files of Tactus give no line. */
tacStatus tac_asset_describe(const char *path, tacSceneLineFn line, void *user, tacError *error);
