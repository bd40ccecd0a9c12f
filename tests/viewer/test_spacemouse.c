#include "app/viewer/stage/spacemouse.h"

#include "math/geometry/vec3.h"
#include "test.h"

static const tacVec3 zero = {0.0, 0.0, 0.0};

TAC_TEST(no_spacemouse_reads_zero) {
  tacVec3 velocity = {1.0, 1.0, 1.0}, spin = velocity;
  unsigned buttons = 1;
  ck_assert(!tac_spacemouse_read(NULL, &velocity, &spin, &buttons));
  ck_assert(tac_vec3_distance(velocity, zero) == 0.0 && tac_vec3_distance(spin, zero) == 0.0 && buttons == 0);
  tac_spacemouse_close(NULL);
}

#ifndef TAC_HAS_SPNAV

TAC_TEST(built_without) {
  ck_assert_ptr_null(tac_spacemouse_open());
}

#else

#include <limits.h>
#include <pthread.h>
#include <spnav.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

/* What spacenavd speaks: 8 numbers of 32 bits an event, the first its kind. */
enum { MOTION, PRESS, RELEASE, DEVICE, UNKNOWN = 99 };

typedef struct {
  int listener, client;
  tacSpaceMouse *mouse;
  bool answers; /* spacenavd before 0.9 does not say which version of the protocol it speaks */
  pthread_t thread;
} Daemon;

static void *greet(void *context) {
  Daemon *daemon = context;
  int32_t version;
  daemon->client = accept(daemon->listener, NULL, NULL);
  if (daemon->answers && read(daemon->client, &version, sizeof version) == (ssize_t)sizeof version)
    ck_assert_int_eq(write(daemon->client, &version, sizeof version), sizeof version);
  return NULL;
}

static void start(Daemon *daemon, bool answers) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  char folder[100];
  *daemon = (Daemon){.answers = answers};
  ck_assert_int_lt(snprintf(address.sun_path, sizeof address.sun_path, "%s/s", tac_test_folder(folder, sizeof folder)),
                   (int)sizeof address.sun_path);
  daemon->listener = socket(AF_UNIX, SOCK_STREAM, 0);
  ck_assert_int_eq(bind(daemon->listener, (const struct sockaddr *)&address, sizeof address), 0);
  ck_assert_int_eq(listen(daemon->listener, 1), 0);
  ck_assert_int_eq(setenv("SPNAV_SOCKET", address.sun_path, 1), 0);
  ck_assert_int_eq(pthread_create(&daemon->thread, NULL, greet, daemon), 0);
  daemon->mouse = tac_spacemouse_open();
  ck_assert_ptr_nonnull(daemon->mouse);
  ck_assert_int_eq(pthread_join(daemon->thread, NULL), 0);
}

static void hang_up(Daemon *daemon) {
  close(daemon->client);
  close(daemon->listener);
}

static void stop(Daemon *daemon) {
  tac_spacemouse_close(daemon->mouse);
  hang_up(daemon);
}

static void send_event(Daemon *daemon, int kind, int a, int b, int c, int d, int e, int f) {
  int32_t event[8] = {kind, a, b, c, d, e, f, 16};
  ck_assert_int_eq(write(daemon->client, event, sizeof event), sizeof event);
}

static void check(Daemon *daemon, tacVec3 velocity, tacVec3 spin, unsigned buttons) {
  tacVec3 v, s;
  unsigned b;
  ck_assert(tac_spacemouse_read(daemon->mouse, &v, &s, &b));
  ck_assert_double_lt(tac_vec3_distance(v, velocity), 1e-12);
  ck_assert_double_lt(tac_vec3_distance(s, spin), 1e-12);
  ck_assert_uint_eq(b, buttons);
}

/* Against what libspnav itself makes of the events in OpenGL's axes: x right, y up, z towards the person. */
TAC_TEST(axes_are_those_of_opengl) {
  TAC_FREED(stop, Daemon, daemon);
  start(&daemon, true);
  for (int i = 0; i < 6; ++i) {
    int a[6] = {0};
    a[i] = 350;
    send_event(&daemon, MOTION, a[0], a[1], a[2], a[3], a[4], a[5]);
    struct spnav_event_motion motion = {SPNAV_EVENT_MOTION, a[0], a[1], a[2], a[3], a[4], a[5], 0, NULL};
    struct spnav_posrot moved;
    spnav_posrot_init(&moved);
    spnav_posrot_moveobj(&moved, &motion);
    tacVec3 velocity = tac_vec3_unit(tac_vec3(moved.pos[0], moved.pos[1], moved.pos[2]));
    tacVec3 spin = tac_vec3_unit(tac_vec3(moved.rot[0], moved.rot[1], moved.rot[2]));
    ck_assert_double_eq_tol(tac_vec3_norm(velocity) + tac_vec3_norm(spin), 1.0, 1e-6);
    check(&daemon, velocity, spin, 0);
  }
}

