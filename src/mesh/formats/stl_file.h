/* STL: triangles without shared vertices; equal vertices become one.
 *
 * Read: both kinds, told apart by size (a binary file has 84 + 50 n bytes), not by the word solid, which headers of binary
 * files have as well. Named solids of ASCII files become groups. Normals are left out: the order of corners holds them.
 * Written: ASCII with one solid for each group, a triangle in the first group that has it; binary as floats, without
 * groups. */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <tactus/mesh_file.h>

bool tac_stl_is_binary(const unsigned char *bytes, size_t size);
tacStatus tac_stl_read(const char *name, const unsigned char *bytes, size_t size, tacMeshContents *contents,
                       tacError *error);
tacStatus tac_stl_write_ascii(FILE *stream, const tacTriMesh *surface, tacError *error);
tacStatus tac_stl_write_binary(FILE *stream, const tacTriMesh *surface, tacError *error);
