#include "app/cli/device/first_touch.h"

#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>
#include "app/cli/console/console.h"
#include "math/geometry/quat.h"

static const double most_force = 0.5;       /* N, and no more than a quarter of what the device can */
static const double most_stiffness = 100.0; /* N/m, of the spring at the end */
static const double way = 0.025;            /* m: a motion that is meant */
static const double runaway = 0.08;         /* m that a gentle force may move the hand */
static const tacVec3 none = {0.0, 0.0, 0.0};

typedef struct {
  const tacFirstTouchDef *def;
  tacDeviceLoop *loop;
  double force; /* N */
  int problems;
  bool known;      /* the axes are */
  tacVec3 ways[3]; /* of the device: to the right, up, towards the hand's owner; units along axes */
} Touch;

static const char *const way_names[3] = {"to your right", "up", "towards you"};

/* ---- talking ---- */

/* Each word is there when the hand feels what it is about. */
__attribute__((format(printf, 1, 2))) static void print(const char *format, ...) {
  va_list values;
  va_start(values, format);
  vprintf(format, values);
  va_end(values);
  fflush(stdout);
}

static void problem(Touch *t, const char *text) {
  print("  ! %s\n", text);
  ++t->problems;
}

/* +x, -x, +y and so on. */
static const char *const axis_names[6] = {"+x", "-x", "+y", "-y", "+z", "-z"};
static const tacVec3 axes[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};

static int nearest_axis(tacVec3 v) {
  int best = 0;
  for (int i = 1; i < 6; ++i)
    if (tac_vec3_dot(v, axes[i]) > tac_vec3_dot(v, axes[best])) best = i;
  return best;
}

/* ---- time ---- */

/* One tick; false where the device has a fault or the user has had enough. */
static bool tick(Touch *t, tacVec3 force) {
  tac_device_loop_tick(t->loop, force);
  return t->loop->fault == TAC_FAULT_NONE && !tac_console_interrupted();
}

/* Ticks of a step that takes so many as a rule. */
static int paced(const Touch *t, int ticks) {
  return t->def->quick ? ticks / 3 : ticks;
}

static bool rest(Touch *t, double seconds) {
  for (int i = (int)(seconds / TAC_DEVICE_LOOP_PERIOD); i > 0; --i)
    if (!tick(t, none)) return false;
  return true;
}

/* Ticks go on while the user thinks. */
static bool agree(Touch *t, const char *question) {
  print("%s\n", question);
  if (t->def->yes) return rest(t, 0.5);
  print("  Press Enter to continue, Ctrl-C to stop. ");
  for (;;) {
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    char line[64];
    if (!tick(t, none)) return false;
    if (poll(&input, 1, 0) > 0) return read(STDIN_FILENO, line, sizeof line) > 0;
  }
}

static tacVec3 here(const Touch *t) {
  return t->loop->state.position;
}

/* ---- the steps ---- */

static bool check_rest(Touch *t) {
  int ticks = paced(t, 1000);
  print("1. Rest: do not touch the handle, or hold it still.\n");
  if (!rest(t, 0.5)) return false;
  tac_device_loop_count(t->loop);
  tacVec3 first = here(t), sum = none, squares = none;
  for (int i = 0; i < ticks; ++i) {
    if (!tick(t, none)) return false;
    tacVec3 d = tac_vec3_sub(here(t), first);
    sum = tac_vec3_add(sum, d);
    squares = tac_vec3_add(squares, tac_vec3(d.x * d.x, d.y * d.y, d.z * d.z));
  }
  tacVec3 mean = tac_vec3_scale(1.0 / ticks, sum), power = tac_vec3_scale(1.0 / ticks, squares);
  double noise = sqrt(fmax(0.0, power.x + power.y + power.z - tac_vec3_dot(mean, mean)));
  double rate = tac_device_loop_rate(t->loop);
  printf("   %.0f new states per second, longest gap %lld ms, jitter %.2f ms; noise %.3f mm\n", rate,
         (long long)t->loop->gap_longest, 1e3 * tac_device_loop_jitter(t->loop), 1e3 * noise);
  if (rate < 100.0)
    problem(t, "too few states: the hand would feel the steps of the force");
  else if (rate < 700.0)
    print("   Fewer than 1,000 per second: hard contacts may buzz; keep stiffness_limit low.\n");
  if (noise > 1e-3)
    problem(t, "the position changed by more than 1 mm: either the handle moved, or the sensors are noisy");
  return true;
}

