/* Points on bodies of many parts, which are touched through a spring on their surface. */
#include <tactus/meshing.h>
#include <tactus/rigid.h>
#include <tactus/world.h>
#include "math/geometry/vec3.h"
#include "math/random.h"
#include "mesh/make_mesh.h"
#include "step_world.h"
#include "world/make_defs.h"

/* Upright bars, BARS a side, GAP apart, 8 mm thick and 0.2 m high. */
enum { BARS = 7 };
#define GAP 0.03
#define HALF 0.004
#define HEIGHT 0.2
#define STIFFNESS 300.0 /* N/m: a rigid body's, by default */

static tacTriMesh *make_bars(void) {
  tacTriMesh *mesh = NULL;
  for (int i = 0; i < BARS; ++i)
    for (int j = 0; j < BARS; ++j) {
      tacBox box = {{GAP * i - HALF, GAP * j - HALF, 0.0}, {GAP * i + HALF, GAP * j + HALF, HEIGHT}};
      mesh = mesh == NULL ? make_box(box, 2) : join_meshes(mesh, make_box(box, 2));
    }
  return mesh;
}

/* m: how deep a point is in a bar; negative outside. */
static double depth_in_bar(tacVec3 p) {
  double x = fabs(p.x - GAP * round(p.x / GAP)), y = fabs(p.y - GAP * round(p.y / GAP));
  return fmin(fmin(HALF - x, HALF - y), fmin(p.z, HEIGHT - p.z));
}

static tacWorld *world_of(const tacTriMesh *surface) {
  tacWorldDef def = tac_world_def_default();
  tacRigidBodyDef body = rigid_def("body", surface, NULL, NULL);
  tacWorld *world = tac_test_made(tacWorld *, tac_world_create(&def, &made, &error));
  tac_test_ok(tac_world_add_rigid(world, &body, NULL, &error), error);
  tac_test_ok(tac_world_add_point_tool(world, &(tacPointToolDef){.name = "finger"}, NULL, &error), error);
  tac_test_ok(tac_world_seal(world, &error), error);
  return world;
}

static tacVec3 place_among_bars(tacRandom *random) {
  const double most = GAP * (BARS - 1);
  tacVec3 p;
  do p = tac_random_in_box(random, (tacBox){{0.0, 0.0, 0.02}, {most, most, HEIGHT - 0.02}});
  while (depth_in_bar(p) > -1e-3);
  return p;
}

/* At a metre a second: in the first tick in which a finger is in a bar it is stopped, by no more than it moved in that tick. */
TAC_TEST(finger_among_bars_stops_at_the_first) {
  TAC_OWN(tacTriMesh, bars) = make_bars();
  TAC_OWN(tacWorld, world) = world_of(bars);
  tacRandom random = tac_random_seed(3);
  const double motion = 1e-3;
  int stopped = 0;
  for (int flight = 0; flight < 200; ++flight) {
    tacVec3 from = place_among_bars(&random), to = place_among_bars(&random);
    int ticks = 1 + (int)(tac_vec3_distance(from, to) / motion);
    tacToolOutput out = {0};
    tac_world_reset(world);
    for (int i = 0; i <= ticks && out.contact.state == TAC_CONTACT_NONE; ++i) {
      tacVec3 at = tac_vec3_mix(from, to, (double)i / ticks);
      step_world(world, &(tacToolInput){.position = at}, &out);
      bool touches = out.contact.state != TAC_CONTACT_NONE;
      double depth = depth_in_bar(at);
      if (fabs(depth) < 1e-9) continue;
      ck_assert_msg(touches == (depth > 0.0), "flight %d, tick %d of %d: %g m deep", flight, i, ticks, depth);
      if (touches) ck_assert_double_le(tac_vec3_norm(out.force), STIFFNESS * 1.001 * motion);
      stopped += touches;
    }
  }
  ck_assert_int_gt(stopped, 60);
}

/* What a hand has done so far. */
typedef struct Hand {
  tacVec3 at;
  tacToolOutput out;
  double energy, least; /* J: its work in this contact by the trapezium rule, and the least of all contacts */
  double step;          /* N: most by which the force changed in a tick of a contact beyond stiffness times motion */
} Hand;

