#include <tactus/reduced.h>

#include <tactus/world.h>
#include "base/error.h"
#include "kinds/reduced/reduced_kind.h"
#include "kinds/vademecum/vademecum.h"
#include "kinds/vademecum/vademecum_body.h"

tacVademecumBodyDef tac_vademecum_body_def_default(void) {
  return (tacVademecumBodyDef){.motion = tac_reduced_body_def_default()};
}

static bool covers(const void *vademecum, tacVec3 force) {
  return tac_vademecum_covers(vademecum, force);
}

static bool known_loads(const void *vademecum, tacKnownLoads *loads) {
  *loads = (tacKnownLoads){.count = tac_vademecum_load_count(vademecum),
                           .most = tac_vademecum_load_most(vademecum),
                           .direction = tac_vademecum_load_direction(vademecum)};
  return true;
}

static bool load_mode(const void *vademecum, int vertex, int coordinate, tacVec3 *mode) {
  int load = tac_vademecum_load_of(vademecum, vertex);
  if (load < 0) return false;
  mode->x = tac_vademecum_load_mode(vademecum, coordinate, load, 0);
  mode->y = tac_vademecum_load_mode(vademecum, coordinate, load, 1);
  mode->z = tac_vademecum_load_mode(vademecum, coordinate, load, 2);
  return true;
}

tacStatus tac_world_add_vademecum(tacWorld *world, const tacVademecumBodyDef *def, tacBodyId *id, tacError *error) {
  if (def->vademecum == NULL)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "body %s: a vademecum body needs a vademecum",
                         def->motion.body.name != NULL ? def->motion.body.name : "");
  const tacVademecumParts *parts = tac_vademecum_parts(def->vademecum);
  bool linear = tac_vademecum_is_linear(def->vademecum);
  tacCoordinateForceDef force = {.sampled = linear ? NULL : &parts->sampled,
                                 .stiffness = linear ? parts->stiffness : NULL,
                                 .source = def->vademecum,
                                 .covers = covers,
                                 .known_loads = known_loads,
                                 .load_mode = load_mode};
  tacReducedBodyDef own = def->motion;
  own.reduced = tac_vademecum_shape(def->vademecum);
  return tac_reduced_kind_add(world, "vademecum", own.body.free, &own, &force, id, error);
}

const tacVademecum *tac_world_body_vademecum(const tacWorld *world, tacBodyId id) {
  return tac_reduced_kind_source(world, id);
}
