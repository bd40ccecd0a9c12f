/* A block of n x n x n cells, each cut into six tetrahedra about one diagonal. */
#pragma once

#include <tactus/mesh.h>

tacStatus tac_tet_block_create(tacBox box, int n, tacVolMesh **mesh, tacError *error);