TAC_TEST(deflection_is_scaled) {
  TAC_FREED(stop, Daemon, daemon);
  start(&daemon, true);
  check(&daemon, zero, zero, 0);
  send_event(&daemon, MOTION, 10, -10, 0, 5, 0, -10); /* 10 counts are 2.9 % */
  check(&daemon, zero, zero, 0);
  send_event(&daemon, MOTION, 175, -350, 1000, 0, INT_MAX, INT_MIN);
  check(&daemon, tac_vec3(0.47 / 0.97, -1.0, -1.0), tac_vec3(0.0, 1.0, 1.0), 0);
  check(&daemon, tac_vec3(0.47 / 0.97, -1.0, -1.0), tac_vec3(0.0, 1.0, 1.0), 0); /* held until told otherwise */
  send_event(&daemon, MOTION, 11, 0, 0, 0, 0, 0);                                /* leaves rest without a jump */
  check(&daemon, tac_vec3((11.0 / 350.0 - 0.03) / 0.97, 0.0, 0.0), zero, 0);
}

TAC_TEST(the_latest_counts) {
  TAC_FREED(stop, Daemon, daemon);
  start(&daemon, true);
  for (int i = 0; i <= 350; i += 10) send_event(&daemon, MOTION, i, 0, 0, 0, 0, 0);
  const int pressed[] = {0, 1, 31, 32, -1}; /* the last two are more than we count */
  for (int i = 0; i < 5; ++i) send_event(&daemon, PRESS, pressed[i], 0, 0, 0, 0, 0);
  send_event(&daemon, RELEASE, 0, 0, 0, 0, 0, 0);
  check(&daemon, tac_vec3(1.0, 0.0, 0.0), zero, 0x80000002u);
  send_event(&daemon, RELEASE, 31, 0, 0, 0, 0, 0);
  check(&daemon, tac_vec3(1.0, 0.0, 0.0), zero, 2u);
  send_event(&daemon, DEVICE, SPNAV_DEV_RM, 0, 0, 0, 0, 0); /* unplugged while pushed */
  check(&daemon, zero, zero, 0);
}

TAC_TEST(unknown_events_are_skipped) {
  TAC_FREED(stop, Daemon, daemon);
  start(&daemon, true);
  send_event(&daemon, UNKNOWN, 1, 2, 3, 4, 5, 6);
  send_event(&daemon, -7, 1, 2, 3, 4, 5, 6);
  send_event(&daemon, MOTION, 0, 350, 0, 0, 0, 0);
  check(&daemon, tac_vec3(0.0, 1.0, 0.0), zero, 0);
  int32_t event[8] = {MOTION, -350, 0, 0, 0, 0, 0, 16};
  ck_assert_int_eq(write(daemon.client, event, 12), 12); /* in two parts */
  check(&daemon, tac_vec3(0.0, 1.0, 0.0), zero, 0);
  ck_assert_int_eq(write(daemon.client, event + 3, 20), 20);
  check(&daemon, tac_vec3(-1.0, 0.0, 0.0), zero, 0);
}

TAC_TEST(old_daemons_are_understood) {
  TAC_FREED(stop, Daemon, daemon);
  start(&daemon, false);
  send_event(&daemon, MOTION, 0, 350, 0, 0, 0, 0);
  check(&daemon, tac_vec3(0.0, 1.0, 0.0), zero, 0);
}

TAC_TEST(a_disconnected_daemon_is_handled) {
  for (int again = 0; again < 2; ++again) {
    Daemon daemon;
    tacVec3 velocity, spin;
    unsigned buttons;
    start(&daemon, true);
    ck_assert_ptr_null(tac_spacemouse_open()); /* one at a time */
    send_event(&daemon, PRESS, 0, 0, 0, 0, 0, 0);
    send_event(&daemon, MOTION, 350, 0, 0, 350, 0, 0);
    check(&daemon, tac_vec3(1.0, 0.0, 0.0), tac_vec3(1.0, 0.0, 0.0), 1);
    hang_up(&daemon);
    for (int i = 0; i < 2; ++i) {
      ck_assert(!tac_spacemouse_read(daemon.mouse, &velocity, &spin, &buttons));
      ck_assert(tac_vec3_norm(velocity) == 0.0 && tac_vec3_norm(spin) == 0.0 && buttons == 0);
    }
    tac_spacemouse_close(daemon.mouse);
  }
}

/* The last one: libspnav keeps memory on failure, and the next open would lose it. */
TAC_TEST(without_a_daemon_there_is_no_mouse) {
  ck_assert_int_eq(setenv("SPNAV_SOCKET", "/nowhere/spnav.sock", 1), 0);
  if (access("/var/run/spnav.sock", F_OK) == 0 || access("/etc/spnavrc", F_OK) == 0)
    return; /* there may be a real one */
  ck_assert_ptr_null(tac_spacemouse_open());
}

#endif
