#include <tactus/green.h>
#include <tactus/rigid.h>
#include <tactus/world.h>
#include "body/make_green.h"
#include "couple/tool.h"
#include "math/geometry/quat.h"
#include "math/random.h"
#include "world/make_shell.h"
#include "world/make_world.h"
#include "world/world_build.h"
#include "world/world_parts.h"
#include "world/world_step.h"

#define MASK 0.025
#define RIGID 2000.0

static tacGreenBodyDef body_def(const char *name, const tacGreen *green) {
  tacGreenBodyDef def = green_def(name, green);
  def.mask_radius = MASK;
  def.rigid_stiffness = RIGID;
  return def;
}

static tacGreen *green; /* a ball of 50 mm about the origin, the lowest quarter fixed */

static void make_ball(void) {
  green = tac_test_keep(make_green("sphere", 0.02), tac_green_destroy);
}

TAC_TEST_AROUND(make_ball, NULL)

static tacWorld *ball_world(int tools) {
  tacGreenBodyDef def = body_def("ball", green);
  return make_world(&def, tools);
}

static tacToolOutput out[TAC_MOST_TOOLS];
static tacTickReport report;

/* Moves all tools from where they are to `to` in small steps. */
static void move(tacWorld *world, int count, tacVec3 *at, const tacVec3 *to, int steps) {
  tacVec3 from[TAC_MOST_TOOLS];
  memcpy(from, at, (size_t)count * sizeof *at);
  for (int i = 1; i <= steps; ++i) {
    tacToolInput inputs[TAC_MOST_TOOLS] = {0};
    for (int t = 0; t < count; ++t) inputs[t].position = at[t] = tac_vec3_mix(from[t], to[t], (double)i / steps);
    tac_world_step(world, inputs, out, &report);
  }
}

static const double facet_sag = 0.015 * 0.015 / (8.0 * 0.05); /* m: of edges of 15 mm on a ball of 50 mm */

/* The proxy is the image of the contact point on the surface that tac_world_surface shows, and below the stiffness clamp it
 * is where the probe is. */
TAC_TEST(the_proxy_lies_on_the_deformed_surface) {
  const tacTriMesh *mesh = tac_green_surface(green);
  tacGreenBodyDef def = body_def("ball", green);
  def.body.pose = (tacPose){{0.1, -0.2, 0.3}, {cos(0.4), 0.0, sin(0.4), 0.0}};
  TAC_OWN(tacWorld, world) = make_world(&def, 1);
  tacQuat turn = tac_quat(cos(0.4), 0.0, sin(0.4), 0.0);
  tacVec3 direction = tac_quat_rotate(turn, tac_vec3_unit(tac_vec3(0.2, 0.3, 1.0)));
  tacVec3 at = tac_vec3_mad(def.body.pose.position, 0.06, direction),
          to = tac_vec3_mad(def.body.pose.position, 0.044, direction);
  move(world, 1, &at, &to, 200);
  ck_assert_int_eq(report.contact_count, 1);
  tacSnapshot snapshot = {.tool_count = 1, .position = {at}, .output = {*out}};
  TAC_MEMORY(tacVec3, vertices) = calloc((size_t)mesh->vertex_count, sizeof *vertices);
  tac_world_surface(world, &snapshot, tac_world_body(world, 0), vertices);
  tacVec3 image = {0.0, 0.0, 0.0};
  for (int i = 0; i < 3; ++i)
    image = tac_vec3_mad(image, out->contact.weight[i], vertices[mesh->triangles[out->contact.triangle].v[i]]);
  /* A point touches the rounded surface, which is above a facet of 15 mm by up to its sag. */
  ck_assert_double_lt(tac_vec3_distance(image, out->proxy), 2e-4 + facet_sag);
  ck_assert_double_lt(tac_vec3_distance(out->proxy, at), 1e-3); /* soft material: u^E = u^H but for interpolation */
  ck_assert_double_lt(tac_vec3_distance(out->contact.at, tac_vec3_mad(def.body.pose.position, 0.05, direction)), 0.003);
}

