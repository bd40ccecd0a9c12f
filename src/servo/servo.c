#include <tactus/servo.h>

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "base/clock.h"
#include "base/histogram.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/threads/parallel.h"
#include "base/threads/ring.h"
#include "base/threads/thread.h"
#include "base/threads/triple_buffer.h"
#include "couple/workspace.h"
#include "device/device.h"
#include "record/recorder.h"
#include "servo/ramp.h"
#include "servo/servo.h"
#include "world/world_control.h"
#include "world/world_tick.h"
#include "world/world_use.h"
#include "world/world_view.h"

static const double unit_tolerance = 1e-3; /* largest error of the norm of a workspace's quaternion */

/* A device, with the guard, the workspace and the states of the device. */
typedef struct {
  const tacDevice *device;
  tacGuard *guard;
  tacWorkspace workspace;
  tacDeviceState read; /* state as read, valid or not */
  tacDeviceHealth health;
  tacDeviceState state;  /* last valid state */
  tacVec3 force, torque; /* force and torque of the world in this tick, scene frame; possibly not finite */
  tacGuardForce written; /* last result of the guard */
  uint32_t limits;       /* TAC_LIMIT_* flags of this tick */
} Port;

struct tacServo {
  tacWorld *world;
  tacRecorder *recorder;
  tacServoDef def;
  double period;
  int port_count;
  Port ports[TAC_MOST_TOOLS];
  tacToolInput inputs[TAC_MOST_TOOLS];
  tacToolOutput outputs[TAC_MOST_TOOLS]; /* last finite outputs */
  tacTickReport tick_report;
  tacTickRecord record;
  tacTripleBuffer *snapshots; /* snapshots, each followed by the state of the bodies */
  int state_size;
  tacHistogram compute, lateness, steps_taken;
  int64_t tick, ticks_at_most; /* number of this tick; maximum number of ticks, 0: no limit */
  int64_t ramp_ticks;          /* length of the ramp to zero, ticks */
  bool stopping;               /* true if the ramp to zero has begun */
  tacServoReport report;
  tacThread thread;
  bool started, joined;
  bool uses; /* true while the servo uses the world */
  atomic_bool stop, prepared, ended;

  /* Requests of another thread, and answers of the loop. */
  atomic_bool no_record, recorded; /* request to end the recording; the recording has ended */
  _Atomic double speed;
  atomic_bool paused;
  atomic_int steps; /* number of ticks that a paused loop must run */
  tacRing *changes; /* requested Change items */
  atomic_int asked; /* request for contacts: ASKED_*; 0: none */
  tacTripleBuffer *moments;
  tacRing *samples;
};

/* A requested change of a parameter of the world. */
typedef struct {
  int parameter;
  double value;
} Change;

enum { SAMPLES = 4096, CHANGES = 64 };
enum { ASKED_CONTACTS = 1, ASKED_COUPLING = 2 };

tacWorkspaceDef tac_workspace_def_default(void) {
  return (tacWorkspaceDef){.scale = 1.0, .orientation = {1.0, 0.0, 0.0, 0.0}};
}

tacServoDef tac_servo_def_default(void) {
  const tacGuardDef guard = tac_guard_def_default(NULL, 0.001);
  return (tacServoDef){.rate = 1000.0,
                       .real_time = true,
                       .priority = 80,
                       .core = -1,
                       .ramp_in = guard.ramp_in,
                       .ramp_out = guard.ramp_out,
                       .speed_limit = guard.speed_limit,
                       .turn_limit = guard.turn_limit,
                       .late_limit = guard.late_limit,
                       .force_rate = guard.force_rate,
                       .passivity = guard.passivity};
}

/* ---- creation ---- */

static tacStatus check_def(const tacServoDef *def, tacError *error) {
  const struct {
    const char *name;
    double value, least, most;
  } fields[] = {{"rate", def->rate, 250.0, 10000.0},
                {"duration", def->duration, 0.0, 1e9},
                {"priority", def->priority, 0.0, 99.0}};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i)
    if (!(fields[i].value >= fields[i].least && fields[i].value <= fields[i].most))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "servo: %s is %g; it must be %g to %g", fields[i].name,
                           fields[i].value, fields[i].least, fields[i].most);
  return TAC_OK;
}

