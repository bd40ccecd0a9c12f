/* Lists of named index sets, as triangle and volume meshes hold them. */
#pragma once

#include <tactus/mesh.h>
#include "base/error.h"

/* Appends a set with copies of `name` and of the indices, which are sorted and stripped of repetitions. Refuses a name that
 * is in the list already and an index outside [0, limit). `what` names the kind of set in errors ("group"). The list is
 * unchanged on failure. */
tacStatus tac_index_set_append(tacIndexSet **sets, int *set_count, const char *name, int count, const int *indices,
                               int limit, const char *what, tacError *error);
tacStatus tac_index_set_copy_list(int set_count, const tacIndexSet *sets, tacIndexSet **copy, tacError *error);
void tac_index_set_free_list(int set_count, tacIndexSet *sets); /* NULL is allowed */
/* TAC_ERR_GEOMETRY where a set has no name, the name of another, or indices that do not ascend within [0, limit). */
tacStatus tac_index_set_validate_list(int set_count, const tacIndexSet *sets, int limit, const char *what,
                                      tacError *error);
