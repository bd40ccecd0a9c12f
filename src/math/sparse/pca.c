#include "math/sparse/pca.h"

#include <float.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"

void tac_pca_destroy(tacPca *pca) {
  tac_dense_destroy(&pca->vectors);
  free(pca->singular);
  *pca = (tacPca){0};
}

static tacStatus decompose(const tacDense *snapshots, int most, tacPca *pca, tacError *error) {
  TAC_FREED(tac_dense_destroy, tacDense, a) = {0};
  TAC_FREED(tac_dense_destroy, tacDense, vt) = {0};
  int rows = snapshots->rows, cols = snapshots->cols, small = rows < cols ? rows : cols, large = rows + cols - small;
  TAC_TRY(tac_dense_copy(snapshots, &a, error));
  TAC_TRY(TAC_ARRAY(pca->singular, (size_t)small, "singular values", error));
  TAC_TRY(tac_dense_svd(&a, &pca->vectors, pca->singular, &vt, error));
  while (pca->count < small && pca->count < most && pca->singular[pca->count] > large * DBL_EPSILON * pca->singular[0])
    ++pca->count;
  pca->vectors.cols = pca->count;
  return TAC_OK;
}

tacStatus tac_pca(const tacDense *snapshots, int most, tacPca *pca, tacError *error) {
  *pca = (tacPca){0};
  if (most < 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the number of principal components is %d; it must be 0 or more",
                         most);
  if (!tac_dense_finite(snapshots))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the snapshots have NaN or infinite entries");
  tacStatus status = decompose(snapshots, most, pca, error);
  if (status != TAC_OK) tac_pca_destroy(pca);
  return status;
}
