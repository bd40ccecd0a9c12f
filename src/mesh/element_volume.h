/* The volume of one element of a volume mesh. */
#ifndef TAC_MESH_ELEMENT_VOLUME_H
#define TAC_MESH_ELEMENT_VOLUME_H

#include <tactus/volmesh.h>

/* Signed, m^3; tetrahedra first, then bricks. */
double tac_element_volume(const tacVolMesh *mesh, int element);

#endif
