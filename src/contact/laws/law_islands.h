/* Islands of a problem with block-sparse W: contacts coupled by W, directly or through others. Each island is solved
 * separately, with its own method and number of iterations. If all were solved together, every step would be as short
 * as the worst island requires. Worlds divide bodies into islands before they set up contact problems, so only problems
 * from files need this. */
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
/* Returns false and leaves the arena unchanged if the problem is not split. This is the case if it has parts, a
 * compliance or fewer than 64 contacts, if it is one island, or if the arena is too small. The problem's blocks must
 * stay in place while islands live. */
bool tac_law_islands_find(const tacLawProblem *problem, tacArena *arena, tacLawIslands *islands);
/* Copies an island's contacts back to the whole problem. */
void tac_law_island_give(const tacLawIsland *island, const tacLawProblem *problem);
