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

/* Of a step-compliance body: world/islands/contact_response.h. */
typedef struct tacYielding {
  tacResponse response; /* at contacts, then external forces; and springs of point tools. `count` -1: no room */
  int contacts;         /* number of contact sites */
  tacVec3 *motion;      /* m: free motion */
  double *base;         /* N: change of spring forces if contacts do not change */
} tacYielding;

/* Sizes of the parts of a state; arranged so that states can be interpolated. */
enum {
  TAC_WORLD_OF_POSE = 7,     /* position, orientation */
  TAC_WORLD_OF_PRESS = 7,    /* triangle, three weights, force in the body's frame */
  TAC_WORLD_OF_TRACTION = 4, /* vertex, traction in the body's frame; after the stiffness of the body */
  TAC_WORLD_OF_LOAD = 7 /* total load on a body: force, sum of magnitudes, sum of places times these; world frame */
};

/* Properties that tools feel; set by the thread that steps, requested by others. */
typedef struct tacBodyFeel {
  _Atomic double friction, stiffness; /* 1, N/m */
} tacBodyFeel;

/* Of a jaw, in its own frame. */
typedef struct tacBodyJaw {
  int carrier; /* body that its tool holds, whose coordinates it shares; -1: not a jaw */
  tacVec3 hinge, axis;
} tacBodyJaw;

/* Finger contact on its surface: for compliance bodies, and for bodies that fingertips touch. */
typedef struct tacBodyFingers {
  tacSurfaceWalk walk;
  tacProximity proximity;  /* of compliance bodies */
  tacFingertip *tips;      /* [radius of the world's fingertips], of bodies with inertia that they touch; else NULL */
  const tacPatch *patches; /* the world's, [tool] */
} tacBodyFingers;

/* Of compliance bodies: displacement at the start of the step, body's frame. world/islands/contact_response.h. */
typedef struct tacBodyDisplaced {
  tacVec3 *by; /* [vertex]; NULL: no contacts with bodies */
  double most;
  struct tacPresses *presses; /* forces that caused it; NULL likewise */
} tacBodyDisplaced;

/* J. world/store.h. */
typedef struct tacBodyStore {
  double energy, least; /* after its last step, from any reference; its minimum so far */
  double lost,
      lost_before; /* dissipated by sliding point tools since the first touched it; the same at the start of the step */
} tacBodyStore;

/* Offsets of its numbers in the world's state, or -1. */
typedef struct tacBodyShownAt {
  int state;   /* first of all */
  int pose;    /* if free or held */
  int presses; /* contact forces with bodies, of compliance bodies that have such */
  int load;    /* total load on it */
  int error_estimate;
  int grip; /* tractions of pads */
} tacBodyShownAt;

/* Of bodies that pads may hold; else NULL, 0. */
typedef struct tacBodyGrip {
  tacPatchGrip *patches;
  int pads; /* of all tools */
} tacBodyGrip;

/* Its schedule, in ticks. */
typedef struct tacBodyTurn {
  int every;              /* step length: def.every; 1 while a hand acts on it */
  int phase;              /* of its first step */
  int64_t next, attended; /* tick of its next step; last tick in which a hand acts on it */
  bool due;               /* it steps in this tick */
  bool renews;            /* it takes what its thread has ready in this tick */
} tacBodyTurn;

/* Its coordinates in a step. */
typedef struct tacBodyMoves {
  int frame;      /* 6 if its frame moves, 7 with the angle of jaws, else 0 */
  int block;      /* -1: nothing moves */
  int after;      /* the next body of its block, or -1 */
  int offset;     /* in the block: frame first, then its own coordinates */
  bool alone;     /* nothing acts on it */
  bool meets;     /* it has contacts that obey laws */
  double pull[7]; /* N, N m: in the frame's own equations */
  /* Impulses from others' longer steps, applied over the time `pending_left`, s: [6 + n], N s; moments about the
   * world's origin, N m s. */
  double *pending, pending_left;
} tacBodyMoves;

