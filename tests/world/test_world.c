#include <tactus/green.h>
#include <tactus/rigid.h>
#include <tactus/world.h>
#include "body/make_green.h"
#include "contact/point_contact.h"
#include "kinds/green/green_body.h"
#include "kinds/green/green_kind.h"
#include "math/dense/dense.h"
#include "math/geometry/quat.h"
#include "math/random.h"
#include "world/make_shell.h"
#include "world/make_world.h"
#include "world/world_parts.h"
#include "world/world_step.h"

static tacError error;

#define MASK 0.025
#define RIGID 2000.0

static tacGreenBodyDef body_def(const char *name, const tacGreen *green) {
  tacGreenBodyDef def = tac_green_body_def_default();
  def.body.name = name;
  def.green = green;
  def.mask_radius = MASK;
  def.rigid_stiffness = RIGID;
  return def;
}

/* Moves all tools from where they are to `to` in small steps. */
static void move(tacWorld *world, int count, tacVec3 *at, const tacVec3 *to, int steps, tacToolOutput *outputs,
                 tacTickReport *report) {
  tacVec3 from[TAC_MOST_TOOLS];
  memcpy(from, at, (size_t)count * sizeof *at);
  for (int i = 1; i <= steps; ++i) {
    tacToolInput inputs[TAC_MOST_TOOLS] = {0};
    for (int t = 0; t < count; ++t) inputs[t].position = at[t] = tac_vec3_mix(from[t], to[t], (double)i / steps);
    tac_world_step(world, inputs, outputs, report);
  }
}

TAC_TEST(pressing_gives_a_force_and_lifting_ends_it) {
  TAC_OWN(tacGreen, green) = make_green("sphere", 0.02);
  tacGreenBodyDef def = body_def("ball", green);
  TAC_OWN(tacWorld, world) = make_world(&def, 1);
  tacVec3 at = {0.0, 0.0, 0.07}, pressed = {0.0, 0.0, 0.044};
  tacToolOutput out;
  tacTickReport report;
  move(world, 1, &at, &(tacVec3){0.0, 0.0, 0.0505}, 100, &out, &report);
  ck_assert_int_eq(report.contact_count, 0);
  ck_assert_double_eq(tac_vec3_norm(out.force), 0.0);
  move(world, 1, &at, &pressed, 100, &out, &report);
  ck_assert_int_eq(report.contact_count, 1);
  ck_assert_double_gt(out.force.z, 0.1); /* pushes the hand out */
  ck_assert_double_lt(fabs(out.force.x) + fabs(out.force.y), 0.2 * out.force.z);
  move(world, 1, &at, &(tacVec3){0.0, 0.0, 0.06}, 100, &out, &report);
  ck_assert_int_eq(report.contact_count, 0);
  ck_assert_double_eq(tac_vec3_norm(out.force), 0.0);
}

/* The proxy is the image of the contact point on the surface that tac_world_surface shows, and below the stiffness clamp it
 * is where the probe is. */
