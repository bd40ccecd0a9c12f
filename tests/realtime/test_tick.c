/* No tick allocates: from its first to its last tick, the servo's thread may not call malloc or its siblings. They are replaced
 * here for the whole process, libraries included, and abort where the calling thread is in a tick. */
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <tactus/green.h>
#include <tactus/hyperelastic.h>
#include <tactus/material.h>
#include <tactus/recording.h>
#include <tactus/reduced.h>
#include <tactus/servo.h>
#include <unistd.h>
#include "body/make_green.h"
#include "brick_beam.h"
#include "device/pointer.h"
#include "kinds/reduced/embedded/pointshell_embed.h"
#include "kinds/vademecum/vademecum.h"
#include "kinds/vademecum/vademecum_bake.h"
#include "kinds/vademecum/vademecum_body.h"
#include "mesh/make_mesh.h"
#include "physics/stepped_world.h"
#include "servo/servo.h"
#include "world/pair_bench.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#ifndef SANITIZED

static _Thread_local bool in_tick;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

static void check(const char *what) {
  if (!in_tick) return;
  in_tick = false;
  ssize_t written = write(STDERR_FILENO, what, strlen(what));
  written = write(STDERR_FILENO, " in a tick\n", 11);
  (void)written;
  abort();
}

#pragma GCC visibility push(default) /* else libraries would not see them */
void *malloc(size_t size) {
  check("malloc");
  return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
  check("calloc");
  return __libc_calloc(count, size);
}
void *realloc(void *block, size_t size) {
  check("realloc");
  return __libc_realloc(block, size);
}
void free(void *block) {
  if (block != NULL) check("free");
  __libc_free(block);
}
void *aligned_alloc(size_t alignment, size_t size) {
  check("aligned_alloc");
  return __libc_memalign(alignment, size);
}
int posix_memalign(void **block, size_t alignment, size_t size) {
  check("posix_memalign");
  *block = __libc_memalign(alignment, size);
  return *block != NULL ? 0 : 12;
}
#pragma GCC visibility pop

/* A device around a device that says when ticks begin and end, and with which something happens at a tick. */
typedef struct Watched {
  tacDevice inner;
  int reads, last;
  bool allocates;
  int event;  /* the read from which on it fails; 0: none */
  int broken; /* how: a tacDeviceHealth that it answers, or one of these */
} Watched;
enum { JUMPED = 100, NO_NUMBER, NO_TURN, NONSENSE };

static tacDeviceHealth watched_read(void *device, tacDeviceState *state) {
  Watched *w = device;
  ++w->reads;
  in_tick = w->reads > 1 && w->reads < w->last;
  if (w->allocates && w->reads == 10) {
    void *volatile block = malloc(16);
    free(block);
  }
  tacDeviceHealth health = w->inner.driver->read(w->inner.self, state);
  if (w->event > 0 && w->reads >= w->event) {
    if (w->broken < JUMPED) return (tacDeviceHealth)w->broken;
    if (w->broken == NONSENSE) return (tacDeviceHealth)77;
    if (w->broken == JUMPED) state->position.x += 1.0;
    if (w->broken == NO_NUMBER) state->position.y = NAN;
    if (w->broken == NO_TURN) state->orientation[0] = INFINITY;
  }
  return w->reads < w->last + 100 ? health : TAC_DEVICE_DONE;
}

static void watched_write(void *device, tacVec3 force, tacVec3 torque) {
  Watched *w = device;
  w->inner.driver->write(w->inner.self, force, torque);
}

static void watched_close(void *device) {
  (void)device;
}

static const tacDeviceDriver watched_driver = {
    .abi = TAC_DEVICE_ABI, .name = "watched", .close = watched_close, .read = watched_read, .write = watched_write};

/* What a world is made of. */
typedef struct Bodies {
  tacGreen *green;
  tacReduced *held, *free;
} Bodies;

static void free_bodies(Bodies *bodies) {
  tac_green_destroy(bodies->green);
  tac_reduced_destroy(bodies->held);
  tac_reduced_destroy(bodies->free);
}

