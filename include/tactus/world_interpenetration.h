/* How far bodies of a world are truly inside each other in a moment: measured on the surfaces that are shown, as a picture would be, not by
 * what contacts saw of it. For reports and tests. */
#ifndef TACTUS_WORLD_INTERPENETRATION_H
#define TACTUS_WORLD_INTERPENETRATION_H

#include <tactus/interpenetration.h>
#include <tactus/world.h>

TAC_BEGIN_DECLS

typedef struct tacWorldInterpenetration tacWorldInterpenetration;

/* Makes room; refers to the world, which is sealed. */
TAC_API tacStatus tac_world_interpenetration_create(const tacWorld *world, tacWorldInterpenetration **within,
                                                    tacError *error);
TAC_API void tac_world_interpenetration_destroy(tacWorldInterpenetration *within); /* NULL is allowed */

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
TAC_API bool tac_world_interpenetration_covers(const tacWorldInterpenetration *within, tacBodyId id);
/* Any thread, one at a time for a room; offline: allocates, and takes tens of milliseconds where surfaces of ten
 * thousand triangles meet. On failure nothing is seen. */
TAC_API tacStatus tac_world_interpenetration_at(tacWorldInterpenetration *within, const tacSnapshot *snapshot,
                                                tacSeenWithin *seen, tacError *error);

TAC_END_DECLS

#endif
