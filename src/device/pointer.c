#include <tactus/device.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/threads/triple_buffer.h"
#include "device/driver_info.h"
#include "device/handle.h"
#include "device/pointer.h"
#include "math/geometry/quat.h"

/* The handle x, of mass m, is pulled by the hand at the spring's end p and pushed by the rendered force f:
 *
 *   m x'' = k (p - x) + b (p' - x') + f
 *
 * In a tick f is constant and p goes on a line: device/handle.h solves that exactly. Then velocity and way are cut, so
 * that the servo never sees a jump, whatever was asked for. */
static const double handle_speed = 2.5;        /* m/s; well below the servo's limit, and above what `speed` may be */
static const double turn_speed = 10.0;         /* rad/s, of the spring's end */
static const double first_interval = 1.0 / 60; /* s between samples, before it is known */
static const double least_interval = 0.001, most_interval = 0.05;
static const double rest_time = 0.2; /* s: without a sample for longer, the pointer was at rest */
static const double margin = 1.25;   /* lines last so many intervals: a late sample finds the end still on its way */
static const double shrink_share = 0.125; /* share of a shorter interval that the estimate takes over */

static const double stiffness_range[2] = {1.0, 1e5}, damping_range[2] = {0.01, 1e4}; /* N/m, N s/m */

static const tacVec3 none = {0.0, 0.0, 0.0};

typedef struct {
  tacVec3 position;
  tacQuat orientation;
} Pose;

/* What the other thread hands over. Samples may be skipped between ticks, touches may not: one that ends and begins
 * elsewhere within a tick is a new one. */
typedef struct {
  tacPointerSample newest, began; /* the sample with which the last touch began */
  uint64_t touches;               /* that began so far */
} Request;

typedef enum { OWN_LEADS, POINTER_LEADS, GOES_BACK } Phase; /* back to the own device, lifted */

typedef struct {
  tacPointerDef def;
  tacDevice own; /* without a driver: none */
  double period, force_limit;

  Request request; /* the other thread's copy */
  tacTripleBuffer *requests, *statuses;
  atomic_bool wants_lead;
  _Atomic double stiffness, damping; /* both valid; a tick may see one before the other */

  /* The tick's. */
  Phase phase;
  int64_t tick, sampled; /* of this read; of the newest sample, -1: none yet */
  double interval;       /* s, estimate of the time between samples */
  uint64_t touches;      /* seen so far */
  bool own_seen, lifted;
  tacDeviceState own_state; /* as read last */
  Pose own_pose;            /* the last good one */
  tacHandle handle;
  double handle_stiffness, handle_damping; /* of `handle` */
  Pose tool;                               /* the handle */
  tacVec3 velocity, force;                 /* m/s; N, held */
  Pose end, target;                        /* of the spring, and where it goes */
  Pose goal;                               /* where the touch began: there the handle may come down */
  double rate, turn_rate;                  /* m/s, rad/s of the end on its line */
} Pointer;

static Pose pose_of(tacVec3 position, const double q[4]) {
  return (Pose){position, tac_quat_normalise(tac_quat_of(q))};
}

/* The rotation vector from a to b, the shorter way. */
static tacVec3 turn_between(tacQuat a, tacQuat b) {
  return tac_quat_to_rotation_vector(tac_quat_mul(b, tac_quat_conjugate(a)));
}

/* Exactly zero where `a` is not longer than `length`. */
static tacVec3 shorten(tacVec3 a, double length) {
  return tac_vec3_sub(a, tac_handle_cut(a, length));
}

static bool finite_state(tacVec3 position, const double q[4]) {
  return tac_vec3_finite(position) && isfinite(q[0]) && isfinite(q[1]) && isfinite(q[2]) && isfinite(q[3]);
}

/* ---- the tick: what is new ---- */

static void take_hand(Pointer *p) {
  double stiffness = atomic_load_explicit(&p->stiffness, memory_order_relaxed);
  double damping = atomic_load_explicit(&p->damping, memory_order_relaxed);
  if (stiffness == p->handle_stiffness && damping == p->handle_damping) return;
  p->handle_stiffness = stiffness;
  p->handle_damping = damping;
  p->handle = tac_handle_make(p->def.mass, damping, stiffness, p->period);
}

/* The estimate rises at once and falls slowly: in bursts it is the time between bursts, and the end seldom rests. */
static const Request *take_sample(Pointer *p, bool *is_new) {
  const Request *request = tac_triple_buffer_latest(p->requests, is_new);
  if (!*is_new) return request;
  double passed = (double)(p->tick - p->sampled) * p->period;
  if (p->sampled >= 0 && passed <= rest_time) {
    passed = fmin(fmax(passed, least_interval), most_interval);
    p->interval = fmax(passed, p->interval + shrink_share * (passed - p->interval));
  }
  p->sampled = p->tick;
  return request;
}

