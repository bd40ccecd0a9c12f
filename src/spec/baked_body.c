#include "spec/baked_body.h"
#include "asset/deformed_field.h"
#include "asset/load_field.h"

void tac_baked_body_free(tacBakedBody *baked) {
  if (baked->own != NULL) baked->free_own(baked->own);
  tac_trimesh_destroy(baked->given);
  tac_trimesh_destroy(baked->shaped);
  tac_distance_field_destroy(baked->field);
  tac_deformed_field_destroy(baked->deformed);
  tac_load_field_destroy(baked->loads);
  tac_pointshell_destroy(baked->shell);
  *baked = (tacBakedBody){0};
}
