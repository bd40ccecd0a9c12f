/* Internal structure of a world. Only files of src/world include this header.
 *
 * A body responds to forces in one of four ways (<tactus/body.h>): it is rigid, it has coordinates, it has step
 * compliance, or it has static compliance.
 *
 * A contact between two bodies is either a penalty spring, or it is solved by the contact laws of Signorini and
 * Coulomb.
 *
 * A tick is one call of tac_world_step. A step of the world moves the bodies by `simulate_every` ticks. */
#pragma once

#include <stdatomic.h>
#include <stdlib.h>
#include <tactus/world.h>
#include "base/memory/arena.h"
#include "base/memory/array.h"
#include "body/body.h"
#include "body/compliance_memory.h"
#include "body/fingertip.h"
#include "body/frame.h"
#include "body/pads.h"
#include "body/step_response.h"
#include "collide/body_points.h"
#include "collide/body_surface.h"
#include "collide/broad_phase.h"
#include "collide/proximity.h"
#include "collide/surface_boxes.h"
#include "contact/contact_set.h"
#include "contact/point_contact.h"
#include "couple/held_body.h"
#include "couple/pad_tool.h"
#include "couple/pulled_frame.h"
#include "math/geometry/quat.h"

typedef struct tacPair tacPair; /* defined in world/pairs/pair.h */

/* Number of values in each part of the world's state. */
enum {
  TAC_WORLD_OF_POSE = 7,     /* pose: position, orientation */
  TAC_WORLD_OF_PRESS = 7,    /* contact force: triangle, three barycentric weights, force in the body's frame */
  TAC_WORLD_OF_TRACTION = 4, /* traction of a pad: vertex, traction in the body's frame */
  /* total load on a body, world frame: force, sum of force magnitudes, sum of force magnitude times position */
  TAC_WORLD_OF_LOAD = 7
};

/* Friction and stiffness that tools feel. Only the thread that steps the bodies sets these values. */
typedef struct tacBodyFeel {
  _Atomic double friction, stiffness; /* friction coefficient; stiffness, N/m */
} tacBodyFeel;

/* Hinge of a body that is a jaw, in the frame of the jaw. */
typedef struct tacBodyJaw {
  int carrier; /* index of the held body whose coordinates the jaw uses; -1 if the body is not a jaw */
  tacVec3 hinge, axis;
} tacBodyJaw;

/* Data for contact between tools and the surface of a body. Only bodies with static compliance and bodies that
 * fingertips may touch have these data. */
typedef struct tacBodyFingers {
  tacSurfaceWalk walk;
  tacProximity proximity; /* search for the nearest surface point; set only for bodies with static compliance */
  /* fingertip data, one for each fingertip radius of the world; NULL unless fingertips may touch a body with inertia */
  tacFingertip *tips;
  const tacPatch *patches; /* contact patches of the fingertips, [tool] */
} tacBodyFingers;

/* Displacement of a body with static compliance at the start of the step, in the body's frame; see
 * world/islands/contact_response.h. */
typedef struct tacBodyDisplaced {
  tacVec3 *by; /* displacement, m, [vertex]; NULL if the body cannot have contacts with bodies */
  double most;
  struct tacPresses *presses; /* forces that caused the displacement; NULL if `by` is NULL */
} tacBodyDisplaced;

/* Stored energy of a body, J; see world/store.h. */
typedef struct tacBodyStore {
  double energy, least; /* energy after the last step, relative to an arbitrary zero; minimum of this energy so far */
  /* Energy dissipated by sliding point tools, J: total since the first contact, and total at the start of the step. */
  double lost, lost_before;
} tacBodyStore;

/* Offsets of a body's data in the state of the world; -1 if the state does not contain these data. */
typedef struct tacBodyShownAt {
  int state;   /* displayed part of the body's own state */
  int pose;    /* pose; only for free and held bodies, and in movable worlds */
  int presses; /* contact forces on a body with static compliance */
  int load;    /* total load on the body */
  int error_estimate;
  int grip; /* tractions of pads on the body */
} tacBodyShownAt;

/* Pads on a body. All members are zero if no tool with pads is assigned to the body. */
typedef struct tacBodyGrip {
  tacPatchGrip *patches;
  int pads; /* total number of pads of all tools on the body */
} tacBodyGrip;

/* Schedule of a body. Times are counted in steps of the world (tacWorld.tick). */
typedef struct tacBodyTurn {
  int every;              /* number of world steps in one step of the body: def.every, or 1 while a tool acts on it */
  int phase;              /* first world step in which the body steps */
  int64_t next, attended; /* next world step in which the body steps; world step until which `every` is 1 */
  bool due;               /* true if the body steps in the present world step */
  bool renews;            /* true if the body takes the result of its separate thread in this step */
} tacBodyTurn;

