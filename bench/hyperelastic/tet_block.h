/* A block of n x n x n cells, each cut into six tetrahedra about one diagonal. */
#pragma once

#include <tactus/volmesh.h>

tacStatus tac_tet_block_create(tacBox box, int n, tacVolMesh **mesh, tacError *error);
