/* Islands of a problem with block-sparse W: contacts coupled by W, directly or through others. Each is solved
 * separately, with its own method and number of iterations. Solved together, every step would be as short as the worst
 * island requires. Worlds build islands of bodies before they have laws; files have all contacts in one W. */
#pragma once

#include "base/memory/arena.h"
#include "contact/laws/frictional_problem.h"
#include "contact/laws/law_problem.h"

/* An island: copies of its contacts, and its part of W. */
typedef struct tacLawIsland {
  const int *index; /* [laws.count]: indices in the whole problem */
  tacContactProblem blocks;
  tacLawProblem laws;
} tacLawIsland;

typedef struct tacLawIslands {
  int count;
  tacLawIsland *island;
} tacLawIslands;

/* Upper bound in bytes; 0 for problems that are not split. */
size_t tac_law_islands_room(const tacLawProblem *problem);
/* False, and the arena is unchanged, if the problem is not split: it has parts, a compliance or fewer than 64 contacts,
 * is one island, or the arena is too small. The problem's blocks must stay in place while islands live. */
bool tac_law_islands_find(const tacLawProblem *problem, tacArena *arena, tacLawIslands *islands);
/* Copies an island's contacts back to the whole problem. */
void tac_law_island_give(const tacLawIsland *island, const tacLawProblem *problem);
