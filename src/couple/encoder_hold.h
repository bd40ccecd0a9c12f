/* Filter that estimates the position of a resting hand from the counts of an encoder.
 *
 * One encoder count of size q changes the force of a spring k by k q. If the equilibrium of the hand is between two
 * counts, the hand oscillates between these counts tens of times a second. The force then oscillates, too. A force that
 * depends only on the present count has no equilibrium there. The mean acceleration of the oscillating hand is zero, so
 * the mean of the counts is the equilibrium position.
 *
 * Each axis is therefore averaged while the axis stays within two counts of its mean. After 0.3 s the output is the
 * mean, which changes too slowly to excite the control loop. If the hand moves farther, the output follows the encoder
 * without delay until the hand rests again. The output is always within two counts of the input. */
#pragma once

#include "math/geometry/vec3.h"

typedef struct tacEncoderAxis {
  double mean; /* mean position since the last motion, m */
  double age;  /* time since the last motion, s */
  double held; /* last output, m */
  double read; /* last input, m */
} tacEncoderAxis;

typedef struct tacEncoderHold {
  double count;  /* resolution of the encoder, m; 0: outputs equal inputs */
  double period; /* length of a tick, s */
  bool begun;
  tacEncoderAxis axes[3];
} tacEncoderHold;

/* Returns the initial state of the filter. `count`: resolution of the encoder, m; 0: unknown. `period`: length of a
 * tick, s. */
tacEncoderHold tac_encoder_hold_begin(double count, double period);
/* Returns the estimated position for the encoder's `position`, m. Call once per tick. */
tacVec3 tac_encoder_hold_take(tacEncoderHold *hold, tacVec3 position);