static tacDeviceHealth read_own(Pointer *p) {
  if (p->own.driver == NULL) return TAC_DEVICE_FINE;
  tacDeviceState *state = &p->own_state;
  tacDeviceHealth health = p->own.driver->read(p->own.self, state);
  if (health != TAC_DEVICE_FINE || !finite_state(state->position, state->orientation)) return health;
  p->own_pose = pose_of(state->position, state->orientation);
  if (!p->own_seen && p->phase == OWN_LEADS) p->tool = p->own_pose;
  p->own_seen = true;
  return health;
}

/* ---- the tick: the pointer leads ---- */

static void aim(Pointer *p, Pose target) {
  double time = margin * p->interval;
  p->target = target;
  p->rate = fmin(p->def.speed, tac_vec3_distance(target.position, p->end.position) / time);
  p->turn_rate = fmin(turn_speed, tac_vec3_norm(turn_between(p->end.orientation, target.orientation)) / time);
}

/* The spring's end goes on. Returns whether it has the target's orientation. */
static bool approach(Pointer *p) {
  tacVec3 gap = tac_vec3_sub(p->target.position, p->end.position);
  double step = p->rate * p->period;
  p->end.position =
      tac_vec3_norm(gap) <= step ? p->target.position : tac_vec3_add(p->end.position, tac_handle_cut(gap, step));
  tacVec3 turn = turn_between(p->end.orientation, p->target.orientation);
  double angle = p->turn_rate * p->period;
  bool turned = tac_vec3_norm(turn) <= angle;
  tacQuat part = tac_quat_from_rotation_vector(tac_handle_cut(turn, angle));
  p->end.orientation = turned ? p->target.orientation : tac_quat_normalise(tac_quat_mul(part, p->end.orientation));
  return turned;
}

static void pull(Pointer *p, tacVec3 from) {
  tacVec3 to = p->end.position, speed = tac_vec3_scale(1.0 / p->period, tac_vec3_sub(to, from));
  tacVec3 e = tac_vec3_sub(p->tool.position, from), de = tac_vec3_sub(p->velocity, speed);
  tac_handle_advance(&p->handle, p->force, &e, &de);
  tacVec3 way = tac_vec3_sub(tac_vec3_add(to, e), p->tool.position);
  p->tool.position = tac_vec3_add(p->tool.position, tac_handle_cut(way, handle_speed * p->period));
  p->tool.orientation = p->end.orientation; /* nothing resists */
  p->velocity = tac_handle_cut(tac_vec3_add(speed, de), handle_speed);
}

/* Spring and motion hold less energy than the spring at a length of `arrival`. Without a force that energy only falls
 * while the end rests: the handle is nearer than `arrival`, stays so, and does not shoot past the goal into what lies
 * behind. */
static bool arrived(const Pointer *p) {
  double most = p->def.arrival * p->def.arrival, k = p->handle_stiffness;
  double apart = tac_vec3_norm2(tac_vec3_sub(p->tool.position, p->goal.position));
  return k * apart + p->def.mass * tac_vec3_norm2(p->velocity) < k * most;
}

static void follow(Pointer *p, const Request *request, bool is_new, bool new_touch) {
  const tacPointerSample *newest = &request->newest;
  bool takes_over = p->phase != POINTER_LEADS;
  p->phase = POINTER_LEADS;
  if (takes_over) {
    p->end = p->target = p->tool;
    p->rate = p->turn_rate = 0.0;
    p->lifted = true;
  }
  Pose latest = pose_of(newest->position, newest->orientation);
  if (!newest->touch || new_touch) p->lifted = true;
  if (newest->touch && (takes_over || new_touch)) {
    /* The end waits at the goal until the handle has come, wherever the pointer goes meanwhile: it always arrives. */
    p->goal = new_touch ? pose_of(request->began.position, request->began.orientation) : latest;
    aim(p, p->goal);
  } else if (p->sampled >= 0 && (takes_over || (is_new && !(newest->touch && p->lifted)))) {
    aim(p, latest);
  }
  tacVec3 from = p->end.position;
  bool turned = approach(p);
  pull(p, from);
  if (newest->touch && p->lifted && turned && arrived(p)) {
    p->lifted = false;
    aim(p, latest);
  }
}

/* ---- the tick: the own device leads ---- */

/* A step back to the own device, which was at `before`: the gap shrinks with `speed`, while the device moves on.
 * Returns whether it is closed. */