static tacStatus check_workspace(const tacWorkspaceDef *def, int index, tacError *error) {
  double norm = tac_quat_norm(tac_quat_of(def->orientation));
  if (!isfinite(def->scale) || !(def->scale > 0.0))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "servo: workspace %d: the scale is %g; it must be positive", index,
                         def->scale);
  if (!tac_vec3_finite(def->centre) || !tac_vec3_finite(def->device_centre))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "servo: workspace %d: a centre is NaN or infinite; both must be finite", index);
  if (!(fabs(norm - 1.0) <= unit_tolerance))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "servo: workspace %d: the orientation has length %g; it must be 1",
                         index, norm);
  return TAC_OK;
}

static tacStatus check_all(const tacWorld *world, int device_count, const tacDevice *devices,
                           const tacWorkspaceDef *workspaces, const tacServoDef *def, tacError *error) {
  if (!tac_world_is_sealed(world))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "servo: the world is not sealed; call tac_world_seal first");
  if (device_count != tac_world_tool_count(world))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "servo: there are %d devices for %d tools; each tool needs one "
                         "device",
                         device_count, tac_world_tool_count(world));
  TAC_TRY(check_def(def, error));
  if (!(fabs(def->rate * tac_world_period(world) - 1.0) <= 1e-6))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "servo: the rate is %g Hz; it must be 1 / the world's period of %g s, which is %g Hz",
                         def->rate, tac_world_period(world), 1.0 / tac_world_period(world));
  for (int i = 0; i < device_count; ++i) {
    if (devices[i].driver == NULL)
      return tac_error_set(error, TAC_ERR_ARGUMENT,
                           "servo: device %d is not open; open it "
                           "first",
                           i);
    char name[32];
    snprintf(name, sizeof name, "servo: device %d", i);
    TAC_TRY(tac_device_driver_check(name, devices[i].driver, error));
    if (workspaces != NULL) TAC_TRY(check_workspace(&workspaces[i], i, error));
  }
  return TAC_OK;
}

static tacStatus port_begin(const tacDevice *device, int index, const tacWorkspaceDef *workspace,
                            const tacServoDef *def, Port *port, tacError *error) {
  double period = 1.0 / def->rate;
  *port = (Port){.device = device,
                 .workspace = tac_workspace_begin(workspace->scale, workspace->centre, workspace->device_centre,
                                                  tac_quat_of(workspace->orientation), period),
                 .read = {.position = workspace->device_centre, .orientation = {1.0, 0.0, 0.0, 0.0}}};
  port->state = port->read;
  tac_workspace_set_count(&port->workspace, device->info.resolution);
  tacGuardDef guard = tac_guard_def_default(&device->info, period);
  guard.start = workspace->device_centre;
  guard.ramp_in = def->ramp_in;
  guard.ramp_out = def->ramp_out;
  guard.speed_limit = def->speed_limit;
  guard.turn_limit = def->turn_limit;
  guard.late_limit = def->late_limit;
  guard.force_rate = def->force_rate;
  guard.passivity = def->passivity;
  tacError why;
  tacStatus status = tac_guard_create(&guard, &port->guard, &why);
  return status == TAC_OK
             ? TAC_OK
             : tac_error_set(error, status, "servo: device %d (%.63s): %s", index, device->info.name, why.text);
}

TAC_OWNED_TYPE(tacServo, tac_servo_destroy)

