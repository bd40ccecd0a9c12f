/* Kind x kind x method x tool: every kind of body against every other, by both methods, pressed and rubbed by
 * simulated hands. Of every cell: outputs are finite; what one body gets of a contact the other gives; the world
 * gives the hands no energy, before any limit or controller acts; the same inputs give the same bits.
 * TACTUS_TEST_PRINT prints the matrix. */
#include "physics/cells.h"
#include "servo/energy_account.h"
#include "world/islands/meeting.h"
#include "world/pairs/pair.h"
#include "world/world_parts.h"

static const char *const method_names[2] = {"penalty", "signorini"};
static const char *const coupling_names[2] = {"static", "dynamic"};

/* ---- what is measured ---- */

typedef struct Result {
  bool finite, passive, repeats;
  double work, moved; /* J: what hands gave in all, and all that was exchanged */
  double least;       /* of what they had given over what was exchanged, at any time */
  double pressed;     /* N: most of contacts */
  double unbalanced;  /* of held bodies at rest: mean of all forces over that of their sizes */
  double pushed;      /* of free bodies that a tool pushes: likewise, with its force */
  double impulse;     /* likewise of free corotational ones, over all ticks */
  double momentum;    /* of free bodies: N, between what it changed by and what acted, over their sizes */
} Result;

static void put_node(double *to, tacVec3 x) {
  to[0] = x.x;
  to[1] = x.y;
  to[2] = x.z;
}

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
static uint64_t play(const SmallBodies *s, const Bench *b, const Cell *cell, int ticks, Result *r) {
  Hand hands[MOST_HANDS];
  tacToolInput in[MOST_HANDS];
  tacToolOutput out[MOST_HANDS] = {0}, before[MOST_HANDS];
  static double state[1024], nodes[2][1024];
  Momentum carried[2];
  double work = 0.0, moved = 0.0, rest_sizes[2] = {1e-3, 1e-3};
  tacVec3 rest[2] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  /* A tool feels in the next tick what other contacts move of a compliance: together, ticks lack no more than one. */
  tacVec3 lacked = {0.0, 0.0, 0.0};
  double lacked_sizes = 0.0;
  uint64_t hash = 14695981039346656037u;
  tacEnergyAccount account = tac_energy_account_begin(1e-3);
  int numbers = tac_world_state_size(b->world);
  ck_assert_int_le(numbers, 1024);
  make_hands(b, cell, hands);
  for (int side = 0; side < 2; ++side) {
    for (int i = 0; i < s->tets->vertex_count; ++i) put_node(nodes[side] + 3 * i, s->tets->vertices[i]);
    carried[side] = momentum_of(s, b, cell, side, nodes[side]);
  }
  *r = (Result){.finite = true, .passive = true, .least = 1.0};
  for (int tick = 0; tick < ticks; ++tick) {
    tacVec3 was[MOST_HANDS];
    double angle[MOST_HANDS];
    for (int t = 0; t < b->tools; ++t) {
      was[t] = hands[t].position;
      angle[t] = hands[t].angle;
      before[t] = out[t];
      move_hand(&hands[t], tick, out[t].force);
      in[t] = input_of(&hands[t]);
    }
    tacTickReport report = step_world(b->world, in, out);
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
    double felt = 0.0; /* of all hands, as one port */
    for (int t = 0; t < b->tools; ++t) felt += tac_vec3_norm(out[t].force);
    tac_energy_account_add(&account, gave, felt, felt > 0.0);
    r->passive = r->passive && work >= -(0.02 * moved + 1e-6);
    /* Nor in any one contact, where none begins with energy in store, as with what was pushed and comes back. */
    const tacEnergyReading *worst = &account.episode;
    if (!is_free(cell->kind[0]) && !is_free(cell->kind[1]))
      r->passive = r->passive && worst->generated <= 0.02 * worst->work + 1e-6;
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
        Momentum now = momentum_of(s, b, cell, side, nodes[side]);
        tacVec3 change = tac_vec3_scale(1.0 / period, tac_vec3_sub(now.linear, carried[side].linear));
        carried[side] = now;
        double lacks = tac_vec3_distance(change, sum) / (size + tac_vec3_norm(change) + 1e-2);
        bool apart = tac_world_approach(b->world, 0, side)->clearance > 1e-4;
        bool same = same_touch(&before[0].contact, &out[0].contact, side);
        if (same && !is_corotational(cell->kind[side])) r->pushed = fmax(r->pushed, lacks);
        if (same && is_corotational(cell->kind[side])) {
          lacked = tac_vec3_add(lacked, tac_vec3_sub(change, sum));
          lacked_sizes += size + tac_vec3_norm(change);
        }
        if (out[0].contact.state == TAC_CONTACT_NONE && before[0].contact.state == TAC_CONTACT_NONE && apart)
          r->momentum = fmax(r->momentum, lacks);
      }
    }
    tac_world_state(b->world, state);
    if (tick < AGAIN) hash = add_bits(hash, (size_t)numbers * sizeof *state, state);
  }
  r->impulse = tac_vec3_norm(lacked) / (lacked_sizes + 1e-2);
  for (int side = 0; side < 2; ++side)
    r->unbalanced = fmax(r->unbalanced, tac_vec3_norm(rest[side]) / rest_sizes[side]);
  r->work = work;
  r->moved = moved;
  return hash;
}

