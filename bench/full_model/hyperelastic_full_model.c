#include "bench/full_model/hyperelastic_full_model.h"

#include <stdlib.h>
#include <string.h>
#include <tactus/hyperelastic.h>
#include <tactus/material.h>
#include "base/memory/array.h"
#include "elastic/laws/hyper_laws.h"
#include "kinds/hyperelastic/hyperelastic_problem.h"
#include "kinds/hyperelastic/hyperelastic_scene.h"
#include "scene/scene.h"
#include "scene/scene_parts.h"

typedef struct Problem {
  tacHyperelasticProblem problem;
  tacHyperMaterial *materials;
  tacMat3 *axes;
  bool *held;
} Problem;

static void free_problem(void *memory) {
  Problem *p = memory;
  tac_hyperelastic_problem_free(&p->problem);
  free(p->materials);
  free(p->axes);
  free(p->held);
  free(p);
}

/* Its state has the places of its nodes. */
static void nodes(const tacFullModel *model, const double *state, double *u) {
  for (int v = 0; v < model->mesh->vertex_count; ++v) {
    u[3 * v] = state[3 * v] - model->mesh->vertices[v].x;
    u[3 * v + 1] = state[3 * v + 1] - model->mesh->vertices[v].y;
    u[3 * v + 2] = state[3 * v + 2] - model->mesh->vertices[v].z;
  }
}

static tacStatus fill(Problem *p, tacError *error) {
  const tacHyperelasticProblem *from = &p->problem;
  size_t count = (size_t)from->volume->vertex_count, elements = (size_t)from->volume->tet_count;
  p->materials = tac_array_create((size_t)from->material_count, sizeof *p->materials, "a full model", error);
  p->held = tac_array_create(count, sizeof *p->held, "a full model", error);
  if (from->fibres != NULL) p->axes = tac_array_create(elements, sizeof *p->axes, "a full model", error);
  if (p->materials == NULL || p->held == NULL || (from->fibres != NULL && p->axes == NULL)) return TAC_ERR_MEMORY;
  for (int i = 0; i < from->material_count; ++i) {
    const tacLawMaterial *m = &from->materials[i];
    p->materials[i] = (tacHyperMaterial){.law = tac_hyper_law_find(m->law, error), .density = m->density};
    if (p->materials[i].law == NULL) return TAC_ERR_ARGUMENT;
    memcpy(p->materials[i].parameters, m->parameters, sizeof p->materials[i].parameters);
  }
  for (size_t v = 0; v < count; ++v)
    p->held[v] = (from->fixed != NULL && from->fixed[v]) || (from->moved != NULL && from->moved[v]);
  for (size_t e = 0; p->axes != NULL && e < elements; ++e)
    p->axes[e] = tac_mat3_from_columns(from->fibres[e][0], from->fibres[e][1], from->fibres[e][2]);
  return TAC_OK;
}

tacStatus tac_hyperelastic_full_model(const tacScene *scene, int body, tacFullModel *model, tacError *error) {
  const tacSceneBody *of = tac_scene_file_body(&scene->file, body);
  if (strcmp(tac_scene_body_kind_name(scene, body), "hyperelastic") != 0) return TAC_OK;
  Problem *p = tac_array_create(1, sizeof *p, "a full model", error);
  if (p == NULL) return TAC_ERR_MEMORY;
  model->problem = p;
  model->free_problem = free_problem;
  tacStatus status =
      tac_hyperelastic_problem_create(&(tacBodyMaker){.tree = scene->tree, .body = of, .error = error}, &p->problem);
  if (status == TAC_OK) status = fill(p, error);
  if (status != TAC_OK) return status;
  const tacHyperSolidDef def = {.mesh = p->problem.volume,
                                .material_count = p->problem.material_count,
                                .materials = p->materials,
                                .material_of = p->problem.material_of,
                                .axes = p->axes,
                                .patches = tac_hyperelastic_keys(of)->patches,
                                .thread_count = 1};
  model->nodes = nodes;
  model->mass_damping = tac_hyperelastic_keys(of)->damping.mass;
  model->stiffness_damping = tac_hyperelastic_keys(of)->damping.stiffness;
  return tac_full_model_of_hyper(&def, p->held, model, error);
}
