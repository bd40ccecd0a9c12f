/* What tools feel between two steps of the bodies: a problem that is small enough for every tick.
 *
 * It holds the contacts of the tools with what surrounds them, those that act and those that soon may, and how the surroundings give
 * way. In the frame of contact i,
 *     u_i = (x0 - x1)_i + rate_i t - anchor_i + fade_i + sum_j C_ij (f_j - f'_j),
 * with the places x0, x1 of its two sides, of which tools move theirs in every tick; f' the forces at the end of the bodies' step; C
 * how bodies answer a change of forces within a step (J A^-1 J^T, or their compliance), and how a contact itself gives way; `rate`
 * how fast they would go on under f'. The forces obey the laws of contact/laws/coulomb.h together with the couplings of held bodies
 * (couple/coupling.h), as in a step.
 *
 * Nothing jumps when a problem takes the place of another: `fade` is chosen such that the forces of the last tick solve the new one,
 * too, and goes to zero until the next is expected. Contacts that the new one does not have open as slowly. Where contacts go on
 * elsewhere their forces would turn a held body otherwise: what is missing of that (`missing`) fades likewise. */
#pragma once

#include "world/tools/held_body.h"
#include "world/world_parts.h"

enum {
  TAC_LOCAL_BUILT = TAC_WORLD_MOST_LOCAL, /* contacts of a problem as it is built, */
  TAC_LOCAL_MOST = 64                     /* and with those that leave */
};

#define TAC_LOCAL_MOST_TANK 5e-3 /* J */
#define TAC_LOCAL_LENT 3e-4      /* W: that tanks get for nothing, */
#define TAC_LOCAL_MOST_LENT 1e-4 /* J: up to that, so that no mismatch stays for good */

/* A tool between the bodies' steps. */
typedef struct tacLocalTool {
  tacVec3 position; /* last good input */
  bool grab, lifted;
  bool rests;  /* what it may hold: it is lifted, or has not taken hold */
  double grip; /* 0 to 1, by either input */
  /* Since the step was posted that the problem is of; since the one that is under way was: */
  bool parted, parts;  /* it was lifted, */
  bool loosed, looses; /* it let go */
  tacHeldBody held;    /* body -1: a point tool */
  tacFrame frame;      /* of the body that it holds */
  tacFrame jaws[TAC_MOST_JAWS];
  double pull[6], stiffness[6][6]; /* what pads of other tools do to that body, about its grasp: tac_pad_tools_pull */
  tacQuat start;                   /* and its orientation at the start */
  double tank;     /* J: what its contacts gave and bodies did not take; negative: the other way round */
  double expected; /* J: what is in it already of what bodies are not going to take in the step that is under way */
} tacLocalTool;

/* What a contact knows of the bodies at its sides, where these have a motion of their own (docs/rates.md). Along the contact's axes: how
 * its second place goes against the first but for tools. */
typedef struct tacCarried {
  double first[3];  /* m: in the step before the problem is used, under the forces f' in both steps; then, */
  double second[3]; /* m, while it is, without forces in that step */
  double way[3];    /* m a tick: the same under the forces that were */
  double step[3];   /* m a tick: by which the fade goes, as far as the tank has it; */
  double went[3];   /* m: and went in the last tick */
  double base[3];   /* N: of a spring, where its places are as they were found */
  tacVec3 impulse;  /* N: on the first side, the sum of all ticks that count */
  double work;      /* J: of that on the bodies */
} tacCarried;

