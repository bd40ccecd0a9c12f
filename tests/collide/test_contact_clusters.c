#include "collide/contact_clusters.h"

#include "math/geometry/vec3.h"
#include "math/random.h"
#include "test.h"

enum { MOST = 400 };

static const tacVec3 up = {0.0, 0.0, 1.0};

/* A square patch of side 1 about `middle`, side x side points, with keys in no order. The corners are 0, side - 1,
 * ... */
static int make_square(tacVec3 middle, int side, tacRandom *random, tacContactCandidate *out) {
  for (int i = 0; i < side * side; ++i) {
    tacVec3 at = {i % side / (side - 1.0) - 0.5, i / side / (side - 1.0) - 0.5, 0.0};
    out[i] = (tacContactCandidate){tac_vec3_add(middle, at), up, -0.01, tac_random_bits(random), false, false, 0.0};
  }
  return side * side;
}

static int make_cloud(int count, tacRandom *random, tacContactCandidate *out) {
  for (int i = 0; i < count; ++i) {
    tacVec3 place = tac_random_in_cube(random, 0.5), normal = tac_vec3_unit(tac_random_normal3(random));
    double gap = tac_random_uniform(random, -0.1, 0.02);
    out[i] = (tacContactCandidate){place, normal, gap, tac_random_bits(random), false, false, 0.0};
  }
  return count;
}

/* Of things of the size 1, and with this tolerance for what counts as deepest. */
static int choose_within(double tolerance, int most, int count, const tacContactCandidate *c, int *chosen) {
  static double work[MOST];
  tacContactClusters clusters = tac_contact_clusters_default(1.0);
  clusters.gap_tolerance = tolerance;
  int chosen_count = tac_contact_clusters_choose(&clusters, most, count, c, work, chosen);
  ck_assert_int_le(chosen_count, most);
  for (int k = 1; k < chosen_count; ++k) ck_assert(c[chosen[k - 1]].key <= c[chosen[k]].key);
  for (int k = 0; k < chosen_count; ++k) ck_assert(chosen[k] >= 0 && chosen[k] < count);
  return chosen_count;
}

#define TOLERANCE (tac_contact_clusters_default(1.0).gap_tolerance)

static int choose(int most, int count, const tacContactCandidate *c, int *chosen) {
  return choose_within(TOLERANCE, most, count, c, chosen);
}

static bool has(int count, const int *chosen, int i) {
  for (int k = 0; k < count; ++k)
    if (chosen[k] == i) return true;
  return false;
}

/* Those of a square of 11 x 11. */
static bool has_corners(int count, const int *chosen) {
  return has(count, chosen, 0) && has(count, chosen, 10) && has(count, chosen, 110) && has(count, chosen, 120);
}

/* Tells the candidates for the next tick. Returns whether the choice is another than theirs. */
static bool feed_back(int chosen_count, const int *chosen, int count, tacContactCandidate *c) {
  bool changed = false;
  for (int i = 0; i < count; ++i) {
    bool kept = has(chosen_count, chosen, i);
    changed |= kept != c[i].kept;
    c[i].kept = kept;
  }
  return changed;
}

static double apart(const tacContactCandidate *a, const tacContactCandidate *b) {
  return hypot(tac_vec3_distance(a->place, b->place), 0.5 * tac_vec3_distance(a->normal, b->normal));
}

/* R: how far the farthest candidate is from the nearest chosen one. */
static double reach_of(int chosen_count, const int *chosen, int count, const tacContactCandidate *c) {
  double farthest = 0.0;
  for (int i = 0; i < count; ++i) {
    double nearest = INFINITY;
    for (int k = 0; k < chosen_count; ++k) nearest = fmin(nearest, apart(&c[i], &c[chosen[k]]));
    farthest = fmax(farthest, nearest);
  }
  return farthest;
}

/* Q: how far the nearest two chosen ones are from each other. */
static double spread_of(int chosen_count, const int *chosen, const tacContactCandidate *c) {
  double least = INFINITY;
  for (int k = 0; k < chosen_count; ++k)
    for (int l = 0; l < k; ++l) least = fmin(least, apart(&c[chosen[k]], &c[chosen[l]]));
  return least;
}

TAC_TEST(a_flat_patch_keeps_its_corners) {
  tacRandom random = tac_random_seed(1);
  for (int trial = 0; trial < 50; ++trial) {
    tacContactCandidate c[121];
    make_square(tac_vec3(3.0, -2.0, 1.0), 11, &random, c);
    for (int i = 0; i < 121; ++i) c[i].gap += tac_random_uniform(&random, 0.0, 0.9) * TOLERANCE;
    for (int most = 4; most <= 16; ++most) {
      int chosen[16], count = choose(most, 121, c, chosen);
      ck_assert_int_eq(count, most);
      ck_assert(has_corners(count, chosen));
    }
  }
}

