/* A rough operator: strikes, jams and levers the body that it holds against others, at random but always the same; and a device
 * that measures what it is sent on the way to another. */
#ifndef TAC_BENCH_ROUGH_HAND_H
#define TAC_BENCH_ROUGH_HAND_H

#include <tactus/servo.h>

/* A time in which the hand wants to stay where it is. */
typedef struct tacJam {
  double from, to; /* s */
} tacJam;

typedef struct tacRoughPath {
  int count, jam_count;
  tacTrajectoryPoint *points; /* device frame, linear between */
  tacJam *jams;
} tacRoughPath;

/* For a tool that holds a body of a sealed world that is in a pair. Strikes at 0.5 to 1 m/s in the scene, from all around where
 * the body starts, up to 20 mm beyond the surface that it meets. */
tacStatus tac_rough_path_create(const tacWorld *world, int tool, const tacWorkspaceDef *workspace, uint64_t seed,
                                double duration, tacRoughPath *path, tacError *error);
void tac_rough_path_free(tacRoughPath *path); /* a zeroed struct is allowed */

/* What is above 100 Hz (Butterworth, second order) of three signals. */
typedef struct tacHighPass {
  double b, a1, a2;
  double in[3][2], out[3][2];
} tacHighPass;

typedef struct tacMeter {
  tacDevice inner; /* closed with the meter's device */
  const tacRoughPath *path;
  double period;
  int64_t tick;
  int jam;              /* the next one that has not ended */
  uint64_t fingerprint; /* of all states and forces */
  tacHighPass force, torque;
  double force_sum, torque_sum;         /* squares, of all ticks */
  double jammed_sum, jammed_torque_sum; /* of those in which the hand has stayed for a while */
  int64_t jammed;
} tacMeter;
/* `device` refers to the meter, which takes `inner` over. */
void tac_meter_open(tacDevice inner, const tacRoughPath *path, double period, tacMeter *meter, tacDevice *device);

#endif
