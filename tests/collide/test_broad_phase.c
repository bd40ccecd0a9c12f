#include "collide/broad_phase.h"

#include "math/geometry/vec3.h"
#include "math/random.h"
#include "test.h"

typedef struct Body {
  tacVec3 centre;
  double radius;
  bool moves;
  uint32_t category, mask;
} Body;

enum { MOST = 600, MOST_PAIRS = MOST * (MOST - 1) / 2 };
static tacBodyPair expected[MOST_PAIRS];

/* All pairs, in order, by the definition. */
static int find_all(int count, const Body *bodies) {
  int found = 0;
  for (int a = 0; a < count; ++a) {
    for (int b = a + 1; b < count; ++b) {
      const Body *p = &bodies[a], *q = &bodies[b];
      double reach = p->radius + q->radius;
      if (!(tac_vec3_finite(p->centre) && tac_vec3_finite(q->centre) && p->radius >= 0.0 && q->radius >= 0.0)) continue;
      if (!(p->moves || q->moves) || (p->mask & q->category) == 0 || (q->mask & p->category) == 0) continue;
      if (tac_vec3_norm2(tac_vec3_sub(p->centre, q->centre)) <= reach * reach) expected[found++] = (tacBodyPair){a, b};
    }
  }
  return found;
}

static tacBroadPhase *make(int body_most, int pair_most) {
  tacBroadPhase *phase;
  tac_test_ok(tac_broad_phase_create(body_most, pair_most, &phase, &error), error);
  return phase;
}

static void set(tacBroadPhase *phase, int count, const Body *bodies) {
  for (int i = 0; i < count; ++i) {
    const Body *b = &bodies[i];
    tac_broad_phase_set_ball(phase, i, b->centre, b->radius);
    tac_broad_phase_set_filter(phase, i, b->moves, b->category, b->mask);
  }
}

/* Returns how many pairs there are. */
static int check_all(tacBroadPhase *phase, int count, const Body *bodies) {
  set(phase, count, bodies);
  tacBroadPhasePairs found = tac_broad_phase_find(phase);
  int wanted = find_all(count, bodies);
  ck_assert_int_eq(found.lost, 0);
  ck_assert_int_eq(found.count, wanted);
  ck_assert_mem_eq(found.pairs, expected, (size_t)wanted * sizeof *expected);
  return wanted;
}

static Body moving(tacVec3 centre, double radius) {
  return (Body){centre, radius, true, 1, UINT32_MAX};
}

/* Sizes that a scene may have: alike, a few large, many large and small, of all orders, points. */
static double random_radius(tacRandom *random, int sizes, int i) {
  switch (sizes) {
    case 0: return 0.02;
    case 1: return tac_random_uniform(random, 0.01, 0.03);
    case 2: return i % 100 == 0 ? 1.0 : 0.01;
    case 3: return i % 5 == 0 ? 0.3 : 0.003;
    case 4: return pow(10.0, tac_random_uniform(random, -4.0, 0.0));
    default: return i % 7 == 0 ? 0.0 : pow(10.0, tac_random_uniform(random, -9.0, 7.0));
  }
}

static tacVec3 random_place(tacRandom *random, int places) {
  tacVec3 p = tac_random_in_cube(random, 0.3);
  switch (places) {
    case 0: return p;
    case 1: return tac_vec3(p.x, p.y, 0.0);                                /* a layer */
    case 2: return tac_vec3(0.02 * floor(50.0 * p.x), 0.0, 30.0 * p.z);    /* towers, on the edges of cells */
    case 3: return tac_vec3_add(p, tac_vec3(12345.678, -23456.7, 3456.7)); /* elsewhere */
    default: return tac_vec3_scale(0.01, p);                               /* all in one another */
  }
}

