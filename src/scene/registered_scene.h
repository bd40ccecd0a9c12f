/* Bodies of registered kinds in scenes: keys, bake and world as <tactus/body_kind.h> has it. */
#pragma once

#include "scene/scene_kind.h"

extern const tacSceneKind tac_registered_scene;

/* The keys of a kind, its own and those that all registered kinds have, as fields; `fields` has room for
 * TAC_REGISTERED_FIELDS. Returns how many there are. */
enum { TAC_REGISTERED_FIELDS = TAC_BODY_KIND_MOST_KEYS + 16 };
int tac_registered_scene_fields(const tacBodyKind *kind, tacField *fields);
