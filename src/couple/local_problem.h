/* Local problem: the contacts that tools feel between two steps of the bodies. The problem is small enough to be solved
 * in every tick.
 *
 * The problem contains the contacts of tools that act or may act soon, and the compliance of the touched bodies. Along
 * the axes of the contact i, the motion of the first side relative to the second side is
 *     u_i = (x0 - x1)_i + rate_i t - anchor_i + fade_i + sum_j C_ij (f_j - f'_j).
 *   x0, x1  places of the two sides; a tool moves its side in every tick
 *   t       time since the problem came into use
 *   f       contact forces in the tick
 *   f'      contact forces at the end of the bodies' step
 *   C       compliance: motion of the bodies per force within a step (J A^-1 J^T, or the static compliance), plus the
 *           compliance of the contact itself
 *   rate    relative velocity of the sides under f', without tools
 * The forces obey the laws of contact/laws/coulomb.h. The forces are solved together with the couplings of held bodies
 * (couple/coupling.h), as in a step.
 *
 * Transition: forces do not jump when a new problem replaces the previous problem. The offset `fade` is chosen such
 * that the forces of the last tick also solve the new problem. `fade` then goes to zero before the next problem is
 * expected. A contact that the new problem lacks is a leaving contact, which opens in the same time. If a contact
 * continues at another place, the torque of its force on a held body would jump. The difference, `missing`, fades in
 * the same time.
 *
 * Carried contacts: contacts on bodies with inertia. Ticks move the places of these contacts by the predicted motion of
 * the bodies. The next step of the bodies uses the mean forces of the ticks (docs/rates.md).
 *
 * Energy tanks: a fade may give energy to the hand. Each tool has an energy tank, which limits this energy. The tank
 * contains the work of the tool's contacts that the bodies did not receive. */
#pragma once

#include "base/memory/arena.h"
#include "body/fingertip.h"
#include "couple/held_body.h"

enum {
  TAC_LOCAL_BUILT = TAC_WORLD_MOST_LOCAL, /* maximum number of contacts of a new problem */
  TAC_LOCAL_MOST = 64                     /* maximum number of contacts, including leaving contacts */
};

#define TAC_LOCAL_MOST_TANK 5e-3   /* capacity of an energy tank, J */
#define TAC_LOCAL_INFLOW 3e-4      /* power of a constant inflow into each energy tank, which lets every fade end, W */
#define TAC_LOCAL_MOST_INFLOW 1e-4 /* level up to which the constant inflow fills an energy tank, J */

/* State of a tool in ticks. */
typedef struct tacLocalTool {
  tacVec3 position; /* position in the last valid input */
  bool grab, lifted;
  bool rests;  /* the body of the tool does not move: the tool is lifted, or does not hold the body */
  double grip; /* commanded closing of the jaws, 0 to 1 */
  /* The first flag of each pair reports an event since the step of this problem was posted. The second flag reports an
   * event since the step in progress was posted. */
  bool parted, parts;  /* the tool was lifted */
  bool loosed, looses; /* the tool released its grab */
  tacHeldBody held;    /* held body; body -1: point tool */
  tacFrame frame;      /* frame of the held body */
  tacFrame jaws[TAC_MOST_JAWS];
  /* Load and stiffness of other tools' pads on the held body, about the grasp (tac_pad_tool_pull). */
  double pull[6], stiffness[6][6];
  tacQuat start;   /* initial orientation of the held body */
  double tank;     /* energy tank, J: work of the tool's contacts minus the energy that bodies received; may be < 0 */
  double faded;    /* energy that the fading load `missing` gave, less the inflow since, J; 0 to TAC_LOCAL_MOST_TANK */
  double expected; /* part of `tank` that is a prediction for the step in progress, J */
} tacLocalTool;

/* Predicted motion of the bodies at a carried contact, without the motion by tools (docs/rates.md). Each motion is that
 * of the second side relative to the first side, along the axes of the contact. */
typedef struct tacCarried {
  double first[3];  /* motion in the step before the problem is used, m; the forces f' act in both steps */
  double second[3]; /* motion in the step in which the problem is used, m; no force acts in this step */
  double way[3];    /* `second` per tick, corrected for the true forces of the previous step, m */
  double step[3];   /* decrease of `fade` per tick, unless the energy tank limits the decrease, m */
  double went[3];   /* decrease of `fade` in the last tick, m */
  double base[3];   /* force of the contact's springs at the time of detection, N */
  tacVec3 impulse;  /* sum over the ticks of the force on the first side, N; without ticks in which a step is late */
  double work;      /* work of the force on the bodies, J */
} tacCarried;

