/* What a world is made of; for the files of this room. */
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

/* Of a body that answers as the compliance of a step: world/islands/contact_response.h. */
typedef struct tacYielding {
  tacResponse response; /* at contacts, then pushes; and springs of point tools. `count` -1: there was no room */
  int contacts;         /* sites of these */
  tacVec3 *motion;      /* m: free */
  double *base;         /* N that springs gain when contacts do not change */
} tacYielding;

/* Numbers of the parts of a state, such that states can be interpolated. */
enum {
  TAC_WORLD_OF_POSE = 7,     /* position, orientation */
  TAC_WORLD_OF_PRESS = 7,    /* triangle, three weights, force in the body's frame */
  TAC_WORLD_OF_TRACTION = 4, /* vertex, traction in the body's frame; after the stiffness of the body */
  TAC_WORLD_OF_LOAD =
      7 /* what presses a body: force, the sum of the sizes, and of the places times these; world frame */
};

/* What tools feel of a body; the thread that steps sets them, others ask for them. */
typedef struct tacBodyFeel {
  _Atomic double friction, stiffness; /* 1, N/m */
} tacBodyFeel;

/* Of a jaw, in its own frame. */
typedef struct tacBodyJaw {
  int carrier; /* the body that its tool holds, whose coordinates it shares; -1: it is no jaw */
  tacVec3 hinge, axis;
} tacBodyJaw;

/* Where fingers are on its surface: of bodies that answer as a compliance, and of those that fingertips touch. */
typedef struct tacBodyFingers {
  tacSurfaceWalk walk;
  tacProximity proximity;  /* of bodies that answer as a compliance */
  tacFingertip *tips;      /* [radius of the world's fingertips], of bodies with inertia that these touch; else NULL */
  const tacPatch *patches; /* the world's, [tool] */
} tacBodyFingers;

/* Of bodies that answer as a compliance: how far they are displaced as the step begins, body's frame. world/islands/contact_response.h. */
typedef struct tacBodyDisplaced {
  tacVec3 *by; /* [vertex]; NULL: it meets no others */
  double most;
  struct tacPresses *presses; /* what did that, likewise */
} tacBodyDisplaced;

/* J. world/store.h. */
typedef struct tacBodyStore {
  double energy, least; /* what it held after its last step, from any reference; the least of that so far */
  double lost,
      lost_before; /* what sliding of point tools took since the first of them touched it; when the step began */
} tacBodyStore;

/* Where its numbers begin in the world's state, or -1. */
typedef struct tacBodyShownAt {
  int state;   /* all of them */
  int pose;    /* where it is free or held */
  int presses; /* the forces of its contacts with bodies, where it answers as a compliance and has such */
  int load;    /* the sum of what presses it */
  int error_estimate;
  int grip; /* tractions of pads */
} tacBodyShownAt;

/* Of bodies that pads may hold; NULL, 0. */
typedef struct tacBodyGrip {
  tacPatchGrip *patches;
  int pads; /* of all tools */
} tacBodyGrip;

/* When it steps: ticks. */
typedef struct tacBodyTurn {
  int every;              /* of its step: def.every, and 1 where a hand is concerned with it */
  int phase;              /* of its first step */
  int64_t next, attended; /* in which it steps next; until which a hand is concerned with it */
  bool due;               /* it steps in this tick, */
  bool renews;            /* and takes what its thread has ready */
} tacBodyTurn;

/* Its coordinates in a step. */
typedef struct tacBodyMoves {
  int frame;      /* 6 where its frame moves, 7 with the angle of jaws, else 0 */
  int block;      /* -1: nothing of it moves */
  int after;      /* the next body of its block, or -1 */
  int offset;     /* of those of its frame, and then its own, in the block */
  bool alone;     /* nothing acts on it */
  bool meets;     /* it has contacts that obey laws */
  double pull[7]; /* of its frame's own equations: N, N m */
  /* Impulses of others' longer steps, which it takes in its own over the time `pending_left`, s: [6 + n], N s; moments are about
   * the world's origin, N m s. */
  double *pending, pending_left;
} tacBodyMoves;

