/* What a world is made of; for the files of this room. */
#ifndef TAC_WORLD_WORLD_PARTS_H
#define TAC_WORLD_WORLD_PARTS_H

#include <stdatomic.h>
#include <stdlib.h>
#include <tactus/world.h>
#include "body/green_body.h"
#include "body/reduced_body.h"
#include "collide/deformed_surface.h"
#include "collide/proximity.h"
#include "contact/point_contact.h"
#include "couple/coupling.h"
#include "math/quat.h"
#include "world/crowd.h"
#include "world/pair.h"

#define TAC_WORLD_GRAB_REACH 1e-3 /* m: a free tool nearer than this to a surface may grab it */
/* N/s: beyond its tool's motion a contact slides so far that its force changes by about this. */
#define TAC_WORLD_SLIDE_RATE 100.0

typedef struct tacBodyOps tacBodyOps;

typedef struct tacWorldBody {
  const tacBodyOps *ops;
  tacBodyKind kind;
  char *name;
  tacVec3 position; /* at the start */
  tacQuat orientation;
  _Atomic double friction; /* the thread that steps sets it, others ask for it */
  int state;               /* where its numbers begin in the world's state, or -1 */
  int pose_state;          /* where its pose begins there, or -1 */
  int holder;              /* the tool that holds it, or -1 */
  /* For pairs; NULL where it has none. */
  const tacPointshell *shell;
  const tacDistanceField *field;          /* of a rigid body, */
  tacFieldReach reach;                    /* and how it culls */
  const tacDeformedField *deformed_field; /* of a reduced one, */
  tacDeformedPose *deformed_pose;         /* and its present shape */
  /* TAC_BODY_RIGID */
  const tacTriMesh *mesh;
  bool *unfixed;        /* [vertex]: none is fixed */
  tacVec3 now_position; /* in this tick */
  tacQuat now_orientation;
  /* TAC_BODY_GREEN */
  tacGreenBody *green;
  tacProximity proximity;
  double mask_radius;
  /* TAC_BODY_REDUCED */
  tacReducedBody *reduced;
  const tacDeformedSurface *surface;         /* the world's: bodies of one asset share it */
  int every, phase;                          /* it advances in ticks that are `phase` modulo `every` */
  int64_t advanced;                          /* the last tick in which it was asked to */
  double touch;                              /* N/m */
  double touch_damping;                      /* N s/m */
  double contact_stiffness, contact_damping; /* N/m, N s/m */
  _Atomic double *values;                    /* [parameter]: like friction */
} tacWorldBody;

/* What a tool knows of one body while it does not touch it, in the body's frame. */
typedef struct tacApproach {
  bool known;   /* it was outside in the step before */
  tacVec3 from; /* where it was then */
  double clearance;
  tacSurfacePoint nearest;
} tacApproach;

/* What a tool that holds a body knows. */
typedef struct tacHeldBody {
  int body; /* -1: a point tool */
  tacBodyToolDef def;
  tacCouplingDef coupling;
  tacQuat turn;             /* last good input: from the orientation at the start */
  bool moving;              /* there was an input before: the velocity is known */
  tacGrasp device;          /* where the device has the grasp */
  double share;             /* of what the hand feels, 0 to 1: it comes back after the tool was lifted */
  tacTwist device_velocity; /* smoothed */
  tacTwist velocity;        /* of the body's grasp, with a dynamic coupling */
} tacHeldBody;

typedef struct tacWorldTool {
  char *name;
  tacVec3 position; /* last good input */
  double motion;    /* m, since the one before */
  bool grab, lifted;
  int body;              /* that it touches, or -1 */
  tacPointContact point; /* in that body's frame; of reduced bodies: the force in the world's */
  tacSurfacePoint start; /* of the contact point in this step */
  double stiffness;      /* there, mean of its eigenvalues, N/m */
  tacHeldBody held;
} tacWorldTool;

/* The compliance between the points of two tools on one body, kept until one of them moves. In a step it is that of the points
 * from which the contacts start: how far they slide within it changes it little. */
typedef struct tacToolPair {
  int body; /* -1: unknown */
  tacSurfacePoint at, by;
  tacMat3 compliance; /* m/N */
} tacToolPair;

