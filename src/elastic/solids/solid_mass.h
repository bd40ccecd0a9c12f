/* What a solid weighs and how it resists being turned, from the masses of its elements. Offline. */
#pragma once

#include <tactus/mesh.h>
#include "elastic/solids/solid.h"

/* Consistent masses are exact integrals; lumped ones those of the points that they are lumped to. As
 * tac_element_mass fails. */
tacStatus tac_solid_mass(const tacSolid *solid, tacInertia *inertia, tacError *error);