/* N m s of a step: a hyperelastic body takes the force of a contact where its surface is, the other where the first of the two is; these
 * places are as far apart as the contact's gap. */
static tacVec3 couples(const Bench *b, const Cell *cell) {
  tacVec3 sum = tac_vec3(0.0, 0.0, 0.0);
  for (int i = 0; i < b->world->contacts.count; ++i) {
    const tacSetContact *c = &b->world->contacts.list[i];
    if (is_hyperelastic(cell->kind[c->body[1]]))
      sum = tac_vec3_mad(sum, period * c->gap, tac_vec3_cross(c->axes[0], c->force));
  }
  return sum;
}

/* Two that fly at each other, alone: what their momenta and angular momenta change by, of all that flies. What frames have of kinetic
 * energy never grows. */
static void thrown(const SmallBodies *s, const Cell *cell, double worst[2]) {
  TAC_FREED(end_bench, Bench, b) = make_bench(s, cell, false, 0.1, 1);
  double sizes = 0.0;
  worst[0] = worst[1] = 0.0;
  static double nodes[2][1024];
  tacVec3 linear = tac_vec3(0.0, 0.0, 0.0), angular = linear;
  double speed = 0.0, turn = 0.0, first = 0.0;
  for (int side = 0; side < 2; ++side)
    for (int i = 0; i < s->tets->vertex_count; ++i) put_node(nodes[side] + 3 * i, s->tets->vertices[i]);
  step_world(b.world, NULL, NULL); /* they do not meet yet */
  for (int tick = 0; tick <= 100; ++tick) {
    tacVec3 p = tac_vec3(0.0, 0.0, 0.0), l = p;
    double energy = 0.0;
    for (int side = 0; side < 2; ++side) {
      Momentum now = momentum_of(s, &b, cell, side, nodes[side]);
      if (!is_hyperelastic(cell->kind[side])) energy += tac_frame_energy(&b.world->bodies[side].frame);
      p = tac_vec3_add(p, now.linear);
      l = tac_vec3_add(l, now.angular);
      if (tick > 0) continue;
      speed += tac_vec3_norm(now.linear);
      turn += tac_vec3_norm(now.angular);
    }
    if (tick == 0) linear = p, angular = l, first = energy;
    ck_assert_double_le(energy, first * (1.0 + 1e-9));
    worst[0] = fmax(worst[0], tac_vec3_distance(p, linear) / speed);
    worst[1] = fmax(worst[1], tac_vec3_distance(l, angular) / turn);
    step_world(b.world, NULL, NULL);
    angular = tac_vec3_add(angular, couples(&b, cell));
    on_body(b.world, 0, &sizes);
  }
  ck_assert_double_gt(sizes, 0.0);
}

static void print_result(const Cell *cell, const Result *r) {
  fprintf(stderr,
          "%-18s x %-18s %-9s %-7s %-6s %s%s%s%5.3f N, gave %.1e of %.1e J, at least %5.2f; at rest %.0e, pushed %.0e "
          "(%.0e), momentum %.0e\n",
          kind_names[cell->kind[0]], kind_names[cell->kind[1]], method_names[cell->method],
          is_held(cell->kind[0]) || is_held(cell->kind[1]) ? coupling_names[cell->coupling] : "",
          cell->radius > 0.0 ? "finger" : "point", r->finite ? "" : "NOT FINITE ", r->repeats ? "" : "DIFFERS ",
          r->passive ? "" : "NOT PASSIVE ", r->pressed, r->work, r->moved, r->least, r->unbalanced, r->pushed,
          r->impulse, r->momentum);
}

