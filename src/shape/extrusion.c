#include "shape/extrusion.h"

#include <math.h>
#include "base/memory/owned.h"
#include "math/geometry/vec3.h"

#define NODES_MOST (400.0 * 400.0 * 400.0)

TAC_OWNED_TYPE(tacVolMesh, tac_volmesh_destroy)

double tac_profile_cells(double length, double size, int least) {
  return fmax(round(length / size), least);
}

tacStatus tac_profile_create(double nodes, double quads, double rows, double size, tacProfile *profile,
                             tacError *error) {
  *profile = (tacProfile){0};
  if (!(nodes * (rows + 1.0) <= NODES_MOST))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "size %g m is too small: it needs more than %.3g nodes", size,
                         NODES_MOST);
  profile->node_count = (int)nodes;
  profile->quad_count = (int)quads;
  profile->nodes = tac_arrays_add(&profile->arrays, (size_t)nodes, sizeof *profile->nodes);
  profile->quads = tac_arrays_add(&profile->arrays, (size_t)quads, sizeof *profile->quads);
  return tac_arrays_status(&profile->arrays, "a profile", error);
}

void tac_profile_free(tacProfile *profile) {
  tac_arrays_free(&profile->arrays);
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
  TAC_OWN(tacVolMesh, owned) = mesh;
  return tac_volmesh_surface(owned, surface, NULL, NULL, error);
}