TAC_TEST(the_proxy_lies_on_the_deformed_surface) {
  TAC_OWN(tacGreen, green) = make_green("sphere", 0.02);
  const tacTriMesh *mesh = tac_green_surface(green);
  tacGreenBodyDef def = body_def("ball", green);
  def.body.pose = (tacPose){{0.1, -0.2, 0.3}, {cos(0.4), 0.0, sin(0.4), 0.0}};
  TAC_OWN(tacWorld, world) = make_world(&def, 1);
  tacQuat turn = tac_quat(cos(0.4), 0.0, sin(0.4), 0.0);
  tacVec3 direction = tac_quat_rotate(turn, tac_vec3_unit(tac_vec3(0.2, 0.3, 1.0)));
  tacVec3 at = tac_vec3_mad(def.body.pose.position, 0.06, direction),
          to = tac_vec3_mad(def.body.pose.position, 0.044, direction);
  tacToolOutput out;
  tacTickReport report;
  move(world, 1, &at, &to, 200, &out, &report);
  ck_assert_int_eq(report.contact_count, 1);
  tacSnapshot snapshot = {.tool_count = 1, .position = {at}, .output = {out}};
  TAC_MEMORY(tacVec3, vertices) = calloc((size_t)mesh->vertex_count, sizeof *vertices);
  tac_world_surface(world, &snapshot, tac_world_body(world, 0), vertices);
  tacVec3 image = {0.0, 0.0, 0.0};
  for (int i = 0; i < 3; ++i)
    image = tac_vec3_mad(image, out.contact.weight[i], vertices[mesh->triangles[out.contact.triangle].v[i]]);
  ck_assert_double_lt(tac_vec3_distance(image, out.proxy), 2e-4);
  ck_assert_double_lt(tac_vec3_distance(out.proxy, at), 1e-3); /* soft material: u^E = u^H but for interpolation */
  ck_assert_double_lt(tac_vec3_distance(out.contact.at, tac_vec3_mad(def.body.pose.position, 0.05, direction)), 0.003);
}

/* Three sticking tools: forces solve W f = u, where W has K^H(x)^-1 on its diagonal and the body's compliance beside it. */
TAC_TEST(coupled_contacts_equal_a_direct_solve) {
  enum { TOOLS = 4 };
  TAC_OWN(tacGreen, green) = make_green("sphere", 0.02);
  tacGreenBodyDef def = body_def("ball", green);
  def.body.friction = 50.0; /* sticks */
  TAC_OWN(tacWorld, world) = make_world(&def, TOOLS);
  tacVec3 directions[TOOLS] = {{0.0, 0.3, 1.0}, {1.0, 0.0, 0.5}, {-0.8, 0.6, 0.4}, {-0.5, -1.0, 0.3}};
  tacVec3 at[TOOLS], to[TOOLS];
  for (int t = 0; t < TOOLS; ++t) {
    at[t] = tac_vec3_scale(0.06, tac_vec3_unit(directions[t]));
    to[t] = tac_vec3_scale(0.045 - 0.001 * t, tac_vec3_unit(directions[t]));
  }
  tacToolOutput out[TOOLS];
  tacTickReport report;
  move(world, TOOLS, at, to, 300, out, &report);
  ck_assert_int_eq(report.contact_count, TOOLS);
  ck_assert_double_lt(report.residual, 1e-8);
  ck_assert_int_eq(report.saturated, 0);

  tacGreenBodyDef made = tac_green_body_def_default();
  tacBody kind;
  made.green = green;
  made.mask_radius = MASK;
  made.rigid_stiffness = RIGID;
  tac_test_ok(tac_green_kind_create(&made, &kind, &error), error);
  tacGreenBody *body = tac_green_kind_body(&kind);
  tacTouched touched = {kind, tac_green_body_surface(body)};
  tacDense w;
  tac_test_ok(tac_dense_create(3 * TOOLS, 3 * TOOLS, &w, &error), error);
  double f[3 * TOOLS];
  int pivot[3 * TOOLS];
  double coupling = 0.0;
  for (int a = 0; a < TOOLS; ++a) {
    tacSurfacePoint pa = {out[a].contact.triangle,
                          {out[a].contact.weight[0], out[a].contact.weight[1], out[a].contact.weight[2]}};
    tacVec3 u = tac_vec3_sub(at[a], out[a].contact.at);
    f[3 * a] = u.x, f[3 * a + 1] = u.y, f[3 * a + 2] = u.z;
    for (int b = 0; b < TOOLS; ++b) {
      tacSurfacePoint pb = {out[b].contact.triangle,
                            {out[b].contact.weight[0], out[b].contact.weight[1], out[b].contact.weight[2]}};
      tacMat3 block;
      if (a == b)
        ck_assert(tac_mat3_inverse(tac_point_contact_stiffness(&touched, pa), &block));
      else
        ck_assert(tac_green_body_compliance(body, pa, pb, &block));
      if (a != b) coupling = fmax(coupling, tac_mat3_max_abs(block));
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) tac_dense_column(&w, 3 * b + c)[3 * a + r] = block.m[r][c];
    }
  }
  ck_assert_double_gt(coupling, 1e-5); /* m/N: they do feel each other */
  ck_assert(tac_dense_loop_lu(&w, pivot));
  tac_dense_loop_lu_solve(&w, pivot, f);
  for (int a = 0; a < TOOLS; ++a) {
    tacVec3 expected = {f[3 * a], f[3 * a + 1], f[3 * a + 2]};
    ck_assert_double_lt(tac_vec3_distance(out[a].contact.force, expected), 1e-5 * tac_vec3_norm(expected));
  }
  tac_dense_destroy(&w);
  kind.table->destroy(kind.self);
}

