/* Finds contact candidates: places on a body's surface near the distance field of another body.
 *
 * The search covers the whole surface. Triangles are found in a tree of boxes that follows the deformation. Points of a
 * shell are found in the shell's own tree. A part is skipped only if the field shows that the part is outside the
 * margin (asset/field_reach.h). Near triangles contribute their vertices and listed points. If the field has a lower
 * minimum in a face or on an edge, this minimum is also a candidate.
 *
 * The nearest parts are searched first. If a search exceeds its cost limit, it takes one vertex of each remaining part,
 * and `lost` counts these parts. If there are too many candidates, the search discards some. The deepest candidate of
 * each cell of a grid and all candidates chosen before are retained. The cells grow until all candidates fit.
 *
 * The functions may be called in a tick: they do not allocate, and the same input gives the same output. Only one
 * thread at a time may use the arena. */
#pragma once

#include <tactus/distance_field.h>
#include "asset/contact_field.h"
#include "asset/deformed_pose.h"
#include "base/memory/arena.h"
#include "collide/body_points.h"
#include "math/geometry/mat3.h"

typedef enum tacFieldFeature {
  TAC_FEATURE_SHELL,  /* point of the shell; index: number of the point */
  TAC_FEATURE_POINT,  /* listed point of the surface; index: position in tacBodyPoints.listed */
  TAC_FEATURE_VERTEX, /* vertex of the surface; index: vertex */
  TAC_FEATURE_EDGE,   /* minimum on an edge; index: 3 * triangle + corner opposite to the edge */
  TAC_FEATURE_FACE    /* minimum in a face; index: triangle */
} tacFieldFeature;

typedef struct tacFieldCandidate {
  tacFieldFeature feature;
  int index, part;    /* part: number of the searched part of a large triangle; 0 for a whole triangle */
  tacSurfacePoint on; /* position on the surface; unset for shell points */
  tacVec3 at;         /* position in the field's frame, m */
  double gap;         /* value of the field, m */
  tacVec3 normal; /* unit contact normal into the searched body, field's frame; zero: use the gradient of the field */
  bool kept;      /* true if the contact was chosen before, according to `tacFieldSearch.knows` */
} tacFieldCandidate;

/* Returns the field value at x, and writes the gradient unless `gradient` is NULL. */
typedef double (*tacFieldLookFn)(const void *context, tacVec3 x, tacVec3 *gradient);

typedef struct tacFieldSearch {
  tacMat3 turn; /* rotation from the body's frame to the field's frame; p becomes turn p + shift */
  tacVec3 shift;
  double margin;                 /* upper limit of the field values of candidates, m */
  tacBox box;                    /* box that contains all candidates, field's frame */
  const tacDistanceField *field; /* field at rest; NULL if `deformed` is used */
  const tacFieldReach *reach;    /* distance bounds of `field`; NULL if `deformed` is used */
  const tacDeformedPose *deformed;
  double swelling;     /* upper bound of the displacement of the field's surface, m; 0 without `look` */
  tacFieldLookFn look; /* computes exact values of the displaced field; NULL if the field is not displaced */
  const void *context; /* context of `look` and `knows` */
  /* returns true if the contact was chosen before; may be NULL */
  bool (*knows)(const void *context, tacFieldFeature feature, int index, int part);
  /* true: minima in faces are searched; false for deforming or displaced fields, since each value is slow */
  bool faces;
  /* least depth of a minimum below the corners and points of a triangle, relative to the triangle's size */
  double sag;
  double depth; /* depth above which a contact normal may be opposite to the face normal, m; infinite: never */
  double piece; /* size above which a triangle is searched in parts, m */
} tacFieldSearch;

typedef struct tacFieldFound {
  int count;
  int lost; /* number of omitted parts of the surface and omitted candidates */
  int cost; /* cost in field evaluations */
} tacFieldFound;

enum { TAC_FIELD_MEETING_CANDIDATES = 512, TAC_FIELD_MEETING_COST = 65536 };

/* Returns the arena bytes that a search needs. */
size_t tac_field_meeting_room(void);
/* Finds the candidates of one search. `candidates`: array, [TAC_FIELD_MEETING_CANDIDATES]. */
void tac_field_meeting_find(const tacBodyPoints *points, const tacBody *body, const tacBodySurface *surface,
                            const tacFieldSearch *search, tacArena *arena, tacFieldCandidate *candidates,
                            tacFieldFound *found);
