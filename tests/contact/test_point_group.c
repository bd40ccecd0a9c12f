#include "contact/point_group.h"

#include <stdio.h>
#include <stdlib.h>
#include "contact/green_ball.h"
#include "math/random.h"

enum { MOST_HANDS = 4 };

static bool compliance(void *context, int i, tacSurfacePoint at, int j, tacSurfacePoint by, tacMat3 *w) {
  const GreenBall *f = context;
  tacSite here = tac_site_on_surface(at), there = tac_site_on_surface(by);
  (void)i;
  (void)j;
  return f->touched.body.table->compliance(f->touched.body.self, &here, &there, w->m);
}

/* All hands where they touch, at rest, and about to press. */
static void begin(const GreenBall *f, tacPointGroup *g, double apart, tacVec3 *velocity) {
  g->lost = 0.0;
  for (int i = 0; i < g->count; ++i) {
    tacVec3 direction = tac_vec3_unit(tac_vec3(0.3 + apart * i, 0.2 - apart * (i % 2), 1.0));
    tacPointContact *c = &g->members[i].now;
    *c = (tacPointContact){.state = TAC_CONTACT_STICKS};
    tac_proximity_distance(&f->proximity, tac_vec3_scale(0.05, direction), &c->at);
    g->members[i].y = tac_surface_walk_position(f->touched.surface, c->at);
    velocity[i] = tac_vec3_scale(-2e-4, tac_surface_walk_normal(f->touched.surface, c->at));
  }
}

/* Hands that wander at random, deep in the body, over few large triangles whose stiffness differs. What they gave by the trapezium rule
 * is what the body holds and what sliding took, and sliding takes; a force changes by no more than it may, or than it would
 * if all stuck. Where contacts end, all begin anew. */
static void wander(GreenBall *f, int count, double friction, double apart, uint64_t seed, int *slid, int *held) {
  tacRandom random = tac_random_seed(seed);
  tacPointGroup g = {.touched = f->touched,
                     .friction = friction,
                     .change = 0.1,
                     .compliance = compliance,
                     .context = f,
                     .count = count};
  tacVec3 velocity[MOST_HANDS];
  double given = 0.0, slack = 0.0; /* slack: J, of one contact that is pulled off its place and slides on */
  begin(f, &g, apart, velocity);
  for (int step = 0; step < (tac_test_light() ? 500 : 3000); ++step) {
    for (int i = 0; i < count; ++i) {
      tacPointMember *m = &g.members[i];
      tacVec3 x = tac_surface_walk_position(f->touched.surface, m->now.at);
      velocity[i] = tac_vec3_mad(tac_vec3_scale(0.98, velocity[i]), 1e-4, tac_random_normal3(&random));
      velocity[i] = tac_vec3_mad(velocity[i], 0.001, tac_vec3_sub(x, m->y)); /* stays near */
      m->start = m->now;
      m->y = tac_vec3_add(m->y, velocity[i]);
      m->motion = tac_vec3_norm(velocity[i]);
      m->grabbed = step / 100 % 4 == i;
    }
    tacPointGroup stuck = g;
    for (int i = 0; i < count; ++i) stuck.members[i].grabbed = true;
    int budget = 10000;
    tac_point_group_settle(&stuck, &budget);
    tac_point_group_settle(&g, &budget);
    ck_assert_int_gt(budget, 0);
    double stored = 0.0, size = 0.0;
    bool ended = false;
    for (int i = 0; i < count; ++i) {
      const tacPointMember *m = &g.members[i];
      ended = ended || m->now.state == TAC_CONTACT_NONE;
      given += 0.5 * tac_vec3_dot(tac_vec3_add(m->start.force, m->now.force), velocity[i]);
      stored += 0.5 * tac_vec3_dot(m->now.force, m->now.stretch);
      if (m->left.state != TAC_CONTACT_NONE) stored += 0.5 * tac_vec3_dot(m->left.force, m->left.stretch);
      size += fabs(0.5 * tac_vec3_dot(m->now.force, m->now.stretch));
      *slid += m->now.state == TAC_CONTACT_SLIDES;
      *held += m->now.state == TAC_CONTACT_SLIDES && tac_vec3_distance(m->now.force, stuck.members[i].now.force) == 0.0;
    }
    ck_assert_double_ge(stored, 0.0);
    ck_assert_double_eq_tol(given, stored + g.lost, 1e-9 + 1e-9 * size);
    for (int i = 0; i < count && !ended; ++i) {
      const tacPointMember *m = &g.members[i];
      double stiffness = tac_mat3_trace(tac_point_contact_stiffness(&f->touched, m->start.at)) / 3.0;
      slack = fmax(slack, 0.5 * stiffness * m->motion * m->motion);
      double most =
          fmax(stiffness * m->motion + g.change, tac_vec3_distance(stuck.members[i].now.force, m->start.force));
      ck_assert_double_le(tac_vec3_distance(m->now.force, m->start.force), most * (1.0 + 1e-9));
    }
    if (ended) {
      given = 0.0;
      begin(f, &g, apart, velocity);
    } else {
      ck_assert_double_ge(g.lost, -slack - 1e-8 * size);
    }
  }
}

