#include "bench/full_model/green_full_model.h"

#include <stdlib.h>
#include <tactus/green.h>
#include "base/memory/array.h"
#include "kinds/green/green.h"
#include "kinds/green/green_problem.h"
#include "kinds/green/green_scene.h"
#include "scene/scene_parts.h"

typedef struct Problem {
  tacGreenProblem problem;
  bool *held; /* [vertex of the volume] */
} Problem;

static void free_problem(void *memory) {
  Problem *p = memory;
  tac_green_problem_free(&p->problem);
  free(p->held);
  free(p);
}

tacStatus tac_green_full_model(const tacScene *scene, int body, tacFullModel *model, tacError *error) {
  const tacGreen *green = tac_scene_green(scene, body);
  const tacSceneBody *of = tac_scene_file_body(&scene->file, body);
  if (green == NULL || tac_green_method(green) != TAC_FINITE_ELEMENTS) return TAC_OK;
  Problem *p = tac_array_create(1, sizeof *p, "a full model", error);
  if (p == NULL) return TAC_ERR_MEMORY;
  model->problem = p;
  model->free_problem = free_problem;
  tacStatus status = tac_green_problem_create(
      &(tacBodyMaker){.tree = scene->tree, .body = of, .error = error, .relaxed = true}, &p->problem);
  if (status != TAC_OK) return status;
  const tacGreenProblem *b = &p->problem;
  const tacReferenceDef *def = &b->def.problem;
  p->held = tac_array_create((size_t)b->volume->vertex_count, sizeof *p->held, "a full model", error);
  if (p->held == NULL) return TAC_ERR_MEMORY;
  for (int v = 0; v < b->volume->vertex_count; ++v) p->held[v] = b->inside != NULL && b->inside[v];
  const tacSolid solid = {b->volume, def->material_count, b->materials, b->material_of, p->held, TAC_MASS_LUMPED};
  status = tac_full_model_of_solid(&solid, model, error);
  if (status == TAC_OK && !model->loose)
    status = tac_statics_create(b->volume, b->materials, b->material_of, model->held, &model->linear, error);
  model->area = tac_green_area(green);
  model->stiffness = tac_green_keys(of)->stiffness;
  model->on_demand = tac_green_near_radius(green) > 0.0;
  return status;
}
