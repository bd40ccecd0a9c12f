/* A point of a triangle mesh in surface coordinates. */
#pragma once

typedef struct tacSurfacePoint {
  int triangle;
  double weight[3]; /* barycentric; not negative, sum to 1 */
} tacSurfacePoint;
