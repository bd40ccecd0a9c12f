#include "contact/penalty.h"

#include "math/geometry/quat.h"
#include "math/random.h"
#include "test.h"

enum { MOST = 40000 };
static tacPenaltyPoint points[MOST];
static tacContactSpring springs[MOST];

static const tacVec3 zero = {0.0, 0.0, 0.0};

static tacVec3 random_vector(tacRandom *random, double size) {
  return tac_vec3_scale(size, tac_random_normal3(random));
}

static tacPenaltyPoint new_point(tacVec3 at, tacVec3 normal, double depth, double weight) {
  return (tacPenaltyPoint){.at = at, .normal = normal, .depth = depth, .weight = weight, .steep = 1.0, .anchor = at};
}

static tacVec3 total(int count) {
  tacVec3 sum = zero;
  for (int i = 0; i < count; ++i) sum = tac_vec3_add(sum, springs[i].force);
  return sum;
}

/* About the origin. */
static tacVec3 total_torque(int count) {
  tacVec3 sum = zero;
  for (int i = 0; i < count; ++i) sum = tac_vec3_add(sum, tac_vec3_cross(springs[i].at, springs[i].force));
  return sum;
}

/* How many points of one weight and depth push with k each, of `counted` (sum of weights). */
static double sharing(const tacPenaltyDef *def, double counted) {
  return counted > def->full_count ? def->full_count * cbrt(counted / def->full_count) : counted;
}

/* ---- the limit (3.2) ---- */

/* Points of a ball of radius 1, its centre `height` above the ground, with `all` as the weight of its surface: those in contact. */
static int ball_on_ground(int rings, bool spiral, double height, double weight_of_all) {
  const double golden = M_PI * (3.0 - sqrt(5.0));
  int count = 0, all = spiral ? rings * rings : rings * 2 * rings;
  for (int i = 0; i < all; ++i) {
    double z, angle, weight = weight_of_all / all;
    if (spiral) {
      z = 1.0 - (2.0 * i + 1.0) / all;
      angle = golden * i;
    } else { /* a mesh of degrees, which is dense at the poles: only its areas know */
      double latitude = M_PI * ((i / (2 * rings)) + 0.5) / rings;
      z = cos(latitude);
      angle = M_PI * (i % (2 * rings)) / rings;
      weight *= sin(latitude) * M_PI / 2.0;
    }
    tacVec3 n = {sqrt(1.0 - z * z) * cos(angle), sqrt(1.0 - z * z) * sin(angle), z};
    n = tac_quat_rotate(tac_quat_from_axis_angle(tac_vec3(0.0, 1.0, 0.0), 0.5), n); /* a pole is in the contact */
    tacVec3 at = tac_vec3_add(n, tac_vec3(0.0, 0.0, height));
    if (at.z < 0.0) points[count++] = new_point(at, n, -at.z, weight);
  }
  return count;
}

/* Depths u of a cap, from 0 to D, are even over its area. Where all share, e^3 = W mean phi^3 / L = W D^6 / 56 L, and the force is
 * k W mean (phi / e)^2 u n, with n = h + u upwards: however many points the same area has. */
TAC_TEST(force_converges_to_the_integral_over_the_contact) {
  double h = 0.6, depth = 1.0 - h, all = 5000.0, cap = all * depth / 2.0; /* the cap: 2 pi depth of 4 pi */
  tacPenaltyDef def = tac_penalty_def_default();
  double level = cbrt(cap * pow(depth, 6.0) / (56.0 * def.full_count));
  ck_assert_double_gt(level, 0.5 * depth * depth); /* all share */
  double mean = (pow(depth, 6.0) / 7.0 + h * pow(depth, 5.0) / 6.0) / (4.0 * level * level);
  double limit = def.stiffness * cap * mean;
  for (int spiral = 0; spiral < 2; ++spiral) {
    double before = 0.0;
    for (int level_of_detail = 0; level_of_detail < 4; ++level_of_detail) {
      int rings = (spiral ? 24 : 20) << level_of_detail;
      def.ramp = 0.2 * depth * exp2(-level_of_detail); /* as long as the grain of the contact */
      int count = ball_on_ground(rings, spiral, h, all);
      ck_assert_int_gt(count, 10);
      tac_penalty_evaluate(&def, count, points, springs, NULL);
      tacVec3 f = total(count);
      double off = tac_vec3_distance(f, tac_vec3(0.0, 0.0, limit)) / limit;
      if (level_of_detail > 0) ck_assert_double_lt(off, 0.65 * before);
      before = off;
    }
    ck_assert_double_lt(before, 0.015);
    /* and without a ramp, as in the thesis */
    def.ramp = 0.0;
    int count = ball_on_ground(160, spiral, h, all);
    tac_penalty_evaluate(&def, count, points, springs, NULL);
    ck_assert_double_eq_tol(total(count).z / limit, 1.0, 5e-3);
  }
}