typedef struct tacWorldBody {
  tacBody body;
  tacFrame frame, start; /* now, and at the start */
  char *name, *kind;
  tacBodyDef def; /* without name and kind */
  tacBodyFeel feel;
  int holder; /* tool that holds it, or -1 */
  tacBodyJaw jaw;
  bool euler;                    /* contacts obey laws */
  const tacBodySurface *surface; /* owned by the world; shared by bodies of one mesh */
  tacBodyPoints points;          /* that test it against others */
  tacSurfaceBoxes *boxes;        /* of bodies in contact by surfaces; else NULL */
  tacVec3 *skin;                 /* [vertex], present positions; likewise */
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
  tacVec3 from; /* position then */
  double clearance;
  tacSurfacePoint nearest;
} tacApproach;

/* A jaw, in the frame of the body that its tool holds. */
typedef struct tacJaw {
  int body;
  tacVec3 hinge, axis; /* m; unit */
  tacVec3 place;       /* position of the jaw's frame when open */
  tacQuat turn;        /* orientation of the same */
} tacJaw;

/* Force that remains on a hand after it released a body: a spring that slips where it would pull more than a falling
 * share of the force at release. So the force ends without a jump, and the hand gets no more energy than the coupling
 * held. */
typedef struct tacHeldLeft {
  tacWrench wrench;
  double force, torque; /* N, N m: at release */
  double share;         /* 1 to 0 */
} tacHeldLeft;

/* Resistance of a held body's coupling and contacts in its last step. */
typedef struct tacHeldMet {
  bool known;                     /* valid, and the body was in contact */
  double own[6][6], factor[6][6]; /* A; Cholesky factor of A + K */
} tacHeldMet;

/* State of a tool that holds a body. */
typedef struct tacHeldBody {
  int body; /* -1: point tool */
  tacBodyToolDef def;
  tacCouplingDef coupling;
  tacQuat turn;             /* last valid input: rotation from the orientation at the start */
  bool moving;              /* there was a previous input: the velocity is known */
  tacGrasp device;          /* grasp as moved by the device */
  bool pressed, taken;      /* of tools with a reach: button in the previous tick; the body is held */
  tacVec3 apart;            /* offset of the grasp from the device, world */
  tacQuat turned;           /* body's rotation from its start, beyond the device's rotation */
  double share;             /* of the force shown to the hand, 0 to 1: ramps up after the tool was lifted */
  tacHeldLeft left;         /* of tools with a reach: remaining force after release */
  tacTwist device_velocity; /* smoothed */
  tacTwist velocity;        /* of the body's grasp, for a dynamic coupling */
  tacGrasp grasp;           /* of the body, after its last step */
  tacHeldMet met;
  tacTwist way;         /* motion of the device in this tick, times the share that continues: m, rad */
  tacTwist ahead;       /* from the body's pose to its predicted contact pose: m, rad */
  double touch;         /* of its static damping, 0 to 1: rises with contact, falls after it */
  double rubs;          /* N/m, of its spring contacts: tacPenaltyReport.rubs */
  bool led;             /* by a static coupling, in the previous tick too */
  tacWrench felt, rise; /* force then, and its rise per tick */
  int jaw_count;
  tacJaw jaws[TAC_MOST_JAWS];
  double angle, angle_speed; /* of the jaws, rad, rad/s */
  double wanted;             /* rad: target of the motor */
} tacHeldBody;

/* State of a tool with pads. */
enum { TAC_PAD_TOOL_MOST_PADS = 2, TAC_PAD_MOST_VERTICES = 32 };
typedef struct tacPadTool {
  int body;  /* -1: another type of tool */
  int first; /* first of its pads among those of the body */
  int count; /* number of pads */
  tacPadToolDef def;
  tacCouplingDef coupling;
  tacPadPose places[TAC_PAD_TOOL_MOST_PADS]; /* of its pads, tool's frame */
  tacFrame frame, felt_on;                   /* of the body: in this tick; when its stiffness was last computed */
  tacGrasp device, proxy;                    /* pose of the tool by the device; pose of the pads */
  bool grab, lifted;                         /* last valid input */
  bool wanted;                               /* should hold, in the previous tick */
  bool due[TAC_PAD_TOOL_MOST_PADS];          /* grips as soon as the pad has released */
  bool taken[TAC_PAD_TOOL_MOST_PADS];        /* gripped; moves with the proxy from `at` */
  tacPadPose at[TAC_PAD_TOOL_MOST_PADS];     /* body's frame */
  bool loaded;                               /* something is held or fades */
  bool apart;                                /* the tool was lifted: the remaining load is not felt */
  int slipping;                              /* number of slipping vertices */
  tacVec3 about;                             /* world: reference point of wrench (N, N m) and stiffness */
  tacWrench wrench;
  double stiffness[6][6]; /* of the pads for motion of the body */
} tacPadTool;