/* The second tool meets the surface where the first has moved it, and not where it was. */
TAC_TEST(tools_meet_the_deformed_surface) {
  TAC_OWN(tacGreen, green) = make_green("sphere", 0.015);
  tacGreenBodyDef def = body_def("ball", green);
  TAC_OWN(tacWorld, world) = make_world(&def, 2);
  tacVec3 at[2] = {{0.0, 0.0, 0.06}, {0.02, 0.0, 0.08}}, to[2] = {{0.0, 0.0, 0.044}, {0.02, 0.0, 0.08}};
  tacToolOutput out[2];
  tacTickReport report;
  move(world, 2, at, to, 300, out, &report);
  ck_assert_int_eq(report.contact_count, 1);
  tacSnapshot snapshot = {.tool_count = 2, .output = {out[0], out[1]}};
  const tacTriMesh *mesh = tac_green_surface(green);
  TAC_MEMORY(tacVec3, vertices) = calloc((size_t)mesh->vertex_count, sizeof *vertices);
  tac_world_surface(world, &snapshot, tac_world_body(world, 0), vertices);
  double undeformed = sqrt(0.05 * 0.05 - 0.02 * 0.02);
  /* Lower the second tool until it touches: the height there. */
  double height = 0.0;
  for (int i = 0; i < 5000 && height == 0.0; ++i) {
    to[1].z = 0.08 - 1e-5 * i;
    move(world, 2, at, to, 1, out, &report);
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
  ck_assert_double_lt(fabs(height - expected), 0.1 * sunk); /* first order in the displacement */
}

TAC_TEST(a_tool_that_starts_inside_feels_nothing_until_it_was_outside) {
  TAC_OWN(tacGreen, green) = make_green("sphere", 0.02);
  tacGreenBodyDef def = body_def("ball", green);
  TAC_OWN(tacWorld, world) = make_world(&def, 1);
  tacVec3 at = {0.0, 0.0, 0.03};
  tacToolOutput out;
  tacTickReport report;
  move(world, 1, &at, &(tacVec3){0.0, 0.0, 0.045}, 100, &out, &report);
  ck_assert_int_eq(report.contact_count, 0);
  move(world, 1, &at, &(tacVec3){0.0, 0.0, 0.055}, 100, &out, &report);
  move(world, 1, &at, &(tacVec3){0.0, 0.0, 0.045}, 100, &out, &report);
  ck_assert_int_eq(report.contact_count, 1);
}

TAC_TEST(grabbing_pulls_the_surface_out) {
  TAC_OWN(tacGreen, green) = make_green("sphere", 0.02);
  tacGreenBodyDef def = body_def("ball", green);
  TAC_OWN(tacWorld, world) = make_world(&def, 1);
  tacToolOutput out;
  tacTickReport report;
  for (int i = 0; i <= 100; ++i) {
    tacToolInput input = {.position = {0.0, 0.0, 0.0505 + 1e-4 * i}, .grab = true};
    tac_world_step(world, &input, &out, &report);
  }
  ck_assert_int_eq(out.contact.state, TAC_CONTACT_GRABBED);
  ck_assert_double_lt(out.force.z, -0.1); /* pulls the hand back */
  tacToolInput input = {.position = {0.0, 0.0, 0.06}};
  tac_world_step(world, &input, &out, &report);
  ck_assert_int_eq(out.contact.state, TAC_CONTACT_NONE);
}

/* Random input, wild and broken: every output is finite and no force exceeds stiffness x depth. */
TAC_TEST(outputs_stay_finite_whatever_comes_in) {
  TAC_OWN(tacGreen, green) = make_green("sphere", 0.02);
  tacGreenBodyDef def = body_def("ball", green);
  TAC_OWN(tacWorld, world) = make_world(&def, 3);
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
    tacToolOutput out[3];
    tacTickReport report;
    tac_world_step(world, inputs, out, &report);
    refused += report.refused;
    for (int t = 0; t < 3; ++t) {
      ck_assert(tac_vec3_finite(out[t].force));
      ck_assert(tac_vec3_finite(out[t].proxy));
    }
  }
  ck_assert_int_gt(refused, 10);
}