/* A U stands on flat ground on two feet of one area, of which one has many more points. */
TAC_TEST(area_weights_remove_torque_of_uneven_points) {
  tacPenaltyDef def = tac_penalty_def_default();
  double torque[2], upright = 0.0;
  for (int weighed = 0; weighed < 2; ++weighed) {
    int count = 0;
    const int sides[2] = {4, 12};
    double mean = 2.0 / (16 + 144);
    for (int foot = 0; foot < 2; ++foot)
      for (int i = 0; i < sides[foot] * sides[foot]; ++i) {
        double x = (i % sides[foot] + 0.5) / sides[foot], y = (i / sides[foot] + 0.5) / sides[foot];
        double weight = weighed ? 1.0 / (sides[foot] * sides[foot]) / mean : 1.0;
        tacVec3 at = {0.01 * (x - 0.5) + (foot == 0 ? -0.05 : 0.05), 0.01 * (y - 0.5), -2e-4};
        points[count++] = new_point(at, tac_vec3(0.0, 0.0, -1.0), 2e-4, weight);
      }
    tac_penalty_evaluate(&def, count, points, springs, NULL);
    upright = total(count).z;
    tacVec3 turn = zero; /* about the origin */
    for (int i = 0; i < count; ++i) turn = tac_vec3_add(turn, tac_vec3_cross(springs[i].at, springs[i].force));
    torque[weighed] = tac_vec3_norm(turn);
    ck_assert_double_eq_tol(upright, def.stiffness * sharing(&def, 160.0) * 2e-4, 1e-9);
  }
  ck_assert_double_gt(torque[0], 0.5 * 0.05 * upright);
  ck_assert_double_lt(torque[1], 1e-9 * upright);
}

/* ---- continuity ---- */

TAC_TEST(force_of_a_flat_contact_grows_smoothly) {
  tacPenaltyDef def = tac_penalty_def_default();
  const int counts[] = {1, 5, 10, 11, 40, 1000};
  for (int c = 0; c < 6; ++c) {
    int count = counts[c], steps = 2000;
    double before = 0.0, ramp = def.ramp, step = 2.0 * ramp / steps, most = def.stiffness * sharing(&def, count);
    for (int s = 1; s <= steps; ++s) {
      double depth = s * step;
      for (int i = 0; i < count; ++i)
        points[i] = new_point(tac_vec3(0.001 * i, 0.0, -depth), tac_vec3(0.0, 0.0, -1.0), depth, 1.0);
      tac_penalty_evaluate(&def, count, points, springs, NULL);
      double f = total(count).z;
      ck_assert_double_gt(f, before);
      ck_assert_double_le(f - before, 3.0 * most * step);
      if (depth >= ramp) ck_assert_double_eq_tol(f, most * depth, 1e-9 * f);
      /* the tangent, where the count does not change it */
      double along = 0.0;
      for (int i = 0; i < count; ++i) along += springs[i].stiffness.m[2][2];
      if (count < 10 && s > 10) ck_assert_double_eq_tol((f - before) / along / step, 1.0, 0.1);
      ck_assert_double_le(along, (count > 10 ? 8.0 : 3.0) * most);
      ck_assert_double_ge(along, 0.5 * (f - before) / step); /* an implicit step never overshoots */
      before = f;
    }
  }
}

/* The worst for L / l of the thesis: a whole face comes in while some points are deep. Its force falls to that of the mean depth.
 * Here the deep ones keep what they have, and the force never falls. */
TAC_TEST(small_deep_contacts_keep_their_stiffness_beside_large_shallow_ones) {
  tacPenaltyDef def = tac_penalty_def_default();
  enum { FACE = 500, STEPS = 4000 };
  const double ahead = 1e-3, step = 1.5 * def.ramp / STEPS;
  for (int deep = 4; deep <= 10; deep += 3) {
    double before = def.stiffness * deep * (ahead - step);
    for (int s = 0; s <= STEPS; ++s) {
      double depth = s * step, shallow = 0.0;
      for (int i = 0; i < deep + FACE; ++i)
        points[i] = new_point(zero, tac_vec3(0.0, 0.0, -1.0), (i < deep ? ahead : 0.0) + depth, 1.0);
      tacPenaltyReport report = tac_penalty_evaluate(&def, deep + FACE, points, springs, NULL);
      double f = total(deep + FACE).z, alone = def.stiffness * (ahead + depth);
      for (int i = 0; i < deep; ++i) ck_assert_double_ge(springs[i].force.z, 0.999 * alone);
      for (int i = deep; i < deep + FACE; ++i) shallow += springs[i].force.z;
      ck_assert(shallow >= 0.0 && f >= before);
      ck_assert_double_le(f - before, 8.0 * def.stiffness * report.shared * step);
      before = f;
    }
  }
}

