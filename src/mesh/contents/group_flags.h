/* Groups as arrays of flags, one named group_NAME (of elements) or set_NAME (of vertices) for each, 1 where the element or
 * vertex is in it. Bytes of a name that are no letters, digits, '-', '.' or '_' are written as %XX. */
#pragma once

#include <stdio.h>
#include "mesh/contents/mesh_builder.h"

#define TAC_GROUP_FLAG_ELEMENTS "group_"
#define TAC_GROUP_FLAG_VERTICES "set_"

void tac_group_flag_write_name(FILE *stream, const char *prefix, const char *name);
bool tac_group_flag_is(tacWord array, const char *prefix);
/* The builder's group whose array has that name. */
tacStatus tac_group_flag_group(tacMeshBuilder *builder, tacGroupKind kind, tacWord array, int *group);
