/* A game engine at 60 frames a second with touch at 1 kHz beside it: two threads that never wait for each other.
 *
 *   haptic thread   every millisecond: device -> guard -> world -> guard -> device, and a snapshot for whoever draws
 *   engine          every frame: takes the newest snapshot, asks for the deformed surface, draws; sends wishes back
 *
 *   cc engine_loop.c -o engine_loop -pthread $(pkg-config --cflags --libs tactus) && ./engine_loop */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <tactus/tactus.h>
#include <time.h>

enum { FRAMES = 60, SLOTS = 3, FRESH = 4 };

/* The newest of something, from one thread to one other. Each has a slot of its own, and the third lies between
 * them: who is done exchanges its own for that one. */
typedef struct Newest {
  tacSnapshot slot[SLOTS];
  double *state[SLOTS]; /* of the bodies that have one; each slot its own */
  int of_writer, of_reader;
  _Atomic int between; /* its number, plus FRESH where the reader has not seen it */
} Newest;

static void publish(Newest *n) { /* slot[of_writer] has been filled */
  n->of_writer = atomic_exchange(&n->between, n->of_writer | FRESH) & ~FRESH;
}

static const tacSnapshot *newest(Newest *n) { /* stays as it is until the next call */
  if (atomic_load(&n->between) & FRESH) n->of_reader = atomic_exchange(&n->between, n->of_reader) & ~FRESH;
  return &n->slot[n->of_reader];
}

typedef struct Touch {
  tacWorld *world;
  tacGuard *guard;
  int softness;           /* a parameter of the world */
  Newest shown;           /* haptic thread -> engine */
  _Atomic double stiffer; /* engine -> haptic thread: the factor that it wishes */
  atomic_bool ending;
} Touch;

/* Your device. Here a hand goes down to the ball and rests on it. */
static tacDeviceHealth read_device(int64_t tick, tacDeviceState *state) {
  double height = 0.054 - 10e-6 * (double)(tick < 1000 ? tick : 1000);
  *state = (tacDeviceState){.position = {0.0, 0.0, height}, .orientation = {1.0, 0.0, 0.0, 0.0}};
  return TAC_DEVICE_FINE;
}

static void write_device(tacVec3 force) {
  (void)force; /* N, on the hand: to the motors */
}

/* ---- 1 kHz: nothing here allocates, locks, prints or waits, but for the next millisecond ---- */

static void tick_once(Touch *t, int64_t tick, double *stiffness, tacGuardForce *safe) {
  double wished = atomic_load(&t->stiffer);
  if (wished != *stiffness && tac_world_set_parameter(t->world, t->softness, wished, NULL) == TAC_OK)
    *stiffness = wished;
  tacDeviceState read, hand;
  tacDeviceHealth health = read_device(tick, &read);
  tacToolOutput out = {0};
  if (tac_guard_read(t->guard, health, &read, &hand) == TAC_FAULT_NONE) {
    tacTickReport report;
    tac_world_step(t->world, &(tacToolInput){.position = hand.position}, &out, &report);
  }
  tac_guard_set_stored(t->guard, tac_world_tool_stored(t->world, 0));
  tac_guard_write(t->guard, out.force, out.torque, safe);
  write_device(safe->force);

  tacSnapshot *shown = &t->shown.slot[t->shown.of_writer];
  double *state = t->shown.state[t->shown.of_writer];
  tac_world_state(t->world, state);
  *shown = (tacSnapshot){.tick = tick, .state = state, .tool_count = 1, .position = {hand.position}, .output = {out}};
  shown->given[0] = sqrt(safe->force.x * safe->force.x + safe->force.y * safe->force.y + safe->force.z * safe->force.z);
  publish(&t->shown);
}

static int64_t nanoseconds(const struct timespec *time) {
  return (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;
}

/* Sleeps until the deadline after `deadline`, and tells how many have gone by instead where it is late. */
static int64_t next_deadline(int64_t *deadline, int64_t period) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  *deadline += period;
  int64_t missed = nanoseconds(&now) > *deadline ? (nanoseconds(&now) - *deadline) / period : 0;
  *deadline += missed * period;
  struct timespec until = {.tv_sec = *deadline / 1000000000, .tv_nsec = *deadline % 1000000000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) != 0) continue;
  return missed;
}

static void *haptic_thread(void *context) {
  Touch *t = context;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  int64_t deadline = nanoseconds(&now);
  double stiffness = 1.0;
  tacGuardForce safe = {0};
  for (int64_t tick = 0; !safe.ended; ++tick) {
    if (atomic_load(&t->ending)) tac_guard_stop(t->guard); /* the force goes to zero along a ramp, in these ticks */
    tick_once(t, tick, &stiffness, &safe);
    int64_t missed = next_deadline(&deadline, 1000000);
    if (missed > 0) tac_guard_skip(t->guard, missed); /* the hand may have gone farther meanwhile */
  }
  return NULL;
}

