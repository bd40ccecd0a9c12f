#include "bench/tet_cube.h"

tacStatus tac_tet_cube_create(int cells, double edge, tacVolMesh **mesh, tacError *error) {
  static const int cut[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6}, {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};
  int n = cells + 1;
  tacStatus status = tac_volmesh_create(n * n * n, 6 * cells * cells * cells, 0, mesh, error);
  if (status != TAC_OK) return status;
  double cell = edge / cells;
  int t = 0;
  for (int v = 0; v < n * n * n; ++v) {
    int i = v % n, j = v / n % n, k = v / (n * n);
    (*mesh)->vertices[v] = (tacVec3){cell * i, cell * j, cell * k};
    if (i == cells || j == cells || k == cells) continue;
    const int corner[8] = {v, v + 1, v + n + 1, v + n, v + n * n, v + n * n + 1, v + n * n + n + 1, v + n * n + n};
    for (int c = 0; c < 6; ++c, ++t)
      for (int q = 0; q < 4; ++q) (*mesh)->tets[t].v[q] = corner[cut[c][q]];
  }
  return TAC_OK;
}
