#include <sched.h>
#include <stdatomic.h>
#include <tactus/device.h>
#include "base/threads/thread.h"
#include "device/oscillator.h"
#include "device/pointer.h"
#include "math/geometry/quat.h"
#include "math/random.h"
#include "test.h"

static const double period = 0.001;
static const double reach = 0.0025 * (1.0 + 1e-9); /* m a tick at 2.5 m/s */
static const tacVec3 none = {0.0, 0.0, 0.0};

/* ---- a device of the tool's own that does as it is told ---- */

typedef struct {
  tacDeviceState next;
  tacDeviceHealth health;
  tacVec3 force, torque; /* written last */
  int reads, writes, closed;
} Own;

static tacDeviceHealth own_read(void *self, tacDeviceState *state) {
  Own *own = self;
  ++own->reads;
  if (own->health == TAC_DEVICE_FINE) *state = own->next;
  return own->health;
}

static void own_write(void *self, tacVec3 force, tacVec3 torque) {
  Own *own = self;
  ++own->writes;
  own->force = force;
  own->torque = torque;
}

static void own_close(void *self) {
  ++((Own *)self)->closed;
}

static const tacDeviceDriver own_driver = {
    .abi = TAC_DEVICE_ABI, .name = "own", .close = own_close, .read = own_read, .write = own_write};

static Own own_at(tacVec3 position) {
  return (Own){.next = {.position = position, .orientation = {1.0, 0.0, 0.0, 0.0}}};
}

static tacDevice device_of(Own *own) {
  return (tacDevice){
      .driver = &own_driver,
      .self = own,
      .info = {.name = "own", .dof = 6, .force_limit = 10.0, .torque_limit = 1.0, .stiffness_limit = 1000.0}};
}

/* ---- what the tests repeat ---- */

static tacDevice open_pointer(const tacPointerDef *def, Own *own, tacVec3 start) {
  tacPointerDef standard = tac_pointer_def_default();
  tacDevice device, inner = {0};
  if (own != NULL) inner = device_of(own);
  tac_test_ok(tac_device_pointer_open(def != NULL ? def : &standard, &inner, start, period, &device, &error), error);
  ck_assert_ptr_null(inner.driver);
  return device;
}

static tacDeviceState tick(tacDevice *device, tacVec3 force) {
  tacDeviceState state;
  ck_assert_int_eq(device->driver->read(device->self, &state), TAC_DEVICE_FINE);
  device->driver->write(device->self, force, none);
  return state;
}

static void move(const tacDevice *device, tacVec3 position, bool touch) {
  tacPointerSample sample = {.position = position, .orientation = {1.0, 0.0, 0.0, 0.0}, .touch = touch};
  tac_device_pointer_move(device, &sample);
}

static bool lifted(const tacDeviceState *state) {
  return (state->buttons & TAC_BUTTON_LIFT) != 0;
}

/* ---- the spring ---- */

/* Hooke's law; the force is cut at the limit of 20 N, and what is not finite is none. */
TAC_TEST(a_constant_force_stretches_the_spring_by_f_over_k) {
  tacVec3 start = tac_vec3(0.1, -0.2, 0.3);
  TAC_FREED(tac_device_close, tacDevice, device) = open_pointer(NULL, NULL, start);
  move(&device, start, true);
  const struct {
    tacVec3 force;
    double offset;
  } cases[] = {{{0.0, 3.0, -4.0}, 5.0 / 600.0}, {{0.0, 600.0, -800.0}, 20.0 / 600.0}, {{NAN, INFINITY, 0.0}, 0.0}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
    tacDeviceState state = {0};
    for (int i = 0; i < 3000; ++i) state = tick(&device, cases[c].force);
    ck_assert(!lifted(&state));
    tacVec3 offset = tac_vec3_sub(state.position, start);
    tacVec3 expected = tac_vec3_scale(cases[c].offset, tac_vec3(0.0, 0.6, -0.8));
    ck_assert_double_lt(tac_vec3_distance(offset, expected), 1e-9 * 5.0 / 600.0);
    ck_assert_double_eq(tac_vec3_distance(tac_device_pointer_status(&device).spring, start), 0.0);
  }
}

