/* What the writers of the versions of MSH share. Binary numbers are little-endian. */
#pragma once

#include "mesh/contents/joined_mesh.h"
#include "mesh/formats/number_writer.h"

typedef struct tacMshWriter {
  tacNumberWriter out;
  tacJoinedMesh mesh;
  /* Numbers of the physical groups: one for each vertex set, and for each triangle and volume element that of the first group
   * that has it, 0 where none has. */
  int *set_tags, *triangle_tags, *element_tags;
} tacMshWriter;

/* Fills a writer that has its stream alone. To be freed also after a failure. */
tacStatus tac_msh_writer_begin(tacMshWriter *writer, const tacMeshContents *contents, tacError *error);
void tac_msh_writer_free(tacMshWriter *writer);

/* Called for each element in the order of the file: points of vertex sets, triangles, tetrahedra, bricks. `item` counts
 * within its kind, which has `count`; for points it counts through all sets one after the other. `nodes` count from 1. */
typedef struct tacMshElement {
  int64_t tag, item, count;
  int type, physical; /* the number of its physical group, of those above */
  int node_count, nodes[8];
} tacMshElement;
typedef void (*tacMshElementFn)(tacMshWriter *writer, const tacMshElement *element);
void tac_msh_for_elements(tacMshWriter *writer, tacMshElementFn function);
int tac_msh_type(int corner_count);                        /* of a cell of the joined mesh */
int64_t tac_msh_point_count(const tacMshWriter *writer);   /* of all vertex sets */
int64_t tac_msh_element_count(const tacMshWriter *writer); /* with the points */

/* "$MeshFormat" of versions 2.2 and 4.1, and "$PhysicalNames", where there are any; tags as of tac_group_tags. */
tacStatus tac_msh_write_head(tacMshWriter *writer, const char *version, tacError *error);
