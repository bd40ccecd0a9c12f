/* Bodies in scenes whose kind says all of itself by its row: keys, bake and world as <tactus/body_kind.h> has it. */
#pragma once

#include "spec/scene_kind.h"

extern const tacSceneKind tac_declared_scene;

/* The keys of a kind, its own and those that all declared kinds have, as fields; `fields` has room for
 * TAC_DECLARED_FIELDS. Returns how many there are. */
enum { TAC_DECLARED_FIELDS = TAC_BODY_KIND_MOST_KEYS + 16 };
int tac_declared_scene_fields(const tacBodyKind *kind, tacField *fields);
