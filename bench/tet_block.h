/* A block of n x n x n cells, each cut into six tetrahedra about one diagonal. */
#ifndef TAC_BENCH_TET_BLOCK_H
#define TAC_BENCH_TET_BLOCK_H

#include <tactus/volmesh.h>

tacStatus tac_tet_block_create(tacBox box, int n, tacVolMesh **mesh, tacError *error);

#endif