/* Within their bounds, and no others that are have more energy. */
TAC_TEST(shares_maximise_the_energy) {
  tacRandom random = tac_random_seed(61);
  tacPenaltyDef def = tac_penalty_def_default();
  for (int trial = 0; trial < 200; ++trial) {
    int count = 1 + trial;
    double sum = 0.0, energy = 0.0, all = 0.0;
    for (int i = 0; i < count; ++i) {
      double depth = exp(tac_random_uniform(&random, log(1e-6), log(2e-3)));
      points[i] = new_point(zero, tac_vec3(0.0, 0.0, -1.0), depth, exp(tac_random_uniform(&random, -2.0, 2.0)));
    }
    tacPenaltyReport report = tac_penalty_evaluate(&def, count, points, springs, NULL);
    for (int i = 0; i < count; ++i) {
      const tacPenaltyPoint *p = &points[i];
      ck_assert(p->share >= 0.0 && p->share <= p->weight);
      sum += p->weight * pow(p->share / p->weight, 1.5);
      energy += def.stiffness * p->share * p->energy;
      all += p->weight;
    }
    ck_assert_double_le(sum, fmin(all, def.full_count) * (1.0 + 1e-12));
    if (all > def.full_count) ck_assert_double_ge(sum, def.full_count * (1.0 - 1e-12));
    if (all <= def.full_count) ck_assert_double_eq(report.shared, report.counted);
    ck_assert_double_le(report.shared, sharing(&def, all) * (1.0 + 1e-12));
    ck_assert_double_eq_tol(report.energy, energy, 1e-12 * energy);
    for (int other = 0; other < 20; ++other) { /* none other that is allowed has more */
      static double a[200];
      double part = 0.0, less = 0.0;
      for (int i = 0; i < count; ++i) {
        a[i] = fmin(1.0, points[i].share / points[i].weight * exp(tac_random_uniform(&random, -0.5, 0.5)));
        part += points[i].weight * pow(a[i], 1.5);
      }
      double scale = part > def.full_count ? pow(def.full_count / part, 2.0 / 3.0) : 1.0;
      for (int i = 0; i < count; ++i) less += def.stiffness * points[i].weight * scale * a[i] * points[i].energy;
      ck_assert_double_le(less, energy * (1.0 + 1e-12));
    }
  }
}

/* Moved without turning, by central differences: the sum of all stiffnesses less what points that share take from each other,
 * 2 F F^T / `below`. */
TAC_TEST(stiffness_is_the_force_derivative) {
  enum { SHELL = 60 };
  tacRandom random = tac_random_seed(100);
  for (int trial = 0; trial < 6; ++trial) {
    static tacPenaltyPoint start[SHELL];
    const int count = trial % 2 == 0 ? SHELL : 7; /* that share, and that do not */
    const double h = 1e-8;
    tacPenaltyDef def = tac_penalty_def_default();
    def.ramp = trial < 4 ? 3e-4 : 5e-6; /* some points shallower than it, or none */
    for (int i = 0; i < count; ++i) {
      tacVec3 normal = tac_vec3_unit(random_vector(&random, 1.0));
      double depth = tac_random_uniform(&random, 1e-5, 6e-4);
      points[i] = start[i] = new_point(zero, normal, depth, tac_random_uniform(&random, 0.5, 1.5));
    }
    tacPenaltyReport report = tac_penalty_evaluate(&def, count, points, springs, NULL);
    ck_assert(count == SHELL ? report.shared < 0.5 * report.counted : report.shared == report.counted);
    tacMat3 stiffness = tac_mat3_zero();
    for (int i = 0; i < count; ++i) stiffness = tac_mat3_add(stiffness, springs[i].stiffness);
    if (report.below > 0.0)
      stiffness = tac_mat3_sub(stiffness, tac_mat3_scale(2.0 / report.below, tac_mat3_outer(report.push, report.push)));
    for (int axis = 0; axis < 3; ++axis) {
      tacVec3 way = tac_vec3(axis == 0, axis == 1, axis == 2), force[2];
      for (int side = 0; side < 2; ++side) {
        for (int i = 0; i < count; ++i) {
          points[i] = start[i];
          points[i].depth += (side == 0 ? -h : h) * tac_vec3_dot(start[i].normal, way);
        }
        tac_penalty_evaluate(&def, count, points, springs, NULL);
        force[side] = total(count);
      }
      tacVec3 slope = tac_vec3_scale(-0.5 / h, tac_vec3_sub(force[1], force[0]));
      ck_assert_double_le(tac_vec3_distance(tac_mat3_mul_vec(stiffness, way), slope), 1e-5 * tac_mat3_trace(stiffness));
    }
  }
}

/* A point comes in beside ten deep ones: in the thesis the whole force falls by an eleventh at once. */
TAC_TEST(entering_points_cause_no_force_jump) {
  tacPenaltyDef def = tac_penalty_def_default();
  for (int rampless = 0; rampless < 2; ++rampless) {
    if (rampless) def.ramp = 0.0;
    for (int i = 0; i < 10; ++i) points[i] = new_point(zero, tac_vec3(0.0, 0.0, -1.0), 1e-3, 1.0);
    tac_penalty_evaluate(&def, 10, points, springs, NULL);
    double before = total(10).z;
    for (int weight = 1; weight <= 1000; weight *= 10) {
      points[10] = new_point(zero, tac_vec3(0.0, 0.0, -1.0), 1e-9, weight);
      tac_penalty_evaluate(&def, 11, points, springs, NULL);
      ck_assert_double_eq_tol(total(11).z / before, 1.0, 1e-6);
    }
  }
}

/* ---- friction ---- */

