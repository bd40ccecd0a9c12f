/* Two small bodies of any kinds in contact, and the simulated hands that press and rub them: a cell of the matrix kind x kind x
 * method x coupling. */
#pragma once

#include "physics/small_bodies.h"
#include "physics/stepped_world.h"
#include "world/world_parts.h"

static const double period = 1e-3; /* s */

typedef enum Kind {
  RIGID_RESTS,
  RIGID_FREE,
  RIGID_HELD,
  GREEN_RESTS,
  GREEN_HELD,
  REDUCED_ANCHORED,
  REDUCED_FREE,
  REDUCED_HELD,
  COROTATIONAL_RESTS,
  COROTATIONAL_FREE,
  COROTATIONAL_HELD,
  HYPERELASTIC_RESTS,
  HYPERELASTIC_FREE,
  HYPERELASTIC_HELD,
  VADEMECUM_RESTS,
  VADEMECUM_FREE,
  VADEMECUM_HELD,
  KINDS
} Kind;
static const char *const kind_names[KINDS] = {
    "rigid rests",       "rigid free",         "rigid held",        "green rests",        "green held",
    "reduced anchored",  "reduced free",       "reduced held",      "corotational rests", "corotational free",
    "corotational held", "hyperelastic rests", "hyperelastic free", "hyperelastic held",  "vademecum rests",
    "vademecum free",    "vademecum held"};

typedef struct Cell {
  Kind kind[2]; /* of the points, of the field */
  tacContactMethod method;
  tacCouplingKind coupling; /* of what is held */
  double radius;            /* m, of the finger; 0: a point */
} Cell;

/* Nothing of either moves. */
static inline bool is_impossible(const Cell *cell) {
  return cell->kind[0] == RIGID_RESTS && cell->kind[1] == RIGID_RESTS;
}

/* Three of each family, but for a free elastostatic one. */
static inline int place_of(Kind k) {
  return k > GREEN_RESTS ? k + 1 : k;
}
static inline Family family_of(Kind k) {
  return (Family)(place_of(k) / 3);
}
static inline bool is_free(Kind k) {
  return place_of(k) % 3 == 1;
}
static inline bool is_held(Kind k) {
  return place_of(k) % 3 == 2;
}
static inline bool is_rigid(Kind k) {
  return family_of(k) == RIGID;
}
static inline bool is_corotational(Kind k) {
  return family_of(k) == COROTATIONAL;
}
static inline bool is_hyperelastic(Kind k) {
  return family_of(k) == HYPERELASTIC;
}

/* ---- a world of a cell ---- */

/* The field's body is as it is made; that of the points is turned by 180 degrees about z, so that their faces x =
 * EDGE meet. */
