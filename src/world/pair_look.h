/* A contact pair at one moment, for display: points in contact and the balls that the traversal visited. */
#pragma once

#include <tactus/world.h>

/* Contact points and visited balls of a pair, recomputed from a snapshot. */
typedef struct tacPairLook tacPairLook;

typedef struct tacLookPoint {
  tacVec3 at, normal; /* world; normal points out of the shell */
  double depth;       /* m */
  int point;          /* index in the shell */
} tacLookPoint;

typedef struct tacLookBall {
  tacVec3 centre; /* world */
  double radius;
  int level;
  bool opened; /* its children were visited */
} tacLookBall;

/* Allocates a look at a pair of a sealed world, which must outlive it. One thread at a time, which need not be the one
 * that steps. Pairs that meet by surfaces are refused: they have no points. */
tacStatus tac_pair_look_create(const tacWorld *world, int pair, tacPairLook **look, tacError *error);
void tac_pair_look_destroy(tacPairLook *look); /* NULL is allowed */

/* Traverses the shell again to the snapshot's level, without temporal coherence or allocation. Arrays are valid until
 * the next call. Pairs by surfaces show nothing. Compliance bodies are shown at rest. See tac_world_contacts. */
typedef struct tacPairSeen {
  int level;
  int point_count, ball_count;
  const tacLookPoint *points;
  const tacLookBall *balls;
} tacPairSeen;
tacPairSeen tac_pair_look_at(tacPairLook *look, const tacSnapshot *snapshot);