/* A block of flat points on the ground, its corner at `place`; keeps what the points know. */
typedef struct Block {
  int side;
  double size;
  tacPenaltyPoint points[64];
  bool is_in[64];
} Block;

static tacPenaltyReport push_block(const tacPenaltyDef *def, Block *block, tacVec3 place, bool *slides) {
  int count = 0, from[64];
  for (int i = 0; i < block->side * block->side; ++i) {
    tacPenaltyPoint *p = &block->points[i];
    tacVec3 at = tac_vec3_add(place, tac_vec3(block->size * (i % block->side), block->size * (i / block->side), 0.0));
    bool was_in = block->is_in[i];
    block->is_in[i] = at.z < 0.0;
    if (at.z >= 0.0) continue;
    tacPenaltyPoint next = new_point(at, tac_vec3(0.0, 0.0, -1.0), -at.z, 1.0);
    if (was_in) {
      next.anchor = p->anchor;
      next.grip = p->grip;
    }
    points[count] = next;
    from[count++] = i;
  }
  tacPenaltyReport report = tac_penalty_evaluate(def, count, points, springs, slides);
  for (int i = 0; i < count; ++i) block->points[from[i]] = points[i];
  return report;
}

TAC_TEST(points_stick_then_slide_with_the_right_force) {
  tacPenaltyDef def = tac_penalty_def_default();
  def.friction = 0.4;
  tacRandom random = tac_random_seed(41);
  for (int trial = 0; trial < 40; ++trial) {
    Block block = {.side = 2 + trial % 6, .size = 0.01};
    double depth = tac_random_uniform(&random, 0.2, 3.0) * def.ramp,
           angle = tac_random_uniform(&random, 0.0, 2.0 * M_PI);
    tacVec3 direction = {cos(angle), sin(angle), 0.0};
    double reach = def.friction / def.tangential * depth; /* where it begins to slide */
    int count = block.side * block.side;
    bool slides[64];
    tacPenaltyReport report = {0};
    for (int step = 0; step <= 60; ++step) {
      tacVec3 place = tac_vec3_mad(tac_vec3(0.0, 0.0, -depth), reach * step / 20.0, direction);
      report = push_block(&def, &block, place, slides);
      tacVec3 f = total(count);
      double along = tac_vec3_dot(f, direction), normal = f.z;
      ck_assert_double_eq_tol(
          tac_vec3_norm(tac_vec3_sub(f, tac_vec3_mad(tac_vec3(0.0, 0.0, normal), along, direction))), 0.0,
          1e-9 * normal);
      bool sliding = step > 20;
      ck_assert_int_eq(report.sliding + report.sticking, count);
      ck_assert_double_eq_tol(along, -def.friction * normal * (sliding ? 1.0 : step / 20.0), 1e-9 * normal);
      /* While it sticks it resists sideways, while it slides only across its way. */
      if (step == 20) continue; /* just between */
      ck_assert_int_eq(report.sliding, sliding ? count : 0);
      ck_assert(slides[count - 1] == sliding);
      tacVec3 across = tac_vec3_cross(tac_vec3(0.0, 0.0, 1.0), direction);
      tacVec3 back = tac_mat3_mul_vec(springs[0].stiffness, direction);
      tacVec3 aside = tac_mat3_mul_vec(springs[0].stiffness, across);
      ck_assert_double_eq_tol(tac_vec3_distance(back, tac_vec3_scale(sliding ? 0.0 : points[0].grip, direction)), 0.0,
                              1e-9 * points[0].grip);
      ck_assert_double_eq_tol(tac_vec3_distance(aside, tac_vec3_scale(points[0].grip, across)), 0.0,
                              1e-9 * points[0].grip);
      if (!sliding) continue;
      Block turned = block; /* a small way across: the force turns, as that stiffness says */
      double little = 1e-4 * reach;
      tacVec3 before = springs[0].force;
      push_block(&def, &turned, tac_vec3_mad(place, little, across), NULL);
      double change = tac_vec3_dot(tac_vec3_sub(springs[0].force, before), across);
      ck_assert_double_eq_tol(change, -points[0].grip * little, 1e-3 * points[0].grip * little);
    }
    /* Back: first it unloads, then slides the other way. */
    tacVec3 f = zero;
    for (int step = 60; step >= 0; --step) {
      push_block(&def, &block, tac_vec3_mad(tac_vec3(0.0, 0.0, -depth), reach * step / 20.0, direction), NULL);
      f = total(count);
    }
    ck_assert_double_eq_tol(tac_vec3_dot(f, direction), def.friction * f.z, 1e-9 * f.z);
    /* A load that falls takes the anchors along: the force stays within the cone, at its edge. */
    for (int step = 20; step > 0; --step) {
      push_block(&def, &block, tac_vec3(0.0, 0.0, -depth * step / 20.0), NULL);
      f = total(count);
      ck_assert_double_eq_tol(hypot(f.x, f.y), def.friction * f.z, 1e-9 * f.z);
      ck_assert_double_eq_tol(tac_vec3_distance(points[0].at, points[0].anchor), reach * step / 20.0, 1e-12);
    }
  }
}

