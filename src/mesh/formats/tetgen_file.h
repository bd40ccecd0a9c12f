/* TetGen's pair of files: NAME.node with the vertices and NAME.ele with the tetrahedra.
 *
 * Read: both, numbered from 0 or 1; '#' begins a comment. Boundary markers of vertices other than 0 become vertex sets
 * "region 7", and the first attribute of tetrahedra, where it is a whole number other than 0, groups of such names.
 * Written: from 0; a vertex has the marker of its first vertex set, a tetrahedron the attribute of its first group: names
 * other than "region 7" are lost. */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <tactus/mesh_file.h>

/* Reads the file in memory, whose name ends in .node or .ele, and the other one from the disk. */
tacStatus tac_tetgen_read(const char *name, const unsigned char *bytes, size_t size, tacMeshContents *contents,
                          tacError *error);
tacStatus tac_tetgen_read_pair(const char *node_name, const unsigned char *node_bytes, size_t node_size,
                               const char *ele_name, const unsigned char *ele_bytes, size_t ele_size,
                               tacMeshContents *contents, tacError *error);
tacStatus tac_tetgen_write_nodes(FILE *stream, const tacVolMesh *volume, tacError *error);
tacStatus tac_tetgen_write_elements(FILE *stream, const tacVolMesh *volume, tacError *error);
/* `path` with its ending .node or .ele, if it has one, replaced by `ending`; malloc'ed, NULL with the error set. */
char *tac_tetgen_path(const char *path, const char *ending, tacError *error);
