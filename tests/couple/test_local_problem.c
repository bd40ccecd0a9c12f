/* What tools feel between two steps of the bodies, with problems made by hand: a held body on planes that give way. */
#include "couple/local_output.h"

#include "math/random.h"
#include "test.h"

#define PERIOD 1e-3 /* s */
#define FADE 0.02
#define K 600.0 /* N/m, of the coupling */

/* ---- a tool and its problem ---- */

typedef struct Bench {
  tacLocalTool tool;
  tacArena arena;
  tacTickReport report;
} Bench;

static Bench make_bench(void) {
  Bench b = {.tool = {.held = {.body = 0,
                               .def = tac_body_tool_def_default(),
                               .coupling = tac_coupling_def_default(),
                               .turn = tac_quat_identity(),
                               .share = 1.0},
                      .frame = {.mode = TAC_FRAME_HELD, .orientation = tac_quat_identity()},
                      .start = tac_quat_identity()}};
  b.tool.held.coupling.stiffness = K;
  b.tool.held.coupling.speed_most = b.tool.held.coupling.turn_most = 1e3; /* none */
  tac_test_ok(tac_arena_create(tac_local_problem_room(), "the test", &b.arena, &error), error);
  return b;
}

static void free_bench(Bench *b) {
  tac_arena_destroy(&b->arena);
}

static void put_tool(Bench *b, tacVec3 at) {
  b->tool.position = b->tool.held.device.position = b->tool.frame.position = at;
}

/* A tick `time` after the problem was taken, with the device there. */
static tacToolOutput tick(Bench *b, tacLocalProblem *problem, tacVec3 device, double time) {
  tacToolOutput out = {.proxy = device};
  b->report = (tacTickReport){0};
  b->tool.position = device;
  if (b->tool.held.body >= 0)
    tac_held_body_take(&b->tool.held, PERIOD, b->tool.start, device, tac_quat_identity(), 0.0);
  tac_local_problem_solve(problem, 1, &b->tool, PERIOD, time, FADE, &b->arena, &b->report);
  tac_local_output_describe(problem, 0, &b->tool, &out, &b->report);
  return out;
}

/* The same until nothing changes any more. */
static tacToolOutput settle(Bench *b, tacLocalProblem *problem, tacVec3 device, double time) {
  tacToolOutput out = tick(b, problem, device, time), last;
  for (int i = 0; i < 300; ++i) last = out, out = tick(b, problem, device, time);
  ck_assert_double_lt(tac_vec3_distance(out.force, last.force), 1e-7);
  ck_assert_int_eq(b->report.unsolved, 0);
  return out;
}

/* The tool's body at `place` (its frame) over the plane z = height of another body. */
static tacLocalContact *add_contact(tacLocalProblem *p, uint64_t key, int other, tacVec3 place, double height,
                                    double friction) {
  tacLocalContact *c = &p->contacts[p->count++];
  *c = (tacLocalContact){.key = key,
                         .body = {0, other},
                         .tool = {0, -1},
                         .place = {place, tac_vec3(place.x, place.y, height)},
                         .axes = {{0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}},
                         .friction = friction};
  return c;
}

/* Every contact gives way by `own` m/N, less across, and with all others by `shared`. */
static void set_compliance(tacLocalProblem *p, double own, double shared) {
  int n = 3 * p->count;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      p->compliance[i * n + j] = i % 3 != j % 3 ? 0.0 : shared + (i != j ? 0.0 : i % 3 == 0 ? own : 0.7 * own);
}

static tacVec3 force_of(const tacLocalContact *c) {
  tacVec3 f = tac_vec3_scale(c->force[0], c->axes[0]);
  return tac_vec3_mad(tac_vec3_mad(f, c->force[1], c->axes[1]), c->force[2], c->axes[2]);
}

/* ---- one contact ---- */

/* Two springs in series: the coupling K and the compliance C, with a force f' at the end of the bodies' step and a plane that goes away
 * at some rate:  f = (depth - rate t + C f') / (1/K + C),  and the body is C (f - f') below the plane. */