/* Coordinates of a body in the equations of a step. */
typedef struct tacBodyMoves {
  int frame;      /* number of coordinates of the frame: 6 if the frame moves, 7 with the angle of jaws, otherwise 0 */
  int block;      /* index of the body's block; -1 if the body has no block in this step */
  int after;      /* index of the next body of the same block; -1 for the last body */
  int offset;     /* offset of the body's coordinates in the block; the coordinates of the frame come first */
  bool alone;     /* true if no force, contact or tool acts on the body and its frame does not move */
  bool meets;     /* true if the body has contacts solved by the contact laws */
  double pull[7]; /* right-hand side of the frame's equations of motion, N and N m */
  /* Impulses from longer steps of other bodies, [6 + n]: linear (N s), angular about the world's origin (N m s), then
   * generalized impulses of the n coordinates. The impulses are applied over the next `pending_left` seconds. */
  double *pending, pending_left;
} tacBodyMoves;

typedef struct tacWorldBody {
  tacBody body;
  tacFrame frame, start; /* present pose; initial pose */
  char *name, *kind;
  tacBodyDef def; /* definition of the body; its members `name` and `kind` are invalid, use the copies above */
  tacBodyFeel feel;
  int holder; /* index of the tool that holds the body; -1 if no tool holds the body */
  tacBodyJaw jaw;
  bool euler;                    /* true if the body steps by implicit Euler */
  const tacBodySurface *surface; /* surface data, owned by the world and used by all bodies with the same mesh */
  tacBodyPoints points;          /* points that detection tests against the fields of other bodies */
  tacSurfaceBoxes *boxes;        /* bounding boxes of the triangles; NULL unless surface detection tests the body */
  tacVec3 *skin;                 /* present vertex positions, [vertex]; NULL unless surface detection tests the body */
  tacBodyFingers fingers;
  tacBodyDisplaced displaced;
  tacBodyStore store;
  tacBodyShownAt shown;
  double error_estimate; /* last reported estimate of the model error; -1 if unknown */
  tacBodyGrip grip;
  /* ---- data of the current step ---- */
  tacBodyTurn turn;
  int size; /* n: number of generalized coordinates of the body, without its frame */
  tacBodyMoves moves;
  tacStepResponse yielding; /* of a body with step compliance */
  tacBodyStep step;
} tacWorldBody;

/* Position of a tool relative to a body that the tool does not touch, in the body's frame. */
typedef struct tacApproach {
  bool known;   /* true if the tool was outside the body in the previous step */
  tacVec3 from; /* position of the tool in the previous step */
  double clearance;
  tacSurfacePoint nearest;
} tacApproach;

enum { TAC_WORLD_MOST_FADING = 16 }; /* maximum number of fading contacts */

/* Contact of a point tool that released a body with static compliance. The force fades over several ticks, and other
 * tools still feel this force; see contact/point_group.h. */
typedef struct tacFadingContact {
  int body;
  int tip;               /* fingertip index of the tool; see tacWorldTool.tip */
  int64_t began;         /* world step in which the contact began */
  tacPointContact point; /* contact point and force, body's frame; the entry is unused if the state is none */
} tacFadingContact;

typedef struct tacWorldTool {
  char *name;
  tacVec3 position; /* tool position in the last valid input, m */
  double motion;    /* distance between the last two input positions, m */
  bool grab, lifted;
  double grip; /* commanded closing of the jaws, 0 (open) to 1 (closed); 1 if `grab` of the input is set */
  int body;    /* index of the touched body; -1 without contact */
  /* contact point; its force is in the frame of a body with static compliance, otherwise in the world frame */
  tacPointContact point;
  tacPointContact start; /* value of `point` at the start of this step */
  double radius;         /* radius of the fingertip, m; 0 for a point tool without radius */
  int tip;               /* 1 + index of `radius` in tacWorld.radii; 0 for a point tool without radius */
  /* Spring (N/m), normal and position of the contact patch, world frame. Valid only for a fingertip on a body with
   * inertia. */
  tacMat3 spring;
  tacVec3 normal, place;
  bool leaves;      /* true if the tool has left a body with inertia and the contact force fades */
  double stored;    /* stored energy that the tool may recover, J; see world/store.h */
  int64_t contacts; /* number of contacts since the last reset */
  int64_t began;    /* world step in which the last contact began */
  tacHeldBody held;
  tacPadTool pad;
} tacWorldTool;

/* Compliance between the contact points of two tools on one body. The value stays valid until one of the points
 * moves. */
