/* Gmsh MSH, versions 1, 2 (2.2) and 4.1, in ASCII and (2.2, 4.1) in binary of either byte order.
 *
 * Triangles and quadrangles (as two triangles) become the surface, tetrahedra and bricks the volume; elements of other kinds
 * are skipped and counted in the log. Physical surfaces and volumes are groups; physical points are vertex sets of the
 * volume. Physical groups without a name, as all are in version 1, become "region 7".
 * Kept when written: all of these in 4.1; in 1 and 2.2 an element has one physical group only, the first that has it, and
 * version 1 has no names. Materials and regions are lost. */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <tactus/mesh_file.h>

tacStatus tac_msh_read(const char *name, const unsigned char *bytes, size_t size, tacMeshContents *contents,
                       tacError *error);
/* One of the formats TAC_MESH_FORMAT_MSH... */
tacStatus tac_msh_write(FILE *stream, tacMeshFormat format, const tacMeshContents *contents, tacError *error);
