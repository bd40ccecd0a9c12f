/* Where the surfaces of two deformed bodies are near each other or overlap: pairs of a point of each, with a normal
 * and a gap, that contacts are made of (Duriez et al. 2006, 3.2).
 *
 * Vertices of each body are held against the surface of the other, at all points of it that are nearest among their
 * neighbours (in a face, on an edge or at a vertex, by Voronoi regions); sharp convex edges of one against those of
 * the other. They have to face each other: the normal goes against the outward normal of what is met. A vertex is
 * inside where the pseudo-normal of the nearest feature says so (Baerentzen and Aanaes 2005); it is then met once,
 * by the nearest surface that faces it, so that it is not drawn to the far side of a thin wall. Edges overlap where
 * the way from one to the other is inside both bodies.
 *
 * For any phase: no allocation, one thread at a time. */
#pragma once

#include "collide/surface_boxes.h"
#include "math/geometry/mat3.h"
#include "mesh/surface_point.h"

typedef enum tacSurfaceTouch {
  TAC_TOUCH_VERTEX_FACE, /* a vertex of a; at an edge or vertex of b, too */
  TAC_TOUCH_FACE_VERTEX, /* a vertex of b; at an edge of a, too */
  TAC_TOUCH_EDGE_EDGE
} tacSurfaceTouch;

typedef struct tacSurfaceCandidate {
  tacSurfacePoint on_a, on_b;
  tacVec3 place_a, place_b; /* m, frame of b */
  tacVec3 normal;           /* unit, frame of b: out of b, into a */
  double gap;               /* m: normal . (place_a - place_b), negative where they overlap */
  uint64_t key; /* of the two features: no other candidate of the same search has it, and it stays from tick to tick */
  tacSurfaceTouch touch;
} tacSurfaceCandidate;

typedef struct tacSurfaceSearch {
  tacMat3 turn; /* a point p of a's frame is turn p + shift in b's */
  tacVec3 shift;
  double alarm; /* m: gaps up to this */
  double depth; /* m, not negative: and down to -depth */
} tacSurfaceSearch;

typedef struct tacSurfaceFound {
  int count; /* in `candidates` */
  int lost;  /* without room: none has a smaller gap than one that is kept (of equal ones, a smaller key) */
} tacSurfaceFound;

/* `a` and `b` are two; they keep the normals that were computed. The order of candidates depends on the input alone. */
tacSurfaceFound tac_surface_meeting_find(tacSurfaceBoxes *a, tacSurfaceBoxes *b, const tacSurfaceSearch *search,
                                         int capacity, tacSurfaceCandidate *candidates);

/* Tolerances. */
#define TAC_MEETING_BORDER 1e-9   /* of weights and parts of an edge: nearer to a border is on it */
#define TAC_MEETING_PARALLEL 1e-5 /* sine of the least angle between two edges */
/* Sine of the angle that the normal of two edges may be outside their faces': flat parts that lie on each other, not
 * quite flat, still meet where their outlines cross. */
#define TAC_MEETING_TILT 0.0175
#define TAC_MEETING_TOUCHING 1e-9 /* of the larger of alarm and depth: gaps below are zero */
enum { TAC_MEETING_MINIMA = 32 /* nearest points of one vertex that are looked at, at most: the nearest ones */ };
