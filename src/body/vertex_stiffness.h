/* Stiffness that a tool feels at a surface vertex. */
#pragma once

#include "math/geometry/mat3.h"

typedef struct tacVertexStiffness {
  tacMat3 value;       /* stiffness, N/m */
  tacMat3 gradient[3]; /* derivatives of `value` by the position on the surface, along x, y and z, N/m^2 */
} tacVertexStiffness;