tacStatus tac_servo_create(tacWorld *world, int device_count, tacDevice *devices, const tacWorkspaceDef *workspaces,
                           const tacServoDef *def, tacRecorder *recorder, tacServo **servo, tacError *error) {
  TAC_REQUIRE(error, servo);
  *servo = NULL;
  TAC_REQUIRE(error, world, def);
  if (device_count > 0) TAC_REQUIRE(error, devices);
  tacWorkspaceDef standard = tac_workspace_def_default();
  TAC_OWN(tacServo, made) = NULL;
  TAC_TRY(check_all(world, device_count, devices, workspaces, def, error));
  TAC_TRY(TAC_ARRAY(made, 1, "a servo", error));
  made->world = world;
  made->recorder = recorder;
  made->def = *def;
  made->period = 1.0 / def->rate;
  atomic_init(&made->speed, 1.0);
  made->ticks_at_most = (int64_t)ceil(def->duration * def->rate - 1e-6);
  made->ramp_ticks = 1; /* without devices, there is no ramp */
  made->report.fault_device = -1;
  made->report.fault_tick = -1;
  for (int b = 0; b < tac_world_body_count(world) && made->report.error_estimate_count < TAC_SERVO_MOST_ERROR_ESTIMATES;
       ++b)
    if (tac_world_body_has_error_estimate(world, tac_world_body(world, b)))
      made->report.error_estimates[made->report.error_estimate_count++].body = b;
  made->uses = tac_world_use_begin(world);
  if (!made->uses)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "servo: another servo uses this world; stop or destroy it first");
  for (; made->port_count < device_count; ++made->port_count) {
    int i = made->port_count;
    TAC_TRY(port_begin(&devices[i], i, workspaces != NULL ? &workspaces[i] : &standard, def, &made->ports[i], error));
  }
  if (device_count > 0) made->ramp_ticks = tac_ramp_ticks(def->ramp_out, made->period);
  made->state_size = tac_world_state_size(world);
  size_t snapshot_size = sizeof(tacSnapshot) + (size_t)made->state_size * sizeof(double);
  TAC_TRY(tac_triple_buffer_create(snapshot_size, &made->snapshots, error));
  TAC_TRY(tac_triple_buffer_create(sizeof(tacContactMoment), &made->moments, error));
  TAC_TRY(tac_ring_create(CHANGES, sizeof(Change), &made->changes, error));
  TAC_TRY(tac_ring_create(SAMPLES, sizeof(tacTickSample), &made->samples, error));
  *servo = tac_give(&made);
  return TAC_OK;
}

/* ---- ticks ---- */

static void stop_all(tacServo *s) {
  s->stopping = true;
  for (int i = 0; i < s->port_count; ++i) tac_guard_stop(s->ports[i].guard);
}

/* Stores the first fault of a device and stops all devices. Later faults often follow from the first fault and are
 * ignored. */
static void note_fault(tacServo *s, int device, tacFault fault) {
  if (fault == TAC_FAULT_NONE || s->report.fault != TAC_FAULT_NONE) return;
  s->report.fault = fault;
  s->report.fault_device = device;
  s->report.fault_tick = s->tick;
  stop_all(s);
}

/* Reads all devices. `elapsed` is the number of periods since the last tick. */
static void read_ports(tacServo *s, int64_t elapsed) {
  for (int i = 0; i < s->port_count; ++i) {
    Port *p = &s->ports[i];
    p->health = p->device->driver->read(p->device->self, &p->read);
    tac_guard_skip(p->guard, elapsed - 1);
    note_fault(s, i, tac_guard_read(p->guard, p->health, &p->read, &p->state));
    if (p->health == TAC_DEVICE_DONE) stop_all(s);
  }
  if (atomic_load_explicit(&s->stop, memory_order_relaxed)) stop_all(s);
}

static void step_world(tacServo *s) {
  tacToolOutput outputs[TAC_MOST_TOOLS];
  for (int i = 0; i < s->port_count; ++i) {
    Port *p = &s->ports[i];
    tac_workspace_move(&p->workspace, p->state.position, tac_quat_of(p->state.orientation),
                       (p->state.buttons & TAC_BUTTON_INDEX) != 0);
    if (p->workspace.indexing) s->record.flags |= TAC_TICK_INDEXING;
    tacQuat q = p->workspace.orientation;
    s->inputs[i] = (tacToolInput){.position = p->workspace.position,
                                  .orientation = {q.w, q.x, q.y, q.z},
                                  .grab = (p->state.buttons & TAC_BUTTON_GRAB) != 0,
                                  .lifted = (p->state.buttons & TAC_BUTTON_LIFT) != 0,
                                  .grip = TAC_BUTTON_GRIP_OF(p->state.buttons) / 255.0};
  }
  memset(outputs, 0, sizeof outputs);
  tac_world_step(s->world, s->inputs, outputs, &s->tick_report);
  if (s->tick_report.taken) s->record.flags |= TAC_TICK_TAKEN;
  bool finite = true;
  for (int i = 0; i < s->port_count; ++i) {
    s->ports[i].force = outputs[i].force;
    s->ports[i].torque = outputs[i].torque;
    finite = finite && tac_vec3_finite(outputs[i].force) && tac_vec3_finite(outputs[i].torque);
  }
  if (!finite) { /* the device's guard raises a fault; all other guards ramp to zero, too */
    stop_all(s);
    return;
  }
  memcpy(s->outputs, outputs, sizeof outputs);
  for (int i = 0; i < s->port_count; ++i)
    if (outputs[i].depth > s->report.penetration_max[i]) s->report.penetration_max[i] = outputs[i].depth;
}