static bool go_back(Pointer *p, Pose before) {
  double step = p->def.speed * p->period, reach = handle_speed * p->period, angle = turn_speed * p->period;
  tacVec3 gap = shorten(tac_vec3_sub(p->tool.position, before.position), step);
  tacVec3 turn = shorten(turn_between(before.orientation, p->tool.orientation), angle);
  tacVec3 way = tac_vec3_sub(tac_vec3_add(p->own_pose.position, gap), p->tool.position);
  bool closed = tac_vec3_norm2(gap) == 0.0 && tac_vec3_norm2(turn) == 0.0 && tac_vec3_norm(way) <= reach;
  way = tac_handle_cut(way, reach);
  p->velocity = tac_vec3_scale(1.0 / p->period, way);
  p->tool.position = tac_vec3_add(p->tool.position, way);
  p->tool.orientation = tac_quat_normalise(tac_quat_mul(tac_quat_from_rotation_vector(turn), p->own_pose.orientation));
  return closed;
}

/* What the own device says, as it is. */
static void pass_through(Pointer *p) {
  tacVec3 way = tac_vec3_sub(p->own_pose.position, p->tool.position);
  p->velocity = tac_handle_cut(tac_vec3_scale(1.0 / p->period, way), handle_speed);
  p->tool = p->own_pose;
  p->lifted = (p->own_state.buttons & TAC_BUTTON_LIFT) != 0;
}

/* ---- the driver ---- */

static void publish(Pointer *p) {
  tacPointerStatus *status = tac_triple_buffer_begin(p->statuses);
  *status = (tacPointerStatus){.leads = p->phase == POINTER_LEADS,
                               .lifted = p->lifted,
                               .spring = p->phase == POINTER_LEADS ? p->end.position : p->tool.position};
  tac_triple_buffer_publish(p->statuses);
}

static tacDeviceHealth pointer_read(void *self, tacDeviceState *state) {
  Pointer *p = self;
  Pose before = p->own_pose;
  tacDeviceHealth health = read_own(p);
  bool is_new;
  const Request *request = take_sample(p, &is_new);
  bool new_touch = request->newest.touch && request->touches != p->touches, grab = false;
  p->touches = request->touches;
  take_hand(p);
  if (p->own.driver == NULL || atomic_load_explicit(&p->wants_lead, memory_order_relaxed)) {
    follow(p, request, is_new, new_touch);
    health = TAC_DEVICE_FINE;
    grab = request->newest.grab && !p->lifted;
  } else {
    if (p->phase == POINTER_LEADS) {
      p->phase = GOES_BACK;
      p->lifted = true;
    }
    if (p->phase == GOES_BACK && go_back(p, before) && health == TAC_DEVICE_FINE) p->phase = OWN_LEADS;
  }
  ++p->tick;
  if (p->phase == OWN_LEADS) {
    if (health == TAC_DEVICE_FINE) pass_through(p);
    *state = p->own_state;
  } else {
    tacQuat q = p->tool.orientation;
    *state = (tacDeviceState){.position = p->tool.position,
                              .orientation = {q.w, q.x, q.y, q.z},
                              .buttons = (p->lifted ? TAC_BUTTON_LIFT : 0u) | (grab ? TAC_BUTTON_GRAB : 0u)};
  }
  publish(p);
  return health;
}

static void pointer_write(void *self, tacVec3 force, tacVec3 torque) {
  Pointer *p = self;
  bool own = p->phase == OWN_LEADS;
  if (p->own.driver != NULL) p->own.driver->write(p->own.self, own ? force : none, own ? torque : none);
  p->force = p->phase == POINTER_LEADS && !p->lifted ? tac_handle_cut(force, p->force_limit) : none;
}

static void pointer_close(void *self) {
  Pointer *p = self;
  if (p == NULL) return;
  tac_device_close(&p->own);
  tac_triple_buffer_destroy(p->requests);
  tac_triple_buffer_destroy(p->statuses);
  free(p);
}

static const tacDeviceDriver pointer_driver = {.abi = TAC_DEVICE_ABI,
                                               .name = "pointer",
                                               .summary = "a hand for a pointer that renders no force",
                                               .close = pointer_close,
                                               .read = pointer_read,
                                               .write = pointer_write};

/* ---- other threads ---- */

static Pointer *pointer_of(const tacDevice *device) {
  return device->driver == &pointer_driver ? device->self : NULL;
}

void tac_device_pointer_move(const tacDevice *device, const tacPointerSample *sample) {
  if (device == NULL || sample == NULL) return;
  Pointer *p = pointer_of(device);
  if (p == NULL || !finite_state(sample->position, sample->orientation)) return;
  if (sample->touch && !p->request.newest.touch) {
    p->request.began = *sample;
    ++p->request.touches;
  }
  p->request.newest = *sample;
  *(Request *)tac_triple_buffer_begin(p->requests) = p->request;
  tac_triple_buffer_publish(p->requests);
}

