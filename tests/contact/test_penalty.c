#include "contact/penalty_points.h"

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
      double error = tac_vec3_distance(f, tac_vec3(0.0, 0.0, limit)) / limit;
      if (level_of_detail > 0) ck_assert_double_lt(error, 0.65 * before);
      before = error;
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
TAC_TEST(areas_take_away_the_torque_of_uneven_points) {
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
    torque[weighed] = tac_vec3_norm(total_torque(count));
    ck_assert_double_eq_tol(upright, def.stiffness * sharing(&def, 160.0) * 2e-4, 1e-9);
  }
  ck_assert_double_gt(torque[0], 0.5 * 0.05 * upright);
  ck_assert_double_lt(torque[1], 1e-9 * upright);
}

/* ---- continuity ---- */

TAC_TEST(flat_contacts_grow_evenly) {
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
TAC_TEST(shares_are_those_of_the_largest_energy) {
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

/* Of a box with its corner at the origin, on the negative sides. */
static double corner_value(tacVec3 x) {
  tacVec3 out = tac_vec3_max(x, zero);
  return tac_vec3_norm(out) > 0.0 ? tac_vec3_norm(out) : fmax(x.x, fmax(x.y, x.z));
}

enum { BODY = 3000 };
typedef struct Body {
  tacVec3 at[BODY], normal[BODY];
} Body;

/* A ball, or a cube of which whole faces come in at once. */
static void make_body(Body *body, bool cube, tacRandom *random) {
  for (int i = 0; i < BODY; ++i) {
    tacVec3 n = tac_vec3_unit(random_vector(random, 1.0));
    if (cube) {
      int axis = i % 3;
      double side = i % 2 == 0 ? 1.0 : -1.0;
      n = tac_vec3(axis == 0 ? side : 0.0, axis == 1 ? side : 0.0, axis == 2 ? side : 0.0);
      tacVec3 x = tac_random_in_box(random, (tacBox){{-0.02, -0.02, -0.02}, {0.02, 0.02, 0.02}});
      body->at[i] =
          tac_vec3(axis == 0 ? 0.02 * side : x.x, axis == 1 ? 0.02 * side : x.y, axis == 2 ? 0.02 * side : x.z);
    } else {
      body->at[i] = tac_vec3_scale(0.02, n);
    }
    body->normal[i] = n;
  }
}

/* Force at a pose, and the bound of its change by motion and by turning, from the header. */
static tacVec3 evaluate_body(const tacPenaltyDef *def, const Body *body, tacVec3 place, tacQuat turn, int *count,
                             double *bound, double *turning) {
  *count = 0;
  for (int i = 0; i < BODY; ++i) {
    tacVec3 at = tac_vec3_add(place, tac_quat_rotate(turn, body->at[i]));
    double value = corner_value(at);
    if (value < 0.0) points[(*count)++] = new_point(at, tac_quat_rotate(turn, body->normal[i]), -value, 1.0);
  }
  tacPenaltyReport report = tac_penalty_evaluate(def, *count, points, springs, NULL);
  *bound = (report.shared < report.counted ? 14.0 : 3.0) * def->stiffness * report.shared;
  *turning = def->stiffness * report.shared * report.depth;
  return total(*count);
}

/* A point comes in beside ten deep ones: in the thesis the whole force falls by an eleventh at once. */
TAC_TEST(points_that_come_in_take_no_jump) {
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

TAC_TEST(forces_are_continuous_along_random_paths) {
  static Body body;
  tacRandom random = tac_random_seed(31);
  tacPenaltyDef def = tac_penalty_def_default();
  def.ramp = 3e-4;
  double worst = 0.0;
  int paths = tac_test_light() ? 1 : 12, touched = 0;
  for (int path = 0; path < paths; ++path) {
    make_body(&body, path % 2 == 1, &random);
    /* over the faces, edges and the corner of the box, in and out */
    tacVec3 phase = random_vector(&random, 2.0), spin = random_vector(&random, path % 4 < 2 ? 0.0 : 0.5);
    tacVec3 before = zero, last = zero;
    double old_bound = 0.0, old_turning = 0.0;
    int axis = path % 3, steps = 1000;
    for (int s = 0; s < steps; ++s) {
      double t = 0.0005 * s;
      double dip = 0.0192 + 0.0015 * sin(15.0 * t + phase.x);
      tacVec3 place = {-0.03 * sin(2.0 * t + phase.y), -0.03 * cos(3.0 * t + phase.z), -0.03 * sin(3.0 * t)};
      place = tac_vec3(axis == 0 ? dip : place.x, axis == 1 ? dip : place.y, axis == 2 ? dip : place.z);
      tacQuat turn = tac_quat_from_rotation_vector(tac_vec3_scale(t, spin));
      int count;
      double bound, turning, angle = 0.0005 * tac_vec3_norm(spin);
      tacVec3 force = evaluate_body(&def, &body, place, turn, &count, &bound, &turning);
      if (s > 0) {
        double way = tac_vec3_distance(place, last) + 0.035 * angle; /* of any point */
        double most = 1.2 * (fmax(bound, old_bound) * way + fmax(turning, old_turning) * angle);
        double change = tac_vec3_distance(force, before);
        ck_assert_msg(change <= most, "path %d step %d: %g, bound %g", path, s, change, most);
        worst = fmax(worst, change / most);
        touched += count > 10;
      }
      before = force;
      last = place;
      old_bound = bound;
      old_turning = turning;
    }
  }
  ck_assert_int_gt(touched, paths * 200);
  ck_assert_double_gt(worst, 0.1); /* the bound is not idle */
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

/* N: of a block of 5 x 5 points that is as deep as the ramp. */
static double pulled_weight(void) {
  tacPenaltyDef def = tac_penalty_def_default();
  return def.stiffness * sharing(&def, 25.0) * def.ramp;
}

/* A block with mass that lies on the ground and is pulled: m x'' = pull + contact, with a damper that settles it. */
static double pulled_way(double share, double angle, double *speed) {
  tacPenaltyDef def = tac_penalty_def_default();
  def.friction = 0.5;
  Block block = {.side = 5, .size = 0.01};
  double mass = 0.1, weight = pulled_weight(), h = 1e-4;
  tacVec3 place = {0.0, 0.0, -def.ramp}, velocity = zero, start = place;
  tacVec3 pull = {share * def.friction * weight * cos(angle), share * def.friction * weight * sin(angle), -weight};
  for (int step = 0; step < 5000; ++step) {
    push_block(&def, &block, place, NULL);
    tacVec3 f = tac_vec3_add(total(25), tac_vec3_scale(fmin(1.0, step / 1000.0), tac_vec3(pull.x, pull.y, 0.0)));
    f.z += pull.z;
    if (share < 1.0 || step < 1000) f = tac_vec3_mad(f, -20.0, velocity);
    velocity = tac_vec3_mad(velocity, h / mass, f);
    place = tac_vec3_mad(place, h, velocity);
  }
  *speed = tac_vec3_norm(velocity);
  return tac_vec3_distance(place, start);
}

TAC_TEST(blocks_stick_below_and_slide_above_the_cone) {
  double speed, ramp = tac_penalty_def_default().ramp, weight = pulled_weight();
  for (int i = 0; i < 3; ++i) {
    double stuck = pulled_way(0.98, 0.7 * i, &speed);
    ck_assert_double_le(stuck, 1.01 * 0.98 * 0.5 * weight / (0.5 * weight / ramp)); /* the springs' stretch */
    ck_assert_double_lt(speed, 1e-8);
    pulled_way(1.02, 0.7 * i, &speed);
    /* 0.4 s free of damping under 2 % of mu N */
    ck_assert_double_gt(speed, 0.5 * 0.4 * 0.02 * 0.5 * weight / 0.1);
    ck_assert_double_lt(speed, 1.5 * 0.4 * 0.02 * 0.5 * weight / 0.1);
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

TAC_TEST(closed_ways_never_give_energy) {
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

/* A field of no unit gradient, as sampled and deformed ones have, about a ball; a body of 3000 points, of which many more than L
 * come and go, on closed ways that also turn it. Without friction the hand's work from any moment to any other is the change of what
 * is stored, to the error of integration, which falls with the square of the step. With the thesis's L / max(L, l), and with unit
 * directions, it is not. */
static double potential_value(tacVec3 x, tacVec3 *gradient) {
  const double radius = 0.03, size = tac_vec3_norm(x), bend = 1.0 + 0.3 * sin(x.z / 0.01);
  tacVec3 up = tac_vec3_scale(1.0 / size, x);
  *gradient = tac_vec3_scale(bend, up);
  gradient->z += (size - radius) * 0.3 * cos(x.z / 0.01) / 0.01;
  return bend * (size - radius);
}

TAC_TEST(closed_ways_without_friction_take_no_work) {
  static Body body;
  if (tac_test_light()) return; /* arithmetic alone, along paths that other cases have too */
  tacRandom random = tac_random_seed(81);
  tacPenaltyDef def = tac_penalty_def_default();
  def.ramp = 3e-4;
  for (int path = 0; path < 6; ++path) {
    make_body(&body, path % 2 == 1, &random);
    tacVec3 a = random_vector(&random, 1.0), b = random_vector(&random, 1.0), axis = random_vector(&random, 0.3);
    double error[2] = {0.0}, peak = 0.0, worked = 0.0;
    for (int fine = 0; fine < 2; ++fine) {
      int steps = 1000 << (2 * fine), most = 0;
      double work = 0.0, start = 0.0;
      tacVec3 last = zero, force = zero, torque = zero;
      tacQuat turn = tac_quat_identity();
      for (int s = 0; s <= steps; ++s) {
        const double t = 2.0 * M_PI * s / steps;
        tacVec3 up = tac_vec3_unit(tac_vec3_add(tac_vec3_scale(cos(t), a), tac_vec3_scale(sin(t), b)));
        double far = path % 2 == 1 ? 0.049 : 0.0475; /* a face of the cube, or its edge; the ball */
        tacVec3 place = tac_vec3_scale(far + 0.0015 * sin(2.0 * t), up);
        tacQuat now = tac_quat_from_rotation_vector(tac_vec3_scale(sin(t), axis));
        int count = 0;
        for (int i = 0; i < BODY; ++i) {
          tacVec3 at = tac_vec3_add(place, tac_quat_rotate(now, body.at[i])), gradient;
          double value = potential_value(at, &gradient);
          if (value >= 0.0) continue;
          points[count] = new_point(at, tac_vec3_scale(-1.0, tac_vec3_unit(gradient)), -value, 1.0);
          points[count].steep = tac_penalty_steep(points[count].normal, gradient);
          ++count;
        }
        tacPenaltyReport report = tac_penalty_evaluate(&def, count, points, springs, NULL);
        tacVec3 push = total(count), twist = zero;
        for (int i = 0; i < count; ++i)
          twist = tac_vec3_add(twist, tac_vec3_cross(tac_vec3_sub(springs[i].at, place), springs[i].force));
        tacVec3 spin = tac_quat_to_rotation_vector(tac_quat_mul(now, tac_quat_conjugate(turn)));
        if (s == 0) {
          start = report.energy;
        } else {
          double part = -tac_vec3_dot(tac_vec3_mix(force, push, 0.5), tac_vec3_sub(place, last)) -
                        tac_vec3_dot(tac_vec3_mix(torque, twist, 0.5), spin);
          work += part;
          worked += fabs(part);
          error[fine] = fmax(error[fine], fabs(work - (report.energy - start)));
        }
        peak = fmax(peak, report.energy);
        most = count > most ? count : most;
        last = place, force = push, torque = twist, turn = now;
      }
      ck_assert_int_gt(most, 30);
    }
    ck_assert_msg(error[1] < 1e-3 * peak && error[1] < 0.25 * error[0] + 1e-6 * peak, "path %d: %g J, %g J of %g J",
                  path, error[0], error[1], peak);
    ck_assert_double_gt(worked, peak);
  }
}

/* The part of a force along the field's gradient is that of the energy, whichever direction of the cone it has. */
TAC_TEST(forces_have_the_part_of_the_energy_along_gradients) {
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
TAC_TEST(sliding_takes_energy_however_normals_stand) {
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
TAC_TEST(turning_in_place_is_no_slip) {
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

TAC_TEST(no_friction_and_no_points_are_nothing_special) {
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