typedef struct tacWorldBody {
  tacBody body;
  tacFrame frame, start; /* now, and at the start */
  char *name, *kind;
  tacBodyDef def; /* but for its name and kind */
  tacBodyFeel feel;
  int holder; /* the tool that holds it, or -1 */
  tacBodyJaw jaw;
  bool euler;                    /* its contacts obey laws */
  const tacBodySurface *surface; /* the world's: bodies of one mesh share it */
  tacBodyPoints points;          /* by which it meets others; */
  tacSurfaceBoxes *boxes;        /* of bodies that are met by their surfaces; else NULL */
  tacVec3 *skin;                 /* [vertex] as it is now, likewise */
  tacBodyFingers fingers;
  tacBodyDisplaced displaced;
  tacBodyStore store;
  tacBodyShownAt shown;
  double error_estimate; /* as it was told last, -1: nothing */
  tacBodyGrip grip;
  /* ---- of the step ---- */
  tacBodyTurn turn;
  int size; /* n: its own coordinates */
  tacBodyMoves moves;
  tacYielding yielding;
  tacBodyStep step;
} tacWorldBody;

/* What a tool knows of one body while it does not touch it, in the body's frame. */
typedef struct tacApproach {
  bool known;   /* it was outside in the step before */
  tacVec3 from; /* where it was then */
  double clearance;
  tacSurfacePoint nearest;
} tacApproach;

/* A jaw, in the frame of the body that its tool holds. */
typedef struct tacJaw {
  int body;
  tacVec3 hinge, axis; /* m; unit */
  tacVec3 place;       /* of the jaw's frame where it is open, */
  tacQuat turn;        /* and its orientation */
} tacJaw;

/* What a hand still feels of a body that it let go: a spring that slips where it would pull more than a part of what was felt then, which
 * goes to zero. So it ends without a jump, and gives the hand no more than the coupling held. */
typedef struct tacHeldLeft {
  tacWrench wrench;
  double force, torque; /* N, N m: as it was let go */
  double share;         /* of these, 1 to 0 */
} tacHeldLeft;

/* How a held body's coupling and contacts resisted it in its last step. */
typedef struct tacHeldMet {
  bool known;                     /* and it touched something */
  double own[6][6], factor[6][6]; /* A; Cholesky's factor of A + K */
} tacHeldMet;

/* What a tool that holds a body knows. */
typedef struct tacHeldBody {
  int body; /* -1: a point tool */
  tacBodyToolDef def;
  tacCouplingDef coupling;
  tacQuat turn;             /* last good input: from the orientation at the start */
  bool moving;              /* there was an input before: the velocity is known */
  tacGrasp device;          /* where the device has the grasp */
  bool pressed, taken;      /* of tools with a reach: the button was, in the tick before; the body is held, */
  tacVec3 apart;            /* and what the grasp was from the device, world, */
  tacQuat turned;           /* and the body from its orientation at the start, beside the device's turn */
  double share;             /* of what the hand feels, 0 to 1: it comes back after the tool was lifted */
  tacHeldLeft left;         /* of tools with a reach, likewise: what the hand still feels of a body that it let go */
  tacTwist device_velocity; /* smoothed */
  tacTwist velocity;        /* of the body's grasp, with a dynamic coupling */
  tacGrasp grasp;           /* of the body after its last step */
  tacHeldMet met;
  tacTwist way;         /* of the device in this tick, by the share of its motion that goes on: m, rad */
  tacTwist ahead;       /* from where the body is to where its contacts are seen: m, rad */
  double touch;         /* of its static damping, 0 to 1: it comes with contact and goes after it */
  double rubs;          /* N/m, of its contacts by springs: tacPenaltyReport.rubs */
  bool led;             /* by a static coupling, in the tick before as well; */
  tacWrench felt, rise; /* what was felt then, and by how much it rose in a tick */
  int jaw_count;
  tacJaw jaws[TAC_MOST_JAWS];
  double angle, angle_speed; /* of the jaws, rad, rad/s */
  double wanted;             /* rad: where the motor leads them */
} tacHeldBody;

/* What a tool with pads knows. */
enum { TAC_PAD_TOOL_MOST_PADS = 2, TAC_PAD_MOST_VERTICES = 32 };
typedef struct tacPadTool {
  int body;  /* -1: another kind of tool */
  int first; /* of its pads among those of the body, */
  int count; /* and how many */
  tacPadToolDef def;
  tacCouplingDef coupling;
  tacPadPose places[TAC_PAD_TOOL_MOST_PADS]; /* of its pads in the tool's frame */
  tacFrame frame, felt_on;                   /* of the body: in this tick, and as its answer was last looked at */
  tacGrasp device, proxy;                    /* where the device has the tool, and where its pads are */
  bool grab, lifted;                         /* as in the last good input */
  bool wanted;                               /* it was to hold in the tick before */
  bool due[TAC_PAD_TOOL_MOST_PADS];          /* to take hold as soon as the pad has let go */
  bool taken[TAC_PAD_TOOL_MOST_PADS];        /* since then it goes with the proxy, at: */
  tacPadPose at[TAC_PAD_TOOL_MOST_PADS];     /* body's frame */
  bool loaded;                               /* something is held, or fades */
  bool apart;                                /* that is not felt any more */
  int slipping;                              /* vertices */
  tacVec3 about;                             /* world: of what acts on the body by the pads, N, N m, */
  tacWrench wrench;
  double stiffness[6][6]; /* and how that answers their motion */
} tacPadTool;

