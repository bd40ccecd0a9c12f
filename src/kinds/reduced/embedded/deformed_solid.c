#include "kinds/reduced/embedded/deformed_solid.h"

#include <stdlib.h>
#include <tactus/deformed_field.h>
#include <tactus/reduced.h>
#include "base/memory/array.h"
#include "base/progress.h"

static tacStatus require_cover(const tacBodyMaker *m, const tacTriMesh *mesh, int count,
                               tacDistanceField *const *regions) {
  for (int v = 0; v < mesh->vertex_count; ++v) {
    tacVec3 p = mesh->vertices[v];
    bool inside = false;
    for (int i = 0; i < count && !inside; ++i) inside = tac_distance_field_value(regions[i], p) <= 0.0;
    if (!inside)
      return tac_yaml_error(m->tree, tac_yaml_child(m->body->field.node, "domains"), TAC_ERR_GEOMETRY, m->error,
                            "(%.4g, %.4g, %.4g) mm of the surface is in none of the domains; together they are the "
                            "whole body",
                            1e3 * p.x, 1e3 * p.y, 1e3 * p.z);
  }
  return TAC_OK;
}

static tacStatus check_domains(const tacBodyMaker *m, const tacTriMesh *mesh) {
  int count = m->body->field.domains.count;
  const tacSceneRegion *domains = m->body->field.domains.items;
  tacDistanceField **regions = tac_array_create((size_t)count, sizeof *regions, "domains", m->error);
  if (regions == NULL) return TAC_ERR_MEMORY;
  tacStatus status = TAC_OK;
  for (int i = 0; status == TAC_OK && i < count; ++i) {
    tacError reason;
    status = tac_scene_region_field(&domains[i], &regions[i], &reason);
    if (status != TAC_OK) tac_body_blame(m, domains[i].node, status, &reason);
  }
  if (status == TAC_OK) status = require_cover(m, mesh, count, regions);
  for (int i = 0; i < count; ++i) tac_distance_field_destroy(regions[i]);
  free(regions);
  return status;
}

tacStatus tac_deformed_solid_def(const tacBodyMaker *m, const tacTriMesh *mesh, tacDeformedDef *def) {
  const tacSceneField *f = &m->body->field;
  *def = (tacDeformedDef){.solid = tac_body_solid_of_field(m->body, mesh),
                          .domains = f->domains.items,
                          .domain_count = f->domains.count,
                          .def = tac_deformed_field_def_default()};
  if (f->proxies > 0) def->def.proxy_count = f->proxies;
  if (f->nearest > 0) def->def.nearest = f->nearest;
  return f->domains.count > 0 ? check_domains(m, mesh) : TAC_OK;
}

static tacStatus cut(const tacDistanceField *solid, const tacSceneRegion *region, const tacProgress *progress,
                     tacDistanceField **part, tacError *error) {
  tacDistanceField *inside = NULL;
  tacStatus status = tac_scene_region_field(region, &inside, error);
  if (status == TAC_OK) status = tac_distance_field_cut(solid, inside, progress, part, error);
  tac_distance_field_destroy(inside);
  return status;
}

/* Cuts the whole into its parts; without a division the whole is the only part. Takes it over in any case. */
static tacStatus divide(const tacDeformedDef *def, tacDistanceField *whole, const tacProgress *progress,
                        tacDistanceField **parts, tacError *error) {
  tacStatus status = TAC_OK;
  for (int i = 0; status == TAC_OK && i < def->domain_count; ++i) {
    const tacProgressPart part = {progress, (double)i / def->domain_count, (i + 1.0) / def->domain_count, NULL};
    const tacProgress stage = tac_progress_part(&part);
    status = cut(whole, &def->domains[i], &stage, &parts[i], error);
  }
  if (def->domain_count == 0)
    parts[0] = whole;
  else
    tac_distance_field_destroy(whole);
  return status;
}

tacStatus tac_deformed_solid_bake(const tacDeformedDef *def, const tacProgress *progress, tacDeformedField **field,
                                  tacError *error) {
  *field = NULL;
  int count = def->domain_count > 0 ? def->domain_count : 1;
  const tacProgressPart shares[3] = {
      {progress, 0.0, 0.3, NULL}, {progress, 0.3, 0.4, NULL}, {progress, 0.4, 1.0, NULL}};
  const tacProgress stages[3] = {tac_progress_part(&shares[0]), tac_progress_part(&shares[1]),
                                 tac_progress_part(&shares[2])};
  tacDistanceField *whole = NULL, **parts = tac_array_create((size_t)count, sizeof *parts, "domains", error);
  if (parts == NULL) return TAC_ERR_MEMORY;
  tacStatus status = def->file != NULL ? tac_distance_field_read(def->file, &whole, error)
                                       : tac_body_solid_bake(&def->solid, &stages[0], &whole, error);
  if (status == TAC_OK) status = divide(def, whole, &stages[1], parts, error);
  if (status == TAC_OK)
    status = tac_deformed_field_bake(def->reduced, count, parts, &def->def, &stages[2], field, error);
  for (int i = 0; status != TAC_OK && i < count; ++i) tac_distance_field_destroy(parts[i]);
  free(parts);
  return status;
}
