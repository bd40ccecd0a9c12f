#include "kinds/reduced/reduced_cache.h"

#include <string.h>
#include "asset/deformed_field.h"
#include "asset/pointshell.h"
#include "base/error.h"
#include "base/memory/owned.h"
#include "kinds/reduced/embedded/pointshell_embed.h"
#include "kinds/reduced/reduced.h"
#include "spec/cache/bake_key.h"
#include "spec/cache/solid_cache.h"

/* Versions of the bakes. Increment a version if a bake gives a different result for the same definition. */
#define EMBEDDED_VERSION 1
#define DEFORMED_VERSION 1

/* Reduced model */

static void mix_materials(uint64_t *sum, const tacReducedDef *def) {
  tac_key_count(sum, def->material_count);
  for (int i = 0; i < def->material_count; ++i) {
    tac_key_number(sum, def->materials[i].density);
    tac_key_mix(sum, def->materials[i].stiffness, sizeof def->materials[i].stiffness);
    if (def->group_names != NULL) tac_key_mix(sum, def->group_names[i], strlen(def->group_names[i]));
  }
}

/* Adds the parameters of the basis to the key. Parameters that the source of the basis does not use are omitted. */
static void mix_basis(uint64_t *sum, const tacReducedDef *def) {
  tac_key_count(sum, def->source);
  tac_key_count(sum, def->mode_count);
  tac_key_count(sum, def->size);
  tac_key_count(sum, def->lumped_mass);
  tac_key_count(sum, def->strain_rate);
  if (def->source == TAC_BASIS_MODES) return;
  tac_key_count(sum, def->load_count);
  tac_key_mix(sum, def->loads, (size_t)def->load_count * sizeof *def->loads);
  if (def->source != TAC_BASIS_MOTION) return;
  tac_key_number(sum, def->motion_step);
  tac_key_number(sum, def->motion_duration);
  tac_key_number(sum, def->mass_damping);
  tac_key_number(sum, def->stiffness_damping);
}

uint64_t tac_reduced_cache_key(const tacReducedDef *def) {
  uint64_t sum = TAC_REDUCED_CACHE_VERSION;
  tac_key_volume(&sum, def->volume);
  tac_key_materials_of(&sum, def->volume, def->material_of);
  mix_materials(&sum, def);
  tac_key_count(&sum, def->fixed != NULL);
  if (def->fixed != NULL) tac_key_mix(&sum, def->fixed, (size_t)def->volume->vertex_count * sizeof *def->fixed);
  tac_key_count(&sum, def->surface != NULL);
  if (def->surface != NULL) tac_key_surface(&sum, def->surface);
  mix_basis(&sum, def);
  return sum;
}

TAC_ASSET_FUNCTIONS(tacReduced, reduced, reduced)

static bool fits_reduced(const void *made, const void *of) {
  const tacReduced *reduced = made;
  const tacReducedDef *def = of;
  const tacReducedInfo *info = tac_reduced_info(reduced);
  return tac_reduced_size(reduced) == def->size && tac_reduced_group_count(reduced) == def->material_count &&
         info->vertex_count == def->volume->vertex_count &&
         info->element_count == def->volume->tet_count + def->volume->brick_count &&
         (def->surface == NULL || tac_reduced_surface(reduced)->vertex_count == def->surface->vertex_count);
}

static tacStatus bake_reduced(const void *def, const tacAssetNames *names, const tacProgress *progress, void **made,
                              tacError *error) {
  tacReduced *reduced = NULL;
  TAC_TRY(tac_reduced_bake(def, progress, &reduced, error));
  *made = reduced;
  return tac_reduced_write(reduced, names->asset, error);
}

static const tacBakeChecks *checks_of_reduced(const void *made) {
  static const tacBakeChecks unchecked_yet; /* the cache bakes an asset without checks again */
  return tac_reduced_has_error_estimate(made) ? tac_reduced_checks(made) : &unchecked_yet;
}

tacStatus tac_reduced_cache(const char *folder, const char *name, const tacReducedDef *def, bool again,
                            const tacProgress *progress, tacReduced **reduced, tacSceneAsset *asset, tacError *error) {
  static const tacAssetType type = {.ending = ".reduced",
                                    .read = read_reduced,
                                    .fits = fits_reduced,
                                    .checks = checks_of_reduced,
                                    .bake = bake_reduced,
                                    .destroy = destroy_reduced};
  tacAssetWant want = {folder, name, tac_reduced_cache_key(def), def, again, progress};
  void *made;
  tacStatus status = tac_bake_cache_fetch(&type, &want, &made, asset, error);
  *reduced = made;
  return status;
}

/* Embedded points. The rest points are a separate asset, so a change of material does not place the rest points
 * again. */