/* Waits until the hand has gone somewhere and rests there. False: it did not, or a fault. */
static bool await_motion(Touch *t, tacVec3 *moved) {
  enum { STILL = 200 };
  tacVec3 start = here(t), mark = start;
  int still = 0;
  for (int i = (int)(t->def->timeout / TAC_DEVICE_LOOP_PERIOD); i > 0; --i) {
    if (!tick(t, none)) return false;
    *moved = tac_vec3_sub(here(t), start);
    still = tac_vec3_norm(*moved) > way && tac_vec3_distance(here(t), mark) < 2e-3 ? still + 1 : 0;
    if (still == 0) mark = here(t);
    if (still >= STILL) return true;
  }
  problem(t, "the handle was not moved, or by less than 25 mm");
  return false;
}

static bool check_axes(Touch *t) {
  for (int i = 0; i < 3; ++i) {
    tacVec3 moved;
    print("2. Axes: move the handle about 5 cm %s, and hold it there.\n", way_names[i]);
    if (!await_motion(t, &moved)) return t->loop->fault == TAC_FAULT_NONE && !tac_console_interrupted();
    int axis = nearest_axis(moved);
    t->ways[i] = axes[axis];
    printf("   %s is the device's %s (it went %.0f, %.0f, %.0f mm)\n", way_names[i], axis_names[axis], 1e3 * moved.x,
           1e3 * moved.y, 1e3 * moved.z);
    if (tac_vec3_dot(moved, axes[axis]) < 0.8 * tac_vec3_norm(moved))
      problem(t, "the motion was not along an axis: either the device or the motion was at an angle");
  }
  double turn = tac_vec3_dot(tac_vec3_cross(t->ways[0], t->ways[1]), t->ways[2]);
  t->known = turn == 1.0;
  if (turn == 0.0) problem(t, "two motions were along the same axis; please repeat the first touch");
  if (turn == -1.0)
    problem(
        t,
        "the axes are mirrored: either a motion was in the opposite direction, or the device's frame is left-handed");
  return true;
}

static double size_of(tacBox box) {
  tacVec3 d = tac_box_size(box);
  return d.x + d.y + d.z;
}

static void print_box(const char *name, tacBox b) {
  printf("   %s x %+.0f to %+.0f, y %+.0f to %+.0f, z %+.0f to %+.0f mm\n", name, 1e3 * b.lower.x, 1e3 * b.upper.x,
         1e3 * b.lower.y, 1e3 * b.upper.y, 1e3 * b.lower.z, 1e3 * b.upper.z);
}

static bool check_workspace(Touch *t) {
  int enough = paced(t, 3000);
  print("3. Workspace: move the handle to all limits of its reach; this ends after %d s without a new limit.\n",
        enough / 1000);
  tacBox box = {here(t), here(t)};
  double size = 0.0;
  for (int i = 0, since = 0; since < enough && i < 60000; ++i) {
    if (!tick(t, none)) return false;
    box = tac_box_add(box, here(t));
    since = size_of(box) > size + 1e-3 ? 0 : since + 1;
    if (since == 0) size = size_of(box);
  }
  print_box("reached", box);
  print_box("stated ", t->loop->device.info.workspace);
  tacBox around = tac_box_expand(t->loop->device.info.workspace, 0.02);
  if (size_of(tac_box_join(box, around)) > size_of(around))
    print(
        "   The handle reaches beyond the workspace that the driver states: the centre of a scene may not be where you "
        "expect it.\n");
  return true;
}

/* A force along one way, long enough to be felt; `moved` is how far the hand went along it. */
static bool push(Touch *t, tacVec3 along, double *moved) {
  tacVec3 start = here(t), force = tac_vec3_scale(t->force, along);
  *moved = 0.0;
  for (int i = 0; i < paced(t, 900); ++i) {
    if (!tick(t, force)) return false;
    tacVec3 d = tac_vec3_sub(here(t), start);
    *moved = tac_vec3_dot(d, along);
    if (tac_vec3_norm(d) > runaway) break;
  }
  return rest(t, paced(t, 600) * TAC_DEVICE_LOOP_PERIOD);
}

static bool check_forces(Touch *t) {
  char question[200];
  snprintf(question, sizeof question,
           "4. Forces: hold the handle loosely in the middle of its reach. The device pushes it gently, with %.2g N, "
           "along each axis.",
           t->force);
  if (!agree(t, question)) return false;
  int felt = 0;
  for (int i = 0; i < 6; ++i) {
    tacVec3 along = axes[i];
    double moved;
    printf("   along %s", axis_names[i]);
    for (int w = 0; t->known && w < 3; ++w)
      if (fabs(tac_vec3_dot(along, t->ways[w])) > 0.5)
        printf(" (%s%s)", tac_vec3_dot(along, t->ways[w]) < 0.0 ? "opposite to " : "", way_names[w]);
    fflush(stdout);
    if (!push(t, along, &moved)) {
      putchar('\n');
      return false;
    }
    print(": the hand moved %+.1f mm\n", 1e3 * moved);
    if (moved > runaway - 1e-3)
      print("   The force ended early, because the handle moved too far: hold it loosely, but do not let go.\n");
    if (moved < -2e-3) {
      problem(t, "the handle moved against the force: forces are reversed on this axis. No more forces are applied.");
      return false;
    }
    felt += moved > 5e-4;
  }
  if (felt == 0)
    problem(t, "no force moved the hand: either it was held firmly, or the forces are switched off");
  else if (felt < 6)
    print("   Not every force moved the hand: either it was held firmly, or friction stopped it.\n");
  return true;
}

