#include "kinds/reduced/embedded/deformed_solid.h"

#include <stdlib.h>
#include <tactus/distance_field.h>
#include <tactus/reduced.h>
#include "asset/deformed_field.h"
#include "asset/distance_field.h"
#include "bake/fields/field_bake.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/progress.h"
#include "kinds/reduced/embedded/deformed_field_bake.h"

TAC_OWNED_TYPE(tacDistanceField, tac_distance_field_destroy)

/* Fields of the domains, or of the regions that divide the body into domains. */
typedef struct Fields {
  int count;
  tacDistanceField **list;
} Fields;

static void free_fields(Fields *fields) {
  for (int i = 0; i < fields->count; ++i) tac_distance_field_destroy(fields->list[i]);
  free(fields->list);
}

static tacStatus create_fields(int count, Fields *fields, tacError *error) {
  TAC_TRY(TAC_ARRAY(fields->list, (size_t)count, "domains", error));
  fields->count = count;
  return TAC_OK;
}

static tacStatus check_domains(const tacBodyMaker *m, const tacTriMesh *mesh) {
  const tacSceneRegion *domains = m->body->field.domains.items;
  TAC_FREED(free_fields, Fields, regions) = {0};
  TAC_TRY(create_fields(m->body->field.domains.count, &regions, m->error));
  for (int i = 0; i < regions.count; ++i) {
    tacError reason;
    tacStatus status = tac_scene_region_field(&domains[i], &regions.list[i], &reason);
    if (status != TAC_OK) return tac_body_error(m, domains[i].node, status, &reason);
  }
  for (int v = 0; v < mesh->vertex_count; ++v) {
    tacVec3 p = mesh->vertices[v];
    bool inside = false;
    for (int i = 0; i < regions.count && !inside; ++i) inside = tac_distance_field_value(regions.list[i], p) <= 0.0;
    if (!inside)
      return tac_yaml_error(m->tree, tac_yaml_child(m->body->field.node, "domains"), TAC_ERR_GEOMETRY, m->error,
                            "the surface point (%.4g, %.4g, %.4g) mm is in none of the domains; together they must "
                            "cover the whole body",
                            1e3 * p.x, 1e3 * p.y, 1e3 * p.z);
  }
  return TAC_OK;
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
  TAC_OWN(tacDistanceField, inside) = NULL;
  TAC_TRY(tac_scene_region_field(region, &inside, error));
  return tac_distance_field_cut(solid, inside, progress, part, error);
}

tacStatus tac_deformed_solid_bake(const tacDeformedDef *def, const tacProgress *progress, tacDeformedField **field,
                                  tacError *error) {
  *field = NULL;
  const tacProgressPart shares[3] = {
      {progress, 0.0, 0.3, NULL}, {progress, 0.3, 0.4, NULL}, {progress, 0.4, 1.0, NULL}};
  const tacProgress stages[3] = {tac_progress_part(&shares[0]), tac_progress_part(&shares[1]),
                                 tac_progress_part(&shares[2])};
  TAC_FREED(free_fields, Fields, parts) = {0};
  TAC_OWN(tacDistanceField, whole) = NULL;
  TAC_TRY(create_fields(def->domain_count > 0 ? def->domain_count : 1, &parts, error));
  TAC_TRY(def->file != NULL ? tac_distance_field_read(def->file, &whole, error)
                            : tac_body_solid_bake(&def->solid, &stages[0], &whole, error));
  for (int i = 0; i < def->domain_count; ++i) {
    const tacProgressPart part = {&stages[1], (double)i / def->domain_count, (i + 1.0) / def->domain_count, NULL};
    const tacProgress stage = tac_progress_part(&part);
    TAC_TRY(cut(whole, &def->domains[i], &stage, &parts.list[i], error));
  }
  if (def->domain_count == 0) parts.list[0] = tac_give(&whole); /* the whole body is the only domain */
  TAC_TRY(tac_deformed_field_bake(def->reduced, parts.count, parts.list, &def->def, &stages[2], field, error));
  parts.count = 0; /* the deformed field now owns the parts */
  return TAC_OK;
}
