/* Object File Format: polygons. Read: OFF, also with normals, colours or texture coordinates (COFF, NOFF, STOFF, ...), which
 * are left out. Written: vertices and triangles; groups are lost. */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <tactus/mesh_file.h>

/* Whether the first word is OFF or one of its variants. */
bool tac_off_is(const unsigned char *bytes, size_t size);
tacStatus tac_off_read(const char *name, const unsigned char *bytes, size_t size, tacMeshContents *contents,
                       tacError *error);
void tac_off_write(FILE *stream, const tacTriMesh *surface);
