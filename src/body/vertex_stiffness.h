/* The stiffness that a point feels on a surface, at a vertex of it. */
#pragma once

#include "math/geometry/mat3.h"

typedef struct tacVertexStiffness {
  tacMat3 value;       /* N/m */
  tacMat3 gradient[3]; /* its derivatives along x, y and z on the surface, N/m^2 */
} tacVertexStiffness;
