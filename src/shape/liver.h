/* The liver as a function, which the organs around it are fitted to. */
#ifndef TAC_SHAPE_LIVER_H
#define TAC_SHAPE_LIVER_H

#include "shape/implicit.h"

/* x to the left lobe, -y to the front, z up; metres. */
double tac_liver(tacVec3 p);

#endif