static inline tacPose pose_of(int side, double gap) {
  if (side == 1) return (tacPose){{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
  return (tacPose){tac_vec3(2.0 * EDGE + gap, EDGE, 0.0), {0.0, 0.0, 0.0, 1.0}};
}

static inline tacBodyId add_body(tacWorld *world, const SmallBodies *s, Kind kind, int side, double gap, double speed) {
  Cube c = cube_of(family_of(kind), side == 0 ? "points" : "field");
  c.body.pose = pose_of(side, gap);
  c.body.free = is_free(kind);
  c.body.velocity = tac_vec3(side == 0 ? -speed : speed, 0.3 * speed, 0.0);
  if (family_of(kind) != GREEN && !is_corotational(kind)) c.body.touch_damping = 0.0;
  return add_cube(world, s, &c);
}

/* Tools are: the point tool, the hand of the points' body, the hand of the field's. */
typedef struct Bench {
  tacWorld *world;
  int tools, hand_of[2]; /* -1: not held */
  int pressed;           /* the body that the point tool presses: 0 or 1 */
} Bench;

static const tacVec3 grasp = {0.005, 0.5 * EDGE, 0.5 * EDGE};

/* A free one, from behind; else a soft one, on its side; else a held one. */
static inline int pressed_of(const Cell *cell) {
  for (int side = 0; side < 2; ++side)
    if (is_free(cell->kind[side])) return side;
  for (int side = 0; side < 2; ++side)
    if (!is_rigid(cell->kind[side])) return side;
  return is_held(cell->kind[0]) ? 0 : 1;
}

/* Where nothing brings the bodies together they touch from the start. */
static inline double gap_of(const Cell *cell) {
  for (int side = 0; side < 2; ++side)
    if (is_held(cell->kind[side]) || is_free(cell->kind[side])) return 0.002;
  return 0.0;
}

/* `every`: ticks of one step of the bodies. */
static inline Bench make_bench(const SmallBodies *s, const Cell *cell, bool with_tools, double speed, int every) {
  Bench b = {.hand_of = {-1, -1}, .pressed = pressed_of(cell)};
  tacBodyId ids[2];
  b.world = make_world_with(cell->method, every);
  for (int side = 0; side < 2; ++side) ids[side] = add_body(b.world, s, cell->kind[side], side, gap_of(cell), speed);
  tacPairDef pair = tac_pair_def_default();
  pair.points = ids[0];
  pair.field = ids[1];
  pair.stiffness = 400.0;
  pair.friction = 0.3;
  pair.method = cell->method;
  if (is_hyperelastic(cell->kind[0]) || is_hyperelastic(cell->kind[1])) pair.laws.detect = TAC_DETECT_SURFACES;
  tac_test_ok(tac_world_add_pair(b.world, &pair, NULL, &error), error);
  if (with_tools) {
    const tacPointToolDef finger = {.name = "finger", .radius = cell->radius};
    tac_test_ok(tac_world_add_point_tool(b.world, &finger, NULL, &error), error);
    b.tools = 1;
    for (int side = 0; side < 2; ++side) {
      if (!is_held(cell->kind[side])) continue;
      tacBodyToolDef tool = tac_body_tool_def_default();
      tool.name = side == 0 ? "hand" : "other hand";
      tool.body = ids[side];
      tool.grasp = grasp;
      tool.coupling = cell->coupling;
      tac_test_ok(tac_world_add_body_tool(b.world, &tool, NULL, &error), error);
      b.hand_of[side] = b.tools++;
    }
  }
  seal(b.world);
  return b;
}

static inline void end_bench(Bench *b) {
  tac_world_destroy(b->world);
}

/* Momentum, and angular momentum about the world's origin, of a free body. That of a hyperelastic one is of its nodes, from where they
 * were in the tick before: `was` [3 vertex], which becomes where they are. */
typedef struct Momentum {
  tacVec3 linear, angular;
} Momentum;

static inline Momentum momentum_of(const SmallBodies *s, const Bench *b, const Cell *cell, int side, double *was) {
  const tacWorldBody *body = &b->world->bodies[side];
  if (!is_hyperelastic(cell->kind[side]))
    return (Momentum){tac_frame_momentum(&body->frame), tac_frame_angular_momentum(&body->frame)};
  static double state[1024];
  int count = tac_body_describe(&body->body).shown;
  Momentum sum = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  ck_assert_int_le(count, 1024);
  body->body.table->save(body->body.self, count, state);
  for (int i = 0; i < s->tets->vertex_count; ++i) {
    tacVec3 x = tac_vec3(state[3 * i], state[3 * i + 1], state[3 * i + 2]);
    tacVec3 way = tac_vec3_sub(x, tac_vec3(was[3 * i], was[3 * i + 1], was[3 * i + 2]));
    tacVec3 p = tac_vec3_scale(s->mass[i] / period, tac_quat_rotate(body->frame.orientation, way));
    sum.linear = tac_vec3_add(sum.linear, p);
    sum.angular = tac_vec3_add(sum.angular, tac_vec3_cross(tac_frame_to_world(&body->frame, x), p));
  }
  memcpy(was, state, 3 * (size_t)s->tets->vertex_count * sizeof *was);
  return sum;
}

/* ---- hands ---- */

/* Ticks: the hands are in; they rub, from here to there; they go out. Until AGAIN all is repeated; from QUIET on
 * forces balance. */
enum { IN = 120, RUB = 150, STILL = 300, QUIET = 360, OUT = 420, TICKS = 520, AGAIN = 240, MOST_HANDS = 3 };

/* A hand of 0.15 kg on a spring and damper that lead it along a path; critically damped. */
typedef struct Hand {
  tacVec3 start, way, rub; /* m; `way` is gone in and out, `rub` there and back between */
  double turn;             /* rad, about y, there and back with it */
  tacVec3 position, velocity;
  double angle;
} Hand;

static inline double smooth(double s) {
  s = fmin(1.0, fmax(0.0, s));
  return s * s * s * (10.0 - s * (15.0 - 6.0 * s));
}

static inline void move_hand(Hand *hand, int tick, tacVec3 force) {
  const double mass = 0.15, k = 400.0, c = 2.0 * sqrt(mass * k);
  double in = smooth((double)tick / IN) - smooth((double)(tick - OUT) / (TICKS - OUT - 20));
  double phase = smooth((double)(tick - RUB) / (STILL - RUB)), aside = sin(2.0 * 3.14159265358979 * phase);
  tacVec3 target = tac_vec3_mad(tac_vec3_mad(hand->start, in, hand->way), aside, hand->rub);
  tacVec3 pull = tac_vec3_mad(tac_vec3_scale(k, tac_vec3_sub(target, hand->position)), -c, hand->velocity);
  hand->velocity = tac_vec3_mad(hand->velocity, period / mass, tac_vec3_add(pull, force));
  hand->position = tac_vec3_mad(hand->position, period, hand->velocity);
  hand->angle = hand->turn * aside;
}

static inline tacToolInput input_of(const Hand *hand) {
  return (tacToolInput){.position = hand->position,
                        .orientation = {cos(0.5 * hand->angle), 0.0, sin(0.5 * hand->angle), 0.0}};
}

static inline tacVec3 to_world(tacPose pose, tacVec3 p) {
  tacQuat q = tac_quat_of(pose.orientation);
  return tac_vec3_add(pose.position, tac_quat_rotate(q, p));
}

static inline void make_hands(const Bench *b, const Cell *cell, Hand *hands) {
  double gap = gap_of(cell), press = 0.003;
  tacPose pose = pose_of(b->pressed, gap);
  bool behind = is_free(cell->kind[b->pressed]);
  tacVec3 at = behind ? tac_vec3(-0.003, 0.5 * EDGE, 0.5 * EDGE) : tac_vec3(0.75 * EDGE, 0.5 * EDGE, EDGE + 0.003);
  tacVec3 to = behind ? tac_vec3(0.0, 0.5 * EDGE, 0.5 * EDGE) : tac_vec3(0.75 * EDGE, 0.5 * EDGE, EDGE - 0.003);
  if (behind) to.x += gap + press;
  hands[0] = (Hand){.start = to_world(pose, at), .rub = tac_vec3(0.0, 0.001, 0.0)};
  hands[0].way = tac_vec3_sub(to_world(pose, to), hands[0].start);
  int held = (b->hand_of[0] >= 0) + (b->hand_of[1] >= 0);
  for (int side = 0; side < 2; ++side) {
    if (b->hand_of[side] < 0) continue;
    double way = (gap + press) / held;
    hands[b->hand_of[side]] = (Hand){.start = to_world(pose_of(side, gap), grasp),
                                     .way = tac_vec3(side == 0 ? -way : way, 0.0, 0.0),
                                     .rub = tac_vec3(0.0, side == 0 ? 0.003 : -0.003, 0.001),
                                     .turn = side == 0 ? 0.03 : 0.0};
  }
  for (int t = 0; t < b->tools; ++t) hands[t].position = hands[t].start;
}

/* The hands of a run, from any tick on. */
typedef struct Play {
  Hand hands[MOST_HANDS];
  tacToolOutput out[MOST_HANDS];
} Play;

static inline Play begin(const Bench *b, const Cell *cell) {
  Play play = {0};
  make_hands(b, cell, play.hands);
  return play;
}
