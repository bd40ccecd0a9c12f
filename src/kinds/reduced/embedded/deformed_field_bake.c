#include "kinds/reduced/embedded/deformed_field_bake.h"
#include <math.h>
#include <tactus/distance_field.h>
#include <tactus/meshing.h>
#include <tactus/pointshell.h>
#include <tactus/reduced.h>
#include "asset/deformed_field.h"
#include "asset/distance_field.h"
#include "bake/fields/field_check.h"
#include "bake/modes/embedded_basis.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/progress.h"
#include "kinds/reduced/embedded/deformed_field_check.h"
#include "math/geometry/vec3.h"
#include "mesh/query/embedding.h"

TAC_OWNED_TYPE(tacEmbedding, tac_embedding_destroy)
TAC_OWNED_TYPE(tacPointshell, tac_pointshell_destroy)

/* Distributes proxies over the surface of the domain, like the points of a shell. Computes displacement and deformation
 * gradient of each proxy per coordinate. */
static tacStatus make_proxies(const tacReduced *reduced, const tacDistanceField *domain, int count,
                              const tacProgress *progress, tacArrays *arrays, tacProxyParts *proxies, tacError *error) {
  const tacVolMesh *volume = tac_reduced_volume(reduced);
  tacPointshellDef def = tac_pointshell_def_default();
  TAC_OWN(tacPointshell, shell) = NULL;
  TAC_OWN(tacEmbedding, embedding) = NULL;
  def.point_count = count;
  def.level_count = 1;
  TAC_TRY(tac_pointshell_bake(domain, NULL, &def, progress, &shell, error));
  int r = tac_reduced_size(reduced), made = tac_pointshell_size(shell, 0);
  size_t numbers = (size_t)made * (size_t)r;
  tacVec3 *positions = tac_arrays_add(arrays, (size_t)made, sizeof *positions);
  double *displacements = tac_arrays_add(arrays, 3 * numbers, sizeof *displacements);
  double *gradients = tac_arrays_add(arrays, 9 * numbers, sizeof *gradients);
  TAC_TRY(tac_arrays_status(arrays, "proxies", error));
  for (int i = 0; i < made; ++i) positions[i] = tac_pointshell_point(shell, i);
  TAC_TRY(tac_embedding_create(volume, made, positions, &embedding, error));
  const tacEmbeddedBasis basis = {volume, r, tac_reduced_basis(reduced), embedding};
  tac_embedded_displacements(&basis, displacements);
  tac_embedded_gradients(&basis, gradients);
  *proxies = (tacProxyParts){made, positions, displacements, gradients, false};
  return TAC_OK;
}

/* Checks the new field. On failure the caller still owns the domains. */
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
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a deformed field cannot have %d domains; at least 1 is needed",
                         domain_count);
  if (def->proxy_count < 1)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "a deformed field cannot have %d proxies; "
                         "at least 1 is needed",
                         def->proxy_count);
  for (int d = 0; d < domain_count; ++d)
    if (tac_distance_field_grid(domains[d]) == NULL)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "domain %d is not a grid; sample it first", d);
  TAC_FREED(tac_arrays_free, tacArrays, arrays) = {0};
  tacProxyParts *parts = tac_arrays_add(&arrays, (size_t)domain_count, sizeof *parts);
  TAC_TRY(tac_arrays_status(&arrays, "proxies", error));
  for (int d = 0; d < domain_count; ++d) {
    const tacProgressPart share = {progress, (double)d / domain_count, (d + 1.0) / domain_count, "proxies"};
    const tacProgress stage = tac_progress_part(&share);
    TAC_TRY(make_proxies(reduced, domains[d], def->proxy_count, &stage, &arrays, &parts[d], error));
  }
  TAC_TRY(
      tac_deformed_field_create(tac_reduced_size(reduced), def->nearest, domain_count, domains, parts, field, error));
  return check_result(reduced, domain_count, domains, field, error);
}