/* The work that a hand does along a path of the block through the given places, in straight ways. */
static double path_work(const tacPenaltyDef *def, Block *block, int place_count, const tacVec3 *places,
                        bool forgetful) {
  double work = 0.0;
  int count = block->side * block->side, steps = 200;
  tacVec3 before = zero, last = places[0];
  for (int leg = 0; leg + 1 < place_count; ++leg)
    for (int step = leg == 0 ? 0 : 1; step <= steps; ++step) {
      tacVec3 place = tac_vec3_mix(places[leg], places[leg + 1], (double)step / steps);
      if (forgetful)
        for (int i = 0; i < count; ++i) block->points[i].grip = 0.0;
      push_block(def, block, place, NULL);
      tacVec3 f = zero;
      if (place.z < 0.0) f = total(count);
      work -= tac_vec3_dot(tac_vec3_mix(before, f, 0.5), tac_vec3_sub(place, last));
      before = f;
      last = place;
    }
  return work;
}

TAC_TEST(closed_paths_never_create_energy) {
  tacPenaltyDef def = tac_penalty_def_default();
  def.friction = 0.6;
  def.ramp = 1e-3;
  double scale = def.stiffness * 1e-3 * 1e-3; /* J */
  /* Stretch under a light load, press, let go, lift: a spring that grows stiffer with its load would give energy. */
  double small = 2e-4;
  const tacVec3 trick[] = {{0.0, 0.0, 1e-5},          {0.0, 0.0, -small}, {0.9 * small, 0.0, -small},
                           {0.9 * small, 0.0, -1e-3}, {0.0, 0.0, -1e-3},  {0.0, 0.0, 1e-5}};
  for (int forgetful = 0; forgetful < 2; ++forgetful) {
    Block block = {.side = 2, .size = 0.01};
    double work = path_work(&def, &block, 6, trick, forgetful);
    if (forgetful)
      ck_assert_double_lt(work, -1e-3 * scale);
    else
      ck_assert_double_ge(work, -1e-5 * scale);
  }
  tacRandom random = tac_random_seed(51);
  int trials = tac_test_light() ? 10 : 100, sticking = 0;
  for (int trial = 0; trial < trials; ++trial) {
    Block block = {.side = 1 + trial % 5, .size = 0.01};
    enum { PLACES = 10 };
    tacVec3 places[PLACES];
    double size = exp(tac_random_uniform(&random, log(1e-5), log(3e-3)));
    for (int i = 0; i < PLACES; ++i) {
      double x = tac_random_normal(&random), y = tac_random_normal(&random);
      places[i] = tac_vec3(size * x, size * y, tac_random_uniform(&random, -1.5e-3, -1e-5));
    }
    places[0] = tac_vec3(places[0].x, places[0].y, 1e-5);
    places[PLACES - 1] = places[0];
    places[1] = tac_vec3(places[0].x, places[0].y, places[1].z); /* comes and goes straight */
    double work = path_work(&def, &block, PLACES, places, false);
    double full = sharing(&def, block.side * block.side) * scale;
    ck_assert_double_ge(work, -1e-3 * full);
    sticking += work < 1e-2 * full;
  }
  ck_assert_int_gt(sticking, trials / 10); /* some of them stick nearly all the way */
}

/* The part of a force along the field's gradient is that of the energy, whichever direction of the cone it has. */
TAC_TEST(force_along_the_gradient_is_that_of_the_energy) {
  tacRandom random = tac_random_seed(73);
  for (int trial = 0; trial < 500; ++trial) {
    tacPenaltyDef def = tac_penalty_def_default();
    def.friction = trial % 5 == 0 ? 0.0 : tac_random_uniform(&random, 0.01, 1.5);
    tacVec3 out = tac_vec3_unit(random_vector(&random, 1.0)), normal = tac_vec3_unit(random_vector(&random, 1.0));
    tacVec3 gradient = tac_vec3_scale(tac_random_uniform(&random, 0.2, 1.7), out);
    double depth = tac_random_uniform(&random, 1e-6, 1e-3), step = 1e-9;
    tacVec3 n = tac_penalty_direction(&def, normal, out);
    ck_assert(tac_penalty_holds(&def, n, gradient));
    tacVec3 off = tac_vec3_unit(tac_vec3_add(n, random_vector(&random, 1.0)));
    double c = -tac_vec3_dot(off, out), slope = tac_vec3_norm(tac_vec3_cross(off, out)) / c;
    if (c <= 0.0 || fabs(slope - 0.5 * def.friction) > 1e-3)
      ck_assert(tac_penalty_holds(&def, off, gradient) == (c > 0.0 && slope < 0.5 * def.friction));
    double energy[2];
    for (int side = 0; side < 2; ++side) {
      points[0] = new_point(zero, n, depth + (side == 0 ? -step : step) * tac_vec3_norm(gradient), 1.0);
      energy[side] = tac_penalty_evaluate(&def, 1, points, springs, NULL).energy;
    }
    points[0] = new_point(zero, n, depth, 1.0);
    points[0].steep = tac_penalty_steep(n, gradient);
    tac_penalty_evaluate(&def, 1, points, springs, NULL);
    double rise = (energy[1] - energy[0]) / (2.0 * step);
    ck_assert_double_eq_tol(tac_vec3_dot(springs[0].force, out), rise, 1e-4 * rise + 1e-9);
    /* Dragged far it slides, and friction is mu times the whole force along n. */
    points[0].at = tac_vec3_cross(n, tac_vec3_unit(random_vector(&random, 1.0)));
    tac_penalty_evaluate(&def, 1, points, springs, NULL);
    double along = tac_vec3_dot(springs[0].force, n);
    tacVec3 across = tac_vec3_mad(springs[0].force, -along, n);
    ck_assert_double_eq_tol(tac_vec3_norm(across), def.friction * fabs(along), 1e-9 * fabs(along));
  }
}

