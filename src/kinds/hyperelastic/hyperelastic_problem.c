#include "kinds/hyperelastic/hyperelastic_problem.h"

#include <stdlib.h>
#include "base/memory/array.h"
#include "kinds/hyperelastic/hyperelastic_keys.h"
#include "math/geometry/vec3.h"
#include "spec/body_material.h"
#include "spec/body_region.h"

static tacStatus flag(const tacBodyMaker *m, const tacSchemaList *regions, const tacVolMesh *volume, bool **flags) {
  if (regions->count == 0) return TAC_OK;
  TAC_TRY(TAC_ARRAY(*flags, (size_t)volume->vertex_count, "vertices", m->error));
  return tac_body_region_volume(m, regions, volume, *flags);
}

/* Marks fixed and moved vertices. Fails if a vertex is both fixed and moved, or if every vertex is fixed or moved. */
static tacStatus make_held(const tacBodyMaker *m, tacHyperelasticProblem *p) {
  const tacSceneMoved *moved = &tac_hyperelastic_keys(m->body)->moved;
  TAC_TRY(flag(m, &m->body->fixed, p->volume, &p->fixed));
  TAC_TRY(flag(m, &moved->in, p->volume, &p->moved));
  int held = 0, count = p->volume->vertex_count;
  for (int v = 0; v < count; ++v) {
    bool is_fixed = p->fixed != NULL && p->fixed[v], is_moved = p->moved != NULL && p->moved[v];
    tacVec3 at = p->volume->vertices[v];
    held += is_fixed || is_moved;
    if (is_fixed && is_moved)
      return tac_yaml_error(m->tree, moved->node, TAC_ERR_GEOMETRY, m->error,
                            "the vertex at (%.4g, %.4g, %.4g) mm is both fixed and moved; use regions that do not "
                            "overlap",
                            1e3 * at.x, 1e3 * at.y, 1e3 * at.z);
  }
  if (held < count) return TAC_OK;
  return tac_yaml_error(m->tree, p->fixed != NULL ? tac_yaml_child(m->body->node, "fixed") : moved->node,
                        TAC_ERR_GEOMETRY, m->error,
                        "all %d vertices are fixed or moved, so the body cannot deform; "
                        "use smaller regions",
                        count);
}

static tacStatus make_materials(const tacBodyMaker *m, tacHyperelasticProblem *p) {
  p->material_count = tac_scene_body_material_count(m->body);
  TAC_TRY(TAC_ARRAY(p->materials, (size_t)p->material_count, "materials", m->error));
  for (int i = 0; i < p->material_count; ++i) p->materials[i] = tac_scene_body_material(m->body, i)->all;
  return tac_body_material_assign(m, p->volume, &p->material_of);
}

static tacStatus make_fibres(const tacBodyMaker *m, tacHyperelasticProblem *p) {
  bool any = false;
  for (int i = 0; i < p->material_count; ++i) any = any || tac_scene_body_material(m->body, i)->has_fibres;
  if (!any) return TAC_OK;
  TAC_TRY(TAC_ARRAY(p->fibres, (size_t)p->volume->tet_count, "fibres", m->error));
  for (int e = 0; e < p->volume->tet_count; ++e) {
    const tacSceneMaterial *own = tac_scene_body_material(m->body, p->material_of != NULL ? p->material_of[e] : 0);
    tacVec3 fibre = own->has_fibres ? own->fibres : tac_vec3(1.0, 0.0, 0.0);
    tacVec3 sheet = own->has_fibres ? own->sheets : tac_vec3(0.0, 1.0, 0.0);
    p->fibres[e][0] = fibre;
    p->fibres[e][1] = sheet;
    p->fibres[e][2] = tac_vec3_cross(fibre, sheet);
  }
  return TAC_OK;
}

tacStatus tac_hyperelastic_problem_create(const tacBodyMaker *maker, tacHyperelasticProblem *problem) {
  *problem = (tacHyperelasticProblem){0};
  tacStatus status = tac_body_mesh_tets(maker, &problem->volume);
  if (status == TAC_OK) status = make_held(maker, problem);
  if (status == TAC_OK) status = make_materials(maker, problem);
  if (status == TAC_OK) status = make_fibres(maker, problem);
  if (status != TAC_OK) tac_hyperelastic_problem_free(problem);
  return status;
}

void tac_hyperelastic_problem_free(tacHyperelasticProblem *problem) {
  tac_volmesh_destroy(problem->volume);
  free(problem->materials);
  free(problem->material_of);
  free(problem->fibres);
  free(problem->fixed);
  free(problem->moved);
  *problem = (tacHyperelasticProblem){0};
}
