#include "spec/body_solid.h"

#include <tactus/mesh.h>
#include "base/memory/owned.h"
#include "base/progress.h"

TAC_OWNED_TYPE(tacDistanceField, tac_distance_field_destroy)

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

/* Of its `points`: as its field where they do not say otherwise. */
static tacSolidDef solid_of_points(const tacSceneBody *body, const tacTriMesh *mesh) {
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
  tacShellDef def = {.solid = solid_of_points(body, mesh), .points = tac_pointshell_def_default()};
  if (body->points.count > 0) def.points.point_count = body->points.count;
  if (body->points.levels > 0) def.points.level_count = body->points.levels;
  return def;
}

tacStatus tac_body_solid_shell_bake(const tacShellDef *def, const tacProgress *progress, tacPointshell **shell,
                                    tacError *error) {
  *shell = NULL;
  TAC_OWN(tacDistanceField, own) = NULL;
  const double fields = def->field == NULL ? 0.25 : 0.0; /* the share of the field */
  const tacProgress stages[] = {tac_progress_part(&(tacProgressPart){progress, 0.0, fields, NULL}),
                                tac_progress_part(&(tacProgressPart){progress, fields, 1.0, NULL})};
  if (def->field == NULL) TAC_TRY(tac_body_solid_bake(&def->solid, &stages[0], &own, error));
  return tac_pointshell_bake(def->field != NULL ? def->field : own,
                             def->solid.offset || def->field_key != 0 ? NULL : def->solid.mesh, &def->points,
                             &stages[1], shell, error);
}
