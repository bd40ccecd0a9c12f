#include "bench/rough_hand.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/array.h"
#include "math/quat.h"
#include "math/random.h"
#include "math/vec3.h"

/* ---- the path ---- */

enum { MOST_POINTS_A_SECOND = 20, MOST_TARGETS = 8 };

typedef struct Target {
  const tacTriMesh *surface;
  tacVec3 position;
  tacQuat orientation;
} Target;

typedef struct Hand {
  tacRandom random;
  const tacTriMesh *held;
  tacQuat orientation; /* of the held body at the start */
  tacVec3 grasp, home; /* body's frame, scene */
  int target_count;
  Target targets[MOST_TARGETS];
  const tacWorkspaceDef *workspace;
  tacRoughPath *path;
  double time;
  tacVec3 at; /* of the grasp, scene */
  tacQuat turn;
} Hand;

static tacQuat quat_of(const double q[4]) {
  return tac_quat(q[0], q[1], q[2], q[3]);
}

static double between(Hand *hand, double least, double most) {
  return tac_random_uniform(&hand->random, least, most);
}

static tacVec3 direction(Hand *hand) {
  return tac_vec3_unit(tac_random_normal3(&hand->random));
}

static tacQuat random_turn(Hand *hand, double most) {
  tacVec3 axis = direction(hand);
  return tac_quat_from_rotation_vector(tac_vec3_scale(between(hand, -most, most), axis));
}

static void go(Hand *hand, tacVec3 at, tacQuat turn, double seconds) {
  const tacWorkspaceDef *w = hand->workspace;
  tacQuat back = tac_quat_conjugate(quat_of(w->orientation)), q = tac_quat_mul(back, turn);
  tacVec3 arm = tac_quat_rotate(back, tac_vec3_sub(at, w->centre));
  hand->time += seconds;
  hand->at = at;
  hand->turn = turn;
  hand->path->points[hand->path->count++] =
      (tacTrajectoryPoint){.time = hand->time,
                           .position = tac_vec3_mad(w->device_centre, 1.0 / w->scale, arm),
                           .orientation = {q.w, q.x, q.y, q.z}};
}

static void go_at(Hand *hand, tacVec3 at, tacQuat turn, double speed) {
  go(hand, at, turn, fmax(tac_vec3_distance(at, hand->at) / speed, 0.05));
}

static void stay(Hand *hand, double seconds) {
  hand->path->jams[hand->path->jam_count++] = (tacJam){hand->time, hand->time + seconds};
  go(hand, hand->at, hand->turn, seconds);
}

/* Where the grasp is when the foremost point of the held body, so turned, meets a point of a target on the way there. */
static tacVec3 meeting(Hand *hand, tacQuat turn, tacVec3 *way) {
  int target = (int)between(hand, 0.0, hand->target_count);
  const Target *t = &hand->targets[target];
  tacVec3 v = t->surface->vertices[(int)between(hand, 0.0, t->surface->vertex_count)];
  tacVec3 point = tac_vec3_add(t->position, tac_quat_rotate(t->orientation, v));
  *way = tac_vec3_unit(tac_vec3_sub(point, hand->at));
  tacQuat whole = tac_quat_mul(turn, hand->orientation);
  tacVec3 front = {0.0, 0.0, 0.0};
  double most = -INFINITY;
  for (int i = 0; i < hand->held->vertex_count; ++i) {
    tacVec3 arm = tac_quat_rotate(whole, tac_vec3_sub(hand->held->vertices[i], hand->grasp));
    double reach = tac_vec3_dot(arm, *way);
    if (reach <= most) continue;
    most = reach;
    front = arm;
  }
  return tac_vec3_sub(point, front);
}

static void strike(Hand *hand) {
  double speed = between(hand, 0.5, 1.0);
  tacQuat turn = random_turn(hand, 0.6);
  tacVec3 way, met = meeting(hand, turn, &way);
  tacVec3 pressed = tac_vec3_mad(met, between(hand, 0.004, 0.02), way);
  go_at(hand, pressed, turn, speed);
  stay(hand, between(hand, 0.2, 0.6));
  int blows = (int)between(hand, 0.0, 3.0);
  for (int i = 0; i < blows; ++i) {
    go_at(hand, tac_vec3_mad(pressed, between(hand, -0.06, -0.02), way), turn, speed);
    go_at(hand, pressed, turn, speed);
  }
  /* Levers, and drags on. */
  for (int i = 0; i < 2; ++i) {
    tacQuat levered = tac_quat_mul(random_turn(hand, 0.7), turn);
    double seconds = between(hand, 0.1, 0.4);
    go(hand, hand->at, levered, seconds);
    stay(hand, between(hand, 0.1, 0.3));
    double way_on = between(hand, 0.01, 0.05);
    tacVec3 dragged = direction(hand);
    go_at(hand, tac_vec3_mad(hand->at, way_on, dragged), hand->turn, speed);
  }
  stay(hand, between(hand, 0.2, 0.5));
  double aside = between(hand, 0.0, 0.03);
  tacVec3 sideways = direction(hand);
  tacQuat back = random_turn(hand, 0.3);
  go_at(hand, tac_vec3_mad(hand->home, aside, sideways), back, speed);
}