/* A contact. Forces are on its first side, along `axes`, N. */
typedef struct tacLocalContact {
  uint64_t key;    /* as long as it lives */
  int32_t body[2]; /* -1: none */
  int32_t tool[2]; /* that moves the side; -1: none */
  bool tip;        /* the first side is the tip of a point tool, and `shown` is what is told of it */
  bool carries; /* of tools with bodies that have a motion of their own: `carried`; else tips on bodies without one */
  bool pays;    /* the tank of its tool pays for its fade: of what is carried, and of tips on bodies that rest */
  int leaves;   /* times that it was none of the new ones; 0: it is one */
  tacVec3 place[2]; /* of the sides: in the frame of the body that the side's tool holds, else in the world */
  tacVec3 axes[3];  /* normal, out of the second side into the first, and two across it */
  double rate[3];   /* m/s: free motion of x0 - x1, but for tools */
  double friction;  /* Coulomb's coefficient */
  tacDent soft;     /* of a tip, m/N: how far the spring between it and its place on the surface gives way */
  double from[3];   /* f' */
  double anchor[3]; /* m: x0 - x1 where u = 0 under f'; across, it moves where the contact slides */
  double fade[3];   /* m */
  double force[3];  /* of the last tick */
  double gap;       /* m: u_n then */
  double depth;     /* m: how deep it was in the bodies' step */
  tacContactState state;
  tacContact shown;
  tacSite site[2];  /* of a tip the second; */
  tacVec3 lever[2]; /* m, body's frame: from there to where the force acts */
  tacCarried carried;
} tacLocalContact;

/* A contact of the problem before, whose forces act on bodies in the step before the problem is used. */
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
  tacPatch patches
      [TAC_MOST_TOOLS]; /* that fingertips pressed in it: of the world's patches those after the first TAC_MOST_TOOLS */
} tacLocalPast;

typedef struct tacLocalProblem {
  int count;
  tacLocalContact contacts[TAC_LOCAL_MOST];
  double compliance[9 * TAC_LOCAL_MOST * TAC_LOCAL_MOST]; /* C, [3 count][3 count], m/N; symmetric */
  double missing[TAC_MOST_TOOLS][6];                      /* N, N m: on what tools hold */
  double left;                                            /* of fades and that, in the last tick: 1 to 0 */
  int built;                                              /* of the contacts, the first ones; others leave */
  int ticks;                                              /* of a step */
  int left_out;                                           /* contacts for which there was no room */
  bool still;                                             /* the next step is late: the bodies' time stands still */
  /* m/N, zero where a contact is not carried: C of the step in which the problem is used, [3 built][3 built]; */
  double now[9 * TAC_LOCAL_BUILT * TAC_LOCAL_BUILT];
  /* and how places go in the step before that, and in that, by the forces of the contacts that acted in the step before:
   * [3 built][3 past]. */
  int past;
  double supposed[3 * TAC_LOCAL_BUILT]; /* N: f' of those */
  double before[9 * TAC_LOCAL_BUILT * TAC_LOCAL_BUILT], after[9 * TAC_LOCAL_BUILT * TAC_LOCAL_BUILT];
} tacLocalProblem;

/* What a contact gave bodies since its problem was taken, on its first side: the mean of the ticks, N. */
tacVec3 tac_local_problem_pressed(const tacLocalProblem *problem, int contact);
/* Which of contacts with these keys, bodies and places one goes on as: that with its key, else the nearest between the same bodies; -1:
 * none. */
int tac_local_problem_heir(const tacLocalProblem *problem, uint64_t key, const int32_t body[2], tacVec3 place,
                           const tacLocalTool *tools);
/* Where a side of a contact is, world. */
tacVec3 tac_local_contact_place(const tacLocalContact *contact, int side, const tacLocalTool *tools);

/* Tick, below. `to` takes the place of `from`, for tools as they were in the last tick; its contacts fade in `seconds`. */
void tac_local_problem_follow(tacLocalProblem *to, const tacLocalProblem *from, tacLocalTool *tools, double seconds);
/* Forces and motion of tools in a tick of `period`, which ends `time` after the problem was taken; fades end after `seconds`. */
void tac_local_problem_solve(tacLocalProblem *problem, int tool_count, tacLocalTool *tools, double period, double time,
                             double seconds, tacArena *arena, tacTickReport *report);
void tac_local_problem_describe(const tacLocalProblem *problem, int tool, const tacLocalTool *tools,
                                tacToolOutput *output, tacTickReport *report);
/* As tac_world_contacts and tac_world_delassus tell them. */
int tac_local_problem_contacts(const tacLocalProblem *problem, const tacLocalTool *tools, int most,
                               tacShownContact *contacts);
int tac_local_problem_delassus(const tacLocalProblem *problem, int most, double *w);

/* Load phase: bytes that solving needs in an arena. */
size_t tac_local_problem_room(void);