/* Contact of a local problem. Forces act on the first side, along `axes`, N. */
typedef struct tacLocalContact {
  uint64_t key;    /* identifies the contact in successive problems */
  int32_t body[2]; /* body of each side; -1: no body */
  int32_t tool[2]; /* tool that moves the side; -1: no tool */
  bool tip;        /* the first side is the tip of a point tool, described by `shown` */
  bool carries;    /* carried contact: the bodies have inertia, and `carried` is used */
  /* The tool's energy tank limits the fade: true for carried contacts, and for tips on bodies that are not free. */
  bool pays;
  /* The body is free and its energy is known: it gives the tools at most tacLocalProblem.energy. */
  bool lends;
  int leaves;       /* number of problems since the contact became a leaving contact; 0: current contact */
  tacVec3 place[2]; /* position of each side: in the frame of the held body if a tool holds the body, otherwise world */
  tacVec3 axes[3];  /* normal from the second side into the first; two tangents */
  double rate[3];   /* velocity of the first side relative to the second under the forces `from`, without tools, m/s */
  double friction;  /* Coulomb's coefficient */
  tacDent soft;     /* compliance of the spring between tip and surface, m/N; only for a tip */
  double from[3];   /* force f' at the end of the bodies' step, N */
  double anchor[3]; /* offset of the sides at which u is zero under `from`, m; sliding moves the tangential part */
  double fade[3];   /* offset that prevents jumps of the force, and goes to zero, m */
  double force[3];  /* force in the last tick, N */
  double gap;       /* normal distance of the sides (component of u) in the last tick, m */
  double depth;     /* depth in the step of the bodies, m */
  tacContactState state;
  tacContact shown;
  tacSite site[2];  /* site on the body of each side; a tip has only the second site */
  tacVec3 lever[2]; /* vector from the site to the point of force, body's frame, m */
  tacCarried carried;
} tacLocalContact;

/* Past contact: a contact of the previous problem. Its force acts on the bodies in the step before the new problem is
 * used. */
typedef struct tacPastContact {
  uint64_t key;
  int32_t body[2]; /* body of each side; -1: no body */
  bool carries;
  tacVec3 axes[3];
  tacSite site[2];
  tacVec3 lever[2]; /* vector from the site to the point of force, body's frame, m */
  double from[3];   /* force f', N */
} tacPastContact;

typedef struct tacLocalPast {
  int count;
  tacPastContact contacts[TAC_LOCAL_BUILT];
  tacPatch patches[TAC_MOST_TOOLS]; /* patches of the fingertips in past contacts */
} tacLocalPast;

typedef struct tacLocalProblem {
  int count;
  tacLocalContact contacts[TAC_LOCAL_MOST];
  double compliance[9 * TAC_LOCAL_MOST * TAC_LOCAL_MOST]; /* compliance C, [3 count][3 count], m/N; symmetric */
  double missing[TAC_MOST_TOOLS][6];                      /* fading load on held bodies, N and N m */
  double left;  /* fraction of `missing`, and of fades without a tank, that remained in the last tick: 1 to 0 */
  int built;    /* number of current contacts, which come first; leaving contacts follow */
  int ticks;    /* ticks per step */
  int left_out; /* number of contacts that did not fit into the problem */
  bool still;   /* the next step is late, so bodies do not move */
  /* Energy that the free bodies may still give to the tools, J: their stored energy (world/store.h), plus the work of the
   * tools on them since the step. */
  double energy;
  double lent; /* fraction of the predicted motion of these bodies that this energy permits in the tick */
  /* Compliance between carried contacts in the step in which the problem is used, m/N, [3 built][3 built]. Zero for
   * other contacts. */
  double now[9 * TAC_LOCAL_BUILT * TAC_LOCAL_BUILT];
  /* Motion at the current contacts per force of the past contacts, m/N, [3 built][3 past]. The past contacts act in the
   * step before the problem is used. `before` is the motion in that step. `after` is the motion in the step in which
   * the problem is used. */
  int past;                             /* number of past contacts */
  double supposed[3 * TAC_LOCAL_BUILT]; /* forces of the past contacts that the prediction assumes, N */
  double before[9 * TAC_LOCAL_BUILT * TAC_LOCAL_BUILT], after[9 * TAC_LOCAL_BUILT * TAC_LOCAL_BUILT];
} tacLocalProblem;

/* Returns the mean force of a contact on the first side since the problem came into use, N. */
tacVec3 tac_local_problem_pressed(const tacLocalProblem *problem, int contact);
/* Returns the index of the carried contact that continues an earlier contact with these data. It is the contact with
 * the same key, otherwise the nearest contact between the same bodies. Returns -1 if no contact continues it. */
int tac_local_problem_heir(const tacLocalProblem *problem, uint64_t key, const int32_t body[2], tacVec3 place,
                           const tacLocalTool *tools);
/* Returns the world position of a side of a contact. */
tacVec3 tac_local_contact_place(const tacLocalContact *contact, int side, const tacLocalTool *tools);

/* Replaces the problem `from` by the new problem `to`. `tools` have the poses of the last tick. Fades of `to` end after
 * `seconds`. Tick phase, like all functions below. */
void tac_local_problem_follow(tacLocalProblem *to, const tacLocalProblem *from, tacLocalTool *tools, double seconds);
/* Computes the forces and the motion of tools in a tick of length `period` (s). `time`: end of the tick, in seconds
 * since the problem came into use. Fades end after `seconds`. */
void tac_local_problem_solve(tacLocalProblem *problem, int tool_count, tacLocalTool *tools, double period, double time,
                             double seconds, tacArena *arena, tacTickReport *report);

/* Returns the number of arena bytes that tac_local_problem_solve needs. Load phase. */
size_t tac_local_problem_room(void);
