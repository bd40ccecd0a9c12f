#include "spec/cache/bake_key.h"

#include <string.h>
#include "base/files/checksum.h"
#include "shape/gallery.h"

/* To be raised when the same definition bakes to other numbers. */
#define FIELD_VERSION 1
#define POINTS_VERSION 1
#define SURFACE_VERSION 1
#define VOLUME_VERSION 1

void tac_key_mix(uint64_t *sum, const void *bytes, size_t size) {
  uint64_t pair[2] = {*sum, size > 0 ? tac_checksum(bytes, size) : 0};
  *sum = tac_checksum(pair, sizeof pair);
}

void tac_key_count(uint64_t *sum, int64_t count) {
  tac_key_mix(sum, &count, sizeof count);
}

void tac_key_number(uint64_t *sum, double number) {
  tac_key_mix(sum, &number, sizeof number);
}

void tac_key_surface(uint64_t *sum, const tacTriMesh *mesh) {
  tac_key_count(sum, mesh->vertex_count);
  tac_key_mix(sum, mesh->vertices, (size_t)mesh->vertex_count * sizeof *mesh->vertices);
  tac_key_count(sum, mesh->triangle_count);
  tac_key_mix(sum, mesh->triangles, (size_t)mesh->triangle_count * sizeof *mesh->triangles);
}

void tac_key_volume(uint64_t *sum, const tacVolMesh *mesh) {
  tac_key_count(sum, mesh->vertex_count);
  tac_key_mix(sum, mesh->vertices, (size_t)mesh->vertex_count * sizeof *mesh->vertices);
  tac_key_count(sum, mesh->tet_count);
  tac_key_mix(sum, mesh->tets, (size_t)mesh->tet_count * sizeof *mesh->tets);
  tac_key_count(sum, mesh->brick_count);
  tac_key_mix(sum, mesh->bricks, (size_t)mesh->brick_count * sizeof *mesh->bricks);
}

void tac_key_materials_of(uint64_t *sum, const tacVolMesh *mesh, const int *material_of) {
  if (material_of == NULL) return;
  tac_key_mix(sum, material_of, (size_t)(mesh->tet_count + mesh->brick_count) * sizeof *material_of);
}

void tac_key_solid(uint64_t *sum, const tacSolidDef *solid) {
  tac_key_surface(sum, solid->mesh);
  tac_key_count(sum, solid->offset);
  tac_key_count(sum, solid->def.resolution);
  tac_key_number(sum, solid->def.expansion);
  tac_key_number(sum, solid->def.offset);
  tac_key_number(sum, solid->def.band);
}

static void mix_plane(uint64_t *sum, const tacScenePlane *plane) {
  tac_key_count(sum, plane->axis);
  tac_key_number(sum, plane->at);
}

void tac_key_region(uint64_t *sum, const tacSceneRegion *region) {
  tac_key_count(sum, region->has_below + 2 * region->has_above + 4 * region->has_box + 8 * region->has_sphere);
  mix_plane(sum, &region->below);
  mix_plane(sum, &region->above);
  tac_key_mix(sum, &region->box.lower, sizeof region->box.lower);
  tac_key_mix(sum, &region->box.upper, sizeof region->box.upper);
  tac_key_mix(sum, &region->sphere.centre, sizeof region->sphere.centre);
  tac_key_number(sum, region->sphere.radius);
}

uint64_t tac_bake_key_versions(int count, const int *own) {
  /* Those of fields and points, embedded and deformed ones, loads, surfaces and volumes follow those of the kinds. */
  static const int others[] = {FIELD_VERSION, POINTS_VERSION, 1, 1, 1, SURFACE_VERSION, VOLUME_VERSION};
  enum { OTHERS = sizeof others / sizeof *others };
  int all[TAC_BODY_KIND_MOST + OTHERS];
  memcpy(all, own, (size_t)count * sizeof *all);
  memcpy(all + count, others, sizeof others);
  return tac_checksum(all, ((size_t)count + OTHERS) * sizeof *all);
}

uint64_t tac_bake_key_field(const tacSolidDef *def) {
  uint64_t sum = FIELD_VERSION;
  tac_key_solid(&sum, def);
  return sum;
}

uint64_t tac_bake_key_points(const tacShellDef *def) {
  uint64_t sum = POINTS_VERSION;
  tac_key_solid(&sum, &def->solid);
  if (def->field_key != 0) tac_key_mix(&sum, &def->field_key, sizeof def->field_key);
  tac_key_count(&sum, def->points.point_count);
  tac_key_count(&sum, def->points.level_count);
  return sum;
}

tacStatus tac_bake_key_surface(const tacShapeMesh *def, uint64_t *key, tacError *error) {
  const tacGalleryModel *model = tac_gallery_find(def->shape);
  if (model == NULL) return tac_error_set(error, TAC_ERR_ARGUMENT, "unknown shape \"%s\"", def->shape);
  uint64_t sum = SURFACE_VERSION, fingerprint;
  TAC_TRY(tac_gallery_fingerprint(model, &fingerprint, error));
  tac_key_mix(&sum, &fingerprint, sizeof fingerprint);
  tac_key_number(&sum, def->vertices > 0 || def->size == 0.0 ? model->info.size : def->size);
  tac_key_count(&sum, def->vertices);
  tac_key_count(&sum, def->vertices > 0 && def->relaxed);
  *key = sum;
  return TAC_OK;
}

uint64_t tac_bake_key_volume(const tacFilledMesh *def) {
  uint64_t sum = VOLUME_VERSION;
  tac_key_surface(&sum, def->surface);
  tac_key_number(&sum, def->tets);
  tac_key_count(&sum, def->tets > 0.0 ? 0 : def->resolution);
  tac_key_count(&sum, def->tets > 0.0 ? 0 : (int)def->rule);
  return sum;
}