/* The second tool meets the surface where the first has moved it, and not where it was. */
TAC_TEST(tools_meet_the_deformed_surface) {
  TAC_OWN(tacGreen, fine) = make_green("sphere", 0.015);
  tacGreenBodyDef def = body_def("ball", fine);
  TAC_OWN(tacWorld, world) = make_world(&def, 2);
  tacVec3 at[2] = {{0.0, 0.0, 0.06}, {0.02, 0.0, 0.08}}, to[2] = {{0.0, 0.0, 0.044}, {0.02, 0.0, 0.08}};
  move(world, 2, at, to, 300);
  ck_assert_int_eq(report.contact_count, 1);
  tacSnapshot snapshot = {.tool_count = 2, .output = {out[0], out[1]}};
  const tacTriMesh *mesh = tac_green_surface(fine);
  TAC_MEMORY(tacVec3, vertices) = calloc((size_t)mesh->vertex_count, sizeof *vertices);
  tac_world_surface(world, &snapshot, tac_world_body(world, 0), vertices);
  double undeformed = sqrt(0.05 * 0.05 - 0.02 * 0.02);
  /* Lower the second tool until it touches: the height there. */
  double height = 0.0;
  for (int i = 0; i < 5000 && height == 0.0; ++i) {
    to[1].z = 0.08 - 1e-5 * i;
    move(world, 2, at, to, 1);
    if (report.contact_count == 2) height = to[1].z;
  }
  /* The same on the deformed mesh: the triangle above (0.02, 0). */
  double expected = 0.0;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    tacVec3 a = vertices[mesh->triangles[t].v[0]], b = vertices[mesh->triangles[t].v[1]],
            c = vertices[mesh->triangles[t].v[2]];
    tacVec3 p = {0.02, 0.0, 0.0};
    double area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
    double wb = ((p.x - a.x) * (c.y - a.y) - (c.x - a.x) * (p.y - a.y)) / area;
    double wc = ((b.x - a.x) * (p.y - a.y) - (p.x - a.x) * (b.y - a.y)) / area;
    if (area > 0.0 && wb >= 0.0 && wc >= 0.0 && wb + wc <= 1.0)
      expected = fmax(expected, a.z + wb * (b.z - a.z) + wc * (c.z - a.z));
  }
  double sunk = undeformed - expected;
  ck_assert_double_gt(sunk, 0.0015);
  ck_assert_double_lt(fabs(height - expected), 0.1 * sunk + facet_sag); /* first order in the displacement */
}

TAC_TEST(a_tool_that_starts_inside_feels_nothing_until_it_was_outside) {
  TAC_OWN(tacWorld, world) = ball_world(1);
  tacVec3 at = {0.0, 0.0, 0.03};
  move(world, 1, &at, &(tacVec3){0.0, 0.0, 0.045}, 100);
  ck_assert_int_eq(report.contact_count, 0);
  move(world, 1, &at, &(tacVec3){0.0, 0.0, 0.055}, 100);
  move(world, 1, &at, &(tacVec3){0.0, 0.0, 0.045}, 100);
  ck_assert_int_eq(report.contact_count, 1);
}

TAC_TEST(grabbing_pulls_the_surface_out) {
  TAC_OWN(tacWorld, world) = ball_world(1);
  for (int i = 0; i <= 100; ++i) {
    tacToolInput input = {.position = {0.0, 0.0, 0.0505 + 1e-4 * i}, .grab = true};
    tac_world_step(world, &input, out, &report);
  }
  ck_assert_int_eq(out->contact.state, TAC_CONTACT_GRABBED);
  ck_assert_double_lt(out->force.z, -0.1); /* pulls the hand back */
  tacToolInput input = {.position = {0.0, 0.0, 0.06}};
  tac_world_step(world, &input, out, &report);
  ck_assert_int_eq(out->contact.state, TAC_CONTACT_NONE);
}

TAC_TEST(a_step_without_inputs_or_outputs_is_refused) {
  TAC_OWN(tacWorld, world) = ball_world(1);
  const tacToolInput input = {0};
  tac_world_step(world, NULL, out, &report);
  ck_assert_int_eq(report.refused, 1);
  ck_assert_double_eq(out->proxy_orientation[0], 1.0);
  tac_world_step(world, &input, NULL, &report);
  ck_assert_int_eq(report.refused, 1);
  tac_world_step(world, &input, out, NULL);
}