static void write_port(tacServo *s, int index, tacVec3 force, tacVec3 torque) {
  Port *p = &s->ports[index];
  tac_guard_write(p->guard, force, torque, &p->written);
  p->device->driver->write(p->device->self, p->written.force, p->written.torque);
  note_fault(s, index, p->written.fault);
}

static void note_limit(tacServoLimit *limit, bool reached, double value, int64_t tick) {
  if (!reached) return;
  if (limit->ticks++ == 0 || value > limit->worst) {
    limit->worst = value;
    limit->worst_tick = tick;
  }
}

static void note_limits(tacServo *s) {
  tacServoReport *r = &s->report;
  for (int i = 0; i < s->port_count; ++i) {
    Port *p = &s->ports[i];
    tacVec3 asked = tac_workspace_to_device(&p->workspace, p->force);
    bool coupled = s->outputs[i].saturated;
    p->limits = (p->written.limited_force ? TAC_LIMIT_FORCE : 0) | (p->written.limited_rate ? TAC_LIMIT_RATE : 0) |
                (coupled ? TAC_LIMIT_COUPLING : 0);
    note_limit(&r->force_limit[i], p->written.limited_force, tac_vec3_norm(asked), s->tick);
    note_limit(&r->rate_limit[i], p->written.limited_rate, tac_vec3_distance(asked, p->written.force), s->tick);
    note_limit(&r->coupling_limit[i], coupled, tac_vec3_norm(s->outputs[i].force), s->tick);
  }
}

/* Updates the statistics of error estimates with the newest snapshot. */
static void note_error_estimates(tacServo *s, const tacSnapshot *snapshot) {
  for (int i = 0; i < s->report.error_estimate_count; ++i) {
    tacServoErrorEstimate *d = &s->report.error_estimates[i];
    double error_estimate = tac_world_body_error_estimate(s->world, snapshot, tac_world_body(s->world, d->body));
    double pressed = 0.0;
    for (int t = 0; t < s->port_count; ++t) {
      const tacContact *c = &s->outputs[t].contact;
      if (c->state != TAC_CONTACT_NONE && c->body == (uint32_t)d->body) pressed += tac_vec3_norm(c->force);
    }
    if (error_estimate < TAC_ERROR_ESTIMATE_SOME && pressed > d->fine) d->fine = pressed;
    d->ticks += error_estimate >= TAC_ERROR_ESTIMATE_SOME;
    d->much += error_estimate >= TAC_ERROR_ESTIMATE_MUCH;
    if (error_estimate > d->worst) {
      d->worst = error_estimate;
      d->worst_tick = s->tick;
    }
  }
}

static void count(tacServo *s) {
  tacServoReport *r = &s->report;
  uint32_t flags = s->record.flags;
  r->limited_force += (flags & TAC_TICK_LIMITED_FORCE) != 0;
  r->limited_rate += (flags & TAC_TICK_LIMITED_RATE) != 0;
  r->damped += (flags & TAC_TICK_DAMPED) != 0;
  r->saturated += s->tick_report.saturated;
  r->refused += s->tick_report.refused;
  r->contact_ticks += s->tick_report.contact_count > 0;
  r->taken += s->tick_report.taken;
  r->overdue += s->tick_report.overdue > 0;
  if (s->tick_report.taken) tac_histogram_add(&s->steps_taken, s->tick_report.step);
}

/* Sets at most one parameter, and stores the change in the record of the tick. A requested change comes first.
 * Otherwise the world may change a parameter to meet the time budget. */
static void change_world(tacServo *s) {
  Change change;
  s->record.parameter = 0;
  s->record.parameter_value = 0.0;
  if (tac_ring_take(s->changes, &change)) {
    if (tac_world_set_parameter(s->world, change.parameter, change.value, NULL) != TAC_OK) return;
  } else if (!tac_world_keep_budget(s->world, &change.parameter, &change.value)) {
    return;
  }
  s->record.parameter = change.parameter + 1;
  s->record.parameter_value = change.value;
}

/* Passes the pause request to the guards. True if this period has no tick, because the loop is paused and all
 * forces have faded out. */
