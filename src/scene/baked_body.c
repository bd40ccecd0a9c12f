#include "scene/baked_body.h"

void tac_baked_body_forget(tacBakedBody *baked) {
  tac_green_destroy(baked->green);
  tac_reference_problem_destroy(baked->problem);
  tac_reduced_destroy(baked->reduced);
  tac_vademecum_destroy(baked->vademecum);
  tac_trimesh_destroy(baked->given);
  tac_trimesh_destroy(baked->surface);
  tac_distance_field_destroy(baked->field);
  tac_pointshell_destroy(baked->shell);
  tac_deformed_field_destroy(baked->deformed);
  tac_load_field_destroy(baked->loads);
  tac_hyperelastic_problem_free(&baked->hyperelastic);
  *baked = (tacBakedBody){0};
}

const tacReduced *tac_baked_body_reduced(const tacBakedBody *baked) {
  return baked->vademecum != NULL ? tac_vademecum_shape(baked->vademecum) : baked->reduced;
}

const tacTriMesh *tac_baked_body_surface(const tacBakedBody *baked) {
  if (baked->green != NULL) return tac_green_surface(baked->green);
  const tacReduced *reduced = tac_baked_body_reduced(baked);
  if (reduced != NULL) return tac_reduced_surface(reduced);
  return baked->surface;
}
