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

tacStatus tac_msh1_write(tacMshWriter *writer, tacError *error);
tacStatus tac_msh2_write(tacMshWriter *writer, tacError *error);
tacStatus tac_msh4_write(tacMshWriter *writer, tacError *error);

/* Fills and frees set_tags, triangle_tags and element_tags. */
tacStatus tac_msh_find_tags(tacMshWriter *writer, tacError *error);
void tac_msh_free_tags(tacMshWriter *writer);

/* Called for each element in the order of the file: points of vertex sets, triangles, tetrahedra, bricks. `item` counts
 * within its kind; for points it counts through all sets one after the other, and `set` is the set. `nodes` count from 1. */
typedef struct tacMshElement {
  int64_t tag;
  int type, item, set;
  int node_count, nodes[8];
} tacMshElement;
typedef void (*tacMshElementFn)(tacMshWriter *writer, const tacMshElement *element);
void tac_msh_for_elements(tacMshWriter *writer, tacMshElementFn function);
/* The number of the physical group of an element, of those above. */
int tac_msh_element_physical(const tacMshWriter *writer, const tacMshElement *element);
int64_t tac_msh_point_count(const tacMshWriter *writer);   /* of all vertex sets */
int64_t tac_msh_element_count(const tacMshWriter *writer); /* with the points */

/* "$PhysicalNames", where there are any; tags as of tac_group_tags. */
tacStatus tac_msh_write_names(tacMshWriter *writer, tacError *error);
