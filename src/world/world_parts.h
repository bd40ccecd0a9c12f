/* Internal structure of a world; for the files of src/world. */
#pragma once

#include <stdatomic.h>
#include <stdlib.h>
#include <tactus/world.h>
#include "base/memory/arena.h"
#include "base/memory/array.h"
#include "body/body.h"
#include "body/fingertip.h"
#include "body/frame.h"
#include "body/pads.h"
#include "body/response.h"
#include "collide/body_points.h"
#include "collide/body_surface.h"
#include "collide/broad_phase.h"
#include "collide/proximity.h"
#include "collide/surface_boxes.h"
#include "contact/contact_set.h"
#include "contact/point_contact.h"
#include "couple/coupling.h"
#include "math/geometry/quat.h"

typedef struct tacPair tacPair;                         /* world/pairs/pair.h */
typedef struct tacComplianceMemory tacComplianceMemory; /* world/islands/contact_response.h */

/* Data of a step-compliance body in a step: world/islands/contact_response.h. */
typedef struct tacYielding {
  tacResponse response; /* sites: contacts, external forces, then springs of point tools; `count` -1: no room */
  int contacts;         /* number of contact sites */
  tacVec3 *motion;      /* m: free motion */
  double *base;         /* N: change of the spring forces if the contact forces stay the same */
} tacYielding;

/* Sizes of the parts of a state, in numbers. Their order in a state permits interpolation between states. */
enum {
  TAC_WORLD_OF_POSE = 7,     /* position, orientation */
  TAC_WORLD_OF_PRESS = 7,    /* triangle, three weights, force in the body's frame */
  TAC_WORLD_OF_TRACTION = 4, /* vertex, traction in the body's frame; stored after the body's stiffness */
  TAC_WORLD_OF_LOAD = 7 /* total load on a body: force, sum of magnitudes, sum of magnitude times place; world frame */
};

/* Properties that tools feel; set by the thread that steps, requested by others. */
typedef struct tacBodyFeel {
  _Atomic double friction, stiffness; /* 1, N/m */
} tacBodyFeel;

/* Hinge of a body that is a jaw, in the jaw's frame. */
typedef struct tacBodyJaw {
  int carrier; /* body held by the tool; the jaw shares its coordinates; -1: not a jaw */
  tacVec3 hinge, axis;
} tacBodyJaw;

/* Data for finger contact on a body's surface: for compliance bodies, and for bodies that fingertips touch. */
typedef struct tacBodyFingers {
  tacSurfaceWalk walk;
  tacProximity proximity;  /* only for compliance bodies */
  tacFingertip *tips;      /* [fingertip radius of the world], if fingertips touch a body with inertia; else NULL */
  const tacPatch *patches; /* patches of the world, [tool] */
} tacBodyFingers;

/* Displacement of a compliance body at the start of the step, body's frame: world/islands/contact_response.h. */
typedef struct tacBodyDisplaced {
  tacVec3 *by; /* displacement, [vertex]; NULL: no contacts with bodies */
  double most;
  struct tacPresses *presses; /* forces that caused the displacement; NULL: no contacts with bodies */
} tacBodyDisplaced;

/* Stored energy of a body, J: world/store.h. */
typedef struct tacBodyStore {
  double energy, least; /* energy after the last step, from an arbitrary reference; its minimum so far */
  /* Energy dissipated by sliding point tools since the first contact; its value at the start of the step. */
  double lost, lost_before;
} tacBodyStore;

/* Offsets of a body's numbers in the world's state; -1: the body has none. */
typedef struct tacBodyShownAt {
  int state;   /* first number */
  int pose;    /* only for free and held bodies */
  int presses; /* contact forces between a compliance body and other bodies */
  int load;    /* total load on the body */
  int error_estimate;
  int grip; /* tractions of pads */
} tacBodyShownAt;

/* Pads on a body; NULL and 0 if no pads may hold it. */
typedef struct tacBodyGrip {
  tacPatchGrip *patches;
  int pads; /* number of pads of all tools */
} tacBodyGrip;