/* What a point tool that has let go of a body that complies left there, where other tools feel it: contact/point_group.h. */
enum { TAC_WORLD_MOST_FADING = 16 };
typedef struct tacFadingContact {
  int body;
  int tip;               /* of its tool */
  int64_t began;         /* tick */
  tacPointContact point; /* in the body's frame; state none: nothing */
} tacFadingContact;

typedef struct tacWorldTool {
  char *name;
  tacVec3 position; /* last good input */
  double motion;    /* m, since the one before */
  bool grab, lifted;
  double grip;           /* 0 to 1: how far jaws are to close, by either input */
  int body;              /* that it touches, or -1 */
  tacPointContact point; /* the force in the world's frame; of bodies that answer as a compliance in theirs */
  tacPointContact start; /* as this step began */
  double radius;         /* m: of a fingertip; 0: a point */
  int tip;               /* which of the world's radii that is: 1, 2, ...; 0: a point */
  /* Of a fingertip that touches a body with inertia, world frame: its spring, N/m, the normal and the place of its patch. */
  tacMat3 spring;
  tacVec3 normal, place;
  bool leaves;      /* it came out of a body that does not comply, and has not come in again: its force fades */
  double stored;    /* J: world/store.h */
  int64_t contacts; /* that it has begun, */
  int64_t began;    /* the last of them in this tick */
  tacHeldBody held;
  tacPadTool pad;
} tacWorldTool;

/* The compliance between the points of two tools on one body, kept until one of them moves; of the first with the second. */
typedef struct tacToolPair {
  int body; /* -1: nothing is known */
  bool known, has_corners;
  tacSurfacePoint at, by;
  tacMat3 compliance;    /* m/N */
  tacMat3 corners[3][3]; /* m/N: between those of the two triangles */
  double stiffest;       /* N^2/m^2: no less than the product of the largest eigenvalues of K at the two points */
} tacToolPair;

/* Bodies that springs join in this tick, and the equations of their motion. */
typedef struct tacBlock {
  int size;
  int first, last; /* of its bodies, in their order */
  double *linear;  /* [size][size], symmetric: frames and springs */
  double *matrix;  /* [size][size]: all, then its Cholesky factor */
  double *load;    /* [size]: of frames and springs */
  double *motion;  /* [size]: of the last Newton step, */
  double *done;    /* [size] and of those before; NULL: none */
  int iterations;
  bool solved;
} tacBlock;

/* A force from outside, for the next step. */
typedef struct tacPush {
  int body;
  tacSite site;
  tacVec3 at, force; /* world frame */
  /* Of what ticks have told: */
  int answer;       /* its site in the response of a body that answers as the compliance of a step; -1: none */
  double stiffness; /* N/m: by which it falls as its place goes; islands/told_forces.h */
} tacPush;
enum { TAC_WORLD_MOST_PUSHES = 64, TAC_WORLD_MOST_COUPLED = 64, TAC_WORLD_MOST_TICK_FORCES = 256 };

/* What pads did to a free body since its last step, the mean of the ticks, and how it answered; about its centre of mass. */
typedef struct tacPull {
  int body;
  double wrench[6], stiffness[6][6];
} tacPull;

/* W of the last step, kept while somebody looks at it. */
typedef struct tacWorldCoupling {
  int64_t until; /* tick */
  int count;     /* contacts, the first of the world's */
  double *w;     /* [3 count][3 count]; room for TAC_WORLD_MOST_COUPLED */
} tacWorldCoupling;