/* Contact that a released point tool left on a compliance body, where other tools feel it: contact/point_group.h. */
enum { TAC_WORLD_MOST_FADING = 16 };
typedef struct tacFadingContact {
  int body;
  int tip;               /* of its tool */
  int64_t began;         /* tick */
  tacPointContact point; /* body's frame; state none: unused */
} tacFadingContact;

typedef struct tacWorldTool {
  char *name;
  tacVec3 position; /* last valid input */
  double motion;    /* m, since the previous input */
  bool grab, lifted;
  double grip;           /* 0 to 1: how far to close the jaws, from either input */
  int body;              /* in contact, or -1 */
  tacPointContact point; /* force in the world's frame; on compliance bodies in the body's */
  tacPointContact start; /* at the start of this step */
  double radius;         /* m: of a fingertip; 0: a point */
  int tip;               /* index + 1 of its radius in the world's; 0: a point */
  /* Of a fingertip on a body with inertia, world frame: its spring, N/m; normal and position of its patch. */
  tacMat3 spring;
  tacVec3 normal, place;
  bool leaves;      /* left a body that does not comply, and has not entered again: its force fades */
  double stored;    /* J: world/store.h */
  int64_t contacts; /* number of contacts begun */
  int64_t began;    /* tick of the last begin */
  tacHeldBody held;
  tacPadTool pad;
} tacWorldTool;

/* Compliance between the points of two tools on one body, of the first with the second; kept until one moves. */
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
  int first, last; /* its bodies, in their order */
  double *linear;  /* [size][size], symmetric: frames and springs */
  double *matrix;  /* [size][size]: complete, then its Cholesky factor */
  double *load;    /* [size]: frames and springs */
  double *motion;  /* [size]: of the last Newton step */
  double *done;    /* [size]: of the Newton steps before; NULL: none */
  int iterations;
  bool solved;
} tacBlock;

/* External force for the next step. */
typedef struct tacPush {
  int body;
  tacSite site;
  tacVec3 at, force; /* world frame */
  /* Of tick forces: */
  int answer;       /* site in the response of a step-compliance body; -1: none */
  double stiffness; /* N/m: decrease with motion; islands/tick_forces.h */
} tacPush;
enum { TAC_WORLD_MOST_PUSHES = 64, TAC_WORLD_MOST_COUPLED = 64, TAC_WORLD_MOST_TICK_FORCES = 256 };

/* Mean of the pads' load in the ticks since a free body's last step, and its stiffness; about the centre of mass. */
typedef struct tacPull {
  int body;
  double wrench[6], stiffness[6][6];
} tacPull;

/* W of the last step; computed only while it is requested. */
typedef struct tacWorldCoupling {
  int64_t until; /* tick */
  int count;     /* contacts, the first ones of the world */
  double *w;     /* [3 count][3 count]; room for TAC_WORLD_MOST_COUPLED */
} tacWorldCoupling;