/* A ball, elastostatic. */
static void add_ball(tacWorld *world, Bodies *bodies) {
  bodies->green = make_green("sphere", 0.02);
  tacGreenBodyDef body = tac_green_body_def_default();
  body.body.name = "ball";
  body.green = bodies->green;
  body.mask_radius = 0.025;
  tac_test_ok(tac_world_add_green(world, &body, NULL, &error), error);
}

/* A beam that is held, upright where the ball would be, and two that fall on it and on the floor; all reduced. */
static void add_beams(tacWorld *world, Bodies *bodies) {
  static const double upright[4] = {0.70710678118654752, 0.0, -0.70710678118654752, 0.0}; /* x to z */
  bodies->held = brick_beam_reduced(6, 2, 2, 0.05, false, 4, 8);
  bodies->free = brick_beam_reduced(2, 1, 1, 0.05, true, 3, 6);
  tac_test_ok(tac_world_set_floor(world, &(tacFloorDef){{0.0, 0.0, 1.0}, -0.15, 0.5}, &error), error);
  for (int b = 0; b < 3; ++b) {
    static const char *const names[] = {"beam", "first", "second"};
    tacReducedBodyDef def = tac_reduced_body_def_default();
    def.body.name = names[b];
    def.reduced = b == 0 ? bodies->held : bodies->free;
    def.body.pose = (tacPose){.position = {0.05, -0.05, -0.15}, .orientation = {1.0, 0.0, 0.0, 0.0}};
    if (b == 0) memcpy(def.body.pose.orientation, upright, sizeof upright);
    if (b > 0) def.body.pose.position = (tacVec3){0.3, 0.05 * b, 0.2 * b};
    def.body.gravity = (tacVec3){0.0, 0.0, b > 0 ? -9.81 : 0.0};
    def.body.every = b == 2 ? 2 : 1;
    tac_test_ok(tac_world_add_reduced(world, &def, NULL, &error), error);
  }
}

/* A block that is held below, and a cube that falls beside it, of tetrahedra: their factors are made by threads of their own. */
static void add_tissue(tacWorld *world, Bodies *bodies) {
  tacLawMaterial soft = {.law = "neo-hookean",
                         .parameters = {2e4, 4e4},
                         .density = 1000.0,
                         .term_count = 1,
                         .share = {0.3},
                         .time = {0.1}};
  (void)bodies;
  tac_test_ok(tac_world_set_floor(world, &(tacFloorDef){{0.0, 0.0, 1.0}, -0.05, 0.5}, &error), error);
  for (int b = 0; b < 2; ++b) {
    double half = b == 0 ? 0.05 : 0.01;
    tacHyperelasticBodyDef def = tac_hyperelastic_body_def_default();
    TAC_OWN(tacVolMesh, mesh) = make_tets((tacBox){{-half, -half, -half}, {half, half, half}}, 3, 3, 3);
    TAC_MEMORY(bool, fixed) = calloc((size_t)mesh->vertex_count, sizeof *fixed);
    for (int v = 0; v < mesh->vertex_count; ++v) fixed[v] = b == 0 && mesh->vertices[v].z < -0.04;
    def.body.name = b == 0 ? "block" : "cube";
    def.mesh = mesh;
    def.material_count = 1;
    def.materials = &soft;
    def.fixed = fixed;
    def.body.free = b == 1;
    def.stiffness_damping = 1e-3;
    if (def.body.free) def.body.pose.position = (tacVec3){0.2, 0.0, 0.0};
    if (def.body.free) def.body.gravity = (tacVec3){0.0, 0.0, -9.81};
    tac_test_ok(tac_world_add_hyperelastic(world, &def, NULL, &error), error);
  }
}

static tacVademecum *solid; /* of both runs with solids */