/* A spring that holds the hand where it is: soft, and stable, or something is wrong. */
static bool check_spring(Touch *t) {
  int ticks = paced(t, 3000);
  double stiffness = fmin(most_stiffness, 0.2 * t->loop->device.info.stiffness_limit);
  print("5. A soft spring (%.0f N/m) holds the handle where it is: push against it, then let it return.\n", stiffness);
  tacVec3 start = here(t), turned = start;
  double direction = 0.0, farthest = 0.0;
  int reversals = 0;
  for (int i = 0; i < ticks; ++i) {
    tacVec3 d = tac_vec3_sub(here(t), start);
    if (!tick(t, tac_vec3_scale(-stiffness, d))) return false;
    farthest = fmax(farthest, tac_vec3_norm(d));
    /* To and fro by more than 0.2 mm, along any line. */
    double step = tac_vec3_norm(d) - tac_vec3_distance(turned, start);
    if (fabs(step) > 2e-4) {
      reversals += step * direction < 0.0;
      direction = step;
      turned = here(t);
    }
  }
  tacGuardReport report = tac_guard_report(t->loop->guard);
  double a_second = 1e3 * reversals / ticks;
  printf("   pushed %.1f mm; largest force %.2f N; %.0f reversals per second; the damper acted in %lld ticks\n",
         1e3 * farthest, report.force_max, a_second, (long long)report.damped);
  if (a_second > 30.0) problem(t, "the handle buzzes even with a soft spring: states arrive too late or too rarely");
  return rest(t, 0.3);
}

/* ---- what comes of it ---- */

/* Device axes to scene axes: x to the right, y away, z up. */
static void print_scene(const Touch *t) {
  const tacDeviceInfo *info = &t->loop->device.info;
  printf("\nFor the tool of a scene:\n\n    scale: 1\n");
  if (t->known) {
    tacMat3 r = tac_mat3_transpose(tac_mat3_from_columns(t->ways[0], tac_vec3_scale(-1.0, t->ways[2]), t->ways[1]));
    tacVec3 turn = tac_quat_to_rotation_vector(tac_quat_from_mat3(r));
    double angle = tac_vec3_norm(turn);
    tacVec3 axis = angle > 1e-6 ? tac_vec3_scale(1.0 / angle, turn) : none;
    if (angle > 1e-6)
      printf("    rotation: {axis: [%.4g, %.4g, %.4g], angle: %.4g deg}\n", axis.x + 0.0, axis.y + 0.0, axis.z + 0.0,
             angle * 180.0 / 3.14159265358979323846);
  }
  printf("    device: {kind: driver, file: %s, ", t->def->name);
  if (t->def->options != NULL) printf("options: \"%s\", ", t->def->options);
  printf("stiffness_limit: %.4g N/m}\n\n", info->stiffness_limit);
}

static bool touch(Touch *t) {
  return check_rest(t) && check_axes(t) && check_workspace(t) && check_forces(t) && check_spring(t);
}

int tac_first_touch(const tacFirstTouchDef *def, tacDeviceLoop *loop) {
  Touch t = {.def = def, .loop = loop, .force = fmin(most_force, 0.25 * loop->device.info.force_limit)};
  tacError error = {.text = ""};
  char fault[400];
  if (!def->yes && isatty(STDIN_FILENO) != 1)
    return tac_usage_error("tactus devices",
                           "--first-touch asks before it applies forces, and there is no terminal: add --yes");
  if (tac_device_loop_guard(loop, t.force, most_stiffness, def->late_limit, &error) != TAC_OK)
    return tac_console_fail(&error);
  bool whole = touch(&t);
  tac_device_loop_end(loop, fault, sizeof fault);
  if (fault[0] != 0) {
    fprintf(stderr, "tactus: %s %s; the forces were ramped to zero\n", loop->device.info.name, fault);
    return TAC_EXIT_FAILED;
  }
  if (tac_console_interrupted()) {
    print("stopped; the forces are zero\n");
    return TAC_EXIT_FAILED;
  }
  if (whole) print_scene(&t);
  if (t.problems == 0 && whole)
    print("verdict: fine; the device is ready for a first run\n");
  else
    printf("verdict: %d to check (lines above with !)\n", t.problems > 0 ? t.problems : 1);
  return t.problems == 0 && whole ? TAC_EXIT_OK : TAC_EXIT_FAILED;
}