typedef struct {
  const char *folder, *name;
  const tacEmbeddedDef *def;
  bool again;
} Embedded;

TAC_OWNED_TYPE(tacPointshell, tac_pointshell_destroy)
TAC_ASSET_FUNCTIONS(tacPointshell, pointshell, pointshell)

uint64_t tac_reduced_cache_points_key(const tacEmbeddedDef *def) {
  uint64_t points = def->shell.ready != NULL ? def->shell.ready_key : tac_bake_key_points(&def->shell);
  uint64_t sum = EMBEDDED_VERSION, parts[2] = {points, def->reduced_key};
  tac_key_mix(&sum, parts, sizeof parts);
  return sum;
}

static bool fits_embedded(const void *made, const void *of) {
  return tac_pointshell_coordinates(made) == tac_reduced_size(((const Embedded *)of)->def->reduced);
}

static tacStatus bake_embedded(const void *of, const tacAssetNames *names, const tacProgress *progress, void **made,
                               tacError *error) {
  const Embedded *e = of;
  const tacPointshell *ready = e->def->shell.ready;
  TAC_OWN(tacPointshell, rest) = NULL;
  tacPointshell *shell = NULL;
  if (ready == NULL)
    TAC_TRY(tac_solid_cache_points(e->folder, e->name, &e->def->shell, e->again, progress, &rest, NULL, error));
  TAC_TRY(tac_pointshell_embed(ready != NULL ? ready : rest, e->def->reduced, &shell, error));
  *made = shell;
  return tac_pointshell_write(shell, names->asset, error);
}

static const tacBakeChecks *checks_of_embedded(const void *made) {
  return tac_pointshell_checks(made);
}

tacStatus tac_reduced_cache_points(const char *folder, const char *name, const tacEmbeddedDef *def, bool again,
                                   const tacProgress *progress, tacPointshell **shell, tacSceneAsset *asset,
                                   tacError *error) {
  static const tacAssetType type = {.ending = ".embedded",
                                    .read = read_pointshell,
                                    .fits = fits_embedded,
                                    .checks = checks_of_embedded,
                                    .bake = bake_embedded,
                                    .destroy = destroy_pointshell};
  Embedded embedded = {folder, name, def, again && !def->placed};
  tacAssetWant want = {folder, name, tac_reduced_cache_points_key(def), &embedded, again, progress};
  void *made;
  tacStatus status = tac_bake_cache_fetch(&type, &want, &made, asset, error);
  *shell = made;
  return status;
}

/* Deforming field */

uint64_t tac_reduced_cache_field_key(const tacDeformedDef *def) {
  uint64_t sum = DEFORMED_VERSION;
  tac_key_mix(&sum, &def->reduced_key, sizeof def->reduced_key);
  if (def->file != NULL)
    tac_key_mix(&sum, &def->file_key, sizeof def->file_key);
  else
    tac_key_solid(&sum, &def->solid);
  tac_key_count(&sum, def->def.proxy_count);
  tac_key_count(&sum, def->def.nearest);
  tac_key_count(&sum, def->domain_count);
  for (int i = 0; i < def->domain_count; ++i) tac_key_region(&sum, &def->domains[i]);
  return sum;
}

TAC_ASSET_FUNCTIONS(tacDeformedField, deformed_field, deformed_field)

static bool fits_deformed(const void *made, const void *of) {
  const tacDeformedDef *def = of;
  return tac_deformed_field_coordinates(made) == tac_reduced_size(def->reduced) &&
         tac_deformed_field_domain_count(made) == (def->domain_count > 0 ? def->domain_count : 1);
}

static tacStatus bake_deformed(const void *def, const tacAssetNames *names, const tacProgress *progress, void **made,
                               tacError *error) {
  tacDeformedField *field = NULL;
  TAC_TRY(tac_deformed_solid_bake(def, progress, &field, error));
  *made = field;
  return tac_deformed_field_write(field, names->asset, error);
}

static const tacBakeChecks *checks_of_deformed(const void *made) {
  return tac_deformed_field_checks(made);
}

tacStatus tac_reduced_cache_field(const char *folder, const char *name, const tacDeformedDef *def, bool again,
                                  const tacProgress *progress, tacDeformedField **field, tacSceneAsset *asset,
                                  tacError *error) {
  static const tacAssetType type = {.ending = ".deformed",
                                    .read = read_deformed_field,
                                    .fits = fits_deformed,
                                    .checks = checks_of_deformed,
                                    .bake = bake_deformed,
                                    .destroy = destroy_deformed_field};
  tacAssetWant want = {folder, name, tac_reduced_cache_field_key(def), def, again, progress};
  void *made;
  tacStatus status = tac_bake_cache_fetch(&type, &want, &made, asset, error);
  *field = made;
  return status;
}
