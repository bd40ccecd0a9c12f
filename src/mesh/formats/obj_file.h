/* Wavefront OBJ: polygons.
 *
 * Read: v, f (also from the end by negative indices), g and o as groups, lines continued by '\'; texture coordinates,
 * normals, materials, curves, points and lines are left out. `g default` and `g` alone mean no group.
 * Written: v, f, g. Blanks in names of groups become '_'. */
#pragma once

#include <stdio.h>
#include <tactus/mesh_file.h>

tacStatus tac_obj_read(const char *name, const unsigned char *bytes, size_t size, tacMeshContents *contents,
                       tacError *error);
tacStatus tac_obj_write(FILE *stream, const tacTriMesh *surface, tacError *error);
