/* Copies and area of triangle meshes. */
#pragma once

#include <tactus/mesh.h>

double tac_trimesh_area(const tacTriMesh *mesh); /* m^2 */
tacStatus tac_trimesh_copy(const tacTriMesh *mesh, tacTriMesh **copy, tacError *error);