static bool rests(tacServo *s) {
  bool paused = atomic_load_explicit(&s->paused, memory_order_relaxed), gone = true;
  for (int i = 0; i < s->port_count; ++i) {
    gone = gone && s->ports[i].written.presence <= 0.0;
    tac_guard_pause(s->ports[i].guard, paused);
  }
  if (!paused || !gone || s->stopping) return false; /* the last tick before a pause has no force */
  /* If the other thread changes `steps` at the same time, the next period reads `steps` again. */
  int steps = atomic_load_explicit(&s->steps, memory_order_relaxed);
  return steps <= 0 || !atomic_compare_exchange_strong_explicit(&s->steps, &steps, steps - 1, memory_order_relaxed,
                                                                memory_order_relaxed);
}

/* Runs a period of a paused loop: reads the devices and writes zero forces. A remaining force fades at the limited
 * rate of change. */
static void rest(tacServo *s, int64_t elapsed) {
  tacVec3 none = tac_vec3(0.0, 0.0, 0.0);
  read_ports(s, elapsed);
  for (int i = 0; i < s->port_count; ++i) write_port(s, i, none, none);
}

static void tick(tacServo *s, int64_t elapsed) {
  s->record.flags = 0;
  memset(&s->tick_report, 0, sizeof s->tick_report);
  read_ports(s, elapsed);
  change_world(s);
  if (s->ticks_at_most > 0 && s->tick >= s->ticks_at_most - s->ramp_ticks) stop_all(s);
  if (s->report.fault == TAC_FAULT_NONE) step_world(s);
  for (int i = 0; i < s->port_count; ++i) {
    const Port *p = &s->ports[i];
    tac_guard_set_stored(p->guard, tac_world_tool_stored(s->world, i) / p->workspace.scale);
    write_port(s, i, tac_workspace_to_device(&p->workspace, p->force),
               tac_workspace_to_device(&p->workspace, p->torque));
    if (p->written.limited_force) s->record.flags |= TAC_TICK_LIMITED_FORCE;
    if (p->written.limited_rate) s->record.flags |= TAC_TICK_LIMITED_RATE;
    if (p->written.damped) s->record.flags |= TAC_TICK_DAMPED;
  }
  if (s->report.fault != TAC_FAULT_NONE) s->record.flags |= TAC_TICK_FAULT;
  note_limits(s);
  count(s);
}

/* ---- results of a tick for other threads ---- */

static tacSnapshot *make_snapshot(tacServo *s) {
  tacSnapshot *snapshot = tac_triple_buffer_begin(s->snapshots);
  snapshot->tick = s->tick;
  snapshot->tool_count = s->port_count;
  for (int i = 0; i < s->port_count; ++i) {
    snapshot->position[i] = s->inputs[i].position;
    snapshot->output[i] = s->outputs[i];
    memcpy(snapshot->orientation[i], s->inputs[i].orientation, sizeof snapshot->orientation[i]);
    snapshot->lifted[i] = s->inputs[i].lifted;
    snapshot->given[i] = tac_vec3_norm(s->ports[i].written.force);
    snapshot->limits[i] = s->ports[i].limits;
  }
  if (s->state_size > 0) {
    double *state = (double *)(snapshot + 1);
    tac_world_state(s->world, state);
    snapshot->state = state;
  }
  return snapshot;
}

static void show_contacts(tacServo *s) {
  int asked = atomic_load_explicit(&s->asked, memory_order_relaxed);
  if (asked == 0) return;
  atomic_store_explicit(&s->asked, 0,
                        memory_order_relaxed); /* a request that is lost here is repeated with the next frame */
  tacContactMoment *moment = tac_triple_buffer_begin(s->moments);
  moment->tick = s->tick;
  moment->count = tac_world_contacts(s->world, TAC_SERVO_MOST_CONTACTS, moment->contacts);
  moment->coupled =
      asked == ASKED_COUPLING ? tac_world_delassus(s->world, TAC_SERVO_MOST_COUPLED, moment->delassus) : 0;
  tac_triple_buffer_publish(s->moments);
}

static void push_sample(tacServo *s, int64_t late, int64_t compute) {
  tacTickSample sample = {.tick = s->tick,
                          .compute = (float)tac_clock_seconds(compute),
                          .late = (float)tac_clock_seconds(late),
                          .contact_count = s->tick_report.contact_count,
                          .error_estimate = (float)s->tick_report.error_estimate};
  for (int i = 0; i < s->port_count; ++i) {
    sample.force[i] = (float)tac_vec3_norm(s->ports[i].written.force);
    sample.energy[i] = (float)tac_guard_report(s->ports[i].guard).energy_absorbed;
    sample.penetration[i] = (float)s->outputs[i].depth;
    sample.limits[i] = s->ports[i].limits;
    sample.asked[i] = (float)tac_vec3_norm(tac_workspace_to_device(&s->ports[i].workspace, s->ports[i].force));
  }
  tac_ring_put(s->samples, &sample); /* the sample is dropped if the ring is full */
}

