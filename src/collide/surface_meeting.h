/* Finds contact candidates where the surfaces of two deformed bodies are near or overlap (Duriez et al. 2006, 3.2). A
 * candidate is a pair of points with a normal and a gap.
 *
 * The vertices of each body are tested against the surface of the other body. A vertex forms a candidate with each
 * locally nearest point in a face, on an edge or at a vertex (Voronoi regions). Sharp convex edges of one body are
 * tested against the sharp convex edges of the other body. Two features form a candidate only if they face each other:
 * the contact normal opposes the outward normal.
 *
 * The pseudo-normal of the nearest feature decides whether a vertex is inside the other body (Baerentzen and Aanaes
 * 2005). An inside vertex has one contact, with the nearest surface that faces the vertex. So the vertex is not pulled
 * to the far side of a thin wall. Two edges overlap if the path between them is inside both bodies.
 *
 * The search is for any phase: it does not allocate. Only one thread may use a surface at a time. */
#pragma once

#include "collide/surface_boxes.h"
#include "math/geometry/mat3.h"
#include "mesh/surface_point.h"

typedef enum tacSurfaceTouch {
  TAC_TOUCH_VERTEX_FACE, /* vertex of a with a face, edge or vertex of b */
  TAC_TOUCH_FACE_VERTEX, /* vertex of b with a face or edge of a; also a second contact of two overlapping vertices */
  TAC_TOUCH_EDGE_EDGE
} tacSurfaceTouch;

typedef struct tacSurfaceCandidate {
  tacSurfacePoint on_a, on_b;
  tacVec3 place_a, place_b; /* positions in b's frame, m */
  tacVec3 normal;           /* unit normal in b's frame, from b into a */
  double gap;               /* normal . (place_a - place_b), m; negative if the surfaces overlap */
  uint64_t key;             /* key of the pair of features, unique in a search and constant from tick to tick */
  tacSurfaceTouch touch;
} tacSurfaceCandidate;

typedef struct tacSurfaceSearch {
  tacMat3 turn; /* rotation from a's frame to b's frame; p becomes turn p + shift */
  tacVec3 shift;
  double alarm; /* largest gap of a candidate, m */
  double depth; /* largest depth of a candidate, m, at least 0 */
} tacSurfaceSearch;

typedef struct tacSurfaceFound {
  int count;
  /* number of candidates omitted for lack of space: those with the largest gaps, then with the largest keys */
  int lost;
} tacSurfaceFound;

/* Finds the candidates of two different surfaces. The surfaces store the normals that the search computes. The order of
 * the candidates depends on the input alone. */
tacSurfaceFound tac_surface_meeting_find(tacSurfaceBoxes *a, tacSurfaceBoxes *b, const tacSurfaceSearch *search,
                                         int capacity, tacSurfaceCandidate *candidates);

/* ---- tolerances ---- */
/* distance from a border that counts as zero, as a barycentric weight or relative to the edge length */
#define TAC_MEETING_BORDER 1e-9
#define TAC_MEETING_PARALLEL 1e-5 /* sine of the smallest angle between two tested edges */
/* Sine of the angle by which the normal of two edges may be outside the range of the face normals. So if nearly flat
 * parts lie on each other, their crossing outlines have contacts. */
#define TAC_MEETING_TILT 0.0175
/* gap that counts as zero, relative to the larger of `alarm` and `depth` */
#define TAC_MEETING_TOUCHING 1e-9
enum { TAC_MEETING_MINIMA = 32 /* maximum number of nearest points per vertex; the nearest are used */ };
