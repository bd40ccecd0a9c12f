/* All kinds of bodies as scenes see them: those of Tactus and those that were registered. */
#pragma once

#include "spec/scene_kind.h"

/* Loads the shared objects that the scene names under `kinds`. */
tacStatus tac_scene_kinds_load(const tacYamlTree *tree, tacError *error);
/* What a scene may say of a body: the keys of all kinds that there are now. Memory of the tree. */
tacStatus tac_scene_kinds_record(tacYamlTree *tree, tacRecord *record, tacError *error);

uint64_t tac_scene_kinds_versions(void); /* of what they bake, in one number */
/* "reduced or hyperelastic": those that are right at large strain. */
void tac_scene_kinds_of_large_strain(char *text, size_t size);
