#include "bench/full_model/full_kinds.h"

#include <tactus/green.h>
#include <tactus/hyperelastic.h>
#include <tactus/reduced.h>
#include "bench/full_model/green_full_model.h"
#include "bench/full_model/hyperelastic_full_model.h"
#include "bench/full_model/reduced_full_model.h"
#include "bench/full_model/vademecum_full_model.h"
#include "mesh/query/embedding.h"

tacStatus tac_full_kinds_create(const tacScene *scene, int body, tacFullModel *model, tacError *error) {
  static tacStatus (*const kinds[])(const tacScene *, int, tacFullModel *, tacError *) = {
      tac_green_full_model, tac_reduced_full_model, tac_hyperelastic_full_model, tac_vademecum_full_model};
  *model = (tacFullModel){.stiffness = 1.0};
  tacStatus status = TAC_OK;
  for (size_t i = 0; status == TAC_OK && model->mesh == NULL && i < sizeof kinds / sizeof *kinds; ++i)
    status = kinds[i](scene, body, model, error);
  const tacTriMesh *surface = tac_scene_surface(scene, body);
  if (status == TAC_OK && model->mesh != NULL)
    status = tac_embedding_create(model->mesh, surface->vertex_count, surface->vertices, &model->skin, error);
  if (status != TAC_OK) tac_full_model_free(model);
  return status;
}
