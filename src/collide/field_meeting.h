/* Finds contact candidates: places on a body's surface near the distance field of another body.
 *
 * The search covers the whole surface. Triangles are found in a tree of boxes that follows the deformation. Points of a
 * shell are found in the shell's own tree. A part is skipped only if the field shows that the part is outside the
 * margin (asset/field_reach.h). Near triangles contribute their vertices and listed points. If the field has a lower
 * minimum in a face or on an edge, this minimum is also a candidate.
 *
 * The nearest parts are searched first. If a search exceeds its cost limit, it takes one vertex of each remaining part,
 * and `lost` counts these parts. If there are too many candidates, the search discards some. The deepest candidate of
 * each cell of a grid and all candidates chosen before are retained. The cells grow until all candidates fit.
 *
 * The functions may be called in a tick: they do not allocate, and the same input gives the same output. Only one
 * thread at a time may use the arena. */
#pragma once

#include "base/memory/arena.h"
#include "collide/field_gather.h"

/* Returns the arena bytes that a search needs. */
size_t tac_field_meeting_room(void);
/* Finds the candidates of one search. `candidates`: array, [TAC_FIELD_MEETING_CANDIDATES]. */
void tac_field_meeting_find(const tacBodyPoints *points, const tacBody *body, const tacBodySurface *surface,
                            const tacFieldSearch *search, tacArena *arena, tacFieldCandidate *candidates,
                            tacFieldFound *found);
