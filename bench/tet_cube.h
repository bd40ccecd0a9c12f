/* A cube of tetrahedra: cells of six tetrahedra each, all about the same diagonal. */
#ifndef TAC_BENCH_TET_CUBE_H
#define TAC_BENCH_TET_CUBE_H

#include <tactus/volmesh.h>

/* Of `cells` along each edge, from the origin to (edge, edge, edge), m. Vertex i + (cells + 1) (j + (cells + 1) k) is at
 * edge / cells (i, j, k). */
tacStatus tac_tet_cube_create(int cells, double edge, tacVolMesh **mesh, tacError *error);

#endif
