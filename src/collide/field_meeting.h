/* Finds places of a body's surface near the field of another body, as contact candidates.
 *
 * No part of the body is excluded beforehand. Triangles are found in a tree of boxes that follows the deformation,
 * points of a shell in the shell's own tree. A part is skipped only if the field shows that it is outside the margin
 * (asset/field_reach.h). Near triangles contribute their vertices and their listed points. If the field has a smaller
 * value in the face or on an edge than at the vertices, they also contribute the place of this minimum.
 *
 * The nearest parts come first. A search that exceeds its cost limit ends with one vertex of each remaining part, and
 * `lost` counts these parts. If a search finds more candidates than fit, it keeps the deepest of each cell of a grid,
 * and all that were kept before; the cells grow until all fit.
 *
 * Tick: no allocation, one thread at a time; the same input gives the same output. */
#pragma once

#include <tactus/distance_field.h>
#include "asset/contact_field.h"
#include "asset/deformed_pose.h"
#include "base/memory/arena.h"
#include "collide/body_points.h"
#include "math/geometry/mat3.h"

typedef enum tacFieldFeature {
  TAC_FEATURE_SHELL,  /* index: point of the shell */
  TAC_FEATURE_POINT,  /* index: listed point of the surface */
  TAC_FEATURE_VERTEX, /* index: vertex */
  TAC_FEATURE_EDGE,   /* index: 3 triangle + the corner opposite */
  TAC_FEATURE_FACE    /* index: triangle */
} tacFieldFeature;

typedef struct tacFieldCandidate {
  tacFieldFeature feature;
  int index, part;    /* part: of a large triangle searched in parts, else 0 */
  tacSurfacePoint on; /* surface point; not for shell points */
  tacVec3 at;         /* m, field's frame */
  double gap;         /* m: the field's value */
  tacVec3 normal; /* unit, field's frame, into the body: for contact inside a face; zero: use the field's gradient */
  bool kept;      /* result of tacFieldSearch.knows */
} tacFieldCandidate;

/* Field value at x, and its gradient unless NULL. */
typedef double (*tacFieldLookFn)(const void *context, tacVec3 x, tacVec3 *gradient);

typedef struct tacFieldSearch {
  tacMat3 turn; /* body to field's frame: p -> turn p + shift */
  tacVec3 shift;
  double margin;                 /* m: finds values below this */
  tacBox box;                    /* finds only places in this box, field's frame */
  const tacDistanceField *field; /* rest field; NULL if it deforms: */
  const tacFieldReach *reach;    /* of `field` */
  const tacDeformedPose *deformed;
  double swelling;     /* m: true values differ from `field` by at most the variation of `field` within this distance */
  tacFieldLookFn look; /* true values, if they differ; else NULL */
  const void *context; /* for look and knows */
  bool (*knows)(const void *context, tacFieldFeature feature, int index, int part); /* chosen before; may be NULL */
  bool faces;   /* searches minima in triangles; not for fields that deform or yield: each value is slow */
  double sag;   /* relative to a triangle's size: minima less than this below its corners and points are ignored */
  double depth; /* m: contact normals of deeper places may be opposite to their face's normal; infinite: never */
  double piece; /* m: larger triangles are searched in parts of this size */
} tacFieldSearch;

typedef struct tacFieldFound {
  int count; /* number of candidates */
  int lost;  /* parts of the surface skipped to keep the limit */
  int cost;  /* field evaluations */
} tacFieldFound;

enum { TAC_FIELD_MEETING_CANDIDATES = 512, TAC_FIELD_MEETING_COST = 65536 };

/* Arena bytes of a search. */
size_t tac_field_meeting_room(void);
/* Candidates are [TAC_FIELD_MEETING_CANDIDATES]. */
void tac_field_meeting_find(const tacBodyPoints *points, const tacBody *body, const tacBodySurface *surface,
                            const tacFieldSearch *search, tacArena *arena, tacFieldCandidate *candidates,
                            tacFieldFound *found);