typedef struct tacToolPair {
  int body; /* index of the body; -1 if the entry is empty */
  bool known, has_corners;
  tacSurfacePoint at, by;
  tacMat3 compliance;    /* compliance between the two contact points, m/N */
  tacMat3 corners[3][3]; /* compliance between the corners of the two touched triangles, m/N */
  /* upper bound of the product of the largest stiffness eigenvalues at the two points, N^2/m^2 */
  double stiffest;
} tacToolPair;

/* A block: bodies that springs connect in this tick, and their common equations of motion. See
 * world/islands/block.h. */
typedef struct tacBlock {
  int size;
  int first, last; /* first and last body of the block; tacBodyMoves.after links the bodies */
  double *linear;  /* symmetric matrix of frames and springs, without the bodies' own matrices, [size][size] */
  double *matrix;  /* symmetric matrix of the whole block; after factorisation its Cholesky factor, [size][size] */
  double *load;    /* right-hand side of frames and springs, [size] */
  double *motion;  /* motion in the last iteration of Newton's method, [size] */
  double *done;    /* sum of the motion in the previous iterations, [size]; NULL if there was only one iteration */
  int iterations;
  bool solved;
} tacBlock;

/* External force on a body in the next step. */
typedef struct tacPush {
  int body;
  tacSite site;
  tacVec3 at, force; /* point of action, m; force, N; both in the world frame */
  /* The members below are used only by tick forces (world/islands/tick_forces.h). */
  int answer;       /* index of the site of the force in the response of its body; -1: none */
  double stiffness; /* decrease of the force per motion of its point, N/m */
} tacPush;
enum { TAC_WORLD_MOST_PUSHES = 64, TAC_WORLD_MOST_COUPLED = 64, TAC_WORLD_MOST_TICK_FORCES = 256 };

/* W: Delassus operator of the last step. The operator is computed only while tac_world_delassus requests it. */
typedef struct tacWorldCoupling {
  int64_t until; /* last world step in which W is computed */
  int count;     /* number of contacts in W; W contains the first contacts of the world's list */
  double *w;     /* W, [3 count][3 count]; the array has space for TAC_WORLD_MOST_COUPLED contacts */
} tacWorldCoupling;

struct tacWorld {
  double period;                    /* length of a step of the world, s */
  double tick_period;               /* length of a tick, s */
  int simulate_every;               /* ticks per step */
  double look_ahead;                /* time for which detection predicts contacts, in steps */
  struct tacSimulation *simulation; /* simulation with longer steps; NULL if every tick is a step */
  uint32_t generation;              /* unique number of this world, stored in its body ids */
  bool sealed, movable;
  tacArrays sealing; /* owner of the arrays that sealing allocates for the world and its bodies */
  atomic_bool used;  /* true while a loop uses the world; see world_use.h */
  tacContactMethod method;
  tacLawsDef laws;  /* contact laws for free bodies without a defined pair */
  int most_presses; /* maximum number of contact forces in the state of a body with static compliance */
  size_t body_capacity;
  int body_count, tool_count;
  tacWorldBody *bodies;
  tacWorldTool tools[TAC_MOST_TOOLS];
  int radius_count; /* number of distinct fingertip radii */
  double radii[TAC_MOST_TOOLS];
  /* contact patches of the fingertips, followed by the patches of the previous local problem (docs/rates.md) */
  tacPatch patches[2 * TAC_MOST_TOOLS];
  tacApproach *approaches; /* positions of the tools relative to the bodies, [tool][body] */
  /* Fading contacts now, and at the start of the step. */
  tacFadingContact fading[TAC_WORLD_MOST_FADING], fading_start[TAC_WORLD_MOST_FADING];
  int fading_end, fading_start_end; /* indices after the last used entry of `fading` and of `fading_start` */
  tacToolPair *pairs;               /* one entry for every pair of contact points; see tac_world_tool_pair */
  size_t surface_capacity;
  int surface_count;
  tacBodySurface **surfaces; /* surface data, one for each mesh */
  size_t pair_capacity;
  int pair_count;
  tacPair *contact_pairs; /* defined pairs of bodies in distributed contact */
  double budget;          /* time budget for the pairs in a step, s; 0 for no budget */
  int64_t (*clock)(void); /* clock for the time budget, ns */
  bool learnt;            /* true if a step was taken since the last change of a cost limit */
  int state_size;
  bool has_floor;
  tacFloorDef floor;
  tacDistanceField *floor_field;
  /* Contacts solved by the contact laws. */
  tacContactSet contacts;
  /* stored compliances; NULL if no body with static compliance has contacts solved by the contact laws */
  tacComplianceMemory *compliances;
  tacWorldCoupling coupling;
  char *dump_folder; /* folder for files of contact problems; NULL if no files are written */
  int dump_every;
  bool dump_failed;
  tacBroadPhase *broad_phase; /* finds near bodies; NULL if the world has no free body */
  int push_count;
  tacPush pushes[TAC_WORLD_MOST_PUSHES];
  /* Tick forces: mean forces of the tools on bodies since the last step. Used only if a step is longer than a tick; see
   * docs/rates.md. */
  int tick_force_count;
  tacPush tick_forces[TAC_WORLD_MOST_TICK_FORCES];
  int pull_count;
  tacPull pulls[TAC_MOST_TOOLS];
  /* Temporary memory of a step. */
  tacArena arena;
  int block_count;
  tacBlock *blocks; /* blocks of this step, allocated for [body_count] */
  int *joined;      /* disjoint sets of touching bodies, [body_count]; used by world/store.h */
  int64_t tick;     /* number of world steps since the last reset */
  /* true if a replay sets `renewal`; false if bodies use the results of their threads as soon as they are ready */
  bool renewal_recorded;
  /* bodies that take the results of their threads in the next step: bits of tacTickReport.renewed */
  uint32_t renewal;
};