static void bake_solid(void) {
  TAC_OWN(tacVolMesh, mesh) = make_tets((tacBox){{-0.05, -0.05, -0.05}, {0.05, 0.05, 0.05}}, 3, 3, 3);
  TAC_MEMORY(bool, fixed) = calloc((size_t)mesh->vertex_count, sizeof *fixed);
  for (int v = 0; v < mesh->vertex_count; ++v) fixed[v] = mesh->vertices[v].z < -0.04;
  tacVademecumDef bake = tac_vademecum_def_default();
  bake.mesh = mesh;
  bake.material = (tacLawMaterial){.law = "neo-hookean", .parameters = {2e4, 4e4}, .density = 1000.0};
  bake.fixed = fixed;
  bake.load = 1.0;
  bake.mode_most = 16;
  bake.sample_count = 5;
  tac_test_ok(tac_vademecum_bake(&bake, NULL, &solid, &error), error);
}

/* A block that is fixed below, where the ball would be, and one that falls beside it, both from one vademecum. */
static void add_solids(tacWorld *world, Bodies *bodies) {
  (void)bodies;
  tac_test_ok(tac_world_set_floor(world, &(tacFloorDef){{0.0, 0.0, 1.0}, -0.05, 0.5}, &error), error);
  for (int b = 0; b < 2; ++b) {
    tacVademecumBodyDef def = tac_vademecum_body_def_default();
    def.vademecum = solid;
    def.motion.body.name = b == 0 ? "block" : "other";
    def.motion.body.free = b == 1;
    if (def.motion.body.free) def.motion.body.pose.position = (tacVec3){0.3, 0.0, 0.05};
    if (def.motion.body.free) def.motion.body.gravity = (tacVec3){0.0, 0.0, -9.81};
    tac_test_ok(tac_world_add_vademecum(world, &def, NULL, &error), error);
  }
}

static void check_replay(const char *path, tacWorld *world) {
  tacReplayReport report;
  TAC_CREATE(tacRecording, recording, tac_recording_open(path, &recording, &error));
  tac_test_ok(tac_recording_replay(recording, world, NULL, &report, &error), error);
  ck_assert_msg(report.first_difference == -1, "%s", report.difference);
}

/* A simulated hand along a path. */
static tacDevice open_hand(const char *preset, int count, tacTrajectoryPoint *path, bool repeats) {
  tacTrajectory *trajectory;
  tacOperatorDef def;
  tacDevice device;
  for (int i = 0; i < count; ++i) path[i].orientation[0] = 1.0;
  tac_test_ok(tac_trajectory_create(count, path, true, &trajectory, &error), error);
  tac_test_ok(tac_operator_def_preset(preset, &def, &error), error);
  def.repeats = repeats;
  tac_test_ok(tac_device_operator_open(&def, trajectory, 0.001, &device, &error), error);
  return device;
}

/* Three operators, one of them with a pad, and a pointer press, slide and lift on one body for `ticks`, while its stiffness is changed, and its
 * material where it has one; bodies step in one of `every` ticks. The run replays to the same bits. */
