/* Changes of mass properties. */
#pragma once

#include <tactus/mesh.h>

/* The same solid with another density, so that it weighs `mass` (kg, positive). */
tacStatus tac_mass_properties_scale(tacMassProperties *properties, double mass, tacError *error);