struct tacWorld {
  double period;                    /* s, of a step */
  double tick_period;               /* s, of a tick */
  int simulate_every;               /* ticks per step */
  double look_ahead;                /* steps: prediction time for possible contacts */
  struct tacSimulation *simulation; /* NULL: every tick is a step */
  uint32_t generation;              /* in this world's ids */
  bool sealed, movable;
  tacArrays sealing; /* arrays for stepping, of the world and its bodies */
  atomic_bool used;  /* see world_use.h */
  tacContactMethod method;
  tacLawsDef laws;  /* of free bodies */
  int most_presses; /* shown contact forces of a compliance body */
  size_t body_capacity;
  int body_count, tool_count;
  tacWorldBody *bodies;
  tacWorldTool tools[TAC_MOST_TOOLS];
  int radius_count; /* distinct fingertip radii, m */
  double radii[TAC_MOST_TOOLS];
  tacPatch patches[2 * TAC_MOST_TOOLS]; /* of fingertips; then of the previous problem */
  tacApproach *approaches;              /* [tool][body] */
  tacFadingContact fading[TAC_WORLD_MOST_FADING], fading_start[TAC_WORLD_MOST_FADING]; /* now; as the step began */
  int fading_end, fading_start_end;                                                    /* one past the last */
  tacToolPair *pairs; /* of two points, tac_world_tool_pair */
  size_t surface_capacity;
  int surface_count;
  tacBodySurface **surfaces; /* one per mesh */
  size_t pair_capacity;
  int pair_count;
  tacPair *contact_pairs; /* in distributed contact */
  double budget;          /* s */
  int64_t (*clock)(void); /* measures the budget, ns */
  bool learnt;            /* a step was taken since the limits were last adjusted */
  int state_size;
  bool has_floor;
  tacFloorDef floor;
  tacDistanceField *floor_field;
  /* Contacts that obey laws. */
  tacContactSet contacts;
  tacComplianceMemory *compliances; /* NULL: no compliance body among them */
  tacWorldCoupling coupling;
  char *dump_folder; /* NULL: contact problems are not written */
  int dump_every;
  bool dump_failed;
  tacBroadPhase *broad_phase; /* NULL: no free body */
  int push_count;
  tacPush pushes[TAC_WORLD_MOST_PUSHES];
  /* If steps are longer than ticks: mean load of tools on bodies in the ticks since the last step. docs/rates.md. */
  int told_count;
  tacPush told[TAC_WORLD_MOST_TICK_FORCES];
  int pull_count;
  tacPull pulls[TAC_MOST_TOOLS];
  /* Memory of a step. */
  tacArena arena;
  int block_count;
  tacBlock *blocks;  /* [body_count] */
  int *joined;       /* [body_count]: touching bodies, for world/store.h */
  int64_t tick;      /* since reset: selects the bodies that advance */
  bool renewal_told; /* `renewal` is prescribed; false: bodies take what their threads have ready */
  uint32_t renewal;  /* of the next step: tacTickReport.renewed */
};

enum { TAC_WORLD_MOST_PRESSES = 2 * TAC_LAWS_MOST_PATCH };

/* NULL: an id of another world or invalid. */
static inline tacWorldBody *tac_world_find(const tacWorld *world, tacBodyId id) {
  if (id.generation != world->generation || id.index >= (uint32_t)world->body_count) return NULL;
  return &world->bodies[id.index];
}

static inline tacApproach *tac_world_approach(tacWorld *world, int tool, int body) {
  return &world->approaches[tool * world->body_count + body];
}

/* Number of tool points, followed by fading ones if other tools can feel them. */
static inline int tac_world_points(const tacWorld *world) {
  return world->tool_count > 1 ? world->tool_count + TAC_WORLD_MOST_FADING : world->tool_count;
}

/* Of points i < j. */
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

/* Compliance body, quasi-static: displacement = sum C f, without a state. */
static inline bool tac_world_body_complies(const tacWorldBody *body) {
  return body->body.table->compliance != NULL;
}

/* Step-compliance body: motion = free + sum C f, in each step. */
static inline bool tac_world_body_yields(const tacWorldBody *body) {
  return body->body.table->begin_step != NULL;
}

/* Whether it has inertia: fingers press it between two steps, and the next step takes their impulse (docs/rates.md). A
 * free compliance body has inertia. */
static inline bool tac_world_carries(const tacWorld *world, int body) {
  const tacWorldBody *b = &world->bodies[body];
  return world->simulate_every > 1 && (!tac_world_body_complies(b) || b->frame.mode == TAC_FRAME_FREE);
}

/* Whether ticks solve the contacts of two bodies, because they move one of them. */
static inline bool tac_world_leads(const tacWorld *world, int a, int b) {
  bool held = world->bodies[a].holder >= 0 || (b >= 0 && world->bodies[b].holder >= 0);
  return world->simulate_every > 1 && held;
}

static inline bool tac_world_body_has_field(const tacWorldBody *body) {
  const tacBodyDescription is = tac_body_describe(&body->body);
  return is.field != NULL || is.deformed_field != NULL;
}

/* Load phase: steps every `every` ticks, first in tick `phase`. */
static inline void tac_world_body_set_every(tacWorldBody *body, int every, int phase) {
  body->def.every = body->turn.every = every;
  body->turn.phase = phase;
  body->turn.next = phase;
}

/* Frees all that sealing allocated, complete or not. */
void tac_world_unseal(tacWorld *world);
