/* Islands of a problem whose W is in blocks: contacts that W couples, directly or through others. Each is a problem of its own, with
 * the method and the number of iterations that it needs; together, a step would be as short as the worst of them allows.
 * Worlds make islands of bodies before they have laws; files come with all contacts in one W. */
#pragma once

#include "base/memory/arena.h"
#include "contact/laws/frictional_problem.h"
#include "contact/laws/law_problem.h"

/* One island: its contacts, copied, and its part of W. */
typedef struct tacLawIsland {
  const int *index; /* [laws.count]: which contacts of the problem */
  tacContactProblem blocks;
  tacLawProblem laws;
} tacLawIsland;

typedef struct tacLawIslands {
  int count;
  tacLawIsland *island;
} tacLawIslands;

/* Bytes that they take at most; none for problems that are not split. */
size_t tac_law_islands_room(const tacLawProblem *problem);
/* False, and nothing is kept of the arena, where the problem stays whole: it has parts, a compliance or fewer than 64 contacts, all
 * are one island, or the arena is too small. The problem's blocks stay where they are while islands live. */
bool tac_law_islands_find(const tacLawProblem *problem, tacArena *arena, tacLawIslands *islands);
/* The contacts of an island back to the problem that it is of. */
void tac_law_island_give(const tacLawIsland *island, const tacLawProblem *problem);