TAC_TEST(the_deepest_is_always_chosen) {
  tacRandom random = tac_random_seed(2);
  for (int trial = 0; trial < 300; ++trial) {
    tacContactCandidate c[60];
    int count = make_cloud(60, &random, c), most = 1 + trial % 16, chosen[16], deepest = 0;
    if (trial % 3 == 0) /* the deepest is not alone at its place */
      for (int i = 1; i < count; i += 2) c[i].place = c[i - 1].place, c[i].normal = c[i - 1].normal;
    for (int i = 0; i < count; ++i) {
      if (c[i].gap < c[deepest].gap) deepest = i;
      c[i].kept = tac_random_bits(&random) % 4 == 0; /* whatever was before */
    }
    int chosen_count = choose_within(0.0, most, count, c, chosen);
    ck_assert(has(chosen_count, chosen, deepest));
  }
}

TAC_TEST(patches_apart_both_keep_some) {
  tacRandom random = tac_random_seed(3);
  tacContactCandidate c[2 * 49];
  make_square(tac_vec3(0.0, 0.0, 0.0), 7, &random, c);
  make_square(tac_vec3(5.0, 0.0, 0.0), 7, &random, c + 49);
  for (int i = 49; i < 98; ++i) c[i].gap = -0.001; /* hardly touches */
  for (int most = 2; most <= 16; ++most) {
    int chosen[16], chosen_count = choose(most, 98, c, chosen), second = 0;
    for (int k = 0; k < chosen_count; ++k) second += chosen[k] >= 49;
    ck_assert_int_ge(second, most / 4);
    ck_assert_int_ge(chosen_count - second, most / 4);
    ck_assert_int_ge(second, 1);
  }
}

/* In a groove, points of both walls lie side by side: with two contacts, one of each. */
TAC_TEST(different_normals_count_as_different_places) {
  tacRandom random = tac_random_seed(4);
  tacContactCandidate c[40];
  for (int i = 0; i < 40; ++i) {
    tacVec3 place = {0.0, 0.0, 0.01 * (i / 2)};
    tacVec3 normal = {i % 2 == 0 ? 0.8 : -0.8, 0.0, 0.6};
    c[i] = (tacContactCandidate){place, normal, -0.001, tac_random_bits(&random), false, false, 0.0};
  }
  int chosen[2];
  ck_assert_int_eq(choose(2, 40, c, chosen), 2);
  ck_assert_int_ne(chosen[0] % 2, chosen[1] % 2);
}

/* Gonzalez: of all choices of as many, none is spread twice as much, and none leaves all candidates less than half as
 * far. */
TAC_TEST(the_choice_is_within_twice_the_best) {
  tacRandom random = tac_random_seed(5);
  for (int trial = 0; trial < 100; ++trial) {
    tacContactCandidate c[12];
    int count = make_cloud(12, &random, c), chosen[3], other[3];
    ck_assert_int_eq(choose(3, count, c, chosen), 3);
    double least_reach = INFINITY, most_spread = 0.0;
    for (other[0] = 0; other[0] < count; ++other[0]) {
      for (other[1] = 0; other[1] < other[0]; ++other[1]) {
        for (other[2] = 0; other[2] < other[1]; ++other[2]) {
          least_reach = fmin(least_reach, reach_of(3, other, count, c));
          most_spread = fmax(most_spread, spread_of(3, other, c));
        }
      }
    }
    double reach = reach_of(3, chosen, count, c), spread = spread_of(3, chosen, c);
    ck_assert_double_le(reach, 2.0 * least_reach * (1.0 + 1e-12));
    ck_assert_double_ge(spread, 0.5 * most_spread * (1.0 - 1e-12));
    ck_assert_double_le(reach, spread * (1.0 + 1e-12));
  }
}

static void shake(int count, const tacContactCandidate *rest, double size, tacRandom *random, tacContactCandidate *c) {
  for (int i = 0; i < count; ++i) {
    c[i].place = tac_vec3_add(rest[i].place, tac_random_in_cube(random, size));
    c[i].normal = tac_vec3_unit(tac_vec3_add(rest[i].normal, tac_random_in_cube(random, size)));
    c[i].gap = rest[i].gap + tac_random_uniform(random, -size, size);
  }
}

