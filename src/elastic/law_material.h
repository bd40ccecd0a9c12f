/* Materials by a law of large strain, as others say them, made what elements are computed with. */
#pragma once

#include <tactus/material.h>
#include "elastic/hyper/hyper_solid.h"

/* Checks all of it; an error names what makes no sense. */
tacStatus tac_law_material_read(const tacLawMaterial *from, tacHyperMaterial *to, tacError *error);
