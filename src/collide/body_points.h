/* Where a body is, for others that may meet it: the points by which it meets them, and what its surface is in. Points are those of
 * its shell down to a level of at most TAC_BODY_POINTS_MOST, or where it has none, places spread over its surface. Computed once for
 * each deformation. Frame: the body's. */
#pragma once

#include "asset/pointshell.h"
#include "collide/body_surface.h"
#include "collide/proximity.h"

enum { TAC_BODY_POINTS_MOST = 512, TAC_BODY_POINTS_VERTICES = 1024 /* of surfaces whose box is exact */ };

typedef struct tacBodyPoints {
  tacArrays arrays;
  int count;
  const tacPointshell *shell; /* NULL: on the surface */
  tacVec3 *places;            /* [count] */
  tacSurfacePoint
      *on; /* [count] of bodies that comply: on the surface, whose displacement they follow; of those that answer as the
                        * compliance of a step: vertices, which move on their own, as many as there is room for; else NULL */
  bool by_vertices; /* the latter */
  tacBox box;       /* of the surface */
  tacVec3 centre;   /* of a ball that holds the surface and the points */
  double radius;
  /* Of the deformation: */
  bool deformed;
  double *state;  /* [state_size] as far as it can be seen, and then room for another */
  int state_size; /* 0: it has none, or too much to compare */
} tacBodyPoints;

/* Load phase. `soft`: it deforms. `patch`: as many contacts may be chosen where it meets another. `proximity`: of its surface, where it answers as a compliance; else NULL. To be
 * destroyed on failure, too. */
tacStatus tac_body_points_create(const tacBody *body, const tacBodySurface *surface, bool soft, int patch,
                                 const tacProximity *proximity, tacBodyPoints *points, tacError *error);
void tac_body_points_destroy(tacBodyPoints *points);

/* Tick: as the body is now. `room`: [TAC_BODY_POINTS_VERTICES]. */
void tac_body_points_follow(tacBodyPoints *points, const tacBody *body, const tacBodySurface *surface, tacVec3 *room);
/* Tick: of a body that complies; what its vertices are displaced by, none by more than `most` (m). */
void tac_body_points_displace(tacBodyPoints *points, const tacBodySurface *surface, const tacVec3 *displaced,
                              double most);

tacSite tac_body_points_site(const tacBodyPoints *points, const tacBodySurface *surface, int point);
