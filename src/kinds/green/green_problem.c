#include "kinds/green/green_problem.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "kinds/green/green_keys.h"
#include "spec/body_material.h"
#include "spec/body_region.h"

typedef struct {
  tacBodyMaker of;
  tacGreenProblem *problem;
} Maker;

static tacStatus make_volume(const Maker *m) {
  tacGreenProblem *p = m->problem;
  tacTriMesh *surface = NULL;
  tacError reason;
  tacStatus status = tac_scene_volume_whole(&m->of.body->volume) ? TAC_OK : tac_body_mesh_surface(&m->of, &surface);
  if (status == TAC_OK) status = tac_body_mesh_volume(&m->of, surface, &p->volume);
  tac_trimesh_destroy(surface);
  if (status == TAC_OK &&
      (status = tac_volmesh_surface(p->volume, &p->surface, &p->vertex_of, NULL, &reason)) != TAC_OK)
    return tac_body_blame(&m->of, m->of.body->volume.node, status, &reason);
  return status;
}

static int count_flags(int count, const bool *flags) {
  int found = 0;
  for (int i = 0; i < count; ++i) found += flags[i];
  return found;
}

static tacStatus flag_regions(const Maker *m, const tacSchemaList *regions, bool *flags) {
  const tacGreenProblem *p = m->problem;
  return tac_body_region_surface(&m->of, regions, p->surface, p->volume, p->vertex_of, flags);
}

static tacStatus make_fixed(const Maker *m) {
  tacGreenProblem *p = m->problem;
  int count = p->surface->vertex_count;
  p->fixed = tac_array_create((size_t)count, sizeof *p->fixed, "vertices", m->of.error);
  if (p->fixed == NULL) return TAC_ERR_MEMORY;
  tacStatus status = flag_regions(m, &m->of.body->fixed, p->fixed);
  if (status == TAC_OK && count_flags(count, p->fixed) == count)
    return tac_yaml_error(m->of.tree, tac_yaml_child(m->of.body->node, "fixed"), TAC_ERR_GEOMETRY, m->of.error,
                          "all %d vertices are fixed: nothing would move", count);
  if (status != TAC_OK || p->volume == NULL || m->of.body->fixed.count == 0) return status;
  p->inside = tac_array_create((size_t)p->volume->vertex_count, sizeof *p->inside, "vertices", m->of.error);
  if (p->inside == NULL) return TAC_ERR_MEMORY;
  return tac_body_region_volume(&m->of, &m->of.body->fixed, p->volume, p->inside);
}

static tacStatus make_wanted(const Maker *m) {
  tacGreenProblem *p = m->problem;
  int count = p->surface->vertex_count, wanted = 0;
  if (tac_green_keys(m->of.body)->wanted.count == 0) return TAC_OK;
  bool *flags = tac_array_create((size_t)count, sizeof *flags, "vertices", m->of.error);
  p->wanted = tac_array_create((size_t)count, sizeof *p->wanted, "vertices", m->of.error);
  tacStatus status =
      flags == NULL || p->wanted == NULL ? TAC_ERR_MEMORY : flag_regions(m, &tac_green_keys(m->of.body)->wanted, flags);
  for (int i = 0; status == TAC_OK && i < count; ++i)
    if (flags[i] && !p->fixed[i]) p->wanted[wanted++] = i;
  free(flags);
  if (status == TAC_OK && wanted == 0)
    return tac_yaml_error(m->of.tree, tac_yaml_child(m->of.body->node, "wanted"), TAC_ERR_GEOMETRY, m->of.error,
                          "every vertex here is fixed: nothing would be wanted");
  p->def.wanted_count = wanted;
  p->def.wanted = p->wanted;
  return status;
}

static tacStatus make_materials(const Maker *m) {
  tacGreenProblem *p = m->problem;
  tacStatus status = tac_body_material_make(&m->of, p->volume, &p->materials, &p->material_of);
  p->def.problem.material_count = tac_scene_body_material_count(m->of.body);
  p->def.problem.materials = p->materials;
  p->def.problem.material_of = p->material_of;
  return status;
}

static tacStatus make_sensors(const Maker *m) {
  tacGreenProblem *p = m->problem;
  int count = tac_green_keys(m->of.body)->sensors.count;
  const tacSceneSensor *from = tac_green_keys(m->of.body)->sensors.items;
  p->sensors = tac_array_create((size_t)count, sizeof *p->sensors, "sensors", m->of.error);
  if (p->sensors == NULL) return TAC_ERR_MEMORY;
  for (int i = 0; i < count; ++i) p->sensors[i] = (tacSensor){from[i].name, (tacSensorKind)from[i].kind, from[i].point};
  p->def.problem.sensor_count = count;
  p->def.problem.sensors = p->sensors;
  return TAC_OK;
}

tacStatus tac_green_problem_create(const tacBodyMaker *maker, tacGreenProblem *problem) {
  *problem = (tacGreenProblem){.def = tac_green_def_default()};
  const Maker own = {*maker, problem}, *m = &own;
  const tacSceneBody *body = maker->body;
  tacReferenceDef *def = &problem->def.problem;
  def->method = (tacReferenceMethod)tac_green_keys(body)->method;
  tacStatus status = tac_green_keys(body)->method == TAC_BOUNDARY_ELEMENTS
                         ? tac_body_mesh_surface(&m->of, &problem->surface)
                         : make_volume(m);
  if (status == TAC_OK) status = make_fixed(m);
  if (status == TAC_OK) status = make_wanted(m);
  if (status == TAC_OK) status = make_materials(m);
  if (status == TAC_OK) status = make_sensors(m);
  if (status != TAC_OK) {
    tac_green_problem_free(problem);
    return status;
  }
  def->surface = problem->volume == NULL ? problem->surface : NULL;
  def->volume = problem->volume;
  def->fixed = problem->fixed;
  def->fixed_inside = problem->inside;
  problem->def.storage = (tacGreenStorage)tac_green_keys(body)->storage;
  problem->def.near_radius = tac_green_keys(body)->near_radius;
  return TAC_OK;
}

void tac_green_problem_free(tacGreenProblem *problem) {
  tac_trimesh_destroy(problem->surface);
  tac_volmesh_destroy(problem->volume);
  free(problem->vertex_of);
  free(problem->fixed);
  free(problem->inside);
  free(problem->wanted);
  free(problem->materials);
  free(problem->material_of);
  free(problem->sensors);
  *problem = (tacGreenProblem){0};
}
