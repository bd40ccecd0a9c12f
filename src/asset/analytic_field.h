/* Planes, capsules and boxes: their distances, and those of unions of them. Compilers do not fuse products and sums here: so
 * single points and the vectors of many have the same bits on every processor of an architecture. */
#pragma once

#include <tactus/base.h>

typedef struct tacAnalyticPart {
  enum { TAC_ANALYTIC_PLANE, TAC_ANALYTIC_CAPSULE, TAC_ANALYTIC_BOX } kind;
  tacVec3 a, b;  /* normal of a plane; ends of a capsule's axis; lower and upper corner of a box */
  double radius; /* of a capsule; offset of a plane */
} tacAnalyticPart;

/* Tick. The smallest of the parts' values at a point; infinite where it is not finite. */
double tac_analytic_value(int part_count, const tacAnalyticPart *parts, tacVec3 p);
/* Its gradient as well, that of the first part with this value; zero where the point is not finite. */
double tac_analytic_gradient(int part_count, const tacAnalyticPart *parts, tacVec3 p, tacVec3 *gradient);
/* Values at many points, with the bits of tac_analytic_value. */
void tac_analytic_values(int part_count, const tacAnalyticPart *parts, int count, const tacVec3 *points,
                         double *values);