TAC_TEST(hands_gain_no_energy_on_any_path) {
  TAC_FREED(free_ball, GreenBall, f);
  make_ball(&f);
  int slid = 0, held = 0;
  for (int count = 1; count <= MOST_HANDS; ++count)
    for (int k = 0; k < 4; ++k) {
      uint64_t seed = (uint64_t)(10 * count + k);
      wander(&f, count, 0.1 * k, 0.4, seed, &slid, &held);
      wander(&f, count, 0.1 * k, 0.02, seed, &slid, &held); /* on one patch */
    }
  ck_assert_int_gt(slid, 1000);
  ck_assert_int_gt(held, 10);
}

/* Two points move each other more than themselves, which no body does, but interpolated stiffnesses may. */
static bool excessive(void *context, int i, tacSurfacePoint at, int j, tacSurfacePoint by, tacMat3 *w) {
  const GreenBall *f = context;
  (void)i;
  (void)j;
  (void)by;
  if (!tac_mat3_inverse(tac_point_contact_stiffness(&f->touched, at), w)) return false;
  *w = tac_mat3_scale(1.5, *w);
  return true;
}

TAC_TEST(coincident_points_have_finite_forces) {
  TAC_FREED(free_ball, GreenBall, f);
  make_ball(&f);
  tacRandom random = tac_random_seed(5);
  tacPointGroup g = {.touched = f.touched, .change = 0.1, .compliance = excessive, .context = &f};
  g.count = TAC_POINT_GROUP_MOST;
  tacSurfacePoint at;
  tac_proximity_distance(&f.proximity, tac_vec3(0.01, 0.02, 0.045), &at);
  for (int trial = 0; trial < 100; ++trial) {
    double stored = 0.0;
    for (int i = 0; i < g.count; ++i) {
      tacVec3 y = tac_vec3_add(tac_surface_walk_position(f.touched.surface, at), tac_random_in_cube(&random, 0.005));
      g.members[i] = (tacPointMember){.start = {.at = at}, .y = y, .grabbed = true};
    }
    int budget = 1000;
    tac_point_group_settle(&g, &budget);
    for (int i = 0; i < g.count; ++i) {
      const tacPointContact *c = &g.members[i].now;
      ck_assert_int_eq(c->state, TAC_CONTACT_GRABBED);
      ck_assert(tac_vec3_finite(c->force));
      stored += 0.5 * tac_vec3_dot(c->force, c->stretch);
    }
    ck_assert_double_gt(stored, 0.0);
  }
}

/* One that others hold between them feels their coupling as it is: C f = u. */
TAC_TEST(forces_solve_the_compliance) {
  TAC_FREED(free_ball, GreenBall, f);
  make_ball(&f);
  tacRandom random = tac_random_seed(6);
  tacPointGroup g = {.touched = f.touched, .change = 0.1, .compliance = compliance, .context = &f, .count = 3};
  const tacVec3 directions[3] = {{1.0, 0.1, 0.4}, {-0.5, 0.8, 0.3}, {-0.4, -0.9, 0.5}};
  for (int i = 0; i < g.count; ++i) {
    tacPointMember *m = &g.members[i];
    tac_proximity_distance(&f.proximity, tac_vec3_scale(0.05, tac_vec3_unit(directions[i])), &m->start.at);
    m->y = tac_vec3_add(tac_surface_walk_position(f.touched.surface, m->start.at), tac_random_in_cube(&random, 0.005));
    m->grabbed = true;
  }
  int budget = 1000;
  tac_point_group_settle(&g, &budget);
  for (int i = 0; i < g.count; ++i) {
    tacVec3 u = tac_vec3(0.0, 0.0, 0.0);
    for (int j = 0; j < g.count; ++j) {
      tacSurfacePoint at = g.members[i].start.at, by = g.members[j].start.at;
      tacMat3 c;
      ck_assert(i == j ? tac_mat3_inverse(tac_point_contact_stiffness(&f.touched, at), &c)
                       : compliance(&f, i, at, j, by, &c));
      u = tac_vec3_add(u, tac_mat3_mul_vec(c, g.members[j].now.force));
    }
    ck_assert_double_lt(tac_vec3_distance(u, g.members[i].now.stretch), 1e-6 * tac_vec3_norm(u));
  }
}