/* Directions are unit, off -m by a slope of mu / 2 at most, the normal itself where that is so already, else in its
 * plane with m and as near to it as the cone allows; a small change of either changes them little. */
TAC_TEST(directions_stay_within_half_of_the_cone_of_friction) {
  tacRandom random = tac_random_seed(71);
  for (int trial = 0; trial < (tac_test_light() ? 500 : 5000); ++trial) {
    tacPenaltyDef def = tac_penalty_def_default();
    def.friction = trial % 5 == 0 ? 0.0 : tac_random_uniform(&random, 0.01, 1.5);
    tacVec3 out = tac_vec3_unit(random_vector(&random, 1.0)), normal = tac_vec3_unit(random_vector(&random, 1.0));
    if (trial % 3 == 0) normal = tac_vec3_unit(tac_vec3_mad(out, -0.1, normal)); /* nearly behind */
    if (trial % 3 == 1) normal = tac_vec3_unit(tac_vec3_mad(normal, -5.0, out)); /* nearly in front */
    tacVec3 n = tac_penalty_direction(&def, normal, out);
    double c = -tac_vec3_dot(n, out), slope = tac_vec3_norm(tac_vec3_cross(n, out)) / c, most = 0.5 * def.friction;
    double own = -tac_vec3_dot(normal, out), before = tac_vec3_norm(tac_vec3_cross(normal, out));
    ck_assert_double_eq_tol(tac_vec3_norm(n), 1.0, 1e-12);
    ck_assert(c > 0.0 && slope <= most + 1e-7);
    if (before < most * own - 1e-9) ck_assert_double_lt(tac_vec3_distance(n, normal), 1e-15);
    if (own > 0.0 && before > most * own) ck_assert_double_eq_tol(slope, most, 1e-7);
    ck_assert_double_lt(fabs(tac_vec3_dot(n, tac_vec3_cross(normal, out))), 1e-12);
    tacVec3 turned = tac_vec3_unit(tac_vec3_add(normal, random_vector(&random, 1e-7)));
    tacVec3 other = tac_vec3_unit(tac_vec3_add(out, random_vector(&random, 1e-7)));
    double way = tac_vec3_distance(turned, normal) + tac_vec3_distance(other, out);
    ck_assert_double_lt(tac_vec3_distance(tac_penalty_direction(&def, turned, other), n), 4.0 * way);
  }
}

/* A point at a depth d in a plane, dragged along it: whichever way its normal stands and it goes, friction takes at
 * least half of what it takes from one that stands upright, F l mu / 2 sqrt(1 + mu^2 / 4). With the normal itself as
 * direction it would give. */
TAC_TEST(sliding_dissipates_energy_for_any_normals) {
  const double depth = 5e-4, step = 1e-6, pi = 3.141592653589793;
  const tacVec3 up = {0.0, 0.0, 1.0};
  for (int mu = 1; mu <= 4; ++mu)
    for (int tilt = 0; tilt <= 12; ++tilt)
      for (int way = 0; way < 8; ++way) {
        tacPenaltyDef def = tac_penalty_def_default();
        def.friction = 0.2 * mu;
        double angle = pi * tilt / 12.0, heading = pi * way / 4.0, work = 0.0, most = 0.5 * def.friction;
        tacVec3 normal = tac_vec3(sin(angle), 0.0, -cos(angle)), along = tac_vec3(cos(heading), sin(heading), 0.0);
        tacVec3 at = tac_vec3(0.0, 0.0, -depth);
        points[0] = new_point(at, tac_penalty_direction(&def, normal, up), depth, 1.0);
        enum { STICKS = 4000, STEPS = 2000 };
        for (int i = 0; i < STICKS + STEPS; ++i) {
          tac_penalty_evaluate(&def, 1, points, springs, NULL);
          if (i >= STICKS) work -= step * tac_vec3_dot(springs[0].force, along);
          points[0].at = tac_vec3_mad(points[0].at, step, along);
        }
        double pressed = def.stiffness * depth * step * STEPS;
        ck_assert_msg(work >= 0.999 * pressed * most / sqrt(1.0 + most * most), "mu %g, %g degrees: %g of %g",
                      def.friction, 15.0 * tilt, work, pressed);
      }
}

