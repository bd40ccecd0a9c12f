/* The liver as a function, which the organs around it are fitted to. */
#pragma once

#include "shape/implicit.h"

/* x to the left lobe, -y to the front, z up; metres. */
double tac_liver(tacVec3 p);
