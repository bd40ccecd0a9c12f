#include "bench/full_model/reduced_full_model.h"

#include <stdlib.h>
#include <tactus/reduced.h>
#include "base/memory/array.h"
#include "kinds/reduced/reduced_problem.h"
#include "kinds/reduced/reduced_scene.h"
#include "kinds/vademecum/vademecum.h"
#include "scene/scene_parts.h"

static void free_problem(void *problem) {
  tac_reduced_problem_free(problem);
  free(problem);
}

void tac_reduced_full_nodes(const tacFullModel *model, const double *q, double *u) {
  const double *basis = tac_reduced_basis(model->reduced);
  int r = tac_reduced_size(model->reduced);
  for (size_t i = 0; i < 3 * (size_t)model->mesh->vertex_count; ++i) {
    u[i] = 0.0;
    for (int j = 0; j < r; ++j) u[i] += basis[i * (size_t)r + (size_t)j] * q[j];
  }
}

tacStatus tac_reduced_full_model(const tacScene *scene, int body, tacFullModel *model, tacError *error) {
  const tacReduced *reduced = tac_scene_reduced(scene, body);
  const tacSceneBody *of = tac_scene_file_body(&scene->file, body);
  if (reduced == NULL || tac_scene_vademecum(scene, body) != NULL) return TAC_OK;
  tacReducedProblem *problem = tac_array_create(1, sizeof *problem, "a full model", error);
  if (problem == NULL) return TAC_ERR_MEMORY;
  model->problem = problem;
  model->free_problem = free_problem;
  tacStatus status =
      tac_reduced_problem_create(&(tacBodyMaker){.tree = scene->tree, .body = of, .error = error}, problem);
  if (status != TAC_OK) return status;
  const tacReducedDef *def = &problem->def;
  if (def->volume->vertex_count != tac_reduced_volume(reduced)->vertex_count)
    return tac_error_set(error, TAC_ERR_GEOMETRY, "%s: its elements are not those of its bake", of->name);
  const tacSolid solid = {def->volume,      def->material_count, def->materials,
                          def->material_of, def->fixed,          TAC_MASS_LUMPED};
  model->reduced = reduced;
  model->projected = true;
  model->nodes = tac_reduced_full_nodes;
  model->mass_damping = tac_reduced_keys(of)->damping.mass;
  model->stiffness_damping = tac_reduced_keys(of)->damping.stiffness;
  return tac_full_model_of_solid(&solid, model, error);
}
