/* A free body that pads hold, between its steps: its frame goes on, and gives way, by the equations of its own step (docs/rates.md), in six
 * numbers, (dx, dtheta) about its centre of mass. Its contacts with others are springs to what does not move, which push and never pull. The step
 * gets exactly the mean of what the pads did in its ticks. */
#pragma once

#include "world/world_parts.h"

enum { TAC_PULLED_CONTACTS = 24 };

/* What supports it. */
typedef struct tacPulledContact {
  double rows[3][6]; /* how its place goes along its axes with the six; the normal, into the body, is the first */
  double force[3];   /* N: on the body along them, */
  double stiffness[3], gap; /* N/m; m: until it pushes */
} tacPulledContact;

typedef struct tacPulledFrame {
  int body;
  bool known;     /* a step has found how it goes on; until then it rests */
  tacFrame frame; /* as its last step left it; in ticks, where it is */
  /* (M / h^2 + K) d = load + contacts, for its motion in a step; `load` without contacts and pads: of the step before this is used, then of
   * that. `steady`: what does not go with its velocity; K of pairs that are springs. */
  double inertia[6][6], springs[6][6], load[6], steady[6];
  int count;
  tacPulledContact contacts[TAC_PULLED_CONTACTS];
  /* ---- of ticks ---- */
  double step[6];                     /* by which a mismatch fades in a tick, as far as the tank has it */
  double moved[6];                    /* in the last tick, but for fades; */
  double force[6], foreseen[6];       /* N, N m: of the pads in it, and as it was to be; */
  double owed[6];                     /* the difference moves it in the next */
  double impulse[6], stiffness[6][6]; /* the sum of all ticks that count; the last */
  double expected;                    /* J: of the ticks before, what the body is not going to take; in the tank */
  double withheld;                    /* J: of what it might have given */
  double work, tank;                  /* J: of that on the frame; as tacLocalTool.tank */
  bool still;                         /* the next step is late */
} tacPulledFrame;

/* Of a body as it lies. */
void tac_pulled_frame_begin(tacPulledFrame *pulled, int body, const tacFrame *frame);
/* The mean wrench of the ticks, for the body's next step of so many. */
tacPull tac_pulled_frame_mean(const tacPulledFrame *pulled, int ticks);
/* `to` takes the place of `from`, of which the body has not taken `kept`, J. */
void tac_pulled_frame_follow(tacPulledFrame *to, const tacPulledFrame *from, int ticks, double kept);
/* A tick, before the pads: it goes on, and gives way to what they will do about its centre of mass (tac_pad_tools_pull). `late`: the next step
 * is. */
void tac_pulled_frame_go(tacPulledFrame *pulled, bool late, int ticks, double period, const double load[6],
                         double stiffness[6][6]);
/* And after them: what they do (tac_pad_tools_held). */
void tac_pulled_frame_give(tacPulledFrame *pulled, const double wrench[6]);
/* (dx, dtheta) from one frame to another, about the place that their numbers are about. */
void tac_frame_way(const tacFrame *from, const tacFrame *to, double way[6]);