/* As the world gives it. */
static bool limited(void *context, int i, tacSurfacePoint at, int j, tacSurfacePoint by, tacMat3 *w) {
  const GreenBall *f = context;
  bool known = compliance(context, i, at, j, by, w);
  *w = tac_point_group_limit(tac_point_contact_stiffness(&f->touched, at), *w,
                             tac_point_contact_stiffness(&f->touched, by));
  return known;
}

/* Contacts on one patch, the first of them the oldest, all held. */
static void hold_on_a_patch(GreenBall *f, int count, tacPointGroup *g) {
  *g = (tacPointGroup){.touched = f->touched, .change = 0.1, .compliance = limited, .context = f, .count = count};
  for (int i = 0; i < count; ++i) {
    tacVec3 direction = tac_vec3_unit(tac_vec3(0.3 + 0.1 * i, 0.2 - 0.1 * (i % 2), 1.0));
    tacPointMember *m = &g->members[i];
    *m = (tacPointMember){.grabbed = true};
    tac_proximity_distance(&f->proximity, tac_vec3_scale(0.05, direction), &m->start.at);
    m->y = tac_vec3_add(tac_surface_walk_position(f->touched.surface, m->start.at), tac_vec3(1e-3 * i, 0.0, -4e-3));
  }
}

/* One that would have no force if it were there can come and go: nobody feels whether it is. */
TAC_TEST(contact_without_force_changes_no_other) {
  TAC_FREED(free_ball, GreenBall, f);
  make_ball(&f);
  tacPointGroup all, others;
  int budget = 1000;
  hold_on_a_patch(&f, MOST_HANDS, &all);
  others = all;
  --others.count;
  for (int i = 0; i < others.count; ++i) others.members[i] = all.members[i + 1];
  tac_point_group_settle(&others, &budget);
  tacPointMember *first = &all.members[0];
  first->y = tac_surface_walk_position(f.touched.surface, first->start.at);
  for (int i = 0; i < others.count; ++i) {
    tacMat3 w;
    ck_assert(limited(&f, 0, first->start.at, i, others.members[i].now.at, &w));
    first->y = tac_vec3_add(first->y, tac_mat3_mul_vec(w, others.members[i].now.force));
  }
  tac_point_group_settle(&all, &budget);
  double size = tac_vec3_norm(others.members[0].now.force);
  ck_assert_double_gt(size, 0.1);
  ck_assert_double_lt(tac_vec3_norm(first->now.force), 1e-9 * size);
  for (int i = 0; i < others.count; ++i)
    ck_assert_double_lt(tac_vec3_distance(all.members[i + 1].now.force, others.members[i].now.force), 1e-9 * size);
}

/* A hand lets go of what it has pulled out: it feels nothing at once, the others that its force falls by `change` a step. What they gave is
 * held or lost in every step. */
TAC_TEST(released_force_fades_for_other_hands) {
  TAC_FREED(free_ball, GreenBall, f);
  make_ball(&f);
  tacPointGroup g;
  int budget = 1000, steps = 0;
  hold_on_a_patch(&f, 2, &g);
  for (int i = 0; i < 2; ++i) g.members[i].y.z += 0.01; /* both pull */
  tac_point_group_settle(&g, &budget);
  double lost = g.lost, energy = INFINITY, released = tac_vec3_norm(g.members[0].now.force);
  ck_assert_double_gt(released, 5.0 * g.change);
  for (int i = 0; i < 2; ++i) g.members[i].start = g.members[i].now;
  g.members[0].grabbed = false;
  for (bool fades = true; fades; ++steps) {
    tac_point_group_settle(&g, &budget);
    tacPointMember *hand = &g.members[0], *other = &g.members[1];
    tacPointContact *rest = steps == 0 ? &hand->left : &hand->now;
    fades = rest->state != TAC_CONTACT_NONE;
    if (steps == 0) ck_assert_int_eq(hand->now.state, TAC_CONTACT_NONE);
    if (steps == 0) ck_assert_double_eq(tac_vec3_norm(hand->now.force), 0.0);
    /* |K_b^-1/2 df_b| is at most 0.8 |K_a^-1/2 df_a|; stiffnesses of neighbours differ by less than twice. */
    ck_assert_double_lt(tac_vec3_distance(other->now.force, other->start.force), 1.6 * g.change);
    ck_assert_double_ge(g.lost, lost);
    lost = g.lost;
    double now = 0.5 * tac_vec3_dot(other->now.force, other->now.stretch);
    if (fades) now += 0.5 * tac_vec3_dot(rest->force, rest->stretch);
    ck_assert_double_le(now, energy);
    energy = now;
    other->start = other->now;
    hand->start = hand->now = *rest;
    hand->y = tac_vec3_add(tac_surface_walk_position(f.touched.surface, rest->at), rest->stretch);
    hand->fading = true;
  }
  ck_assert_int_eq(steps, (int)ceil(released / g.change));
}