/* Random input, wild and broken: every output is finite and no force exceeds stiffness x depth. */
TAC_TEST(outputs_stay_finite_for_any_input) {
  TAC_OWN(tacWorld, world) = ball_world(3);
  tacRandom random = tac_random_seed(4);
  int refused = 0;
  for (int i = 0; i < (tac_test_light() ? 1000 : 20000); ++i) {
    tacToolInput inputs[3] = {0};
    for (int t = 0; t < 3; ++t) {
      double size = i % 97 == 0 ? 1.0 : 0.06;
      inputs[t].position = tac_random_in_cube(&random, size);
      if (i % 101 == 0) inputs[t].position.x = NAN;
      if (i % 103 == 0) inputs[t].position.y = -INFINITY;
      if (i % 107 == 0) inputs[t].position.z = 1e300;
      inputs[t].grab = i % 11 == 0;
    }
    tac_world_step(world, inputs, out, &report);
    refused += report.refused;
    for (int t = 0; t < 3; ++t) {
      ck_assert(tac_vec3_finite(out[t].force));
      ck_assert(tac_vec3_finite(out[t].proxy));
    }
  }
  ck_assert_int_gt(refused, 10);
}

static void two_press(int i, tacToolInput *inputs) {
  inputs[0].position = tac_vec3(0.02 * sin(0.01 * i), 0.0, 0.05 + 0.01 * cos(0.03 * i));
  inputs[1].position = tac_vec3(0.05 + 0.01 * cos(0.025 * i), 0.01 * sin(0.02 * i), 0.01);
}

TAC_TEST(the_same_input_gives_the_same_bits) {
  TAC_OWN(tacWorld, world) = ball_world(2);
  check_repeats(world, 500, two_press, out);
}

