#include <tactus/vademecum.h>

#include <tactus/world.h>
#include "base/error.h"
#include "kinds/reduced/reduced_kind.h"
#include "kinds/vademecum/vademecum.h"

tacVademecumBodyDef tac_vademecum_body_def_default(void) {
  return (tacVademecumBodyDef){.motion = tac_reduced_body_def_default()};
}

static bool covers(const void *vademecum, tacVec3 force) {
  return tac_vademecum_covers(vademecum, force);
}

tacStatus tac_world_add_vademecum(tacWorld *world, const tacVademecumBodyDef *def, tacBodyId *id, tacError *error) {
  if (def->vademecum == NULL)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "body %s: a vademecum body needs its vademecum",
                         def->motion.body.name != NULL ? def->motion.body.name : "");
  const tacVademecumParts *parts = tac_vademecum_parts(def->vademecum);
  bool linear = tac_vademecum_is_linear(def->vademecum);
  tacCoordinateForceDef force = {.sampled = linear ? NULL : &parts->sampled,
                                 .stiffness = linear ? parts->stiffness : NULL,
                                 .source = def->vademecum,
                                 .covers = covers};
  tacReducedBodyDef own = def->motion;
  own.reduced = tac_vademecum_shape(def->vademecum);
  return tac_reduced_kind_add(world, "vademecum", own.body.free, &own, &force, id, error);
}

const tacVademecum *tac_world_body_vademecum(const tacWorld *world, tacBodyId id) {
  return tac_reduced_kind_source(world, id);
}