TAC_TEST(a_step_of_force_gives_the_damped_oscillation) {
  const double dampings[] = {2.0, 19.0, 60.0}; /* critical: 18.97 */
  for (int c = 0; c < 3; ++c) {
    tacPointerDef def = tac_pointer_def_default();
    def.damping = dampings[c];
    TAC_FREED(tac_device_close, tacDevice, device) = open_pointer(&def, NULL, none);
    move(&device, none, true);
    for (int i = 0; i <= 500; ++i) {
      double x = step_response(def.mass, def.damping, def.stiffness, 6.0, i * period);
      ck_assert_double_eq_tol(tick(&device, tac_vec3(6.0, 0.0, 0.0)).position.x, x, 1e-12);
    }
  }
}

/* The hand changes while the spring is stretched: m a = f - k x gives the first step; then f / k. */
TAC_TEST(a_new_hand_moves_the_handle_without_a_jump) {
  TAC_FREED(tac_device_close, tacDevice, device) = open_pointer(NULL, NULL, none);
  move(&device, none, true);
  tacVec3 force = tac_vec3(0.0, 0.0, 6.0);
  tacDeviceState state = {0};
  for (int i = 0; i < 2000; ++i) state = tick(&device, force);
  double before = state.position.z;
  ck_assert_double_eq_tol(before, 6.0 / 600.0, 1e-11);
  tac_device_pointer_set_hand(&device, 2000.0, 10.0);
  double acceleration = (6.0 - 2000.0 * before) / 0.15; /* m/s^2 */
  ck_assert_double_eq_tol((tick(&device, force).position.z - before) / (0.5 * acceleration * period * period), 1.0,
                          0.05);
  for (int i = 0; i < 3000; ++i) state = tick(&device, force);
  ck_assert_double_eq_tol(state.position.z, 6.0 / 2000.0, 1e-11);
  const double wrong[][2] = {{NAN, 10.0}, {600.0, INFINITY}, {-600.0, 10.0}, {600.0, 0.0}, {1e30, 10.0}};
  for (int i = 0; i < 5; ++i) {
    tac_device_pointer_set_hand(&device, wrong[i][0], wrong[i][1]);
    ck_assert_double_eq_tol(tick(&device, force).position.z, 6.0 / 2000.0, 1e-11);
  }
}

/* ---- the way between samples ---- */

typedef struct {
  double time, x;
} Moment;

/* Samples of x = v t at 60 Hz, each up to `jitter` late, as a display's frames are. */
static int uniform_samples(double v, double jitter, int count, Moment *samples) {
  tacRandom random = tac_random_seed(7);
  for (int i = 0; i < count; ++i) {
    samples[i].time = i / 60.0 + (jitter > 0.0 ? tac_random_uniform(&random, 0.0, jitter) : 0.0);
    samples[i].x = v * i / 60.0;
  }
  return (int)(samples[count - 1].time / period);
}

/* The same spring, damper and mass, its end held at the last sample: m x'' = k (p - x) + b (p' - x'), where a jump of p
 * by d gives the velocity b d / m. The largest second difference of x in a tick, after the first `from` ticks. */
static double held_roughness(const tacPointerDef *def, const Moment *samples, int count, int ticks, int from) {
  double x = 0.0, v = 0.0, p = 0.0, last[2] = {0.0, 0.0}, largest = 0.0;
  for (int i = 0, s = 0; i < ticks; ++i) {
    for (; s < count && samples[s].time <= i * period; ++s) {
      v += def->damping / def->mass * (samples[s].x - p);
      p = samples[s].x;
    }
    for (int j = 0; j < 100; ++j) {
      v += 0.01 * period * (def->stiffness * (p - x) - def->damping * v) / def->mass;
      x += 0.01 * period * v;
    }
    if (i >= from) largest = fmax(largest, fabs(x - 2.0 * last[1] + last[0]));
    last[0] = last[1];
    last[1] = x;
  }
  return largest;
}

