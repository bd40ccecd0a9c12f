#include <tactus/world.h>

#include <math.h>
#include "asset/deformed_pose.h"
#include "asset/pointshell.h"
#include "base/memory/owned.h"
#include "world/pair_look.h"
#include "world/pairs/pair.h"

enum { MOST_POINTS = 32768, MOST_BALLS = 65536 };

struct tacPairLook {
  const tacWorld *world;
  int pair, points, field; /* indices of the pair, of the body with the points, and of the body with the field */
  const tacPointshell *shell;
  tacShellTraversal *traversal;
  tacContactField contact_field; /* field of the second body, with a separate deformed pose */
  tacArrays arrays;              /* owner of the arrays below */
  double *at_rest;               /* zero coordinates, used for snapshots without a state */
  int point_capacity, ball_capacity;
  tacLookPoint *found;
  tacVisitedBall *visited;
  tacLookBall *balls;
};

void tac_pair_look_destroy(tacPairLook *look) {
  if (look == NULL) return;
  tac_shell_traversal_destroy(look->traversal);
  tac_deformed_pose_destroy(look->contact_field.deformed);
  tac_arrays_free(&look->arrays);
  free(look);
}
TAC_OWNED_TYPE(tacPairLook, tac_pair_look_destroy)

tacStatus tac_pair_look_create(const tacWorld *world, int pair, tacPairLook **result, tacError *error) {
  *result = NULL;
  if (pair < 0 || pair >= world->pair_count)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "pair %d does not exist; the world has %d pairs", pair,
                         world->pair_count);
  const tacPair *of = &world->contact_pairs[pair];
  if (of->shell == NULL)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "pair %d uses surface detection, so it has no points to look at",
                         pair);
  TAC_OWN(tacPairLook, look) = NULL;
  TAC_TRY(TAC_ARRAY(look, 1, "a look at a pair", error));
  if (tac_world_body_complies(&world->bodies[of->points]) || tac_world_body_complies(&world->bodies[of->field])) {
    *result = tac_give(&look); /* the view is empty */
    return TAC_OK;
  }
  int finest = tac_pointshell_level_count(of->shell) - 1, size = tac_pointshell_size(of->shell, finest);
  look->world = world;
  look->pair = pair;
  look->points = of->points;
  look->field = of->field;
  look->shell = of->shell;
  look->contact_field = (tacContactField){.field = of->contact_field.field, .reach = of->contact_field.reach};
  look->point_capacity = size < MOST_POINTS ? size : MOST_POINTS;
  look->ball_capacity = 2 * size < MOST_BALLS ? 2 * size : MOST_BALLS;
  TAC_TRY(tac_shell_traversal_create(of->shell, look->point_capacity, &look->traversal, error));
  if (of->contact_field.deformed != NULL)
    TAC_TRY(tac_deformed_pose_create_loaded(tac_deformed_pose_field(of->contact_field.deformed),
                                            tac_deformed_pose_loads(of->contact_field.deformed),
                                            &look->contact_field.deformed, error));
  look->at_rest = tac_arrays_add(&look->arrays, TAC_BODY_MOST_COORDINATES, sizeof *look->at_rest);
  look->found = tac_arrays_add(&look->arrays, (size_t)look->point_capacity, sizeof *look->found);
  look->visited = tac_arrays_add(&look->arrays, (size_t)look->ball_capacity, sizeof *look->visited);
  look->balls = tac_arrays_add(&look->arrays, (size_t)look->ball_capacity, sizeof *look->balls);
  TAC_TRY(tac_arrays_status(&look->arrays, "a look at a pair", error));
  *result = tac_give(&look);
  return TAC_OK;
}

static const double *q_in(const tacPairLook *look, int body, const tacSnapshot *snapshot) {
  const tacWorldBody *of = &look->world->bodies[body];
  if (tac_body_describe(&of->body).points_q == NULL) return NULL;
  return snapshot->state != NULL && of->shown.state >= 0 ? snapshot->state + of->shown.state : look->at_rest;
}

/* Returns the level of detail in a snapshot. Snapshots may come from files, so an invalid level is replaced. */
static int level_in(const tacPairLook *look, const tacSnapshot *snapshot) {
  int deepest = tac_pointshell_level_count(look->shell) - 1,
      most = look->world->contact_pairs[look->pair].def.level_most;
  if (most < deepest) deepest = most;
  if (snapshot->state == NULL) return deepest;
  double level = snapshot->state[look->world->state_size - look->world->pair_count + look->pair];
  return level >= 0.0 && level < deepest ? (int)(level + 0.5) : deepest;
}

tacPairSeen tac_pair_look_at(tacPairLook *look, const tacSnapshot *snapshot) {
  const tacWorld *world = look->world;
  if (look->shell == NULL) return (tacPairSeen){0};
  tacPose at = tac_world_snapshot_pose(world, snapshot, tac_world_body(world, look->points));
  tacPose of = tac_world_snapshot_pose(world, snapshot, tac_world_body(world, look->field));
  tacQuat turn = tac_quat_of(at.orientation), frame = tac_quat_of(of.orientation);
  const double *q = q_in(look, look->points, snapshot);
  tacFrame shell = {.position = at.position, .orientation = turn},
           field = {.position = of.position, .orientation = frame};
  tacShellPose pose = tac_pair_pose(&shell, q, &field);
  if (look->contact_field.deformed != NULL)
    tac_deformed_pose_set(look->contact_field.deformed, q_in(look, look->field, snapshot));
  tacTraversalLimits limits = tac_traversal_limits_none();
  limits.coherent = false;
  limits.level_most = level_in(look, snapshot);
  const tacShellContact *contacts;
  look->contact_field.moved = 0.0;
  tac_shell_traversal_reset(look->traversal);
  tacTraversalReport report = tac_shell_traversal_run(look->traversal, &look->contact_field, &pose, &limits, &contacts);
  for (int i = 0; i < report.contact_count; ++i) {
    int point = contacts[i].point;
    tacVec3 normal =
        q != NULL ? tac_pointshell_deformed_normal(look->shell, point, q) : tac_pointshell_normal(look->shell, point);
    look->found[i] = (tacLookPoint){.at = tac_vec3_add(tac_quat_rotate(frame, contacts[i].at), of.position),
                                    .normal = tac_quat_rotate(turn, normal),
                                    .depth = contacts[i].depth,
                                    .point = point};
  }
  int balls = tac_shell_traversal_visited(look->traversal, look->ball_capacity, look->visited);
  for (int i = 0; i < balls; ++i)
    look->balls[i] = (tacLookBall){.centre = tac_vec3_add(tac_quat_rotate(frame, look->visited[i].centre), of.position),
                                   .radius = look->visited[i].radius,
                                   .level = look->visited[i].level,
                                   .opened = look->visited[i].opened};
  return (tacPairSeen){.level = report.level,
                       .point_count = report.contact_count,
                       .ball_count = balls,
                       .points = look->found,
                       .balls = look->balls};
}
