/* A finger on a soft cube whose steps are longer than the ticks, with stiff springs and rough hands, before any limit or controller acts:
 * it creates no energy, and while it presses its contact is never lost. TACTUS_TEST_ALL takes every case; TACTUS_TEST_PRINT prints. */
#include "physics/cells.h"

enum { SECONDS = 3, RUN_TICKS = 1000 * SECONDS, WINDOW = 1000 };

/* How a hand moves; depth in m. A hand that is led has a mass of 0.15 kg on a spring; one that is not goes its way whatever it feels. */
typedef struct Way {
  const char *name;
  double mean, swing, rate, aside; /* m, m, Hz, m */
  bool led;
} Way;
static const Way ways[] = {{"press 5 Hz", 3e-3, 2e-3, 5.0, 0.0, false}, {"press 10 Hz", 3e-3, 2e-3, 10.0, 0.0, false},
                           {"tap 5 Hz", 1e-3, 3e-3, 5.0, 0.0, false},   {"rub 3 Hz", 3e-3, 0.0, 3.0, 8e-3, false},
                           {"hand 5 Hz", 6e-3, 4e-3, 5.0, 0.0, true},   {"hand rubs", 6e-3, 2e-3, 4.0, 6e-3, true}};
enum { WAYS = sizeof ways / sizeof *ways };

typedef struct Felt {
  double work;       /* J: that was exchanged */
  double created;    /* J: the most within a second, beyond what was stored when it began */
  double mean, most; /* N: along the way in */
  int lost;          /* the most ticks in a row without a force while it was inside */
  int refused;
} Felt;

static Felt touch(const SmallBodies *s, Family family, double radius, double stiffness, int every, const Way *way) {
  TAC_OWN(tacWorld, world) = make_world_with(TAC_METHOD_PENALTY, every);
  Cube cube = cube_of(family, "cube");
  cube.body.touch_stiffness = stiffness;
  cube.body.touch_damping = 0.0;
  add_cube(world, s, &cube);
  tac_test_ok(tac_world_add_point_tool(world, &(tacPointToolDef){"finger", radius}, NULL, &error), error);
  seal(world);
  const double turn = 6.283185307179586, mass = 0.15, k = 800.0, c = 2.0 * sqrt(mass * k);
  tacVec3 start = tac_vec3(EDGE + 2e-3, 0.47 * EDGE, 0.53 * EDGE), at = start, velocity = tac_vec3(0.0, 0.0, 0.0);
  tacToolOutput out = {0};
  Felt felt = {0};
  int gone = 0;
  static double given[RUN_TICKS + 1];
  given[0] = 0.0;
  for (int tick = 0; tick < RUN_TICKS; ++tick) {
    double t = tick * period, grow = smooth(t / 0.2), leave = 1.0 - smooth((t - SECONDS + 0.2) / 0.15);
    double in = grow * leave * (2e-3 + way->mean - way->swing * cos(turn * way->rate * t)) - 2e-3 * (1.0 - leave);
    double aside = grow * leave * way->aside * sin(turn * way->rate * t);
    tacVec3 target = tac_vec3(start.x - in, start.y + aside, start.z - 0.6 * aside), was = at;
    tacVec3 force = out.force;
    if (way->led) {
      tacVec3 pull = tac_vec3_mad(tac_vec3_scale(k, tac_vec3_sub(target, at)), -c, velocity);
      velocity = tac_vec3_mad(velocity, period / mass, tac_vec3_add(pull, force));
      at = tac_vec3_mad(at, period, velocity);
    } else {
      at = target;
    }
    tacToolInput input = {.position = at, .orientation = {1.0, 0.0, 0.0, 0.0}};
    tacTickReport report = step_world(world, &input, &out);
    double work = -0.5 * tac_vec3_dot(tac_vec3_add(force, out.force), tac_vec3_sub(at, was));
    felt.work += fabs(work);
    given[tick + 1] = given[tick] + work;
    felt.refused += report.refused;
    felt.most = fmax(felt.most, out.force.x);
    felt.mean += out.force.x / RUN_TICKS;
    bool inside = at.y > 4e-3 && at.y < EDGE - 4e-3 && at.z > 4e-3 && at.z < EDGE - 4e-3;
    gone = inside && at.x < EDGE - 2e-3 && !(out.force.x > 0.0) ? gone + 1 : 0;
    if (gone > felt.lost) felt.lost = gone;
  }
  /* Motions repeat in a second: what is stored then is the same. At first it is nothing. */
  for (int t = 0; t <= RUN_TICKS; ++t) felt.created = fmax(felt.created, -given[t]);
  for (int t = 300; t + WINDOW <= RUN_TICKS - 200; ++t) felt.created = fmax(felt.created, given[t] - given[t + WINDOW]);
  return felt;
}

TAC_TEST(fingers_create_nothing_and_are_never_lost) {
  SmallBodies s = make_all_small_bodies();
  static const Family families[] = {GREEN, REDUCED, COROTATIONAL, HYPERELASTIC, VADEMECUM};
  static const int steps[] = {4, 10, 20, 50};
  static const double stiffness[] = {300.0, 2000.0, 5000.0};
  int failed = 0;
  for (int f = 0; f < 5; ++f)
    for (int e = 0; e < 4; ++e)
      for (int k = 0; k < 3; ++k)
        for (int w = 0; w < 2 * WAYS; ++w) {
          const Way *way = &ways[w / 2];
          double radius = w % 2 == 0 ? 0.0 : 6e-3; /* a point, and a fingertip */
          if (!tac_test_all() && (f + e + 2 * k + w) % 13 != 0) continue;
          Felt felt = touch(&s, families[f], radius, stiffness[k], steps[e], way);
          /* A body of long steps may lag behind a fast hand that goes out, by less than a step. */
          bool good = felt.lost <= (steps[e] < 50 ? 0 : steps[e]) && felt.refused == 0 &&
                      felt.created < fmin(1e-3, 0.01 * felt.work + 1e-6);
          failed += !good;
          if (!good || getenv("TACTUS_TEST_TELL") != NULL)
            fprintf(
                stderr,
                "%-12s %-9s every %2d, %4.0f N/m, %-11s: created %7.3f of %7.1f mJ, lost %4d, mean %6.3f most %6.2f N, "
                "refused %d%s\n",
                family_names[families[f]], radius > 0.0 ? "fingertip" : "point", steps[e], stiffness[k], way->name,
                1e3 * felt.created, 1e3 * felt.work, felt.lost, felt.mean, felt.most, felt.refused,
                good ? "" : "  <--");
        }
  ck_assert_int_eq(failed, 0);
}