TAC_TEST(a_held_body_on_a_plane_is_two_springs_in_series) {
  static const double cases[][4] = {{1e-3, 0.004, 0.0, 0.0}, /* m/N, m, N, m/s */
                                    {2e-2, 0.004, 0.0, 0.0},  {0.0, 0.002, 0.0, 0.0},  {1e-3, 0.004, 1.5, 0.0},
                                    {3e-3, 0.001, 0.5, 0.06}, {1e-3, 0.001, 0.0, 0.06}}; /* which opens */
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    double c = cases[i][0], depth = cases[i][1], from = cases[i][2], rate = cases[i][3], time = 0.5 * FADE;
    TAC_FREED(free_bench, Bench, b) = make_bench();
    tacLocalProblem p = {0};
    tacLocalContact *contact = add_contact(&p, 1, 1, tac_vec3(0.0, 0.0, -0.01), 0.05, 0.0);
    set_compliance(&p, c, 0.0);
    contact->from[0] = from;
    contact->rate[0] = rate;
    put_tool(&b, tac_vec3(0.0, 0.0, 0.06));
    tacToolOutput out = settle(&b, &p, tac_vec3(0.0, 0.0, 0.06 - depth), time);
    double force = fmax(0.0, (depth - rate * time + c * from) / (1.0 / K + c));
    ck_assert_double_eq_tol(out.force.z, force, 1e-8);
    ck_assert_double_eq_tol(contact->force[0], force, 1e-8);
    ck_assert_double_eq_tol(out.proxy.z, 0.06 - depth + force / K, 1e-10);
    ck_assert_double_eq_tol(hypot(out.force.x, out.force.y), 0.0, 1e-12);
    ck_assert_int_eq(contact->state == TAC_CONTACT_NONE, force == 0.0);
    ck_assert_double_eq_tol(out.contact.force.z, -force, 1e-8); /* on the other */
  }
}

/* The limits of speed hold back the way and not the force: far from its device a body goes at the limit and no faster, whatever it
 * presses, and then rests where it would without them. */
TAC_TEST(speed_limits_bound_motion_but_not_force) {
  static const double gives[] = {0.0, 1e-3, 2e-2, 0.5}; /* m/N */
  for (int i = 0; i < 4; ++i) {
    double depth = 0.05, c = gives[i], force = depth / (1.0 / K + c), fastest = 0.0, limit = 1.0 * PERIOD;
    TAC_FREED(free_bench, Bench, b) = make_bench();
    tacLocalProblem p = {0};
    b.tool.held.coupling.speed_most = 1.0;
    add_contact(&p, 1, 1, tac_vec3(0.0, 0.0, 0.0), 0.0, 0.0);
    set_compliance(&p, c, 0.0);
    put_tool(&b, tac_vec3(0.0, 0.0, 0.0105)); /* above, and the device is below at once */
    for (int k = 1; k <= 200; ++k) {
      double before = b.tool.frame.position.z;
      tacToolOutput out = tick(&b, &p, tac_vec3(0.0, 0.0, -depth), FADE);
      double way = before - out.proxy.z;
      ck_assert_double_lt(fabs(way), limit * (1.0 + 1e-6));
      if (k <= 10) ck_assert_double_eq_tol(way, limit, 1e-9);
      fastest = fmax(fastest, way);
      /* The force is that of where it went, not of where it would have gone; the tick in which it touches is of both kinds. */
      if (k > 12) ck_assert_double_eq_tol(out.proxy.z, -c * p.contacts[0].force[0], 1e-7);
    }
    ck_assert_double_eq_tol(fastest, limit, 1e-9);
    tacToolOutput out = settle(&b, &p, tac_vec3(0.0, 0.0, -depth), FADE);
    ck_assert_double_eq_tol(p.contacts[0].force[0], force, 1e-6);
    ck_assert_double_eq_tol(out.force.z, force, 1e-6);
    ck_assert_int_eq(b.report.limited, 0);
  }
}

/* ---- friction ---- */

