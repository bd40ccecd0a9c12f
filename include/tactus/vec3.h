/* A vector or point in three dimensions, in metres unless said otherwise. */
#ifndef TACTUS_VEC3_H
#define TACTUS_VEC3_H

typedef struct tacVec3 {
  double x, y, z;
} tacVec3;

/* An axis-aligned box; empty where a lower bound exceeds the upper one. */
typedef struct tacBox {
  tacVec3 lower, upper;
} tacBox;

#endif