static int start_haptics(Touch *t, pthread_t *thread) {
  pthread_attr_t attributes;
  struct sched_param priority = {.sched_priority = 80};
  pthread_attr_init(&attributes);
  pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
  pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
  pthread_attr_setschedparam(&attributes, &priority);
  int status = pthread_create(thread, &attributes, haptic_thread, t);
  pthread_attr_destroy(&attributes);
  return status == 0 ? 0 : pthread_create(thread, NULL, haptic_thread, t); /* the system refuses it to most users */
}

/* ---- 60 Hz: the engine ---- */

static void run_engine(Touch *t, tacBodyId ball, tacVec3 *vertices, int count) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  int64_t deadline = nanoseconds(&now), last = -1;
  int fresh = 0;
  for (int frame = 0; frame < FRAMES; ++frame) {
    const tacSnapshot *shown = newest(&t->shown);
    fresh += shown->tick > last;
    last = shown->tick;
    tac_world_surface(t->world, shown, ball, vertices); /* any thread, while the other steps */
    double top = -1.0;
    for (int v = 0; v < count; ++v) top = fmax(top, vertices[v].z);
    /* Here they go to the graphics card. */
    if (frame % 10 == 0)
      printf("frame %2d: finger at %5.1f mm, top of the ball at %5.1f mm, %6.3f N\n", frame, 1e3 * shown->position[0].z,
             1e3 * top, shown->given[0]);
    if (frame == FRAMES / 2) atomic_store(&t->stiffer, 2.0); /* a slider was moved */
    next_deadline(&deadline, 1000000000 / 60);
  }
  printf("%d frames, of which %d showed something new\n", FRAMES, fresh);
}

/* ---- load: everything is allocated here ---- */

static const char scene_text[] =
    "tactus: 1\n"
    "name: ball\n"
    "bodies:\n"
    "  - name: ball\n"
    "    kind: green\n"
    "    method: boundary-elements\n"
    "    surface: {shape: sphere, size: 12 mm}\n"
    "    material: {young: 30 kPa, poisson: 0.45, density: 1000 kg/m3}\n"
    "    fixed: [{below: {axis: z, at: -30 mm}}]\n"
    "    mask: 20 mm\n"
    "tools:\n"
    "  - {name: finger, kind: point, device: {kind: operator, path: [{at: [0, 0, 54 mm]}]}}\n";

static tacStatus load(Touch *t, tacScene **scene, tacError *error) {
  tacGuardDef guard = tac_guard_def_default(NULL, 0.001);
  guard.force_limit = 8.0; /* N and N/m: what your device can render */
  guard.stiffness_limit = 2000.0;
  tacStatus status = tac_scene_parse(scene_text, "ball.yaml", scene, error);
  if (status == TAC_OK)
    status = tac_scene_bake(*scene, NULL, false, NULL, NULL, error); /* seconds, once; then cached */
  if (status == TAC_OK) status = tac_scene_world(*scene, &t->world, error);
  if (status == TAC_OK) status = tac_guard_create(&guard, &t->guard, error);
  if (status != TAC_OK) return status;
  t->softness = tac_world_find_parameter(t->world, "ball.stiffness");
  size_t numbers = (size_t)tac_world_state_size(t->world);
  for (int i = 0; i < SLOTS; ++i)
    if ((t->shown.state[i] = calloc(numbers + 1, sizeof(double))) == NULL) return TAC_ERR_MEMORY;
  t->shown.of_reader = 1;
  atomic_init(&t->shown.between, 2);
  atomic_init(&t->stiffer, 1.0);
  return TAC_OK;
}

int main(void) {
  static Touch t;
  tacScene *scene = NULL;
  tacError error = {0};
  tacStatus status = load(&t, &scene, &error);
  if (status == TAC_OK) {
    tacBodyId ball = tac_world_find_body(t.world, "ball");
    int count = tac_world_body_surface(t.world, ball)->vertex_count;
    tacVec3 *vertices = calloc((size_t)count, sizeof *vertices);
    pthread_t thread;
    if (vertices != NULL && start_haptics(&t, &thread) == 0) {
      run_engine(&t, ball, vertices, count);
      atomic_store(&t.ending, true);
      pthread_join(thread, NULL);
      printf("the hand got %.3f N at most\n", tac_guard_report(t.guard).force_max);
    }
    free(vertices);
  } else {
    fprintf(stderr, "%s\n", error.text);
  }
  for (int i = 0; i < SLOTS; ++i) free(t.shown.state[i]);
  tac_guard_destroy(t.guard);
  tac_world_destroy(t.world);
  tac_scene_destroy(scene);
  return status == TAC_OK ? 0 : 1;
}
