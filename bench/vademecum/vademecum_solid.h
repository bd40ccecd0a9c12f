/* Solids that the experiments with vademecums load: a mesh, what holds it, and what is to be baked of it. */
#pragma once

#include <tactus/reduced.h>
#include "kinds/vademecum/vademecum_bake.h"

typedef struct tacVademecumSolid {
  tacVolMesh *mesh;
  bool *fixed, *accessible; /* accessible: NULL, all of the surface */
  tacVademecumDef def;      /* refers to the above */
} tacVademecumSolid;

/* The beam of Gonzalez et al. 2015, section 4.1: 400 x 40 x 40 mm along x, 189 nodes, 480 tetrahedra, steel (E = 209
 * GPa, Poisson's ratio 0.3), St. Venant-Kirchhoff, held at x = 0, 1 MN across it: along -z, or with `any` in any
 * direction. `size`: edge of its cells, m; 0.02 in the paper. */
tacStatus tac_vademecum_solid_beam(double size, bool any, tacVademecumSolid *solid, tacError *error);
/* A free form as in section 4.3, 90 mm long, held at its foot, neo-Hookean, 60 kPa, loads of 4 N, spread over a
 * radius of 15 mm, in any direction, or with `any` false along -z; `size`: of its tetrahedra, m; 0.0052 has about
 * 4,300 nodes. */
tacStatus tac_vademecum_solid_blob(double size, bool any, tacVademecumSolid *solid, tacError *error);
/* A block of cells of 4 mm, each cut into six tetrahedra, neo-Hookean, 60 kPa, held at x = 0, with about `loads`
 * accessible nodes that are spread over its surface; loads of 0.4 N along -z. */
tacStatus tac_vademecum_solid_block(const int cells[3], int loads, tacVademecumSolid *solid, tacError *error);
void tac_vademecum_solid_destroy(tacVademecumSolid *solid); /* a zeroed struct is allowed */