TAC_TEST(stiffness_and_friction_can_be_changed_between_steps) {
  tacGreenBodyDef def = body_def("ball", green);
  def.rigid_stiffness = 1e6;
  TAC_OWN(tacWorld, world) = make_world(&def, 1);
  int stiffness = tac_world_find_parameter(world, "ball.stiffness");
  tacVec3 at = {0.0, 0.0, 0.06};
  move(world, 1, &at, &(tacVec3){0.0, 0.0, 0.045}, 100);
  double soft = out->force.z;
  tac_test_ok(tac_world_set_parameter(world, stiffness, 3.0, &error), error);
  move(world, 1, &at, &at, 1);
  ck_assert_double_eq_tol(out->force.z, 3.0 * soft, 1e-9);
  ck_assert_int_eq(tac_world_set_parameter(world, stiffness, 0.0, &error), TAC_ERR_ARGUMENT);
  ck_assert_double_eq(tac_world_parameter(world, stiffness).value, 3.0);
  int friction = tac_world_find_parameter(world, "ball.friction");
  ck_assert(friction >= 0 && friction != stiffness && tac_world_parameter(world, friction).in_tick);
  ck_assert_int_eq(tac_world_set_parameter(world, friction, NAN, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_world_set_parameter(world, -1, 0.1, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_world_set_parameter(world, tac_world_parameter_count(world), 0.1, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_world_find_parameter(world, "ball.colour"), -1);
}

static void refuse_body(tacWorld *world, const tacGreenBodyDef *def, const char *says) {
  tac_test_refused(tac_world_add_green(world, def, NULL, &error), TAC_ERR_ARGUMENT, error, says);
}

TAC_TEST(errors_name_the_mistake) {
  tacGreenBodyDef def = body_def("ball", green), other = body_def("other", green), bad;
  TAC_OWN(tacWorld, world) = NULL;
  tacWorldDef world_def = {.period = 0.0};
  tac_test_refused(tac_world_create(&world_def, &world, &error), TAC_ERR_ARGUMENT, error, "period 0 s");
  world_def = tac_world_def_default();
  tac_test_ok(tac_world_create(&world_def, &world, &error), error);
  tac_test_ok(tac_world_add_green(world, &def, NULL, &error), error);
  refuse_body(world, &def, "another body is already called ball");
  refuse_body(world, (bad = other, bad.body.friction = -1.0, &bad), "friction -1 must not be negative");
  refuse_body(world, (bad = other, bad.body.touch_stiffness = 0.0, &bad), "touch stiffness 0 must be positive");
  refuse_body(world, (bad = other, bad.body.pose.orientation[0] = 2.0, &bad), "unit quaternion");
  refuse_body(world, (bad = other, bad.stiffness = 0.0, &bad), "stiffness");
  tacRigidBodyDef seldom = rigid_def("seldom", tac_green_surface(green), NULL, NULL);
  seldom.body.every = 0;
  tac_test_refused(tac_world_add_rigid(world, &seldom, NULL, &error), TAC_ERR_ARGUMENT, error, "every 0 ticks");
  tacFloorDef floor = {{0.0, 0.0, 2.0}, 0.0, 0.5};
  tac_test_refused(tac_world_set_floor(world, &floor, &error), TAC_ERR_ARGUMENT, error, "unit normal");
  ck_assert(!tac_world_floor(world, &floor));
  for (int t = 0; t < TAC_MOST_TOOLS; ++t) {
    char name[16];
    snprintf(name, sizeof name, "tool %d", t);
    tac_test_ok(tac_world_add_point_tool(world, &(tacPointToolDef){.name = name}, NULL, &error), error);
  }
  ck_assert_int_eq(tac_world_add_point_tool(world, &(tacPointToolDef){.name = "one more"}, NULL, &error),
                   TAC_ERR_ARGUMENT);
  tac_test_ok(tac_world_seal(world, &error), error);
  refuse_body(world, &other, "sealed");
}

/* Bodies beyond where numbers end, stiffnesses at both ends of what is finite, contacts of a file that do not exist. */
TAC_TEST(extremes_stay_finite) {
  int n = tac_green_surface(green)->vertex_count;
  const double stiffness[3] = {1.0, 1e-300, 1e290};
  for (int kind = 0; kind < 5; ++kind) {
    tacGreenBodyDef def = body_def("ball", green);
    def.stiffness = stiffness[kind % 3];
    if (kind == 3) def.body.pose.position = tac_vec3(1e308, -1e308, 1e308);
    if (kind == 4) def.rigid_stiffness = 1e300;
    TAC_OWN(tacWorld, world) = make_world(&def, 2);
    for (int i = 0; i < 200; ++i) {
      tacToolInput inputs[2] = {{.position = {0.0, 0.0, 0.06 - 2e-4 * i}, .grab = i > 150},
                                {.position = {0.06 - 2e-4 * i, 0.01 * cos(i), 0.0}}};
      tac_world_step(world, inputs, out, &report);
      for (int t = 0; t < 2; ++t) ck_assert(tac_vec3_finite(out[t].force) && tac_vec3_finite(out[t].proxy));
    }
    tacSnapshot snapshot = {.tool_count = 1};
    snapshot.output[0].contact = (tacContact){.state = TAC_CONTACT_SLIDES, .triangle = INT32_MAX, .force = {1.0, 0, 0}};
    TAC_MEMORY(tacVec3, rest) = calloc((size_t)n, sizeof *rest);
    TAC_MEMORY(tacVec3, shown) = calloc((size_t)n, sizeof *shown);
    tac_world_surface(world, &(tacSnapshot){0}, tac_world_body(world, 0), rest);
    tac_world_surface(world, &snapshot, tac_world_body(world, 0), shown);
    snapshot.output[0].contact.triangle = -1;
    tac_world_surface(world, &snapshot, tac_world_body(world, 0), shown);
    ck_assert_int_eq(memcmp(rest, shown, (size_t)n * sizeof *rest), 0);
  }
}

/* A changed mask makes the world that would have been built with it. */
TAC_TEST(changed_mask_equals_a_world_built_with_it) {
  tacGreenBodyDef def = body_def("ball", green);
  TAC_OWN(tacWorld, changed) = make_world(&def, 1);
  int mask = tac_world_find_parameter(changed, "ball.mask");
  ck_assert_double_eq(tac_world_parameter(changed, mask).value, MASK);
  ck_assert(!tac_world_parameter(changed, mask).in_tick);
  tac_test_ok(tac_world_set_parameter(changed, tac_world_find_parameter(changed, "ball.stiffness"), 2.0, &error),
              error);
  tac_test_ok(tac_world_set_parameter(changed, mask, 1.4 * MASK, &error), error);
  ck_assert_double_eq(tac_world_parameter(changed, mask).value, 1.4 * MASK);
  ck_assert_int_eq(tac_world_set_parameter(changed, mask, -1.0, &error), TAC_ERR_ARGUMENT);
  def.mask_radius = 1.4 * MASK;
  def.stiffness = 2.0;
  TAC_OWN(tacWorld, built) = make_world(&def, 1);
  tacVec3 at = {0.0, 0.0, 0.06}, again = at;
  move(changed, 1, &at, &(tacVec3){0.01, 0.0, 0.044}, 50);
  tacToolOutput first = *out;
  move(built, 1, &again, &(tacVec3){0.01, 0.0, 0.044}, 50);
  ck_assert_double_gt(first.force.z, 0.1);
  ck_assert_mem_eq(&first, out, sizeof first);
}

/* Lifted it goes through the body as through air; set down inside it feels nothing, set down outside it touches again. */
TAC_TEST(a_lifted_tool_touches_nothing) {
  TAC_OWN(tacWorld, world) = ball_world(1);
  tacVec3 at = {0.0, 0.0, 0.06};
  move(world, 1, &at, &(tacVec3){0.0, 0.0, 0.044}, 50);
  ck_assert_int_eq(report.contact_count, 1);
  tacToolInput input = {.position = at, .lifted = true};
  for (int i = 0; i < 100; ++i) { /* down through the middle and out at the other side */
    input.position.z -= 0.0012;
    tac_world_step(world, &input, out, &report);
    ck_assert_int_eq(report.contact_count, 0);
    ck_assert_double_eq(tac_vec3_norm(out->force), 0.0);
  }
  ck_assert_double_lt(input.position.z, -0.06);
  at = input.position;
  move(world, 1, &at, &(tacVec3){0.0, 0.0, -0.044}, 50);
  ck_assert_int_eq(report.contact_count, 1);
  ck_assert_double_lt(out->force.z, -0.1);
}

/* The tractions that are shown add up to the force that is felt. */
TAC_TEST(tractions_sum_to_the_contact_force_and_balance) {
  const tacTriMesh *mesh = tac_green_surface(green);
  tacGreenBodyDef def = body_def("ball", green);
  def.body.pose = (tacPose){{0.1, -0.2, 0.3}, {cos(0.4), 0.0, sin(0.4), 0.0}};
  TAC_OWN(tacWorld, world) = make_world(&def, 1);
  tacVec3 direction = tac_vec3_unit(tac_vec3(0.2, 0.3, 1.0));
  tacVec3 at = tac_vec3_mad(def.body.pose.position, 0.06, direction),
          to = tac_vec3_mad(def.body.pose.position, 0.044, direction);
  move(world, 1, &at, &to, 50);
  tacSnapshot snapshot = {.tool_count = 1, .position = {at}, .output = {*out}};
  tacVec3 *tractions = tac_test_alloc((size_t)mesh->vertex_count * sizeof *tractions), sum = {0.0, 0.0, 0.0};
  tac_world_tractions(world, &snapshot, tac_world_body(world, 0), tractions);
  for (int v = 0; v < mesh->vertex_count; ++v)
    if (!tac_green_fixed(green)[v]) sum = tac_vec3_mad(sum, tac_green_area(green)[v], tractions[v]);
  ck_assert_double_gt(tac_vec3_norm(out->force), 0.1);
  ck_assert_double_lt(tac_vec3_norm(tac_vec3_add(sum, out->force)), 1e-9);
  /* What holds the body balances it; responses are kept in single precision. */
  for (int v = 0; v < mesh->vertex_count; ++v)
    if (tac_green_fixed(green)[v]) sum = tac_vec3_mad(sum, tac_green_area(green)[v], tractions[v]);
  ck_assert_double_lt(tac_vec3_norm(sum), 1e-5 * tac_vec3_norm(out->force));
}

/* A soft box of 0.1 m, and a plate that lies on it. */
typedef struct Plates {
  tacGreen *box;
  tacTriMesh *plate;
} Plates;

static Plates make_plates(double size) {
  Plates p = {.box = tac_test_keep(make_green("box", size), tac_green_destroy)};
  double top = tac_trimesh_box(tac_green_surface(p.box)).upper.z;
  p.plate = make_box_surface((tacBox){tac_vec3(-0.1, -0.1, top), tac_vec3(0.2, 0.2, top + 0.02)});
  tac_test_keep(p.plate, tac_trimesh_destroy);
  return p;
}

/* The box with so many plates at `height`, one in the other, which meet it by patches; with a step of the bodies in so many ticks.
 * A hand holds the last one where there is a tool, which is to have all but its body. */
static tacWorld *plate_world(const Plates *p, int plates, double height, int patch, int every, tacBodyToolDef *tool) {
  tacWorldDef world_def = tac_world_def_default();
  tacPairDef pair = tac_pair_def_default();
  tacGreenBodyDef box = green_def("box", p->box);
  world_def.simulate_every = every;
  pair.method = TAC_METHOD_SIGNORINI;
  pair.laws = (tacLawsDef){.patch = patch, .detect = TAC_DETECT_SURFACES};
  tacWorld *world = tac_test_made(tacWorld *, tac_world_create(&world_def, &made, &error));
  tac_test_ok(tac_world_add_green(world, &box, &pair.points, &error), error);
  for (int i = 0; i < plates; ++i) {
    char name[24];
    tacRigidBodyDef def = rigid_def(name, p->plate, NULL, NULL);
    snprintf(name, sizeof name, "plate %d", i);
    def.body.pose.position.z = height;
    tac_test_ok(tac_world_add_rigid(world, &def, &pair.field, &error), error);
    tac_test_ok(tac_world_add_pair(world, &pair, NULL, &error), error);
  }
  if (tool != NULL) {
    tool->body = pair.field;
    tac_test_ok(tac_world_add_body_tool(world, tool, NULL, &error), error);
  }
  tac_test_ok(tac_world_seal(world, &error), error);
  return world;
}

/* An island keeps the compliance of 256 contacts; that it has more is told. */
TAC_TEST(contacts_beyond_the_compliance_limit_are_reported) {
  Plates p = make_plates(0.02);
  for (int plates = 1; plates <= 16; plates += 15) {
    TAC_OWN(tacWorld, world) = plate_world(&p, plates, -0.001, TAC_LAWS_MOST_PATCH, 1, NULL);
    tac_world_step(world, NULL, NULL, &report);
    ck_assert_int_eq(report.saturated, plates > 1);
    ck_assert_int_eq(world->contacts.count > 256, plates > 1);
  }
}

/* N: what a hand feels that presses the box with a plate, 3 mm down. */
static double felt_by(int every, const Plates *p) {
  tacBodyToolDef tool = tac_body_tool_def_default();
  tool.name = "hand";
  tool.turn_stiffness = 50.0;
  tool.grasp = tac_vec3(0.05, 0.04, tac_trimesh_box(p->plate).lower.z);
  TAC_OWN(tacWorld, world) = plate_world(p, 1, 0.002, 100, every, &tool);
  tacToolInput input = {.position = tool.grasp, .orientation = {1.0, 0.0, 0.0, 0.0}};
  for (int i = 0; i < 600; ++i) {
    input.position.z = tool.grasp.z + fmax(-0.003, 0.002 - 2e-5 * i);
    tac_world_step(world, &input, out, &report);
  }
  return out->force.z;
}

/* Between steps a hand feels at most 24 contacts: there are no more of them than it feels. */
TAC_TEST(large_patches_are_felt_fully_between_steps) {
  Plates p = make_plates(0.016);
  double each = felt_by(1, &p), seldom = felt_by(10, &p);
  ck_assert_double_gt(each, 0.5);
  ck_assert_double_eq_tol(seldom, each, 0.1 * each);
}

/* What no device gets: a force, torque, place or depth of which any number is not finite. */
TAC_TEST(non_finite_output_is_rejected) {
  tacToolOutput output = {.force = {1.0, 2.0, 3.0}, .torque = {1.0, 2.0, 3.0}, .depth = 1.0};
  double *const numbers[] = {
      &output.force.x,  &output.force.y,          &output.force.z,          &output.torque.x,
      &output.torque.y, &output.torque.z,         &output.proxy.x,          &output.proxy.y,
      &output.proxy.z,  &output.contact.at.x,     &output.contact.at.y,     &output.contact.at.z,
      &output.depth,    &output.contact.normal.x, &output.contact.normal.y, &output.contact.normal.z};
  const double bad[] = {NAN, INFINITY, -INFINITY};
  ck_assert(tac_tool_output_finite(&output));
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
    for (int b = 0; b < 3; ++b) {
      double good = *numbers[i];
      *numbers[i] = bad[b];
      ck_assert_msg(!tac_tool_output_finite(&output), "number %zu may be %g", i, bad[b]);
      *numbers[i] = good;
    }
  ck_assert(tac_tool_output_finite(&output));
}