TAC_TEST(uniform_motion_is_smooth_between_samples) {
  enum { COUNT = 120, FROM = 500 };
  const double v = 0.2, jitters[] = {0.0, 0.004, 0.008};
  tacPointerDef def = tac_pointer_def_default();
  for (int c = 0; c < 3; ++c) {
    Moment samples[COUNT];
    int ticks = uniform_samples(v, jitters[c], COUNT, samples);
    TAC_FREED(tac_device_close, tacDevice, device) = open_pointer(NULL, NULL, none);
    double last[2] = {0.0, 0.0}, largest = 0.0;
    for (int i = 0, s = 0; i < ticks; ++i) {
      for (; s < COUNT && samples[s].time <= i * period; ++s) move(&device, tac_vec3(samples[s].x, 0.0, 0.0), false);
      double x = tick(&device, none).position.x;
      if (i >= FROM) {
        largest = fmax(largest, fabs(x - 2.0 * last[1] + last[0]));
        /* It is where the pointer was two samples and their jitter before, or later. */
        ck_assert_double_gt(x, v * (i * period - 2.0 / 60.0 - 2.0 * jitters[c]));
        ck_assert_double_lt(x, v * i * period);
      }
      last[0] = last[1];
      last[1] = x;
    }
    double held = held_roughness(&def, samples, COUNT, ticks, FROM);
    ck_assert_double_lt(largest, held / 10.0);
  }
}

/* A burst after a pause: the estimate of the interval is not that of the pause, and the end is there after a frame and
 * a half. */
TAC_TEST(a_pause_does_not_slow_the_pointer_down) {
  TAC_FREED(tac_device_close, tacDevice, device) = open_pointer(NULL, NULL, none);
  double x = 0.0;
  for (int frame = 0; frame < 30; ++frame) {
    move(&device, tac_vec3(x += 0.001, 0.0, 0.0), false);
    for (int i = 0; i < 16; ++i) tick(&device, none);
  }
  for (int i = 0; i < 5000; ++i) tick(&device, none);
  ck_assert_double_eq(tac_device_pointer_status(&device).spring.x, x);
  move(&device, tac_vec3(x + 0.001, 0.0, 0.0), false);
  for (int i = 0; i < 8; ++i) tick(&device, none);
  ck_assert_double_eq_tol(tac_device_pointer_status(&device).spring.x, x + 0.0005, 2e-4);
  for (int i = 0; i < 16; ++i) tick(&device, none);
  ck_assert_double_eq(tac_device_pointer_status(&device).spring.x, x + 0.001);
}

TAC_TEST(a_jump_of_the_pointer_is_followed_with_bounded_speed) {
  tacPointerDef def = tac_pointer_def_default();
  for (int c = 0; c < 3; ++c) {
    if (c == 1) def.damping = 1.0, def.stiffness = 1e5; /* overshoots */
    if (c == 2) def.damping = 1e4;
    TAC_FREED(tac_device_close, tacDevice, device) = open_pointer(&def, NULL, none);
    move(&device, tac_vec3(0.6, 0.0, 0.8), c == 2);
    tacVec3 x = none, end = none;
    for (int i = 0; i < 3000; ++i) {
      tacVec3 now = tick(&device, none).position, spring = tac_device_pointer_status(&device).spring;
      ck_assert_double_le(tac_vec3_distance(now, x), reach);
      ck_assert_double_le(tac_vec3_distance(spring, end), def.speed * period * (1.0 + 1e-9));
      x = now;
      end = spring;
      if (i == 900) ck_assert_double_lt(end.x, 0.55); /* 1 m takes 1 s */
    }
    ck_assert_double_lt(tac_vec3_distance(x, tac_vec3(0.6, 0.0, 0.8)), 1e-4);
  }
}

/* The world pushes as hard as it may against a soft hand: the handle flies away, but not faster than it may. */
TAC_TEST(a_pushed_handle_has_bounded_speed) {
  tacPointerDef def = tac_pointer_def_default();
  def.stiffness = 1.0;
  def.damping = 0.01;
  TAC_FREED(tac_device_close, tacDevice, device) = open_pointer(&def, NULL, none);
  move(&device, none, true);
  tacVec3 x = none;
  double fastest = 0.0;
  for (int i = 0; i < 4000; ++i) {
    tacVec3 now = tick(&device, tac_vec3(i < 2000 ? 1e3 : -1e3, 0.0, 0.0)).position;
    fastest = fmax(fastest, tac_vec3_distance(now, x));
    if (i == 2050) ck_assert_double_lt(now.x, x.x); /* 0.15 kg at 2.5 m/s is turned round by 20 N in 19 ms */
    x = now;
  }
  ck_assert_double_le(fastest, reach);
  ck_assert_double_gt(fastest, 0.99 * reach);
}

