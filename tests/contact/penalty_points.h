/* Points in contact and the springs that come of them, for the tests of penalty forces. */
#pragma once

#include "contact/penalty.h"

#include "math/geometry/quat.h"
#include "math/random.h"
#include "test.h"

enum { MOST = 40000 };
static tacPenaltyPoint points[MOST];
static tacContactSpring springs[MOST];

static const tacVec3 zero = {0.0, 0.0, 0.0};

static inline tacVec3 random_vector(tacRandom *random, double size) {
  return tac_vec3_scale(size, tac_random_normal3(random));
}

static inline tacPenaltyPoint new_point(tacVec3 at, tacVec3 normal, double depth, double weight) {
  return (tacPenaltyPoint){.at = at, .normal = normal, .depth = depth, .weight = weight, .steep = 1.0, .anchor = at};
}

static inline tacVec3 total(int count) {
  tacVec3 sum = zero;
  for (int i = 0; i < count; ++i) sum = tac_vec3_add(sum, springs[i].force);
  return sum;
}

/* About the origin. */
static inline tacVec3 total_torque(int count) {
  tacVec3 sum = zero;
  for (int i = 0; i < count; ++i) sum = tac_vec3_add(sum, tac_vec3_cross(springs[i].at, springs[i].force));
  return sum;
}
