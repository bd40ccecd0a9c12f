#include "spec/cache/solid_cache.h"

#include "asset/pointshell.h"
#include "spec/cache/bake_key.h"

/* Distance fields */

TAC_ASSET_FUNCTIONS(tacDistanceField, distance_field, distance_field)

static bool fits_field(const void *made, const void *of) {
  const tacGrid *grid = tac_distance_field_grid(made);
  const tacSolidDef *def = of;
  return grid != NULL && grid->nx == def->def.resolution + 1;
}

static tacStatus bake_field(const void *def, const tacAssetNames *names, const tacProgress *progress, void **made,
                            tacError *error) {
  TAC_TRY(tac_body_solid_bake(def, progress, (tacDistanceField **)made, error));
  return tac_distance_field_write(*made, names->asset, error);
}

static const tacBakeChecks *checks_of_field(const void *made) {
  return tac_distance_field_checks(made);
}

tacStatus tac_solid_cache_field(const char *folder, const char *name, const tacSolidDef *def, bool again,
                                const tacProgress *progress, tacDistanceField **field, tacSceneAsset *asset,
                                tacError *error) {
  static const tacAssetType type = {.ending = ".field",
                                    .read = read_distance_field,
                                    .fits = fits_field,
                                    .checks = checks_of_field,
                                    .bake = bake_field,
                                    .destroy = destroy_distance_field};
  tacAssetWant want = {folder, name, tac_bake_key_field(def), def, again, progress};
  return tac_bake_cache_fetch(&type, &want, (void **)field, asset, error);
}

/* Points */

TAC_ASSET_FUNCTIONS(tacPointshell, pointshell, pointshell)

static bool fits_points(const void *made, const void *of) {
  const tacShellDef *def = of;
  int levels = def->points.level_count;
  return tac_pointshell_coordinates(made) == 0 && (levels == 0 || tac_pointshell_level_count(made) == levels);
}

static tacStatus bake_points(const void *def, const tacAssetNames *names, const tacProgress *progress, void **made,
                             tacError *error) {
  TAC_TRY(tac_body_solid_shell_bake(def, progress, (tacPointshell **)made, error));
  return tac_pointshell_write(*made, names->asset, error);
}

static const tacBakeChecks *checks_of_points(const void *made) {
  return tac_pointshell_checks(made);
}

tacStatus tac_solid_cache_points(const char *folder, const char *name, const tacShellDef *def, bool again,
                                 const tacProgress *progress, tacPointshell **shell, tacSceneAsset *asset,
                                 tacError *error) {
  static const tacAssetType type = {.ending = ".points",
                                    .read = read_pointshell,
                                    .fits = fits_points,
                                    .checks = checks_of_points,
                                    .bake = bake_points,
                                    .destroy = destroy_pointshell};
  tacAssetWant want = {folder, name, tac_bake_key_points(def), def, again, progress};
  return tac_bake_cache_fetch(&type, &want, (void **)shell, asset, error);
}

/* Meshes */

TAC_ASSET_FUNCTIONS(tacTriMesh, made_surface, trimesh)
TAC_ASSET_FUNCTIONS(tacVolMesh, made_volume, volmesh)

static bool fits_surface(const void *made, const void *of) {
  const tacShapeMesh *def = of;
  return def->vertices == 0 || ((const tacTriMesh *)made)->vertex_count == def->vertices;
}

static tacStatus bake_surface(const void *def, const tacAssetNames *names, const tacProgress *progress, void **made,
                              tacError *error) {
  TAC_TRY(tac_shape_mesh_make(def, progress, (tacTriMesh **)made, error));
  const tacTriMesh *mesh = *made;
  return mesh->group_count == 0 ? tac_made_surface_write(mesh, names->asset, error) : TAC_OK;
}

tacStatus tac_solid_cache_surface(const char *folder, const tacShapeMesh *def, bool again, const tacProgress *progress,
                                  tacTriMesh **mesh, tacError *error) {
  static const tacAssetType type = {.ending = ".surface",
                                    .read = read_made_surface,
                                    .fits = fits_surface,
                                    .bake = bake_surface,
                                    .destroy = destroy_made_surface};
  tacAssetWant want = {folder, def->shape, 0, def, again, progress};
  *mesh = NULL;
  TAC_TRY(tac_bake_key_surface(def, &want.key, error));
  return tac_bake_cache_fetch(&type, &want, (void **)mesh, NULL, error);
}

static bool fits_volume(const void *made, const void *of) {
  const tacVolMesh *mesh = made;
  return ((const tacFilledMesh *)of)->tets > 0.0 ? mesh->brick_count == 0 : mesh->tet_count == 0;
}

static tacStatus bake_volume(const void *def, const tacAssetNames *names, const tacProgress *progress, void **made,
                             tacError *error) {
  TAC_TRY(tac_filled_mesh_make(def, progress, (tacVolMesh **)made, error));
  const tacVolMesh *mesh = *made;
  bool plain = mesh->group_count + mesh->vertex_set_count + mesh->material_count + mesh->region_count == 0;
  return plain ? tac_made_volume_write(mesh, names->asset, error) : TAC_OK;
}

tacStatus tac_solid_cache_volume(const char *folder, const tacFilledMesh *def, bool again, const tacProgress *progress,
                                 tacVolMesh **mesh, tacError *error) {
  static const tacAssetType type = {.ending = ".volume",
                                    .read = read_made_volume,
                                    .fits = fits_volume,
                                    .bake = bake_volume,
                                    .destroy = destroy_made_volume};
  tacAssetWant want = {folder, "filled", tac_bake_key_volume(def), def, again, progress};
  return tac_bake_cache_fetch(&type, &want, (void **)mesh, NULL, error);
}
