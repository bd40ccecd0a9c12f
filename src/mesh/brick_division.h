/* Bricks divided into tetrahedra, for methods that know those alone. Offline. */
#pragma once

#include <tactus/mesh.h>
#include "base/error.h"

/* The same vertices and tetrahedra, and six tetrahedra for each brick, behind the former and in order: those of brick
 * b are tet_count + 6 b and the five that follow. Groups and sets of vertices are kept; materials that a file stated
 * are not.
 *
 * The diagonal of every face begins at its lowest vertex (by z, then y, then x), whichever brick is asked, so that
 * neighbours agree: a mesh that was conforming is. Of a lattice each cell is divided alike, about the diagonal from
 * its lowest corner (Kuhn 1960). Where a brick is so skewed that one would be turned inside out: TAC_ERR_GEOMETRY that
 * names it. */
tacStatus tac_brick_division(const tacVolMesh *mesh, tacVolMesh **tets, tacError *error);