/* What turns about its point of contact does not slip. */
TAC_TEST(rotation_in_place_is_no_slip) {
  tacPenaltyDef def = tac_penalty_def_default();
  def.friction = 0.8;
  tacPenaltyPoint p = new_point(zero, tac_vec3(0.0, 0.0, -1.0), 1e-5, 1.0);
  for (int step = 0; step <= 100; ++step) { /* pressed in along its normal, then tilted */
    double depth = 1e-5 + 1e-5 * fmin(step, 50), angle = 0.01 * fmax(step - 50, 0);
    p.at = tac_vec3(0.0, 0.0, -depth);
    p.normal = tac_vec3(sin(angle), 0.0, -cos(angle));
    p.depth = depth;
    tac_penalty_evaluate(&def, 1, &p, springs, NULL);
    tacVec3 f = springs[0].force;
    ck_assert_double_le(tac_vec3_norm(tac_vec3_mad(f, -tac_vec3_dot(f, p.normal), p.normal)), 1e-12);
  }
}

TAC_TEST(zero_friction_and_zero_points_work) {
  tacPenaltyDef def = tac_penalty_def_default();
  tacPenaltyReport report = tac_penalty_evaluate(&def, 0, points, springs, NULL);
  ck_assert_double_eq(report.shared, 0.0);
  ck_assert_double_eq(report.counted, 0.0);
  bool slides = true;
  points[0] = new_point(tac_vec3(1.0, 2.0, 3.0), tac_vec3(0.0, 1.0, 0.0), 2e-3, 1.5);
  points[0].anchor = zero;
  report = tac_penalty_evaluate(&def, 1, points, springs, &slides);
  ck_assert(!slides && report.sticking == 0 && report.sliding == 0);
  ck_assert_double_eq(report.depth, 2e-3);
  ck_assert_double_eq_tol(springs[0].force.y, -3.0, 1e-12);
  ck_assert_double_eq(springs[0].force.x, 0.0);
  ck_assert_double_eq_tol(springs[0].stiffness.m[1][1], 1500.0, 1e-9);
  ck_assert_double_eq(springs[0].stiffness.m[0][0], 0.0);
}

/* ---- exact gradients ---- */

