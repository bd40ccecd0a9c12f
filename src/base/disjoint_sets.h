/* Sets that are joined: each thing has a parent, a set's least thing is its root. */
#ifndef TAC_BASE_DISJOINT_SETS_H
#define TAC_BASE_DISJOINT_SETS_H

static inline void tac_disjoint_sets_begin(int count, int *parent) {
  for (int i = 0; i < count; ++i) parent[i] = i;
}

static inline int tac_disjoint_sets_root(int *parent, int i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

static inline void tac_disjoint_sets_join(int *parent, int a, int b) {
  int x = tac_disjoint_sets_root(parent, a), y = tac_disjoint_sets_root(parent, b);
  if (x < y)
    parent[y] = x;
  else
    parent[x] = y;
}

#endif
