#include "spec/scene_kind.h"

#include <math.h>

tacBodyDef tac_scene_kind_def(const tacBodyAdd *add) {
  const tacSceneBody *body = add->body;
  return (tacBodyDef){.name = body->name,
                      .kind = body->row->name,
                      .pose = tac_scene_body_pose(body),
                      .free = tac_scene_kind_frees(body),
                      .velocity = body->velocity,
                      .spin = body->spin,
                      .gravity = body->gravity,
                      .every = body->every,
                      .friction = body->friction,
                      .touch_stiffness = fmin(body->touch.stiffness, add->limit),
                      .touch_damping = body->touch.damping,
                      .contact_stiffness = body->contact.stiffness,
                      .contact_damping = body->contact.damping,
                      .shown = body->row->shown};
}
