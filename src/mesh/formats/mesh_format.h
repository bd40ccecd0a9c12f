/* The readers and writers of mesh files. What each format keeps stands at the top of its source; mesh_file.c has the table of formats. */
#pragma once

#include <stdio.h>
#include "mesh/contents/mesh_builder.h"

/* Adds what the scanner's file holds to the builder. */
typedef tacStatus tacMeshReader(tacScanner *scanner, tacMeshBuilder *builder);
tacMeshReader tac_obj_read, tac_stl_read, tac_ply_read, tac_off_read, tac_msh_read, tac_vtk_read, tac_vtu_read,
    tac_veg_read;
tacMeshReader tac_tetgen_read; /* the scanner has the .node or the .ele file; reads the other from the disk */
tacStatus tac_tetgen_read_pair(tacScanner *nodes, tacScanner *elements, tacMeshBuilder *builder);

/* Reads the bytes of the file `name`. */
tacStatus tac_mesh_format_read(tacMeshReader *read, const char *name, const unsigned char *bytes, size_t size,
                               tacMeshContents *contents, tacError *error);

/* `contents` has nothing that the format cannot hold. */
typedef tacStatus tacMeshWriter(FILE *stream, bool binary, const tacMeshContents *contents, tacError *error);
tacMeshWriter tac_obj_write, tac_stl_write, tac_ply_write, tac_off_write, tac_msh1_write, tac_msh2_write,
    tac_msh4_write;
tacMeshWriter tac_vtk_write, tac_vtu_write, tac_veg_write;
/* Writes both files, whichever of them the path names. */
tacStatus tac_tetgen_write(const char *path, const tacVolMesh *volume, tacError *error);

/* Whether the first word is OFF or one of its variants; whether the file has the size of a binary STL file. */
bool tac_off_is(const unsigned char *bytes, size_t size);
bool tac_stl_is_binary(const unsigned char *bytes, size_t size);
