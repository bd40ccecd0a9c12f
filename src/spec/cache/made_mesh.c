#include "spec/cache/made_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <tactus/meshing.h>
#include <tactus/shape.h>
#include "base/files/chunk_transfer.h"
#include "base/progress.h"
#include "mesh/repair/relaxation.h"
#include "mesh/repair/simplify.h"

#define SURFACE_KIND "made surface"
#define VOLUME_KIND "made volume"
enum { FILE_VERSION = 1 };

/* Boundary elements want triangles that are alike; to be embedded, touched and shown they need not be relaxed, which takes long. */
static tacStatus coarsen(const tacTriMesh *fine, int wanted, bool relaxed, tacTriMesh **surface, tacError *error) {
  if (!relaxed) return tac_trimesh_simplify(fine, wanted, surface, error);
  tacTriMesh *rough = NULL;
  tacStatus status = tac_trimesh_simplify(fine, wanted, &rough, error);
  if (status == TAC_OK) status = tac_trimesh_relax(rough, fine, surface, error);
  tac_trimesh_destroy(rough);
  return status;
}

static tacStatus report(const tacProgress *progress, const char *what, double fraction, tacError *error) {
  if (progress == NULL || progress->report == NULL || progress->report(what, fraction, progress->user)) return TAC_OK;
  return tac_error_set(error, TAC_ERR_CANCELLED, "%s: cancelled", what);
}

/* Built finer, then coarsened. */
tacStatus tac_shape_mesh_make(const tacShapeMesh *def, const tacProgress *progress, tacTriMesh **mesh,
                              tacError *error) {
  int wanted = def->vertices;
  if (wanted == 0) return tac_shape_build(def->shape, def->size, progress, mesh, error);
  const double built = 0.6; /* the share of building; the rest is coarsening */
  double size = tac_shape_find(def->shape)->size;
  for (int attempt = 0; attempt < 40; ++attempt) {
    tacTriMesh *fine = NULL;
    /* The first attempt is usually fine enough; each further one counts as half of the remaining share before the coarsening. */
    const tacProgressPart part = {progress, built * (1.0 - exp2(-attempt)), built * (1.0 - exp2(-attempt - 1)), NULL};
    const tacProgress stage = tac_progress_part(&part);
    tacStatus status = tac_shape_build(def->shape, size, &stage, &fine, error);
    if (status != TAC_OK) return status;
    int count = fine->vertex_count;
    if (count == wanted) {
      *mesh = fine;
      return TAC_OK;
    }
    if (count > wanted) status = report(progress, "coarsening", built, error);
    if (count > wanted && status == TAC_OK) status = coarsen(fine, wanted, def->relaxed, mesh, error);
    if (count > wanted && status == TAC_OK && report(progress, "coarsening", 1.0, error) != TAC_OK) {
      tac_trimesh_destroy(*mesh);
      *mesh = NULL;
      status = TAC_ERR_CANCELLED;
    }
    tac_trimesh_destroy(fine);
    if (count > wanted || status != TAC_OK) return status;
    size *= fmin(0.97, 0.98 * sqrt((double)count / (double)wanted)); /* counts grow with 1 / size^2 */
  }
  return tac_error_set(error, TAC_ERR_GEOMETRY, "no size of the shape gives %d vertices", wanted);
}

tacStatus tac_filled_mesh_make(const tacFilledMesh *def, const tacProgress *progress, tacVolMesh **mesh,
                               tacError *error) {
  if (def->tets > 0.0) {
    tacStuffingDef stuffing = tac_stuffing_def_default();
    stuffing.size = def->tets;
    return tac_stuffing_fill(def->surface, &stuffing, progress, mesh, error);
  }
  tacVoxeliseDef voxels = tac_voxelise_def_default();
  voxels.resolution = def->resolution;
  voxels.rule = def->rule;
  return tac_voxelise(def->surface, &voxels, progress, mesh, error);
}

/* Files */