static void play(void (*add_bodies)(tacWorld *, Bodies *), int ticks, int every, bool real_time, bool allocates) {
  enum { TOOLS = 4 };
  TAC_FREED(free_bodies, Bodies, bodies) = {0};
  TAC_OWN(tacWorld, world) = make_world_with(TAC_METHOD_PENALTY, every);
  add_bodies(world, &bodies);
  Watched watched[TOOLS] = {0};
  tacDevice devices[TOOLS] = {0};
  tacWorkspaceDef workspaces[TOOLS];
  for (int t = 0; t < TOOLS; ++t) {
    char name[16];
    snprintf(name, sizeof name, "tool %d", t);
    double angle = 1.5 * t;
    if (t == 2 && bodies.green != NULL) { /* it takes hold of a patch, and lets go */
      tacPadToolDef pad = tac_pad_tool_def_default();
      pad.name = name;
      pad.body = tac_world_body(world, 0);
      pad.radius = 0.03;
      pad.approach = (tacVec3){-cos(angle), -sin(angle), 0.0};
      tac_test_ok(tac_world_add_pad_tool(world, &pad, NULL, &error), error);
    } else {
      tac_test_ok(tac_world_add_point_tool(world, &(tacPointToolDef){.name = name}, NULL, &error), error);
    }
    tacTrajectoryPoint path[4] = {
        {.time = 0.0, .position = {0.07 * cos(angle), 0.07 * sin(angle), 0.01}},
        {.time = 0.3, .position = {0.04 * cos(angle), 0.04 * sin(angle), 0.01}},
        {.time = 0.6, .position = {0.04 * cos(angle + 0.3), 0.04 * sin(angle + 0.3), 0.02}, .buttons = TAC_BUTTON_GRAB},
        {.time = 0.9, .position = {0.07 * cos(angle), 0.07 * sin(angle), 0.01}}};
    watched[t].inner = open_hand(t % 2 == 0 ? "premium-3" : "omni", 4, path, true);
    if (t == 3) { /* led by a pointer */
      tacPointerDef pointer = tac_pointer_def_default();
      tac_test_ok(tac_device_pointer_open(&pointer, &watched[t].inner, (tacVec3){0.0, 0.0, 0.0}, 0.001,
                                          &watched[t].inner, &error),
                  error);
      tac_device_pointer_lead(&watched[t].inner, true);
    }
    watched[t].last = ticks;
    watched[t].allocates = allocates;
    devices[t] = (tacDevice){.driver = &watched_driver, .self = &watched[t], .info = watched[t].inner.info};
    workspaces[t] = tac_workspace_def_default();
  }
  seal(world);
  const char *path = tac_test_path("run.tacrec");
  tacRecordingInfo info = {.scene_path = "", .scene = "", .program = "test"};
  tacRecorder *recorder;
  tac_test_ok(tac_recorder_open_world(path, world, &info, &recorder, &error), error);
  int mu = tac_world_find_parameter(world, "beam.mu");
  tacServoDef def = tac_servo_def_default();
  def.real_time = real_time;
  tacServo *servo;
  tac_test_ok(tac_servo_create(world, TOOLS, devices, workspaces, &def, recorder, &servo, &error), error);
  tac_test_ok(tac_servo_start(servo, &error), error);
  while (tac_servo_running(servo)) {
    const tacSnapshot *snapshot = tac_servo_snapshot(servo);
    ck_assert_int_ge(snapshot->tool_count, 0);
    /* What a viewer does meanwhile. */
    double time = 1e-3 * (double)snapshot->tick;
    tacPointerSample sample = {.position = {0.0, 0.06 + 0.02 * cos(4.0 * time), 0.0}, .touch = fmod(time, 1.0) < 0.8};
    tac_device_pointer_move(&watched[3].inner, &sample);
    tac_device_pointer_set_hand(&watched[3].inner, 500.0 + 100.0 * sin(time), 20.0);
    tac_servo_set_parameter(servo, 0, 1.5 + sin(time));
    if (mu >= 0) tac_servo_set_parameter(servo, mu, 1.5 + cos(time));
    tacTickSample samples[64];
    while (tac_servo_samples(servo, 64, samples) == 64) {
    }
    usleep(2000);
  }
  tac_servo_stop(servo);
  tacServoReport report = tac_servo_report(servo);
  ck_assert_int_eq(report.fault, TAC_FAULT_NONE);
  ck_assert_int_gt(report.contact_ticks, ticks / 4);
  tac_servo_destroy(servo);
  tac_test_ok(tac_recorder_close(recorder, NULL, &error), error);
  check_replay(path, world);
  for (int t = 0; t < TOOLS; ++t) tac_device_close(&watched[t].inner);
}

/* The first test, as it forks: the child would have none of the threads that others leave waiting for work (with CK_FORK=no). */
TAC_TEST(a_tick_that_allocates_aborts) {
  pid_t child = fork();
  if (child == 0) {
    FILE *quiet = freopen("/dev/null", "w", stderr);
    (void)quiet;
    play(add_ball, 1000, 1, false, true);
    _exit(0);
  }
  int status = 0;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFSIGNALED(status));
  ck_assert_int_eq(WTERMSIG(status), SIGABRT);
}

TAC_TEST(no_tick_allocates_as_fast_as_possible) {
  play(add_ball, tac_test_all() ? 20000 : 8000, 1, false, false);
}

TAC_TEST(no_tick_allocates_with_bodies_in_motion) {
  play(add_beams, tac_test_all() ? 8000 : 5000, 1, false, false);
}

