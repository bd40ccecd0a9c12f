#include <tactus/rigid.h>
#include "base/error.h"
#include "kinds/made_body.h"
#include "kinds/rigid/rigid_kind.h"
#include "world/world_build.h"

tacRigidBodyDef tac_rigid_body_def_default(void) {
  return (tacRigidBodyDef){.body = tac_body_def_default()};
}

tacStatus tac_world_add_rigid(tacWorld *world, const tacRigidBodyDef *def, tacBodyId *id, tacError *error) {
  TAC_REQUIRE(error, world, def);
  tacBodyDef common = def->body;
  tacBody body;
  tacError reason = {0};
  common.kind = tac_rigid_row.name;
  common.shown = tac_rigid_row.shown;
  tacStatus status = tac_rigid_kind_create(def, &body, &reason);
  return tac_made_body_add(world, &common, status, &body, &reason, id, error);
}
