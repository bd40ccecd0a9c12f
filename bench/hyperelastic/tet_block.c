#include "bench/hyperelastic/tet_block.h"

#include "math/geometry/vec3.h"

tacStatus tac_tet_block_create(tacBox box, int n, tacVolMesh **mesh, tacError *error) {
  /* corners of a cell as a brick's; the diagonal is from 0 to 6 */
  static const int cut[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6}, {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};
  static const int at[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  const int side = n + 1;
  tacStatus status = tac_volmesh_create(side * side * side, 6 * n * n * n, 0, mesh, error);
  if (status != TAC_OK) return status;
  tacVec3 size = tac_vec3_sub(box.upper, box.lower);
  int count = 0;
  for (int z = 0; z < side; ++z)
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x)
        (*mesh)->vertices[(z * side + y) * side + x] =
            tac_vec3_add(box.lower, tac_vec3(size.x * x / n, size.y * y / n, size.z * z / n));
  for (int z = 0; z < n; ++z)
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x)
        for (int t = 0; t < 6; ++t, ++count)
          for (int c = 0; c < 4; ++c) {
            const int *corner = at[cut[t][c]];
            (*mesh)->tets[count].v[c] = ((z + corner[2]) * side + y + corner[1]) * side + x + corner[0];
          }
  return TAC_OK;
}
