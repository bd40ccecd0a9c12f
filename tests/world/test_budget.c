/* What pairs take of a step, on machines whose clock is made up here. */
#include "world/pairs/budget.h"

#include "asset/make_shell.h"
#include "asset/pointshell.h"
#include "world/pair_bench.h"
#include "world/pairs/pair.h"
#include "world/world_control.h"

/* ---- a machine ---- */

static const double unit = 2e-8; /* s of a unit of cost, as the worlds think at first */

typedef struct {
  const tacWorld *world;
  double factor; /* on `unit`, as it really is */
  double noise;  /* of what a step takes, at most this part */
  int interrupted_every;
  tacRandom random;
  double now; /* s */
  int steps;
  uint32_t evaluation[2];
  double seconds[2]; /* of the last step, without interruptions */
} Machine;

static Machine machine;

static int64_t machine_clock(void) {
  for (int p = 0; p < machine.world->pair_count; ++p) {
    const tacPair *pair = &machine.world->contact_pairs[p];
    if (pair->evaluation == machine.evaluation[p]) continue;
    machine.evaluation[p] = pair->evaluation;
    double factor = machine.factor * (1.0 + tac_random_uniform(&machine.random, -machine.noise, machine.noise));
    machine.seconds[p] = unit * factor * pair->traversed.cost;
    machine.now += machine.seconds[p];
    if (machine.interrupted_every > 0 && ++machine.steps % machine.interrupted_every == 0) machine.now += 0.01;
  }
  return (int64_t)(1e9 * machine.now);
}

/* ---- worlds ---- */

typedef struct {
  Bench b;
  tacPointshell *ball;
  tacWorld *world;
} Scene;

/* A ball of many points, radius 1 m, all of it below a plane, and beside a wall at x = 1 m. It pushes hardly. */
static Scene make_scene(double budget, bool walled, int points) {
  Scene s = {.b = make_bench()};
  s.ball = tac_test_keep(make_shell(make_sphere_parts(points, 6, 3)), tac_pointshell_destroy);
  s.b.pair.stiffness = 1e-4;
  s.world = tac_test_keep(begin(budget), tac_world_destroy);
  s.b.wall = kept_plane(tac_vec3(-1.0, 0.0, 0.0), -1.0);
  tacBodyId ball = add_rigid(s.world, "ball", s.b.block, s.ball, NULL, tac_vec3(0.0, 0.0, -2.0));
  tacBodyId ground = add_rigid(s.world, "ground", s.b.ground, NULL, s.b.plane, tac_vec3(0.0, 0.0, 0.0));
  tacBodyId side = add_rigid(s.world, "wall", s.b.ground, NULL, s.b.wall, tac_vec3(0.0, 0.0, 0.0));
  pair_up(s.world, &s.b, ball, ground);
  if (walled) pair_up(s.world, &s.b, ball, side);
  hold(s.world, &s.b, ball);
  for (int p = 0; p < s.world->pair_count; ++p) { /* as if measured */
    tacPair *pair = &s.world->contact_pairs[p];
    tac_pair_set_value(pair, TAC_PAIR_CONTACT, 0.5);
    if (!(budget > 0.0)) continue;
    tac_pair_set_value(pair, TAC_PAIR_NODES, floor(budget / s.world->pair_count / unit));
    pair->cost = (tacPairCost){.rate = unit, .samples = {unit, unit, unit}};
  }
  machine = (Machine){.world = s.world, .factor = 1.0, .noise = 0.03, .random = tac_random_seed(4)};
  s.world->clock = machine_clock;
  return s;
}

static tacTickReport tick(Scene *s, double x, int *changes) {
  tacTickReport report;
  int parameter;
  double value;
  if (tac_world_keep_budget(s->world, &parameter, &value)) ++*changes;
  step(s->world, tac_vec3(x, 0.0, -2.0), tac_quat_identity(), &report);
  return report;
}

/* ---- one pair ---- */

/* Wherever the machine is not what it was thought to be, or becomes another one, steps soon take what they may: on
 * average within 10 % of the budget, and none that was not interrupted more than 10 % above it. */