TAC_TEST(orientation_turns_the_shorter_way_with_bounded_speed) {
  TAC_FREED(tac_device_close, tacDevice, device) = open_pointer(NULL, NULL, none);
  tacVec3 axis = tac_vec3_unit(tac_vec3(1.0, 2.0, -2.0));
  tacQuat last = tac_quat_identity(), to = tac_quat_from_axis_angle(axis, 2.0);
  /* Of length 3, and the same rotation with the other sign. */
  tacPointerSample sample = {.orientation = {-3.0 * to.w, -3.0 * to.x, -3.0 * to.y, -3.0 * to.z}, .touch = true};
  tac_device_pointer_move(&device, &sample);
  double turned = 0.0;
  for (int i = 0; i < 300; ++i) {
    tacDeviceState state = tick(&device, none);
    tacQuat q = tac_quat_of(state.orientation);
    ck_assert_double_eq_tol(tac_quat_norm(q), 1.0, 1e-12);
    tacVec3 turn = tac_quat_to_rotation_vector(tac_quat_mul(q, tac_quat_conjugate(last)));
    ck_assert_double_le(tac_vec3_norm(turn), 10.0 * period * (1.0 + 1e-9));
    turned += tac_vec3_dot(turn, axis);
    last = q;
    ck_assert_int_eq(lifted(&state), turned < 2.0 - 1e-9); /* it is where the touch began, but not yet turned so */
  }
  ck_assert_double_eq_tol(turned, 2.0, 1e-9);
  ck_assert_double_eq_tol(fabs(tac_quat_dot(last, to)), 1.0, 1e-12);
}

/* ---- touch ---- */

TAC_TEST(the_tool_stays_lifted_until_the_handle_reaches_the_touch) {
  const tacVec3 began = {0.2, 0.0, 0.0}, deeper = {0.2, 0.0, -0.05};
  TAC_FREED(tac_device_close, tacDevice, device) = open_pointer(NULL, NULL, none),
                                         pushed = open_pointer(NULL, NULL, none);
  tacVec3 push = tac_vec3(0.0, -10.0, 0.0);
  tacDeviceState state = tick(&device, none);
  tick(&pushed, push);
  ck_assert(lifted(&state)); /* nothing touches yet */
  move(&device, began, true);
  move(&pushed, began, true);
  int came = -1;
  for (int i = 0; i < 1000; ++i) {
    if (i == 20) move(&device, deeper, true); /* presses on before the tool has come */
    if (i == 20) move(&pushed, deeper, true);
    tacVec3 last = state.position;
    state = tick(&device, none);
    tacDeviceState other = tick(&pushed, push);
    if (came < 0) ck_assert_double_eq(tac_vec3_distance(state.position, other.position), 0.0); /* lifted: not pushed */
    if (!lifted(&state) && came < 0) {
      came = i;
      ck_assert_double_lt(tac_vec3_distance(state.position, began), 0.001);
      ck_assert_double_lt(tac_vec3_distance(state.position, last), 0.1 * period); /* gently */
    }
    ck_assert(came < 0 || !lifted(&state)); /* until the touch ends */
  }
  ck_assert_int_gt(came, 180); /* 0.2 m at 1 m/s */
  ck_assert_int_lt(came, 400);
  ck_assert_double_lt(tac_vec3_distance(state.position, deeper), 1e-9);
  ck_assert_double_lt(tac_vec3_distance(tac_device_pointer_status(&pushed).spring, deeper), 1e-9);
  move(&device, deeper, false);
  state = tick(&device, none);
  ck_assert(lifted(&state));
  ck_assert(tac_device_pointer_status(&device).lifted);
}

TAC_TEST(a_handle_at_the_touch_lowers_the_tool_immediately) {
  const tacVec3 at = {0.03, 0.02, 0.01};
  TAC_FREED(tac_device_close, tacDevice, device) = open_pointer(NULL, NULL, none);
  move(&device, at, false);
  for (int i = 0; i < 500; ++i) tick(&device, none);
  move(&device, at, true);
  for (int i = 0; i < 200; ++i) {
    tacDeviceState state = tick(&device, none);
    ck_assert(!lifted(&state));
    ck_assert_double_lt(tac_vec3_distance(state.position, at), 0.001);
  }
}

