/* VTK XML: UnstructuredGrid (.vtu) and PolyData (.vtp), one piece or several.
 *
 * Read: arrays as ASCII, inline base64, appended raw and appended base64, whole or in blocks of zlib, with headers of 4 or 8
 * bytes, in either byte order. Cells, groups and vertex sets are those of vtk_cells.h. Other arrays are left out; materials
 * and regions are lost. Written: UnstructuredGrid in ASCII, or appended raw and little-endian. */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <tactus/mesh_file.h>

tacStatus tac_vtu_read(const char *name, const unsigned char *bytes, size_t size, tacMeshContents *contents,
                       tacError *error);
tacStatus tac_vtu_write(FILE *stream, bool binary, const tacMeshContents *contents, tacError *error);
