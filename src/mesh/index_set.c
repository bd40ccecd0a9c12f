#include "mesh/index_set.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"

static int sort_unique(int count, int *indices) {
  if (count == 0) return 0;
  qsort(indices, (size_t)count, sizeof *indices, tac_array_compare_ints);
  int kept = 1;
  for (int i = 1; i < count; ++i) {
    if (indices[i] != indices[kept - 1]) indices[kept++] = indices[i];
  }
  return kept;
}

tacStatus tac_index_set_append(tacIndexSet **sets, int *set_count, const char *name, int count, const int *indices,
                               int limit, const char *what, tacError *error) {
  if (count < 0 || *set_count == INT_MAX)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "%s \"%s\": the number of indices is %d; it must be 0 or more", what,
                         name, count);
  for (int s = 0; s < *set_count; ++s) {
    if (strcmp((*sets)[s].name, name) == 0)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "another %s is already named \"%s\"", what, name);
  }
  for (int i = 0; i < count; ++i) {
    if (indices[i] < 0 || indices[i] >= limit)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "%s \"%s\": index %d is outside [0, %d)", what, name, indices[i],
                           limit);
  }
  TAC_MEMORY(char, copied_name) = tac_array_text(name, error);
  TAC_MEMORY(int, copied) = NULL;
  size_t capacity = (size_t)*set_count;
  if (copied_name == NULL) return TAC_ERR_MEMORY;
  TAC_TRY(TAC_ARRAY(copied, (size_t)count, what, error));
  TAC_TRY(tac_array_reserve((void **)sets, &capacity, capacity + 1, sizeof **sets, what, error));
  if (count > 0) memcpy(copied, indices, (size_t)count * sizeof *indices);
  int kept = sort_unique(count, copied);
  (*sets)[(*set_count)++] = (tacIndexSet){tac_give(&copied_name), kept, tac_give(&copied)};
  return TAC_OK;
}

tacStatus tac_index_set_copy_list(int set_count, const tacIndexSet *sets, tacIndexSet **copy, tacError *error) {
  *copy = NULL;
  if (set_count == 0) return TAC_OK;
  tacIndexSet *list = tac_array_create((size_t)set_count, sizeof *list, "named sets", error);
  if (list == NULL) return TAC_ERR_MEMORY;
  for (int s = 0; s < set_count; ++s) {
    size_t count = (size_t)sets[s].count;
    list[s].name = tac_array_text(sets[s].name, error);
    if (list[s].name != NULL) list[s].indices = tac_array_create(count, sizeof(int), "a named set", error);
    if (list[s].indices == NULL) {
      tac_index_set_free_list(s + 1, list);
      return TAC_ERR_MEMORY;
    }
    if (count > 0) memcpy(list[s].indices, sets[s].indices, count * sizeof(int));
    list[s].count = sets[s].count;
  }
  *copy = list;
  return TAC_OK;
}

void tac_index_set_free_list(int set_count, tacIndexSet *sets) {
  if (sets == NULL) return;
  for (int s = 0; s < set_count; ++s) {
    free(sets[s].name);
    free(sets[s].indices);
  }
  free(sets);
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static tacStatus check_names_differ(int set_count, const tacIndexSet *sets, const char *what, tacError *error) {
  TAC_MEMORY(const char *, names) = NULL;
  TAC_TRY(TAC_ARRAY(names, (size_t)set_count, "names", error));
  for (int s = 0; s < set_count; ++s) names[s] = sets[s].name;
  qsort(names, (size_t)set_count, sizeof *names, compare_names);
  for (int s = 1; s < set_count; ++s) {
    if (strcmp(names[s - 1], names[s]) == 0)
      return tac_error_set(error, TAC_ERR_GEOMETRY, "two %ss are named \"%s\"", what, names[s]);
  }
  return TAC_OK;
}

tacStatus tac_index_set_validate_list(int set_count, const tacIndexSet *sets, int limit, const char *what,
                                      tacError *error) {
  if (set_count == 0) return TAC_OK;
  if (set_count < 0 || sets == NULL)
    return tac_error_set(error, TAC_ERR_GEOMETRY, "%d %ss are given without an array", set_count, what);
  for (int s = 0; s < set_count; ++s) {
    const tacIndexSet *set = &sets[s];
    if (set->name == NULL) return tac_error_set(error, TAC_ERR_GEOMETRY, "%s %d has no name", what, s);
    if (set->count < 0 || (set->count > 0 && set->indices == NULL))
      return tac_error_set(error, TAC_ERR_GEOMETRY, "%s \"%s\": %d indices are given without an array", what, set->name,
                           set->count);
    for (int i = 0; i < set->count; ++i) {
      if (set->indices[i] < 0 || set->indices[i] >= limit)
        return tac_error_set(error, TAC_ERR_GEOMETRY, "%s \"%s\": index %d is outside [0, %d)", what, set->name,
                             set->indices[i], limit);
      if (i > 0 && set->indices[i] <= set->indices[i - 1])
        return tac_error_set(error, TAC_ERR_GEOMETRY, "%s \"%s\": the indices do not ascend at position %d", what,
                             set->name, i);
    }
  }
  return check_names_differ(set_count, sets, what, error);
}