static void push_record(tacServo *s, const double *state, int64_t late, int64_t compute) {
  s->record.tick = s->tick;
  s->record.late_ns = late;
  s->record.compute_ns = compute;
  s->record.report = s->tick_report;
  for (int i = 0; i < s->port_count; ++i) {
    const Port *p = &s->ports[i];
    s->record.tool[i] =
        (tacToolRecord){.device = p->read,
                        .health = (int32_t)p->health,
                        .position = s->inputs[i].position,
                        .grab = (int32_t)(s->inputs[i].grab | TAC_BUTTON_GRIP(TAC_BUTTON_GRIP_OF(p->state.buttons))),
                        .lifted = s->inputs[i].lifted,
                        .output = s->outputs[i],
                        .written = p->written.force,
                        .written_torque = p->written.torque,
                        .limits = p->limits};
    memcpy(s->record.tool[i].orientation, s->inputs[i].orientation, sizeof s->record.tool[i].orientation);
  }
  /* A run that is not in real time waits for the disk, so that no tick is lost. */
  while (!s->def.real_time && tac_recorder_full(s->recorder)) tac_clock_sleep_until(tac_clock_now() + 1000000);
  if (state != NULL) tac_recorder_push_state(s->recorder, s->tick, state); /* the recorder counts lost records */
  tac_recorder_push(s->recorder, &s->record);
}

static void release_recorder(tacServo *s) {
  s->recorder = NULL;
  atomic_store_explicit(&s->recorded, true, memory_order_release);
}

/* ---- loop ---- */

static void append_remark(tacServo *s, const char *text) {
  size_t length = strlen(s->report.remark);
  snprintf(s->report.remark + length, sizeof s->report.remark - length, "%s%s", length > 0 ? "; " : "", text);
}

enum { TOUCHED_STACK = 256 * 1024 };

/* Touches the pages of the stack, so that ticks cause no page faults. mlockall in `prepare` covers the heap. */
static __attribute__((noinline)) void touch_stack(void) {
  volatile char stack[TOUCHED_STACK];
  for (size_t i = 0; i < sizeof stack; i += 1024) stack[i] = 0;
}

static void prepare(tacServo *s) {
  if (s->thread.refusal[0] != 0) append_remark(s, s->thread.refusal);
  if (s->def.real_time && s->def.lock_memory) tac_parallel_end_threads();
  if (s->def.real_time && s->def.lock_memory && mlockall(MCL_CURRENT) != 0) {
    char text[160];
    snprintf(text, sizeof text,
             "the operating system denied memory locking: %s (it needs `ulimit -l unlimited` or the capability "
             "CAP_IPC_LOCK)",
             strerror(errno));
    append_remark(s, text);
  }
  touch_stack();
  atomic_store_explicit(&s->prepared, true, memory_order_release);
}

static void summarise(tacServo *s, double seconds) {
  tacServoReport *r = &s->report;
  r->ticks = s->tick;
  r->seconds = seconds;
  r->rate = seconds > 0.0 ? (double)s->tick / seconds : 0.0;
  r->compute_p50 = tac_histogram_percentile(&s->compute, 0.5);
  r->compute_p99 = tac_histogram_percentile(&s->compute, 0.99);
  r->compute_p999 = tac_histogram_percentile(&s->compute, 0.999);
  r->compute_max = s->compute.largest;
  r->step_p50 = tac_histogram_percentile(&s->steps_taken, 0.5);
  r->step_p99 = tac_histogram_percentile(&s->steps_taken, 0.99);
  r->step_p999 = tac_histogram_percentile(&s->steps_taken, 0.999);
  r->step_max = s->steps_taken.largest;
  r->late_p50 = tac_histogram_percentile(&s->lateness, 0.5);
  r->late_p99 = tac_histogram_percentile(&s->lateness, 0.99);
  r->late_p999 = tac_histogram_percentile(&s->lateness, 0.999);
  r->late_max = s->lateness.largest;
  for (int i = 0; i < s->port_count; ++i) {
    tacGuardReport port = tac_guard_report(s->ports[i].guard);
    r->force_max[i] = port.force_max;
    r->force_step_max[i] = port.force_step_max;
    r->energy_absorbed[i] = port.energy_absorbed;
    r->energy_least[i] = port.energy_least;
    r->work[i] = port.work;
    r->asked[i] = port.asked;
    r->written[i] = port.written;
  }
}

