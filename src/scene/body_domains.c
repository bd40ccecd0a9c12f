#include "scene/body_domains.h"

#include <stdlib.h>
#include "base/memory/array.h"

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

tacStatus tac_body_domains_def(const tacBodyMaker *m, const tacTriMesh *mesh, tacDeformedDef *def) {
  const tacSceneField *f = &m->body->field;
  *def = (tacDeformedDef){.solid = tac_body_solid_of_field(m->body, mesh),
                          .domains = f->domains.items,
                          .domain_count = f->domains.count,
                          .def = tac_deformed_field_def_default()};
  if (f->proxies > 0) def->def.proxy_count = f->proxies;
  if (f->nearest > 0) def->def.nearest = f->nearest;
  return f->domains.count > 0 ? check_domains(m, mesh) : TAC_OK;
}
