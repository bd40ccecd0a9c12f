/* Scene functions that combine all body kinds, built-in and registered. */
#pragma once

#include "spec/scene_kind.h"

/* Loads the shared objects that the scene lists under `kinds`. */
tacStatus tac_scene_kinds_load(const tacYamlTree *tree, tacError *error);
/* Creates the schema of a scene body, with the keys of all kinds. `tree` owns the memory. */
tacStatus tac_scene_kinds_record(tacYamlTree *tree, tacRecord *record, tacError *error);

uint64_t tac_scene_kinds_versions(void); /* hash of the bake versions of all kinds */
/* Writes the names of all kinds that are accurate at large strain, for example "reduced or hyperelastic". */
void tac_scene_kinds_of_large_strain(char *text, size_t size);