/* Points that slide far from each other: C^-1 is built once a step, and exchanged from then on. */
TAC_TEST(sliding_updates_the_inverse_without_rebuild) {
  TAC_FREED(free_ball, GreenBall, f);
  make_ball(&f);
  tacPointGroup g = {.touched = f.touched, .friction = 0.1, .change = 0.1, .compliance = limited, .context = &f};
  tacVec3 velocity[MOST_HANDS];
  int slid = 0;
  g.count = MOST_HANDS;
  begin(&f, &g, 1.0, velocity);
  for (int step = 0; step < 40; ++step) {
    int budget = 10000;
    for (int i = 0; i < g.count; ++i) {
      tacPointMember *m = &g.members[i];
      tacVec3 v = step < 10 ? velocity[i] : tac_vec3(2e-4, 1e-4, 0.0);
      m->start = m->now;
      m->y = tac_vec3_add(m->y, v);
      m->motion = tac_vec3_norm(v);
    }
    tac_point_group_settle(&g, &budget);
    ck_assert_int_eq(g.built, 1);
    for (int i = 0; i < g.count; ++i) slid += g.members[i].now.state == TAC_CONTACT_SLIDES;
  }
  ck_assert_int_gt(slid, 40);
}

/* Hands that press, slide together or in turn while the others rest, and turn back every 60 steps. In each step the laws
 * hold afterwards: solved once more, no point moves on by more than the sweeps' tolerance allows. Returns the mean
 * number of sweeps while all slide. */
static double turn_back(GreenBall *f, double apart, bool together) {
  tacPointGroup g = {.touched = f->touched, .friction = 0.1, .change = 0.1, .compliance = limited, .context = f};
  tacVec3 velocity[MOST_HANDS];
  int sweeps = 0, steps = 0;
  g.count = MOST_HANDS;
  begin(f, &g, apart, velocity);
  for (int step = 0; step < 380; ++step) {
    int budget = 10000, slid = 0;
    double side = (step + 10) / 60 % 2 == 0 ? 2e-4 : -2e-4;
    for (int i = 0; i < g.count; ++i) {
      tacPointMember *m = &g.members[i];
      tacVec3 along = tac_vec3_unit(tac_vec3_cross(velocity[i], tac_vec3(0.3, 1.0, 0.2)));
      bool rests = !together && step >= 80 && step / 5 % g.count != i;
      tacVec3 v = step < 20 ? velocity[i] : tac_vec3_scale(rests ? 0.0 : side, along);
      m->start = m->now;
      m->y = tac_vec3_add(m->y, v);
      m->motion = tac_vec3_norm(v);
    }
    tac_point_group_settle(&g, &budget);
    ck_assert(!g.saturated);
    tacPointGroup again = g;
    for (int i = 0; i < g.count; ++i) {
      ck_assert_int_ne(g.members[i].now.state, TAC_CONTACT_NONE);
      again.members[i].start = g.members[i].now;
      slid += g.members[i].now.state == TAC_CONTACT_SLIDES;
    }
    tac_point_group_settle(&again, &budget);
    for (int i = 0; i < g.count; ++i)
      ck_assert_double_lt(tac_vec3_distance(tac_surface_walk_position(f->touched.surface, again.members[i].now.at),
                                            tac_surface_walk_position(f->touched.surface, g.members[i].now.at)),
                          4e-6);
    if (slid < g.count) continue;
    sweeps += g.sweeps;
    ++steps;
  }
  ck_assert_int_gt(steps, together ? 60 : 0);
  return (double)sweeps / steps;
}

TAC_TEST(expected_slides_save_sweeps_and_keep_the_laws) {
  TAC_FREED(free_ball, GreenBall, f);
  make_ball(&f);
  double far = turn_back(&f, 1.0, true), near = turn_back(&f, 0.2, true);
  if (getenv("TACTUS_TEST_TELL") != NULL) printf("sweeps a step: %.2f far from each other, %.2f near\n", far, near);
  ck_assert_double_lt(far, 10.0);
  ck_assert_double_lt(near, 14.0);
  turn_back(&f, 0.2, false);
}
