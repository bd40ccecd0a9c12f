/* Declares the scene support of the body kind `hyperelastic`. */
#pragma once

#include "kinds/hyperelastic/hyperelastic_keys.h"
#include "spec/scene_kind.h"

extern const tacBodyKind tac_hyperelastic_row;