/* Between two ticks the pointer lets go and touches elsewhere: the tool may not be dragged there along the surface. */
TAC_TEST(a_touch_that_begins_elsewhere_within_a_tick_is_a_new_one) {
  const tacVec3 there = {0.0, 0.1, 0.0};
  TAC_FREED(tac_device_close, tacDevice, device) = open_pointer(NULL, NULL, none);
  move(&device, none, true);
  tacDeviceState state = tick(&device, none);
  ck_assert(!lifted(&state));
  move(&device, none, false);
  move(&device, there, true);
  move(&device, tac_vec3(0.0, 0.15, 0.0), true);
  int down = 0;
  for (int i = 0; i < 600 && down == 0; ++i) {
    state = tick(&device, none);
    if (!lifted(&state)) down = i;
  }
  ck_assert_int_gt(down, 90);
  ck_assert_double_lt(tac_vec3_distance(state.position, there), 0.001);
}

TAC_TEST(the_tool_grabs_only_when_it_is_not_lifted) {
  TAC_FREED(tac_device_close, tacDevice, device) = open_pointer(NULL, NULL, none);
  for (int touch = 0; touch < 2; ++touch)
    for (int grab = 0; grab < 2; ++grab) {
      tacPointerSample sample = {.touch = touch != 0, .grab = grab != 0};
      tac_device_pointer_move(&device, &sample);
      uint32_t expected = !touch ? TAC_BUTTON_LIFT : grab ? TAC_BUTTON_GRAB : 0u;
      ck_assert_uint_eq(tick(&device, none).buttons, expected);
    }
}

/* ---- who leads ---- */

/* The own device goes round at 0.3 m/s. */
static void go_round(Own *own, int i) {
  double angle = 0.3 / 0.05 * i * period;
  tacQuat q = tac_quat_from_axis_angle(tac_vec3(0.0, 0.0, 1.0), angle);
  own->next = (tacDeviceState){.position = tac_vec3(0.05 * cos(angle), 0.05 * sin(angle), 0.0),
                               .orientation = {q.w, q.x, q.y, q.z},
                               .buttons = TAC_BUTTON_GRAB};
}

TAC_TEST(the_tool_is_lifted_between_two_leaders) {
  const tacVec3 at = {0.0, 0.0, 0.2}, push = {1.0, 2.0, 3.0};
  Own own = own_at(none);
  tacDevice device = open_pointer(NULL, &own, none);
  ck_assert_str_eq(device.info.name, "own");
  ck_assert_double_eq(device.info.force_limit, 10.0);
  move(&device, at, true); /* does not lead yet */
  enum { TAKES = 300, LETS_GO = 1300, END = 2300 };
  tacVec3 last = none;
  int down = 0, back = 0;
  for (int i = 0; i < END; ++i) {
    go_round(&own, i);
    if (i == TAKES) tac_device_pointer_lead(&device, true);
    if (i == LETS_GO) tac_device_pointer_lead(&device, false);
    bool pointer = i >= TAKES && i < LETS_GO;
    tacDeviceState state;
    ck_assert_int_eq(device.driver->read(device.self, &state), TAC_DEVICE_FINE);
    device.driver->write(device.self, push, push);
    tacPointerStatus status = tac_device_pointer_status(&device);
    ck_assert_int_eq(own.reads, i + 1);
    ck_assert_int_eq(own.writes, i + 1);
    ck_assert_int_eq(status.leads, pointer);
    ck_assert_int_eq(status.lifted, lifted(&state));
    if (i > 0) ck_assert_double_le(tac_vec3_distance(state.position, last), reach);
    if (i < TAKES) ck_assert(!lifted(&state));
    if (i == TAKES || i == LETS_GO) ck_assert(lifted(&state));
    if (pointer && down == 0 && !lifted(&state)) {
      down = i;
      ck_assert_double_lt(tac_vec3_distance(state.position, at), 0.001);
    }
    if (i >= LETS_GO && back == 0 && !lifted(&state)) back = i;
    ck_assert(lifted(&state) == ((pointer && down == 0) || (i >= LETS_GO && back == 0)));
    if (i < TAKES || back > 0) { /* all passes through */
      ck_assert_mem_eq(&state.position, &own.next.position, sizeof state.position);
      ck_assert_mem_eq(state.orientation, own.next.orientation, sizeof state.orientation);
      ck_assert_uint_eq(state.buttons, TAC_BUTTON_GRAB);
      ck_assert_mem_eq(&own.force, &push, sizeof push);
      ck_assert_mem_eq(&own.torque, &push, sizeof push);
      ck_assert_mem_eq(&status.spring, &own.next.position, sizeof status.spring);
    } else {
      ck_assert_double_eq(tac_vec3_norm(own.force) + tac_vec3_norm(own.torque), 0.0);
      ck_assert_uint_eq(state.buttons & ~TAC_BUTTON_LIFT, 0u);
    }
    last = state.position;
  }
  ck_assert_int_gt(down, TAKES + 190); /* 0.2 m at 1 m/s */
  ck_assert_int_lt(down, TAKES + 500);
  ck_assert_int_gt(back, LETS_GO + 190);
  ck_assert_int_lt(back, LETS_GO + 500);
  tac_device_close(&device);
  ck_assert_int_eq(own.closed, 1);
}

