/* Copies, area and vertex normals of triangle meshes. */
#pragma once

#include <tactus/mesh.h>

double tac_trimesh_area(const tacTriMesh *mesh); /* m^2 */
tacStatus tac_trimesh_copy(const tacTriMesh *mesh, tacTriMesh **copy, tacError *error);

/* [vertex], unit: mean of the faces' normals weighted by their angles; zero where a vertex is in no triangle that has an area. */
void tac_trimesh_normals(const tacTriMesh *mesh, tacVec3 *normals);