/* A tool that is dragged along feels mu f_n against its way, whichever way that is and however long. */
TAC_TEST(dragged_tool_slides) {
  const double mu = 0.3, c = 1e-3, depth = 0.003;
  for (int way = 0; way < 3; ++way) {
    TAC_FREED(free_bench, Bench, b) = make_bench();
    tacLocalProblem p = {0};
    b.tool.held.coupling.static_damping = 0.0; /* which is felt where the body moves */
    tacVec3 to = tac_vec3(cos(2.0 * way), sin(2.0 * way), 0.0), at = tac_vec3(0.0, 0.0, -depth);
    tacLocalContact *contact = add_contact(&p, 1, 1, tac_vec3(0.0, 0.0, 0.0), 0.0, mu);
    set_compliance(&p, c, 0.0);
    settle(&b, &p, at, FADE);
    for (int i = 1; i <= 300; ++i) {
      tacToolOutput out = tick(&b, &p, tac_vec3_mad(at, 1e-4 * i, to), FADE);
      if (i < 100) continue;
      ck_assert_int_eq(contact->state, TAC_CONTACT_SLIDES);
      ck_assert_double_eq_tol(out.force.z, depth / (1.0 / K + c), 1e-6);
      ck_assert_double_eq_tol(tac_vec3_dot(out.force, to), -mu * out.force.z, 1e-6);
      ck_assert_double_eq_tol(out.force.x * to.y - out.force.y * to.x, 0.0, 1e-6);
    }
  }
}

/* Inside the cone it is a spring, which is free of force where it began, also where it slid before: there from its new place. */
TAC_TEST(sticking_contact_is_an_elastic_spring) {
  const double c = 1e-3, depth = 0.003, across = 1.0 / K + 0.7 * c;
  TAC_FREED(free_bench, Bench, b) = make_bench();
  tacLocalProblem p = {0};
  b.tool.held.coupling.static_damping = 0.0;
  tacLocalContact *contact = add_contact(&p, 1, 1, tac_vec3(0.0, 0.0, 0.0), 0.0, 0.8);
  set_compliance(&p, c, 0.0);
  tacToolOutput out = settle(&b, &p, tac_vec3(0.0, 0.0, -depth), FADE);
  ck_assert_double_eq_tol(out.force.x, 0.0, 1e-9);
  out = settle(&b, &p, tac_vec3(0.0005, -0.001, -depth), FADE);
  ck_assert_int_eq(contact->state, TAC_CONTACT_STICKS);
  ck_assert_double_eq_tol(out.force.x, -0.0005 / across, 1e-6);
  ck_assert_double_eq_tol(out.force.y, 0.001 / across, 1e-6);
  out = settle(&b, &p, tac_vec3(0.0, 0.0, -depth), FADE);
  ck_assert_double_eq_tol(hypot(out.force.x, out.force.y), 0.0, 1e-6);
  for (int i = 1; i <= 200; ++i) out = tick(&b, &p, tac_vec3(1e-4 * i, 0.0, -depth), FADE); /* it slides 20 mm, */
  double slid = -out.force.x * across;
  out = settle(&b, &p, tac_vec3(0.02 - slid, 0.0, -depth), FADE); /* and comes back by what it was held back */
  ck_assert_int_eq(contact->state, TAC_CONTACT_STICKS);
  ck_assert_double_eq_tol(out.force.x, 0.0, 1e-5);
}

/* ---- a tip ---- */

/* The tip of a point tool on a plane z = 0 that gives way by `give`, spring and all. */
static Bench make_tip(tacLocalProblem *p, double soft, double give) {
  Bench b = make_bench();
  b.tool.held.body = -1;
  *p = (tacLocalProblem){0};
  tacLocalContact *c = add_contact(p, 1, 1, tac_vec3(0.0, 0.0, 0.0), 0.0, 0.5);
  c->tip = true;
  c->soft = (tacDent){soft, soft};
  c->body[0] = -1;
  set_compliance(p, give, 0.0);
  return b;
}

