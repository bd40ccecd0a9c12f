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
  bool opened; /* the traversal visited its children */
} tacLookBall;

/* Allocates a view of a contact pair. The world must be sealed and outlive the view. Any thread, one at a time. Pairs
 * with surface detection have no points and are rejected. The view of a pair with a compliance body is empty. */
tacStatus tac_pair_look_create(const tacWorld *world, int pair, tacPairLook **look, tacError *error);
void tac_pair_look_destroy(tacPairLook *look); /* NULL is allowed */

/* Traverses the shell again to the snapshot's level, without temporal coherence or allocation. The arrays are valid
 * until the next call. See tac_world_contacts. */
typedef struct tacPairSeen {
  int level;
  int point_count, ball_count;
  const tacLookPoint *points;
  const tacLookBall *balls;
} tacPairSeen;
tacPairSeen tac_pair_look_at(tacPairLook *look, const tacSnapshot *snapshot);
