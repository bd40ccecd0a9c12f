/* Shape of a body for contact detection: its present deformed surface, in boxes, and points on it. Contact detection
 * tests vertices and faces of the surface, and points that cover it. The points are those of the body's shell, or
 * without a shell, points spread over the triangles. For a body in coordinates with a shell, only the shell is tested,
 * through its own tree. The shape is computed once per deformation. Frame: the body's. */
#pragma once

#include "asset/field_reach.h"
#include "asset/pointshell.h"
#include "collide/body_surface.h"
#include "collide/proximity.h"

enum {
  TAC_BODY_POINTS_FEW = 512,
  TAC_BODY_POINTS_VERTICES = 1024 /* maximum number of vertices of a body in coordinates whose vertices are tracked */
};

/* A tested place: a point of the searched shell, a listed point, or a vertex. Used for bodies with few places. */
typedef struct tacBodyPlace {
  enum { TAC_PLACE_SHELL, TAC_PLACE_LISTED, TAC_PLACE_VERTEX } of;
  int index;
} tacBodyPlace;

typedef struct tacBodyPoints {
  tacArrays arrays;
  /* Bodies with few points and vertices: all places, tested one by one, which is faster than a tree. */
  int few;
  tacBodyPlace *who;          /* [few] */
  tacVec3 *places;            /* [few], present positions */
  const tacPointshell *shell; /* shell that is searched by a tree; NULL: none */
  tacBoxTree *point_tree;     /* tree of the points of a rigid shell; replaces the shell's own tree */
  double spacing;             /* m: typical point spacing, the side of a square with the area of a point */
  bool corners, faces; /* whether vertices are tested; whether deeper places between vertices and points are searched */
  /* Points on triangles, besides the vertices: */
  int listed_count;
  const tacSurfacePoint *listed; /* [listed_count] */
  tacVec3 *above;                /* [listed_count] m: offset of each point from its triangle; NULL: none */
  int *rank;                     /* [triangle] index in the order of the surface's tree */
  int *first_listed;             /* [rank + 1] -> on_triangle */
  int *on_triangle;              /* points by triangle, in the order of `rank` */
  const tacDistanceField *field; /* field of the body, if it is rigid */
  tacFieldReach reach;           /* search radius for contact with `field` */
  /* Present surface: */
  const tacVec3 *vertices;     /* [vertex]; NULL: query the body */
  const tacBoxTreeNode *nodes; /* nodes of surface->tree, with boxes of the deformed triangles */
  double loose;                /* m: maximum distance of vertices and points outside their boxes */
  tacBox box;                  /* of the surface */
  tacVec3 centre;              /* centre and radius of a ball that contains surface and points */
  double radius;
  /* Deformation: */
  tacVec3 *skin;         /* [vertex] memory for `vertices`; NULL: rigid, or not tracked */
  float (*local)[4];     /* [vertex] `skin` in tree coordinates */
  tacBoxTreeNode *moved; /* memory for `nodes` */
  tacSurfacePoint *on;   /* memory for `listed` */
  double excess;         /* m: maximum distance of rest points outside the surface's ball */
  bool deformed;
  double *state;  /* [state_size] state at the last update, then memory for the present state */
  int state_size; /* 0: no state, or too large to compare */
} tacBodyPoints;

/* Load phase. `patch`: number of contacts that may be chosen per pair. `free`: a free body. At most 512 points of its
 * deforming shell are tested, since a few dozen contacts carry it and the parts between them sink in. `proximity`:
 * queries of the surface of a compliance body; else NULL. Call destroy after a failure, too. */
tacStatus tac_body_points_create(const tacBody *body, const tacBodySurface *surface, int patch, bool free,
                                 const tacProximity *proximity, tacBodyPoints *points, tacError *error);
void tac_body_points_destroy(tacBodyPoints *points);

/* Tick: updates to the body's present shape. `room`: [TAC_BODY_POINTS_VERTICES]. */
void tac_body_points_follow(tacBodyPoints *points, const tacBody *body, const tacBodySurface *surface, tacVec3 *room);
/* Tick: displaces the vertices of a compliance body, each by at most `most` (m). */
void tac_body_points_displace(tacBodyPoints *points, const tacBodySurface *surface, const tacVec3 *displaced,
                              double most);

static inline tacVec3 tac_body_points_vertex(const tacBodyPoints *points, const tacBody *body, int vertex) {
  return points->vertices != NULL ? points->vertices[vertex] : body->table->vertex(body->self, vertex);
}

/* Whether a listed point is at a vertex that is already tested as a vertex. */
static inline bool tac_body_points_is_vertex(const tacBodyPoints *points, int listed) {
  const double *w = points->listed[listed].weight;
  return points->corners && points->above == NULL && (w[0] == 1.0 || w[1] == 1.0 || w[2] == 1.0);
}
