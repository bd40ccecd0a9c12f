/* VEG, the format of the Vega library: a volume of tetrahedra or of bricks, with materials.
 *
 * Read: *VERTICES, *ELEMENTS (TET, TETS or CUBIC), *MATERIAL, *REGION, *SET (of elements: groups), *INCLUDE (a path relative
 * to the file that has it); numbers count from 0 or 1, whichever the vertices begin with. The set allElements exists always.
 * Written: all of it, counting from 1; one kind of elements only. Vertex sets are lost. Commas and '#' in names become
 * '_'. */
#pragma once

#include <stdio.h>
#include <tactus/mesh_file.h>

tacStatus tac_veg_read(const char *name, const unsigned char *bytes, size_t size, tacMeshContents *contents,
                       tacError *error);
tacStatus tac_veg_write(FILE *stream, const tacVolMesh *volume, tacError *error);
