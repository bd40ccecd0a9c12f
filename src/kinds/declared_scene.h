/* Scene support of kinds without a tacSceneKind, such as user-defined kinds. The tacBodyKind of such a kind declares
 * the scene keys and the functions that create bodies (<tactus/body_kind.h>). */
#pragma once

#include "spec/scene_kind.h"

extern const tacSceneKind tac_declared_scene;

/* Writes the keys of a kind to `fields`: the kind's own keys and the keys common to all such kinds. `fields` must have
 * TAC_DECLARED_FIELDS entries. Returns the number of keys. */
enum { TAC_DECLARED_FIELDS = TAC_BODY_KIND_MOST_KEYS + 16 };
int tac_declared_scene_fields(const tacBodyKind *kind, tacField *fields);
