#include "kinds/green/green_problem.h"

#include <stdlib.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "kinds/green/green_keys.h"
#include "spec/body_material.h"
#include "spec/body_region.h"

TAC_OWNED_TYPE(tacTriMesh, tac_trimesh_destroy)

static tacStatus make_volume(const tacBodyMaker *m, tacGreenProblem *p) {
  TAC_OWN(tacTriMesh, surface) = NULL;
  tacError reason;
  if (!tac_scene_volume_whole(&m->body->volume)) TAC_TRY(tac_body_mesh_surface(m, &surface));
  TAC_TRY(tac_body_mesh_volume(m, surface, &p->volume));
  tacStatus status = tac_volmesh_surface(p->volume, &p->surface, &p->vertex_of, NULL, &reason);
  return status == TAC_OK ? TAC_OK : tac_body_error(m, m->body->volume.node, status, &reason);
}

static tacStatus flag_regions(const tacBodyMaker *m, const tacGreenProblem *p, const tacSchemaList *regions,
                              bool *flags) {
  return tac_body_region_surface(m, regions, p->surface, p->volume, p->vertex_of, flags);
}

static tacStatus make_fixed(const tacBodyMaker *m, tacGreenProblem *p) {
  int count = p->surface->vertex_count, fixed = 0;
  TAC_TRY(TAC_ARRAY(p->fixed, (size_t)count, "vertices", m->error));
  TAC_TRY(flag_regions(m, p, &m->body->fixed, p->fixed));
  for (int i = 0; i < count; ++i) fixed += p->fixed[i];
  if (fixed == count)
    return tac_yaml_error(m->tree, tac_yaml_child(m->body->node, "fixed"), TAC_ERR_GEOMETRY, m->error,
                          "all %d vertices are fixed, so the body cannot move; use a smaller region", count);
  if (p->volume == NULL || m->body->fixed.count == 0) return TAC_OK;
  TAC_TRY(TAC_ARRAY(p->inside, (size_t)p->volume->vertex_count, "vertices", m->error));
  return tac_body_region_volume(m, &m->body->fixed, p->volume, p->inside);
}

static tacStatus make_wanted(const tacBodyMaker *m, tacGreenProblem *p) {
  const tacSchemaList *regions = &tac_green_keys(m->body)->wanted;
  size_t count = (size_t)p->surface->vertex_count;
  if (regions->count == 0) return TAC_OK;
  TAC_MEMORY(bool, flags) = NULL;
  TAC_TRY(TAC_ARRAY(flags, count, "vertices", m->error));
  TAC_TRY(TAC_ARRAY(p->wanted, count, "vertices", m->error));
  TAC_TRY(flag_regions(m, p, regions, flags));
  for (size_t i = 0; i < count; ++i)
    if (flags[i] && !p->fixed[i]) p->wanted[p->def.wanted_count++] = (int)i;
  p->def.wanted = p->wanted;
  if (p->def.wanted_count > 0) return TAC_OK;
  return tac_yaml_error(m->tree, tac_yaml_child(m->body->node, "wanted"), TAC_ERR_GEOMETRY, m->error,
                        "every vertex of the wanted regions is fixed; use regions with free vertices");
}

static tacStatus make_sensors(const tacBodyMaker *m, tacGreenProblem *p) {
  int count = tac_green_keys(m->body)->sensors.count;
  const tacSceneSensor *from = tac_green_keys(m->body)->sensors.items;
  TAC_TRY(TAC_ARRAY(p->sensors, (size_t)count, "sensors", m->error));
  for (int i = 0; i < count; ++i) p->sensors[i] = (tacSensor){from[i].name, (tacSensorKind)from[i].kind, from[i].point};
  return TAC_OK;
}

static tacStatus make(const tacBodyMaker *m, tacGreenProblem *p) {
  const tacGreenKeys *keys = tac_green_keys(m->body);
  TAC_TRY(keys->method == TAC_BOUNDARY_ELEMENTS ? tac_body_mesh_surface(m, &p->surface) : make_volume(m, p));
  TAC_TRY(make_fixed(m, p));
  TAC_TRY(make_wanted(m, p));
  TAC_TRY(tac_body_material_make(m, p->volume, &p->materials, &p->material_of));
  TAC_TRY(make_sensors(m, p));
  p->def.problem = (tacReferenceDef){.method = (tacReferenceMethod)keys->method,
                                     .surface = p->volume == NULL ? p->surface : NULL,
                                     .volume = p->volume,
                                     .material_count = tac_scene_body_material_count(m->body),
                                     .materials = p->materials,
                                     .material_of = p->material_of,
                                     .fixed = p->fixed,
                                     .fixed_inside = p->inside,
                                     .sensor_count = keys->sensors.count,
                                     .sensors = p->sensors};
  p->def.storage = (tacGreenStorage)keys->storage;
  p->def.near_radius = keys->near_radius;
  return TAC_OK;
}

tacStatus tac_green_problem_create(const tacBodyMaker *maker, tacGreenProblem *problem) {
  *problem = (tacGreenProblem){.def = tac_green_def_default()};
  tacStatus status = make(maker, problem);
  if (status != TAC_OK) tac_green_problem_free(problem);
  return status;
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
