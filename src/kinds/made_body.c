#include "kinds/made_body.h"

#include "base/error.h"
#include "world/world_build.h"

tacStatus tac_made_body_add(tacWorld *world, const tacBodyDef *def, tacStatus status, const tacBody *body,
                            const tacError *reason, tacBodyId *id, tacError *error) {
  if (id != NULL) *id = (tacBodyId){0, 0};
  if (status != TAC_OK)
    return tac_error_set(error, status, "body %s: %.400s", def->name != NULL ? def->name : "", reason->text);
  status = tac_world_add_body(world, def, body->table, body->self, id, error);
  if (status != TAC_OK) body->table->destroy(body->self);
  return status;
}