static bool is_good(const Result *r) {
  return r->finite && r->repeats && r->passive && r->unbalanced < 0.01 && r->pushed < 1e-3 && r->impulse < 0.01 &&
         r->momentum < 1e-10 && r->pressed > 0.02;
}

static Result measure(const SmallBodies *s, const Cell *cell) {
  Result r, again;
  TAC_FREED(end_bench, Bench, b) = make_bench(s, cell, true, 0.0, 1);
  uint64_t bits = play(s, &b, cell, TICKS, &r);
  tac_world_reset(b.world);
  r.repeats = play(s, &b, cell, AGAIN, &again) == bits;
  return r;
}

/* Of cells that are chosen two in three are pressed with a fingertip of 6 mm, the others at a point. */
static double chosen_radius(const Cell *cell) {
  return ((int)cell->kind[0] + 2 * (int)cell->kind[1]) % 3 != 0 ? 0.006 : 0.0;
}

/* Each kind meets itself and one in five of the others, each pair with one method, one coupling and one order, in turn: every kind by both
 * methods, and every two families of kinds. TACTUS_TEST_ALL plays all. */
static bool is_chosen(const Cell *cell) {
  if (tac_test_all()) return true;
  int turn = (int)cell->kind[0] + (int)cell->kind[1];
  if (cell->kind[0] != cell->kind[1] && (turn + (int)fmax(cell->kind[0], cell->kind[1])) % 5 != 0) return false;
  bool held = is_held(cell->kind[0]) || is_held(cell->kind[1]);
  if (cell->kind[0] != cell->kind[1] && (cell->kind[0] < cell->kind[1]) != (turn / 4 % 2 == 0)) return false;
  return (int)cell->method == turn % 2 && (!held || (int)cell->coupling == turn / 2 % 2);
}

/* All cells but for what cannot be; of what nobody holds there is no coupling to choose. All of them are pressed at a point, and with a fingertip. */
TAC_TEST(every_kind_touches_every_other) {
  SmallBodies s = make_all_small_bodies();
  bool prints = getenv("TACTUS_TEST_TELL") != NULL;
  int failed = 0;
  for (int i = 0; i < 4 * KINDS * KINDS; ++i) {
    Cell cell = {
        {(Kind)(i / 4 / KINDS), (Kind)(i / 4 % KINDS)}, (tacContactMethod)(i & 1), (tacCouplingKind)(i >> 1 & 1), 0.0};
    if (is_impossible(&cell) || (tac_test_light() && i % 37 != 0) || !is_chosen(&cell)) continue;
    if (cell.coupling == TAC_COUPLING_DYNAMIC && !is_held(cell.kind[0]) && !is_held(cell.kind[1])) continue;
    for (int tip = 0; tip < (tac_test_all() ? 2 : 1); ++tip) {
      cell.radius = tac_test_all() ? 0.006 * tip : chosen_radius(&cell);
      Result r = measure(&s, &cell);
      if (prints || !is_good(&r)) print_result(&cell, &r);
      failed += !is_good(&r);
    }
  }
  ck_assert_int_eq(failed, 0);
}

/* A hand that is far inside, so far that it would be faster than it may if nothing resisted, presses as hard as it feels. */
TAC_TEST(deep_held_bodies_press_with_the_force_on_the_hand) {
  SmallBodies s = make_small_bodies();
  for (int i = 0; i < 4; ++i) {
    Cell cell = {{RIGID_HELD, RIGID_RESTS}, (tacContactMethod)(i & 1), (tacCouplingKind)(i >> 1), 0.0};
    TAC_FREED(end_bench, Bench, b) = make_bench(&s, &cell, true, 0.0, 1);
    Hand hands[MOST_HANDS];
    tacToolOutput out[MOST_HANDS] = {0};
    make_hands(&b, &cell, hands);
    int hand = b.hand_of[0];
    for (int tick = 0; tick < 400; ++tick) { /* 10 mm deep in the end */
      tacToolInput in[MOST_HANDS] = {{.lifted = true, .orientation = {1.0}}, {.orientation = {1.0}}};
      in[hand].position = tac_vec3_mad(hands[hand].start, fmin(1.0, tick / 100.0), tac_vec3(-0.012, 0.0, 0.0));
      step_world(b.world, in, out);
    }
    double sizes = 0.0;
    tacVec3 pressed = on_body(b.world, 0, &sizes), felt = out[hand].force;
    ck_assert_double_gt(tac_vec3_norm(felt), 3.0);
    ck_assert_msg(tac_vec3_distance(pressed, felt) < 0.01 * tac_vec3_norm(felt), "%s, %s: %g of %g N",
                  method_names[cell.method], coupling_names[cell.coupling], pressed.x, felt.x);
  }
}

