#include "body/vademecum_body.h"

#include "asset/vademecum.h"
#include "base/error.h"
#include "body/reduced_kind.h"

tacVademecumBodyDef tac_vademecum_body_def_default(void) {
  return (tacVademecumBodyDef){.body = tac_reduced_body_def_default()};
}

tacStatus tac_vademecum_body_create(const tacVademecumBodyDef *def, tacBody *body, tacError *error) {
  if (def->vademecum == NULL) return tac_error_set(error, TAC_ERR_ARGUMENT, "a vademecum body needs its vademecum");
  const tacVademecumParts *parts = tac_vademecum_parts(def->vademecum);
  bool linear = tac_vademecum_is_linear(def->vademecum);
  tacCoordinateForceDef force = {.sampled = linear ? NULL : &parts->sampled,
                                 .stiffness = linear ? parts->stiffness : NULL};
  tacReducedBodyDef own = def->body;
  own.reduced = tac_vademecum_shape(def->vademecum);
  return tac_reduced_kind_create_with(&own, &force, body, error);
}
