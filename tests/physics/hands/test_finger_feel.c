/* What a hand can feel of a fingertip on a soft cube, of every kind, at one rate and at two: the goals of docs/truth.md. Before any limit or
 * controller. TACTUS_TEST_ALL takes longer runs and more rates; TACTUS_TEST_PRINT prints. */
#include "physics/cells.h"

#define RADIUS 6e-3 /* m */
static const Family families[] = {GREEN, REDUCED, COROTATIONAL, HYPERELASTIC, VADEMECUM};
static const int rates[] = {1, 10, 4, 20}; /* ticks of a step; the last two with TACTUS_TEST_ALL */
enum { FAMILIES = sizeof families / sizeof *families };

static int rate_count(void) {
  return tac_test_all() ? 4 : 2;
}

static tacWorld *cube_with_fingertip(const SmallBodies *s, Family family, int every, double friction) {
  tacWorld *world = make_world_with(TAC_METHOD_PENALTY, every);
  Cube cube = cube_of(family, "cube");
  cube.body.friction = friction;
  add_cube(world, s, &cube);
  tac_test_ok(tac_world_add_point_tool(world, &(tacPointToolDef){"finger", RADIUS}, NULL, &error), error);
  seal(world);
  return world;
}

static tacToolOutput feel(tacWorld *world, tacVec3 at) {
  tacToolOutput out;
  step_world(world, &(tacToolInput){.position = at, .orientation = {1.0, 0.0, 0.0, 0.0}}, &out);
  return out;
}

/* A hand of 0.15 kg on a spring of 400 N/m holds still 3 mm in a cube; the device tells where it is in steps of 55 um. */
static const double encoder = 55e-6;
typedef struct Tremor {
  double force;     /* N, from peak to peak */
  double stiffness; /* N/m */
} Tremor;

static Tremor hold_still(tacWorld *world, int ticks) {
  const double mass = 0.15, k = 400.0, c = sqrt(mass * k);
  tacVec3 target = tac_vec3(EDGE - 3e-3, 0.47 * EDGE, 0.53 * EDGE), at = tac_vec3_add(target, tac_vec3(5e-3, 0, 0));
  tacVec3 velocity = tac_vec3(0.0, 0.0, 0.0), force = velocity;
  double least = INFINITY, most = -INFINITY;
  for (int tick = 0; tick < 1000 + ticks; ++tick) {
    tacVec3 pull = tac_vec3_mad(tac_vec3_scale(k, tac_vec3_sub(target, at)), -c, velocity);
    velocity = tac_vec3_mad(velocity, period / mass, tac_vec3_add(pull, force));
    at = tac_vec3_mad(at, period, velocity);
    force = feel(world, tac_vec3(encoder * round(at.x / encoder), encoder * round(at.y / encoder),
                                 encoder * round(at.z / encoder)))
                .force;
    if (tick < 1000) continue;
    least = fmin(least, force.x);
    most = fmax(most, force.x);
  }
  ck_assert_double_gt(least, 0.1);
  return (Tremor){most - least, most / (EDGE - at.x)};
}

/* At most 20 mN, or half more than a step of the encoder in the cube's mean stiffness: that much the device tells, and what is pressed is stiffer than
 * in the mean. */
TAC_TEST(fingertips_hold_still) {
  SmallBodies s = make_all_small_bodies();
  int failed = 0;
  for (int k = 0; k < FAMILIES * rate_count(); ++k) {
    Family family = families[k % FAMILIES];
    int every = rates[k / FAMILIES];
    TAC_OWN(tacWorld, world) = cube_with_fingertip(&s, family, every, 0.3);
    Tremor felt = hold_still(world, tac_test_all() ? 10000 : 1000);
    bool good = felt.force < fmax(0.02, 1.5 * felt.stiffness * encoder);
    failed += !good;
    if (!good || getenv("TACTUS_TEST_TELL") != NULL)
      fprintf(stderr, "%-12s every %2d: tremor %.1f mN at %.0f N/m\n", family_names[family], every, 1e3 * felt.force,
              felt.stiffness);
  }
  ck_assert_int_eq(failed, 0);
}

/* Sliding 2 mm deep at 0.2 m/s over the middle of a face, there and back, without friction. */
typedef struct Slide {
  double rough; /* N: rms above 100 Hz */
  double drag;  /* of the pressing force: what resists the motion, in the mean there and back */
} Slide;

static Slide slide_fast(tacWorld *world, int times) {
  const double reach = 8e-3, speed = 0.2, turn = 2e-3; /* m, m/s, m: where it turns round */
  double drag = 0.0, pressing = 0.0, square = 0.0;
  double slow[3] = {0.0}, decay = exp(-6.283185307179586 * 100.0 * period);
  int count = 0, way = 1;
  tacVec3 at = tac_vec3(EDGE + 1e-3, 0.5 * EDGE, 0.5 * EDGE);
  for (int i = 0; i < 300; ++i) feel(world, tac_vec3(at.x - 3e-3 * fmin(1.0, i / 150.0), at.y, at.z));
  at.x -= 3e-3;
  double v = 0.0;
  for (int turns = 0; turns < 2 * times + 1;) {
    double beyond = fabs(at.y - 0.5 * EDGE) - reach;
    if (beyond > turn && (at.y - 0.5 * EDGE) * way > 0.0) way = -way, ++turns;
    v += fmin(0.02, fmax(-0.02, way * speed - v)); /* 20 m/s^2 */
    at.y += v * period;
    tacVec3 f = feel(world, at).force;
    double now[3] = {f.x, f.y, f.z}, rough = 0.0;
    for (int k = 0; k < 3; ++k) {
      slow[k] += (1.0 - decay) * (now[k] - slow[k]);
      rough += (now[k] - slow[k]) * (now[k] - slow[k]);
    }
    if (turns == 0 || beyond > 0.0 || fabs(v) < 0.99 * speed) continue;
    square += rough;
    pressing += f.x;
    drag -= f.y * way;
    ++count;
  }
  ck_assert_int_gt(count, 100);
  return (Slide){sqrt(square / count), drag / pressing};
}

/* The goals are 10 mN above 100 Hz and 1 % of drag. At two rates quasi-static bodies miss the first, 43 to 66 mN, since their problem stays
 * where it is for a step; and bodies with inertia the second, up to 1.3 %, since they follow a step later. The reduced cube has two
 * bricks an edge: its patch is wider than a face. */
TAC_TEST(fingertips_slide_smoothly) {
  SmallBodies s = make_all_small_bodies();
  int failed = 0;
  int rate_most = rate_count() < 3 ? rate_count() : 3; /* at 50 Hz not even that: docs/fingertip.md */
  for (int k = 0; k < FAMILIES * rate_most; ++k) {
    Family family = families[k % FAMILIES];
    int every = rates[k / FAMILIES];
    if (family == REDUCED) continue;
    TAC_OWN(tacWorld, world) = cube_with_fingertip(&s, family, every, 0.0);
    bool slow = every > 1, statics = family == GREEN || family == COROTATIONAL;
    Slide slid = slide_fast(world, tac_test_all() ? 10 : 2);
    bool good = slid.rough < (slow && statics ? 0.09 : 0.01) && fabs(slid.drag) < (slow && !statics ? 0.02 : 0.01);
    failed += !good;
    if (!good || getenv("TACTUS_TEST_TELL") != NULL)
      fprintf(stderr, "%-12s every %2d: above 100 Hz %.1f mN, drag %.2f %%\n", family_names[family], every,
              1e3 * slid.rough, 1e2 * slid.drag);
  }
  ck_assert_int_eq(failed, 0);
}
