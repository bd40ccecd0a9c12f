/* Normals of a surface at its vertices, whether it is closed or not. */
#pragma once

#include <tactus/trimesh.h>

/* [vertex], unit: mean of the faces' weighted by their angles; zero where a vertex is in no triangle that has an area. */
void tac_vertex_normals(const tacTriMesh *mesh, tacVec3 *normals);
