/* Hand position of a hand at rest, from an encoder that counts.
 *
 * On a spring k a count q is a force step k q. A hand whose rest position is between two counts oscillates across their
 * edge tens of times a second, and the force oscillates with it. A force that depends on the count alone has no
 * equilibrium there. But the hand's mean acceleration is then zero, so the mean of the counts is the position whose
 * force balances it. Hence each axis is averaged while it stays within two counts of its mean. After 0.3 s the output
 * is that mean, which then changes too slowly to excite the loop. When the hand moves farther, the output is the
 * encoder value again as long as the hand moves, so motion is not delayed. The output is always within two counts of
 * the input. */
#pragma once

#include "math/geometry/vec3.h"

typedef struct tacEncoderAxis {
  double mean; /* m: since the last motion */
  double age;  /* s since the last motion */
  double held; /* m: the last output */
  double read; /* m: the last input */
} tacEncoderAxis;

typedef struct tacEncoderHold {
  double count;  /* m; 0: outputs equal inputs */
  double period; /* s */
  bool begun;
  tacEncoderAxis axes[3];
} tacEncoderHold;

/* `count`: resolution of the encoder, m; 0: unknown. */
tacEncoderHold tac_encoder_hold_begin(double count, double period);
/* Tick. */
tacVec3 tac_encoder_hold_take(tacEncoderHold *hold, tacVec3 position);
