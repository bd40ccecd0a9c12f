#include "shape/extrusion.h"

#include <math.h>
#include <stdlib.h>
#include "base/memory/array.h"
#include "math/geometry/vec3.h"

#define NODES_MOST (400.0 * 400.0 * 400.0)

double tac_profile_cells(double length, double size, int least) {
  return fmax(round(length / size), least);
}

tacStatus tac_profile_create(double nodes, double quads, double rows, double size, tacProfile *profile,
                             tacError *error) {
  *profile = (tacProfile){0};
  if (!(nodes * (rows + 1.0) <= NODES_MOST))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "size %g m is too small: more than %.3g nodes", size, NODES_MOST);
  profile->node_count = (int)nodes;
  profile->quad_count = (int)quads;
  profile->nodes = tac_array_create((size_t)nodes, sizeof *profile->nodes, "nodes", error);
  profile->quads = tac_array_create((size_t)quads, sizeof *profile->quads, "quadrilaterals", error);
  if (profile->nodes != NULL && profile->quads != NULL) return TAC_OK;
  tac_profile_free(profile);
  return TAC_ERR_MEMORY;
}

void tac_profile_free(tacProfile *profile) {
  free(profile->nodes);
  free(profile->quads);
  *profile = (tacProfile){0};
}

tacStatus tac_extrusion_bricks(const tacProfile *profile, double half, int rows, tacVolMesh **mesh, tacError *error) {
  int nodes = profile->node_count, quads = profile->quad_count;
  TAC_TRY(tac_volmesh_create(nodes * (rows + 1), 0, quads * rows, mesh, error));
  for (int row = 0; row <= rows; ++row)
    for (int i = 0; i < nodes; ++i) {
      double y = row == rows ? half : half * (2.0 * row / rows - 1.0);
      (*mesh)->vertices[row * nodes + i] = tac_vec3(profile->nodes[i].x, y, profile->nodes[i].z);
    }
  for (int row = 0; row < rows; ++row)
    for (int q = 0; q < quads; ++q)
      for (int c = 0; c < 8; ++c)
        (*mesh)->bricks[row * quads + q].v[c] = (row + c / 4) * nodes + profile->quads[q][c % 4];
  return TAC_OK;
}

tacStatus tac_extrusion_surface(tacVolMesh *mesh, tacTriMesh **surface, tacError *error) {
  tacStatus status = tac_volmesh_surface(mesh, surface, NULL, NULL, error);
  tac_volmesh_destroy(mesh);
  return status;
}