/* A pointer that leads from the start begins where the own device is; without a sample it rests there, lifted. */
TAC_TEST(the_handle_starts_at_the_second_device) {
  const tacVec3 at = {0.3, 0.2, 0.1};
  Own own = own_at(at);
  TAC_FREED(tac_device_close, tacDevice, device) = open_pointer(NULL, &own, none);
  tac_device_pointer_lead(&device, true);
  for (int i = 0; i < 100; ++i) {
    tacDeviceState state = tick(&device, none);
    ck_assert(lifted(&state));
    ck_assert_double_eq(tac_vec3_distance(state.position, at), 0.0);
  }
}

TAC_TEST(the_second_devices_health_counts_while_it_leads) {
  const tacDeviceHealth healths[] = {TAC_DEVICE_LATE, TAC_DEVICE_LOST, TAC_DEVICE_DONE};
  for (int h = 0; h < 3; ++h) {
    Own own = own_at(none);
    TAC_FREED(tac_device_close, tacDevice, device) = open_pointer(NULL, &own, none);
    tacDeviceState state;
    tick(&device, none);
    tac_device_pointer_lead(&device, true);
    tick(&device, none);
    own.health = healths[h];
    move(&device, tac_vec3(0.01, 0.0, 0.0), true);
    for (int i = 0; i < 300; ++i) state = tick(&device, none); /* asserts that it is fine */
    ck_assert(!lifted(&state));
    ck_assert_int_eq(own.reads, 302);
    tac_device_pointer_lead(&device, false);
    for (int i = 0; i < 100; ++i) {
      ck_assert_int_eq(device.driver->read(device.self, &state), healths[h]);
      ck_assert(lifted(&state)); /* nothing is known of where the device is now */
      device.driver->write(device.self, none, none);
    }
    ck_assert_double_eq(tac_vec3_norm(state.position), 0.0); /* but it is on its way, or there */
    /* It comes back elsewhere: the tool goes there lifted. */
    own.health = TAC_DEVICE_FINE;
    own.next.position.y = 0.1;
    for (int i = 0; i < 50; ++i) {
      state = tick(&device, none);
      ck_assert(lifted(&state));
    }
    for (int i = 0; i < 100; ++i) state = tick(&device, none);
    ck_assert(!lifted(&state));
    ck_assert_double_eq(state.position.y, 0.1);
  }
}

/* ---- whatever comes ---- */

TAC_TEST(non_finite_samples_are_ignored) {
  const tacVec3 at = {0.01, 0.0, 0.0};
  TAC_FREED(tac_device_close, tacDevice, device) = open_pointer(NULL, NULL, none);
  move(&device, at, false);
  move(&device, tac_vec3(0.0, NAN, 0.0), true);
  tacPointerSample sample = {.orientation = {1.0, 0.0, -INFINITY, 0.0}, .touch = true};
  tac_device_pointer_move(&device, &sample);
  tacDeviceState state = {0};
  for (int i = 0; i < 1000; ++i) {
    state = tick(&device, none);
    ck_assert(lifted(&state));
  }
  ck_assert_double_lt(tac_vec3_distance(state.position, at), 1e-9);
}

