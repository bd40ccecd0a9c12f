/* All kinds of bodies for scenes: those of Tactus and registered ones. */
#pragma once

#include "spec/scene_kind.h"

/* Loads the shared objects that the scene lists under `kinds`. */
tacStatus tac_scene_kinds_load(const tacYamlTree *tree, tacError *error);
/* Creates the record of the keys of scene bodies, for all present kinds. Uses the tree's memory. */
tacStatus tac_scene_kinds_record(tacYamlTree *tree, tacRecord *record, tacError *error);

uint64_t tac_scene_kinds_versions(void); /* bake versions of all kinds, combined */
/* Writes the names of the kinds that are accurate at large strain, for example "reduced or hyperelastic". */
void tac_scene_kinds_of_large_strain(char *text, size_t size);