static void find_targets(const tacWorld *world, tacBodyId held, Hand *hand) {
  for (int p = 0; p < tac_world_pair_count(world) && hand->target_count < MOST_TARGETS; ++p) {
    tacPairDef pair = tac_world_pair(world, p);
    tacBodyId other = pair.points.index == held.index ? pair.field : pair.points;
    if (pair.points.index != held.index && pair.field.index != held.index) continue;
    tacPose pose = tac_world_body_pose(world, other);
    hand->targets[hand->target_count++] =
        (Target){tac_world_body_surface(world, other), pose.position, quat_of(pose.orientation)};
  }
}

tacStatus tac_rough_path_create(const tacWorld *world, int tool, const tacWorkspaceDef *workspace, uint64_t seed,
                                double duration, tacRoughPath *path, tacError *error) {
  tacBodyId held = tac_world_tool_body(world, tool);
  tacPose pose = tac_world_body_pose(world, held);
  Hand hand = {.random = tac_random_seed(seed),
               .held = tac_world_body_surface(world, held),
               .orientation = quat_of(pose.orientation),
               .grasp = tac_world_tool_grasp(world, tool),
               .workspace = workspace,
               .path = path,
               .turn = tac_quat_identity()};
  *path = (tacRoughPath){0};
  find_targets(world, held, &hand);
  if (hand.target_count == 0) return tac_error_set(error, TAC_ERR_ARGUMENT, "the tool's body is in no contact");
  size_t most = (size_t)(MOST_POINTS_A_SECOND * (duration + 5.0));
  path->points = tac_array_create(most, sizeof *path->points, "waypoints", error);
  path->jams = tac_array_create(most, sizeof *path->jams, "waypoints", error);
  if (path->points == NULL || path->jams == NULL) {
    tac_rough_path_free(path);
    return TAC_ERR_MEMORY;
  }
  hand.home = hand.at = tac_vec3_add(pose.position, tac_quat_rotate(hand.orientation, hand.grasp));
  go(&hand, hand.home, hand.turn, 0.0);
  go(&hand, hand.home, hand.turn, 0.6); /* until the servo's forces are there */
  while (hand.time < duration) strike(&hand);
  return TAC_OK;
}

void tac_rough_path_free(tacRoughPath *path) {
  free(path->points);
  free(path->jams);
  *path = (tacRoughPath){0};
}

/* ---- the meter ---- */

static tacHighPass high_pass(double frequency, double period) {
  double w = tan(M_PI * frequency * period), norm = 1.0 / (1.0 + M_SQRT2 * w + w * w);
  return (tacHighPass){.b = norm, .a1 = 2.0 * (w * w - 1.0) * norm, .a2 = (1.0 - M_SQRT2 * w + w * w) * norm};
}

/* The square of what passes. */
static double pass(tacHighPass *f, tacVec3 signal) {
  const double x[3] = {signal.x, signal.y, signal.z};
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) {
    double y = f->b * (x[i] - 2.0 * f->in[i][0] + f->in[i][1]) - f->a1 * f->out[i][0] - f->a2 * f->out[i][1];
    f->in[i][1] = f->in[i][0];
    f->in[i][0] = x[i];
    f->out[i][1] = f->out[i][0];
    f->out[i][0] = y;
    sum += y * y;
  }
  return sum;
}

static void take(tacMeter *meter, int count, const double *numbers) {
  for (int i = 0; i < count; ++i) {
    uint64_t bits;
    memcpy(&bits, &numbers[i], sizeof bits);
    meter->fingerprint = (meter->fingerprint ^ bits) * UINT64_C(0x9E3779B97F4A7C15);
    meter->fingerprint ^= meter->fingerprint >> 29;
  }
}

static void take_vector(tacMeter *meter, tacVec3 v) {
  const double numbers[3] = {v.x, v.y, v.z};
  take(meter, 3, numbers);
}

static tacDeviceHealth meter_read(void *self, tacDeviceState *state) {
  tacMeter *meter = self;
  tacDeviceHealth health = meter->inner.driver->read(meter->inner.self, state);
  take_vector(meter, state->position);
  take(meter, 4, state->orientation);
  return health;
}

static void meter_write(void *self, tacVec3 force, tacVec3 torque) {
  const double settled = 0.1; /* s after the hand came to rest, in which the blow decays */
  tacMeter *meter = self;
  meter->inner.driver->write(meter->inner.self, force, torque);
  take_vector(meter, force);
  take_vector(meter, torque);
  double f = pass(&meter->force, force), t = pass(&meter->torque, torque);
  double time = (double)meter->tick++ * meter->period;
  meter->force_sum += f;
  meter->torque_sum += t;
  const tacRoughPath *path = meter->path;
  while (meter->jam < path->jam_count && path->jams[meter->jam].to < time) ++meter->jam;
  if (meter->jam == path->jam_count || time < path->jams[meter->jam].from + settled) return;
  meter->jammed_sum += f;
  meter->jammed_torque_sum += t;
  ++meter->jammed;
}

static void meter_close(void *self) {
  tac_device_close(&((tacMeter *)self)->inner);
}

static const tacDeviceDriver meter_driver = {.abi = TAC_DEVICE_ABI,
                                             .name = "meter",
                                             .summary = "measures what goes to another device",
                                             .close = meter_close,
                                             .read = meter_read,
                                             .write = meter_write};

void tac_meter_open(tacDevice inner, const tacRoughPath *path, double period, tacMeter *meter, tacDevice *device) {
  *meter = (tacMeter){.inner = inner,
                      .path = path,
                      .period = period,
                      .force = high_pass(100.0, period),
                      .torque = high_pass(100.0, period)};
  *device = (tacDevice){.driver = &meter_driver, .self = meter, .info = inner.info};
}
