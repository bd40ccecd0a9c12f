#include "kinds/reduced/embedded/pointshell_embed.h"
#include <tactus/pointshell.h>
#include <tactus/reduced.h>
#include "asset/pointshell.h"
#include "bake/modes/embedded_basis.h"
#include "bake/points/pointshell_check.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "mesh/query/embedding.h"

TAC_OWNED_TYPE(tacEmbedding, tac_embedding_destroy)
TAC_OWNED_TYPE(tacPointshell, tac_pointshell_destroy)

tacStatus tac_pointshell_embed(const tacPointshell *shell, const tacReduced *reduced, tacPointshell **embedded,
                               tacError *error) {
  *embedded = NULL;
  int count = tac_pointshell_size(shell, TAC_POINTSHELL_MOST_LEVELS), r = tac_reduced_size(reduced);
  size_t points = (size_t)count, numbers = 3 * points * (size_t)r;
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  tacVec3 *positions = tac_arrays_add(&work, points, sizeof *positions);
  tacVec3 *normals = tac_arrays_add(&work, points, sizeof *normals);
  double *displacements = tac_arrays_add(&work, numbers, sizeof *displacements);
  double *changes = tac_arrays_add(&work, numbers, sizeof *changes);
  TAC_TRY(tac_arrays_status(&work, "an embedded pointshell", error));
  TAC_OWN(tacEmbedding, embedding) = NULL;
  TAC_OWN(tacPointshell, made) = NULL;
  for (int i = 0; i < count; ++i) {
    positions[i] = tac_pointshell_point(shell, i);
    normals[i] = tac_pointshell_normal(shell, i);
  }
  const tacVolMesh *volume = tac_reduced_volume(reduced);
  TAC_TRY(tac_embedding_create(volume, count, positions, &embedding, error));
  const tacEmbeddedBasis basis = {volume, r, tac_reduced_basis(reduced), embedding};
  tac_embedded_displacements(&basis, displacements);
  tac_embedded_normal_changes(&basis, normals, changes);
  TAC_TRY(tac_pointshell_with_basis(shell, r, displacements, changes, &made, error));
  tacBakeChecks checks = *tac_pointshell_checks(shell);
  TAC_TRY(tac_pointshell_check_embedded(made, volume, tac_reduced_basis(reduced), &checks, error));
  tac_pointshell_set_checks(made, &checks);
  *embedded = tac_give(&made);
  return TAC_OK;
}