/* A ring has choices as good as each other all around. */
TAC_TEST(tiny_moves_do_not_change_the_choice) {
  tacRandom random = tac_random_seed(6);
  tacContactCandidate rest[64], c[64];
  for (int i = 0; i < 64; ++i) {
    double angle = 2.0 * M_PI * i / 64.0;
    tacVec3 place = {0.5 * cos(angle), 0.5 * sin(angle), 0.0};
    rest[i] = (tacContactCandidate){place, up, -0.01, tac_random_bits(&random), false, false, 0.0};
  }
  for (int most = 1; most <= 16; ++most) {
    int chosen[16], with = 0, without = 0;
    memcpy(c, rest, sizeof c);
    feed_back(choose(most, 64, c, chosen), chosen, 64, c);
    for (int tick = 0; tick < 50; ++tick) {
      shake(64, rest, 1e-5, &random, c);
      with += feed_back(choose(most, 64, c, chosen), chosen, 64, c);
      tacContactCandidate fresh[64];
      memcpy(fresh, c, sizeof fresh);
      for (int i = 0; i < 64; ++i) fresh[i].kept = false;
      int count = choose(most, 64, fresh, chosen);
      without += feed_back(count, chosen, 64, fresh) && memcmp(fresh, c, sizeof c) != 0;
    }
    ck_assert_int_eq(with, 0);
    ck_assert_int_gt(without, 20); /* else this says nothing */
  }
}

/* Each change makes Q larger by a quarter, and no choice has twice the Q of the first: so there are three changes at
 * most (1.25^4 > 2), however long it shakes. */
TAC_TEST(choices_of_a_shaken_cloud_settle) {
  tacRandom random = tac_random_seed(7);
  for (int trial = 0; trial < 20; ++trial) {
    tacContactCandidate rest[50], c[50];
    int count = make_cloud(50, &random, rest), chosen[16], changes = -1;
    rest[0].gap = -0.2; /* the deepest, without doubt */
    memcpy(c, rest, sizeof c);
    for (int tick = 0; tick < 100; ++tick) {
      changes += feed_back(choose(6, count, c, chosen), chosen, count, c);
      shake(count, rest, 1e-5, &random, c);
    }
    ck_assert_int_le(changes, 3);
  }
}

/* Reluctance is bounded: while a cloud goes anywhere, the choice is never worse than a new one by more than its
 * share. */
TAC_TEST(bad_choices_are_replaced) {
  tacRandom random = tac_random_seed(8);
  tacContactCandidate c[80];
  int count = make_cloud(80, &random, c), kept_ticks = 0;
  for (int tick = 0; tick < 300; ++tick) {
    int chosen[16], anew[16], most = 8;
    int chosen_count = choose(most, count, c, chosen);
    tacContactCandidate fresh[80];
    memcpy(fresh, c, sizeof fresh);
    for (int i = 0; i < count; ++i) fresh[i].kept = false;
    int anew_count = choose(most, count, fresh, anew);
    double spread = spread_of(chosen_count, chosen, c);
    ck_assert_double_le(reach_of(chosen_count, chosen, count, c), 1.25 * spread * (1.0 + 1e-12));
    ck_assert_double_le(spread_of(anew_count, anew, c), 1.25 * spread * (1.0 + 1e-12));
    kept_ticks += !feed_back(chosen_count, chosen, count, c);
    for (int i = 0; i < count; ++i) {
      c[i].place = tac_vec3_add(c[i].place, tac_random_in_cube(&random, 0.05));
      c[i].gap += tac_random_uniform(&random, -1e-5, 1e-5);
    }
  }
  ck_assert_int_gt(kept_ticks, 10);
}

/* Four chosen in the middle of what has become a larger patch; then a point far away touches, too. */
TAC_TEST(grown_patch_and_far_point_get_contacts) {
  tacRandom random = tac_random_seed(12);
  tacContactCandidate c[122];
  int chosen[4];
  make_square(tac_vec3(0.0, 0.0, 0.0), 11, &random, c);
  c[24].kept = c[30].kept = c[90].kept = c[96].kept = true; /* 0.6 as large */
  ck_assert_int_eq(choose(4, 121, c, chosen), 4);
  ck_assert(has_corners(4, chosen));
  feed_back(4, chosen, 121, c);
  c[121] = (tacContactCandidate){{3.0, 0.2, 0.0}, up, 0.0, tac_random_bits(&random), false, false, 0.0};
  ck_assert_int_eq(choose(4, 122, c, chosen), 4);
  ck_assert(has(4, chosen, 121));
}

/* One of four corners leaves: the others stay. */
TAC_TEST(only_vanished_contacts_are_replaced) {
  tacRandom random = tac_random_seed(13);
  tacContactCandidate c[121];
  int chosen[4];
  make_square(tac_vec3(0.0, 0.0, 0.0), 11, &random, c);
  c[0].kept = c[10].kept = c[110].kept = c[120].kept = true;
  c[0].gap = NAN;
  ck_assert_int_eq(choose(4, 121, c, chosen), 4);
  ck_assert(has(4, chosen, 10) && has(4, chosen, 110) && has(4, chosen, 120));
}