/* Schedule of a body, in ticks. */
typedef struct tacBodyTurn {
  int every;              /* step length: def.every; 1 while a hand acts on it */
  int phase;              /* tick of its first step */
  int64_t next, attended; /* tick of its next step; last tick in which a hand acts on it */
  bool due;               /* it steps in this tick */
  bool renews;            /* it uses the result of its own thread in this step */
} tacBodyTurn;

/* Coordinates of a body in a step. */
typedef struct tacBodyMoves {
  int frame;      /* coordinates of the frame: 6 if it moves, 7 with the angle of jaws, else 0 */
  int block;      /* index of its block; -1: the body does not move */
  int after;      /* the next body of its block, or -1 */
  int offset;     /* of its coordinates in the block: frame first, then its own coordinates */
  bool alone;     /* no force, contact or tool acts on it, and its frame does not move */
  bool meets;     /* it has contacts that obey laws */
  double pull[7]; /* N, N m: load in the equations of the frame */
  /* Impulses from others' longer steps, applied over the time `pending_left`, s: [6 + n], N s; moments about the
   * world's origin, N m s. */
  double *pending, pending_left;
} tacBodyMoves;

typedef struct tacWorldBody {
  tacBody body;
  tacFrame frame, start; /* present pose, initial pose */
  char *name, *kind;
  tacBodyDef def; /* do not use its name and kind; use the copies above */
  tacBodyFeel feel;
  int holder; /* tool that holds the body, or -1 */
  tacBodyJaw jaw;
  bool euler;                    /* its contacts obey laws, so it steps by implicit Euler */
  const tacBodySurface *surface; /* owned by the world; shared by bodies of one mesh */
  tacBodyPoints points;          /* points tested against the fields of other bodies */
  tacSurfaceBoxes *boxes;        /* only for surface detection; else NULL */
  tacVec3 *skin;                 /* [vertex], present positions; only for surface detection, else NULL */
  tacBodyFingers fingers;
  tacBodyDisplaced displaced;
  tacBodyStore store;
  tacBodyShownAt shown;
  double error_estimate; /* last reported; -1: none */
  tacBodyGrip grip;
  /* ---- of the step ---- */
  tacBodyTurn turn;
  int size; /* n: number of its own coordinates */
  tacBodyMoves moves;
  tacYielding yielding;
  tacBodyStep step;
} tacWorldBody;

/* State of a tool relative to a body that it does not touch, body's frame. */
typedef struct tacApproach {
  bool known;   /* outside in the previous step */
  tacVec3 from; /* position of the tool in the previous step */
  double clearance;
  tacSurfacePoint nearest;
} tacApproach;

/* A jaw of a tool, in the frame of the held body. */
typedef struct tacJaw {
  int body;
  tacVec3 hinge, axis; /* m; unit */
  tacVec3 place;       /* position of the jaw's frame when open */
  tacQuat turn;        /* orientation of the jaw's frame when open */
} tacJaw;

/* Remaining force on a hand after it released a body. The force is a spring with a limit: a share of the force at
 * release that falls to zero. Above the limit the spring slips. So the force ends without a jump, and the hand gets at
 * most the energy that the coupling stored. */
typedef struct tacHeldLeft {
  tacWrench wrench;
  double force, torque; /* N, N m: magnitudes at release */
  double share;         /* share of these magnitudes that remains, 1 to 0 */
} tacHeldLeft;

/* Resistance of a held body's coupling and contacts in its last step. */
typedef struct tacHeldMet {
  bool known;                     /* valid, and the body was in contact */
  double own[6][6], factor[6][6]; /* A of the coupling; Cholesky factor of A + K, with K of the contacts */
} tacHeldMet;

