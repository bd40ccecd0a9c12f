/* Motion of a free body that pads hold, in the ticks between two steps of the body. The frame of the body has six
 * coordinates, (dx, dtheta) about the centre of mass. In ticks the frame moves by the equations of the body's own step
 * (docs/rates.md). Contacts that support the body are springs to fixed places, which push and never pull. The step of
 * the body uses the mean wrench of the pads over the ticks. */
#pragma once

#include "body/frame.h"

/* Mean load of pads on a free body since the body's last step, and the stiffness of the pads. Moments are about the
 * body's centre of mass. */
typedef struct tacPull {
  int body;
  double wrench[6], stiffness[6][6];
} tacPull;

enum { TAC_PULLED_CONTACTS = 24 };

/* Contact that supports the body. */
typedef struct tacPulledContact {
  double rows[3][6]; /* motion of the contact place along the axes per coordinate; first axis: normal into the body */
  double force[3];   /* force on the body along the axes, N */
  double stiffness[3], gap; /* stiffness along the axes, N/m; gap that closes before the contact pushes, m */
} tacPulledContact;

typedef struct tacPulledFrame {
  int body;
  bool known;     /* the equations below are set; false: the body rests in ticks */
  tacFrame frame; /* frame after the last step; in ticks, the present frame */
  /* Equations of the motion d in a step: (M / h^2 + K) d = load + contacts + pads. `inertia` is M / h^2, and `springs`
   * is the stiffness K of pairs with springs. `load` first belongs to the step before this prediction is used.
   * tac_pulled_frame_follow computes `load` of the step in which the prediction is used. `steady` is the part of `load`
   * that does not depend on the velocity. */
  double inertia[6][6], springs[6][6], load[6], steady[6];
  int count;
  tacPulledContact contacts[TAC_PULLED_CONTACTS];
  /* ---- state in ticks ---- */
  double step[6];                     /* motion per tick that removes a pose error, unless `tank` limits it; m, rad */
  double moved[6];                    /* motion in the last tick, without that of `step`; m, rad */
  double force[6], predicted[6];      /* true and predicted wrench of the pads in the last tick; N, N m */
  double owed[6];                     /* `force` - `predicted`, which is applied in the next tick; N, N m */
  double impulse[6], stiffness[6][6]; /* sum of `force` over the ticks of the step; last stiffness of the pads */
  double expected;                    /* part of `tank` that is only a prediction, J */
  double withheld;                    /* energy that the body did not give to the hand because `tank` is negative, J */
  double work, tank;                  /* work of the pads on the frame, J; energy tank, like tacLocalTool.tank, J */
  bool still;                         /* the next step is late, so the frame does not move */
} tacPulledFrame;

/* Initialises `pulled` at the present pose of a body. */
void tac_pulled_frame_begin(tacPulledFrame *pulled, int body, const tacFrame *frame);
/* Returns the mean wrench of the pads over the last `ticks` ticks, for the next step of the body. */
tacPull tac_pulled_frame_mean(const tacPulledFrame *pulled, int ticks);
/* Replaces the prediction `from` by the new prediction `to`. `kept`: value that the step computed for
 * `from->expected`, which was only predicted, J. */
void tac_pulled_frame_follow(tacPulledFrame *to, const tacPulledFrame *from, int ticks, double kept);
/* Moves the frame in a tick. `load`, `stiffness`: predicted load of the pads about the centre of mass, and stiffness of
 * the load (tac_pad_tool_pull). `late`: the next step is late, so the frame does not move. Call before the pads are
 * updated. */
void tac_pulled_frame_go(tacPulledFrame *pulled, bool late, int ticks, double period, const double load[6],
                         double stiffness[6][6]);
/* Stores the true wrench of the pads (tac_pad_tool_held). Call after the pads are updated. */
void tac_pulled_frame_give(tacPulledFrame *pulled, const double wrench[6]);
/* Computes the motion from one frame to another: (dx, dtheta), with the motion dx of the reference point
 * (tac_frame_about). */
void tac_frame_way(const tacFrame *from, const tacFrame *to, double way[6]);
