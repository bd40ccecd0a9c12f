/* Local problem: the contacts that tools feel between two steps of the bodies, small enough to solve every tick.
 *
 * It contains the active and soon possible contacts of the tools with their surroundings, and the compliance of the
 * surroundings. In the frame of contact i,
 *     u_i = (x0 - x1)_i + rate_i t - anchor_i + fade_i + sum_j C_ij (f_j - f'_j).
 *   x0, x1  places of the two sides; tools move their side in every tick
 *   f'      forces at the end of the bodies' step
 *   C       response of bodies to a change of forces within a step (J A^-1 J^T, or their compliance), plus the
 *           contact's own compliance
 *   rate    free velocity under f'
 * The forces obey the laws of contact/laws/coulomb.h together with the couplings of held bodies (couple/coupling.h), as
 * in a step.
 *
 * Forces do not jump when a new problem replaces the old one. `fade` is chosen such that the forces of the last tick
 * also solve the new problem. Then `fade` goes to zero before the next problem is expected. Contacts that the new
 * problem lacks open in the same time. If a contact continues at another place, its force would change the torque on a
 * held body. The difference (`missing`) fades in the same time. */
#pragma once

#include "world/tools/held_body.h"
#include "world/world_parts.h"

enum {
  TAC_LOCAL_BUILT = TAC_WORLD_MOST_LOCAL, /* contacts of a new problem */
  TAC_LOCAL_MOST = 64                     /* contacts of a new problem and leaving contacts together */
};

#define TAC_LOCAL_MOST_TANK 5e-3 /* J: capacity of an energy tank */
#define TAC_LOCAL_LENT 3e-4      /* W: power of the allowance, energy added to each tank so that every mismatch fades */
#define TAC_LOCAL_MOST_LENT 1e-4 /* J: level up to which the allowance fills a tank */

/* A tool between the bodies' steps. */
typedef struct tacLocalTool {
  tacVec3 position; /* last valid input */
  bool grab, lifted;
  bool rests;  /* its body does not move: the tool is lifted or does not hold it */
  double grip; /* commanded closing of the jaws, 0 to 1, from either input */
  /* First flag: since the step of this problem was posted. Second flag: since the step in progress was posted. */
  bool parted, parts;  /* the tool was lifted */
  bool loosed, looses; /* the tool released */
  tacHeldBody held;    /* body -1: point tool */
  tacFrame frame;      /* frame of the held body */
  tacFrame jaws[TAC_MOST_JAWS];
  /* Load and stiffness of other tools' pads on the held body, about its grasp: tac_pad_tools_pull. */
  double pull[6], stiffness[6][6];
  tacQuat start;   /* initial orientation of the held body */
  double tank;     /* work of its contacts minus the energy that bodies received, J; may be negative */
  double expected; /* J: part of the tank predicted for the step in progress */
} tacLocalTool;

/* Predicted motion at a contact of bodies with inertia (docs/rates.md), without the motion by tools. Vectors are along
 * the contact's axes: motion of the second place relative to the first place. */
typedef struct tacCarried {
  double first[3];  /* m: motion in the step before the problem is used, with the forces f' in both steps */
  double second[3]; /* m: motion in the step in which the problem is used, without forces in that step */
  double way[3];    /* m per tick: as `second`, with the real forces of the previous step */
  double step[3];   /* m per tick: fade rate, unless the tank limits it */
  double went[3];   /* m: fade in the last tick */
  double base[3];   /* N: spring force at the detected places */
  tacVec3 impulse;  /* N: force on the first side, summed over all ticks that count */
  double work;      /* J: work of the force on the bodies */
} tacCarried;

