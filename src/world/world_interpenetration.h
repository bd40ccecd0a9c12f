/* Measurement of interpenetration between bodies, and between point tools and bodies, for reports and tests. The depths
 * are computed from the displayed surfaces. */
#pragma once

#include <tactus/world.h>
#include "collide/interpenetration.h"

typedef struct tacWorldInterpenetration tacWorldInterpenetration;

/* Creates a measurement for a sealed world. The world must outlive the measurement. */
tacStatus tac_world_interpenetration_create(const tacWorld *world, tacWorldInterpenetration **within, tacError *error);
void tac_world_interpenetration_destroy(tacWorldInterpenetration *within); /* NULL is allowed */

/* Interpenetration of two bodies that can have contact: the bodies form a pair, or one body is free. */
typedef struct tacBodiesWithin {
  int body[2];            /* body indices in ascending order */
  int pair;               /* index of the contact pair of the two bodies; -1 if they form no pair */
  tacInterpenetration is; /* interpenetration; its first surface belongs to body[0] */
} tacBodiesWithin;

/* Penetration of the displayed tip of a point tool (tacToolOutput.proxy) into a body. */
typedef struct tacTipWithin {
  int tool, body;
  double depth; /* distance from the tip to the body's surface, m */
} tacTipWithin;

/* Bodies that interpenetrate or whose surfaces intersect, and tips inside bodies. The arrays are valid until the next
 * call. */
typedef struct tacSeenWithin {
  int count;
  const tacBodiesWithin *bodies; /* sorted by body[0], then body[1] */
  int tip_count;
  const tacTipWithin *tips; /* sorted by tool, then body */
} tacSeenWithin;

/* True if the surface of the body is closed. Bodies with open surfaces are not measured. */
bool tac_world_interpenetration_covers(const tacWorldInterpenetration *within, tacBodyId id);

/* Measures all interpenetrations in a snapshot. On failure `seen` is empty. Offline: the function allocates memory and
 * needs tens of milliseconds for surfaces of ten thousand triangles. Any thread may call it, but only one thread at a
 * time may use `within`. */
tacStatus tac_world_interpenetration_at(tacWorldInterpenetration *within, const tacSnapshot *snapshot,
                                        tacSeenWithin *seen, tacError *error);
