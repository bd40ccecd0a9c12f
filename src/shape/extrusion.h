/* Bricks between two copies of a plane mesh of quadrilaterals. Offline. */
#pragma once

#include <tactus/mesh.h>
#include "base/memory/array.h"

/* In the plane z, x (so that y comes towards who sees z to the right and x upward): quadrilaterals counter-clockwise there. */
typedef struct tacProfile {
  tacArrays arrays;
  int node_count, quad_count;
  tacVec3 *nodes; /* y is not used */
  int (*quads)[4];
} tacProfile;

/* Cells of at most about `size` along a length, and at least `least`. Whole, but a double: it may be huge. */
double tac_profile_cells(double length, double size, int least);
/* Zeroed, to be freed also after a failure; TAC_ERR_ARGUMENT that blames `size` where, extruded into `rows` cells, it would have more than 400^3 nodes. */
tacStatus tac_profile_create(double nodes, double quads, double rows, double size, tacProfile *profile,
                             tacError *error);
void tac_profile_free(tacProfile *profile);

/* `rows` bricks deep, from y = -half to y = half. */
tacStatus tac_extrusion_bricks(const tacProfile *profile, double half, int rows, tacVolMesh **mesh, tacError *error);
/* Its boundary as well: of `mesh`, which is taken over and freed. */
tacStatus tac_extrusion_surface(tacVolMesh *mesh, tacTriMesh **surface, tacError *error);