static double entry(tacVec3 v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

enum { R = 4, N = 6 + R + 6 + R, SHELL = 60 };

/* A shell and a ball of a field, both free and deformable: the unknowns are (dx, domega, dq) of the shell, then of the
 * field. */
typedef struct Pair {
  tacVec3 point[SHELL], normal[SHELL], move[SHELL][R], tilt[SHELL][R];
  double weight[SHELL];
  tacVec3 shell_at, field_at; /* references that they turn about */
  tacVec3 ball, shift[R];     /* centre, and how deformations shift it */
  double radius, swell[R];    /* and how they blow it up */
} Pair;

static Pair make_pair(uint64_t seed) {
  tacRandom random = tac_random_seed(seed);
  Pair p = {.shell_at = {0.01, 0.0, -0.02}, .field_at = {-0.01, 0.03, 0.0}, .radius = 0.05};
  for (int j = 0; j < R; ++j) {
    p.shift[j] = random_vector(&random, 0.5);
    p.swell[j] = 0.3 * tac_random_normal(&random);
  }
  for (int i = 0; i < SHELL; ++i) {
    tacVec3 out = tac_vec3_unit(random_vector(&random, 1.0));
    p.point[i] = tac_vec3_scale(p.radius - tac_random_uniform(&random, 1e-5, 6e-4), out); /* inside the ball */
    p.normal[i] = tac_vec3_unit(tac_vec3_add(tac_vec3_scale(-1.0, out), random_vector(&random, 0.2)));
    p.weight[i] = tac_random_uniform(&random, 0.5, 1.5);
    for (int j = 0; j < R; ++j) {
      p.move[i][j] = random_vector(&random, 0.5);
      p.tilt[i][j] = random_vector(&random, 2.0);
    }
  }
  return p;
}

static tacVec3 vector_of(const double *x) {
  return tac_vec3(x[0], x[1], x[2]);
}

static void place_pair(const Pair *p, int count, const double x[N]) {
  const double *q = x + 6, *y = x + 6 + R, *field_q = y + 6;
  tacQuat turn = tac_quat_from_rotation_vector(vector_of(x + 3)), back;
  back = tac_quat_conjugate(tac_quat_from_rotation_vector(vector_of(y + 3)));
  tacVec3 ball = p->ball;
  double radius = p->radius;
  for (int j = 0; j < R; ++j) {
    ball = tac_vec3_mad(ball, field_q[j], p->shift[j]);
    radius += field_q[j] * p->swell[j];
  }
  for (int i = 0; i < count; ++i) {
    tacVec3 at = tac_vec3_sub(p->point[i], p->shell_at), normal = p->normal[i];
    for (int j = 0; j < R; ++j) {
      at = tac_vec3_mad(at, q[j], p->move[i][j]);
      normal = tac_vec3_mad(normal, q[j], p->tilt[i][j]);
    }
    at = tac_vec3_add(tac_vec3_add(p->shell_at, vector_of(x)), tac_quat_rotate(turn, at));
    normal = tac_quat_rotate(turn, tac_vec3_unit(normal));
    /* in the field's own frame */
    tacVec3 seen = tac_quat_rotate(back, tac_vec3_sub(tac_vec3_sub(at, p->field_at), vector_of(y)));
    double value = tac_vec3_distance(tac_vec3_add(seen, p->field_at), ball) - radius;
    points[i] = new_point(at, normal, -value, p->weight[i]);
  }
}

TAC_TEST(gradients_match_finite_differences) {
  for (int trial = 0; trial < 6; ++trial) {
    Pair p = make_pair(100 + (uint64_t)trial);
    int count = trial % 2 == 0 ? SHELL : 7; /* that share, and that do not */
    tacPenaltyDef def = tac_penalty_def_default();
    def.ramp = trial < 4 ? 3e-4 : 5e-6; /* some points shallower than it, or none */
    static double place[SHELL][3][N], normal[SHELL][3][N], value[SHELL][N], gradient[SHELL][3][N];
    static tacVec3 force[2][SHELL];
    memset(place, 0, sizeof place);
    memset(normal, 0, sizeof normal);
    memset(value, 0, sizeof value);
    double x[N] = {0.0}, work[N], most = 0.0, most_torque = 0.0;
    place_pair(&p, count, x);
    for (int i = 0; i < count; ++i) {
      tacVec3 at = points[i].at, n = points[i].normal, up = tac_vec3_unit(tac_vec3_sub(at, p.ball));
      for (int u = 0; u < N; ++u) {
        bool of_shell = u < 6 + R;
        int v = of_shell ? u : u - 6 - R;
        tacVec3 reference = of_shell ? p.shell_at : p.field_at, e = tac_vec3(v % 3 == 0, v % 3 == 1, v % 3 == 2);
        tacVec3 d = v < 3 ? e : tac_vec3_cross(e, tac_vec3_sub(at, reference)),
                tilt = v < 3 ? zero : tac_vec3_cross(e, n);
        if (v >= 6) {
          d = of_shell ? p.move[i][v - 6] : p.shift[v - 6];
          tilt = tac_vec3_mad(p.tilt[i][v - 6], -tac_vec3_dot(p.tilt[i][v - 6], n), n);
        }
        value[i][u] = (of_shell ? 1.0 : -1.0) * tac_vec3_dot(up, d);
        if (!of_shell && v >= 6) value[i][u] -= p.swell[v - 6];
        for (int axis = 0; axis < 3 && of_shell; ++axis) {
          place[i][axis][u] = entry(d, axis);
          normal[i][axis][u] = entry(tilt, axis);
        }
      }
    }
    tacPenaltyMotion motion = {N, place[0][0], normal[0][0], value[0]};
    tac_penalty_force_gradient(&def, count, points, &motion, work, gradient[0][0]);
    tacPenaltyReport report = tac_penalty_evaluate(&def, count, points, springs, NULL);
    ck_assert(count == SHELL ? report.shared < 0.5 * report.counted : report.shared == report.counted);
    for (int i = 0; i < count; ++i) force[0][i] = springs[i].force;
    for (int i = 0; i < count; ++i)
      for (int u = 0; u < N; ++u)
        for (int axis = 0; axis < 3; ++axis) most = fmax(most, fabs(gradient[i][axis][u]));
    for (int u = 0; u < N; ++u) {
      const double h = 1e-8;
      /* d(at x f) = d(at) x f + at x df */
      tacVec3 torque = zero, ways[2];
      for (int i = 0; i < count; ++i) {
        tacVec3 df = {gradient[i][0][u], gradient[i][1][u], gradient[i][2][u]};
        tacVec3 dx = {place[i][0][u], place[i][1][u], place[i][2][u]};
        torque = tac_vec3_add(torque, tac_vec3_cross(dx, force[0][i]));
        torque = tac_vec3_add(torque, tac_vec3_cross(p.point[i], df));
      }
      most_torque = fmax(most_torque, tac_vec3_norm(torque));
      for (int side = 0; side < 2; ++side) {
        x[u] = side == 0 ? h : -h;
        place_pair(&p, count, x);
        tac_penalty_evaluate(&def, count, points, springs, NULL);
        for (int i = 0; i < count; ++i) force[1 - side][i] = springs[i].force;
        ways[side] = total_torque(count);
      }
      x[u] = 0.0;
      for (int i = 0; i < count; ++i) {
        tacVec3 slope = tac_vec3_scale(0.5 / h, tac_vec3_sub(force[1][i], force[0][i]));
        for (int axis = 0; axis < 3; ++axis)
          ck_assert_double_eq_tol(gradient[i][axis][u], entry(slope, axis), 1e-5 * most);
      }
      tacVec3 slope = tac_vec3_scale(0.5 / h, tac_vec3_sub(ways[0], ways[1]));
      ck_assert_double_le(tac_vec3_distance(torque, slope), 1e-5 * most_torque);
      place_pair(&p, count, x);
      tac_penalty_evaluate(&def, count, points, springs, NULL);
      for (int i = 0; i < count; ++i) force[0][i] = springs[i].force;
    }
  }
}