static double odd_number(tacRandom *random) {
  static const double odd[] = {NAN, INFINITY, -INFINITY, 1e30, -1e30, 1e300, -1.7e308, 1e-310, 0.0};
  uint64_t choice = tac_random_bits(random) % 64;
  return choice < 9 ? odd[choice] : tac_random_uniform(random, -0.3, 0.3);
}

static tacVec3 odd_vector(tacRandom *random) {
  double x = odd_number(random), y = odd_number(random);
  return tac_vec3(x, y, odd_number(random));
}

static tacPointerSample odd_sample(tacRandom *random) {
  tacPointerSample sample = {.position = odd_vector(random)};
  for (int i = 0; i < 4; ++i) sample.orientation[i] = odd_number(random);
  uint64_t bits = tac_random_bits(random);
  sample.touch = (bits & 3) != 0;
  sample.grab = (bits & 4) != 0;
  return sample;
}

TAC_TEST(states_are_finite_and_speeds_bounded_for_any_input) {
  tacRandom random = tac_random_seed(11);
  Own own = own_at(none);
  TAC_FREED(tac_device_close, tacDevice, device) = open_pointer(NULL, &own, none);
  tacVec3 last = none;
  int ticks = tac_test_light() ? 20000 : 200000, lifts = 0, leads = 0, fines = 0, waited = 0;
  for (int i = 0; i < ticks; ++i) {
    go_round(&own, i);
    own.health = tac_random_bits(&random) % 4 == 0 ? TAC_DEVICE_LATE : TAC_DEVICE_FINE;
    uint64_t what = tac_random_bits(&random) % 400;
    tacPointerSample sample = odd_sample(&random);
    if (what < 40) tac_device_pointer_move(&device, &sample);
    if (what == 40) tac_device_pointer_lead(&device, (tac_random_bits(&random) & 1) != 0);
    if (what == 41) {
      double stiffness = 1e5 * odd_number(&random), damping = pow(10.0, 10.0 * odd_number(&random));
      tac_device_pointer_set_hand(&device, stiffness, damping);
    }
    tacDeviceState state;
    tacDeviceHealth health = device.driver->read(device.self, &state);
    ck_assert(health == TAC_DEVICE_FINE || health == own.health);
    ck_assert(tac_vec3_finite(state.position));
    ck_assert_double_eq_tol(tac_quat_norm(tac_quat_of(state.orientation)), 1.0, 1e-9);
    tacPointerStatus status = tac_device_pointer_status(&device);
    ck_assert(tac_vec3_finite(status.spring));
    ++waited;
    if (health == TAC_DEVICE_FINE) { /* else the servo does not look at the state, and allows more way later */
      if (fines++ > 0) ck_assert_double_le(tac_vec3_distance(state.position, last), waited * reach);
      last = state.position;
      waited = 0;
    }
    lifts += lifted(&state);
    leads += status.leads;
    tacVec3 force = tac_vec3_scale(100.0, odd_vector(&random)), torque = odd_vector(&random);
    device.driver->write(device.self, force, torque);
  }
  ck_assert_int_gt(lifts, ticks / 10); /* all of it happened */
  ck_assert_int_lt(lifts, ticks - ticks / 10);
  ck_assert_int_gt(leads, ticks / 10);
  ck_assert_int_lt(leads, ticks - ticks / 10);
}

/* ---- two threads ---- */

typedef struct {
  const tacDevice *device;
  atomic_bool ends;
  int torn, moves;
} Hand;

/* Positions lie on the line x = y = z: a torn sample or status leaves it. */
static void move_hand(void *context) {
  Hand *hand = context;
  tacRandom random = tac_random_seed(5);
  while (!atomic_load(&hand->ends)) {
    double x = tac_random_uniform(&random, -0.2, 0.2);
    uint64_t bits = tac_random_bits(&random);
    move(hand->device, tac_vec3(x, x, x), (bits & 7) != 0);
    if (bits % 50 == 0) tac_device_pointer_lead(hand->device, (bits & 256) != 0);
    if (bits % 64 == 1) tac_device_pointer_set_hand(hand->device, 300.0 + (double)(bits % 1000), 19.0);
    tacVec3 spring = tac_device_pointer_status(hand->device).spring;
    hand->torn += !(fabs(spring.x - spring.y) < 1e-12) || !(fabs(spring.x - spring.z) < 1e-12);
    ++hand->moves;
    sched_yield();
  }
}

