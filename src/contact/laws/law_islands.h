/* Islands of a problem with block-sparse W. W couples the contacts of an island directly or through other contacts.
 * Each island is solved separately, with its own method and number of iterations. In a common solution, every step
 * would be as short as the worst island requires. Worlds divide bodies into islands before they set up contact
 * problems, so only problems from files need this division. */
#pragma once

#include "base/memory/arena.h"
#include "contact/laws/frictional_problem.h"
#include "contact/laws/law_problem.h"

/* An island: copies of its contacts and of its blocks of W. */
typedef struct tacLawIsland {
  const int *index; /* [laws.count]: indices of the contacts in the whole problem */
  tacContactProblem blocks;
  tacLawProblem laws;
} tacLawIsland;

typedef struct tacLawIslands {
  int count;
  tacLawIsland *island;
} tacLawIslands;

/* Returns an upper bound of the bytes needed; 0 for problems that are not divided. */
size_t tac_law_islands_room(const tacLawProblem *problem);
/* Divides the problem into islands. Returns false and leaves the arena unchanged if the problem is not divided.
 * Problems with parts, with a compliance, with fewer than 64 contacts or with only one island are not divided. The
 * arena must also be large enough. The problem's blocks must stay in place as long as the islands are used. */
bool tac_law_islands_find(const tacLawProblem *problem, tacArena *arena, tacLawIslands *islands);
/* Copies the contacts of an island back to the whole problem. */
void tac_law_island_give(const tacLawIsland *island, const tacLawProblem *problem);
