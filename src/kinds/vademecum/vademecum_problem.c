#include "kinds/vademecum/vademecum_problem.h"

#include <stdlib.h>
#include "base/memory/array.h"
#include "kinds/vademecum/vademecum_keys.h"
#include "spec/body_region.h"

static tacStatus flag(const tacBodyMaker *m, const tacSchemaList *regions, const tacVolMesh *volume, bool **flags) {
  *flags = tac_array_create((size_t)volume->vertex_count, sizeof **flags, "vertices", m->error);
  return *flags != NULL ? tac_body_region_volume(m, regions, volume, *flags) : TAC_ERR_MEMORY;
}

static tacStatus make_fixed(const tacBodyMaker *m, tacVademecumProblem *p) {
  int count = p->volume->vertex_count, fixed = 0;
  tacStatus status = flag(m, &m->body->fixed, p->volume, &p->fixed);
  if (status != TAC_OK) return status;
  for (int v = 0; v < count; ++v) fixed += p->fixed[v];
  p->def.fixed = p->fixed;
  if (fixed < count) return TAC_OK;
  return tac_yaml_error(m->tree, tac_yaml_child(m->body->node, "fixed"), TAC_ERR_GEOMETRY, m->error,
                        "all %d vertices are fixed: nothing would deform", count);
}

/* Of the vertices in the regions, those on the surface that are free: a load at any other is none. */
static tacStatus make_accessible(const tacBodyMaker *m, tacVademecumProblem *p) {
  const tacSceneLoads *loads = &tac_vademecum_keys(m->body)->loads;
  tacTriMesh *surface = NULL;
  int *vertex_of = NULL, found = 0;
  bool *within = NULL;
  tacError reason;
  if (loads->in.count == 0) return TAC_OK;
  tacStatus status = flag(m, &loads->in, p->volume, &within);
  if (status == TAC_OK) {
    p->accessible = tac_array_create((size_t)p->volume->vertex_count, sizeof *p->accessible, "vertices", m->error);
    if (p->accessible == NULL) status = TAC_ERR_MEMORY;
  }
  if (status == TAC_OK) {
    status = tac_volmesh_surface(p->volume, &surface, &vertex_of, NULL, &reason);
    if (status != TAC_OK) tac_body_blame(m, m->body->volume.node, status, &reason);
  }
  for (int i = 0; status == TAC_OK && i < surface->vertex_count; ++i) {
    int v = vertex_of[i];
    p->accessible[v] = within[v] && !p->fixed[v];
    found += p->accessible[v];
  }
  if (status == TAC_OK && found == 0)
    status = tac_yaml_error(m->tree, tac_yaml_child(loads->node, "in"), TAC_ERR_GEOMETRY, m->error,
                            "no vertex of the surface that is free is here: no load could act");
  p->def.accessible = p->accessible;
  tac_trimesh_destroy(surface);
  free(vertex_of);
  free(within);
  return status;
}

static void make_rest(const tacSceneBody *body, tacVademecumDef *def) {
  const tacVademecumKeys *v = tac_vademecum_keys(body);
  def->material = body->material.all;
  def->linear = v->linear;
  def->direction = v->loads.direction;
  def->load = v->loads.size;
  def->patch = v->loads.patch;
  def->accuracy = v->accuracy;
  def->mode_most = v->modes;
  def->path_most = v->paths;
  def->method = (tacLoadPathMethod)v->method;
  def->sample_count = v->sample;
}

tacStatus tac_vademecum_problem_create(const tacBodyMaker *maker, tacVademecumProblem *problem) {
  *problem = (tacVademecumProblem){.def = tac_vademecum_def_default()};
  make_rest(maker->body, &problem->def);
  tacStatus status = tac_body_mesh_tets(maker, &problem->volume);
  problem->def.mesh = problem->volume;
  if (status == TAC_OK) status = make_fixed(maker, problem);
  if (status == TAC_OK) status = make_accessible(maker, problem);
  if (status != TAC_OK) tac_vademecum_problem_free(problem);
  return status;
}

void tac_vademecum_problem_free(tacVademecumProblem *problem) {
  tac_volmesh_destroy(problem->volume);
  free(problem->fixed);
  free(problem->accessible);
  *problem = (tacVademecumProblem){0};
}
