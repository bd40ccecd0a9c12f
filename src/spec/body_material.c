#include "spec/body_material.h"

#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "spec/body_region.h"

static tacStatus make_material(const tacBodyMaker *m, const tacSceneMaterial *from, tacMaterial *to) {
  tacError reason;
  tacStatus status = from->has_stiffness
                         ? tac_material_anisotropic(from->density, from->stiffness, to, &reason)
                         : tac_material_isotropic(from->density, from->young, from->poisson, to, &reason);
  return status == TAC_OK ? TAC_OK : tac_body_error(m, from->node, status, &reason);
}

static tacStatus check(const tacBodyMaker *m, int count, const int *material_of) {
  for (int e = 0; e < count; ++e)
    if (material_of[e] < 0)
      return tac_yaml_error(m->tree, tac_yaml_child(m->body->node, "materials"), TAC_ERR_FORMAT, m->error,
                            "element %d of the mesh has no material: none of these regions contains it; let the "
                            "first material apply everywhere",
                            e);
  for (int i = 0; i < m->body->materials.count; ++i) {
    bool used = false;
    for (int e = 0; e < count && !used; ++e) used = material_of[e] == i;
    if (!used)
      return tac_yaml_error(m->tree, tac_scene_body_material(m->body, i)->node, TAC_ERR_FORMAT, m->error,
                            "no element uses this material: no element centre lies in its region, or later materials "
                            "in the list cover all of them");
  }
  return TAC_OK;
}

/* Flags the elements of a material. */
static tacStatus place(const tacBodyMaker *m, const tacSceneMaterial *material, const tacVolMesh *volume, bool *flags) {
  tacSceneRegion group = {.node = material->node, .group = material->group};
  bool everywhere = material->group == NULL && material->in.count == 0;
  for (int e = 0; e < volume->tet_count + volume->brick_count; ++e) flags[e] = everywhere;
  if (material->group != NULL) return tac_body_region_elements(m, &(tacSchemaList){&group, 1}, volume, flags);
  return tac_body_region_elements(m, &material->in, volume, flags);
}

static tacStatus assign(const tacBodyMaker *m, const tacVolMesh *volume, bool *flags, int *material_of) {
  int count = volume->tet_count + volume->brick_count;
  for (int e = 0; e < count; ++e) material_of[e] = -1;
  for (int i = 0; i < m->body->materials.count; ++i) {
    TAC_TRY(place(m, tac_scene_body_material(m->body, i), volume, flags));
    for (int e = 0; e < count; ++e)
      if (flags[e]) material_of[e] = i;
  }
  return check(m, count, material_of);
}

tacStatus tac_body_material_assign(const tacBodyMaker *m, const tacVolMesh *volume, int **material_of) {
  *material_of = NULL;
  if (m->body->has_material) return TAC_OK;
  size_t count = (size_t)volume->tet_count + (size_t)volume->brick_count;
  TAC_MEMORY(int, made) = NULL;
  TAC_MEMORY(bool, flags) = NULL;
  TAC_TRY(TAC_ARRAY(made, count, "elements", m->error));
  TAC_TRY(TAC_ARRAY(flags, count, "elements", m->error));
  TAC_TRY(assign(m, volume, flags, made));
  *material_of = tac_give(&made);
  return TAC_OK;
}

tacStatus tac_body_material_make(const tacBodyMaker *m, const tacVolMesh *volume, tacMaterial **materials,
                                 int **material_of) {
  int count = tac_scene_body_material_count(m->body);
  *material_of = NULL;
  *materials = NULL;
  TAC_MEMORY(tacMaterial, made) = NULL;
  TAC_TRY(TAC_ARRAY(made, (size_t)count, "materials", m->error));
  for (int i = 0; i < count; ++i) TAC_TRY(make_material(m, tac_scene_body_material(m->body, i), &made[i]));
  TAC_TRY(tac_body_material_assign(m, volume, material_of));
  *materials = tac_give(&made);
  return TAC_OK;
}
