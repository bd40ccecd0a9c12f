/* Prepares the shape of a body for contact detection: the boxes of its deformed surface, and the tested points.
 *
 * Contact detection tests the vertices and faces of the surface, and points that cover the surface. The points come
 * from the body's pointshell. Without a shell, the points are spread over the triangles. If a body with generalized
 * coordinates has a shell, only the shell is tested, through the shell's own tree. The shape is computed once per
 * deformation. All positions are in the body's frame. */
#pragma once

#include "asset/field_reach.h"
#include "asset/pointshell.h"
#include "collide/body_surface.h"
#include "collide/proximity.h"

enum {
  TAC_BODY_POINTS_FEW = 512,
  TAC_BODY_POINTS_VERTICES = 1024 /* maximum number of tracked vertices of a body with generalized coordinates */
};

/* A tested place: a point of the shell, a listed point, or a vertex. Used if the body has at most TAC_BODY_POINTS_FEW
 * places. */
typedef struct tacBodyPlace {
  enum { TAC_PLACE_SHELL, TAC_PLACE_LISTED, TAC_PLACE_VERTEX } of;
  int index;
} tacBodyPlace;

typedef struct tacBodyPoints {
  tacArrays arrays;
  /* number of places; 0 if a tree is used instead */
  int few;
  tacBodyPlace *who;          /* [few] tested places */
  tacVec3 *places;            /* [few] present positions of the places, m */
  const tacPointshell *shell; /* shell whose points are tested; NULL if the body has none */
  tacBoxTree *point_tree;     /* tree of the points of a rigid shell, used instead of the shell's own tree */
  double spacing;             /* typical distance between neighbouring points, m */
  /* `corners`: vertices are tested. `faces`: faces are searched for places deeper than their points and vertices. */
  bool corners, faces;
  /* number of listed points, which are tested points on triangles in addition to the vertices */
  int listed_count;
  const tacSurfacePoint *listed; /* [listed_count] positions of the listed points on the surface */
  /* [listed_count] offset of each listed point from its triangle, m; NULL if all are zero */
  tacVec3 *above;
  int *rank;                     /* [triangle] rank: the position of the triangle in the order of the surface's tree */
  int *first_listed;             /* [triangle_count + 1] first index in `on_triangle` for each rank */
  int *on_triangle;              /* [listed_count] indices of the listed points, sorted by rank */
  const tacDistanceField *field; /* distance field of the body; NULL if the body has none */
  tacFieldReach reach;           /* lower bounds of the distance to contact, from values of `field` */
  /* ---- present surface ---- */
  const tacVec3 *vertices;     /* [vertex] positions; NULL: the body computes each vertex on request */
  const tacBoxTreeNode *nodes; /* nodes of `surface->tree` with the boxes of the deformed triangles */
  double loose;   /* largest distance of a point outside the triangle or, without `vertices`, outside the box, m */
  double late;    /* bound of the motion of the vertices since the boxes were fitted, m */
  double way;     /* sum of the bounds of all motions of the vertices in the body's frame, m */
  tacBox box;     /* bounding box of the surface */
  tacVec3 centre; /* centre of the ball that contains the surface and the points */
  double radius;
  /* ---- deformation ---- */
  tacVec3 *skin;         /* [vertex] buffer for `vertices`; NULL if vertices are not tracked */
  float (*local)[4];     /* [vertex] copy of `skin` in tree coordinates */
  tacBoxTreeNode *moved; /* buffer for `nodes` */
  tacSurfacePoint *on;   /* buffer for `listed` */
  double excess;         /* largest distance of a shell point at rest outside the bounding ball of the surface, m */
  bool deformed;
  bool fitted;    /* true if `moved` has boxes of deformed vertices that `late` refers to */
  double *state;  /* [2 * state_size] state at the last update, followed by memory for the present state */
  int state_size; /* size of the state; 0 if the body has no state or a state too large to compare */
} tacBodyPoints;

/* Creates the tested points and the surface data of a body. Call in the load phase. `patch`: maximum number of contacts
 * per pair of bodies. `free`: true for a body that moves freely. At most 512 points of its deforming shell are tested,
 * since a few dozen contacts support the body. `proximity`: queries of the surface of a static-compliance body; NULL
 * for other bodies. Call tac_body_points_destroy even after a failure. */
tacStatus tac_body_points_create(const tacBody *body, const tacBodySurface *surface, int patch, bool free,
                                 const tacProximity *proximity, tacBodyPoints *points, tacError *error);
void tac_body_points_destroy(tacBodyPoints *points);

/* Updates the data to the present shape of the body. May be called in a tick. `room`: work memory,
 * [TAC_BODY_POINTS_VERTICES]. */
void tac_body_points_follow(tacBodyPoints *points, const tacBody *body, const tacBodySurface *surface, tacVec3 *room);
/* Displaces the vertices of a static-compliance body, each by at most `most` (m). May be called in a tick. */
void tac_body_points_displace(tacBodyPoints *points, const tacBodySurface *surface, const tacVec3 *displaced,
                              double most);

static inline tacVec3 tac_body_points_vertex(const tacBodyPoints *points, const tacBody *body, int vertex) {
  return points->vertices != NULL ? points->vertices[vertex] : body->table->vertex(body->self, vertex);
}

/* True if a listed point is at a vertex that is already tested as a vertex. */
static inline bool tac_body_points_is_vertex(const tacBodyPoints *points, int listed) {
  const double *w = points->listed[listed].weight;
  return points->corners && points->above == NULL && (w[0] == 1.0 || w[1] == 1.0 || w[2] == 1.0);
}
