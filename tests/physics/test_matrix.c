/* Kind x kind x method x tool: every kind of body against every other, by both methods, pressed and rubbed by
 * simulated hands. Of every cell: outputs are finite; what one body gets of a contact the other gives; the world
 * gives the hands no energy, before any limit or controller acts; the same inputs give the same bits.
 * TACTUS_TEST_TELL prints the matrix. */
#include "physics/small_bodies.h"
#include "world/pair.h"
#include "world/world_parts.h"

typedef enum Kind {
  RIGID_RESTS,
  RIGID_FREE,
  RIGID_HELD,
  GREEN_RESTS,
  GREEN_HELD,
  REDUCED_ANCHORED,
  REDUCED_FREE,
  REDUCED_HELD,
  KINDS
} Kind;
static const char *const kind_names[KINDS] = {"rigid rests", "rigid free",       "rigid held",   "green rests",
                                              "green held",  "reduced anchored", "reduced free", "reduced held"};
static const char *const method_names[2] = {"penalty", "signorini"};
static const char *const coupling_names[2] = {"static", "dynamic"};

/* What cannot be. */
static const struct {
  Kind points, field;
  const char *why;
} impossible[] = {{RIGID_RESTS, RIGID_RESTS, "nothing of either moves"}};

typedef struct Cell {
  Kind kind[2]; /* of the points, of the field */
  tacContactMethod method;
  tacCouplingKind coupling; /* of what is held */
} Cell;

static const char *why_not(Kind points, Kind field) {
  for (size_t i = 0; i < sizeof impossible / sizeof *impossible; ++i)
    if (impossible[i].points == points && impossible[i].field == field) return impossible[i].why;
  return NULL;
}

static bool is_held(Kind k) {
  return k == RIGID_HELD || k == GREEN_HELD || k == REDUCED_HELD;
}
static bool is_free(Kind k) {
  return k == RIGID_FREE || k == REDUCED_FREE;
}
static bool is_rigid(Kind k) {
  return k == RIGID_RESTS || k == RIGID_FREE || k == RIGID_HELD;
}

/* ---- a world of a cell ---- */

/* The field's body is as it is made; that of the points is turned by 180 degrees about z, so that their faces x =
 * EDGE meet. */
