/* A body's distance field in a moment: as it is, or as the body is deformed then. In the body's frame. Offline: it allocates. */
#pragma once

#include <tactus/world.h>
#include "asset/deformed_pose.h"

typedef struct tacFieldMoment {
  const tacDistanceField *field; /* NULL where it deforms */
  tacDeformedPose *pose;         /* NULL where it does not */
  tacBox box;                    /* in which it is looked at, m */
  double voxel;                  /* m: of its grid, the finest of several; 0: analytic */
} tacFieldMoment;

/* `q` are the body's coordinates, NULL: at rest. TAC_ERR_ARGUMENT where it has no field. */
tacStatus tac_field_moment_create(const tacWorld *world, int body, const double *q, tacFieldMoment *moment,
                                  tacError *error);
void tac_field_moment_destroy(tacFieldMoment *moment); /* a zeroed one is allowed */
double tac_field_moment_value(const tacFieldMoment *moment, tacVec3 p);

/* The box at rest and the voxel alone; false where the body has no field. */
bool tac_field_moment_extent(const tacWorld *world, int body, tacBox *box, double *voxel);
