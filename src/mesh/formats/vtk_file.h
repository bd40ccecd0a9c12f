/* Legacy VTK, versions 1 to 5.1: DATASET UNSTRUCTURED_GRID and POLYDATA, in ASCII and (big-endian) binary.
 *
 * Triangles, quads, polygons, pixels and strips become the surface; tetrahedra, hexahedra and voxels the volume; other cells
 * are skipped and counted in the log. Cell arrays group_NAME and point arrays set_NAME are groups and vertex sets (see
 * group_flags.h); other arrays are left out. Materials and regions are lost. Written: version 3.0, doubles. */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <tactus/mesh_file.h>

tacStatus tac_vtk_read(const char *name, const unsigned char *bytes, size_t size, tacMeshContents *contents,
                       tacError *error);
tacStatus tac_vtk_write(FILE *stream, bool binary, const tacMeshContents *contents, tacError *error);
