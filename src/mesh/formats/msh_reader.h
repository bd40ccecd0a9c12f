/* What the readers of the versions of MSH share: sections, physical names, elements. */
#pragma once

#include "mesh/contents/mesh_builder.h"

#define TAC_MSH_MOST_NODES 125 /* of one element: a brick of order 4 */

typedef struct tacMshName {
  int64_t dimension, tag;
  tacWord name;
} tacMshName;

typedef struct tacMshEntity {
  int64_t dimension, tag;
  size_t first_physical, physical_count;
} tacMshEntity;

typedef struct tacMshReader {
  tacScanner scanner;
  tacMeshBuilder *builder;
  int version;       /* 1, 2 or 4; 0: not known yet */
  bool binary;       /* as the header says: the scanner is binary inside the data of sections only */
  tacMshName *names; /* sorted by dimension and tag */
  size_t name_count, name_room;
  tacMshEntity *entities; /* sorted by dimension and tag */
  size_t entity_count, entity_room;
  int64_t *physicals;
  size_t physical_count, physical_room;
  bool nodes_read;
  /* The group that was asked for last. */
  int64_t last_dimension, last_tag;
  int last_group;
} tacMshReader;

/* Nodes of an element of that type, 0 where the type is unknown. */
int tac_msh_node_count(int64_t type);

/* Sections, called after the line with their name: of every version, of 1 and 2, and of 4.1. */
tacStatus tac_msh_read_names(tacMshReader *reader);
tacStatus tac_msh2_read_nodes(tacMshReader *reader);
tacStatus tac_msh2_read_elements(tacMshReader *reader);
tacStatus tac_msh4_read_entities(tacMshReader *reader);
tacStatus tac_msh4_read_partitioned_entities(tacMshReader *reader);
tacStatus tac_msh4_read_nodes(tacMshReader *reader);
tacStatus tac_msh4_read_elements(tacMshReader *reader);

/* Enters and leaves binary data, where the file is binary. Data begin after the end of the line. */
tacStatus tac_msh_begin_data(tacMshReader *reader);
void tac_msh_end_data(tacMshReader *reader);
/* Refuses a section that ends ("$EndNodes") before all of the `expected` things were found. */
tacStatus tac_msh_check_more(tacMshReader *reader, const char *things, int64_t expected, int64_t found);
tacStatus tac_msh_end_line(tacMshReader *reader, const char *after_what); /* nothing in binary data */
/* Refuses a second list of nodes; makes nodes findable by their numbers; refuses elements before nodes. */
tacStatus tac_msh_begin_nodes(tacMshReader *reader);
tacStatus tac_msh_index_nodes(tacMshReader *reader);
tacStatus tac_msh_check_nodes(tacMshReader *reader);
/* Adds an element; `tag` is the element's number in the file, `nodes` are numbers of nodes in the file. */
tacStatus tac_msh_add_element(tacMshReader *reader, int64_t tag, int64_t type, const int64_t *nodes,
                              size_t physical_count, const int64_t *physicals);
/* Skips an element of a type that is unknown, and the rest of its line. */
void tac_msh_skip_line(tacMshReader *reader, int64_t type);
