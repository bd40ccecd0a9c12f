/* True interpenetration of the bodies and tools of a world, measured on their displayed surfaces. For reports and
 * tests. */
#pragma once

#include <tactus/world.h>
#include "collide/interpenetration.h"

typedef struct tacWorldInterpenetration tacWorldInterpenetration;

/* Allocates; refers to the world, which must be sealed. */
tacStatus tac_world_interpenetration_create(const tacWorld *world, tacWorldInterpenetration **within, tacError *error);
void tac_world_interpenetration_destroy(tacWorldInterpenetration *within); /* NULL is allowed */

/* Two bodies that may touch: in a pair, or one is free. */
typedef struct tacBodiesWithin {
  int body[2];            /* indices, the smaller one first */
  int pair;               /* index of the first contact pair of the two; -1: none */
  tacInterpenetration is; /* its first surface belongs to body[0] */
} tacBodiesWithin;

/* The displayed tip of a point tool (tacToolOutput.proxy) inside a body. */
typedef struct tacTipWithin {
  int tool, body;
  double depth; /* m: distance to the body's surface */
} tacTipWithin;

/* Lists only bodies and tips that interpenetrate, or whose surfaces cross. The arrays are valid until the next call. */
typedef struct tacSeenWithin {
  int count;
  const tacBodiesWithin *bodies; /* sorted by first, then second body */
  int tip_count;
  const tacTipWithin *tips; /* sorted by tool, then body */
} tacSeenWithin;

/* Whether the surface of a body is closed. Open surfaces cannot be measured and are skipped. */
bool tac_world_interpenetration_covers(const tacWorldInterpenetration *within, tacBodyId id);

/* Any thread, one at a time per object. Offline: allocates, and takes tens of milliseconds for surfaces of ten thousand
 * triangles. On failure `seen` is empty. */
tacStatus tac_world_interpenetration_at(tacWorldInterpenetration *within, const tacSnapshot *snapshot,
                                        tacSeenWithin *seen, tacError *error);
