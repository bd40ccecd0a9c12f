/* Disjoint sets of the integers below a count (union-find): what is connected to what. The representative of a set is its
 * smallest member. */
#pragma once

#include <stdbool.h>
#include "base/memory/array.h"

/* Every number in a set of its own, malloc'ed; NULL with `error` set where memory runs out. */
static inline int *tac_disjoint_sets_create(int count, tacError *error) {
  int *parent = tac_array_create((size_t)count, sizeof *parent, "disjoint sets", error);
  for (int i = 0; parent != NULL && i < count; ++i) parent[i] = i;
  return parent;
}

/* The same among arrays of one owner. */
static inline int *tac_disjoint_sets_add(tacArrays *arrays, int count) {
  int *parent = tac_arrays_add(arrays, (size_t)count, sizeof *parent);
  for (int i = 0; parent != NULL && i < count; ++i) parent[i] = i;
  return parent;
}

static inline int tac_disjoint_sets_find(int *parent, int i) {
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

/* Joins the sets of i and j; false where they were one set already. */
static inline bool tac_disjoint_sets_join(int *parent, int i, int j) {
  int a = tac_disjoint_sets_find(parent, i), b = tac_disjoint_sets_find(parent, j);
  if (a < b) parent[b] = a;
  if (b < a) parent[a] = b;
  return a != b;
}
