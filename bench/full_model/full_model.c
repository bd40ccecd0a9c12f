#include "bench/full_model/full_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "elastic/solids/assembly.h"
#include "math/geometry/vec3.h"
#include "mesh/query/embedding.h"

static const int most_factors = 50; /* of a solution: beyond, there is none */

static tacStatus set_held(const tacVolMesh *mesh, const bool *held, tacFullModel *model, tacError *error) {
  size_t count = (size_t)mesh->vertex_count;
  model->held = tac_array_create(count, sizeof *model->held, "a full model", error);
  model->mass = tac_array_create(count, sizeof *model->mass, "a full model", error);
  if (model->held == NULL || model->mass == NULL) return TAC_ERR_MEMORY;
  model->loose = true;
  for (size_t v = 0; v < count; ++v) {
    model->held[v] = held != NULL && held[v];
    model->loose = model->loose && !model->held[v];
  }
  return TAC_OK;
}

static tacStatus make_statics(tacFullModel *model, tacError *error) {
  if (model->solid != NULL) {
    tac_hyper_statics_destroy(model->hyper);
    model->hyper = NULL;
    return tac_hyper_statics_create(model->solid, model->held, &model->hyper, error);
  }
  tac_finite_statics_destroy(model->finite);
  model->finite = NULL;
  return tac_finite_statics_create(&model->elements, &model->finite, error);
}

tacStatus tac_full_model_hold(tacFullModel *model, double *u, tacError *error) {
  tacStatus status = make_statics(model, error);
  if (status != TAC_OK || model->solid != NULL) return status;
  tacStatics *linear = NULL;
  const tacSolid *e = &model->elements;
  size_t size = 3 * (size_t)model->mesh->vertex_count;
  double *response = tac_array_create(size, sizeof *response, "displacements", error);
  if (response == NULL) return TAC_ERR_MEMORY;
  for (size_t i = 0; i < size; ++i)
    if (!model->held[i / 3]) u[i] = 0.0;
  status = tac_statics_create(e->mesh, e->materials, e->material_of, model->held, &linear, error);
  if (status == TAC_OK) status = tac_statics_solve(linear, 1, u, response, error);
  for (size_t i = 0; status == TAC_OK && i < size; ++i)
    if (!model->held[i / 3]) u[i] = response[i];
  tac_statics_destroy(linear);
  free(response);
  return status;
}

tacStatus tac_full_model_of_solid(const tacSolid *solid, tacFullModel *model, tacError *error) {
  tacSparse mass = {0};
  tacStatus status = set_held(solid->mesh, solid->held, model, error);
  if (status == TAC_OK)
    status = tac_assembly_mass(solid->mesh, solid->materials, solid->material_of, TAC_MASS_LUMPED, &mass, error);
  for (int v = 0; status == TAC_OK && v < solid->mesh->vertex_count; ++v) {
    int at = tac_sparse_find(&mass, 3 * v, 3 * v);
    model->mass[v] = at >= 0 ? mass.value[at] : 0.0;
  }
  tac_sparse_destroy(&mass);
  if (status != TAC_OK) return status;
  model->elements = *solid;
  model->elements.held = model->held;
  model->mesh = solid->mesh;
  return model->loose ? TAC_OK : make_statics(model, error);
}

tacStatus tac_full_model_of_hyper(const tacHyperSolidDef *def, const bool *held, tacFullModel *model, tacError *error) {
  tacStatus status = set_held(def->mesh, held, model, error);
  if (status == TAC_OK) status = tac_hyper_solid_create(def, &model->solid, error);
  if (status != TAC_OK) return status;
  tac_hyper_solid_masses(model->solid, model->mass);
  model->mesh = def->mesh;
  return model->loose ? TAC_OK : make_statics(model, error);
}

void tac_full_model_free(tacFullModel *model) {
  tac_statics_destroy(model->linear);
  tac_finite_statics_destroy(model->finite);
  tac_hyper_statics_destroy(model->hyper);
  tac_hyper_solid_destroy(model->solid);
  tac_embedding_destroy(model->skin);
  free(model->held);
  free(model->mass);
  if (model->free_problem != NULL) model->free_problem(model->problem);
  *model = (tacFullModel){0};
}

/* From displacements to positions, or back. */
static void shift(const tacVolMesh *mesh, double sign, double *u) {
  for (int v = 0; v < mesh->vertex_count; ++v) {
    u[3 * v] += sign * mesh->vertices[v].x;
    u[3 * v + 1] += sign * mesh->vertices[v].y;
    u[3 * v + 2] += sign * mesh->vertices[v].z;
  }
}

static tacStatus solve_hyper(tacFullModel *model, const double *force, double *u, tacError *error) {
  size_t size = 3 * (size_t)model->mesh->vertex_count;
  double *target = tac_array_create(size, sizeof *target, "positions", error);
  if (target == NULL) return TAC_ERR_MEMORY;
  tacNewtonReport report;
  shift(model->mesh, 1.0, u);
  memcpy(target, u, size * sizeof *target);
  tacStatus status = tac_hyper_statics_solve(model->hyper, target, force, u, NULL, &report, error);
  shift(model->mesh, -1.0, u);
  free(target);
  return status;
}

static bool factors_again(const char *what, double fraction, void *count) {
  (void)what;
  (void)fraction;
  return ++*(int *)count <= most_factors;
}

tacStatus tac_full_model_solve(tacFullModel *model, const double *force, double *u, tacError *error) {
  size_t size = 3 * (size_t)model->mesh->vertex_count;
  double *scaled = tac_array_create(size, sizeof *scaled, "forces", error);
  if (scaled == NULL) return TAC_ERR_MEMORY;
  for (size_t i = 0; i < size; ++i) scaled[i] = force[i] / model->stiffness;
  int factors = 0;
  const tacProgress progress = {factors_again, &factors};
  tacStatus status = model->finite != NULL ? tac_finite_statics_solve(model->finite, scaled, &progress, u, NULL, error)
                                           : solve_hyper(model, scaled, u, error);
  free(scaled);
  return status;
}

tacStatus tac_full_model_solve_linear(tacFullModel *model, const double *force, double *u, tacError *error) {
  for (int v = 0; v < model->mesh->vertex_count; ++v)
    for (int a = 0; a < 3; ++a) u[3 * v + a] = model->held[v] ? 0.0 : force[3 * v + a] / model->stiffness;
  tacStatus status = tac_statics_solve(model->linear, 1, u, u, error);
  for (int v = 0; v < model->mesh->vertex_count; ++v) /* those are reactions */
    if (model->held[v]) u[3 * v] = u[3 * v + 1] = u[3 * v + 2] = 0.0;
  return status;
}

void tac_full_model_force(tacFullModel *model, double *u, double *force) {
  size_t size = 3 * (size_t)model->mesh->vertex_count;
  if (model->finite != NULL) {
    tac_finite_strain_force(tac_finite_statics_strain(model->finite), u, force);
  } else {
    shift(model->mesh, 1.0, u);
    tac_hyper_solid_evaluate(model->solid, u, 0.0, force, NULL);
    shift(model->mesh, -1.0, u);
  }
  for (size_t i = 0; i < size; ++i) force[i] *= model->stiffness;
}
