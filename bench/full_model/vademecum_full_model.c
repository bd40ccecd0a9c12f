#include "bench/full_model/vademecum_full_model.h"

#include <stdlib.h>
#include <string.h>
#include <tactus/material.h>
#include <tactus/reduced.h>
#include "base/memory/array.h"
#include "bench/full_model/reduced_full_model.h"
#include "elastic/laws/hyper_laws.h"
#include "kinds/reduced/reduced_scene.h"
#include "kinds/vademecum/vademecum.h"
#include "kinds/vademecum/vademecum_problem.h"
#include "scene/scene_parts.h"

static void free_problem(void *problem) {
  tac_vademecum_problem_free(problem);
  free(problem);
}

tacStatus tac_vademecum_full_model(const tacScene *scene, int body, tacFullModel *model, tacError *error) {
  const tacSceneBody *of = tac_scene_file_body(&scene->file, body);
  if (tac_scene_vademecum(scene, body) == NULL) return TAC_OK;
  tacVademecumProblem *p = tac_array_create(1, sizeof *p, "a full model", error);
  if (p == NULL) return TAC_ERR_MEMORY;
  model->problem = p;
  model->free_problem = free_problem;
  tacStatus status = tac_vademecum_problem_create(&(tacBodyMaker){.tree = scene->tree, .body = of, .error = error}, p);
  if (status != TAC_OK) return status;
  const tacLawMaterial *m = &p->def.material;
  tacHyperMaterial material = {.law = tac_hyper_law_find(m->law, error), .density = m->density};
  if (material.law == NULL) return TAC_ERR_ARGUMENT;
  memcpy(material.parameters, m->parameters, sizeof material.parameters);
  const tacHyperSolidDef def = {.mesh = p->volume, .material_count = 1, .materials = &material, .thread_count = 1};
  model->reduced = tac_scene_reduced(scene, body);
  if (model->reduced != NULL) model->nodes = tac_reduced_full_nodes;
  model->mass_damping = tac_reduced_keys(of)->damping.mass;
  model->stiffness_damping = tac_reduced_keys(of)->damping.stiffness;
  return tac_full_model_of_hyper(&def, p->fixed, model, error);
}