enum { TAC_WORLD_MOST_PRESSES = 2 * TAC_LAWS_MOST_PATCH };

/* Returns a body of this world. NULL if the id is invalid or belongs to another world. */
static inline tacWorldBody *tac_world_find(const tacWorld *world, tacBodyId id) {
  if (world == NULL || id.generation != world->generation || id.index >= (uint32_t)world->body_count) return NULL;
  return &world->bodies[id.index];
}

static inline tacApproach *tac_world_approach(tacWorld *world, int tool, int body) {
  return &world->approaches[tool * world->body_count + body];
}

/* Returns the number of contact points. Each tool has one contact point. In a world with several tools, each fading
 * contact has one as well. */
static inline int tac_world_points(const tacWorld *world) {
  return world->tool_count > 1 ? world->tool_count + TAC_WORLD_MOST_FADING : world->tool_count;
}

/* Returns the entry for the contact points i < j. */
static inline tacToolPair *tac_world_tool_pair(tacWorld *world, int i, int j) {
  return &world->pairs[j * (j - 1) / 2 + i];
}

static inline void tac_world_forget_pairs(tacWorld *world) {
  int points = tac_world_points(world);
  for (int p = 0; world->pairs != NULL && p < points * (points - 1) / 2; ++p) world->pairs[p].body = -1;
}

static inline bool tac_world_tool_is_point(const tacWorldTool *tool) {
  return tool->held.body < 0 && tool->pad.body < 0;
}

/* True if the body has static compliance: displacement = sum C f, without a state. C is the compliance. */
static inline bool tac_world_body_complies(const tacWorldBody *body) {
  return body->body.table->compliance != NULL;
}

/* True if the body has step compliance: motion in a step = free motion + sum C f. */
static inline bool tac_world_body_yields(const tacWorldBody *body) {
  return body->body.table->begin_step != NULL;
}

/* True if the body's next step applies the impulse that the tools gave in the previous ticks (docs/rates.md). In worlds with
 * steps longer than a tick, the value is true for all bodies with inertia. A free body with static compliance has
 * inertia. */
static inline bool tac_world_carries(const tacWorld *world, int body) {
  const tacWorldBody *b = &world->bodies[body];
  return world->simulate_every > 1 && (!tac_world_body_complies(b) || b->frame.mode == TAC_FRAME_FREE);
}

/* True if ticks, not steps, solve the contacts between two bodies. Steps are then longer than a tick, and a tool holds
 * one of the bodies. A negative `b` is the floor. */
static inline bool tac_world_leads(const tacWorld *world, int a, int b) {
  bool held = world->bodies[a].holder >= 0 || (b >= 0 && world->bodies[b].holder >= 0);
  return world->simulate_every > 1 && held;
}

static inline bool tac_world_body_has_field(const tacWorldBody *body) {
  const tacBodyDescription is = tac_body_describe(&body->body);
  return is.field != NULL || is.deformed_field != NULL;
}

/* Makes the body step once in `every` world steps, first in world step `phase`. Load phase. */
static inline void tac_world_body_set_every(tacWorldBody *body, int every, int phase) {
  body->def.every = body->turn.every = every;
  body->turn.phase = phase;
  body->turn.next = phase;
}

/* Frees all memory that sealing allocated. Call it also if sealing failed. */
void tac_world_unseal(tacWorld *world);
