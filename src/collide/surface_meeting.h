/* Finds where the surfaces of two deformed bodies are near or overlap: pairs of points with a normal and a gap, as
 * contact candidates (Duriez et al. 2006, 3.2).
 *
 * Vertices of each body are tested against the surface of the other body, at all locally nearest points. These are in a
 * face, on an edge or at a vertex, by Voronoi regions. Sharp convex edges of one body are tested against sharp convex
 * edges of the other. They must face each other: the normal opposes the outward normal of the other surface. A vertex
 * is inside according to the pseudo-normal of the nearest feature (Baerentzen and Aanaes 2005). An inside vertex has
 * one contact, with the nearest surface that faces the vertex. So it is not pulled to the far side of a thin wall.
 * Edges overlap if the path between them is inside both bodies.
 *
 * Any phase: no allocation, one thread at a time. */
#pragma once

#include "collide/surface_boxes.h"
#include "math/geometry/mat3.h"
#include "mesh/surface_point.h"

typedef enum tacSurfaceTouch {
  TAC_TOUCH_VERTEX_FACE, /* vertex of a; also at an edge or vertex of b */
  TAC_TOUCH_FACE_VERTEX, /* vertex of b; also at an edge of a */
  TAC_TOUCH_EDGE_EDGE
} tacSurfaceTouch;

typedef struct tacSurfaceCandidate {
  tacSurfacePoint on_a, on_b;
  tacVec3 place_a, place_b; /* m, frame of b */
  tacVec3 normal;           /* unit, frame of b: from b into a */
  double gap;               /* m: normal . (place_a - place_b), negative if they overlap */
  uint64_t key;             /* key of the two features: unique in a search, constant from tick to tick */
  tacSurfaceTouch touch;
} tacSurfaceCandidate;

typedef struct tacSurfaceSearch {
  tacMat3 turn; /* frame of a to frame of b: p -> turn p + shift */
  tacVec3 shift;
  double alarm; /* m: largest gap */
  double depth; /* m, >= 0: gaps down to -depth */
} tacSurfaceSearch;

typedef struct tacSurfaceFound {
  int count; /* in `candidates` */
  int lost;  /* candidates omitted for lack of room: those with the largest gaps (among equal gaps, the largest keys) */
} tacSurfaceFound;

/* `a` and `b` must differ; they keep the computed normals. The order of candidates depends on the input alone. */
tacSurfaceFound tac_surface_meeting_find(tacSurfaceBoxes *a, tacSurfaceBoxes *b, const tacSurfaceSearch *search,
                                         int capacity, tacSurfaceCandidate *candidates);

/* Tolerances. */
#define TAC_MEETING_BORDER 1e-9 /* relative to weights and edges: a point nearer to a border counts as on the border */
#define TAC_MEETING_PARALLEL 1e-5 /* sine of the smallest angle between two edges */
/* Sine of the angle by which the normal of two edges may be outside the range of their faces' normals. So outlines of
 * nearly flat parts that lie on each other have contacts where they cross. */
#define TAC_MEETING_TILT 0.0175
#define TAC_MEETING_TOUCHING 1e-9 /* relative to the larger of alarm and depth: smaller gaps are zero */
enum { TAC_MEETING_MINIMA = 32 /* maximum number of nearest points per vertex; the nearest are kept */ };