/* True if all forces have reached zero and stay zero. */
static bool has_ended(const tacServo *s) {
  for (int i = 0; i < s->port_count; ++i)
    if (!s->ports[i].written.ended) return false;
  return s->stopping;
}

/* Deadlines of ticks: start + slot * spacing, so that deadlines do not drift. A change of speed starts a new
 * sequence. */
typedef struct {
  int64_t start, slot; /* first deadline, ns; index of the next tick */
  double spacing;      /* time between deadlines, ns */
} Pace;

static int64_t deadline_of(const Pace *pace) {
  return pace->start + (int64_t)((double)pace->slot * pace->spacing);
}

/* Starts a new sequence of deadlines if the speed changed. A servo that stops ramps to zero at normal speed. */
static void follow_speed(tacServo *s, Pace *pace) {
  bool stops = s->stopping || atomic_load_explicit(&s->stop, memory_order_relaxed);
  double speed = stops ? 1.0 : atomic_load_explicit(&s->speed, memory_order_relaxed);
  double spacing = s->period * 1e9 / speed;
  if (spacing == pace->spacing) return;
  *pace = (Pace){.start = deadline_of(pace), .spacing = spacing};
  int64_t now = tac_clock_now();
  if (now < pace->start && stops) pace->start = now;
}

static void run(void *context) {
  tacServo *s = context;
  prepare(s);
  int64_t start = tac_clock_now(), elapsed = 1;
  Pace pace = {.start = start, .spacing = s->period * 1e9};
  while (!has_ended(s)) {
    follow_speed(s, &pace);
    if (atomic_load_explicit(&s->no_record, memory_order_acquire)) release_recorder(s);
    int64_t deadline = deadline_of(&pace);
    if (s->def.real_time) tac_clock_sleep_until(deadline);
    int64_t late = s->def.real_time ? tac_clock_now() - deadline : 0;
    bool resting = rests(s);
    int64_t begin = tac_clock_thread();
    if (resting)
      rest(s, elapsed);
    else
      tick(s, elapsed);
    int64_t compute = tac_clock_thread() - begin, end = tac_clock_now();
    if (!resting) compute -= (int64_t)(1e9 * s->tick_report.within); /* `compute` excludes body steps */
    if (!resting) {
      const tacSnapshot *snapshot = make_snapshot(s);
      note_error_estimates(s, snapshot);
      if (s->recorder != NULL) push_record(s, snapshot->state, late, compute);
      tac_triple_buffer_publish(s->snapshots);
      show_contacts(s);
      push_sample(s, late, compute);
      ++s->tick;
    }
    tac_histogram_add(&s->compute, tac_clock_seconds(compute));
    tac_histogram_add(&s->lateness, tac_clock_seconds(late));
    if ((double)compute > pace.spacing)
      ++s->report.missed_by_computation;
    else if (s->def.real_time && (double)(end - deadline) > pace.spacing)
      ++s->report.missed_by_lateness;
    /* If the loop is more than a period late, the missed deadlines are skipped. So no burst of ticks follows. */
    double behind = s->def.real_time ? (double)(end - deadline) / pace.spacing - 1.0 : 0.0;
    elapsed = behind > 1.0 ? 1 + (int64_t)behind : 1;
    pace.slot += elapsed;
  }
  summarise(s, tac_clock_seconds(tac_clock_now() - start));
  atomic_store_explicit(&s->ended, true, memory_order_release);
}

tacStatus tac_servo_start(tacServo *servo, tacError *error) {
  TAC_REQUIRE(error, servo);
  if (servo->started)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "servo: the servo was already started before; create "
                         "another one");
  tac_world_reset(servo->world); /* a recording starts from the reset state */
  TAC_TRY(servo->def.real_time ? tac_world_start_simulation(servo->world, error) : TAC_OK);
  tacThreadDef def = {
      .name = "tac-servo", .priority = servo->def.real_time ? servo->def.priority : 0, .core = servo->def.core};
  tacStatus status = tac_thread_create(&def, run, servo, &servo->thread, error);
  servo->started = status == TAC_OK;
  if (!servo->started && servo->def.real_time) tac_world_stop_simulation(servo->world);
  return status;
}

