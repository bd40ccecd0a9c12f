/* Scene bodies of kinds that only a tacBodyKind declares. Keys, bake and world functions: see <tactus/body_kind.h>. */
#pragma once

#include "spec/scene_kind.h"

extern const tacSceneKind tac_declared_scene;

/* Writes the keys of a kind into `fields`: its own keys and the keys common to all declared kinds. `fields` has room
 * for TAC_DECLARED_FIELDS. Returns the number of keys. */
enum { TAC_DECLARED_FIELDS = TAC_BODY_KIND_MOST_KEYS + 16 };
int tac_declared_scene_fields(const tacBodyKind *kind, tacField *fields);