/* A tip that grabs is held in all directions, by -C^-1 times its way; one that does not comes off. */
TAC_TEST(a_grabbed_tip_pulls) {
  const double give = 4e-3, soft = 3e-3;
  for (int grab = 0; grab < 2; ++grab) {
    tacLocalProblem p;
    TAC_FREED(free_bench, Bench, b) = make_tip(&p, soft, give);
    tacToolOutput out = settle(&b, &p, tac_vec3(0.0, 0.0, -0.002), FADE);
    ck_assert_double_eq_tol(out.force.z, 0.002 / give, 1e-6);
    b.tool.grab = grab;
    out = settle(&b, &p, tac_vec3(0.001, 0.0, 0.005), FADE);
    ck_assert_int_eq(p.contacts[0].state, grab ? TAC_CONTACT_GRABBED : TAC_CONTACT_NONE);
    ck_assert_double_eq_tol(out.force.z, grab ? -0.005 / give : 0.0, 1e-6);
    ck_assert_double_eq_tol(out.force.x, grab ? -0.001 / (0.7 * give) : 0.0, 1e-6);
    if (grab) ck_assert_double_eq_tol(out.proxy.z, 0.005 * (1.0 - soft / give), 1e-8); /* where the surface is */
    b.tool.grab = false;
    out = settle(&b, &p, tac_vec3(0.001, 0.0, 0.005), FADE);
    ck_assert_double_eq(tac_vec3_norm(out.force), 0.0);
    /* Lifted it touches nothing, wherever it is. */
    b.tool.lifted = b.tool.parted = b.tool.grab = true;
    out = settle(&b, &p, tac_vec3(0.0, 0.0, -0.005), FADE);
    ck_assert_double_eq(tac_vec3_norm(out.force), 0.0);
  }
}

/* What leaves stands still, and a hand may follow what it touched: the contact bears no more than before. */
TAC_TEST(leaving_tip_contact_bears_no_more_force) {
  const double soft = 3e-3, give = 4e-3;
  tacLocalProblem from, to = {0};
  TAC_FREED(free_bench, Bench, b) = make_tip(&from, soft, give);
  double last = settle(&b, &from, tac_vec3(0.0, 0.0, -0.002), FADE).force.z;
  ck_assert_double_eq_tol(last, 0.002 / give, 1e-6);
  tac_local_problem_follow(&to, &from, &b.tool, FADE);
  ck_assert_int_eq(to.count, 1);
  for (int i = 0; i * PERIOD < FADE; ++i) {
    double force = tick(&b, &to, tac_vec3(0.0, 0.0, -0.002 - 0.001 * i), i * PERIOD).force.z;
    ck_assert_double_le(force, last + 1e-9);
    last = force;
  }
}

/* ---- energy ---- */

static double coupling_energy(const Bench *b) {
  return 0.5 * K * tac_vec3_norm2(tac_vec3_sub(b->tool.frame.position, b->tool.held.device.position));
}

/* A free body is predicted to move against the tool by 20 mm in a step, with 2 kN/m behind it, as the springs of a floor that it has left. It
 * loads the coupling with what it has and no more: 0, 1 and 5 mJ. Without that bound the hand gets 88 mJ from nothing. */
TAC_TEST(free_bodies_give_no_more_energy_than_they_have) {
  static const double has[] = {0.0, 1e-3, 5e-3};
  for (int i = 0; i < 3; ++i) {
    TAC_FREED(free_bench, Bench, b) = make_bench();
    tacLocalProblem p = {.ticks = 20, .energy = has[i]};
    tacLocalContact *c = add_contact(&p, 1, 1, tac_vec3(0.0, 0.0, 0.0), 0.0, 0.0);
    c->carries = c->pays = c->lends = true;
    c->carried.way[0] = 1e-3;
    p.built = 1;
    p.now[0] = p.now[4] = p.now[8] = 1.0 / 2000.0;
    set_compliance(&p, 1.0 / 2000.0 / p.ticks, 0.0);
    put_tool(&b, tac_vec3(0.0, 0.0, 0.0));
    double most = 0.0;
    for (int k = 0; k < p.ticks; ++k) {
      tick(&b, &p, tac_vec3(0.0, 0.0, 0.0), k * PERIOD);
      most = fmax(most, coupling_energy(&b));
    }
    ck_assert_double_le(most, has[i] + 1e-9);
    ck_assert_double_ge(most, 0.5 * has[i]);
  }
}

/* A load that fades pushes a free tool away from the hand, by no more energy than a full tank holds, 5 mJ, less what earlier loads gave. Without that
 * bound a load of 20 N stores 333 mJ in the coupling. */
