/* True interpenetration of the bodies and tools of a world, measured on their displayed surfaces. For reports and
 * tests. */
#pragma once

#include <tactus/world.h>
#include "collide/interpenetration.h"

typedef struct tacWorldInterpenetration tacWorldInterpenetration;

/* Makes room; refers to the world, which is sealed. */
tacStatus tac_world_interpenetration_create(const tacWorld *world, tacWorldInterpenetration **within, tacError *error);
void tac_world_interpenetration_destroy(tacWorldInterpenetration *within); /* NULL is allowed */

/* Two bodies that may touch: in a pair, or one of them is free. */
typedef struct tacBodiesWithin {
  int body[2];            /* indices, the smaller one first; */
  int pair;               /* the first pair of both; -1: they are in none */
  tacInterpenetration is; /* the first surface is that of body[0] */
} tacBodiesWithin;

/* The tip of a point tool as it is shown (tacToolOutput.proxy) in a body. */
typedef struct tacTipWithin {
  int tool, body;
  double depth; /* m: distance to the body's surface */
} tacTipWithin;

/* Those that are inside each other or whose surfaces cross, and no others. Arrays are the room's until the next call. */
typedef struct tacSeenWithin {
  int count;
  const tacBodiesWithin *bodies; /* by the first body, then by the second */
  int tip_count;
  const tacTipWithin *tips; /* by tool, then by body */
} tacSeenWithin;

/* Whether the surface of a body is closed: of others nothing can be told, and they are left out. */
bool tac_world_interpenetration_covers(const tacWorldInterpenetration *within, tacBodyId id);

/* Any thread, one at a time for a room; offline: allocates, and takes tens of milliseconds where surfaces of ten
 * thousand triangles meet. On failure nothing is seen. */
tacStatus tac_world_interpenetration_at(tacWorldInterpenetration *within, const tacSnapshot *snapshot,
                                        tacSeenWithin *seen, tacError *error);
