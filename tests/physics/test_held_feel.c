/* What a hand feels that holds a body, in closed loop with a simulated operator, without guards: the goals of docs/coupling.md. */
#include <tactus/servo.h>
#include "world/pair_bench.h"

static const double period = 1e-3; /* s */

static tacDevice open_operator(const tacOperatorDef *def, int count, const tacTrajectoryPoint *points) {
  tacTrajectory *path = tac_test_made(tacTrajectory *, tac_trajectory_create(count, points, false, &made, &error));
  return tac_test_made(tacDevice, tac_device_operator_open(def, path, period, &made, &error));
}

static tacTrajectoryPoint key(double time, double x, double z) {
  return (tacTrajectoryPoint){.time = time, .position = {x, 0.0, z}, .orientation = {1.0, 0.0, 0.0, 0.0}};
}

/* ---- drag ---- */

static const char *const couplings[] = {"static", "dynamic"};
static const char *const methods[] = {"penalty", "laws by points", "laws by surfaces"};

static Bench bench_of(int coupling, int method) {
  Bench b = make_bench();
  b.pair.friction = 0.0;
  b.pair.method = method > 0 ? TAC_METHOD_SIGNORINI : TAC_METHOD_PENALTY;
  if (method == 2) b.pair.laws.detect = TAC_DETECT_SURFACES;
  b.tool.coupling = coupling == 0 ? TAC_COUPLING_STATIC : TAC_COUPLING_DYNAMIC;
  b.tool.mass = 0.05;
  return b;
}

/* The mean force against the hand that slides a block over a smooth plane at 0.2 m/s, over the mean force across. The hand's own way is
 * straight, so nothing but the coupling can drag. */
static double drag_of(int coupling, int method) {
  Bench b = bench_of(coupling, method);
  TAC_OWN(tacWorld, world) = block_world(&b);
  tacOperatorDef def;
  tac_test_ok(tac_operator_def_preset("premium-6", &def, &error), error);
  tacTrajectoryPoint points[] = {key(0.0, -0.2, HALF + 0.001), key(0.3, -0.14, HALF - 0.004),
                                 key(1.7, 0.14, HALF - 0.004)};
  tacDevice device = open_operator(&def, 3, points);
  double along = 0.0, across = 0.0;
  for (int i = 0; i < 1700; ++i) {
    tacDeviceState state;
    device.driver->read(device.self, &state);
    const double *q = state.orientation;
    tacToolOutput out = step(world, state.position, tac_quat(q[0], q[1], q[2], q[3]), NULL);
    device.driver->write(device.self, out.force, out.torque);
    if (i >= 700 && i < 1600) {
      along -= out.force.x;
      across += out.force.z;
    }
  }
  tac_device_close(&device);
  ck_assert_double_gt(across, 900.0 * 0.5); /* it was pressed: half a newton */
  return along / across;
}

/* A coupling's damping holds a body back where contacts do, and nowhere else. What is left is the encoder's noise: 30 um at 500 N/m is
 * 15 mN in a tick, and none in the mean. */
TAC_TEST(sliding_without_friction_drags_by_less_than_a_hundredth) {
  for (int c = 0; c < 2; ++c)
    for (int m = 0; m < 3; ++m) {
      double drag = drag_of(c, m);
      ck_assert_msg(fabs(drag) < 0.01, "%s coupling, %s: drag of %g of the normal force", couplings[c], methods[m],
                    drag);
    }
}
