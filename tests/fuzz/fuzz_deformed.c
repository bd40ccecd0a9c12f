/* Bytes as a file of a deformed field: an error, or a field that answers in any deformation. */
#include <math.h>
#include "asset/deformed_field.h"
#include "asset/deformed_pose.h"
#include "chunk_fuzz.h"
#include "kinds/reduced/reduced_polynomial.h"
#include "math/geometry/vec3.h"

/* Answers never make it fail; reaches are no farther than was asked for. */
static void ask(const tacDeformedField *field) {
  for (int d = 0; d < tac_deformed_field_domain_count(field); ++d)
    if (!tac_vec3_finite(tac_deformed_field_proxy(field, d, tac_deformed_field_proxy_count(field, d) - 1))) abort();
  tacDeformedPose *pose = NULL;
  double q[TAC_BODY_MOST_COORDINATES] = {0.0}, by_q[TAC_BODY_MOST_COORDINATES];
  if (tac_deformed_pose_create(field, &pose, NULL) != TAC_OK) return;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < tac_deformed_field_coordinates(field); ++j) q[j] += 0.1 * (i + 1) * (j % 2 == 0 ? 1.0 : -1.0);
    if (isnan(tac_deformed_pose_set(pose, q))) abort();
    for (int k = 0; k < 8; ++k) {
      tacVec3 x = tac_vec3(0.3 * k - 1.0, 0.1 * i, 0.05 * k);
      tacDeformedAnswer answer = tac_deformed_pose_gradient(pose, x, by_q);
      tac_deformed_pose_value(pose, x);
      tacDeformedLook look;
      tac_deformed_pose_look(pose, 1, &x, &(double){0.1}, 0.2, &look);
      if (look.reach > 0.3 + 1e-12) abort();
      if (answer.domain < 0 || answer.domain >= tac_deformed_field_domain_count(field)) abort();
      if (answer.proxy < 0 || answer.proxy >= tac_deformed_field_proxy_count(field, answer.domain)) abort();
      tac_deformed_pose_pull_back(pose, answer.domain, answer.proxy, x);
    }
  }
  tac_deformed_pose_destroy(pose);
}

TAC_FUZZ_FILE(tacDeformedField, tac_deformed_field, ask)
