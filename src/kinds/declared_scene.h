/* Scene bodies of kinds declared only by their row: keys, bake and world as in <tactus/body_kind.h>. */
#pragma once

#include "spec/scene_kind.h"

extern const tacSceneKind tac_declared_scene;

/* Keys of a kind, its own and those common to all declared kinds, as fields; `fields` has room for TAC_DECLARED_FIELDS.
 * Returns their number. */
enum { TAC_DECLARED_FIELDS = TAC_BODY_KIND_MOST_KEYS + 16 };
int tac_declared_scene_fields(const tacBodyKind *kind, tacField *fields);
