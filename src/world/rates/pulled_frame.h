/* A free body held by pads, between its steps. Its frame moves and yields by the equations of its own step
 * (docs/rates.md), in six numbers, (dx, dtheta) about its centre of mass. Its other contacts are springs to fixed
 * places that push and never pull. The step gets exactly the mean pad wrench of its ticks. */
#pragma once

#include "world/world_parts.h"

enum { TAC_PULLED_CONTACTS = 24 };

/* A contact that supports it. */
typedef struct tacPulledContact {
  double rows[3][6];        /* motion of its place along its axes by the six numbers; first the normal, into the body */
  double force[3];          /* N: on the body, along the axes */
  double stiffness[3], gap; /* N/m; m until it pushes */
} tacPulledContact;

typedef struct tacPulledFrame {
  int body;
  bool known;     /* a step has predicted its motion; until then it rests */
  tacFrame frame; /* after its last step; in ticks, the present one */
  /* (M / h^2 + K) d = load + contacts, for its motion d in a step. `load` excludes contacts and pads: first of the step
   * before this is used, then of that step. `steady`: its part that does not depend on velocity. K: of pairs with
   * springs. */
  double inertia[6][6], springs[6][6], load[6], steady[6];
  int count;
  tacPulledContact contacts[TAC_PULLED_CONTACTS];
  /* ---- of ticks ---- */
  double step[6];                     /* fade rate of a mismatch per tick, as far as the tank allows */
  double moved[6];                    /* in the last tick, without fades */
  double force[6], foreseen[6];       /* N, N m: of the pads in that tick, and as predicted */
  double owed[6];                     /* the difference, applied in the next tick */
  double impulse[6], stiffness[6][6]; /* sum over all ticks that count; last value */
  double expected;   /* J: of previous ticks, predicted not to be taken by the body; part of the tank */
  double withheld;   /* J: energy it could have returned */
  double work, tank; /* J: work on the frame; tank as tacLocalTool.tank */
  bool still;        /* the next step is late */
} tacPulledFrame;

/* Starts at the present pose of a body. */
void tac_pulled_frame_begin(tacPulledFrame *pulled, int body, const tacFrame *frame);
/* Mean wrench of the ticks, for the body's next step of `ticks` ticks. */
tacPull tac_pulled_frame_mean(const tacPulledFrame *pulled, int ticks);
/* `to` replaces `from`, of whose work the body did not take `kept`, J. */
void tac_pulled_frame_follow(tacPulledFrame *to, const tacPulledFrame *from, int ticks, double kept);
/* Tick, before the pads: moves the frame, and yields to the predicted pad load about its centre of mass
 * (tac_pad_tools_pull). `late`: the next step is late. */
void tac_pulled_frame_go(tacPulledFrame *pulled, bool late, int ticks, double period, const double load[6],
                         double stiffness[6][6]);
/* After the pads: takes their real wrench (tac_pad_tools_held). */
void tac_pulled_frame_give(tacPulledFrame *pulled, const double wrench[6]);
/* Motion (dx, dtheta) from one frame to another, about the reference point of these numbers. */
void tac_frame_way(const tacFrame *from, const tacFrame *to, double way[6]);