TAC_TEST(the_same_input_gives_the_same_bits) {
  TAC_OWN(tacGreen, green) = make_green("sphere", 0.02);
  tacGreenBodyDef def = body_def("ball", green);
  TAC_OWN(tacWorld, world) = make_world(&def, 2);
  enum { STEPS = 500 };
  static tacToolOutput first[STEPS][2];
  for (int pass = 0; pass < 2; ++pass) {
    tac_world_reset(world);
    for (int i = 0; i < STEPS; ++i) {
      tacToolInput inputs[2] = {0};
      inputs[0].position = tac_vec3(0.02 * sin(0.01 * i), 0.0, 0.05 + 0.01 * cos(0.03 * i));
      inputs[1].position = tac_vec3(0.05 + 0.01 * cos(0.025 * i), 0.01 * sin(0.02 * i), 0.01);
      tacToolOutput out[2] = {0};
      tacTickReport report;
      tac_world_step(world, inputs, out, &report);
      if (pass == 0) memcpy(first[i], out, sizeof out);
      for (int t = 0; t < 2; ++t) {
        ck_assert_mem_eq(&first[i][t].force, &out[t].force, sizeof out[t].force);
        ck_assert_mem_eq(&first[i][t].proxy, &out[t].proxy, sizeof out[t].proxy);
      }
    }
  }
}