TAC_TEST(pairs_match_brute_force) {
  static Body bodies[MOST];
  tacRandom random = tac_random_seed(11);
  const int counts[] = {0, 1, 2, 17, 100, 512, 600};
  int64_t pairs = 0;
  for (int c = 0; c < (int)(sizeof counts / sizeof *counts); ++c) {
    if (tac_test_light() && counts[c] > 100) continue;
    TAC_OWN(tacBroadPhase, own) = make(counts[c], MOST_PAIRS);
    for (int sizes = 0; sizes < 6; ++sizes) {
      for (int places = 0; places < 5; ++places) {
        for (int i = 0; i < counts[c]; ++i) {
          double radius = random_radius(&random, sizes, i);
          bodies[i] = moving(random_place(&random, places), radius);
          if (places % 2 == 1) {
            bodies[i].moves = i % 3 == 0;
            bodies[i].category = 1u << i % 3;
            bodies[i].mask = i % 4 == 0 ? 5 : 7;
          }
        }
        pairs += check_all(own, counts[c], bodies);
      }
    }
  }
  ck_assert_int_gt(pairs, 5000);
}

/* Balls in contact to the last bit, or apart by it, wherever the edges of cells are. */
TAC_TEST(touching_balls_are_found_across_cells) {
  tacRandom random = tac_random_seed(3);
  TAC_OWN(tacBroadPhase, phase) = make(64, 2048);
  int pairs = 0;
  for (int trial = 0; trial < 200; ++trial) {
    Body bodies[64];
    double radius = pow(2.0, tac_random_uniform(&random, -8.0, 2.0));
    for (int i = 0; i < 64; i += 2) {
      tacVec3 a = tac_random_in_cube(&random, 300.0 * radius);
      tacVec3 way = tac_vec3_unit(tac_random_normal3(&random));
      if (i % 4 == 0) way = i % 8 == 0 ? tac_vec3(1.0, 0.0, 0.0) : tac_vec3(0.0, 0.0, -1.0);
      bodies[i] = moving(a, radius);
      bodies[i + 1] = moving(tac_vec3_mad(a, 2.0 * radius, way), radius);
    }
    pairs += check_all(phase, 64, bodies);
  }
  ck_assert_int_gt(pairs, 200 * 32 / 10); /* that some are and some are not is the rounding's */
  ck_assert_int_lt(pairs, 200 * 32);
}

TAC_TEST(resting_bodies_never_pair) {
  TAC_OWN(tacBroadPhase, phase) = make(3, 3);
  const tacVec3 origin = {0.0, 0.0, 0.0};
  Body bodies[3] = {moving(origin, 1.0), moving(origin, 1.0), moving(origin, 1.0)};
  bodies[0].moves = bodies[2].moves = false;
  ck_assert_int_eq(check_all(phase, 3, bodies), 2); /* 0 1, 1 2 */
  bodies[1].moves = false;
  ck_assert_int_eq(check_all(phase, 3, bodies), 0);
  bodies[0].moves = bodies[1].moves = true;
  bodies[0].category = 2;
  bodies[1].mask = ~2u;                             /* one that does not want is enough */
  ck_assert_int_eq(check_all(phase, 3, bodies), 2); /* 0 2, 1 2 */
}

TAC_TEST(body_without_a_ball_has_no_pairs) {
  TAC_OWN(tacBroadPhase, phase) = make(40, 40);
  tac_broad_phase_set_ball(phase, 7, tac_vec3(0.0, 0.0, 0.0), 1.0);
  ck_assert_int_eq(tac_broad_phase_find(phase).count, 0);
  tac_broad_phase_set_ball(phase, 31, tac_vec3(1.5, 0.0, 0.0), 1.0);
  tacBroadPhasePairs found = tac_broad_phase_find(phase);
  ck_assert_int_eq(found.count, 1);
  ck_assert_int_eq(found.pairs[0].a, 7);
  ck_assert_int_eq(found.pairs[0].b, 31);
  tac_broad_phase_set_ball(phase, 7, tac_vec3(0.0, 0.0, 0.0), -1.0);
  ck_assert_int_eq(tac_broad_phase_find(phase).count, 0);
}