static tacPose pose_of(int side, double gap) {
  if (side == 1) return (tacPose){{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
  return (tacPose){tac_vec3(2.0 * EDGE + gap, EDGE, 0.0), {0.0, 0.0, 0.0, 1.0}};
}

static tacBodyId add_body(tacWorld *world, const SmallBodies *s, Kind kind, int side, double gap, double speed) {
  static const char *const names[2] = {"points", "field"};
  tacError error;
  tacBodyId id;
  tacVec3 velocity = tac_vec3(side == 0 ? -speed : speed, 0.3 * speed, 0.0);
  if (is_rigid(kind)) {
    tacRigidBodyDef def = tac_rigid_body_def_default();
    def.name = names[side];
    def.surface = tac_reduced_surface(s->loose);
    def.pose = pose_of(side, gap);
    def.free = kind == RIGID_FREE;
    def.inertia = s->inertia;
    def.velocity = velocity;
    def.touch_damping = 0.0;
    def.shell = s->shell;
    def.field = s->field;
    tac_test_ok(tac_world_add_rigid(world, &def, &id, &error), error);
  } else if (kind == GREEN_RESTS || kind == GREEN_HELD) {
    tacGreenBodyDef def = tac_green_body_def_default();
    def.name = names[side];
    def.green = s->green;
    def.pose = pose_of(side, gap);
    def.mask_radius = 0.008;
    def.inertia = s->inertia;
    def.shell = s->shell;
    def.field = s->field;
    tac_test_ok(tac_world_add_green(world, &def, &id, &error), error);
  } else {
    tacReducedBodyDef def = tac_reduced_body_def_default();
    bool loose = kind == REDUCED_FREE;
    def.name = names[side];
    def.reduced = loose ? s->loose : s->anchored;
    def.pose = pose_of(side, gap);
    def.velocity = velocity;
    def.touch_damping = 0.0;
    def.shell = loose ? s->loose_shell : s->anchored_shell;
    def.field = loose ? s->loose_field : s->anchored_field;
    tac_test_ok(tac_world_add_reduced(world, &def, &id, &error), error);
  }
  return id;
}

/* Tools are: the point tool, the hand of the points' body, the hand of the field's. */
typedef struct Bench {
  tacWorld *world;
  int tools, hand_of[2]; /* -1: not held */
  int pressed;           /* the body that the point tool presses: 0 or 1 */
} Bench;

static const tacVec3 grasp = {0.005, 0.5 * EDGE, 0.5 * EDGE};

/* A free one, from behind; else a soft one, on its side; else a held one. */
static int pressed_of(const Cell *cell) {
  for (int side = 0; side < 2; ++side)
    if (is_free(cell->kind[side])) return side;
  for (int side = 0; side < 2; ++side)
    if (!is_rigid(cell->kind[side])) return side;
  return is_held(cell->kind[0]) ? 0 : 1;
}

/* Where nothing brings the bodies together they touch from the start. */
static double gap_of(const Cell *cell) {
  for (int side = 0; side < 2; ++side)
    if (is_held(cell->kind[side]) || is_free(cell->kind[side])) return 0.002;
  return 0.0;
}

static Bench make_bench(const SmallBodies *s, const Cell *cell, bool with_tools, double speed) {
  tacError error;
  tacWorldDef def = tac_world_def_default();
  Bench b = {.hand_of = {-1, -1}, .pressed = pressed_of(cell)};
  tacBodyId ids[2];
  def.method = cell->method;
  tac_test_ok(tac_world_create(&def, &b.world, &error), error);
  for (int side = 0; side < 2; ++side) ids[side] = add_body(b.world, s, cell->kind[side], side, gap_of(cell), speed);
  tacPairDef pair = tac_pair_def_default();
  pair.points = ids[0];
  pair.field = ids[1];
  pair.stiffness = 400.0;
  pair.friction = 0.3;
  pair.method = cell->method;
  tac_test_ok(tac_world_add_pair(b.world, &pair, NULL, &error), error);
  if (with_tools) {
    tac_test_ok(tac_world_add_point_tool(b.world, &(tacPointToolDef){"finger"}, NULL, &error), error);
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
  tac_test_ok(tac_world_seal(b.world, &error), error);
  return b;
}

/* ---- hands ---- */

/* Ticks: the hands are in; they rub, from here to there; they go out. Until AGAIN all is repeated; from QUIET on
 * forces balance. */
enum { IN = 120, RUB = 150, STILL = 300, QUIET = 360, OUT = 420, TICKS = 520, AGAIN = 240, MOST_HANDS = 3 };
static const double period = 1e-3;

/* A hand of 0.15 kg on a spring and damper that lead it along a path; critically damped. */
typedef struct Hand {
  tacVec3 start, way, rub; /* m; `way` is gone in and out, `rub` there and back between */
  double turn;             /* rad, about y, there and back with it */
  tacVec3 position, velocity;
  double angle;
} Hand;

static double smooth(double s) {
  s = fmin(1.0, fmax(0.0, s));
  return s * s * s * (10.0 - s * (15.0 - 6.0 * s));
}

static void move_hand(Hand *hand, int tick, tacVec3 force) {
  const double mass = 0.15, k = 400.0, c = 2.0 * sqrt(mass * k);
  double in = smooth((double)tick / IN) - smooth((double)(tick - OUT) / (TICKS - OUT - 20));
  double phase = smooth((double)(tick - RUB) / (STILL - RUB)), aside = sin(2.0 * 3.14159265358979 * phase);
  tacVec3 target = tac_vec3_mad(tac_vec3_mad(hand->start, in, hand->way), aside, hand->rub);
  tacVec3 pull = tac_vec3_mad(tac_vec3_scale(k, tac_vec3_sub(target, hand->position)), -c, hand->velocity);
  hand->velocity = tac_vec3_mad(hand->velocity, period / mass, tac_vec3_add(pull, force));
  hand->position = tac_vec3_mad(hand->position, period, hand->velocity);
  hand->angle = hand->turn * aside;
}

static tacToolInput input_of(const Hand *hand) {
  return (tacToolInput){.position = hand->position,
                        .orientation = {cos(0.5 * hand->angle), 0.0, sin(0.5 * hand->angle), 0.0}};
}

static tacVec3 to_world(tacPose pose, tacVec3 p) {
  tacQuat q = tac_quat(pose.orientation[0], pose.orientation[1], pose.orientation[2], pose.orientation[3]);
  return tac_vec3_add(pose.position, tac_quat_rotate(q, p));
}

static void make_hands(const Bench *b, const Cell *cell, Hand *hands) {
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

/* ---- what is measured ---- */

typedef struct Result {
  bool finite, passive, repeats;
  double work, moved; /* J: what hands gave in all, and all that was exchanged */
  double least;       /* of what they had given over what was exchanged, at any time */
  double pressed;     /* N: most of contacts */
  double unbalanced;  /* of held bodies at rest: mean of all forces over that of their sizes */
  double pushed;      /* of free bodies that a tool pushes: likewise, with its force */
  double momentum;    /* of free bodies: N, between what it changed by and what acted, over their sizes */
} Result;

static tacVec3 on_body(const tacWorld *world, int body, double *sizes) {
  tacVec3 sum = tac_vec3(0.0, 0.0, 0.0);
  for (int i = 0; i < world->contacts.count; ++i) {
    const tacSetContact *c = &world->contacts.list[i];
    for (int s = 0; s < 2; ++s)
      if (c->body[s] == body) {
        sum = tac_vec3_mad(sum, s == 0 ? 1.0 : -1.0, c->force);
        *sizes += tac_vec3_norm(c->force);
      }
  }
  for (int p = 0; p < world->pair_count; ++p) {
    const tacPair *pair = &world->contact_pairs[p];
    if (pair->laws || !tac_pair_has(pair, body)) continue;
    for (int i = 0; i < pair->count; ++i) {
      sum = tac_vec3_mad(sum, pair->points == body ? 1.0 : -1.0, pair->springs[i].force);
      *sizes += tac_vec3_norm(pair->springs[i].force);
    }
  }
  return sum;
}

static uint64_t add_bits(uint64_t hash, size_t size, const void *data) { /* FNV-1a */
  const unsigned char *bytes = data;
  for (size_t i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * 1099511628211u;
  return hash;
}

/* Whether the tool was all the time at one point of the body, and its force is the spring's at the end. */
static bool same_touch(const tacContact *a, const tacContact *b, int body) {
  return a->state == TAC_CONTACT_STICKS && b->state == TAC_CONTACT_STICKS && (int)a->body == body &&
         (int)b->body == body && a->triangle == b->triangle && memcmp(a->weight, b->weight, sizeof a->weight) == 0;
}

/* Returns the bits of all that came out until AGAIN. */
static uint64_t play(const Bench *b, const Cell *cell, int ticks, Result *r) {
  Hand hands[MOST_HANDS];
  tacToolInput in[MOST_HANDS];
  tacToolOutput out[MOST_HANDS] = {0}, before[MOST_HANDS];
  double state[512], work = 0.0, moved = 0.0, rest_sizes[2] = {1e-3, 1e-3};
  tacVec3 rest[2] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  uint64_t hash = 14695981039346656037u;
  int numbers = tac_world_state_size(b->world);
  ck_assert_int_le(numbers, 512);
  make_hands(b, cell, hands);
  *r = (Result){.finite = true, .passive = true, .least = 1.0};
  for (int tick = 0; tick < ticks; ++tick) {
    tacVec3 was[MOST_HANDS], velocity[2];
    double angle[MOST_HANDS];
    tacTickReport report;
    for (int t = 0; t < b->tools; ++t) {
      was[t] = hands[t].position;
      angle[t] = hands[t].angle;
      before[t] = out[t];
      move_hand(&hands[t], tick, out[t].force);
      in[t] = input_of(&hands[t]);
    }
    for (int side = 0; side < 2; ++side) velocity[side] = b->world->bodies[side].frame.linear;
    tac_world_step(b->world, in, out, &report);
    r->finite = r->finite && report.refused == 0;
    double gave = 0.0;
    for (int t = 0; t < b->tools; ++t) {
      r->finite = r->finite && tac_vec3_finite(out[t].force) && tac_vec3_finite(out[t].torque);
      tacVec3 force = tac_vec3_mix(before[t].force, out[t].force, 0.5);
      double torque = 0.5 * (before[t].torque.y + out[t].torque.y);
      double given =
          -tac_vec3_dot(force, tac_vec3_sub(hands[t].position, was[t])) - torque * (hands[t].angle - angle[t]);
      gave += given;
      moved += fabs(given);
      if (tick >= AGAIN) continue;
      hash = add_bits(hash, sizeof out[t].force, &out[t].force);
      hash = add_bits(hash, sizeof out[t].torque, &out[t].torque);
      hash = add_bits(hash, sizeof out[t].proxy, &out[t].proxy);
    }
    work += gave;
    r->passive = r->passive && work >= -(0.02 * moved + 1e-6);
    if (moved > 1e-4) r->least = fmin(r->least, work / moved);
    double sizes = 0.0;
    on_body(b->world, 0, &sizes);
    r->pressed = fmax(r->pressed, sizes);
    for (int side = 0; side < 2; ++side) {
      const tacWorldBody *body = &b->world->bodies[side];
      double size = 0.0;
      tacVec3 sum = on_body(b->world, side, &size);
      bool touched = out[0].contact.state != TAC_CONTACT_NONE && (int)out[0].contact.body == side;
      if (touched) {
        sum = tac_vec3_sub(sum, out[0].force);
        size += tac_vec3_norm(out[0].force);
      }
      if (b->hand_of[side] >= 0 && tick >= QUIET && tick < OUT) {
        rest[side] = tac_vec3_add(rest[side], tac_vec3_sub(sum, out[b->hand_of[side]].force));
        rest_sizes[side] += size + tac_vec3_norm(out[b->hand_of[side]].force);
        /* What is left of the momentum of a body with a mass, at both ends. */
        const tacCouplingDef *c = &b->world->tools[b->hand_of[side]].held.coupling;
        double mass = cell->coupling == TAC_COUPLING_DYNAMIC ? c->mass : 0.0;
        tacVec3 centre = tac_frame_to_world(&body->frame, tac_vec3_add(grasp, c->centre));
        double sign = tick == QUIET ? 1.0 : tick == OUT - 1 ? -1.0 : 0.0;
        rest[side] = tac_vec3_mad(rest[side], sign * mass / period, tac_frame_velocity(&body->frame, centre));
      }
      if (is_free(cell->kind[side])) {
        tacVec3 change = tac_vec3_scale(body->frame.mass / period, tac_vec3_sub(body->frame.linear, velocity[side]));
        double lacks = tac_vec3_distance(change, sum) / (size + tac_vec3_norm(change) + 1e-2);
        bool apart = tac_world_approach(b->world, 0, side)->clearance > 1e-4;
        if (same_touch(&before[0].contact, &out[0].contact, side)) r->pushed = fmax(r->pushed, lacks);
        if (out[0].contact.state == TAC_CONTACT_NONE && before[0].contact.state == TAC_CONTACT_NONE && apart)
          r->momentum = fmax(r->momentum, lacks);
      }
    }
    tac_world_state(b->world, state);
    if (tick < AGAIN) hash = add_bits(hash, (size_t)numbers * sizeof *state, state);
  }
  for (int side = 0; side < 2; ++side)
    r->unbalanced = fmax(r->unbalanced, tac_vec3_norm(rest[side]) / rest_sizes[side]);
  r->work = work;
  r->moved = moved;
  return hash;
}

/* Two that fly at each other, alone: what their momenta and angular momenta change by, of all that flies. */
static double thrown(const SmallBodies *s, const Cell *cell) {
  Bench b = make_bench(s, cell, false, 0.1);
  tacTickReport report;
  double worst = 0.0, sizes = 0.0;
  tacVec3 linear = tac_vec3(0.0, 0.0, 0.0), angular = linear;
  double speed = 0.0, turn = 0.0;
  for (int tick = 0; tick <= 100; ++tick) {
    tacVec3 p = tac_vec3(0.0, 0.0, 0.0), l = p;
    for (int side = 0; side < 2; ++side) {
      p = tac_vec3_add(p, tac_frame_momentum(&b.world->bodies[side].frame));
      l = tac_vec3_add(l, tac_frame_angular_momentum(&b.world->bodies[side].frame));
      if (tick > 0) continue;
      speed += tac_vec3_norm(tac_frame_momentum(&b.world->bodies[side].frame));
      turn += tac_vec3_norm(tac_frame_angular_momentum(&b.world->bodies[side].frame));
    }
    if (tick == 0) linear = p, angular = l;
    worst = fmax(worst, fmax(tac_vec3_distance(p, linear) / speed, tac_vec3_distance(l, angular) / turn));
    tac_world_step(b.world, NULL, NULL, &report);
    on_body(b.world, 0, &sizes);
  }
  ck_assert_double_gt(sizes, 0.0);
  tac_world_destroy(b.world);
  return worst;
}

static void tell(const Cell *cell, const Result *r) {
  fprintf(stderr,
          "%-16s x %-16s %-9s %-7s %s%s%s%5.3f N, gave %.1e of %.1e J, at least %5.2f; at rest %.0e, pushed %.0e, "
          "momentum %.0e\n",
          kind_names[cell->kind[0]], kind_names[cell->kind[1]], method_names[cell->method],
          is_held(cell->kind[0]) || is_held(cell->kind[1]) ? coupling_names[cell->coupling] : "",
          r->finite ? "" : "NOT FINITE ", r->repeats ? "" : "DIFFERS ", r->passive ? "" : "NOT PASSIVE ", r->pressed,
          r->work, r->moved, r->least, r->unbalanced, r->pushed, r->momentum);
}

static bool is_good(const Result *r) {
  return r->finite && r->repeats && r->passive && r->unbalanced < 0.01 && r->pushed < 1e-3 && r->momentum < 1e-10 &&
         r->pressed > 0.02;
}

static Result measure(const SmallBodies *s, const Cell *cell) {
  Result r, again;
  Bench b = make_bench(s, cell, true, 0.0);
  uint64_t bits = play(&b, cell, TICKS, &r);
  tac_world_reset(b.world);
  r.repeats = play(&b, cell, AGAIN, &again) == bits;
  tac_world_destroy(b.world);
  return r;
}

/* All cells but for what cannot be; of what nobody holds there is no coupling to choose. */
START_TEST(every_kind_meets_every_other) {
  SmallBodies s = make_small_bodies();
  bool tells = getenv("TACTUS_TEST_TELL") != NULL;
  int failed = 0;
  for (int i = 0; i < 4 * KINDS * KINDS; ++i) {
    Cell cell = {
        {(Kind)(i / 4 / KINDS), (Kind)(i / 4 % KINDS)}, (tacContactMethod)(i & 1), (tacCouplingKind)(i >> 1 & 1)};
    const char *why = why_not(cell.kind[0], cell.kind[1]);
    if (tells && why != NULL && i % 4 == 0)
      fprintf(stderr, "%-16s x %-16s cannot be: %s\n", kind_names[cell.kind[0]], kind_names[cell.kind[1]], why);
    if (why != NULL || (tac_test_light() && i % 13 != 0)) continue;
    if (cell.coupling == TAC_COUPLING_DYNAMIC && !is_held(cell.kind[0]) && !is_held(cell.kind[1])) continue;
    Result r = measure(&s, &cell);
    if (tells || !is_good(&r)) tell(&cell, &r);
    failed += !is_good(&r);
  }
  free_small_bodies(&s);
  ck_assert_int_eq(failed, 0);
}
END_TEST

/* Two free ones that fly at each other, alone, keep momentum and angular momentum to rounding. */
START_TEST(free_ones_keep_momentum) {
  static const Kind kinds[2] = {RIGID_FREE, REDUCED_FREE};
  SmallBodies s = make_small_bodies();
  for (int i = 0; i < 8; ++i) {
    Cell cell = {{kinds[i & 1], kinds[i >> 1 & 1]}, (tacContactMethod)(i >> 2), TAC_COUPLING_STATIC};
    double changed = thrown(&s, &cell);
    ck_assert_msg(changed < 1e-12, "%s x %s, %s: %g", kind_names[cell.kind[0]], kind_names[cell.kind[1]],
                  method_names[cell.method], changed);
  }
  free_small_bodies(&s);
}
END_TEST

TAC_TEST_MAIN("matrix", every_kind_meets_every_other, free_ones_keep_momentum)
