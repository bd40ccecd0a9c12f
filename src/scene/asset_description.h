/* Describes assets in text: those of a scene after its bake, and any asset file. */
#pragma once

#include <tactus/scene.h>

/* After the bake: what became of its assets, in words, as tac_scene_describe; the label of a body's first line is its name.
 * `assets` are those of tac_scene_bake. Where `only_new`, nothing is said of what was cached. */
void tac_scene_describe_assets(const tacScene *scene, const tacSceneAsset *assets, bool only_new, tacSceneLineFn line,
                               void *user);

/* What is in a file that the bake of a kind of bodies wrote, likewise. No line for other files of Tactus. */
tacStatus tac_asset_describe(const char *path, tacSceneLineFn line, void *user, tacError *error);
