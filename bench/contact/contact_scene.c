#include "bench/contact/contact_scene.h"

#include <math.h>
#include "asset/deformed_field.h"
#include "math/geometry/quat.h"
#include "math/geometry/vec3.h"
#include "world/world.h"

tacStatus tac_contact_scene_open(const char *text, tacContactScene *scene, tacError *error) {
  *scene = (tacContactScene){0};
  tacStatus status = tac_scene_parse(text, "bench.yaml", &scene->scene, error);
  return status == TAC_OK ? tac_contact_scene_make(scene, error) : status;
}

tacStatus tac_contact_scene_make(tacContactScene *scene, tacError *error) {
  tacStatus status = tac_scene_bake(scene->scene, NULL, false, NULL, NULL, error);
  if (status == TAC_OK) status = tac_scene_world(scene->scene, &scene->world, error);
  if (status != TAC_OK) {
    tac_contact_scene_close(scene);
    return status;
  }
  tacVec3 grasp;
  tacBodyId held = tac_world_tool_body(scene->world, 0, &grasp);
  if (tac_world_body_name(scene->world, held) == NULL) return TAC_OK;
  tacPose pose = tac_world_body_pose(scene->world, held);
  const double *o = pose.orientation;
  scene->start = tac_vec3_add(pose.position, tac_quat_rotate(tac_quat(o[0], o[1], o[2], o[3]), grasp));
  return TAC_OK;
}

void tac_contact_scene_close(tacContactScene *scene) {
  tac_world_destroy(scene->world);
  tac_scene_destroy(scene->scene);
  *scene = (tacContactScene){0};
}

double tac_contact_scene_voxel(const tacWorld *world, int pair) {
  tacBodyId id = tac_world_pair(world, pair).field;
  const tacDeformedField *deformed = tac_world_body_deformed_field(world, id);
  const tacDistanceField *field =
      deformed != NULL ? tac_deformed_field_domain(deformed, 0) : tac_world_body_field(world, id);
  const tacGrid *grid = field != NULL ? tac_distance_field_grid(field) : NULL; /* surfaces may meet without one */
  return grid != NULL ? grid->spacing : 0.0;
}

tacToolInput tac_contact_hand_input(tacContactHand *hand, int points) {
  const double approach = 50e-6; /* m a tick, and the most that it corrects */
  double time = 1e-3 * hand->tick, missing = 1.0 - (double)points / hand->wanted;
  if (hand->reached < 0 && (points >= hand->wanted || hand->depth >= hand->deepest)) hand->reached = hand->tick;
  double step = hand->reached < 0 ? approach : approach * fmax(-1.0, fmin(1.0, missing));
  hand->depth = fmin(hand->depth + step, hand->deepest);
  tacVec3 n = hand->towards, across = fabs(n.z) < 0.7 ? tac_vec3(0.0, 0.0, 1.0) : tac_vec3(0.0, 1.0, 0.0);
  tacVec3 a = tac_vec3_unit(tac_vec3_cross(n, across)), b = tac_vec3_cross(n, a);
  tacVec3 at = tac_vec3_mad(hand->start, hand->depth, n);
  at = tac_vec3_mad(at, hand->sway * sin(2.9 * time), a);
  at = tac_vec3_mad(at, hand->sway * sin(1.7 * time), b);
  tacVec3 turn = tac_vec3(sin(2.1 * time), sin(1.3 * time), sin(2.5 * time));
  tacQuat q = tac_quat_from_rotation_vector(tac_vec3_scale(hand->turn, turn));
  ++hand->tick;
  return (tacToolInput){.position = at, .orientation = {q.w, q.x, q.y, q.z}};
}
