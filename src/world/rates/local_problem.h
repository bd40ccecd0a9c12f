/* Local problem: the contacts that tools feel between two steps of the bodies, small enough to solve every tick.
 *
 * It holds the active and soon possible contacts of the tools with their surroundings, and the compliance of these. In
 * the frame of contact i,
 *     u_i = (x0 - x1)_i + rate_i t - anchor_i + fade_i + sum_j C_ij (f_j - f'_j).
 * x0, x1 are the places of its two sides, of which tools move theirs every tick; f' the forces at the end of the
 * bodies' step; C the response of bodies to a change of forces within a step (J A^-1 J^T, or their compliance) plus the
 * contact's own compliance; `rate` the free velocity under f'. The forces obey the laws of contact/laws/coulomb.h
 * together with the couplings of held bodies (couple/coupling.h), as in a step.
 *
 * Forces do not jump when a problem replaces another. `fade` is chosen such that the forces of the last tick also solve
 * the new problem; it goes to zero until the next one is expected. Contacts missing in the new problem open as slowly.
 * Where contacts continue at another place, their forces would change the torque on a held body: the difference
 * (`missing`) fades likewise. */
#pragma once

#include "world/tools/held_body.h"
#include "world/world_parts.h"

enum {
  TAC_LOCAL_BUILT = TAC_WORLD_MOST_LOCAL, /* contacts of a new problem */
  TAC_LOCAL_MOST = 64                     /* with those that leave */
};

#define TAC_LOCAL_MOST_TANK 5e-3 /* J */
#define TAC_LOCAL_LENT 3e-4      /* W: free allowance of tanks */
#define TAC_LOCAL_MOST_LENT 1e-4 /* J: limit of the allowance; with it no mismatch is permanent */

/* A tool between the bodies' steps. */
typedef struct tacLocalTool {
  tacVec3 position; /* last valid input */
  bool grab, lifted;
  bool rests;  /* its body rests: the tool is lifted or does not hold it */
  double grip; /* 0 to 1, from either input */
  /* First flag: since the step of this problem was posted. Second: since the step in progress was posted. */
  bool parted, parts;  /* it was lifted */
  bool loosed, looses; /* it released */
  tacHeldBody held;    /* body -1: point tool */
  tacFrame frame;      /* of the held body */
  tacFrame jaws[TAC_MOST_JAWS];
  double pull[6], stiffness[6][6]; /* of pads of other tools on that body, about its grasp: tac_pad_tools_pull */
  tacQuat start;                   /* the body's orientation at the start */
  double tank;                     /* J: work of its contacts that bodies did not take; may be negative */
  double expected; /* J: part of the tank that bodies are predicted not to take in the step in progress */
} tacLocalTool;

/* Predicted motion of the bodies at a contact, if these have inertia (docs/rates.md). Along the contact's axes: motion
 * of the second place relative to the first, without tools. */
typedef struct tacCarried {
  double first[3];  /* m: in the step before the problem is used, under f' in both steps */
  double second[3]; /* m: in the step while it is used, without forces in that step */
  double way[3];    /* m per tick: as `second`, under the real forces of the step before */
  double step[3];   /* m per tick: fade rate, as far as the tank allows */
  double went[3];   /* m: fade in the last tick */
  double base[3];   /* N: spring force at the places as found */
  tacVec3 impulse;  /* N: on the first side, sum over all ticks that count */
  double work;      /* J: its work on the bodies */
} tacCarried;

/* A contact. Forces are on its first side, along `axes`, N. */
typedef struct tacLocalContact {
  uint64_t key;     /* constant for the life of the contact */
  int32_t body[2];  /* -1: none */
  int32_t tool[2];  /* tool that moves the side; -1: none */
  bool tip;         /* the first side is the tip of a point tool, described by `shown` */
  bool carries;     /* uses `carried`: a tool with bodies that have inertia; false: a tip on a body without */
  bool pays;        /* its tool's tank pays for its fade: carried contacts, and tips on bodies at rest */
  int leaves;       /* number of problems since it left; 0: current */
  tacVec3 place[2]; /* of the sides: frame of the body that the side's tool holds, else world */
  tacVec3 axes[3];  /* normal from the second side into the first; two tangents */
  double rate[3];   /* m/s: free motion of x0 - x1, without tools */
  double friction;  /* Coulomb's coefficient */
  tacDent soft;     /* m/N, of a tip: compliance of the spring between it and its surface place */
  double from[3];   /* f' */
  double anchor[3]; /* m: x0 - x1 where u = 0 under f'; its tangential part moves when sliding */
  double fade[3];   /* m */
  double force[3];  /* N, last tick */
  double gap;       /* m: u_n, last tick */
  double depth;     /* m: in the bodies' step */
  tacContactState state;
  tacContact shown;
  tacSite site[2];  /* of a tip: the second side only */
  tacVec3 lever[2]; /* m, body's frame: from the site to the point of force */
  tacCarried carried;
} tacLocalContact;

