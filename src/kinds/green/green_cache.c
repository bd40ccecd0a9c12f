#include "kinds/green/green_cache.h"

#include <string.h>
#include <unistd.h>
#include "base/memory/owned.h"
#include "elastic/reference/reference_problem.h"
#include "kinds/green/green.h"
#include "spec/cache/bake_key.h"

TAC_OWNED_TYPE(tacTriMesh, tac_trimesh_destroy)

/* Returns the number of vertices of the surface that the array `fixed` refers to: the given surface, or the boundary of
 * the volume. */
static int surface_vertices(const tacReferenceDef *def) {
  if (def->volume == NULL) return def->surface->vertex_count;
  TAC_OWN(tacTriMesh, surface) = NULL;
  return tac_volmesh_surface(def->volume, &surface, NULL, NULL, NULL) == TAC_OK ? surface->vertex_count : 0;
}

uint64_t tac_green_cache_key(const tacGreenDef *def) {
  const tacReferenceDef *p = &def->problem;
  uint64_t sum = TAC_GREEN_CACHE_VERSION;
  tac_key_count(&sum, p->method);
  if (p->volume != NULL) {
    tac_key_volume(&sum, p->volume);
    tac_key_materials_of(&sum, p->volume, p->material_of);
  } else {
    tac_key_surface(&sum, p->surface);
    tac_key_count(&sum, 1 + p->accept_thin); /* distinguishes results of older versions, which accepted thin meshes */
  }
  tac_key_count(&sum, p->material_count);
  for (int i = 0; i < p->material_count; ++i)
    tac_key_mix(&sum, p->materials[i].stiffness, sizeof p->materials[i].stiffness);
  int vertices = surface_vertices(p), fixed = 0;
  tac_key_mix(&sum, p->fixed, (size_t)vertices * sizeof *p->fixed);
  bool inside = p->volume != NULL && p->fixed_inside != NULL;
  tac_key_count(&sum, inside);
  if (inside) tac_key_mix(&sum, p->fixed_inside, (size_t)p->volume->vertex_count * sizeof *p->fixed_inside);
  for (int v = 0; v < vertices; ++v) fixed += p->fixed[v];
  for (int i = 0; fixed == 0 && i < p->material_count; ++i) /* the inertia of a free body is part of the response */
    tac_key_mix(&sum, &p->materials[i].density, sizeof p->materials[i].density);
  tac_key_count(&sum, p->sensor_count);
  for (int i = 0; i < p->sensor_count; ++i) {
    tac_key_mix(&sum, p->sensors[i].name, strlen(p->sensors[i].name));
    tac_key_count(&sum, p->sensors[i].kind);
    tac_key_mix(&sum, &p->sensors[i].point, sizeof p->sensors[i].point);
  }
  tac_key_count(&sum, def->wanted != NULL ? def->wanted_count : -1);
  if (def->wanted != NULL) tac_key_mix(&sum, def->wanted, (size_t)def->wanted_count * sizeof *def->wanted);
  tac_key_count(&sum, def->storage);
  double radius = def->storage == TAC_GREEN_NEAR ? def->near_radius : 0.0;
  tac_key_mix(&sum, &radius, sizeof radius);
  return sum;
}

typedef struct {
  const tacGreenDef *def;
  tacReferenceProblem **problem;
} Want;

TAC_ASSET_FUNCTIONS(tacGreen, green, green)

static bool fits(const void *made, const void *of) {
  const tacGreen *green = made;
  const tacGreenDef *def = ((const Want *)of)->def;
  return tac_green_method(green) == def->problem.method && tac_green_storage(green) == def->storage &&
         tac_green_sensor_count(green) == def->problem.sensor_count &&
         tac_green_surface(green)->vertex_count == surface_vertices(&def->problem);
}

static tacStatus bake(const void *of, const tacAssetNames *names, const tacProgress *progress, void **made,
                      tacError *error) {
  tacGreenDef own = *((const Want *)of)->def;
  own.checkpoint = names->part;
  own.factored = own.storage == TAC_GREEN_NEAR ? names->second_file : NULL;
  tacGreen *green = NULL;
  tacStatus status = tac_green_bake(&own, progress, &green, error);
  if (status == TAC_OK) status = tac_green_write(green, names->asset, error);
  if (status == TAC_ERR_CHECK) unlink(names->second_file); /* the inputs of a failed result cannot be trusted */
  *made = green;
  return status;
}

static const tacBakeChecks *checks(const void *made) {
  static const tacBakeChecks unchecked_yet; /* result for a file without an error estimate, which is then baked again */
  return tac_green_has_error_estimate(made) ? tac_green_checks(made) : &unchecked_yet;
}

static bool has_factored(const void *of) {
  return ((const Want *)of)->def->storage == TAC_GREEN_NEAR;
}

static tacStatus read_factored(const void *of, const char *path, tacError *error) {
  return tac_reference_problem_read(path, ((const Want *)of)->problem, error);
}

tacStatus tac_green_cache(const char *folder, const char *name, const tacGreenDef *def, bool again,
                          const tacProgress *progress, tacGreen **green, tacReferenceProblem **problem,
                          tacSceneAsset *asset, tacError *error) {
  static const tacAssetType type = {.ending = ".green",
                                    .read = read_green,
                                    .fits = fits,
                                    .checks = checks,
                                    .bake = bake,
                                    .destroy = destroy_green,
                                    .has_second_file = has_factored,
                                    .read_second_file = read_factored};
  Want own = {def, problem};
  tacAssetWant want = {folder, name, tac_green_cache_key(def), &own, again, progress};
  void *made;
  *problem = NULL;
  tacStatus status = tac_bake_cache_fetch(&type, &want, &made, asset, error);
  *green = made;
  return status;
}
