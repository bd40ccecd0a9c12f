#include "body/vademecum_body.h"

#include "body/reduced_kind.h"

tacVademecumBodyDef tac_vademecum_body_def_default(void) {
  return (tacVademecumBodyDef){.body = tac_reduced_body_def_default()};
}

tacStatus tac_vademecum_body_create(const tacVademecumBodyDef *def, tacBody *body, tacError *error) {
  tacReducedBodyDef own = def->body;
  own.reduced = tac_vademecum_shape(def->vademecum);
  return tac_reduced_kind_create(&own, body, error);
}
