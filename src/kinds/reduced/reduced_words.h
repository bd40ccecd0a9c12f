/* Reduced bodies in words: what the bake made, what a file holds, and the body of a first scene. */
#pragma once

#include "spec/scene_kind.h"

extern const tacBodyDrafter tac_reduced_drafter;

void tac_reduced_words_asset(const tacSceneLines *to, const char *label, const void *made, const tacSceneAsset *asset);
tacStatus tac_reduced_words_file(const tacSceneLines *to, const char *path, tacError *error);
