/* What a hand feels that holds a body, in closed loop with a simulated operator, without guards: the goals of docs/coupling.md. */
#include <tactus/recording.h>
#include <tactus/servo.h>
#include <unistd.h>
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

/* ---- friction ---- */

/* A block that a hand leads over the plane at 0.05 m/s, 2 mm deep, and that it jerks on by 5 mm: the mean of what it feels against its way over the force across, and how far single
 * ticks are off that, rms; both over mu. */
static double friction_of(Bench *b, double *off) {
  const double mu = 0.3;
  b->pair.friction = mu;
  TAC_OWN(tacWorld, world) = block_world(b);
  double sum = 0.0, square = 0.0;
  int count = 0;
  for (int i = 0; i < 1200; ++i) {
    double down = fmin(1.0, i / 300.0), way = 0.05 * period * fmax(0.0, i - 400.0) + (i > 500 ? 5e-3 : 0.0);
    tacToolOutput out = step(world, tac_vec3(way, 0.0, HALF + 1e-3 - 3e-3 * down), tac_quat_identity(), NULL);
    if (i < 800) continue;
    double felt = -out.force.x / out.force.z / mu;
    ck_assert_double_gt(out.force.z, 0.1);
    sum += felt;
    square += felt * felt;
    ++count;
  }
  *off = sqrt(fmax(0.0, square / count - sum * sum / count / count));
  return sum / count;
}

/* Whatever contacts and coupling are as stiff as. */
TAC_TEST(a_held_body_slips_at_mu) {
  static const double points[] = {400.0, 4e3, 4e4}, held[] = {200.0, 600.0, 2000.0};
  int failed = 0;
  for (int i = 0; i < 36; ++i) {
    Bench b = bench_of(i / 9 % 2, i / 18);
    b.pair.stiffness = points[i / 3 % 3];
    b.tool.stiffness = held[i % 3];
    double off, felt = friction_of(&b, &off);
    bool good = fabs(felt - 1.0) < 0.03 && off < 0.03;
    failed += !good;
    if (!good || getenv("TACTUS_TEST_TELL") != NULL)
      fprintf(stderr, "%s coupling, %s, %g N/m of a point, %g N/m: %.3f mu, off by %.3f\n", couplings[i / 9 % 2],
              methods[i / 18], b.pair.stiffness, b.tool.stiffness, felt, off);
  }
  ck_assert_int_eq(failed, 0);
}

/* ---- tremor ---- */

/* A hand that presses and holds still for two seconds, by the servo, with an encoder of 55 um and no friction in the device. Returns how much
 * the force that was written changes in the last half of a second, peak to peak, N. */
static double tremor_of(int coupling, int method, double stiffness, double resolution) {
  Bench b = bench_of(coupling, method);
  b.tool.stiffness = stiffness;
  TAC_OWN(tacWorld, world) = block_world(&b);
  tacOperatorDef def;
  tac_test_ok(tac_operator_def_preset("virtuose-6", &def, &error), error);
  def.info.resolution = resolution;
  def.device_friction = 0.0;
  const double seconds = 2.5;
  tacTrajectoryPoint points[] = {key(0.0, 0.0, HALF + 0.001), key(0.5, 0.0, HALF - 0.00321),
                                 key(4.0, 0.0, HALF - 0.00321)};
  tacDevice device = open_operator(&def, 3, points);
  tacServoDef servo_def = tac_servo_def_default();
  servo_def.real_time = false;
  servo_def.passivity = false;
  servo_def.duration = seconds;
  const char *path = tac_test_path("tremor");
  tacRecordingInfo info = {.scene_path = "", .scene = "", .program = "test"};
  tacRecorder *recorder = tac_test_made(tacRecorder *, tac_recorder_open_world(path, world, &info, &made, &error));
  tacServo *servo =
      tac_test_made(tacServo *, tac_servo_create(world, 1, &device, NULL, &servo_def, recorder, &made, &error));
  tac_test_ok(tac_servo_start(servo, &error), error);
  while (tac_servo_running(servo)) usleep(1000);
  tac_servo_stop(servo);
  tac_servo_destroy(servo);
  tac_test_made(int64_t, tac_recorder_close(recorder, &made, &error));
  tacRecording *recording = tac_test_made(tacRecording *, tac_recording_open(path, &made, &error));
  double least = INFINITY, most = -INFINITY;
  int64_t end = (int64_t)((seconds - servo_def.ramp_out) / period) - 2;
  for (int64_t i = end - 500; i < end; ++i) {
    static tacTickRecord record;
    tac_test_ok(tac_recording_tick(recording, i, &record, &error), error);
    least = fmin(least, record.tool[0].output.force.z);
    most = fmax(most, record.tool[0].output.force.z);
  }
  tac_recording_close(recording);
  tac_device_close(&device);
  ck_assert_double_gt(least, 0.1); /* pressed */
  return most - least;
}

/* The goal is 20 mN. A count of 55 um is 33 mN of a coupling of 600 N/m, and 110 mN of one of 2,000 N/m. */
TAC_TEST(a_hand_that_holds_still_does_not_tremble) {
  for (int c = 0; c < 2; ++c)
    for (int m = 0; m < 2; ++m)
      for (int stiff = 0; stiff < 2; ++stiff) {
        double k = stiff ? 2000.0 : 600.0, held = tremor_of(c, m, k, 55e-6);
        ck_assert_msg(held < 0.02, "%s coupling, %s, %g N/m: %g N", couplings[c], methods[m], k, held);
      }
}
