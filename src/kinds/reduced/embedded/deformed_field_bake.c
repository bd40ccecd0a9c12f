#include <math.h>
#include <stdlib.h>
#include <tactus/deformed_field.h>
#include <tactus/distance_field.h>
#include <tactus/meshing.h>
#include <tactus/pointshell.h>
#include <tactus/reduced.h>
#include "asset/deformed_field.h"
#include "asset/distance_field.h"
#include "bake/fields/field_check.h"
#include "bake/modes/embedded_basis.h"
#include "base/memory/array.h"
#include "base/progress.h"
#include "kinds/reduced/embedded/deformed_field_check.h"
#include "math/geometry/vec3.h"

/* ---- proxies ---- */

/* Of one domain, while they are made. */
typedef struct {
  int count;
  tacVec3 *positions;
  double *displacements, *gradients;
} Proxies;

static void free_proxies(int domain_count, Proxies *proxies) {
  for (int d = 0; proxies != NULL && d < domain_count; ++d) {
    free(proxies[d].positions);
    free(proxies[d].displacements);
    free(proxies[d].gradients);
  }
  free(proxies);
}

/* Spread over the domain's surface as the points of a shell are. */
static tacStatus place_proxies(const tacDistanceField *domain, int count, const tacProgress *progress, Proxies *proxies,
                               tacError *error) {
  tacPointshellDef def = tac_pointshell_def_default();
  tacPointshell *shell = NULL;
  def.point_count = count;
  def.level_count = 1;
  tacStatus status = tac_pointshell_bake(domain, NULL, &def, progress, &shell, error);
  if (status != TAC_OK) return status;
  proxies->count = tac_pointshell_size(shell, 0);
  proxies->positions = tac_array_create((size_t)proxies->count, sizeof *proxies->positions, "proxies", error);
  for (int i = 0; proxies->positions != NULL && i < proxies->count; ++i)
    proxies->positions[i] = tac_pointshell_point(shell, i);
  tac_pointshell_destroy(shell);
  return proxies->positions != NULL ? TAC_OK : TAC_ERR_MEMORY;
}

static tacStatus embed_proxies(const tacReduced *reduced, Proxies *proxies, tacError *error) {
  const tacVolMesh *volume = tac_reduced_volume(reduced);
  int r = tac_reduced_size(reduced);
  size_t numbers = (size_t)proxies->count * (size_t)r;
  proxies->displacements = tac_array_create(3 * numbers, sizeof *proxies->displacements, "proxies", error);
  proxies->gradients = tac_array_create(9 * numbers, sizeof *proxies->gradients, "proxies", error);
  if (proxies->displacements == NULL || proxies->gradients == NULL) return TAC_ERR_MEMORY;
  tacEmbedding *embedding = NULL;
  TAC_TRY(tac_embedding_create(volume, proxies->count, proxies->positions, &embedding, error));
  const tacEmbeddedBasis basis = {volume, r, tac_reduced_basis(reduced), embedding};
  tac_embedded_displacements(&basis, proxies->displacements);
  tac_embedded_gradients(&basis, proxies->gradients);
  tac_embedding_destroy(embedding);
  return TAC_OK;
}

/* Where it fails the domains stay the caller's. */
static tacStatus check_result(const tacReduced *reduced, int domain_count, tacDistanceField *const *domains,
                              tacDeformedField **field, tacError *error) {
  tacBakeChecks checks = {0};
  tacStatus status = tac_deformed_field_check(*field, reduced, &checks, error);
  for (int d = 0; d < domain_count; ++d) tac_bake_checks_join(&checks, tac_distance_field_checks(domains[d]));
  if (status == TAC_OK) {
    tac_deformed_field_set_checks(*field, &checks);
    return TAC_OK;
  }
  tac_deformed_field_release(*field);
  *field = NULL;
  return status;
}

tacStatus tac_deformed_field_bake(const tacReduced *reduced, int domain_count, tacDistanceField *const *domains,
                                  const tacDeformedFieldDef *def, const tacProgress *progress, tacDeformedField **field,
                                  tacError *error) {
  *field = NULL;
  if (domain_count < 1)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a deformed field of %d domains; it needs one", domain_count);
  if (def->proxy_count < 1) return tac_error_set(error, TAC_ERR_ARGUMENT, "%d proxies; it needs one", def->proxy_count);
  for (int d = 0; d < domain_count; ++d)
    if (tac_distance_field_grid(domains[d]) == NULL)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "domain %d is no grid: sample it first", d);
  Proxies *proxies = tac_array_create((size_t)domain_count, sizeof *proxies, "proxies", error);
  tacProxyParts *parts = tac_array_create((size_t)domain_count, sizeof *parts, "proxies", error);
  tacStatus status = proxies == NULL || parts == NULL ? TAC_ERR_MEMORY : TAC_OK;
  for (int d = 0; status == TAC_OK && d < domain_count; ++d) {
    const tacProgressPart share = {progress, (double)d / domain_count, (d + 1.0) / domain_count, "proxies"};
    const tacProgress stage = tac_progress_part(&share);
    status = place_proxies(domains[d], def->proxy_count, &stage, &proxies[d], error);
    if (status == TAC_OK) status = embed_proxies(reduced, &proxies[d], error);
    parts[d] = (tacProxyParts){proxies[d].count, proxies[d].positions, proxies[d].displacements, proxies[d].gradients};
  }
  if (status == TAC_OK)
    status =
        tac_deformed_field_create(tac_reduced_size(reduced), def->nearest, domain_count, domains, parts, field, error);
  if (status == TAC_OK) status = check_result(reduced, domain_count, domains, field, error);
  free_proxies(domain_count, proxies);
  free(parts);
  return status;
}
