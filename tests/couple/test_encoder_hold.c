#include "couple/encoder_hold.h"

#include "math/random.h"
#include "test.h"

static const double period = 1e-3, count = 55e-6; /* s, m */

static double take(tacEncoderHold *hold, double x) {
  return tac_encoder_hold_take(hold, tac_vec3(x, 0.0, 0.0)).x;
}

/* Whatever the hand does: walks at random, at many speeds, with rests. */
TAC_TEST(the_output_is_within_two_counts_of_the_input) {
  tacRandom random = tac_random_seed(1);
  tacEncoderHold hold = tac_encoder_hold_begin(count, period);
  double x = 0.0, speed = 0.0;
  for (int i = 0; i < 200000; ++i) {
    if (i % 500 == 0) speed = i % 1500 == 0 ? 0.0 : exp(tac_random_uniform(&random, log(1e-8), log(1e-3)));
    x += tac_random_uniform(&random, -speed, speed);
    double read = count * round(x / count);
    ck_assert_double_le(fabs(take(&hold, read) - read), (2.0 + 1e-5) * count);
  }
}

/* 25 Hz to and fro across an edge, up for 30 % of the time: after half a second the output is constant to a fiftieth of a count, and it is the
 * mean. */
TAC_TEST(a_hand_at_an_edge_holds_still) {
  tacEncoderHold hold = tac_encoder_hold_begin(count, period);
  double least = INFINITY, most = -INFINITY;
  for (int i = 0; i < 2000; ++i) {
    double x = take(&hold, i % 40 < 12 ? count : 0.0);
    if (i < 500) continue;
    least = fmin(least, x);
    most = fmax(most, x);
  }
  ck_assert_double_lt(most - least, 0.02 * count);
  ck_assert_double_eq_tol(0.5 * (least + most), 0.3 * count, 0.05 * count);
}

/* A hand that moves faster than two counts in 0.3 s, after a rest as well, has its encoder as it is, but for the turning points of a slow
 * one. */
TAC_TEST(motion_is_not_delayed) {
  tacEncoderHold hold = tac_encoder_hold_begin(count, period);
  for (int i = 0; i < 5000; ++i) {
    double time = period * i, x = time < 1.0 ? 0.0 : 0.05 * sin(6.28 * (time - 1.0));
    double read = count * round(x / count), given = take(&hold, read);
    if (time > 1.2) ck_assert_double_lt(fabs(given - read), 1e-3 * count);
  }
}

TAC_TEST(without_a_count_outputs_are_inputs) {
  tacEncoderHold hold = tac_encoder_hold_begin(0.0, period);
  for (int i = 0; i < 1000; ++i) ck_assert_double_eq(take(&hold, 1e-6 * (i % 7)), 1e-6 * (i % 7));
}

/* A hand on a spring against a wall, without friction: M, b and k of the hand, N/m of the wall. With the encoder as it is the force goes to
 * and fro by one or two counts for ever; held, it rests. The exact position rests as well. */
static double tremor(double mass, double damping, double stiffness, double wall, bool counts, bool held) {
  tacEncoderHold hold = tac_encoder_hold_begin(held ? count : 0.0, period);
  double x = 0.002, v = 0.0, least = INFINITY, most = -INFINITY;
  const int substeps = 20;
  for (int i = 0; i < 4000; ++i) {
    double at = take(&hold, counts ? count * round(x / count) : x), force = fmax(0.0, -wall * at);
    if (i >= 3000) {
      least = fmin(least, force);
      most = fmax(most, force);
    }
    for (int s = 0; s < substeps; ++s) {
      v += (stiffness * (-0.00331 - x) - damping * v + force) / mass * period / substeps;
      x += v * period / substeps;
    }
  }
  return most - least;
}

TAC_TEST(hands_against_walls_do_not_tremble) {
  const double hands[][3] = {{0.2, 5.0, 500.0}, {0.65, 5.1, 500.0}, {0.15, 3.0, 300.0}, {0.3, 8.0, 900.0}};
  for (int h = 0; h < 4; ++h)
    for (int w = 0; w < 4; ++w) {
      double wall = 300.0 * (1 << w), m = hands[h][0], b = hands[h][1], k = hands[h][2];
      ck_assert_double_lt(tremor(m, b, k, wall, false, false), 0.002);
      double held = tremor(m, b, k, wall, true, true);
      ck_assert_msg(held < 0.02, "hand %d, %g N/m: %g N", h, wall, held);
    }
  ck_assert_double_gt(tremor(0.2, 5.0, 500.0, 2400.0, true, false), 0.1);
}
