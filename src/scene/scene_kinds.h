/* All kinds of bodies that scenes know: those of Tactus, then the registered ones, by number. */
#pragma once

#include "scene/scene_kind.h"

const tacSceneKind *tac_scene_kinds_row(int kind);
const char *tac_scene_kinds_name(int kind); /* as scenes have it */

static inline const tacSceneKind *tac_scene_kind_of(const tacSceneBody *body) {
  return tac_scene_kinds_row(body->kind);
}

/* Loads the shared objects that the scene names under `kinds`. */
tacStatus tac_scene_kinds_load(const tacYamlTree *tree, tacError *error);
/* What a scene may say of a body: the keys of all kinds that there are now. Memory of the tree. */
tacStatus tac_scene_kinds_record(tacYamlTree *tree, tacRecord *record, tacError *error);
