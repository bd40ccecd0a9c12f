/* What the points of a shell are tested against: a distance field as it is, or in its present deformation. */
#pragma once

#include "asset/deformed_field.h"
#include "asset/deformed_pose.h"
#include "asset/field_reach.h"

typedef struct tacContactField {
  const tacDistanceField *field; /* NULL where it deforms */
  tacFieldReach reach;           /* of `field` */
  tacDeformedPose *deformed;     /* NULL where it is rigid */
  double moved; /* m: what tac_deformed_pose_set returned since the last traversal, summed up; 0 if rigid */
} tacContactField;