/* State of a tool that holds a body. */
typedef struct tacHeldBody {
  int body; /* -1: point tool */
  tacBodyToolDef def;
  tacCouplingDef coupling;
  tacQuat turn;             /* last valid input: rotation from the orientation at the start */
  bool moving;              /* a previous input exists, so the velocity is known */
  tacGrasp device;          /* grasp pose commanded by the device */
  bool pressed, taken;      /* for tools with a reach: button in the previous tick; the body is held */
  tacVec3 apart;            /* offset of the grasp from the device, world */
  tacQuat turned;           /* body's rotation from its initial orientation, without the device's rotation */
  double share;             /* share of the force shown to the hand, 0 to 1: ramps up after the tool was lifted */
  tacHeldLeft left;         /* for tools with a reach: remaining force after release */
  tacTwist device_velocity; /* smoothed */
  tacTwist velocity;        /* velocity of the body's grasp, for a dynamic coupling */
  tacGrasp grasp;           /* grasp pose of the body after its last step */
  tacHeldMet met;
  tacTwist way;         /* part of the device's motion in this tick that is predicted to continue: m, rad */
  tacTwist ahead;       /* motion from the body's pose to its predicted pose for contact detection: m, rad */
  double touch;         /* weight of static damping, 0 to 1: rises during contact, falls afterwards */
  double rubs;          /* N/m: tacPenaltyReport.rubs of its spring contacts */
  bool led;             /* moved by a static coupling in the previous tick */
  tacWrench felt, rise; /* coupling force in the previous tick, and its rise per tick */
  int jaw_count;
  tacJaw jaws[TAC_MOST_JAWS];
  double angle, angle_speed; /* angle of the jaws, rad; its rate, rad/s */
  double wanted;             /* target angle of the jaw motor, rad */
} tacHeldBody;

/* State of a tool with pads. */
enum { TAC_PAD_TOOL_MOST_PADS = 2, TAC_PAD_MOST_VERTICES = 32 };
typedef struct tacPadTool {
  int body;  /* -1: another type of tool */
  int first; /* index of its first pad among all pads on the body */
  int count; /* number of pads */
  tacPadToolDef def;
  tacCouplingDef coupling;
  tacPadPose places[TAC_PAD_TOOL_MOST_PADS]; /* poses of its pads in the tool's frame */
  tacFrame frame, felt_on;                   /* body's frame in this tick; frame when `stiffness` was last computed */
  tacGrasp device, proxy;                    /* tool pose commanded by the device; pose of the pads */
  bool grab, lifted;                         /* last valid input */
  bool wanted;                               /* the previous tick commanded the pads to hold */
  bool due[TAC_PAD_TOOL_MOST_PADS];          /* the pad grips as soon as it has released */
  bool taken[TAC_PAD_TOOL_MOST_PADS];        /* the pad grips the body and moves with the proxy */
  tacPadPose at[TAC_PAD_TOOL_MOST_PADS];     /* last pose of a gripping pad, body's frame */
  bool loaded;                               /* a pad holds the body, or its load fades */
  bool apart;                                /* the tool was lifted: the hand does not feel the remaining load */
  int slipping;                              /* number of slipping vertices */
  tacVec3 about;                             /* reference point of `wrench` and `stiffness`, world */
  tacWrench wrench;                          /* N, N m */
  double stiffness[6][6];                    /* stiffness of the pads for motion of the body */
} tacPadTool;

/* Fading contact of a released point tool on a compliance body. Other tools still feel it: contact/point_group.h. */
enum { TAC_WORLD_MOST_FADING = 16 };
typedef struct tacFadingContact {
  int body;
  int tip;               /* tip of the tool: tacWorldTool.tip */
  int64_t began;         /* tick in which the contact began */
  tacPointContact point; /* body's frame; state none: unused */
} tacFadingContact;

typedef struct tacWorldTool {
  char *name;
  tacVec3 position; /* last valid input */
  double motion;    /* m, since the previous input */
  bool grab, lifted;
  double grip;           /* commanded closing of the jaws, 0 (open) to 1 (closed), from either input */
  int body;              /* body in contact, or -1 */
  tacPointContact point; /* its force is in the world frame; on compliance bodies in the body's frame */
  tacPointContact start; /* `point` at the start of this step */
  double radius;         /* radius of the fingertip, m; 0: a point tool without radius */
  int tip;               /* index of `radius` in tacWorld.radii, plus 1; 0: a point */
  /* Only for a fingertip on a body with inertia, world frame: its spring, N/m; normal and position of its patch. */
  tacMat3 spring;
  tacVec3 normal, place;
  bool leaves;      /* the tool left a body with inertia and has not entered again: its force fades */
  double stored;    /* J: world/store.h */
  int64_t contacts; /* number of contacts begun */
  int64_t began;    /* tick in which the last contact began */
  tacHeldBody held;
  tacPadTool pad;
} tacWorldTool;