/* Anything in a double, among balls as they should be, changes nothing for those. */
TAC_TEST(non_finite_balls_do_not_affect_others) {
  static Body bodies[300];
  const double odd[] = {NAN,    INFINITY, -INFINITY, 1e308, -1e308, 1e160, -1e155, 1e20, 5e-324,
                        1e-310, -0.0,     1e7,       -1.0,  0.0,    1e100, 3e9,    1e-6, 2e6};
  enum { ODD = sizeof odd / sizeof *odd };
  tacRandom random = tac_random_seed(5);
  TAC_OWN(tacBroadPhase, phase) = make(300, MOST_PAIRS);
  for (int trial = 0; trial < 100; ++trial) {
    for (int i = 0; i < 300; ++i) {
      tacVec3 p = tac_random_in_cube(&random, 0.2);
      bodies[i] = moving(p, 0.02);
      uint64_t bits = tac_random_bits(&random);
      int which = (int)(bits % ODD), other = (int)(bits / ODD % ODD);
      if (i % 10 == 0) bodies[i].centre.x = odd[which];
      if (i % 20 == 0) bodies[i].centre.z = odd[other];
      if (i % 15 == trial % 15) bodies[i].radius = odd[other];
    }
    check_all(phase, 300, bodies);
  }
}

TAC_TEST(infinite_ball_pairs_with_all) {
  Body bodies[50];
  tacRandom random = tac_random_seed(6);
  for (int i = 0; i < 50; ++i) bodies[i] = moving(tac_random_in_cube(&random, 1e6), 0.01);
  bodies[20].radius = INFINITY;
  TAC_OWN(tacBroadPhase, phase) = make(50, 200);
  ck_assert_int_eq(check_all(phase, 50, bodies), 49);
}

TAC_TEST(pairs_beyond_the_capacity_are_counted) {
  Body bodies[100];
  tacRandom random = tac_random_seed(8);
  for (int i = 0; i < 100; ++i) bodies[i] = moving(tac_random_in_cube(&random, 0.1), i % 10 == 0 ? 0.08 : 0.03);
  int all = find_all(100, bodies);
  ck_assert_int_gt(all, 500);
  const int capacities[] = {0, 1, 100, all - 1, all};
  for (int c = 0; c < 5; ++c) {
    TAC_OWN(tacBroadPhase, phase) = make(100, capacities[c]);
    set(phase, 100, bodies);
    tacBroadPhasePairs found = tac_broad_phase_find(phase);
    ck_assert_int_eq(found.count, capacities[c]);
    ck_assert_int_eq(found.count + found.lost, all);
    for (int i = 0, k = 0; i < found.count; ++i, ++k) { /* true ones, once each, in order */
      while (k < all && (expected[k].a != found.pairs[i].a || expected[k].b != found.pairs[i].b)) ++k;
      ck_assert_int_lt(k, all);
    }
  }
}

TAC_TEST(result_is_independent_of_history) {
  static Body first[400], second[400];
  tacRandom random = tac_random_seed(9);
  for (int i = 0; i < 400; ++i) {
    tacVec3 p = tac_random_in_cube(&random, 0.2);
    first[i] = moving(p, 0.02);
    second[i] = moving(tac_vec3_scale(2.0, p), i % 2 == 0 ? 0.001 : 0.2);
  }
  enum { CAPACITY = 200 }; /* less than there are, so that the choice matters */
  TAC_OWN(tacBroadPhase, used) = make(400, CAPACITY);
  TAC_OWN(tacBroadPhase, fresh) = make(400, CAPACITY);
  set(used, 400, second);
  ck_assert_int_gt(tac_broad_phase_find(used).lost, 0);
  set(used, 400, first);
  set(fresh, 400, first);
  tacBroadPhasePairs a = tac_broad_phase_find(used), b = tac_broad_phase_find(fresh);
  ck_assert_int_gt(a.lost, 0);
  ck_assert_int_eq(a.lost, b.lost);
  ck_assert_int_eq(a.count, b.count);
  ck_assert_mem_eq(a.pairs, b.pairs, (size_t)a.count * sizeof *a.pairs);
}

TAC_TEST(negative_capacities_are_rejected) {
  tacBroadPhase *phase;
  ck_assert_int_eq(tac_broad_phase_create(-1, 5, &phase, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_broad_phase_create(5, -1, &phase, &error), TAC_ERR_ARGUMENT);
  ck_assert_ptr_null(phase);
}