struct tacWorld {
  double period;
  uint32_t generation; /* of this world's ids */
  bool sealed;
  atomic_bool used; /* see world_use.h */
  size_t body_capacity;
  int body_count, tool_count;
  tacWorldBody *bodies;
  tacWorldTool tools[TAC_MOST_TOOLS];
  tacApproach *approaches; /* [tool][body] */
  tacToolPair pairs[TAC_MOST_TOOLS][TAC_MOST_TOOLS];
  size_t surface_capacity;
  int surface_count;
  tacDeformedSurface **surfaces; /* one an asset */
  size_t pair_capacity;
  int pair_count;
  tacPair *contact_pairs; /* in distributed contact */
  double *answer;         /* room for a reduced force, its stiffness, its mixture with six motions, and coordinates */
  int joint;              /* the tool that is solved together with the body that advances, or -1 */
  double budget;          /* s */
  int state_size;
  bool has_floor;
  tacFloorDef floor;
  tacCrowd crowd;
  int64_t tick; /* since reset: which bodies advance */
};

/* What a kind of body does. Contact code knows bodies through this table alone. */
struct tacBodyOps {
  void (*destroy)(tacWorldBody *body);
  void (*reset)(tacWorldBody *body);
  const tacTriMesh *(*surface)(const tacWorldBody *body);
  const bool *(*fixed)(const tacWorldBody *body);
  double (*most_stiffness)(const tacWorldBody *body);

  /* A step, in this order. A free tool meets the body: sets its contact point and `tool->body`. */
  void (*approach)(tacWorld *world, int tool, int body, tacTickReport *report);
  /* The contacts of all tools on the body, and its motion. */
  void (*advance)(tacWorld *world, int body, int *budget, tacTickReport *report);
  /* A tool whose contact ended (state none) is free again, or takes hold elsewhere. */
  void (*release)(tacWorld *world, int tool, int *budget, tacTickReport *report);
  /* What is told of a tool that touches it; always finite with finite assets. */
  void (*describe)(tacWorld *world, int tool, tacToolOutput *output, tacTickReport *report);

  int (*parameter_count)(const tacWorldBody *body);
  tacParameter (*parameter)(const tacWorldBody *body, int index); /* the name without the body's */
  tacStatus (*set_parameter)(tacWorldBody *body, int index, double value, tacError *error);

  /* Display, from a snapshot; any thread. */
  tacPose (*pose)(const tacWorldBody *body, const tacSnapshot *snapshot);
  void (*vertices)(const tacWorldBody *body, uint32_t index, const tacSnapshot *snapshot, tacVec3 *vertices);
  void (*tractions)(const tacWorldBody *body, uint32_t index, const tacSnapshot *snapshot, tacVec3 *tractions);
  void (*sensors)(const tacWorldBody *body, uint32_t index, const tacSnapshot *snapshot,
                  double *values); /* may be NULL */
};

extern const tacBodyOps tac_green_touch, tac_reduced_touch, tac_rigid_body;

/* NULL: an id of another world, or of nothing. */
static inline tacWorldBody *tac_world_find(const tacWorld *world, tacBodyId id) {
  if (id.generation != world->generation || id.index >= (uint32_t)world->body_count) return NULL;
  return &world->bodies[id.index];
}

static inline void tac_world_body_free(tacWorldBody *body) {
  body->ops->destroy(body);
  free(body->name);
}

static inline tacVec3 tac_world_body_position(const tacWorldBody *body) {
  return body->kind == TAC_BODY_REDUCED ? tac_reduced_body_position(body->reduced) : body->now_position;
}

static inline tacQuat tac_world_body_orientation(const tacWorldBody *body) {
  return body->kind == TAC_BODY_REDUCED ? tac_reduced_body_orientation(body->reduced) : body->now_orientation;
}

/* The answer of all pairs to the motion of a reduced body becomes a load of its next advance. */
void tac_world_load_pairs(tacWorld *world, int body);
/* It has advanced: the pairs take what it deformed since they were loaded. */
void tac_world_pairs_deformed(tacWorld *world, int body);

/* The parameters of a body whose `reduced` is there already. */
tacStatus tac_reduced_touch_begin(tacWorldBody *body, const tacReducedBodyDef *def, tacError *error);

static inline tacApproach *tac_world_approach(tacWorld *world, int tool, int body) {
  return &world->approaches[tool * world->body_count + body];
}

static inline void tac_world_forget_pairs(tacWorld *world) {
  for (int a = 0; a < TAC_MOST_TOOLS; ++a)
    for (int b = 0; b < TAC_MOST_TOOLS; ++b) world->pairs[a][b].body = -1;
}

#endif