TAC_TEST(budget_is_kept_and_used) {
  static const double budgets[] = {1e-4, 3e-4, 1e-3}, factors[] = {1.0, 5.0, 0.3, 2.0};
  const int settling = 300, looked_at = 100;
  for (int i = 0; i < (tac_test_all() ? 3 : 2); ++i) { /* few points do not fill a millisecond */
    Scene s = make_scene(budgets[i], false, tac_test_all() ? 20000 : 6000);
    machine.interrupted_every = 23;
    int filled = 0, changes = 0;
    for (int f = 0; f < (int)(sizeof factors / sizeof *factors); ++f) {
      double used = 0.0, most = 0.0;
      bool degraded = true;
      machine.factor = factors[f];
      for (int t = 0; t < settling + looked_at; ++t) {
        tacTickReport report = tick(&s, 1e-4 * sin(0.01 * t), &changes);
        if (t < settling) continue;
        degraded = degraded && report.degraded > 0;
        used += machine.seconds[0] / looked_at;
        most = fmax(most, machine.seconds[0]);
      }
      tac_test_print("%g us, %g: %.3f, most %.3f, %d changes%s\n", 1e6 * budgets[i], factors[f], used / budgets[i],
                     most / budgets[i], changes, degraded ? "" : ", all rendered");
      ck_assert_double_lt(most, 1.1 * budgets[i]);
      if (degraded) ck_assert_double_gt(used, 0.9 * budgets[i]);
      filled += degraded;
    }
    ck_assert_int_ge(filled, 2);
    ck_assert_int_lt(changes, 4 * (settling + looked_at) / 3); /* of the limit: not in every step */
  }
}

/* ---- two ---- */

/* The ball only just touches the wall: that pair leaves nothing out, and the other has the rest. When it goes into the
 * wall, at 1 mm a step, each has half; back again, it is as before. */
TAC_TEST(unused_budget_goes_to_other_pairs) {
  const double budget = 1e-4, places[] = {0.002, 0.6, 0.002};
  Scene s = make_scene(budget, true, 10000);
  int changes = 0;
  for (int place = 0; place < 3; ++place) {
    double used[2] = {0.0, 0.0}, most = 0.0;
    int degraded[2] = {0, 0};
    for (int t = 0; t < 1000; ++t) {
      tick(&s, places[place], &changes);
      for (int p = 0; p < 2 && t >= 800; ++p) {
        used[p] += machine.seconds[p] / 200.0;
        degraded[p] += s.world->contact_pairs[p].traversed.degraded;
      }
      if (t >= 800) most = fmax(most, machine.seconds[0] + machine.seconds[1]);
    }
    tac_test_print("at %g: %.3f (%d) and %.3f (%d)\n", places[place], used[0] / budget, degraded[0], used[1] / budget,
                   degraded[1]);
    ck_assert_double_gt(used[0] + used[1], 0.9 * budget);
    ck_assert_double_lt(most, 1.1 * budget);
    ck_assert_int_eq(degraded[0], 200);
    ck_assert_int_eq(degraded[1], place == 1 ? 200 : 0);
    if (place == 1) ck_assert_double_eq_tol(used[0], used[1], 0.1 * budget);
    if (place != 1) ck_assert_double_gt(used[0], 3.0 * used[1]);
  }
}

/* ---- again ---- */

/* Time reaches a world by what is told of its limits, and in no other way: with those set again it does the same, bit for
 * bit, without a clock. */
TAC_TEST(the_same_limits_give_the_same_steps) {
  enum { TICKS = 300 };
  static tacToolOutput outputs[TICKS];
  static tacTickReport reports[TICKS];
  static struct {
    int parameter;
    double value;
  } set[TICKS];
  Scene s = make_scene(1e-4, true, 10000), again = make_scene(0.0, true, 10000);
  machine.world = s.world;
  machine.factor = 3.0;
  int changes = 0;
  for (int i = 0; i < tac_world_parameter_count(s.world); ++i)
    tac_test_ok(tac_world_set_parameter(again.world, i, tac_world_parameter(s.world, i).value, &error), error);
  for (int i = 0; i < TICKS; ++i) {
    tacVec3 at = tac_vec3(0.001 * i, 0.0, -2.0);
    if (!tac_world_keep_budget(s.world, &set[i].parameter, &set[i].value)) set[i].parameter = -1;
    outputs[i] = step(s.world, at, tac_quat_identity(), &reports[i]);
    changes += set[i].parameter >= 0;
  }
  ck_assert_int_gt(changes, 20);
  again.world->clock = NULL;
  for (int i = 0; i < TICKS; ++i) {
    tacTickReport report;
    tacVec3 at = tac_vec3(0.001 * i, 0.0, -2.0);
    int parameter;
    double value;
    ck_assert(!tac_world_keep_budget(again.world, &parameter, &value));
    if (set[i].parameter >= 0)
      tac_test_ok(tac_world_set_parameter(again.world, set[i].parameter, set[i].value, &error), error);
    tacToolOutput output = step(again.world, at, tac_quat_identity(), &report);
    ck_assert_int_eq(memcmp(&output.force, &outputs[i].force, sizeof output.force), 0);
    ck_assert_int_eq(memcmp(&output.proxy, &outputs[i].proxy, sizeof output.proxy), 0);
    ck_assert(report.visited == reports[i].visited && report.points == reports[i].points);
  }
}

