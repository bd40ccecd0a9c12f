/* Vademecums in words: what the bake made, and what a file holds. */
#pragma once

#include "spec/scene_kind.h"

void tac_vademecum_words_asset(const tacSceneLines *to, const char *label, const void *made,
                               const tacSceneAsset *asset);
tacStatus tac_vademecum_words_file(const tacSceneLines *to, const char *path, tacError *error);
