/* Motion of a free body held by pads, between its steps. Its frame has six coordinates, (dx, dtheta) about its centre
 * of mass. It moves and yields by the equations of its own step (docs/rates.md). Its other contacts are springs to
 * fixed places that push and never pull. The step gets exactly the mean pad wrench of its ticks. */
#pragma once

#include "world/world_parts.h"

enum { TAC_PULLED_CONTACTS = 24 };

/* A contact that supports the body. */
typedef struct tacPulledContact {
  double rows[3][6];        /* motion of its place along its axes per coordinate; first axis: normal into the body */
  double force[3];          /* force on the body along the axes, N */
  double stiffness[3], gap; /* stiffness along the axes, N/m; gap before it pushes, m */
} tacPulledContact;

typedef struct tacPulledFrame {
  int body;
  bool known;     /* a step has predicted its motion; until then it rests */
  tacFrame frame; /* frame after its last step; in ticks, the present frame */
  /* Motion d in a step: (M / h^2 + K) d = load + contacts, with the stiffness K of pairs with springs. `load` excludes
   * contacts and pads. It first belongs to the step before this prediction is used, then to the step in which it is
   * used. `steady`: part of `load` that does not depend on velocity. */
  double inertia[6][6], springs[6][6], load[6], steady[6];
  int count;
  tacPulledContact contacts[TAC_PULLED_CONTACTS];
  /* ---- of ticks ---- */
  double step[6];                     /* fade of a mismatch per tick, unless the tank limits it */
  double moved[6];                    /* motion in the last tick, without fades */
  double force[6], foreseen[6];       /* N, N m: wrench of the pads in that tick; its prediction */
  double owed[6];                     /* difference of the two, applied in the next tick */
  double impulse[6], stiffness[6][6]; /* wrench summed over all ticks that count; last stiffness of the pads */
  double expected;   /* J: part of the tank predicted from previous ticks: work that the body does not receive */
  double withheld;   /* J: energy that the body did not return because of the debt in `tank` */
  double work, tank; /* J: work of the pads on the frame; energy tank, as tacLocalTool.tank */
  bool still;        /* the next step is late, so the frame does not move */
} tacPulledFrame;

/* Starts at the present pose of a body. */
void tac_pulled_frame_begin(tacPulledFrame *pulled, int body, const tacFrame *frame);
/* Mean pad wrench over the ticks, for the body's next step of `ticks` ticks. */
tacPull tac_pulled_frame_mean(const tacPulledFrame *pulled, int ticks);
/* Replaces `from` by `to`. `kept`: part of the work of `from` that the body did not receive, J. */
void tac_pulled_frame_follow(tacPulledFrame *to, const tacPulledFrame *from, int ticks, double kept);
/* Tick, before the pads are updated: moves the frame under the predicted pad load about its centre of mass
 * (tac_pad_tools_pull). `late`: the next step is late. */
void tac_pulled_frame_go(tacPulledFrame *pulled, bool late, int ticks, double period, const double load[6],
                         double stiffness[6][6]);
/* After the pads were updated: stores their real wrench (tac_pad_tools_held). */
void tac_pulled_frame_give(tacPulledFrame *pulled, const double wrench[6]);
/* Motion (dx, dtheta) from one frame to another, about the frames' reference point (tac_frame_about). */
void tac_frame_way(const tacFrame *from, const tacFrame *to, double way[6]);
