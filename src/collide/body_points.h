/* Where a body is, for others that may meet it: its surface, deformed as it is now, in boxes, and points on it. Vertices and faces of the
 * surface are met, and points that cover it: those of its shell, or where it has none, places spread over the triangles. Of a body in
 * coordinates that has a shell, the shell alone is met, through its own tree. Computed once for each deformation. Frame: the body's. */
#pragma once

#include "asset/field_reach.h"
#include "asset/pointshell.h"
#include "collide/body_surface.h"
#include "collide/proximity.h"

enum {
  TAC_BODY_POINTS_FEW = 512,
  TAC_BODY_POINTS_VERTICES = 1024 /* of surfaces of bodies in coordinates that are followed vertex by vertex */
};

/* One of the places of a body that has few: a point of the shell searched, a listed point, or a vertex. */
typedef struct tacBodyPlace {
  enum { TAC_PLACE_SHELL, TAC_PLACE_LISTED, TAC_PLACE_VERTEX } of;
  int index;
} tacBodyPlace;

typedef struct tacBodyPoints {
  tacArrays arrays;
  /* Of bodies with few of them, all points and vertices that are met: looked at one after the other, which is faster than in trees. */
  int few;
  tacBodyPlace *who;          /* [few] */
  tacVec3 *places;            /* [few] as they are now */
  const tacPointshell *shell; /* that is searched by its tree; NULL: none is */
  tacBoxTree *point_tree;     /* of a shell that does not deform: over its points, in place of its own */
  double spacing;             /* m: of the points, as a rule: the side of a square of the area of each */
  bool corners, faces;        /* vertices of the surface are met; and what is deeper between them and points */
  /* Points on triangles, beside the vertices; */
  int listed_count;
  const tacSurfacePoint *listed; /* [listed_count] */
  tacVec3 *above;                /* [listed_count] where each is beside its triangle, m; NULL: in it */
  int *rank;                     /* [triangle] in the order of the surface's tree */
  int *first_listed;             /* [rank + 1] -> on_triangle */
  int *on_triangle;              /* points, triangle by triangle in that order */
  const tacDistanceField *field; /* of the body, where it does not deform; */
  tacFieldReach reach;           /* and how near contact with it is */
  /* The surface as it is now. */
  const tacVec3 *vertices;     /* [vertex]; NULL: the body is asked */
  const tacBoxTreeNode *nodes; /* of surface->tree, with boxes of the deformed triangles */
  double loose;                /* m: by which vertices and points may be outside of their boxes */
  tacBox box;                  /* of the surface */
  tacVec3 centre;              /* of a ball that holds the surface and the points */
  double radius;
  /* Of the deformation: */
  tacVec3 *skin;         /* [vertex] room for `vertices`; NULL: they stay, or are not followed */
  float (*local)[4];     /* [vertex] the same in coordinates of the tree */
  tacBoxTreeNode *moved; /* likewise for `nodes` */
  tacSurfacePoint *on;   /* room for `listed` */
  double excess;         /* m: by which points at rest are outside of the surface's ball */
  bool deformed;
  double *state;  /* [state_size] as far as it can be seen, and then room for another */
  int state_size; /* 0: it has none, or too much to compare */
} tacBodyPoints;

/* Load phase. `patch`: as many contacts may be chosen where it meets another. `free`: of a shell that follows what it is displaced by, 512 points at most are met: contacts
 * of a few dozen bear such a body, and what lies between them sinks in. `proximity`: of its surface, where it answers as a compliance; else NULL. To be destroyed on failure, too. */
tacStatus tac_body_points_create(const tacBody *body, const tacBodySurface *surface, int patch, bool free,
                                 const tacProximity *proximity, tacBodyPoints *points, tacError *error);
void tac_body_points_destroy(tacBodyPoints *points);

/* Tick: as the body is now. `room`: [TAC_BODY_POINTS_VERTICES]. */
void tac_body_points_follow(tacBodyPoints *points, const tacBody *body, const tacBodySurface *surface, tacVec3 *room);
/* Tick: of a body that complies; what its vertices are displaced by, none by more than `most` (m). */
void tac_body_points_displace(tacBodyPoints *points, const tacBodySurface *surface, const tacVec3 *displaced,
                              double most);

static inline tacVec3 tac_body_points_vertex(const tacBodyPoints *points, const tacBody *body, int vertex) {
  return points->vertices != NULL ? points->vertices[vertex] : body->table->vertex(body->self, vertex);
}

/* Whether a listed point is a vertex, which is met as such. */
static inline bool tac_body_points_is_vertex(const tacBodyPoints *points, int listed) {
  const double *w = points->listed[listed].weight;
  return points->corners && points->above == NULL && (w[0] == 1.0 || w[1] == 1.0 || w[2] == 1.0);
}