static void move(tacWorld *world, Hand *hand, tacVec3 to) {
  tacToolOutput was = hand->out;
  step_world(world, &(tacToolInput){.position = to}, &hand->out);
  bool before = was.contact.state != TAC_CONTACT_NONE, now = hand->out.contact.state != TAC_CONTACT_NONE;
  tacVec3 way = tac_vec3_sub(to, hand->at);
  double work = -0.5 * tac_vec3_dot(tac_vec3_add(was.force, hand->out.force), way);
  double change = tac_vec3_distance(was.force, hand->out.force);
  hand->energy = now ? (before ? hand->energy : 0.0) + work : 0.0;
  hand->least = fmin(hand->least, hand->energy);
  if (before && now) hand->step = fmax(hand->step, change - STIFFNESS * tac_vec3_norm(way));
  hand->at = to;
}

/* Through all of a body, at up to a metre a second, and now and then at rest. A slide and a force that fades change it by 100 N/s; and a
 * contact gives no more than a spring holds that is found 2 mm and a step's motion deep. */
static void wander(const tacTriMesh *surface, uint64_t seed, int legs) {
  TAC_OWN(tacWorld, world) = world_of(surface);
  tacRandom random = tac_random_seed(seed);
  tacBox box = tac_box_empty();
  for (int v = 0; v < surface->vertex_count; ++v) box = tac_box_add(box, surface->vertices[v]);
  Hand hand = {.at = {box.lower.x - 0.01, box.lower.y, box.upper.z}};
  for (int leg = 0; leg < legs; ++leg) {
    tacVec3 from = hand.at, to = tac_random_in_box(&random, box);
    int ticks = 1 + (int)(tac_vec3_distance(from, to) / tac_random_uniform(&random, 2e-4, 1e-3));
    for (int i = 1; i <= ticks + 20; ++i) move(world, &hand, tac_vec3_mix(from, to, fmin(1.0, (double)i / ticks)));
  }
  tac_test_print("%g mJ, %g N\n", 1e3 * hand.least, hand.step);
  ck_assert_double_le(hand.step, 0.1 + 1e-6);
  ck_assert_double_ge(hand.least, -0.5 * STIFFNESS * 3e-3 * 3e-3);
}

TAC_TEST(wandering_finger_gains_no_energy_and_feels_no_jump) {
  TAC_OWN(tacTriMesh, bars) = make_bars();
  wander(bars, 5, tac_test_light() ? 20 : 100);
}

/* In through the sole of a foot, out past its side, up to the flank and on. The nearest point of the foot lies in a hollow, with the finger now
 * before it, now behind. */
TAC_TEST(finger_outside_the_body_feels_no_force) {
  static const tacVec3 way[] = {{-0.034, 0.026, -0.006},  {-0.0339, 0.0282, -0.0018}, {-0.0315, 0.037, 0.0197},
                                {-0.025, 0.063, 0.081},   {-0.0246, 0.0654, 0.089},   {-0.0274, 0.052, 0.0986},
                                {-0.0325, 0.026, 0.0996}, {-0.038, 0.017, 0.057}};
  TAC_CREATE(tacTriMesh, dragon, tac_shape_build("dragon", 0.002, NULL, &dragon, &error));
  tacWorld *world = world_of(dragon);
  Hand hand = {.at = way[0]};
  double most = 0.0;
  for (size_t k = 1; k < sizeof way / sizeof *way; ++k) {
    int ticks = 1 + (int)(tac_vec3_distance(way[k - 1], way[k]) / 1.4e-3);
    for (int i = 1; i <= ticks; ++i) {
      move(world, &hand, tac_vec3_mix(way[k - 1], way[k], (double)i / ticks));
      most = fmax(most, tac_vec3_norm(hand.out.force));
    }
    if (k == 3) ck_assert_int_eq(hand.out.contact.state, TAC_CONTACT_NONE); /* 80 mm away */
  }
  ck_assert_double_gt(most, 2.0);
  ck_assert_double_ge(hand.least, -0.5 * STIFFNESS * 3e-3 * 3e-3);
  tac_world_destroy(world);
  wander(dragon, 6, tac_test_light() ? 20 : 100);
}