/* Compliance between the contact points of two tools on one body; kept until one of the points moves. */
typedef struct tacToolPair {
  int body; /* -1: unknown */
  bool known, has_corners;
  tacSurfacePoint at, by;
  tacMat3 compliance;    /* m/N */
  tacMat3 corners[3][3]; /* m/N: between the corners of the two triangles */
  double stiffest;       /* N^2/m^2: upper bound of the product of the largest eigenvalues of K at the two points */
} tacToolPair;

/* Bodies joined by springs in this tick, and their equations of motion. */
typedef struct tacBlock {
  int size;
  int first, last; /* first and last body; tacBodyMoves.after links them */
  double *linear;  /* [size][size], symmetric: matrix of frames and springs only */
  double *matrix;  /* [size][size]: matrix of the whole system, then its Cholesky factor */
  double *load;    /* [size]: load of frames and springs */
  double *motion;  /* [size]: motion in the last Newton step */
  double *done;    /* [size]: motion in the previous Newton steps; NULL: none */
  int iterations;
  bool solved;
} tacBlock;

/* External force for the next step. */
typedef struct tacPush {
  int body;
  tacSite site;
  tacVec3 at, force; /* world frame */
  /* Only for tick forces: */
  int answer;       /* site in the response of a step-compliance body; -1: none */
  double stiffness; /* N/m: decrease of the force per motion; islands/tick_forces.h */
} tacPush;
enum { TAC_WORLD_MOST_PUSHES = 64, TAC_WORLD_MOST_COUPLED = 64, TAC_WORLD_MOST_TICK_FORCES = 256 };

/* Mean load of pads on a free body in the ticks since its last step, and its stiffness; about the centre of mass. */
typedef struct tacPull {
  int body;
  double wrench[6], stiffness[6][6];
} tacPull;

/* W of the last step; computed only while it is requested. */
typedef struct tacWorldCoupling {
  int64_t until; /* last tick in which W is computed */
  int count;     /* number of contacts in W: the first ones of the world */
  double *w;     /* [3 count][3 count]; allocated for TAC_WORLD_MOST_COUPLED contacts */
} tacWorldCoupling;

struct tacWorld {
  double period;                    /* length of a step, s */
  double tick_period;               /* length of a tick, s */
  int simulate_every;               /* ticks per step */
  double look_ahead;                /* steps: prediction time for possible contacts */
  struct tacSimulation *simulation; /* NULL: every tick is a step */
  uint32_t generation;              /* stored in the ids of this world */
  bool sealed, movable;
  tacArrays sealing; /* owns the arrays that steps need, of the world and its bodies */
  atomic_bool used;  /* see world_use.h */
  tacContactMethod method;
  tacLawsDef laws;  /* contact laws of free bodies */
  int most_presses; /* maximum number of shown contact forces of a compliance body */
  size_t body_capacity;
  int body_count, tool_count;
  tacWorldBody *bodies;
  tacWorldTool tools[TAC_MOST_TOOLS];
  int radius_count; /* distinct fingertip radii, m */
  double radii[TAC_MOST_TOOLS];
  tacPatch patches[2 * TAC_MOST_TOOLS]; /* patches of fingertips; then those of the previous local problem */
  tacApproach *approaches;              /* [tool][body] */
  tacFadingContact fading[TAC_WORLD_MOST_FADING], fading_start[TAC_WORLD_MOST_FADING]; /* now; at the step's start */
  int fading_end, fading_start_end; /* one past the last used entry of each */
  tacToolPair *pairs;               /* one for each two points: tac_world_tool_pair */
  size_t surface_capacity;
  int surface_count;
  tacBodySurface **surfaces; /* one per mesh */
  size_t pair_capacity;
  int pair_count;
  tacPair *contact_pairs; /* pairs of bodies in distributed contact */
  double budget;          /* time budget of the pairs in a step, s; 0: none */
  int64_t (*clock)(void); /* clock for the budget, ns */
  bool learnt;            /* a step was taken since the limits were last adjusted */
  int state_size;
  bool has_floor;
  tacFloorDef floor;
  tacDistanceField *floor_field;
  /* Contacts that obey laws. */
  tacContactSet contacts;
  tacComplianceMemory *compliances; /* NULL: no compliance body has contacts that obey laws */
  tacWorldCoupling coupling;
  char *dump_folder; /* NULL: contact problems are not written */
  int dump_every;
  bool dump_failed;
  tacBroadPhase *broad_phase; /* NULL: no free body */
  int push_count;
  tacPush pushes[TAC_WORLD_MOST_PUSHES];
  /* Tick forces, if steps are longer than ticks: mean load of tools on bodies since the last step. docs/rates.md. */
  int told_count;
  tacPush told[TAC_WORLD_MOST_TICK_FORCES];
  int pull_count;
  tacPull pulls[TAC_MOST_TOOLS];
  /* Memory used within a step. */
  tacArena arena;
  int block_count;
  tacBlock *blocks;  /* [body_count] */
  int *joined;       /* [body_count]: touching bodies, for world/store.h */
  int64_t tick;      /* number of ticks since reset; selects the bodies that step */
  bool renewal_told; /* a replay sets `renewal`; false: bodies use results of their threads as soon as ready */
  uint32_t renewal;  /* bodies that use the results of their threads in the next step: tacTickReport.renewed */
};

