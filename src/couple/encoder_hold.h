/* Where a hand is that holds still, of an encoder that counts.
 *
 * Against a spring k a count q is a step k q of the force. A hand that would rest between two counts goes to and fro across their edge
 * instead, tens of times a second, and the force with it: no force that depends on the count alone can rest there. But the hand's
 * mean acceleration is zero then, so the mean of the counts is the place whose force keeps it. Hence each axis is averaged while it
 * stays within two counts of its mean. After 0.3 s the output is that mean, which from then on changes so slowly that the loop does not
 * swing by it. A hand that leaves the two counts has its encoder as it is again, for as long as it moves: motion is not delayed. The output is
 * always within two counts of the input. */
#pragma once

#include "math/geometry/vec3.h"

typedef struct tacEncoderAxis {
  double mean; /* m: since it last moved */
  double age;  /* s since then */
  double held; /* m: the last output */
  double read; /* m: the last input */
} tacEncoderAxis;

typedef struct tacEncoderHold {
  double count;  /* m; 0: outputs are inputs */
  double period; /* s */
  bool begun;
  tacEncoderAxis axes[3];
} tacEncoderHold;

/* `count`: a step of the encoder, m; 0 where it is not known. */
tacEncoderHold tac_encoder_hold_begin(double count, double period);
/* Tick. */
tacVec3 tac_encoder_hold_take(tacEncoderHold *hold, tacVec3 position);
