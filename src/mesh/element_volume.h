/* The volume of one element of a volume mesh. */
#pragma once

#include <tactus/mesh.h>

/* Signed, m^3; tetrahedra first, then bricks. */
double tac_element_volume(const tacVolMesh *mesh, int element);