TAC_TEST(stiffness_and_friction_can_be_changed_between_steps) {
  TAC_OWN(tacGreen, green) = make_green("sphere", 0.02);
  tacGreenBodyDef def = body_def("ball", green);
  def.rigid_stiffness = 1e6;
  TAC_OWN(tacWorld, world) = make_world(&def, 1);
  int stiffness = tac_world_find_parameter(world, "ball.stiffness");
  tacVec3 at = {0.0, 0.0, 0.06};
  tacToolOutput soft, hard;
  tacTickReport report;
  move(world, 1, &at, &(tacVec3){0.0, 0.0, 0.045}, 100, &soft, &report);
  tac_test_ok(tac_world_set_parameter(world, stiffness, 3.0, &error), error);
  tacToolInput input = {.position = at};
  tac_world_step(world, &input, &hard, &report);
  ck_assert_double_eq_tol(hard.force.z, 3.0 * soft.force.z, 1e-9);
  ck_assert_int_eq(tac_world_set_parameter(world, stiffness, 0.0, &error), TAC_ERR_ARGUMENT);
  ck_assert_double_eq(tac_world_parameter(world, stiffness).value, 3.0);
  int friction = tac_world_find_parameter(world, "ball.friction");
  ck_assert(friction >= 0 && friction != stiffness && tac_world_parameter(world, friction).in_tick);
  ck_assert_int_eq(tac_world_set_parameter(world, friction, NAN, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_world_set_parameter(world, -1, 0.1, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_world_set_parameter(world, tac_world_parameter_count(world), 0.1, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_world_find_parameter(world, "ball.colour"), -1);
}

TAC_TEST(mistakes_are_named) {
  TAC_OWN(tacGreen, green) = make_green("sphere", 0.025);
  tacGreenBodyDef def = body_def("ball", green);
  TAC_OWN(tacWorld, world) = NULL;
  tacWorldDef world_def = {.period = 0.0};
  ck_assert_int_eq(tac_world_create(&world_def, &world, &error), TAC_ERR_ARGUMENT);
  world_def = tac_world_def_default();
  tac_test_ok(tac_world_create(&world_def, &world, &error), error);
  tac_test_ok(tac_world_add_green(world, &def, NULL, &error), error);
  ck_assert_int_eq(tac_world_add_green(world, &def, NULL, &error), TAC_ERR_ARGUMENT);
  ck_assert_ptr_nonnull(strstr(error.text, "already a body called ball"));
  tacGreenBodyDef wrong = body_def("other", green);
  wrong.body.friction = -1.0;
  ck_assert_int_eq(tac_world_add_green(world, &wrong, NULL, &error), TAC_ERR_ARGUMENT);
  wrong = body_def("other", green);
  wrong.body.pose.orientation[0] = 2.0;
  ck_assert_int_eq(tac_world_add_green(world, &wrong, NULL, &error), TAC_ERR_ARGUMENT);
  wrong = body_def("other", green);
  wrong.stiffness = 0.0;
  ck_assert_int_eq(tac_world_add_green(world, &wrong, NULL, &error), TAC_ERR_ARGUMENT);
  for (int t = 0; t < TAC_MOST_TOOLS; ++t) {
    char name[16];
    snprintf(name, sizeof name, "tool %d", t);
    tac_test_ok(tac_world_add_point_tool(world, &(tacPointToolDef){name}, NULL, &error), error);
  }
  ck_assert_int_eq(tac_world_add_point_tool(world, &(tacPointToolDef){"one more"}, NULL, &error), TAC_ERR_ARGUMENT);
  tac_test_ok(tac_world_seal(world, &error), error);
  wrong = body_def("late", green);
  tac_test_refused(tac_world_add_green(world, &wrong, NULL, &error), TAC_ERR_ARGUMENT, error, "sealed");
}

/* Bodies beyond where numbers end, stiffnesses at both ends of what is finite, contacts of a file that do not exist. */
TAC_TEST(extremes_stay_finite) {
  TAC_OWN(tacGreen, green) = make_green("sphere", 0.025);
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
      tacToolOutput outputs[2];
      tacTickReport report;
      tac_world_step(world, inputs, outputs, &report);
      for (int t = 0; t < 2; ++t) ck_assert(tac_vec3_finite(outputs[t].force) && tac_vec3_finite(outputs[t].proxy));
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
TAC_TEST(a_changed_mask_is_as_if_it_had_been_so_from_the_start) {
  TAC_OWN(tacGreen, green) = make_green("sphere", 0.02);
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
  tacToolOutput a, b;
  tacTickReport report;
  tacVec3 at = {0.0, 0.0, 0.06}, again = at;
  move(changed, 1, &at, &(tacVec3){0.01, 0.0, 0.044}, 50, &a, &report);
  move(built, 1, &again, &(tacVec3){0.01, 0.0, 0.044}, 50, &b, &report);
  ck_assert_double_gt(a.force.z, 0.1);
  ck_assert_mem_eq(&a, &b, sizeof a);
}

/* Lifted it goes through the body as through air; set down inside it feels nothing, set down outside it touches again. */
TAC_TEST(a_lifted_tool_touches_nothing) {
  TAC_OWN(tacGreen, green) = make_green("sphere", 0.02);
  tacGreenBodyDef def = body_def("ball", green);
  TAC_OWN(tacWorld, world) = make_world(&def, 1);
  tacVec3 at = {0.0, 0.0, 0.06};
  tacToolOutput out;
  tacTickReport report;
  move(world, 1, &at, &(tacVec3){0.0, 0.0, 0.044}, 50, &out, &report);
  ck_assert_int_eq(report.contact_count, 1);
  tacToolInput input = {.position = at, .lifted = true};
  for (int i = 0; i < 100; ++i) { /* down through the middle and out at the other side */
    input.position.z -= 0.0012;
    tac_world_step(world, &input, &out, &report);
    ck_assert_int_eq(report.contact_count, 0);
    ck_assert_double_eq(tac_vec3_norm(out.force), 0.0);
  }
  ck_assert_double_lt(input.position.z, -0.06);
  at = input.position;
  move(world, 1, &at, &(tacVec3){0.0, 0.0, -0.044}, 50, &out, &report);
  ck_assert_int_eq(report.contact_count, 1);
  ck_assert_double_lt(out.force.z, -0.1);
}

/* The tractions that are shown add up to the force that is felt. */
TAC_TEST(tractions_sum_to_the_contact_force_and_balance) {
  TAC_OWN(tacGreen, green) = make_green("sphere", 0.02);
  const tacTriMesh *mesh = tac_green_surface(green);
  tacGreenBodyDef def = body_def("ball", green);
  def.body.pose = (tacPose){{0.1, -0.2, 0.3}, {cos(0.4), 0.0, sin(0.4), 0.0}};
  TAC_OWN(tacWorld, world) = make_world(&def, 1);
  tacVec3 direction = tac_vec3_unit(tac_vec3(0.2, 0.3, 1.0));
  tacVec3 at = tac_vec3_mad(def.body.pose.position, 0.06, direction),
          to = tac_vec3_mad(def.body.pose.position, 0.044, direction);
  tacToolOutput out;
  tacTickReport report;
  move(world, 1, &at, &to, 50, &out, &report);
  tacSnapshot snapshot = {.tool_count = 1, .position = {at}, .output = {out}};
  tacVec3 *tractions = tac_test_alloc((size_t)mesh->vertex_count * sizeof *tractions), sum = {0.0, 0.0, 0.0};
  tac_world_tractions(world, &snapshot, tac_world_body(world, 0), tractions);
  for (int v = 0; v < mesh->vertex_count; ++v)
    if (!tac_green_fixed(green)[v]) sum = tac_vec3_mad(sum, tac_green_area(green)[v], tractions[v]);
  ck_assert_double_gt(tac_vec3_norm(out.force), 0.1);
  ck_assert_double_lt(tac_vec3_norm(tac_vec3_add(sum, out.force)), 1e-9);
  /* What holds the body balances it; responses are kept in single precision. */
  for (int v = 0; v < mesh->vertex_count; ++v)
    if (tac_green_fixed(green)[v]) sum = tac_vec3_mad(sum, tac_green_area(green)[v], tractions[v]);
  ck_assert_double_lt(tac_vec3_norm(sum), 1e-5 * tac_vec3_norm(out.force));
}

/* The report of a step in which so many plates, one in the other, press on a soft box; and on how many contacts. */
static tacTickReport pressed_by(int plates, const tacGreen *green, const tacTriMesh *plate, int *contacts) {
  tacWorldDef world_def = tac_world_def_default();
  tacTickReport report;
  tacPairDef pair = tac_pair_def_default();
  tacGreenBodyDef box = tac_green_body_def_default();
  box.body.name = "box";
  box.green = green;
  pair.method = TAC_METHOD_SIGNORINI;
  pair.laws = (tacLawsDef){.patch = TAC_LAWS_MOST_PATCH, .detect = TAC_DETECT_SURFACES};
  TAC_CREATE(tacWorld, world, tac_world_create(&world_def, &world, &error));
  tac_test_ok(tac_world_add_green(world, &box, &pair.points, &error), error);
  for (int i = 0; i < plates; ++i) {
    char name[24];
    tacRigidBodyDef def = tac_rigid_body_def_default();
    snprintf(name, sizeof name, "plate %d", i);
    def.body.name = name;
    def.surface = plate;
    tac_test_ok(tac_world_add_rigid(world, &def, &pair.field, &error), error);
    tac_test_ok(tac_world_add_pair(world, &pair, NULL, &error), error);
  }
  tac_test_ok(tac_world_seal(world, &error), error);
  tac_world_step(world, NULL, NULL, &report);
  *contacts = world->contacts.count;
  return report;
}

/* An island keeps the compliance of 256 contacts; that it has more is told. */
TAC_TEST(more_contacts_than_comply_are_told) {
  TAC_OWN(tacGreen, green) = make_green("box", 0.02);
  double top = tac_trimesh_box(tac_green_surface(green)).upper.z;
  TAC_OWN(tacTriMesh, plate) =
      make_box_surface((tacBox){tac_vec3(-0.1, -0.1, top - 0.001), tac_vec3(0.2, 0.2, top + 0.02)});
  int contacts;
  ck_assert_int_eq(pressed_by(1, green, plate, &contacts).saturated, 0);
  ck_assert_int_le(contacts, 256);
  ck_assert_int_eq(pressed_by(16, green, plate, &contacts).saturated, 1);
  ck_assert_int_gt(contacts, 256);
}

/* N: what a hand feels that presses a soft box with a plate, 3 mm down, with a step of the bodies in so many ticks. */
static double felt_by(int every, const tacGreen *green, const tacTriMesh *plate) {
  tacWorldDef world_def = tac_world_def_default();
  tacPairDef pair = tac_pair_def_default();
  tacGreenBodyDef box = tac_green_body_def_default();
  tacRigidBodyDef rigid = tac_rigid_body_def_default();
  tacBodyToolDef tool = tac_body_tool_def_default();
  world_def.simulate_every = every;
  box.body.name = "box";
  box.green = green;
  rigid.body.name = "plate";
  rigid.surface = plate;
  rigid.body.pose.position.z = 0.002;
  tool.name = "hand";
  tool.turn_stiffness = 50.0;
  tool.grasp = tac_vec3(0.05, 0.04, tac_trimesh_box(plate).lower.z);
  pair.method = TAC_METHOD_SIGNORINI;
  pair.laws = (tacLawsDef){.patch = 100, .detect = TAC_DETECT_SURFACES};
  TAC_CREATE(tacWorld, world, tac_world_create(&world_def, &world, &error));
  tac_test_ok(tac_world_add_green(world, &box, &pair.points, &error), error);
  tac_test_ok(tac_world_add_rigid(world, &rigid, &pair.field, &error), error);
  tool.body = pair.field;
  tac_test_ok(tac_world_add_pair(world, &pair, NULL, &error), error);
  tac_test_ok(tac_world_add_body_tool(world, &tool, NULL, &error), error);
  tac_test_ok(tac_world_seal(world, &error), error);
  tacToolInput input = {.position = tool.grasp, .orientation = {1.0, 0.0, 0.0, 0.0}};
  tacToolOutput output;
  tacTickReport report;
  for (int i = 0; i < 600; ++i) {
    input.position.z = tool.grasp.z + fmax(-0.003, 0.002 - 2e-5 * i);
    tac_world_step(world, &input, &output, &report);
  }
  return output.force.z;
}

/* Between steps a hand feels at most 24 contacts: there are no more of them than it feels. */
TAC_TEST(large_patches_are_felt_whole_between_steps) {
  TAC_OWN(tacGreen, green) = make_green("box", 0.016);
  double top = tac_trimesh_box(tac_green_surface(green)).upper.z;
  TAC_OWN(tacTriMesh, plate) = make_box_surface((tacBox){tac_vec3(-0.1, -0.1, top), tac_vec3(0.2, 0.2, top + 0.02)});
  double each = felt_by(1, green, plate), seldom = felt_by(10, green, plate);
  ck_assert_double_gt(each, 0.5);
  ck_assert_double_eq_tol(seldom, each, 0.1 * each);
}

/* What no device gets: a force, torque, place or depth of which any number is not finite. */
TAC_TEST(an_output_of_which_a_number_is_not_finite_is_refused) {
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
