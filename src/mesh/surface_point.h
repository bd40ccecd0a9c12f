/* A point of a triangle mesh in surface coordinates. */
#ifndef TAC_MESH_SURFACE_POINT_H
#define TAC_MESH_SURFACE_POINT_H

typedef struct tacSurfacePoint {
  int triangle;
  double weight[3]; /* barycentric; not negative, sum to 1 */
} tacSurfacePoint;

#endif