void tac_device_pointer_lead(const tacDevice *device, bool pointer) {
  Pointer *p = pointer_of(device);
  if (p != NULL) atomic_store_explicit(&p->wants_lead, pointer, memory_order_relaxed);
}

static bool within(double value, const double range[2]) {
  return value >= range[0] && value <= range[1]; /* false where it is not a number */
}

void tac_device_pointer_set_hand(const tacDevice *device, double stiffness, double damping) {
  Pointer *p = pointer_of(device);
  if (p == NULL || !within(stiffness, stiffness_range) || !within(damping, damping_range)) return;
  atomic_store_explicit(&p->stiffness, stiffness, memory_order_relaxed);
  atomic_store_explicit(&p->damping, damping, memory_order_relaxed);
}

tacPointerStatus tac_device_pointer_status(const tacDevice *device) {
  Pointer *p = pointer_of(device);
  return p != NULL ? *(const tacPointerStatus *)tac_triple_buffer_latest(p->statuses, NULL) : (tacPointerStatus){0};
}

/* ---- opening ---- */

tacPointerDef tac_pointer_def_default(void) {
  return (tacPointerDef){.stiffness = 600.0, .damping = 19.0, .mass = 0.15, .speed = 1.0, .arrival = 0.001};
}

static tacStatus check(const tacPointerDef *def, tacDevice *own, tacVec3 start, double period, tacError *error) {
  const struct {
    const char *name;
    double value, range[2];
  } fields[] = {{"stiffness", def->stiffness, {stiffness_range[0], stiffness_range[1]}},
                {"damping", def->damping, {damping_range[0], damping_range[1]}},
                {"mass", def->mass, {1e-3, 100.0}},
                {"speed", def->speed, {1e-3, 2.0}},
                {"arrival", def->arrival, {1e-6, 1.0}},
                {"period", period, {1e-5, 0.1}}};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i)
    if (!within(fields[i].value, fields[i].range))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "pointer: %s is %g; it must be %g to %g", fields[i].name,
                           fields[i].value, fields[i].range[0], fields[i].range[1]);
  if (!tac_vec3_finite(start))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "pointer: start is NaN or infinite; it must be finite");
  return own->driver != NULL ? tac_driver_info_check("pointer: the second device", &own->info, error) : TAC_OK;
}

static tacDeviceInfo info_without_own(tacVec3 start) {
  const tacVec3 half = {0.2, 0.2, 0.2}; /* of the workspace; nothing holds the pointer to it */
  tacDeviceInfo info = {.dof = 3,
                        .workspace = {tac_vec3_sub(start, half), tac_vec3_add(start, half)},
                        .force_limit = 20.0,
                        .stiffness_limit = 3000.0};
  snprintf(info.name, sizeof info.name, "pointer");
  return info;
}

TAC_OWNED_TYPE(Pointer, pointer_close)

tacStatus tac_device_pointer_open(const tacPointerDef *def, tacDevice *own, tacVec3 start, double period,
                                  tacDevice *device, tacError *error) {
  TAC_FREED(tac_device_close, tacDevice, taken) = {0};
  TAC_OWN(Pointer, p) = NULL;
  if (own != NULL) {
    taken = *own;
    *own = (tacDevice){0};
  }
  TAC_REQUIRE(error, device);
  *device = (tacDevice){0};
  TAC_REQUIRE(error, def);
  TAC_TRY(check(def, &taken, start, period, error));
  TAC_TRY(TAC_ARRAY(p, 1, "a pointer", error));
  Pose begin = {start, tac_quat_identity()};
  *p = (Pointer){.def = *def,
                 .own = taken,
                 .period = period,
                 .sampled = -1,
                 .interval = first_interval,
                 .phase = taken.driver != NULL ? OWN_LEADS : POINTER_LEADS,
                 .lifted = taken.driver == NULL,
                 .own_state = {.position = start, .orientation = {1.0, 0.0, 0.0, 0.0}},
                 .own_pose = begin,
                 .tool = begin,
                 .end = begin,
                 .target = begin};
  atomic_init(&p->wants_lead, false);
  atomic_init(&p->stiffness, def->stiffness);
  atomic_init(&p->damping, def->damping);
  taken = (tacDevice){0}; /* it is the pointer's */
  TAC_TRY(tac_triple_buffer_create(sizeof(Request), &p->requests, error));
  TAC_TRY(tac_triple_buffer_create(sizeof(tacPointerStatus), &p->statuses, error));
  device->driver = &pointer_driver;
  device->info = p->own.driver != NULL ? p->own.info : info_without_own(start);
  p->force_limit = device->info.force_limit;
  publish(p); /* what is so before the first tick */
  device->self = tac_give(&p);
  return TAC_OK;
}