TAC_TEST(fading_load_gives_no_more_energy_than_a_tank) {
  for (int i = 0; i < 2; ++i) {
    TAC_FREED(free_bench, Bench, b) = make_bench();
    tacLocalProblem p = {.ticks = 20, .missing = {{0.0, 0.0, 20.0}}};
    b.tool.held.coupling.static_damping = 0.0;
    b.tool.faded = i == 0 ? 0.0 : TAC_LOCAL_MOST_TANK;
    put_tool(&b, tac_vec3(0.0, 0.0, 0.0));
    double left = TAC_LOCAL_MOST_TANK - b.tool.faded, most = 0.0;
    for (int k = 0; k < p.ticks; ++k) {
      tick(&b, &p, tac_vec3(0.0, 0.0, 0.0), k * PERIOD);
      most = fmax(most, coupling_energy(&b));
    }
    ck_assert_double_le(most, left + TAC_LOCAL_INFLOW * FADE);
    if (i == 0) ck_assert_double_gt(most, 1e-6);
  }
}

/* ---- one after the other ---- */

static const tacVec3 corners[4] = {
    {-0.02, -0.02, -0.01}, {0.02, -0.02, -0.01}, {0.02, 0.02, -0.01}, {-0.02, 0.02, -0.01}};

/* A plate of four corners on planes of its own, of which `heights` says how high they are. */
static void make_plate(tacLocalProblem *p, double friction, const double heights[4], double from) {
  *p = (tacLocalProblem){0};
  for (int i = 0; i < 4; ++i) {
    tacLocalContact *c = add_contact(p, (uint64_t)i + 1, 1, corners[i], heights[i], friction);
    c->from[0] = from * (1.0 + 0.2 * i);
    c->from[1] = -0.1 * from * friction;
  }
}

static const double level[4] = {0.0, 2e-4, -1e-4, 1e-4}, moved[4] = {1e-3, -4e-4, 5e-4, -1e-3};
static const tacVec3 high = {0.0, 0.0, 0.007}, aside = {3e-4, -2e-4, 0.006};

/* Two equal problems of the plate, which the tool holds above its planes. Friction of 2 makes all contacts stick, so that there is
 * one solution. */
static void make_plates(Bench *b, double friction, tacLocalProblem *from, tacLocalProblem *to) {
  make_plate(from, friction, level, 0.4);
  set_compliance(from, 1e-3, 2e-4);
  *to = *from;
  put_tool(b, high);
}

/* Turns the axes across a contact's normal, which nothing depends on. */
static void turn_axes(tacLocalContact *c, double angle) {
  tacVec3 x = c->axes[1], y = c->axes[2];
  double a = c->from[1], b = c->from[2];
  c->axes[1] = tac_vec3_mad(tac_vec3_scale(cos(angle), x), sin(angle), y);
  c->axes[2] = tac_vec3_mad(tac_vec3_scale(cos(angle), y), -sin(angle), x);
  c->from[1] = cos(angle) * a + sin(angle) * b;
  c->from[2] = cos(angle) * b - sin(angle) * a;
}

/* `to` takes over from `from`, which has settled; the hand holds still. Checks that it feels no jump beyond `share` of the force and
 * `jump` newtons; that it then feels no larger step than an even change would have; and that in the end it feels what `to` alone gives: every contact within `near` newtons. */
static void take_over(Bench *b, tacLocalProblem *from, tacLocalProblem *to, double share, double jump, double near) {
  TAC_FREED(free_bench, Bench, other) = make_bench();
  tacLocalProblem alone = *to;
  tacToolOutput before = settle(b, from, aside, FADE), out = before, last;
  double largest = 0.0;
  other.tool = b->tool;
  ck_assert_double_gt(tac_vec3_norm(before.force), 0.5);
  tac_local_problem_follow(to, from, &b->tool, FADE);
  for (int i = 0; i * PERIOD < FADE + 0.5 * PERIOD; ++i) {
    last = out;
    out = tick(b, to, aside, i * PERIOD);
    double step = tac_vec3_distance(out.force, last.force);
    if (i == 0) ck_assert_double_lt(step, jump + share * tac_vec3_norm(before.force));
    if (i == 0) ck_assert_double_lt(tac_vec3_distance(out.torque, last.torque), 0.02 * jump + share * 0.05);
    largest = fmax(largest, step);
  }
  out = settle(b, to, aside, 2.0 * FADE);
  tacToolOutput wanted = settle(&other, &alone, aside, 2.0 * FADE);
  ck_assert_double_lt(tac_vec3_distance(out.force, wanted.force), near);
  ck_assert_double_lt(tac_vec3_distance(out.torque, wanted.torque), 0.03 * near); /* m */
  ck_assert_double_lt(tac_vec3_distance(out.proxy, wanted.proxy), near / K);
  for (int i = 0; i < alone.count; ++i)
    ck_assert_double_lt(tac_vec3_distance(force_of(&to->contacts[i]), force_of(&alone.contacts[i])), near);
  for (int i = alone.count; i < to->count; ++i) {
    ck_assert(to->contacts[i].leaves);
    ck_assert_int_eq(to->contacts[i].state, TAC_CONTACT_NONE);
  }
  double whole = tac_vec3_norm(before.force) + tac_vec3_norm(wanted.force);
  ck_assert_double_lt(largest, 4.0 * whole * PERIOD / FADE);
}

