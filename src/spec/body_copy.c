#include "spec/body_copy.h"

#include <stdio.h>
#include <string.h>
#include "math/geometry/quat.h"
#include "math/random.h"

int tac_body_copy_count(const tacSceneBody *body) {
  const tacSceneCopies *c = &body->copies;
  return c->node != NULL ? (int)(c->grid.x * c->grid.y * c->grid.z) : 1;
}

void tac_body_copy_name(const tacSceneBody *body, int copy, char name[TAC_BODY_COPY_NAME]) {
  if (body->copies.node == NULL)
    snprintf(name, TAC_BODY_COPY_NAME, "%s", body->name);
  else
    snprintf(name, TAC_BODY_COPY_NAME, "%s-%0*d", body->name, tac_body_copy_count(body) > 999 ? 4 : 3, copy + 1);
}

/* Uniform over all rotations: the direction of a normally distributed point in four dimensions. */
static tacQuat random_turn(int copy) {
  tacRandom random = tac_random_seed((uint64_t)copy);
  double w = tac_random_normal(&random), x = tac_random_normal(&random);
  double y = tac_random_normal(&random), z = tac_random_normal(&random);
  return tac_quat_normalise(tac_quat(w, x, y, z));
}

tacPose tac_body_copy_pose(const tacSceneBody *body, int copy) {
  const tacSceneCopies *c = &body->copies;
  tacPose pose = tac_scene_body_pose(body);
  if (c->node == NULL) return pose;
  int nx = (int)c->grid.x, ny = (int)c->grid.y;
  tacVec3 shift = {copy % nx * c->spacing.x, copy / nx % ny * c->spacing.y, copy / (nx * ny) * c->spacing.z};
  pose.position = tac_vec3_add(pose.position, shift);
  if (!c->turn) return pose;
  tacQuat own = {pose.orientation[0], pose.orientation[1], pose.orientation[2], pose.orientation[3]};
  tacQuat turned = tac_quat_mul(random_turn(copy), own);
  pose.orientation[0] = turned.w;
  pose.orientation[1] = turned.x;
  pose.orientation[2] = turned.y;
  pose.orientation[3] = turned.z;
  return pose;
}

int tac_body_copy_find(const tacSceneBody *body, const char *name) {
  char own[TAC_BODY_COPY_NAME];
  for (int i = 0; i < tac_body_copy_count(body); ++i) {
    tac_body_copy_name(body, i, own);
    if (strcmp(own, name) == 0) return i;
  }
  return -1;
}
