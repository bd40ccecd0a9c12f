/* Collects the contact candidates of one search, and evaluates the field for the search (collide/field_meeting.h). */
#pragma once

#include <math.h>
#include <tactus/distance_field.h>
#include "asset/contact_field.h"
#include "asset/deformed_pose.h"
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

/* Memory of the searches of one body's surface in one field: for each part of the surface, how far the body may move
 * before the part can be near the field. A part is skipped until then, which does not change the candidates.
 *
 * Let a place of the part be at the distance D from all places with field values below the margin, when the sum of all
 * motions is W. The place cannot be within the margin while W' - W < D, where W' is the later sum. The bound of D does
 * not contain the present margin, displacement of the field and looseness of boxes, because they change in both
 * directions. Their sum is the level of a search. So a part is skipped while W' + level' < `until`. */
typedef struct tacFieldSlack {
  double (*boxes)[TAC_BOX_TREE_WIDTH];  /* `until` of each child of a node of the surface's tree, m */
  double (*points)[TAC_BOX_TREE_WIDTH]; /* the same for the tree of the points of a rigid shell; NULL without one */
  double *triangles;                    /* `until` of each triangle, m */
  double moved;                         /* W: sum of the bounds of the motion of all places in the field's frame, m */
  /* ---- the last search ---- */
  tacMat3 turn;
  tacVec3 shift;
  tacBox box; /* searched box without the margin, field's frame */
  double way; /* value of tacBodyPoints.way, m */
} tacFieldSlack;

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
  /* memory of earlier searches of the same surface in the same field; NULL: every part is tested */
  tacFieldSlack *slack;
} tacFieldSearch;

typedef struct tacFieldFound {
  int count;
  int lost; /* number of omitted parts of the surface and omitted candidates */
  int cost; /* cost in field evaluations */
} tacFieldFound;

/* limits of a search: candidates, and field evaluations */
enum { TAC_FIELD_MEETING_CANDIDATES = 512, TAC_FIELD_MEETING_COST = 65536 };

/* State of a search. */
typedef struct tacFieldGather {
  const tacBodyPoints *points;
  const tacBody *body;
  const tacBodySurface *surface;
  const tacFieldSearch *with;
  tacFieldCandidate *candidates; /* [TAC_FIELD_MEETING_CANDIDATES] found candidates */
  tacFieldFound *found;
  double reach_of_margin;
  double loose;   /* largest distance of a place outside the boxes and balls of the search, m */
  double level;   /* `moved` plus the level of the search (tacFieldSlack), m */
  int32_t *cells; /* [TAC_FIELD_GATHER_CELLS] memory to discard candidates */
  int first;      /* index of the first candidate on the present triangle */
  double listed;  /* least field value of the listed points on the present triangle */
} tacFieldGather;

/* size of a hash table of grid cells, a power of two */
enum { TAC_FIELD_GATHER_CELLS = 2048 };

static inline tacVec3 tac_field_gather_into(const tacFieldGather *s, tacVec3 p) {
  return tac_vec3_add(tac_mat3_mul_vec(s->with->turn, p), s->with->shift);
}
static inline bool tac_field_gather_in_box(const tacBox *box, tacVec3 x) {
  return (x.x >= box->lower.x) & (x.x <= box->upper.x) & (x.y >= box->lower.y) & (x.y <= box->upper.y) &
         (x.z >= box->lower.z) & (x.z <= box->upper.z);
}

/* Adds a candidate if it is within the margin and the searched box. If there are too many, discards some. */
void tac_field_gather_offer(tacFieldGather *s, tacFieldCandidate c);
/* Computes field values. */
void tac_field_gather_look(tacFieldGather *s, int count, const tacVec3 *x, double *values);
/* Computes field values. If the field is displaced, computes exact values for places that may be inside the margin.
 * Returns the least value of the field that is not displaced. */
double tac_field_gather_look_truly(tacFieldGather *s, int count, const tacVec3 *x, double *values);
double tac_field_gather_gradient(tacFieldGather *s, tacVec3 x, tacVec3 *gradient);
/* True if a ball may contain a place inside the margin. `value`: field value at the centre of the ball. */
bool tac_field_gather_is_near(const tacFieldGather *s, double value, double radius);
/* True if a ball overlaps the searched box. */
bool tac_field_gather_meets_box(const tacFieldGather *s, tacVec3 centre, double radius);
/* Finds the balls that may contain a place inside the margin; at most TAC_BOX_TREE_WIDTH. Sets bit i of the result for
 * each such ball i. `bounds[i]` becomes a lower bound of the field values in ball i. `apart`: NULL, or for each other
 * ball a bound of its distance from the margin plus the level of the search (tacFieldSlack), m; -infinity if
 * unknown. */
unsigned tac_field_gather_near_balls(tacFieldGather *s, int count, const tacVec3 *centres, const double *radii,
                                     double *bounds, double *apart);
/* Computes the centroid of a triangle, `*middle`, and returns the radius of a ball around it that contains the
 * triangle. */
double tac_field_gather_ball_around(const tacVec3 *a, const tacVec3 *b, const tacVec3 *c, tacVec3 *middle);

/* Starts a search that uses the slack `with->slack`: adds the motion since the last search to `moved`, and sets
 * `level`. Without slack, `level` becomes infinite. */
void tac_field_gather_begin(tacFieldGather *s);
/* True if a part may be skipped; `until`: its entry of the slack. */
static inline bool tac_field_gather_skips(const tacFieldGather *s, double until) {
  return s->level < until;
}
/* Returns the entry of a part that is `apart` from the margin (tac_field_gather_near_balls), m. */
static inline double tac_field_gather_until(const tacFieldGather *s, double apart) {
  return s->with->slack->moved + apart - s->points->late;
}
/* Returns how far places with field values of at least `value` are apart from the margin, as near_balls does. */
static inline double tac_field_gather_apart(const tacFieldGather *s, double value) {
  return s->with->deformed != NULL ? -INFINITY : tac_field_reach_at(s->with->reach, value);
}
/* Returns the distance of a place from the searched box without the margin, m: a bound as above. -infinity without
 * slack. */
double tac_field_gather_apart_box(const tacFieldGather *s, tacVec3 x);
