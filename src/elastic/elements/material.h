/* Checks a linear elastic material. */
#pragma once

#include <tactus/material.h>

/* What tac_material_* guarantee, for a struct that came from elsewhere. */
tacStatus tac_material_check(const tacMaterial *material, tacError *error);