enum { TAC_WORLD_MOST_PRESSES = 2 * TAC_LAWS_MOST_PATCH };

/* NULL: the id is invalid or belongs to another world. */
static inline tacWorldBody *tac_world_find(const tacWorld *world, tacBodyId id) {
  if (id.generation != world->generation || id.index >= (uint32_t)world->body_count) return NULL;
  return &world->bodies[id.index];
}

static inline tacApproach *tac_world_approach(tacWorld *world, int tool, int body) {
  return &world->approaches[tool * world->body_count + body];
}

/* Number of points: one for each tool, then one for each fading contact if the world has several tools. */
static inline int tac_world_points(const tacWorld *world) {
  return world->tool_count > 1 ? world->tool_count + TAC_WORLD_MOST_FADING : world->tool_count;
}

/* Entry of points i < j. */
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

/* Whether it is a compliance body: quasi-static, displacement = sum C f, without a state. */
static inline bool tac_world_body_complies(const tacWorldBody *body) {
  return body->body.table->compliance != NULL;
}

/* Whether it is a step-compliance body: in each step, motion = free + sum C f. */
static inline bool tac_world_body_yields(const tacWorldBody *body) {
  return body->body.table->begin_step != NULL;
}

/* Whether the next step of the body takes the impulse of tools from the ticks before it (docs/rates.md). True for all
 * bodies with inertia if steps are longer than ticks. A free compliance body has inertia. */
static inline bool tac_world_carries(const tacWorld *world, int body) {
  const tacWorldBody *b = &world->bodies[body];
  return world->simulate_every > 1 && (!tac_world_body_complies(b) || b->frame.mode == TAC_FRAME_FREE);
}

/* Whether ticks solve the contacts of two bodies: steps are longer than ticks, and a tool holds one of the bodies. */
static inline bool tac_world_leads(const tacWorld *world, int a, int b) {
  bool held = world->bodies[a].holder >= 0 || (b >= 0 && world->bodies[b].holder >= 0);
  return world->simulate_every > 1 && held;
}

static inline bool tac_world_body_has_field(const tacWorldBody *body) {
  const tacBodyDescription is = tac_body_describe(&body->body);
  return is.field != NULL || is.deformed_field != NULL;
}

/* Load phase: makes the body step every `every` ticks, first in tick `phase`. */
static inline void tac_world_body_set_every(tacWorldBody *body, int every, int phase) {
  body->def.every = body->turn.every = every;
  body->turn.phase = phase;
  body->turn.next = phase;
}

/* Frees all memory allocated by sealing, also after a failure. */
void tac_world_unseal(tacWorld *world);