TAC_TEST(another_thread_moves_the_pointer) {
  Own own = own_at(none);
  TAC_FREED(tac_device_close, tacDevice, device) = open_pointer(NULL, &own, none);
  Hand hand = {.device = &device};
  tacThreadDef def = tac_thread_def_default();
  tacThread thread;
  tac_test_ok(tac_thread_create(&def, move_hand, &hand, &thread, &error), error);
  tacVec3 last = none;
  int wrong = 0, ticks = tac_test_light() ? 20000 : 100000;
  for (int i = 0; i < ticks; ++i) {
    tacDeviceState state;
    device.driver->read(device.self, &state);
    tacVec3 x = state.position;
    wrong += !(tac_vec3_distance(x, last) <= reach) || !(fabs(x.x - x.y) < 1e-12) || !(fabs(x.x - x.z) < 1e-12);
    last = x;
    device.driver->write(device.self, tac_vec3(1.0, 1.0, 1.0), none);
    if (i % 16 == 0) sched_yield(); /* so that one core interleaves the two as well */
  }
  atomic_store(&hand.ends, true);
  tac_thread_join(&thread);
  ck_assert_int_eq(wrong, 0);
  ck_assert_int_eq(hand.torn, 0);
  ck_assert_int_gt(hand.moves, 0);
}

/* ---- opening ---- */

TAC_TEST(impossible_definitions_are_refused_and_the_second_device_is_closed) {
  const struct {
    size_t field;
    double value;
    const char *message;
  } cases[] = {{offsetof(tacPointerDef, stiffness), 0.0, "pointer: stiffness is 0; it must be 1 to 100000"},
               {offsetof(tacPointerDef, damping), -1.0, "pointer: damping is -1"},
               {offsetof(tacPointerDef, mass), NAN, "pointer: mass is nan"},
               {offsetof(tacPointerDef, speed), 3.0, "pointer: speed is 3; it must be 0.001 to 2"},
               {offsetof(tacPointerDef, arrival), 0.0, "pointer: arrival is 0"}};
  tacDevice device, inner;
  tacPointerDef def;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    Own own = own_at(none);
    inner = device_of(&own);
    def = tac_pointer_def_default();
    memcpy((char *)&def + cases[i].field, &cases[i].value, sizeof cases[i].value);
    ck_assert_int_eq(tac_device_pointer_open(&def, &inner, none, period, &device, &error), TAC_ERR_ARGUMENT);
    ck_assert_msg(strstr(error.text, cases[i].message) != NULL, "%s", error.text);
    ck_assert_ptr_null(device.driver);
    ck_assert_ptr_null(inner.driver);
    ck_assert_int_eq(own.closed, 1);
  }
  def = tac_pointer_def_default();
  ck_assert_int_eq(tac_device_pointer_open(&def, NULL, none, 0.0, &device, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_device_pointer_open(&def, NULL, tac_vec3(NAN, 0.0, 0.0), period, &device, &error),
                   TAC_ERR_ARGUMENT);
  Own own = own_at(none);
  inner = device_of(&own);
  inner.info.force_limit = 0.0;
  tac_test_refused(tac_device_pointer_open(&def, &inner, none, period, &device, &error), TAC_ERR_ARGUMENT, error,
                   "force_limit must be positive");
  ck_assert_int_eq(own.closed, 1);
}

TAC_TEST(other_devices_are_left_alone) {
  Own own = own_at(none);
  TAC_FREED(tac_device_close, tacDevice, device) = device_of(&own);
  move(&device, tac_vec3(1.0, 2.0, 3.0), true);
  tac_device_pointer_lead(&device, true);
  tac_device_pointer_set_hand(&device, 100.0, 10.0);
  ck_assert(!tac_device_pointer_status(&device).leads);
  ck_assert_int_eq(own.reads + own.writes, 0);
  device = open_pointer(NULL, NULL, none);
  tac_device_pointer_lead(&device, false); /* there is no other */
  ck_assert(tac_device_pointer_status(&device).leads);
  tick(&device, none);
  ck_assert(tac_device_pointer_status(&device).leads);
  ck_assert_int_eq(device.info.dof, 3);
  ck_assert_double_eq(device.info.force_limit, 20.0);
  ck_assert_double_eq(device.info.stiffness_limit, 3000.0);
}