/* A state that is kept goes on as it did: what sleeps, and so how much fits into a limit, is in it, and what is open. The
 * ball turns, so that its points change places. */
TAC_TEST(saved_state_restores_its_limits) {
  Scene s = make_scene(1e-4, true, 10000);
  size_t size = tac_world_memory_size(s.world);
  TAC_MEMORY(void, memory) = malloc(size);
  tacToolOutput outputs[30];
  tacTickReport reports[30];
  int changes = 0;
  for (int i = 0; i < 50; ++i) tick(&s, 1e-3 * i, &changes);
  tac_test_ok(tac_world_save(s.world, size, memory, &error), error);
  for (int turn = 0; turn < 2; ++turn) {
    for (int i = 0; i < 30; ++i) {
      tacTickReport report;
      tacQuat turned = tac_quat_from_rotation_vector(tac_vec3(1e-2 * i, 0.0, 0.0));
      tacToolOutput output =
          step(s.world, tac_vec3(0.05 + 1e-3 * i, 0.0, -2.0), turned, turn == 0 ? &reports[i] : &report);
      if (turn == 0) {
        outputs[i] = output;
        continue;
      }
      ck_assert_int_eq(memcmp(&output.force, &outputs[i].force, sizeof output.force), 0);
      ck_assert(report.visited == reports[i].visited && report.points == reports[i].points);
    }
    tac_test_ok(tac_world_load(s.world, size, memory, &error), error);
  }
}

/* ---- forces ---- */

/* All of the ball is below the plane, so that what is in contact has its whole surface: weights are areas over the mean of the
 * finest level, whichever levels there are. */
TAC_TEST(point_weights_sum_to_the_surface_area) {
  Scene s = make_scene(0.0, false, 2000);
  tacPair *pair = &s.world->contact_pairs[0];
  int parts = 0;
  for (double cost = 10.0; cost < 4000.0; cost *= 1.02) {
    double sum = 0.0;
    tac_pair_set_value(pair, TAC_PAIR_NODES, cost);
    tac_pair_reset(pair);
    tac_pair_evaluate(pair, s.world->bodies);
    for (int i = 0; i < pair->count; ++i) sum += pair->at[i].weight;
    ck_assert_double_eq_tol(sum, tac_pointshell_size(s.ball, TAC_POINTSHELL_MOST_LEVELS), 1e-5 * sum);
    parts += pair->traversed.part > 0.0;
  }
  ck_assert_int_gt(parts, 100);
}

static double largest_area(const tacPointshellView *view, int level) {
  double largest = 0.0;
  for (int i = 0; i < view->sizes[level]; ++i)
    if ((double)view->tree_areas[level][i] > largest) largest = (double)view->tree_areas[level][i];
  return largest;
}

/* Opening one node more changes the force by no more than that node's part, of weight w: with r = phi / e of the deepest, its own
 * force, k w r^2 d, and that of the others by their shares, (phi / e)^2, where e^3 changes by w r^3 / L of it. A ball is half in the
 * wall. */
TAC_TEST(force_varies_gradually_with_the_cost_limit) {
  Scene s = make_scene(0.0, true, 4000);
  tacPair *pair = &s.world->contact_pairs[1];
  const tacPointshellView *view = tac_pointshell_view(s.ball);
  s.world->bodies[0].frame.position.x = 1.0;
  double before = 0.0, changed = 0.0;
  int last_level = -1;
  for (double cost = 60.0; cost < 1500.0; cost += 1.0) {
    tac_pair_set_value(pair, TAC_PAIR_NODES, cost);
    tac_pair_reset(pair);
    tac_pair_evaluate(pair, s.world->bodies);
    const int level = pair->traversed.level;
    double force = 0.0, part = 0.0;
    for (int i = 0; i < pair->count; ++i) {
      force += pair->springs[i].force.x;
      part = fmax(part, pair->at[i].share / pair->at[i].weight); /* r^2 */
    }
    double node = largest_area(view, level) / tac_pointshell_surface_area(s.ball) * view->sizes[view->level_count - 1];
    /* Of two limits that follow each other at most one node's children come: each costs at least as much. */
    if (last_level == level && pair->pressed.counted > 2.0 * s.b.pair.full_count) {
      double own = s.b.pair.stiffness * part * pair->pressed.depth;
      double others = 2.0 / 3.0 * fabs(force) * part * sqrt(part) / s.b.pair.full_count;
      ck_assert_double_le(fabs(force - before), 2.0 * node * (own + others));
      changed = fmax(changed, fabs(force - before));
    }
    before = force;
    last_level = level;
  }
  ck_assert_double_gt(changed, 0.0);
  ck_assert_int_ge(last_level, 2);
  ck_assert_int_lt(last_level, view->level_count - 1);
}
