/* Declares the scene support of the body kind `vademecum`. */
#pragma once

#include "kinds/reduced/reduced_scene.h"
#include "kinds/vademecum/vademecum_keys.h"

extern const tacBodyKind tac_vademecum_row;