TAC_TEST(no_tick_allocates_with_vademecums) {
  bake_solid();
  play(add_solids, 4000, 1, false, false);
  play(add_solids, 4000, 10, false, false);
  tac_vademecum_destroy(solid);
}

TAC_TEST(no_tick_allocates_in_real_time) {
  play(add_ball, 1500, 1, true, false);
}

TAC_TEST(no_tick_allocates_between_the_bodies_steps) {
  play(add_beams, tac_test_all() ? 8000 : 5000, 10, false, false);
  play(add_beams, 1500, 10, true, false);
}

/* Where threads make the factors: without them, in a run that need not be in time, ticks make them. */
TAC_TEST(no_tick_allocates_with_tetrahedra) {
  TAC_OWN(tacWorld, world) = make_world_with(TAC_METHOD_PENALTY, 1);
  tacTickReport report;
  add_tissue(world, NULL);
  seal(world);
  tac_test_ok(tac_world_start_simulation(world, &error), error);
  for (int i = 0; i < 200; ++i) { /* from the first on, and after a reset */
    if (i == 100) tac_world_reset(world);
    in_tick = true;
    tac_world_step(world, NULL, NULL, &report);
    in_tick = false;
  }
  play(add_tissue, 1200, 1, true, false);
  play(add_tissue, 1200, 5, true, false);
}

/* A block in the hand lifts a soft beam by its points and rubs along it, on a budget, solved together with it. */
static void run_pairs(tacCouplingKind coupling) {
  Bench b = make_bench();
  TAC_OWN(tacReduced, beam) = brick_beam_reduced(8, 2, 2, 0.02, false, 4, 10);
  TAC_OWN(tacPointshell, rigid) = make_box_shell((tacBox){{0.0, 0.0, 0.0}, {0.16, 0.04, 0.04}}, 16);
  TAC_CREATE(tacPointshell, shell, tac_pointshell_embed(rigid, beam, &shell, &error));
  TAC_OWN(tacWorld, world) = begin(2e-4);
  tacReducedBodyDef def = tac_reduced_body_def_default();
  tacBodyId id;
  def.body.name = "beam";
  def.reduced = beam;
  def.shell = shell;
  tac_test_ok(tac_world_add_reduced(world, &def, &id, &error), error);
  const tacVec3 start = {0.12, 0.02, -HALF - 0.001};
  tacBodyId block = add_rigid(world, "block", b.block, NULL, b.box, start);
  b.pair.friction = 0.3;
  pair_up(world, &b, id, block);
  b.tool.coupling = coupling;
  hold(world, &b, block);
  int touched = 0;
  for (int i = 0; i < 2000; ++i) {
    tacToolInput input = {.position = {start.x + 0.02 * sin(0.01 * i), start.y, start.z + 0.006 * sin(0.003 * i)},
                          .orientation = {cos(0.0002 * i), 0.0, sin(0.0002 * i), 0.0}};
    tacToolOutput output;
    tacTickReport report;
    in_tick = true;
    tac_world_step(world, &input, &output, &report);
    in_tick = false;
    touched += report.points > 0;
  }
  ck_assert_int_gt(touched, 500);
}

TAC_TEST(no_tick_allocates_with_pairs) {
  run_pairs(TAC_COUPLING_STATIC);
  run_pairs(TAC_COUPLING_DYNAMIC);
}

