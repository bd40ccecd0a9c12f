#include "bench/truth/rough_hand.h"

#include <math.h>
#include <stdlib.h>
#include "base/memory/array.h"
#include "math/geometry/quat.h"
#include "math/geometry/vec3.h"
#include "math/random.h"
#include "world/world.h"
#include "world/world_build.h"
#include "world/world_parts.h"

enum { MOST_POINTS_A_SECOND = 20, MOST_TARGETS = 128 };

typedef struct Target {
  const tacTriMesh *surface;
  tacVec3 position;
  tacQuat orientation;
  bool falls;
} Target;

typedef struct Hand {
  tacRandom random;
  const tacTriMesh *held;    /* NULL: a point, or pads */
  tacQuat orientation;       /* of the held body at the start */
  const tacPadToolDef *pads; /* NULL: none */
  bool jaws;
  tacVec3 grasp, home; /* body's frame, scene */
  int target_count;
  Target targets[MOST_TARGETS];
  const tacFloorDef *floor; /* NULL: none */
  const tacWorkspaceDef *workspace;
  tacRoughPath *path;
  double time;
  tacVec3 at; /* of the grasp, scene */
  tacQuat turn;
  uint32_t buttons;
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

tacTrajectoryPoint tac_rough_point(const tacWorkspaceDef *workspace, double time, tacVec3 at, const double turn[4],
                                   uint32_t buttons) {
  const tacWorkspaceDef *w = workspace;
  tacQuat back = tac_quat_conjugate(quat_of(w->orientation)), q = tac_quat_mul(back, quat_of(turn));
  tacVec3 arm = tac_quat_rotate(back, tac_vec3_sub(at, w->centre));
  return (tacTrajectoryPoint){.time = time,
                              .position = tac_vec3_mad(w->device_centre, 1.0 / w->scale, arm),
                              .orientation = {q.w, q.x, q.y, q.z},
                              .buttons = buttons};
}

static void move_to(Hand *hand, tacVec3 at, tacQuat turn, double seconds) {
  const double q[4] = {turn.w, turn.x, turn.y, turn.z};
  hand->time += seconds;
  hand->at = at;
  hand->turn = turn;
  hand->path->points[hand->path->count++] = tac_rough_point(hand->workspace, hand->time, at, q, hand->buttons);
}

static void move_at(Hand *hand, tacVec3 at, tacQuat turn, double speed) {
  move_to(hand, at, turn, fmax(tac_vec3_distance(at, hand->at) / speed, 0.05));
}

static void hold_still(Hand *hand, double seconds) {
  hand->path->jams[hand->path->jam_count++] = (tacJam){hand->time, hand->time + seconds};
  move_to(hand, hand->at, hand->turn, seconds);
}

/* A place on a target, and its normal. Those that fall are sought between where they were and the floor. */
static tacVec3 place_on_target(Hand *hand, tacVec3 *normal) {
  int target = (int)between(hand, 0.0, hand->target_count);
  const Target *t = &hand->targets[target];
  int triangle = (int)between(hand, 0.0, t->surface->triangle_count);
  double fallen = between(hand, 0.0, 1.0);
  const int *v = t->surface->triangles[triangle].v;
  tacVec3 a = t->surface->vertices[v[0]], b = t->surface->vertices[v[1]], c = t->surface->vertices[v[2]];
  tacVec3 n = tac_vec3_cross(tac_vec3_sub(b, a), tac_vec3_sub(c, a));
  *normal = tac_quat_rotate(t->orientation, tac_vec3_unit(n));
  tacVec3 middle = tac_vec3_scale(1.0 / 3.0, tac_vec3_add(a, tac_vec3_add(b, c)));
  tacVec3 place = tac_vec3_add(t->position, tac_quat_rotate(t->orientation, middle));
  if (!t->falls || hand->floor == NULL) return place;
  double height = tac_vec3_dot(hand->floor->normal, place) - hand->floor->offset;
  return tac_vec3_mad(place, -fallen * height, hand->floor->normal);
}

/* Where the grasp is when the foremost point of the held body, so turned, meets a point of a target on the way
 * there. */
static tacVec3 meeting(Hand *hand, tacQuat turn, tacVec3 *way) {
  tacVec3 normal, point = place_on_target(hand, &normal);
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

static void squeeze(Hand *hand) {
  if (!hand->jaws) return;
  double grip = between(hand, 0.0, 255.0);
  hand->buttons = (hand->buttons & 255u) | TAC_BUTTON_GRIP((uint32_t)grip);
}

/* With a body in the hand. */
static void strike(Hand *hand) {
  double speed = between(hand, 0.5, 1.0);
  tacQuat turn = random_turn(hand, 0.6);
  tacVec3 way, point = meeting(hand, turn, &way);
  tacVec3 pressed = tac_vec3_mad(point, between(hand, 0.004, 0.02), way);
  squeeze(hand);
  move_at(hand, pressed, turn, speed);
  squeeze(hand);
  hold_still(hand, between(hand, 0.2, 0.6));
  int blows = (int)between(hand, 0.0, 3.0);
  for (int i = 0; i < blows; ++i) {
    move_at(hand, tac_vec3_mad(pressed, between(hand, -0.06, -0.02), way), turn, speed);
    move_at(hand, pressed, turn, speed);
  }
  /* Levers, and drags on. */
  for (int i = 0; i < 2; ++i) {
    tacQuat levered = tac_quat_mul(random_turn(hand, 0.7), turn);
    double seconds = between(hand, 0.1, 0.4);
    squeeze(hand);
    move_to(hand, hand->at, levered, seconds);
    hold_still(hand, between(hand, 0.1, 0.3));
    double way_on = between(hand, 0.01, 0.05);
    tacVec3 dragged = direction(hand);
    move_at(hand, tac_vec3_mad(hand->at, way_on, dragged), hand->turn, speed);
  }
  hold_still(hand, between(hand, 0.2, 0.5));
  double aside = between(hand, 0.0, 0.03);
  tacVec3 sideways = direction(hand);
  tacQuat back = random_turn(hand, 0.3);
  move_at(hand, tac_vec3_mad(hand->home, aside, sideways), back, speed);
}

/* The shortest turn from one unit vector to another. */
static tacQuat turn_between(tacVec3 from, tacVec3 to) {
  tacVec3 axis = tac_vec3_cross(from, to);
  double sine = tac_vec3_norm(axis), angle = atan2(sine, tac_vec3_dot(from, to));
  if (sine < 1e-9) axis = fabs(from.x) < 0.7 ? tac_vec3(0.0, -from.z, from.y) : tac_vec3(-from.z, 0.0, from.x);
  return tac_quat_from_rotation_vector(tac_vec3_scale(angle, tac_vec3_unit(axis)));
}

/* Of pads that look at a surface from outside: how they are turned, and where their middle is from the pad that
 * meets it. */
static tacVec3 turn_pads(const tacPadToolDef *pads, tacVec3 normal, tacQuat *turn) {
  bool two = pads->opening > 0.0;
  *turn = turn_between(two ? tac_vec3(1.0, 0.0, 0.0) : pads->approach, two ? normal : tac_vec3_scale(-1.0, normal));
  return tac_vec3_scale(-0.5 * pads->opening, normal);
}

static tacVec3 along_surface(Hand *hand, tacVec3 normal) {
  tacVec3 way = direction(hand);
  return tac_vec3_unit(tac_vec3_mad(way, -tac_vec3_dot(way, normal), normal));
}

/* With a point or with pads: in from outside, blows, along the surface, and often out again with what it has taken
 * hold of. */
static void poke(Hand *hand) {
  tacVec3 normal, place = place_on_target(hand, &normal);
  tacQuat turn = hand->turn;
  if (hand->pads != NULL) place = tac_vec3_add(place, turn_pads(hand->pads, normal, &turn));
  double speed = between(hand, 0.5, 1.0), depth = between(hand, 0.004, 0.02);
  bool holds = between(hand, 0.0, 1.0) < 0.5;
  bool sticks = hand->pads != NULL && hand->pads->hold == TAC_PAD_STICK;
  tacVec3 pressed = tac_vec3_mad(place, -depth, normal);
  move_at(hand, tac_vec3_mad(place, 0.03, normal), turn, 1.0);
  if (sticks) move_at(hand, place, turn, speed);
  if (sticks) hand->buttons = TAC_BUTTON_GRAB; /* takes hold of the surface where it is */
  move_at(hand, pressed, turn, speed);
  hold_still(hand, between(hand, 0.2, 0.6));
  int blows = (int)between(hand, 0.0, 3.0);
  for (int i = 0; i < blows; ++i) {
    double back = between(hand, 0.02, 0.06);
    move_at(hand, tac_vec3_mad(pressed, back, normal), turn, speed);
    move_at(hand, pressed, turn, speed);
  }
  for (int i = 0; i < 2; ++i) {
    double dragged = between(hand, 0.01, 0.05);
    tacVec3 way = along_surface(hand, normal);
    move_at(hand, tac_vec3_mad(hand->at, dragged, way), turn, speed);
    hold_still(hand, between(hand, 0.1, 0.3));
  }
  if (holds || sticks) { /* pulls, and lets go at once */
    double out = between(hand, 0.01, 0.04), aside = between(hand, 0.0, 0.02);
    tacVec3 way = along_surface(hand, normal);
    hand->buttons = TAC_BUTTON_GRAB;
    move_to(hand, hand->at, turn, 0.05);
    move_at(hand, tac_vec3_mad(tac_vec3_mad(place, out, normal), aside, way), turn, speed);
    hold_still(hand, between(hand, 0.2, 0.5));
  }
  hand->buttons = 0;
  hold_still(hand, between(hand, 0.2, 0.4));
  move_at(hand, tac_vec3_mad(hand->at, 0.03, normal), turn, speed);
}

static void add_target(const tacWorld *world, int body, Hand *hand) {
  if (hand->target_count == MOST_TARGETS) return;
  const tacWorldBody *b = &world->bodies[body];
  hand->targets[hand->target_count++] =
      (Target){b->surface->mesh, b->start.position, b->start.orientation, b->frame.mode == TAC_FRAME_FREE};
}

/* A body that is the tool's own: in its hand, or one of its jaws. */
static bool is_own(const tacHeldBody *held, int body) {
  bool own = body == held->body;
  for (int j = 0; j < held->jaw_count; ++j) own = own || body == held->jaws[j].body;
  return own;
}

/* What the tool's body is in a pair with; without pairs everything else. */
static void find_targets(const tacWorld *world, const tacHeldBody *held, int of_pads, Hand *hand) {
  if (of_pads >= 0) add_target(world, of_pads, hand);
  for (int p = 0; held->body >= 0 && p < world->pair_count; ++p) {
    tacPairDef pair = tac_world_pair(world, p);
    bool points = is_own(held, (int)pair.points.index), field = is_own(held, (int)pair.field.index);
    if (points != field) add_target(world, (int)(points ? pair.field.index : pair.points.index), hand);
  }
  for (int b = 0; hand->target_count == 0 && b < world->body_count; ++b)
    if (world->bodies[b].holder < 0 && !is_own(held, b)) add_target(world, b, hand);
}

/* Above everything: a place where a point or pads are free. */
static tacVec3 place_above(const tacWorld *world) {
  tacBox box = tac_box_empty();
  for (int b = 0; b < world->body_count; ++b) {
    const tacTriMesh *mesh = world->bodies[b].surface->mesh;
    for (int v = 0; v < mesh->vertex_count; ++v)
      box = tac_box_add(box, tac_frame_to_world(&world->bodies[b].start, mesh->vertices[v]));
  }
  return tac_vec3(0.5 * (box.lower.x + box.upper.x), 0.5 * (box.lower.y + box.upper.y), box.upper.z + 0.04);
}

tacVec3 tac_rough_home(const tacWorld *world, int tool) {
  const tacHeldBody *held = &world->tools[tool].held;
  return held->body >= 0 ? tac_frame_to_world(&world->bodies[held->body].start, held->def.grasp) : place_above(world);
}

tacStatus tac_rough_path_create(const tacWorld *world, int tool, const tacWorkspaceDef *workspace, uint64_t seed,
                                double duration, tacRoughPath *path, tacError *error) {
  const tacWorldTool *of = &world->tools[tool];
  tacFloorDef floor;
  Hand hand = {.random = tac_random_seed(seed),
               .pads = of->pad.body >= 0 ? &of->pad.def : NULL,
               .jaws = of->held.jaw_count > 0,
               .floor = tac_world_floor(world, &floor) ? &floor : NULL,
               .workspace = workspace,
               .path = path,
               .turn = tac_quat_identity()};
  *path = (tacRoughPath){0};
  find_targets(world, &of->held, of->pad.body, &hand);
  if (hand.target_count == 0) return tac_error_set(error, TAC_ERR_ARGUMENT, "there is nothing that the tool can touch");
  size_t most = (size_t)(MOST_POINTS_A_SECOND * (duration + 5.0));
  path->points = tac_array_create(most, sizeof *path->points, "waypoints", error);
  path->jams = tac_array_create(most, sizeof *path->jams, "waypoints", error);
  if (path->points == NULL || path->jams == NULL) {
    tac_rough_path_free(path);
    return TAC_ERR_MEMORY;
  }
  hand.home = tac_rough_home(world, tool);
  if (of->held.body >= 0) {
    const tacWorldBody *held = &world->bodies[of->held.body];
    hand.held = held->surface->mesh;
    hand.orientation = held->start.orientation;
    hand.grasp = of->held.def.grasp;
    if (of->held.def.reach > 0.0) hand.buttons = TAC_BUTTON_GRAB;
  }
  hand.at = hand.home;
  move_to(&hand, hand.home, hand.turn, 0.0);
  move_to(&hand, hand.home, hand.turn, 0.3);
  while (hand.time < duration) hand.held != NULL ? strike(&hand) : poke(&hand);
  return TAC_OK;
}

void tac_rough_path_free(tacRoughPath *path) {
  free(path->points);
  free(path->jams);
  *path = (tacRoughPath){0};
}
