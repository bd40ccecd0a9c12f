#include <tactus/meshing.h>

#include <string.h>
#include "base/error.h"
#include "base/files/checksum.h"
#include "math/geometry/vec3.h"
#include "shape/cuboids.h"
#include "shape/gallery.h"
#include "shape/shape.h"

static const tacGalleryFamily *const families[] = {&tac_gallery_solids, &tac_gallery_structures, &tac_gallery_parts,
                                                   &tac_gallery_tools,  &tac_gallery_organs,     &tac_gallery_abdomen,
                                                   &tac_gallery_figures};
#define FAMILY_COUNT ((int)(sizeof families / sizeof *families))

int tac_shape_count(void) {
  int count = 0;
  for (int i = 0; i < FAMILY_COUNT; ++i) count += families[i]->count;
  return count;
}

const tacGalleryModel *tac_gallery_model(int index) {
  if (index < 0) return NULL;
  for (int i = 0; i < FAMILY_COUNT; ++i) {
    if (index < families[i]->count) return &families[i]->models[index];
    index -= families[i]->count;
  }
  return NULL;
}

const tacGalleryModel *tac_gallery_find(const char *name) {
  int count = tac_shape_count();
  for (int i = 0; i < count; ++i) {
    const tacGalleryModel *model = tac_gallery_model(i);
    if (strcmp(model->info.name, name) == 0) return model;
  }
  return NULL;
}

const tacShapeInfo *tac_shape_info(int index) {
  const tacGalleryModel *model = tac_gallery_model(index);
  return model != NULL ? &model->info : NULL;
}

const tacShapeInfo *tac_shape_find(const char *name) {
  const tacGalleryModel *model = tac_gallery_find(name);
  return model != NULL ? &model->info : NULL;
}

/* Of `size`, or of the default where that is 0. */
static tacStatus require_size(const tacGalleryModel *model, double fallback, double *size, tacError *error) {
  if (*size == 0.0) *size = fallback;
  if (*size > 0.0 && *size <= model->coarsest) return TAC_OK;
  return tac_error_set(error, TAC_ERR_ARGUMENT,
                       "size %g m of shape \"%s\" is out of range; it must be above 0 and at most %g m, or parts "
                       "would be lost",
                       *size, model->info.name, model->coarsest);
}

static tacStatus build(const tacGalleryModel *model, double size, const tacProgress *progress, tacTriMesh **mesh,
                       tacError *error) {
  if (model->boxes != NULL) return tac_cuboids_mesh(model->box_count, model->boxes, size, mesh, error);
  if (model->build != NULL) return model->build(size, progress, mesh, error);
  return tac_implicit_mesh_build(&model->solid, size, progress, mesh, error);
}

tacStatus tac_shape_build(const char *name, double size, const tacProgress *progress, tacTriMesh **mesh,
                          tacError *error) {
  TAC_REQUIRE(error, mesh);
  *mesh = NULL;
  TAC_REQUIRE(error, name);
  const tacGalleryModel *model = tac_gallery_find(name);
  if (model == NULL) return tac_error_set(error, TAC_ERR_ARGUMENT, "unknown shape \"%s\"", name);
  TAC_TRY(require_size(model, model->info.size, &size, error));
  return build(model, size, progress, mesh, error);
}

enum { PROBES = 8 }; /* along each side of the box */

static uint64_t probe(const tacImplicitSolid *solid) {
  double values[PROBES * PROBES * PROBES + 7];
  int count = 0;
  tacVec3 lower = solid->box.lower, size = tac_box_size(solid->box);
  for (int k = 0; k < PROBES; ++k)
    for (int j = 0; j < PROBES; ++j)
      for (int i = 0; i < PROBES; ++i)
        values[count++] =
            solid->function(tac_vec3(lower.x + size.x * (i + 0.5) / PROBES, lower.y + size.y * (j + 0.5) / PROBES,
                                     lower.z + size.z * (k + 0.5) / PROBES));
  const double frame[7] = {lower.x, lower.y, lower.z, size.x, size.y, size.z, solid->slope};
  memcpy(values + count, frame, sizeof frame);
  return tac_checksum(values, sizeof values);
}

tacStatus tac_gallery_fingerprint(const tacGalleryModel *model, uint64_t *fingerprint, tacError *error) {
  if (model->build == NULL && model->boxes == NULL) {
    *fingerprint = probe(&model->solid);
    return TAC_OK;
  }
  tacTriMesh *mesh = NULL;
  TAC_TRY(build(model, model->coarsest, NULL, &mesh, error));
  uint64_t pair[2] = {tac_checksum(mesh->vertices, (size_t)mesh->vertex_count * sizeof *mesh->vertices),
                      tac_checksum(mesh->triangles, (size_t)mesh->triangle_count * sizeof *mesh->triangles)};
  *fingerprint = tac_checksum(pair, sizeof pair);
  tac_trimesh_destroy(mesh);
  return TAC_OK;
}

tacStatus tac_shape_bricks(const char *name, double size, tacVolMesh **mesh, tacError *error) {
  TAC_REQUIRE(error, mesh);
  *mesh = NULL;
  TAC_REQUIRE(error, name);
  const tacGalleryModel *model = tac_gallery_find(name);
  if (model == NULL) return tac_error_set(error, TAC_ERR_ARGUMENT, "unknown shape \"%s\"", name);
  if (model->info.brick_size == 0.0)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "shape \"%s\" does not define bricks; fill its surface instead",
                         name);
  TAC_TRY(require_size(model, model->info.brick_size, &size, error));
  return model->boxes != NULL ? tac_cuboids_bricks(model->box_count, model->boxes, size, mesh, error)
                              : model->fill(size, mesh, error);
}
