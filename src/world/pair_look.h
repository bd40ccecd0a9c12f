/* A contact pair at one moment, for display: points in contact and the balls that the traversal visited. */
#pragma once

#include <tactus/world.h>

/* What goes on in a pair of bodies, to look at: points in contact and balls that were visited, found again from a snapshot. */
typedef struct tacPairLook tacPairLook;

typedef struct tacLookPoint {
  tacVec3 at, normal; /* world; outward of the shell */
  double depth;       /* m */
  int point;          /* of the shell */
} tacLookPoint;

typedef struct tacLookBall {
  tacVec3 centre; /* world */
  double radius;
  int level;
  bool opened; /* its children were visited */
} tacLookBall;

/* Makes room for a look at a pair of a sealed world; refers to it. For one thread at a time, any but the one that steps
 * as well. Pairs that meet by surfaces are refused: they have no points. */
tacStatus tac_pair_look_create(const tacWorld *world, int pair, tacPairLook **look, tacError *error);
void tac_pair_look_destroy(tacPairLook *look); /* NULL is allowed */

/* Traverses again to the snapshot's level, without temporal coherence; no allocation. Arrays are the look's until the next call. Nothing is
 * seen of pairs by surfaces, nor where a body answers as a compliance: points are where it is at rest. See tac_world_contacts. */
typedef struct tacPairSeen {
  int level;
  int point_count, ball_count;
  const tacLookPoint *points;
  const tacLookBall *balls;
} tacPairSeen;
tacPairSeen tac_pair_look_at(tacPairLook *look, const tacSnapshot *snapshot);
