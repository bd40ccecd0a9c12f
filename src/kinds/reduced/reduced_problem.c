#include "kinds/reduced/reduced_problem.h"

#include <stdlib.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "kinds/reduced/basis/load_file.h"
#include "kinds/reduced/reduced_keys.h"
#include "spec/body_material.h"
#include "spec/body_region.h"

static tacStatus make_meshes(const tacBodyMaker *m, tacReducedProblem *p) {
  if (m->body->has_surface) TAC_TRY(tac_body_mesh_surface(m, &p->surface));
  TAC_TRY(tac_body_mesh_volume(m, p->surface, &p->volume));
  p->def.surface = p->surface;
  p->def.volume = p->volume;
  return TAC_OK;
}

static tacStatus make_held(const tacBodyMaker *m, tacReducedProblem *p) {
  int count = p->volume->vertex_count, held = 0;
  if (m->body->fixed.count == 0) return TAC_OK;
  TAC_TRY(TAC_ARRAY(p->held, (size_t)count, "vertices", m->error));
  TAC_TRY(tac_body_region_volume(m, &m->body->fixed, p->volume, p->held));
  for (int i = 0; i < count; ++i) held += p->held[i];
  if (held == count)
    return tac_yaml_error(m->tree, tac_yaml_child(m->body->node, "fixed"), TAC_ERR_GEOMETRY, m->error,
                          "all %d vertices are fixed, so the body cannot move; use a smaller region", count);
  p->def.fixed = p->held;
  return TAC_OK;
}

static tacStatus make_materials(const tacBodyMaker *m, tacReducedProblem *p) {
  int count = tac_scene_body_material_count(m->body);
  TAC_TRY(tac_body_material_make(m, p->volume, &p->materials, &p->material_of));
  TAC_TRY(TAC_ARRAY(p->names, (size_t)count, "names", m->error));
  for (int i = 0; i < count; ++i) p->names[i] = tac_scene_material_name(tac_scene_body_material(m->body, i));
  p->def.material_count = count;
  p->def.materials = p->materials;
  p->def.material_of = p->material_of;
  p->def.group_names = p->names;
  return TAC_OK;
}

static tacStatus make_basis(const tacBodyMaker *m, tacReducedProblem *p) {
  const tacReducedKeys *r = tac_reduced_keys(m->body);
  p->def.lumped_mass = r->mass == 1;
  p->def.source = (tacBasisSource)r->basis.from;
  p->def.mode_count = r->basis.modes;
  p->def.size = r->basis.size;
  p->def.motion_step = r->basis.step;
  p->def.motion_duration = r->basis.duration;
  p->def.mass_damping = r->damping.mass;
  p->def.stiffness_damping = r->damping.stiffness;
  p->def.strain_rate = r->damping.strain_rate > 0.0 || m->body->live.strain_rate.most > 0.0;
  if (r->basis.file == NULL) return TAC_OK;
  tacError reason;
  TAC_MEMORY(char, path) = tac_body_path(m->tree, r->basis.file, m->error);
  if (path == NULL) return TAC_ERR_MEMORY;
  tacStatus status = tac_load_file_read(path, m->body->name, r->basis.radius, &p->def.load_count, &p->loads, &reason);
  p->def.loads = p->loads;
  return status == TAC_OK ? TAC_OK : tac_body_error(m, tac_yaml_child(r->basis.node, "file"), status, &reason);
}

tacStatus tac_reduced_problem_create(const tacBodyMaker *maker, tacReducedProblem *problem) {
  *problem = (tacReducedProblem){0};
  TAC_FREED(tac_reduced_problem_free, tacReducedProblem, made) = {.def = tac_reduced_def_default()};
  TAC_TRY(make_meshes(maker, &made));
  TAC_TRY(make_held(maker, &made));
  TAC_TRY(make_materials(maker, &made));
  TAC_TRY(make_basis(maker, &made));
  *problem = made;
  made = (tacReducedProblem){0};
  return TAC_OK;
}

void tac_reduced_problem_free(tacReducedProblem *problem) {
  tac_trimesh_destroy(problem->surface);
  tac_volmesh_destroy(problem->volume);
  free(problem->held);
  free(problem->materials);
  free(problem->material_of);
  free(problem->names);
  free(problem->loads);
  *problem = (tacReducedProblem){0};
}
