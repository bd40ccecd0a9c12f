/* Groups as files that know only numbers hold them. */
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <tactus/mesh.h>
#include "base/memory/array.h"

/* The distinct combinations of groups that items have. Combination 0 is that of no group. */
typedef struct tacGroupCombinations {
  tacArrays arrays; /* all of the following */
  int *of;          /* for each item its combination */
  int count;
  int *start; /* combination c has the groups groups[start[c]] ... groups[start[c + 1] - 1], ascending */
  int *groups;
} tacGroupCombinations;

/* What was made is freed by the caller, also after a failure. */
tacStatus tac_group_combinations(int group_count, const tacIndexSet *groups, int item_count,
                                 tacGroupCombinations *combinations, tacError *error);
void tac_group_combinations_free(tacGroupCombinations *combinations);

/* A positive number for each group: that of its name where it is "region 7" and free, else the next free one. */
tacStatus tac_group_tags(int group_count, const tacIndexSet *groups, int **tags, tacError *error);

/* For each item the tag of the first group that has it, 0 for items in none. */
tacStatus tac_group_first_tags(int group_count, const tacIndexSet *groups, int item_count, int **tags, tacError *error);

/* The name with '_' for every forbidden character; "_" where it is empty. */
void tac_group_write_name(FILE *stream, const char *name, const char *forbidden);