tacStatus tac_made_surface_write(const tacTriMesh *mesh, const char *path, tacError *error) {
  if (mesh->group_count > 0) return tac_error_set(error, TAC_ERR_ARGUMENT, "a surface with groups is not kept");
  tacChunkTransfer to = tac_chunk_transfer_write(path, SURFACE_KIND, FILE_VERSION, error);
  tac_chunk_transfer_put(&to, "vertices", TAC_CHUNK_F64, 3 * (uint64_t)mesh->vertex_count, mesh->vertices);
  tac_chunk_transfer_put(&to, "triangles", TAC_CHUNK_I32, 3 * (uint64_t)mesh->triangle_count, mesh->triangles);
  return tac_chunk_transfer_end(&to);
}

/* A mesh that a file holds must be one, whatever its checksums say. */
static tacStatus refuse(const char *path, const tacError *reason, tacError *error) {
  return tac_error_set(error, TAC_ERR_FORMAT, "%.300s: %.180s", path, reason->text);
}

tacStatus tac_made_surface_read(const char *path, tacTriMesh **mesh, tacError *error) {
  tacError reason;
  *mesh = NULL;
  tacTriMesh *made = NULL;
  tacStatus status = tac_trimesh_create(0, 0, &made, error);
  if (status != TAC_OK) return status;
  free(made->vertices);
  free(made->triangles);
  made->vertex_count = made->triangle_count = -1;
  tacChunkTransfer from = tac_chunk_transfer_read(path, SURFACE_KIND, FILE_VERSION, error);
  made->vertices = tac_chunk_transfer_take(&from, "vertices", TAC_CHUNK_F64, 3, &made->vertex_count);
  made->triangles = tac_chunk_transfer_take(&from, "triangles", TAC_CHUNK_I32, 3, &made->triangle_count);
  status = tac_chunk_transfer_end(&from);
  if (status == TAC_OK && tac_trimesh_validate(made, &reason) != TAC_OK) status = refuse(path, &reason, error);
  if (status == TAC_OK)
    *mesh = made;
  else
    tac_trimesh_destroy(made);
  return status;
}

tacStatus tac_made_volume_write(const tacVolMesh *mesh, const char *path, tacError *error) {
  if (mesh->group_count + mesh->vertex_set_count + mesh->material_count + mesh->region_count > 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a volume mesh with groups, sets or materials is not kept");
  tacChunkTransfer to = tac_chunk_transfer_write(path, VOLUME_KIND, FILE_VERSION, error);
  tac_chunk_transfer_put(&to, "vertices", TAC_CHUNK_F64, 3 * (uint64_t)mesh->vertex_count, mesh->vertices);
  tac_chunk_transfer_put(&to, "tets", TAC_CHUNK_I32, 4 * (uint64_t)mesh->tet_count, mesh->tets);
  tac_chunk_transfer_put(&to, "bricks", TAC_CHUNK_I32, 8 * (uint64_t)mesh->brick_count, mesh->bricks);
  return tac_chunk_transfer_end(&to);
}

tacStatus tac_made_volume_read(const char *path, tacVolMesh **mesh, tacError *error) {
  tacError reason;
  *mesh = NULL;
  tacVolMesh *made = NULL;
  tacStatus status = tac_volmesh_create(0, 0, 0, &made, error);
  if (status != TAC_OK) return status;
  free(made->vertices);
  free(made->tets);
  free(made->bricks);
  made->vertex_count = made->tet_count = made->brick_count = -1;
  tacChunkTransfer from = tac_chunk_transfer_read(path, VOLUME_KIND, FILE_VERSION, error);
  made->vertices = tac_chunk_transfer_take(&from, "vertices", TAC_CHUNK_F64, 3, &made->vertex_count);
  made->tets = tac_chunk_transfer_take(&from, "tets", TAC_CHUNK_I32, 4, &made->tet_count);
  made->bricks = tac_chunk_transfer_take(&from, "bricks", TAC_CHUNK_I32, 8, &made->brick_count);
  status = tac_chunk_transfer_end(&from);
  if (status == TAC_OK && tac_volmesh_validate(made, &reason) != TAC_OK) status = refuse(path, &reason, error);
  if (status == TAC_OK)
    *mesh = made;
  else
    tac_volmesh_destroy(made);
  return status;
}