/* Ticks with a fault, and all those after it until the force is gone: whatever happened, to whichever of two devices. */
TAC_TEST(no_tick_allocates_in_faults) {
  static const struct {
    int broken, after; /* `after`: ticks from the event to the fault */
    tacFault fault;
  } cases[] = {{TAC_DEVICE_LOST, 0, TAC_FAULT_DEVICE_LOST},  {NONSENSE, 0, TAC_FAULT_DEVICE_LOST},
               {TAC_DEVICE_LATE, 20, TAC_FAULT_DEVICE_LATE}, {JUMPED, 0, TAC_FAULT_DEVICE_JUMPED},
               {NO_NUMBER, 0, TAC_FAULT_DEVICE_NOT_FINITE},  {NO_TURN, 0, TAC_FAULT_DEVICE_NOT_FINITE},
               {TAC_DEVICE_DONE, 0, TAC_FAULT_NONE} /* no fault, and ends likewise */};
  enum { EVENT = 400, RAMP = 50 };
  TAC_FREED(free_bodies, Bodies, bodies) = {0};
  TAC_OWN(tacWorld, world) = make_world_with(TAC_METHOD_PENALTY, 1);
  add_ball(world, &bodies);
  for (int t = 0; t < 2; ++t)
    tac_test_ok(tac_world_add_point_tool(world, &(tacPointToolDef){.name = t == 0 ? "first" : "second"}, NULL, &error),
                error);
  seal(world);
  for (size_t c = 0; c < 2 * sizeof cases / sizeof *cases; ++c) {
    int broken = (int)c % 2;
    Watched watched[2] = {0};
    tacDevice devices[2] = {0};
    for (int t = 0; t < 2; ++t) {
      double side = t == 0 ? 1.0 : -1.0;
      tacTrajectoryPoint path[2] = {{.time = 0.0, .position = {0.07 * side, 0.0, 0.0}},
                                    {.time = 1.0, .position = {-0.03 * side, 0.0, 0.0}}};
      watched[t].inner = open_hand("omni", 2, path, false);
      devices[t] = (tacDevice){.driver = &watched_driver, .self = &watched[t], .info = watched[t].inner.info};
      watched[t].last = EVENT + cases[c / 2].after + RAMP - 1; /* not the very last: threads end with some frees */
    }
    watched[broken].event = EVENT;
    watched[broken].broken = cases[c / 2].broken;
    tacServoDef def = tac_servo_def_default();
    def.real_time = false;
    tacServo *servo;
    tac_test_ok(tac_servo_create(world, 2, devices, NULL, &def, NULL, &servo, &error), error);
    tac_test_ok(tac_servo_start(servo, &error), error);
    while (tac_servo_running(servo)) usleep(1000);
    tac_servo_stop(servo);
    tacServoReport report = tac_servo_report(servo);
    ck_assert_int_eq(report.fault, cases[c / 2].fault);
    ck_assert_int_eq(report.ticks, EVENT - 1 + cases[c / 2].after + RAMP);
    if (report.fault != TAC_FAULT_NONE) ck_assert_int_eq(report.fault_device, broken);
    ck_assert_double_gt(report.force_max[broken], 0.05);
    tac_servo_destroy(servo);
    for (int t = 0; t < 2; ++t) tac_device_close(&watched[t].inner);
  }
}

/* The guard of a loop of one's own: a force or torque that is not finite, and what comes after it, a reset included. */
TAC_TEST(no_guard_allocates_in_a_tick) {
  tacDeviceInfo info = {.name = "test", .dof = 6, .force_limit = 8.0, .stiffness_limit = 3000.0, .torque_limit = 0.2};
  tacGuardDef def = tac_guard_def_default(&info, 0.001);
  TAC_CREATE(tacGuard, guard, tac_guard_create(&def, &guard, &error));
  int faults = 0;
  for (int i = 0; i < 1000; ++i) {
    tacVec3 force = {0.0, 0.0, 3.0}, torque = {0.05, 0.0, 0.0};
    tacDeviceState read = {.position = {0.0, 0.0, 1e-4 * sin(0.01 * i)}, .orientation = {1.0, 0.0, 0.0, 0.0}}, state;
    tacGuardForce safe;
    if (i % 200 == 100) *(i % 400 == 100 ? &force.y : &torque.y) = NAN;
    in_tick = true;
    tac_guard_read(guard, TAC_DEVICE_FINE, &read, &state);
    tac_guard_write(guard, force, torque, &safe);
    if (safe.ended) tac_guard_reset(guard);
    in_tick = false;
    faults += safe.ended;
    if (i % 200 == 100) ck_assert_int_eq(safe.fault, TAC_FAULT_FORCE_NOT_FINITE);
  }
  ck_assert_int_eq(faults, 5);
}

#else

int main(void) {
  return 77; /* the sanitizer has its own malloc */
}

#endif