/* Two free ones that fly at each other, alone, keep momentum and angular momentum to rounding. */
TAC_TEST(free_ones_keep_momentum) {
  enum { COUNT = 5 };
  static const Kind kinds[COUNT] = {RIGID_FREE, REDUCED_FREE, COROTATIONAL_FREE, HYPERELASTIC_FREE, VADEMECUM_FREE};
  if (tac_test_light()) return; /* the same code as in the other cases */
  SmallBodies s = make_all_small_bodies();
  for (int i = 0; i < 2 * COUNT * COUNT; ++i) {
    Cell cell = {
        {kinds[i % COUNT], kinds[i / COUNT % COUNT]}, (tacContactMethod)(i / COUNT / COUNT), TAC_COUPLING_STATIC, 0.0};
    double changed[2];
    thrown(&s, &cell, changed);
    tac_test_print("%s x %s, %s: momentum %.1e, angular momentum %.1e\n", kind_names[cell.kind[0]],
                   kind_names[cell.kind[1]], method_names[cell.method], changed[0], changed[1]);
    /* Where a contact of surfaces is, on one body and a gap away on the other, is known to what a search rounds. */
    double found = is_hyperelastic(cell.kind[0]) || is_hyperelastic(cell.kind[1]) ? 1e-9 : 1e-12;
    ck_assert_msg(changed[0] < 1e-12 && changed[1] < found, "%s x %s, %s: %g, %g", kind_names[cell.kind[0]],
                  kind_names[cell.kind[1]], method_names[cell.method], changed[0], changed[1]);
  }
}

/* A triangle of a soft cube is pressed over, so that it looks out of the cube no more, and half a millimetre into a box: that deep it is, not the
 * whole way through the box, 40 mm. */
TAC_TEST(folded_faces_leave_at_the_nearest_place) {
  static tacSetContact contacts[TAC_MEETING_MOST];
  const Cell cell = {{GREEN_RESTS, RIGID_HELD}, TAC_METHOD_SIGNORINI, TAC_COUPLING_STATIC, 0.0};
  const double depth = 0.5e-3;
  SmallBodies s = make_small_bodies();
  TAC_FREED(end_bench, Bench, b) = make_bench(&s, &cell, true, 0.0, 1);
  tacWorldBody *body = &b.world->bodies[0];
  const tacTriMesh *mesh = body->surface->mesh;
  int folded = 0;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *v = mesh->triangles[t].v;
    tacVec3 x[3], middle = tac_vec3(0.0, 0.0, 0.0);
    for (int i = 0; i < 3; ++i) x[i] = mesh->vertices[v[i]], middle = tac_vec3_mad(middle, 1.0 / 3.0, x[i]);
    if (!(fmin(x[0].x, fmin(x[1].x, x[2].x)) > 0.999 * EDGE) || fabs(middle.y - 0.5 * EDGE) > 0.25 * EDGE) continue;
    memset(body->displaced.by, 0, (size_t)mesh->vertex_count * sizeof *body->displaced.by);
    tacVec3 over =
        tac_vec3_sub(tac_vec3_add(x[1], x[2]), tac_vec3_scale(2.0, x[0])); /* to the other side of its edge */
    for (int i = 0; i < 3; ++i)
      body->displaced.by[v[i]] =
          tac_vec3_add(tac_vec3(gap_of(&cell) + depth, 0.0, 0.0), i == 0 ? over : tac_vec3(0, 0, 0));
    body->displaced.most = tac_vec3_norm(over) + gap_of(&cell) + depth;
    int count = tac_meeting_look(b.world, &b.world->contact_pairs[0], contacts);
    for (int i = 0; i < count; ++i) ck_assert_double_ge(contacts[i].gap, -1.01 * depth);
    folded += count > 0;
  }
  ck_assert_int_gt(folded, 0);
}