TAC_TEST(identical_problem_is_taken_without_a_jump) {
  for (int i = 0; i < 2; ++i) {
    TAC_FREED(free_bench, Bench, b) = make_bench();
    tacLocalProblem from, to;
    make_plates(&b, 2.0 * i, &from, &to);
    take_over(&b, &from, &to, 0.0, 1e-6, 1e-4);
  }
}

/* Planes that moved, another compliance, other forces at the end of the step, axes that lie otherwise. */
TAC_TEST(moved_problem_is_taken_without_a_jump) {
  for (int i = 0; i < 4; ++i) {
    TAC_FREED(free_bench, Bench, b) = make_bench();
    tacLocalProblem from, to;
    make_plates(&b, i % 2 * 2.0, &from, &to);
    make_plate(&to, i % 2 * 2.0, moved, i < 2 ? 0.4 : 0.7);
    set_compliance(&to, i < 2 ? 2e-3 : 5e-4, 5e-4);
    for (int k = 0; k < to.count; ++k) turn_axes(&to.contacts[k], 0.7 * k);
    take_over(&b, &from, &to, 0.0, 1e-6, 1e-4);
  }
}

/* Contacts that stand for many points go on where others of those are: neither force nor torque jump. */
TAC_TEST(contacts_continue_elsewhere_without_a_jump) {
  for (int i = 0; i < 4; ++i) {
    TAC_FREED(free_bench, Bench, b) = make_bench();
    tacLocalProblem from, to;
    make_plates(&b, i % 2 * 2.0, &from, &to);
    for (int k = 0; k < to.count; ++k) {
      tacLocalContact *c = &to.contacts[k];
      if (i >= 2) c->key += 10; /* and others stand for them */
      const tacVec3 shift = tac_vec3(0.004 + 0.002 * k, -0.003 * k, 0.0);
      for (int s = 0; s < 2; ++s) c->place[s] = tac_vec3_add(c->place[s], shift);
    }
    take_over(&b, &from, &to, 0.0, 1e-6, 1e-4);
  }
}

/* One of them is no more, and one with another body is new; with bodies that give way and with such that do not. (With friction it
 * would stick where it came, which is not where one that was always there does.) */
TAC_TEST(contacts_come_and_leave_without_a_jump) {
  for (int i = 0; i < 2; ++i) {
    TAC_FREED(free_bench, Bench, b) = make_bench();
    tacLocalProblem from, to;
    make_plates(&b, 0.0, &from, &to);
    if (i == 1) {
      make_plate(&from, 0.0, level, 0.0);
      from.count = 3; /* that many a body stands on */
      set_compliance(&from, 0.0, 0.0);
      to = from;
    }
    to.contacts[0].body[1] = 2;
    to.contacts[0].key = 77;
    to.contacts[0].place[0].y = to.contacts[0].place[1].y = -0.015;
    take_over(&b, &from, &to, 0.02, 0.0, 1e-4);
  }
}

/* A tool that presses what is no more, as where it was pushed over an edge: its force goes to zero while the fade lasts, without a jump,
 * however little the contact gave way, at its grasp and beside it. */
