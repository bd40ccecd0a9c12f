#include "scene/body_solid.h"

#include <stdlib.h>
#include <string.h>
#include <tactus/deformed_field.h>
#include <tactus/trimesh.h>
#include "base/memory/array.h"
#include "base/progress.h"
#include "math/geometry/vec3.h"

static tacSolidDef solid_of(const tacTriMesh *mesh, int resolution, double expansion, bool has_offset, double offset) {
  tacSolidDef solid = {.mesh = mesh, .def = tac_field_def_default()};
  if (resolution > 0) solid.def.resolution = resolution;
  if (expansion > 0.0) solid.def.expansion = expansion;
  solid.offset = has_offset || tac_trimesh_require_closed(mesh, NULL) != TAC_OK;
  solid.def.offset = offset;
  return solid;
}

tacSolidDef tac_body_solid_of_field(const tacSceneBody *body, const tacTriMesh *mesh) {
  const tacSceneField *f = &body->field;
  return solid_of(mesh, f->resolution, f->expansion, f->has_offset, f->offset);
}

tacSolidDef tac_body_solid_of_points(const tacSceneBody *body, const tacTriMesh *mesh) {
  const tacSceneField *f = &body->field;
  const tacScenePoints *p = &body->points;
  return solid_of(mesh, p->resolution > 0 ? p->resolution : f->resolution, f->expansion, p->has_offset || f->has_offset,
                  p->has_offset ? p->offset : f->offset);
}

bool tac_body_solid_same(const tacSolidDef *a, const tacSolidDef *b) {
  return a->mesh == b->mesh && a->offset == b->offset && a->def.resolution == b->def.resolution &&
         a->def.expansion == b->def.expansion && a->def.offset == b->def.offset;
}

tacStatus tac_body_solid_bake(const tacSolidDef *solid, const tacProgress *progress, tacDistanceField **field,
                              tacError *error) {
  return solid->offset ? tac_distance_field_bake_soup(solid->mesh, &solid->def, progress, field, NULL, error)
                       : tac_distance_field_bake(solid->mesh, &solid->def, progress, field, error);
}

/* Points */

tacShellDef tac_body_solid_shell(const tacSceneBody *body, const tacTriMesh *mesh) {
  tacShellDef def = {.solid = tac_body_solid_of_points(body, mesh), .points = tac_pointshell_def_default()};
  if (body->points.count > 0) def.points.point_count = body->points.count;
  if (body->points.levels > 0) def.points.level_count = body->points.levels;
  return def;
}

tacStatus tac_body_solid_shell_bake(const tacShellDef *def, const tacProgress *progress, tacPointshell **shell,
                                    tacError *error) {
  *shell = NULL;
  tacDistanceField *own = NULL;
  const double fields = def->field == NULL ? 0.25 : 0.0; /* the share of the field */
  const tacProgressPart parts[2] = {{progress, 0.0, fields, NULL}, {progress, fields, 1.0, NULL}};
  const tacProgress stages[2] = {tac_progress_part(&parts[0]), tac_progress_part(&parts[1])};
  tacStatus status = def->field == NULL ? tac_body_solid_bake(&def->solid, &stages[0], &own, error) : TAC_OK;
  if (status == TAC_OK)
    status = tac_pointshell_bake(def->field != NULL ? def->field : own,
                                 def->solid.offset || def->field_key != 0 ? NULL : def->solid.mesh, &def->points,
                                 &stages[1], shell, error);
  tac_distance_field_destroy(own);
  return status;
}

/* Deformed fields */

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

tacStatus tac_body_solid_deformed_bake(const tacDeformedDef *def, const tacProgress *progress, tacDeformedField **field,
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