struct tacWorld {
  double period;                    /* of a step, s */
  double tick_period;               /* of a tick */
  int simulate_every;               /* ticks of a step */
  double look_ahead;                /* steps, for which contacts that may come are looked for */
  struct tacSimulation *simulation; /* NULL: every tick is a step */
  uint32_t generation;              /* of this world's ids */
  bool sealed, movable;
  tacArrays sealing; /* arrays that steps need, of the world and its bodies */
  atomic_bool used;  /* see world_use.h */
  tacContactMethod method;
  tacLawsDef laws;  /* of free bodies */
  int most_presses; /* forces of contacts with bodies that are shown of a body that answers as a compliance */
  size_t body_capacity;
  int body_count, tool_count;
  tacWorldBody *bodies;
  tacWorldTool tools[TAC_MOST_TOOLS];
  int radius_count; /* of fingertips: each once, m */
  double radii[TAC_MOST_TOOLS];
  tacPatch patches
      [2 * TAC_MOST_TOOLS]; /* that fingertips press; then those of the problem before: world/rates/local_problem.h */
  tacApproach *approaches;  /* [tool][body] */
  tacFadingContact fading[TAC_WORLD_MOST_FADING], fading_start[TAC_WORLD_MOST_FADING]; /* now; as this step began */
  int fading_end, fading_start_end;                                                    /* past the last of them */
  tacToolPair *pairs; /* of two points, tac_world_tool_pair */
  size_t surface_capacity;
  int surface_count;
  tacBodySurface **surfaces; /* one a mesh */
  size_t pair_capacity;
  int pair_count;
  tacPair *contact_pairs; /* in distributed contact */
  double budget;          /* s */
  int64_t (*clock)(void); /* by which it is kept, ns */
  bool learnt;            /* a step was taken since limits were last looked at */
  int state_size;
  bool has_floor;
  tacFloorDef floor;
  tacDistanceField *floor_field;
  /* Contacts that obey laws. */
  tacContactSet contacts;
  tacComplianceMemory *compliances; /* NULL: no body in them answers so */
  tacWorldCoupling coupling;
  char *dump_folder; /* NULL: contact problems are not written */
  int dump_every;
  bool dump_failed;
  tacBroadPhase *broad_phase; /* NULL: no body is free */
  int push_count;
  tacPush pushes[TAC_WORLD_MOST_PUSHES];
  /* Where the bodies' steps are longer than ticks: what tools did to bodies since the last one, the mean of the ticks. docs/rates.md. */
  int told_count;
  tacPush told[TAC_WORLD_MOST_TICK_FORCES];
  int pull_count;
  tacPull pulls[TAC_MOST_TOOLS];
  /* Room of a step. */
  tacArena arena;
  int block_count;
  tacBlock *blocks;  /* [body_count] */
  int *joined;       /* [body_count]: which bodies touch, of world/store.h */
  int64_t tick;      /* since reset: which bodies advance */
  bool renewal_told; /* bodies take what is told; else what their threads have ready */
  uint32_t renewal;  /* in the next step: tacTickReport.renewed */
};

enum { TAC_WORLD_MOST_PRESSES = 2 * TAC_LAWS_MOST_PATCH };

/* NULL: an id of another world, or of nothing. */
static inline tacWorldBody *tac_world_find(const tacWorld *world, tacBodyId id) {
  if (id.generation != world->generation || id.index >= (uint32_t)world->body_count) return NULL;
  return &world->bodies[id.index];
}

static inline tacApproach *tac_world_approach(tacWorld *world, int tool, int body) {
  return &world->approaches[tool * world->body_count + body];
}

/* Points of tools, and behind them those that fade, where there are other tools to feel it. */
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

/* Whether it answers as a compliance. */
static inline bool tac_world_body_complies(const tacWorldBody *body) {
  return body->body.table->compliance != NULL;
}

/* Whether it answers as the compliance of a step. */
static inline bool tac_world_body_yields(const tacWorldBody *body) {
  return body->body.table->begin_step != NULL;
}

/* Whether it has inertia, so that fingers press it between two of its steps and the next step takes their impulse: docs/rates.md. What answers as
 * a compliance has inertia where it is free. */
static inline bool tac_world_carries(const tacWorld *world, int body) {
  const tacWorldBody *b = &world->bodies[body];
  return world->simulate_every > 1 && (!tac_world_body_complies(b) || b->frame.mode == TAC_FRAME_FREE);
}

/* Whether ticks solve the contacts of two bodies, since they move one of them. */
static inline bool tac_world_leads(const tacWorld *world, int a, int b) {
  bool held = world->bodies[a].holder >= 0 || (b >= 0 && world->bodies[b].holder >= 0);
  return world->simulate_every > 1 && held;
}

static inline bool tac_world_body_has_field(const tacWorldBody *body) {
  const tacBodyDescription is = tac_body_describe(&body->body);
  return is.field != NULL || is.deformed_field != NULL;
}

/* Load phase: it makes a step in so many ticks, the first one in the tick `phase`. */
static inline void tac_world_body_set_every(tacWorldBody *body, int every, int phase) {
  body->def.every = body->turn.every = every;
  body->turn.phase = phase;
  body->turn.next = phase;
}

/* Frees what sealing has made, of all or of a part of it. */
void tac_world_unseal(tacWorld *world);
