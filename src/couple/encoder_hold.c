#include "couple/encoder_hold.h"

#include <math.h>

/* Largest deviation of a resting hand from the mean, in counts; with a margin for round-off. */
static const double band = 2.0 + 1e-6;
static const double settling = 0.3;    /* time within the band until the output is the mean, s; several oscillations */
static const double memory = 2.0;      /* time constant of the mean, s; ten times slower than oscillations of a hand */
static const double gathering = 2e-3;  /* time constant with which the output approaches the mean, s */
static const double releasing = 20e-3; /* time constant with which the output returns to the input, s */
static const double releasing_way = 0.1; /* additional return of the output per motion of the input, m/m */

tacEncoderHold tac_encoder_hold_begin(double count, double period) {
  return (tacEncoderHold){.count = count, .period = period};
}

static double take(tacEncoderAxis *a, double most, double period, double read) {
  double off = a->held - a->read, gone = releasing_way * fabs(read - a->read);
  if (fabs(read - a->mean) > most) *a = (tacEncoderAxis){.mean = read, .held = a->held};
  a->age += period;
  a->mean += (read - a->mean) * period / (a->age < settling ? a->age : memory);
  if (a->age < settling)
    a->held = read + copysign(fmax(0.0, fabs(off) - gone), off) * releasing / (releasing + period);
  else
    a->held += (a->mean - a->held) * period / (gathering + period);
  a->held = fmax(read - most, fmin(read + most, a->held));
  a->read = read;
  return a->held;
}

tacVec3 tac_encoder_hold_take(tacEncoderHold *hold, tacVec3 position) {
  double at[3] = {position.x, position.y, position.z};
  if (!(hold->count > 0.0) || !tac_vec3_finite(position)) return position;
  for (int i = 0; i < 3; ++i) {
    if (!hold->begun) hold->axes[i] = (tacEncoderAxis){.mean = at[i], .held = at[i], .read = at[i]};
    at[i] = take(&hold->axes[i], band * hold->count, hold->period, at[i]);
  }
  hold->begun = true;
  return tac_vec3(at[0], at[1], at[2]);
}
