/* The contact of Gonzalez et al. 2015, section 3: points of one body, all of them, against d(x, s) of another that a
 * load at s deforms; forces -k d n on both. Without a tree of points and without equations of motion, as in the
 * paper: what a body does in a world is measured by its ticks. */
#pragma once

#include <tactus/distance_field.h>
#include <tactus/reduced.h>
#include "asset/load_field.h"
#include "kinds/vademecum/vademecum.h"

typedef struct tacVademecumTouch tacVademecumTouch;

/* d(x, s) of the vademecum's loads whose vertices are above some height (m, at rest), along its direction, which must be
 * one, at the given sizes (of the largest load). Refers to the vademecum. */
tacStatus tac_vademecum_touch_create(const tacVademecum *vademecum, int resolution, double above, int level_count,
                                     const double *levels, tacVademecumTouch **touch, tacError *error);
void tac_vademecum_touch_destroy(tacVademecumTouch *touch); /* NULL is allowed */
const tacLoadFieldInfo *tac_vademecum_touch_info(const tacVademecumTouch *touch);

typedef struct tacTouchAnswer {
  int contacts;
  double deepest;        /* m */
  tacVec3 force, torque; /* N, N m about the origin, on the points' body */
} tacTouchAnswer;

/* One evaluation: the slice for a load in a triangle of the surface, of some size (of the largest), all points x,
 * stiffness in N/m. */
tacTouchAnswer tac_vademecum_touch_ask(tacVademecumTouch *touch, int triangle, const double weight[3], double size,
                                       int count, const tacVec3 *x, double stiffness);
/* The same by exact distances to the deformed surface, for comparison: without the direction of forces. Offline. */
tacStatus tac_vademecum_touch_exactly(const tacVademecumTouch *touch, const double *q, int count, const tacVec3 *x,
                                      tacTouchAnswer *answer, double *seconds, tacError *error);
