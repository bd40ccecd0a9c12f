/* Where one body is near the field of another: places of its surface, of which contacts are made.
 *
 * Nothing of the body is left out beforehand. Triangles are found in a tree of boxes that follows the deformation, points of a shell in the
 * shell's own tree; a part is skipped only where the field says that nothing of it is within the margin (asset/field_reach.h). Near
 * triangles give their vertices, points that are listed on them, and the place where the field is least: in the face or on an edge, where
 * that is less than at the vertices. Between its points a surface is met there.
 *
 * The nearest parts are looked at first. Where a search costs more than its limit it ends, one vertex of each part that remains is looked
 * at, and `lost` says how many parts that were. A search that finds more candidates than there is room for keeps, of equal cells of space,
 * the deepest of each, and all that were kept before; the cells grow until there is room.
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
  int index, part;    /* part: of a large triangle that is searched in parts, else 0 */
  tacSurfacePoint on; /* of all but points of a shell */
  tacVec3 at;         /* m, field's frame */
  double gap;         /* m: the field's value */
  tacVec3
      normal; /* unit, field's frame, into the body: of a face whose inside is met; zero: the field's gradient is right */
  bool kept; /* as tacFieldSearch.knows says */
} tacFieldCandidate;

/* The value of a field at x, and its gradient where that is not NULL. */
typedef double (*tacFieldLookFn)(const void *context, tacVec3 x, tacVec3 *gradient);

typedef struct tacFieldSearch {
  tacMat3 turn; /* a place p of the body is turn p + shift in the field's frame */
  tacVec3 shift;
  double margin;                 /* m: values below this are wanted, */
  tacBox box;                    /* of places in this box, field's frame */
  const tacDistanceField *field; /* the field at rest; NULL where it deforms: */
  const tacFieldReach *reach;    /* of `field` */
  const tacDeformedPose *deformed;
  double swelling;     /* m: values differ from those of `field` by no more than places within this distance do */
  tacFieldLookFn look; /* where values do: the true ones; else NULL */
  const void *context; /* of look and knows */
  bool (*knows)(const void *context, tacFieldFeature feature, int index,
                int part); /* it was chosen before; may be NULL */
  bool
      faces; /* the least values in triangles are looked for; not of fields that deform or give way: each value takes long */
  double sag;   /* of a triangle's size: what is less below its corners and points is as deep as they are */
  double depth; /* m: places that are deeper come out where their face looks away from; infinite: none */
  double piece; /* m: larger triangles are searched in parts of this size */
} tacFieldSearch;

typedef struct tacFieldFound {
  int count; /* of candidates */
  int lost;  /* parts of the surface that were not looked at, to keep the limit */
  int cost;  /* values of fields */
} tacFieldFound;

enum { TAC_FIELD_MEETING_CANDIDATES = 512, TAC_FIELD_MEETING_COST = 65536 };

/* Room that a search takes from an arena. */
size_t tac_field_meeting_room(void);
/* Candidates are [TAC_FIELD_MEETING_CANDIDATES]. */
void tac_field_meeting_find(const tacBodyPoints *points, const tacBody *body, const tacBodySurface *surface,
                            const tacFieldSearch *search, tacArena *arena, tacFieldCandidate *candidates,
                            tacFieldFound *found);
