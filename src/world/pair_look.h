/* View of a contact pair in a snapshot, for display: the points in contact, and the balls that the traversal visited.
 *
 * One body of a pair has a pointshell, a tree of sample points with bounding balls. The other body has a distance
 * field. */
#pragma once

#include <tactus/world.h>

/* View of one contact pair. */
typedef struct tacPairLook tacPairLook;

typedef struct tacLookPoint {
  tacVec3 at, normal; /* position, m, and unit normal out of the shell; world frame */
  double depth;       /* penetration depth, m */
  int point;          /* index of the point in the shell */
} tacLookPoint;

typedef struct tacLookBall {
  tacVec3 centre; /* m, world frame */
  double radius;
  int level;
  bool opened; /* true if the traversal visited the children of the ball */
} tacLookBall;

/* Creates a view of a contact pair. The world must be sealed and must outlive the view. Any thread may call this, but
 * only one thread at a time may use a view. Returns an error for a pair with surface detection, since the pair has no
 * points. The view of a pair with a body of static compliance is empty. */
tacStatus tac_pair_look_create(const tacWorld *world, int pair, tacPairLook **look, tacError *error);
void tac_pair_look_destroy(tacPairLook *look); /* NULL is allowed */

/* Contents of a view: points in contact and visited balls. */
typedef struct tacPairSeen {
  int level;
  int point_count, ball_count;
  const tacLookPoint *points;
  const tacLookBall *balls;
} tacPairSeen;
/* Recomputes the view from a snapshot, at the level of detail of the snapshot. Does not allocate memory. The arrays are
 * valid until the next call. */
tacPairSeen tac_pair_look_at(tacPairLook *look, const tacSnapshot *snapshot);
