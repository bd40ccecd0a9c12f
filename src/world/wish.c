#include "world/wish.h"

#include "world/world_parameters.h"

static tacStatus push(tacWorld *world, const tacWish *wish, tacError *error) {
  const tacWorldBody *body = &world->bodies[wish->index];
  if (world->push_count == TAC_WORLD_MOST_PUSHES)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "at most %d forces from outside a step", TAC_WORLD_MOST_PUSHES);
  /* It acts at the nearest point of the surface. */
  tacVec3 p = tac_frame_from_world(&body->frame, wish->at);
  tacSurfacePoint nearest = tac_body_surface_start(body->surface, &body->body, p);
  tac_body_surface_nearest(body->surface, &body->body, p, &nearest);
  world->pushes[world->push_count++] = (tacPush){wish->index, tac_site_on_surface(nearest), wish->at, wish->force};
  return TAC_OK;
}

tacStatus tac_wish_fulfil(tacWorld *world, const tacWish *wish, tacError *error) {
  if (wish->kind == TAC_WISH_PARAMETER) return tac_world_change_parameter(world, wish->index, wish->value, error);
  if (wish->kind == TAC_WISH_PUSH) return push(world, wish, error);
  tacFrame *frame = &world->bodies[wish->index].frame;
  frame->position = wish->at;
  frame->orientation = wish->turn;
  frame->linear = wish->linear;
  frame->angular = wish->angular;
  return TAC_OK;
}
