/* Integrals of Kelvin's kernels times linear shape functions over a flat triangle.
 *
 * Points near the triangle (or in its plane, or at its corners) take closed forms, far ones Gauss rules: each relative
 * error stays below about 1e-9 of the integral of the kernel's size. */
#pragma once

#include <stdbool.h>
#include "base/error.h"
#include "elastic/boundary/kelvin.h"

/* A triangle with its own orthonormal axes: e[0] along the first side, e[2] the normal. Side s runs from corner s to the
 * next. */
typedef struct tacFlatTriangle {
  tacVec3 corner[3], e[3];
  double side[3];        /* lengths, m */
  double along[3][2];    /* unit vectors of the sides in e[0], e[1] */
  double gradient[3][2]; /* of the corners' shape functions, 1/m */
  double area;
  tacVec3 centroid;
  double radius; /* of the ball about the centroid that holds the triangle */
} tacFlatTriangle;

/* False where the triangle's least height is below 1e-6 of its longest side. */
bool tac_flat_triangle(const tacVec3 corner[3], tacFlatTriangle *triangle);

/* The integral of U N_a and T N_a for each corner a. */
typedef struct tacKelvinIntegral {
  double u[3][3][3], t[3][3][3]; /* [corner][row][column] */
} tacKelvinIntegral;

/* Closed form, for any x that is not inside a side. `in_plane` takes x to lie in the plane exactly; inside the triangle T is
 * then Cauchy's principal value. At a corner T is meaningless (but finite) for that corner's own shape function. */
void tac_triangle_integral_closed(const tacKelvin *kelvin, const tacFlatTriangle *triangle, tacVec3 x, bool in_plane,
                                  tacKelvinIntegral *integral);

/* Products of Gauss rules: n x n points, exact to degree 2 n - 1. */
#define TAC_TRIANGLE_RULE_COUNT 5
#define TAC_TRIANGLE_RULE_MOST 64

typedef struct tacTriangleRule {
  double reach; /* good enough for points farther from the centroid than this many radii */
  int count;
  double shape[TAC_TRIANGLE_RULE_MOST][3];  /* N_a at the point */
  double weight[TAC_TRIANGLE_RULE_MOST][3]; /* the point's weight, part of the area, times N_a */
} tacTriangleRule;

/* From the cheapest, which reaches least near, to the finest. */
typedef struct tacTriangleRules {
  tacTriangleRule rule[TAC_TRIANGLE_RULE_COUNT];
} tacTriangleRules;

tacStatus tac_triangle_rules_fill(tacTriangleRules *rules, tacError *error);

/* The same integrals by a rule, for several triangles at once. */
#define TAC_TRIANGLE_BATCH 4
void tac_triangle_integral_batch(const tacKelvin *kelvin, const tacTriangleRule *rule,
                                 const tacFlatTriangle *const triangle[TAC_TRIANGLE_BATCH], tacVec3 x,
                                 tacKelvinIntegral integral[TAC_TRIANGLE_BATCH]);

/* The integral of D N_a and S N_a for each corner, by the finest rule on ever smaller parts of the triangle. x must not lie
 * on the triangle. */
typedef struct tacStressIntegral {
  double d[3][6][3], s[3][6][3]; /* [corner][row][column] */
} tacStressIntegral;
void tac_triangle_integral_stress(const tacKelvin *kelvin, const tacTriangleRules *rules,
                                  const tacFlatTriangle *triangle, tacVec3 x, tacStressIntegral *integral);
