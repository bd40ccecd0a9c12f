/* How far two solids are inside each other, measured on their surfaces as they are: what a picture of them shows, whatever a
 * contact made of it. Offline: allocates, and takes tens of milliseconds for surfaces of ten thousand triangles. */
#ifndef TACTUS_INTERPENETRATION_H
#define TACTUS_INTERPENETRATION_H

#include <stdint.h>
#include <tactus/trimesh.h>
#include <tactus/world.h>

TAC_BEGIN_DECLS

/* Inside is where the winding number of a surface is not zero. */
typedef struct tacInterpenetration {
  /* Pairs of triangles, one of each surface, that have a point in common. 0: the surfaces are apart, or one lies
   * inside the other, which `depth` tells. */
  int64_t crossings;
  /* m: over all points of either surface that are inside the other, the largest distance to the other's surface; 0
   * where there is none. Not only of vertices: a wall of two triangles that cuts a ball in halves is as deep in it as its
   * middle. It is the distance of a point that was found, and at most 2 % and 0.1 thousandths of the smaller box less than
   * the largest one, as long as 8192 places of each surface are enough for that. */
  double depth;
  tacVec3 at; /* m: that point; zero where the depth is */
  int of;     /* 0: it is on the first surface, 1: on the second */
  /* m: how far one has gone through the other, never less than `depth`. By the nearest surface a needle is never
   * deeper in a sheet than half its thickness, however far it comes out behind. Where the other's solid cuts a surface into
   * parts, those that are outside are "here" (the largest one) and "beyond" (the others, as long as the other's solid fills the body
   * in between; a peg in a tight ring has nothing beyond it). This is the height of what is beyond over the
   * opening by which it left what is here, along the vector area of that opening: what it would have to be drawn
   * back. What has come through as a whole has no crossings, and nobody can tell. */
  double through;
} tacInterpenetration;

/* Of two closed surfaces in one frame (m); TAC_ERR_GEOMETRY where one is not closed (tac_trimesh_require_closed). They may
 * intersect themselves, as deformed ones do. */
TAC_API tacStatus tac_interpenetration_measure(const tacTriMesh *a, const tacTriMesh *b, tacInterpenetration *result,
                                               tacError *error);

/* How far bodies of a world are truly inside each other in a moment: measured on the surfaces that are shown, as a picture would be, not by
 * what contacts saw of it. For reports and tests. */

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
TAC_API tacStatus tac_pair_look_create(const tacWorld *world, int pair, tacPairLook **look, tacError *error);
TAC_API void tac_pair_look_destroy(tacPairLook *look); /* NULL is allowed */
/* Traverses again to the snapshot's level, without temporal coherence; no allocation. Arrays are the look's until the next call. Nothing is
 * seen of pairs by surfaces, nor where a body answers as a compliance: points are where it is at rest. See tac_world_contacts. */
typedef struct tacPairSeen {
  int level;
  int point_count, ball_count;
  const tacLookPoint *points;
  const tacLookBall *balls;
} tacPairSeen;
TAC_API tacPairSeen tac_pair_look_at(tacPairLook *look, const tacSnapshot *snapshot);

TAC_END_DECLS

#endif