TAC_TEST(force_of_a_vanished_contact_fades) {
  static const double gives[] = {0.0, 1e-5, 1e-3, 2e-2};
  for (int i = 0; i < 12; ++i) {
    TAC_FREED(free_bench, Bench, b) = make_bench();
    tacLocalProblem from = {0}, to = {0};
    b.tool.held.coupling.static_damping = 0.25 * (i % 3);
    add_contact(&from, 1, 1, tac_vec3(i % 3 == 1 ? 0.05 : 0.0, 0.0, 0.0), 0.0, 0.5);
    set_compliance(&from, gives[i / 3], 0.0);
    tacVec3 at = tac_vec3(0.0, 0.0, -0.003);
    double first = settle(&b, &from, at, FADE).force.z, last = first;
    ck_assert_double_gt(first, 0.05);
    tac_local_problem_follow(&to, &from, &b.tool, FADE);
    for (int k = 0; k * PERIOD < FADE + 0.5 * PERIOD; ++k) {
      double force = tick(&b, &to, at, k * PERIOD).force.z;
      ck_assert_double_le(force, last + 1e-6);
      ck_assert_double_lt(last - force, 0.25 * first);
      if (k == 0) ck_assert_double_eq_tol(force, first, 1e-6);
      last = force;
    }
    ck_assert_int_eq(to.contacts[0].state, TAC_CONTACT_NONE);
    ck_assert_double_lt(settle(&b, &to, at, 2.0 * FADE).force.z, 1e-6);
  }
}

/* C with those that leave: all of the new one stays, each of them has its own block of the old one, nothing between. */
TAC_TEST(leaving_contacts_keep_their_compliance) {
  tacLocalProblem from = {0}, to = {0}, before;
  TAC_FREED(free_bench, Bench, b) = make_bench();
  tacRandom random = tac_random_seed(5);
  for (int i = 0; i < 5; ++i) add_contact(&from, (uint64_t)i + 1, 1, corners[i % 4], 0.0, 0.5);
  for (int i = 0; i < 4; ++i) add_contact(&to, (uint64_t)i + 11, i % 2 == 0 ? 1 : 2, corners[i], 0.0, 0.5);
  to.contacts[0].key = 3;
  to.contacts[2].key = 4;
  for (int i = 0; i < 15; ++i)
    for (int j = 0; j <= i; ++j) from.compliance[15 * i + j] = from.compliance[15 * j + i] = tac_random_normal(&random);
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j <= i; ++j) to.compliance[12 * i + j] = to.compliance[12 * j + i] = tac_random_normal(&random);
  for (int i = 0; i < 4; ++i) { /* the last does not act */
    from.contacts[i].state = TAC_CONTACT_STICKS;
    from.contacts[i].force[0] = 1.0 + i;
  }
  before = to;
  tac_local_problem_follow(&to, &from, &b.tool, FADE);
  ck_assert_int_eq(to.count, 6); /* of the old ones, the first two are none of the new */
  for (int i = 0; i < 18; ++i)
    for (int j = 0; j < 18; ++j) {
      double wanted = 0.0;
      if (i < 12 && j < 12) wanted = before.compliance[12 * i + j];
      if (i >= 12 && i / 3 == j / 3) wanted = from.compliance[15 * (i - 12) + j - 12];
      ck_assert_double_eq(to.compliance[18 * i + j], wanted);
    }
  for (int i = 0; i < 6; ++i) ck_assert_int_eq(to.contacts[i].leaves, i >= 4);
  ck_assert_int_eq((int)to.contacts[4].key, 1);
  ck_assert_int_eq((int)to.contacts[5].key, 2);
}

/* No more leave than there is room for. */
TAC_TEST(leaving_contacts_beyond_capacity_end_at_once) {
  tacLocalProblem from = {0}, to = {0};
  TAC_FREED(free_bench, Bench, b) = make_bench();
  for (int i = 0; i < TAC_LOCAL_BUILT; ++i) {
    tacVec3 place = tac_vec3(0.002 * i - 0.023, 0.01 * (i % 2), 0.0);
    add_contact(&from, (uint64_t)i + 1, 1, place, 0.0, 0.5);
    add_contact(&to, (uint64_t)i + 101, 2, place, 0.0, 0.5);
  }
  set_compliance(&from, 1e-2, 0.0);
  set_compliance(&to, 1e-2, 0.0);
  settle(&b, &from, tac_vec3(0.0, 0.0, -0.003), FADE);
  tac_local_problem_follow(&to, &from, &b.tool, FADE);
  ck_assert_int_eq(to.count, TAC_LOCAL_MOST);
  for (int i = 0; i <= 20; ++i) tick(&b, &to, tac_vec3(0.0, 0.0, -0.003), i * PERIOD);
}