TAC_TEST(the_order_of_candidates_does_not_matter) {
  tacRandom random = tac_random_seed(9);
  for (int trial = 0; trial < 50; ++trial) {
    tacContactCandidate c[121], turned[121];
    int chosen[16], other[16], count = make_square(tac_vec3(0.0, 0.0, 0.0), 11, &random, c); /* many ties */
    for (int i = 0; i < count; ++i) c[i].kept = trial % 2 == 1 && tac_random_bits(&random) % 16 == 0;
    for (int i = 0; i < count; ++i) turned[(i * 37 + trial) % count] = c[i];
    int most = 1 + trial % 16, chosen_count = choose(most, count, c, chosen);
    ck_assert_int_eq(choose(most, count, turned, other), chosen_count);
    for (int k = 0; k < chosen_count; ++k) ck_assert(c[chosen[k]].key == turned[other[k]].key);
  }
}

TAC_TEST(few_candidates_are_all_chosen_once) {
  tacRandom random = tac_random_seed(10);
  tacContactCandidate c[20];
  int chosen[16];
  ck_assert_int_eq(choose(16, 0, c, chosen), 0);
  make_cloud(20, &random, c);
  ck_assert_int_eq(choose(16, 9, c, chosen), 9);
  for (int i = 10; i < 20; ++i) c[i].place = c[i - 10].place, c[i].normal = c[i - 10].normal;
  ck_assert_int_eq(choose(16, 20, c, chosen), 10);
  for (int i = 0; i < 20; ++i) c[i].kept = true; /* more than there may be */
  ck_assert_int_eq(choose(16, 20, c, chosen), 10);
  ck_assert_int_eq(choose(3, 20, c, chosen), 3);
}

TAC_TEST(non_finite_candidates_are_skipped) {
  tacRandom random = tac_random_seed(11);
  const double odd[] = {NAN, INFINITY, -INFINITY};
  tacContactCandidate c[40];
  make_cloud(40, &random, c);
  for (int i = 0; i < 40; i += 4) {
    c[i].kept = i % 8 == 0;
    *(i % 12 == 0 ? &c[i].place.y : i % 12 == 4 ? &c[i].normal.x : &c[i].gap) = odd[i / 4 % 3];
  }
  int chosen[16], count = choose(16, 40, c, chosen);
  ck_assert_int_eq(count, 16);
  for (int k = 0; k < count; ++k) ck_assert_int_ne(chosen[k] % 4, 0);
  for (int i = 0; i < 40; ++i) c[i].gap = NAN;
  ck_assert_int_eq(choose(16, 40, c, chosen), 0);
  for (int i = 0; i < 40; ++i)
    c[i] = (tacContactCandidate){{1e300 * i, -1e300, 0.0}, up, -1e300 * i, (uint64_t)i, false, false, 0.0};
  ck_assert_int_ge(choose(16, 40, c, chosen), 1);
}

/* Of a body that springs back, what bore a force stays, the deepest is added, and then what is deep and far from both. */
TAC_TEST(loaded_contacts_are_kept) {
  tacContactCandidate c[121];
  double work[121];
  tacRandom random = tac_random_seed(5);
  tacContactClusters clusters = tac_contact_clusters_default(1.0);
  make_square(tac_vec3(0.0, 0.0, 0.0), 11, &random, c);
  for (int i = 0; i < 121; ++i) c[i].gap = 0.01;
  const int loaded[] = {60, 61, 71, 5}; /* neighbours, which no spreading would choose */
  for (int k = 0; k < 4; ++k) c[loaded[k]].load = 1.0 + k;
  c[100].gap = -0.02;
  c[20].gap = -0.015;
  c[99].gap = -0.001;
  int chosen[8], count = tac_contact_clusters_support(&clusters, 8, 121, c, work, chosen);
  for (int k = 0; k < 4; ++k) ck_assert(has(count, chosen, loaded[k]));
  ck_assert(has(count, chosen, 100));
  ck_assert(has(count, chosen, 20));
  ck_assert(has(count, chosen, 99));
  /* Where more bore one than may stay, those that bore most do, and there is room for what is deep. */
  for (int i = 0; i < 121; ++i) c[i].load = i == 100 ? 0.0 : 1.0 + i;
  count = tac_contact_clusters_support(&clusters, 8, 121, c, work, chosen);
  ck_assert_int_eq(count, 8);
  for (int i = 115; i < 121; ++i) ck_assert(has(count, chosen, i));
  ck_assert(has(count, chosen, 100));
}
