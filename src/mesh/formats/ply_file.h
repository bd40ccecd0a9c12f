/* PLY: polygons, in ASCII and in binary of either byte order.
 *
 * Read: vertices' x, y, z and faces' vertex_indices (or vertex_index), of any type of number; other elements and properties
 * are passed over. Written: doubles and ints. Groups are kept as one face property `uchar group_NAME` each, 1 where the
 * face is in the group; bytes of the name that are no letters, digits, '-', '.' or '_' are written as %XX. */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <tactus/mesh_file.h>

tacStatus tac_ply_read(const char *name, const unsigned char *bytes, size_t size, tacMeshContents *contents,
                       tacError *error);
tacStatus tac_ply_write(FILE *stream, bool binary, const tacTriMesh *surface, tacError *error);
