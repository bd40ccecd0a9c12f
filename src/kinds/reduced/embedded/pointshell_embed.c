#include <stdlib.h>
#include <tactus/pointshell.h>
#include <tactus/reduced.h>
#include "asset/pointshell.h"
#include "bake/modes/embedded_basis.h"
#include "bake/points/pointshell_check.h"
#include "base/memory/array.h"

tacStatus tac_pointshell_embed(const tacPointshell *shell, const tacReduced *reduced, tacPointshell **embedded,
                               tacError *error) {
  *embedded = NULL;
  int count = tac_pointshell_size(shell, TAC_POINTSHELL_MOST_LEVELS), r = tac_reduced_size(reduced);
  size_t points = (size_t)count, numbers = 3 * points * (size_t)r;
  tacVec3 *positions = tac_array_create(points, sizeof *positions, "points to embed", error);
  tacVec3 *normals = tac_array_create(points, sizeof *normals, "points to embed", error);
  double *displacements = tac_array_create(numbers, sizeof *displacements, "an embedded pointshell", error);
  double *changes = tac_array_create(numbers, sizeof *changes, "an embedded pointshell", error);
  tacEmbedding *embedding = NULL;
  tacStatus status = TAC_ERR_MEMORY;
  if (positions == NULL || normals == NULL || displacements == NULL || changes == NULL) goto done;
  for (int i = 0; i < count; ++i) {
    positions[i] = tac_pointshell_point(shell, i);
    normals[i] = tac_pointshell_normal(shell, i);
  }
  status = tac_embedding_create(tac_reduced_volume(reduced), count, positions, &embedding, error);
  if (status != TAC_OK) goto done;
  const tacEmbeddedBasis basis = {tac_reduced_volume(reduced), r, tac_reduced_basis(reduced), embedding};
  tac_embedded_displacements(&basis, displacements);
  tac_embedded_normal_changes(&basis, normals, changes);
  status = tac_pointshell_with_basis(shell, r, displacements, changes, embedded, error);
  if (status != TAC_OK) goto done;
  tacBakeChecks checks = *tac_pointshell_checks(shell);
  status =
      tac_pointshell_check_embedded(*embedded, tac_reduced_volume(reduced), tac_reduced_basis(reduced), &checks, error);
  tac_pointshell_set_checks(*embedded, &checks);
  if (status != TAC_OK) {
    tac_pointshell_destroy(*embedded);
    *embedded = NULL;
  }
done:
  tac_embedding_destroy(embedding);
  free(positions);
  free(normals);
  free(displacements);
  free(changes);
  return status;
}
