/* A deformed distance field in one state of its body: what contact queries. */
#pragma once

#include <tactus/distance_field.h>
#include "asset/deformed_field.h"

/* The field in a moment: its proxies in the deformation q, p_i, F_i and their inverses. Load phase to make; refers to
 * the field, which must outlive it. */
tacStatus tac_deformed_pose_create(const tacDeformedField *field, tacDeformedPose **pose, tacError *error);

/* With the distances of baked deformations (NULL: as above): where q comes near to one, values are those that were baked
 * for it, and proxies bridge the rest of the way only. The field must have one domain; both must outlive the pose. */
tacStatus tac_deformed_pose_create_loaded(const tacDeformedField *field, const tacLoadField *loads,
                                          tacDeformedPose **pose, tacError *error);
void tac_deformed_pose_destroy(tacDeformedPose *pose); /* NULL is allowed */

/* Tick; q[r]. Returns a bound of how far any query's answer moved since the last set, m. */
double tac_deformed_pose_set(tacDeformedPose *pose, const double *q);

/* Tick, any thread between sets; x in the body's frame, m. (3.16), (3.17): C0 in x and q; smallest of the domains. */
double tac_deformed_pose_value(const tacDeformedPose *pose, tacVec3 x);
