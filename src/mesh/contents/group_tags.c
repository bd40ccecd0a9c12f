#include "mesh/contents/group_tags.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/owned.h"
#include "mesh/text/number_text.h"

/* Combinations form a tree: the child of combination c by group g is c with g added. Items walk down it group by group,
 * which visits groups in ascending order for every item. */
typedef struct Node {
  int parent, group, last_child;
} Node;

static tacStatus extend(Node **nodes, size_t *room, int *count, int parent, int group, int *child, tacError *error) {
  /* Groups ascend, so that the child by this group, if it exists, is the last one. */
  int last = (*nodes)[parent].last_child;
  if (last >= 0 && (*nodes)[last].group == group) {
    *child = last;
    return TAC_OK;
  }
  TAC_TRY(tac_array_reserve((void **)nodes, room, (size_t)*count + 1, sizeof **nodes, "combinations of groups", error));
  *child = (*count)++;
  (*nodes)[*child] = (Node){parent, group, -1};
  (*nodes)[parent].last_child = *child;
  return TAC_OK;
}

/* Numbers the combinations that items have, after that of no group. */
static tacStatus collect(const Node *nodes, int node_count, int item_count, tacGroupCombinations *c, tacError *error) {
  TAC_MEMORY(int, number) = NULL;
  TAC_TRY(TAC_ARRAY(number, (size_t)node_count, "combinations of groups", error));
  c->count = 1;
  size_t total = 0;
  for (int i = 0; i < item_count; ++i) {
    int node = c->of[i];
    if (node == 0 || number[node] != 0) continue;
    number[node] = c->count++;
    for (; node != 0; node = nodes[node].parent) ++total;
  }
  c->start = tac_arrays_add(&c->arrays, (size_t)c->count + 1, sizeof *c->start);
  c->groups = tac_arrays_add(&c->arrays, total, sizeof *c->groups);
  TAC_TRY(tac_arrays_status(&c->arrays, "combinations of groups", error));
  for (int n = 1; n < node_count; ++n) {
    if (number[n] == 0) continue;
    for (int up = n; up != 0; up = nodes[up].parent) ++c->start[number[n] + 1];
  }
  for (int k = 0; k < c->count; ++k) c->start[k + 1] += c->start[k];
  for (int n = 1; n < node_count; ++n) {
    if (number[n] == 0) continue;
    int at = c->start[number[n] + 1];
    for (int up = n; up != 0; up = nodes[up].parent) c->groups[--at] = nodes[up].group;
  }
  for (int i = 0; i < item_count; ++i) c->of[i] = number[c->of[i]];
  return TAC_OK;
}

tacStatus tac_group_combinations(int group_count, const tacIndexSet *groups, int item_count,
                                 tacGroupCombinations *combinations, tacError *error) {
  TAC_MEMORY(Node, nodes) = NULL;
  size_t room = 0;
  int node_count = 1;
  *combinations = (tacGroupCombinations){.of = NULL};
  TAC_TRY(tac_array_reserve((void **)&nodes, &room, 1, sizeof *nodes, "combinations of groups", error));
  nodes[0] = (Node){0, -1, -1};
  combinations->of = tac_arrays_add(&combinations->arrays, (size_t)item_count, sizeof(int));
  TAC_TRY(tac_arrays_status(&combinations->arrays, "combinations of groups", error));
  for (int g = 0; g < group_count; ++g) {
    for (int i = 0; i < groups[g].count; ++i) {
      int *node = &combinations->of[groups[g].indices[i]];
      TAC_TRY(extend(&nodes, &room, &node_count, *node, g, node, error));
    }
  }
  return collect(nodes, node_count, item_count, combinations, error);
}

void tac_group_combinations_free(tacGroupCombinations *combinations) {
  tac_arrays_free(&combinations->arrays);
}

tacStatus tac_group_tags(int group_count, const tacIndexSet *groups, int **tags, tacError *error) {
  size_t count = (size_t)group_count;
  TAC_MEMORY(int, taken) = NULL;
  *tags = NULL;
  TAC_TRY(TAC_ARRAY(taken, count, "numbers of groups", error));
  TAC_TRY(TAC_ARRAY(*tags, count, "numbers of groups", error));
  static const char prefix[] = "region ";
  size_t taken_count = 0;
  for (size_t g = 0; g < count; ++g) {
    const char *name = groups[g].name;
    int64_t tag;
    if (strncmp(name, prefix, sizeof prefix - 1) != 0) continue;
    const char *digits = name + sizeof prefix - 1;
    /* "region 07" and "region 7" are two names: only the second stands for a number. */
    if (digits[0] < '1' || digits[0] > '9' || !tac_number_text_integer(digits, strlen(digits), &tag) || tag > INT_MAX)
      continue;
    (*tags)[g] = (int)tag;
    taken[taken_count++] = (int)tag;
  }
  qsort(taken, taken_count, sizeof *taken, tac_array_compare_ints);
  int next = 1;
  size_t at = 0;
  for (size_t g = 0; g < count; ++g) {
    if ((*tags)[g] != 0) continue;
    for (; at < taken_count && taken[at] <= next; ++at) next += taken[at] == next;
    (*tags)[g] = next++;
  }
  return TAC_OK;
}

tacStatus tac_group_first_tags(int group_count, const tacIndexSet *groups, int item_count, int **first,
                               tacError *error) {
  TAC_MEMORY(int, tags) = NULL;
  *first = NULL;
  TAC_TRY(tac_group_tags(group_count, groups, &tags, error));
  TAC_TRY(TAC_ARRAY(*first, (size_t)item_count, "numbers of groups", error));
  for (int g = 0; g < group_count; ++g) {
    for (int i = 0; i < groups[g].count; ++i) {
      int *tag = &(*first)[groups[g].indices[i]];
      if (*tag == 0) *tag = tags[g];
    }
  }
  return TAC_OK;
}

void tac_group_write_name(FILE *stream, const char *name, const char *forbidden) {
  if (name[0] == 0) fputc('_', stream);
  for (const char *c = name; *c != 0; ++c) fputc(strchr(forbidden, *c) != NULL ? '_' : *c, stream);
}
