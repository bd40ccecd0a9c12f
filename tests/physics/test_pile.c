/* Bodies that are dropped on each other, with pairs whose stiffness nobody gave. */
#include "physics/small_bodies.h"
#include "step_world.h"
#include "world/world.h"
#include "world/world_parts.h"

enum { COUNT = 5 };
static const double gap = 0.002; /* m: from which each falls */

static tacWorld *begin_world(tacContactMethod method) {
  tacWorldDef def = tac_world_def_default();
  def.method = method;
  return tac_test_made(tacWorld *, tac_world_create(&def, &made, &error));
}

/* The i-th cube of a pile, held at its lower face where it is the first, and else free; none is quite over the one below. */
static tacBodyId add_to_pile(tacWorld *world, const SmallBodies *s, Family family, int i, double heavier) {
  static const char *const names[COUNT] = {"0", "1", "2", "3", "4"};
  Cube c = cube_of(family, names[i]);
  c.heavier = heavier;
  c.body.free = i > 0;
  c.body.gravity = tac_vec3(0.0, 0.0, i > 0 ? -9.81 : 0.0);
  c.body.pose.position = tac_vec3(EDGE + 0.001 * (i % 2), 0.001 * (i % 3), (EDGE + gap) * i);
  tac_quat_put(tac_quat_from_axis_angle(tac_vec3(0.0, 1.0, 0.0), -0.5 * 3.14159265358979), c.body.pose.orientation);
  return add_cube(world, s, &c);
}

static void pair_with(tacWorld *world, tacBodyId points, tacBodyId field, tacContactMethod method, bool surfaces) {
  tacPairDef pair = tac_pair_def_default();
  pair.points = points;
  pair.field = field;
  pair.friction = 0.5;
  pair.method = method;
  if (surfaces) pair.laws.detect = TAC_DETECT_SURFACES;
  tac_test_ok(tac_world_add_pair(world, &pair, NULL, &error), error);
}

/* The mean of a body's vertices. */
static tacVec3 mean_of(const tacWorld *world, int b) {
  const tacWorldBody *body = &world->bodies[b];
  const tacTriMesh *surface = tac_body_describe(&body->body).surface;
  tacVec3 sum = {0.0, 0.0, 0.0};
  for (int t = 0; t < surface->triangle_count; ++t) {
    tacSite site = tac_site_on_surface((tacSurfacePoint){t, {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0}});
    sum = tac_vec3_mad(sum, 1.0 / surface->triangle_count,
                       tac_frame_to_world(&body->frame, tac_body_place(&body->body, &site)));
  }
  return sum;
}

static void run(tacWorld *world, int ticks) {
  tac_test_ok(tac_world_seal(world, &error), error);
  tacToolInput none;
  tacToolOutput nothing;
  for (int i = 0; i < ticks; ++i) step_world(world, &none, &nothing);
}

/* Each falls by its gap and those below it, and sinks in by little: cubes of 50 kPa give way by 1 mm under the weight of three others. */
TAC_TEST(a_pile_of_five_kinds_stands_by_both_methods) {
  static const Family kinds[COUNT] = {GREEN, RIGID, REDUCED, COROTATIONAL, HYPERELASTIC};
  SmallBodies s = make_small_bodies();
  for (int m = 0; m < 2; ++m) {
    tacContactMethod method = m == 0 ? TAC_METHOD_PENALTY : TAC_METHOD_SIGNORINI;
    TAC_OWN(tacWorld, world) = begin_world(method);
    tacBodyId ids[COUNT];
    tacVec3 start[COUNT];
    for (int i = 0; i < COUNT; ++i) ids[i] = add_to_pile(world, &s, kinds[i], i, 1.0);
    for (int i = 1; i < COUNT; ++i) pair_with(world, ids[i], ids[i - 1], method, kinds[i] == HYPERELASTIC);
    for (int i = 0; i < COUNT; ++i) start[i] = mean_of(world, i);
    run(world, 1500);
    for (int i = 0; i < COUNT; ++i) {
      tacVec3 way = tac_vec3_sub(mean_of(world, i), start[i]);
      ck_assert_msg(fabs(way.x) < 0.25 * EDGE && fabs(way.y) < 0.25 * EDGE, "method %d: %s went aside by %g, %g m", m,
                    family_names[kinds[i]], way.x, way.y);
      ck_assert_msg(fabs(way.z + gap * i) < 0.1 * EDGE, "method %d: %s went down by %g m", m, family_names[kinds[i]],
                    -way.z);
    }
  }
}

/* From 0.6 g to 64 kg, three on each other: the lowest carries all, at its four corners, and sinks in by less than a hundredth of its edge.
 * What is given stays. */
TAC_TEST(bodies_of_any_mass_sink_in_by_less_than_a_hundredth) {
  SmallBodies s = make_small_bodies();
  for (int decade = -2; decade <= 3; decade += 5) {
    TAC_OWN(tacWorld, world) = begin_world(TAC_METHOD_PENALTY);
    tacBodyId ids[4];
    for (int i = 0; i < 4; ++i) ids[i] = add_to_pile(world, &s, RIGID, i, pow(10.0, decade));
    for (int i = 1; i < 4; ++i) pair_with(world, ids[i], ids[i - 1], TAC_METHOD_PENALTY, false);
    run(world, 1000);
    for (int i = 1; i < 4; ++i) {
      double sunk = EDGE - (mean_of(world, i).z - mean_of(world, i - 1).z);
      ck_assert_msg(sunk > -1e-4 && sunk < 0.01 * EDGE, "10^%d times 64 g: number %d is %g m deep", decade, i, sunk);
    }
    ck_assert_double_gt(tac_world_pair(world, 0).stiffness, 0.0);
  }
  TAC_OWN(tacWorld, world) = begin_world(TAC_METHOD_PENALTY);
  tacPairDef pair = tac_pair_def_default();
  pair.points = add_to_pile(world, &s, RIGID, 1, 1.0);
  pair.field = add_to_pile(world, &s, RIGID, 0, 1.0);
  pair.stiffness = 123.0;
  tac_test_ok(tac_world_add_pair(world, &pair, NULL, &error), error);
  ck_assert_double_eq(tac_world_pair(world, 0).stiffness, 123.0);
}
