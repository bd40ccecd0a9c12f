/* What a hand feels that touches as people do when they judge a simulation: it comes to a body, presses 2 mm deep, holds still, and slides
 * to and fro. Without guards. The hand is where it wants to be, but for the tremor: that one is felt through a device whose encoder has counts of
 * 55 um, in closed loop with a simulated operator. NAN: it makes no sense there, or could not be measured. */
#pragma once

#include <tactus/scene.h>

typedef struct tacFeel {
  double normal;    /* N: mean while it holds still, 2 mm beyond where the contact began */
  double ripple;    /* rms of the normal force over its mean, at 0.05 m/s, less a parabola over each way */
  double rough;     /* N rms above 100 Hz at 0.2 m/s */
  double threshold; /* |mu felt / mu - 1|, at 0.05 m/s; mu = 0.3 is set for all bodies and pairs */
  double drag;      /* tangential over normal force at 0.2 m/s without friction */
  double
      tremor; /* N, peak to peak, along the normal, of a second in which the operator holds still, less a parabola: what drifts is no tremor */
  double lost;  /* ticks without contact while it presses: a point, while it is inside the body as that is then */
  double tick;  /* s: 99 % of ticks take less, without steps of bodies that are simulated slower */
  double depth; /* m: of bodies in each other, true, while it holds still */
} tacFeel;

/* Of a baked scene, its first tool: a point, a fingertip or a body; of pads nothing is measured. */
tacStatus tac_feel_measure(const tacScene *scene, tacFeel *feel, tacError *error);