/* A contact of the previous problem. Its forces act on bodies in the step before the new problem is used. */
typedef struct tacPastContact {
  uint64_t key;
  int32_t body[2]; /* -1: none */
  bool carries;
  tacVec3 axes[3];
  tacSite site[2];
  tacVec3 lever[2]; /* m, body's frame */
  double from[3];   /* f' */
} tacPastContact;

typedef struct tacLocalPast {
  int count;
  tacPastContact contacts[TAC_LOCAL_BUILT];
  tacPatch patches[TAC_MOST_TOOLS]; /* of fingertips in it: the world's patches after the first TAC_MOST_TOOLS */
} tacLocalPast;

typedef struct tacLocalProblem {
  int count;
  tacLocalContact contacts[TAC_LOCAL_MOST];
  double compliance[9 * TAC_LOCAL_MOST * TAC_LOCAL_MOST]; /* C, [3 count][3 count], m/N; symmetric */
  double missing[TAC_MOST_TOOLS][6];                      /* N, N m: on held bodies */
  double left;  /* remaining part of `missing` and of fades without a tank, last tick: 1 to 0 */
  int built;    /* number of current contacts, which come first; the others leave */
  int ticks;    /* per step */
  int left_out; /* contacts omitted for lack of room */
  bool still;   /* the next step is late: the bodies' time stands still */
  /* m/N, zero for contacts that are not carried: C of the step in which the problem is used, [3 built][3 built]; */
  double now[9 * TAC_LOCAL_BUILT * TAC_LOCAL_BUILT];
  /* `before`, `after`: motion of places in the step before that, and in that step, per force of the contacts that acted
   * in the step before, [3 built][3 past]. */
  int past;
  double supposed[3 * TAC_LOCAL_BUILT]; /* N: f' of those contacts */
  double before[9 * TAC_LOCAL_BUILT * TAC_LOCAL_BUILT], after[9 * TAC_LOCAL_BUILT * TAC_LOCAL_BUILT];
} tacLocalProblem;

/* N: mean force of a contact on its first side since its problem was taken. */
tacVec3 tac_local_problem_pressed(const tacLocalProblem *problem, int contact);
/* Index of the contact that continues the one with these data: the same key, else the nearest between the same bodies;
 * -1: none. */
int tac_local_problem_heir(const tacLocalProblem *problem, uint64_t key, const int32_t body[2], tacVec3 place,
                           const tacLocalTool *tools);
/* World position of a side of a contact. */
tacVec3 tac_local_contact_place(const tacLocalContact *contact, int side, const tacLocalTool *tools);

/* Tick phase, as all below. `to` replaces `from`, for tools as in the last tick; its contacts fade in `seconds`. */
void tac_local_problem_follow(tacLocalProblem *to, const tacLocalProblem *from, tacLocalTool *tools, double seconds);
/* Solves forces and tool motion of a tick of length `period`, which ends `time` after the problem was taken; fades end
 * after `seconds`. */
void tac_local_problem_solve(tacLocalProblem *problem, int tool_count, tacLocalTool *tools, double period, double time,
                             double seconds, tacArena *arena, tacTickReport *report);
void tac_local_problem_describe(const tacLocalProblem *problem, int tool, const tacLocalTool *tools,
                                tacToolOutput *output, tacTickReport *report);
/* As tac_world_contacts and tac_world_delassus. */
int tac_local_problem_contacts(const tacLocalProblem *problem, const tacLocalTool *tools, int most,
                               tacShownContact *contacts);
int tac_local_problem_delassus(const tacLocalProblem *problem, int most, double *w);

/* Load phase: bytes that solving needs in an arena. */
size_t tac_local_problem_room(void);
