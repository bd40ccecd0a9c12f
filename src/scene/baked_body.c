#include "scene/baked_body.h"

void tac_baked_body_forget(tacBakedBody *baked) {
  tac_green_destroy(baked->green);
  tac_reference_problem_destroy(baked->problem);
  tac_reduced_destroy(baked->reduced);
  tac_trimesh_destroy(baked->given);
  tac_trimesh_destroy(baked->surface);
  tac_distance_field_destroy(baked->field);
  tac_pointshell_destroy(baked->shell);
  tac_deformed_field_destroy(baked->deformed);
  tac_hyperelastic_problem_free(&baked->hyperelastic);
  *baked = (tacBakedBody){0};
}

const tacTriMesh *tac_baked_body_surface(const tacBakedBody *baked) {
  if (baked->green != NULL) return tac_green_surface(baked->green);
  if (baked->reduced != NULL) return tac_reduced_surface(baked->reduced);
  return baked->surface;
}
