#include "spec/cache/made_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <tactus/meshing.h>
#include "base/files/chunk_transfer.h"
#include "base/memory/owned.h"
#include "base/progress.h"
#include "mesh/repair/relaxation.h"
#include "mesh/repair/simplify.h"
#include "shape/shape.h"

TAC_OWNED_TYPE(tacTriMesh, tac_trimesh_destroy)
TAC_OWNED_TYPE(tacVolMesh, tac_volmesh_destroy)

#define SURFACE_KIND "made surface"
#define VOLUME_KIND "made volume"
enum { FILE_VERSION = 1 };

/* Boundary elements want triangles that are alike; to be embedded, touched and shown they need not be relaxed, which takes long. */
static tacStatus coarsen(const tacTriMesh *fine, int wanted, bool relaxed, tacTriMesh **surface, tacError *error) {
  if (!relaxed) return tac_trimesh_simplify(fine, wanted, surface, error);
  TAC_OWN(tacTriMesh, rough) = NULL;
  TAC_TRY(tac_trimesh_simplify(fine, wanted, &rough, error));
  return tac_trimesh_relax(rough, fine, surface, error);
}

/* Built finer, then coarsened. */
tacStatus tac_shape_mesh_make(const tacShapeMesh *def, const tacProgress *progress, tacTriMesh **mesh,
                              tacError *error) {
  int wanted = def->vertices;
  if (wanted == 0) return tac_shape_build(def->shape, def->size, progress, mesh, error);
  const double built = 0.6; /* the share of building; the rest is coarsening */
  double size = tac_shape_find(def->shape)->size;
  for (int attempt = 0; attempt < 40; ++attempt) {
    TAC_OWN(tacTriMesh, fine) = NULL;
    TAC_OWN(tacTriMesh, coarse) = NULL;
    /* The first attempt is usually fine enough; each further one counts as half of the remaining share before the coarsening. */
    const tacProgress stage = tac_progress_part(
        &(tacProgressPart){progress, built * (1.0 - exp2(-attempt)), built * (1.0 - exp2(-attempt - 1)), NULL});
    TAC_TRY(tac_shape_build(def->shape, size, &stage, &fine, error));
    int count = fine->vertex_count;
    if (count > wanted) {
      TAC_TRY(tac_progress_report(progress, "coarsening", built, error));
      TAC_TRY(coarsen(fine, wanted, def->relaxed, &coarse, error));
      TAC_TRY(tac_progress_report(progress, "coarsening", 1.0, error));
    }
    if (count >= wanted) {
      *mesh = count > wanted ? tac_give(&coarse) : tac_give(&fine);
      return TAC_OK;
    }
    size *= fmin(0.97, 0.98 * sqrt((double)count / (double)wanted)); /* counts grow with 1 / size^2 */
  }
  return tac_error_set(error, TAC_ERR_GEOMETRY,
                       "cannot mesh the shape with %d vertices: every mesh tried has fewer; "
                       "ask for fewer vertices",
                       wanted);
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
  if (mesh->group_count > 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "a surface mesh with groups cannot be "
                         "stored in the cache");
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
  TAC_OWN(tacTriMesh, made) = NULL;
  TAC_TRY(tac_trimesh_create(0, 0, &made, error));
  free(made->vertices);
  free(made->triangles);
  made->vertex_count = made->triangle_count = -1;
  tacChunkTransfer from = tac_chunk_transfer_read(path, SURFACE_KIND, FILE_VERSION, error);
  made->vertices = tac_chunk_transfer_take(&from, "vertices", TAC_CHUNK_F64, 3, &made->vertex_count);
  made->triangles = tac_chunk_transfer_take(&from, "triangles", TAC_CHUNK_I32, 3, &made->triangle_count);
  TAC_TRY(tac_chunk_transfer_end(&from));
  if (tac_trimesh_validate(made, &reason) != TAC_OK) return refuse(path, &reason, error);
  *mesh = tac_give(&made);
  return TAC_OK;
}

tacStatus tac_made_volume_write(const tacVolMesh *mesh, const char *path, tacError *error) {
  if (mesh->group_count + mesh->vertex_set_count + mesh->material_count + mesh->region_count > 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "a volume mesh with groups, sets or materials cannot be stored in "
                         "the cache");
  tacChunkTransfer to = tac_chunk_transfer_write(path, VOLUME_KIND, FILE_VERSION, error);
  tac_chunk_transfer_put(&to, "vertices", TAC_CHUNK_F64, 3 * (uint64_t)mesh->vertex_count, mesh->vertices);
  tac_chunk_transfer_put(&to, "tets", TAC_CHUNK_I32, 4 * (uint64_t)mesh->tet_count, mesh->tets);
  tac_chunk_transfer_put(&to, "bricks", TAC_CHUNK_I32, 8 * (uint64_t)mesh->brick_count, mesh->bricks);
  return tac_chunk_transfer_end(&to);
}

tacStatus tac_made_volume_read(const char *path, tacVolMesh **mesh, tacError *error) {
  tacError reason;
  *mesh = NULL;
  TAC_OWN(tacVolMesh, made) = NULL;
  TAC_TRY(tac_volmesh_create(0, 0, 0, &made, error));
  free(made->vertices);
  free(made->tets);
  free(made->bricks);
  made->vertex_count = made->tet_count = made->brick_count = -1;
  tacChunkTransfer from = tac_chunk_transfer_read(path, VOLUME_KIND, FILE_VERSION, error);
  made->vertices = tac_chunk_transfer_take(&from, "vertices", TAC_CHUNK_F64, 3, &made->vertex_count);
  made->tets = tac_chunk_transfer_take(&from, "tets", TAC_CHUNK_I32, 4, &made->tet_count);
  made->bricks = tac_chunk_transfer_take(&from, "bricks", TAC_CHUNK_I32, 8, &made->brick_count);
  TAC_TRY(tac_chunk_transfer_end(&from));
  if (tac_volmesh_validate(made, &reason) != TAC_OK) return refuse(path, &reason, error);
  *mesh = tac_give(&made);
  return TAC_OK;
}