bool tac_servo_running(const tacServo *s) {
  return s != NULL && s->started && !atomic_load_explicit(&s->ended, memory_order_acquire);
}

/* Ends the use of the world. A stopped servo no longer uses the world, which may be destroyed before the servo. */
static void leave_world(tacServo *s) {
  if (s->uses) tac_world_use_end(s->world);
  s->uses = false;
}

void tac_servo_stop(tacServo *s) {
  if (s == NULL || !s->started || s->joined) return;
  atomic_store_explicit(&s->stop, true, memory_order_relaxed);
  tac_thread_join(&s->thread);
  s->joined = true;
  if (s->def.real_time) tac_world_stop_simulation(s->world);
  leave_world(s);
}

void tac_servo_destroy(tacServo *s) {
  if (s == NULL) return;
  tac_servo_stop(s);
  leave_world(s);
  for (int i = 0; i < s->port_count; ++i) tac_guard_destroy(s->ports[i].guard);
  tac_triple_buffer_destroy(s->snapshots);
  tac_triple_buffer_destroy(s->moments);
  tac_ring_destroy(s->changes);
  tac_ring_destroy(s->samples);
  free(s);
}

const tacSnapshot *tac_servo_snapshot(tacServo *s) {
  return s != NULL ? tac_triple_buffer_latest(s->snapshots, NULL) : NULL;
}

const tacContactMoment *tac_servo_contacts(tacServo *s, bool coupled) {
  atomic_store_explicit(&s->asked, coupled ? ASKED_COUPLING : ASKED_CONTACTS, memory_order_relaxed);
  return tac_triple_buffer_latest(s->moments, NULL);
}

const char *tac_servo_remark(const tacServo *s) {
  return s != NULL && atomic_load_explicit(&s->prepared, memory_order_acquire) ? s->report.remark : "";
}

void tac_servo_pause(tacServo *s, bool paused) {
  if (s == NULL) return;
  atomic_store_explicit(&s->steps, 0, memory_order_relaxed);
  atomic_store_explicit(&s->paused, paused, memory_order_relaxed);
}

void tac_servo_step(tacServo *s, int ticks) {
  if (s != NULL && ticks > 0) atomic_fetch_add_explicit(&s->steps, ticks, memory_order_relaxed);
}

void tac_servo_end_recording(tacServo *s) {
  atomic_store_explicit(&s->no_record, true, memory_order_release);
  while (tac_servo_running(s) && !atomic_load_explicit(&s->recorded, memory_order_acquire))
    tac_clock_sleep_until(tac_clock_now() + 1000000);
  if (!tac_servo_running(s)) s->recorder = NULL; /* the thread of the loop has ended */
}

void tac_servo_set_speed(tacServo *s, double speed) {
  speed = speed >= TAC_SERVO_LEAST_SPEED ? fmin(speed, 1.0) : TAC_SERVO_LEAST_SPEED; /* NaN becomes the lowest speed */
  atomic_store_explicit(&s->speed, speed, memory_order_relaxed);
}

bool tac_servo_set_parameter(tacServo *s, int parameter, double value) {
  return s != NULL && tac_world_parameter(s->world, parameter).in_tick &&
         tac_ring_put(s->changes, &(Change){parameter, value});
}

int tac_servo_samples(tacServo *s, int capacity, tacTickSample *samples) {
  int count = 0;
  while (s != NULL && samples != NULL && count < capacity && tac_ring_take(s->samples, &samples[count])) ++count;
  return count;
}

tacServoReport tac_servo_report(const tacServo *s) {
  if (s == NULL || !atomic_load_explicit(&s->ended, memory_order_acquire)) return (tacServoReport){.fault_device = -1};
  return s->report;
}

void tac_servo_fault_text(const tacServo *s, char *text, size_t size) {
  if (text == NULL || size == 0) return;
  text[0] = 0;
  tacServoReport r = tac_servo_report(s);
  if (r.fault == TAC_FAULT_NONE) return;
  const Port *p = &s->ports[r.fault_device];
  char what[128], why[256] = "";
  tac_guard_fault_text(p->guard, what, sizeof what);
  if (r.fault == TAC_FAULT_DEVICE_LOST) tac_device_trouble(p->device, why, sizeof why);
  snprintf(text, size, "device %d (%.63s) %s at %.3f s%s%s; the forces were ramped to zero", r.fault_device,
           p->device->info.name, what, (double)r.fault_tick * s->period, why[0] != 0 ? ": " : "", why);
}