/* A contact. Forces are on its first side, along `axes`, N. */
typedef struct tacLocalContact {
  uint64_t key;     /* identifies the contact in successive problems */
  int32_t body[2];  /* -1: none */
  int32_t tool[2];  /* tool that moves the side; -1: none */
  bool tip;         /* the first side is the tip of a point tool, described by `shown` */
  bool carries;     /* uses `carried`: the bodies have inertia; false: a tip on a body without inertia */
  bool pays;        /* its tool's tank supplies the energy of its fade: carried contacts, tips on bodies at rest */
  int leaves;       /* number of problems since the contact left; 0: current */
  tacVec3 place[2]; /* positions of the sides: in the frame of the body held by the side's tool, else world */
  tacVec3 axes[3];  /* normal from the second side into the first; two tangents */
  double rate[3];   /* m/s: free velocity of x0 - x1, without tools */
  double friction;  /* Coulomb's coefficient */
  tacDent soft;     /* m/N, only for a tip: compliance of the spring between the tip and its surface place */
  double from[3];   /* f' */
  double anchor[3]; /* m: x0 - x1 where u = 0 under f'; its tangential part moves when sliding */
  double fade[3];   /* m */
  double force[3];  /* N, last tick */
  double gap;       /* m: u_n, last tick */
  double depth;     /* m: depth in the bodies' step */
  tacContactState state;
  tacContact shown;
  tacSite site[2];  /* a tip has only the second side */
  tacVec3 lever[2]; /* m, body's frame: from the site to the point of force */
  tacCarried carried;
} tacLocalContact;

/* A contact of the previous problem. Its force acts on bodies in the step before the new problem is used. */
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
  tacPatch patches[TAC_MOST_TOOLS]; /* patches of its fingertips: tacWorld.patches from TAC_MOST_TOOLS on */
} tacLocalPast;

typedef struct tacLocalProblem {
  int count;
  tacLocalContact contacts[TAC_LOCAL_MOST];
  double compliance[9 * TAC_LOCAL_MOST * TAC_LOCAL_MOST]; /* C, [3 count][3 count], m/N; symmetric */
  double missing[TAC_MOST_TOOLS][6];                      /* N, N m: load on held bodies that fades */
  double left;  /* remaining share of `missing` and of fades without a tank, in the last tick: 1 to 0 */
  int built;    /* number of current contacts, which come first; all later contacts leave */
  int ticks;    /* ticks per step */
  int left_out; /* number of contacts omitted for lack of room */
  bool still;   /* the next step is late, so bodies do not move */
  /* m/N, zero unless a contact is carried: C of the step in which the problem is used, [3 built][3 built]. */
  double now[9 * TAC_LOCAL_BUILT * TAC_LOCAL_BUILT];
  /* Motion of places per force of the past contacts, m/N, [3 built][3 past]. The past contacts act in the step before
   * the problem is used. `before`: motion in that step; `after`: motion in the step in which the problem is used. */
  int past;                             /* number of past contacts */
  double supposed[3 * TAC_LOCAL_BUILT]; /* N: f' of the past contacts */
  double before[9 * TAC_LOCAL_BUILT * TAC_LOCAL_BUILT], after[9 * TAC_LOCAL_BUILT * TAC_LOCAL_BUILT];
} tacLocalProblem;

/* Mean force of a contact on its first side since the problem came into use, N. */
tacVec3 tac_local_problem_pressed(const tacLocalProblem *problem, int contact);
/* Index of the contact that continues an earlier contact with these data: the contact with the same key, otherwise the
 * nearest contact between the same bodies; -1: none. */
int tac_local_problem_heir(const tacLocalProblem *problem, uint64_t key, const int32_t body[2], tacVec3 place,
                           const tacLocalTool *tools);
/* World position of a side of a contact. */
tacVec3 tac_local_contact_place(const tacLocalContact *contact, int side, const tacLocalTool *tools);

/* Replaces the problem `from` by `to`, with the tools at their poses of the last tick. Fades of `to` end after
 * `seconds`. Tick phase, as all functions below. */
void tac_local_problem_follow(tacLocalProblem *to, const tacLocalProblem *from, tacLocalTool *tools, double seconds);
/* Solves forces and tool motion of a tick of length `period`. `time`: time since the problem came into use, at the end
 * of the tick. Fades end after `seconds`. */
void tac_local_problem_solve(tacLocalProblem *problem, int tool_count, tacLocalTool *tools, double period, double time,
                             double seconds, tacArena *arena, tacTickReport *report);
void tac_local_problem_describe(const tacLocalProblem *problem, int tool, const tacLocalTool *tools,
                                tacToolOutput *output, tacTickReport *report);
/* These work as tac_world_contacts and tac_world_delassus. */
int tac_local_problem_contacts(const tacLocalProblem *problem, const tacLocalTool *tools, int most,
                               tacShownContact *contacts);
int tac_local_problem_delassus(const tacLocalProblem *problem, int most, double *w);

/* Load phase: bytes that solving needs in an arena. */
size_t tac_local_problem_room(void);
