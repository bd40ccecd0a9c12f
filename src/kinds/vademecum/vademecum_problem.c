#include "kinds/vademecum/vademecum_problem.h"

#include <stdlib.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "elastic/hyper/load_path.h"
#include "kinds/vademecum/vademecum_bake.h"
#include "kinds/vademecum/vademecum_keys.h"
#include "spec/body_region.h"

TAC_OWNED_TYPE(tacTriMesh, tac_trimesh_destroy)

static tacStatus flag(const tacBodyMaker *m, const tacSchemaList *regions, const tacVolMesh *volume, bool **flags) {
  TAC_TRY(TAC_ARRAY(*flags, (size_t)volume->vertex_count, "vertices", m->error));
  return tac_body_region_volume(m, regions, volume, *flags);
}

static tacStatus make_fixed(const tacBodyMaker *m, tacVademecumProblem *p) {
  int count = p->volume->vertex_count, fixed = 0;
  TAC_TRY(flag(m, &m->body->fixed, p->volume, &p->fixed));
  for (int v = 0; v < count; ++v) fixed += p->fixed[v];
  p->def.fixed = p->fixed;
  if (fixed < count) return TAC_OK;
  return tac_yaml_error(m->tree, tac_yaml_child(m->body->node, "fixed"), TAC_ERR_GEOMETRY, m->error,
                        "all %d vertices are fixed, so the body cannot deform; use a smaller region", count);
}

/* Marks the vertices that loads may act on: surface vertices in the regions of `in` that are not fixed. */
static tacStatus make_accessible(const tacBodyMaker *m, tacVademecumProblem *p) {
  const tacSceneLoads *loads = &tac_vademecum_keys(m->body)->loads;
  TAC_OWN(tacTriMesh, surface) = NULL;
  TAC_MEMORY(int, vertex_of) = NULL;
  TAC_MEMORY(bool, within) = NULL;
  int found = 0;
  tacError reason;
  if (loads->in.count == 0) return TAC_OK;
  TAC_TRY(flag(m, &loads->in, p->volume, &within));
  TAC_TRY(TAC_ARRAY(p->accessible, (size_t)p->volume->vertex_count, "vertices", m->error));
  tacStatus status = tac_volmesh_surface(p->volume, &surface, &vertex_of, NULL, &reason);
  if (status != TAC_OK) return tac_body_error(m, m->body->volume.node, status, &reason);
  for (int i = 0; i < surface->vertex_count; ++i) {
    int v = vertex_of[i];
    p->accessible[v] = within[v] && !p->fixed[v];
    found += p->accessible[v];
  }
  if (found == 0)
    return tac_yaml_error(m->tree, tac_yaml_child(loads->node, "in"), TAC_ERR_GEOMETRY, m->error,
                          "no free vertex of the surface lies in this region, so no load can act; use another region");
  p->def.accessible = p->accessible;
  return TAC_OK;
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
  *problem = (tacVademecumProblem){0};
  TAC_FREED(tac_vademecum_problem_free, tacVademecumProblem, made) = {.def = tac_vademecum_def_default()};
  make_rest(maker->body, &made.def);
  TAC_TRY(tac_body_mesh_tets(maker, &made.volume));
  made.def.mesh = made.volume;
  TAC_TRY(make_fixed(maker, &made));
  TAC_TRY(make_accessible(maker, &made));
  *problem = made;
  made = (tacVademecumProblem){0};
  return TAC_OK;
}

void tac_vademecum_problem_free(tacVademecumProblem *problem) {
  tac_volmesh_destroy(problem->volume);
  free(problem->fixed);
  free(problem->accessible);
  *problem = (tacVademecumProblem){0};
}
