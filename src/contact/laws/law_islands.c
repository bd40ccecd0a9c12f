#include "contact/laws/law_islands.h"

#include "contact/laws/frictional_problem.h"
#include "contact/laws/law_iterate.h"

enum { LEAST = 64 }; /* problems with fewer contacts are solved without a search for islands */

size_t tac_law_islands_room(const tacLawProblem *problem) {
  if (problem->blocks == NULL || problem->count < LEAST) return 0;
  size_t m = (size_t)problem->count, blocks = (size_t)problem->blocks->first[m];
  return 3 * tac_law_iterate_rounded(m, sizeof(int)) + tac_law_iterate_rounded(m, sizeof(tacLawIsland)) +
         tac_law_iterate_rounded(2 * m, sizeof(int)) + tac_law_iterate_rounded(m, sizeof(int)) +
         tac_law_iterate_rounded(m, sizeof(tacLawContact)) + tac_law_iterate_rounded(blocks, sizeof(int)) +
         tac_law_iterate_rounded(9 * blocks, sizeof(double));
}

static int root_of(int *root, int i) {
  while (root[i] != i) i = root[i] = root[root[i]];
  return i;
}

/* Sets root[i] to the first contact of the island of contact i. Returns the number of islands. Stops early if there is
 * only one island. */
static int find_roots(const tacContactProblem *blocks, int *root) {
  int islands = blocks->count;
  for (int i = 0; i < blocks->count; ++i) root[i] = i;
  for (int i = 0; i < blocks->count && islands > 1; ++i)
    for (int k = blocks->first[i]; k < blocks->first[i + 1]; ++k) {
      if (root[blocks->column[k]] == root[i]) continue;
      int a = root_of(root, i), b = root_of(root, blocks->column[k]);
      islands -= a != b;
      root[a > b ? a : b] = a > b ? b : a;
    }
  for (int i = 0; i < blocks->count && islands > 1; ++i) root[i] = root_of(root, i);
  return islands;
}

/* Sorts contacts by island and then by index. Sets number[i] to the index of contact i in its island. Islands are
 * ordered by their first contact. */
static void sort(int count, const int *root, int *number, int *index, tacLawIsland *island) {
  int islands = 0, placed = 0;
  for (int i = 0; i < count; ++i) {
    if (root[i] == i) {
      number[i] = islands; /* index of the island, until the last loop sets the index of the contact */
      island[islands++] = (tacLawIsland){0};
    }
    ++island[number[root[i]]].laws.count;
  }
  for (int s = 0; s < islands; ++s) {
    island[s].index = index + placed;
    placed += island[s].laws.count;
    island[s].laws.count = 0;
  }
  for (int i = 0; i < count; ++i) {
    tacLawIsland *of = &island[number[root[i]]];
    index[of->index - index + of->laws.count] = i;
    ++of->laws.count;
  }
  for (int s = 0; s < islands; ++s)
    for (int k = 0; k < island[s].laws.count; ++k) number[island[s].index[k]] = k;
}

/* Arrays of all islands, stored one after the other. */
typedef struct Arrays {
  int *first, *diagonal, *column;
  double *entries;
  tacLawContact *contacts;
} Arrays;

/* Copies the rows of an island's contacts, with renumbered columns. Takes memory from `arrays` and advances the
 * pointers in `arrays`. */
static void copy(const tacLawProblem *problem, const int *number, Arrays *arrays, tacLawIsland *island) {
  const tacContactProblem *from = problem->blocks;
  int count = island->laws.count, filled = 0;
  tacContactProblem *to = &island->blocks;
  *to = (tacContactProblem){.dimension = from->dimension,
                            .count = count,
                            .first = arrays->first,
                            .column = arrays->column,
                            .entries = arrays->entries,
                            .diagonal = arrays->diagonal};
  for (int a = 0; a < count; ++a) {
    int i = island->index[a], begin = from->first[i], end = from->first[i + 1];
    arrays->contacts[a] = problem->contacts[i];
    to->first[a] = filled;
    to->diagonal[a] = filled + from->diagonal[i] - begin;
    memcpy(to->entries + 9 * (size_t)filled, from->entries + 9 * (size_t)begin,
           9 * (size_t)(end - begin) * sizeof *to->entries);
    for (int k = begin; k < end; ++k) to->column[filled++] = number[from->column[k]];
  }
  to->first[count] = filled;
  island->laws = (tacLawProblem){.count = count, .contacts = arrays->contacts, .blocks = to};
  arrays->first += count + 1;
  arrays->diagonal += count;
  arrays->contacts += count;
  arrays->column += filled;
  arrays->entries += 9 * (size_t)filled;
}

bool tac_law_islands_find(const tacLawProblem *problem, tacArena *arena, tacLawIslands *islands) {
  const tacContactProblem *blocks = problem->blocks;
  if (blocks == NULL || problem->part_count > 0 || problem->compliance != NULL || problem->count < LEAST) return false;
  tacArenaMark mark = tac_arena_mark(arena);
  size_t m = (size_t)problem->count, all = (size_t)blocks->first[m], refused = arena->refused;
  int *root = tac_arena_array(arena, m, sizeof *root);
  islands->count = root != NULL ? find_roots(blocks, root) : 1;
  if (islands->count > 1) {
    int *number = tac_arena_array(arena, m, sizeof *number), *index = tac_arena_array(arena, m, sizeof *index);
    islands->island = tac_arena_array(arena, (size_t)islands->count, sizeof *islands->island);
    Arrays arrays;
    arrays.first = tac_arena_array(arena, m + (size_t)islands->count, sizeof *arrays.first);
    arrays.diagonal = tac_arena_array(arena, m, sizeof *arrays.diagonal);
    arrays.column = tac_arena_array(arena, all, sizeof *arrays.column);
    arrays.entries = tac_arena_array(arena, 9 * all, sizeof *arrays.entries);
    arrays.contacts = tac_arena_array(arena, m, sizeof *arrays.contacts);
    if (arena->refused == refused) {
      sort(problem->count, root, number, index, islands->island);
      for (int s = 0; s < islands->count; ++s) copy(problem, number, &arrays, &islands->island[s]);
      return true;
    }
  }
  tac_arena_release(arena, mark);
  return false;
}

void tac_law_island_give(const tacLawIsland *island, const tacLawProblem *problem) {
  for (int a = 0; a < island->laws.count; ++a) problem->contacts[island->index[a]] = island->laws.contacts[a];
}
