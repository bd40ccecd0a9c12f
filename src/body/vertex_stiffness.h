/* Stiffness that a point tool feels at a surface vertex. */
#pragma once

#include "math/geometry/mat3.h"

typedef struct tacVertexStiffness {
  tacMat3 value;       /* N/m */
  tacMat3 gradient[3]; /* derivatives along x, y and z on the surface, N/m^2 */
} tacVertexStiffness;
