/* Distances from many points to a few planes, capsules and boxes at once: four points in a vector. Compilers do not fuse
 * products and sums here, so that every processor of an architecture returns the bits of the same operations one by one. */
#pragma once

#include <tactus/base.h>

typedef struct tacAnalyticPart {
  enum { TAC_ANALYTIC_PLANE, TAC_ANALYTIC_CAPSULE, TAC_ANALYTIC_BOX } kind;
  tacVec3 a, b;  /* normal of a plane; ends of a capsule's axis; lower and upper corner of a box */
  double radius; /* of a capsule; offset of a plane */
} tacAnalyticPart;

/* Tick. The smallest of the parts' values at each point; infinite where a point is not finite. */
void tac_analytic_values(int part_count, const tacAnalyticPart *parts, int count, const tacVec3 *points,
                         double *values);
