#include "world/islands/tick_forces.h"

#include <math.h>
#include "world/islands/block.h"
#include "world/islands/contact_response.h"

static const double most_speed = 10.0; /* limit on the speed that tools give a body, m/s */

/* Returns the motion of the force's point in this step, m, world frame. */
static tacVec3 motion_of(const tacWorld *world, const tacPush *push) {
  const tacWorldBody *body = &world->bodies[push->body];
  if (tac_world_body_yields(body)) return tac_contact_response_tick_motion(world, push);
  double j[3 * TAC_BLOCK_MOST_MOVES], sum[3] = {0.0};
  const tacBlock *block = body->moves.block >= 0 ? &world->blocks[body->moves.block] : NULL;
  if (block == NULL || !block->solved) return tac_vec3(0.0, 0.0, 0.0);
  const int n = tac_block_moves(body);
  tac_block_jacobian(body, &push->site, push->at, j);
  for (int i = 0; i < n; ++i) {
    int at = body->moves.offset + i;
    double d = block->motion[at] + (block->done != NULL ? block->done[at] : 0.0);
    for (int axis = 0; axis < 3; ++axis) sum[axis] += j[axis * n + i] * d;
  }
  return tac_vec3(sum[0], sum[1], sum[2]);
}

bool tac_tick_forces_limit(tacWorld *world) {
  bool again = false;
  for (int b = 0; b < world->body_count; ++b) {
    double work = 0.0, size = 0.0, most = most_speed * world->bodies[b].step.length;
    for (int i = 0; i < world->tick_force_count; ++i) {
      const tacPush *push = &world->tick_forces[i];
      if (push->body != b) continue;
      work += tac_vec3_dot(push->force, motion_of(world, push));
      size += tac_vec3_norm(push->force);
    }
    if (!(work > size * most)) continue;
    for (int i = 0; i < world->tick_force_count; ++i)
      if (world->tick_forces[i].body == b)
        world->tick_forces[i].stiffness = tac_vec3_norm(world->tick_forces[i].force) / most;
    again = true;
  }
  return again;
}

void tac_tick_forces_end(tacWorld *world) {
  for (int i = 0; i < world->tick_force_count; ++i) {
    tacPush *push = &world->tick_forces[i];
    if (push->stiffness > 0.0) push->force = tac_vec3_mad(push->force, -push->stiffness, motion_of(world, push));
  }
}
