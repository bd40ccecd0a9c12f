/* Statements of mechanics about worlds of elastostatic bodies and the tools that touch them. */
#include <tactus/green.h>
#include <tactus/world.h>
#include "body/make_green.h"
#include "contact/point_contact.h"
#include "elastic/reference/reference_problem.h"
#include "kinds/green/capacitance.h"
#include "kinds/green/green_kind.h"
#include "math/geometry/quat.h"
#include "math/random.h"
#include "mesh/make_mesh.h"
#include "physics/block.h"
#include "physics/stepped_world.h"
#include "world/make_world.h"

/* The same body, to ask it. */
static tacTouched make_twin(const tacGreenBodyDef *def) {
  tacTouched twin = {0};
  tac_test_ok(tac_green_kind_create(def, &twin.body, &error), error);
  twin.surface = tac_green_body_surface(tac_green_kind_body(&twin.body));
  return twin;
}

static void destroy_twin(tacTouched *twin) {
  twin->body.table->destroy(twin->body.self);
}

/* Of the world's first body. */
static void set_parameter(tacWorld *world, const char *suffix, double value) {
  char name[200];
  snprintf(name, sizeof name, "%s%s", tac_world_body_name(world, tac_world_body(world, 0)), suffix);
  tac_test_ok(tac_world_set_parameter(world, tac_world_find_parameter(world, name), value, &error), error);
}

static tacVec3 to_world(const tacPose *pose, tacVec3 p) {
  return tac_vec3_add(pose->position, tac_quat_rotate(tac_quat_of(pose->orientation), p));
}

static tacPose turned_pose(void) {
  tacQuat q = tac_quat_from_rotation_vector(tac_vec3(0.4, -1.1, 0.7));
  return (tacPose){{0.3, -0.2, 0.1}, {q.w, q.x, q.y, q.z}};
}

/* A ball, turned. */
static tacGreenBodyDef ball_def(const tacGreen *green, double friction) {
  tacGreenBodyDef def = green_def("ball", green);
  def.mask_radius = 0.025;
  def.rigid_stiffness = 300.0;
  def.body.friction = friction;
  def.body.pose = turned_pose();
  return def;
}

/* Tools that hold single vertices of a turned body feel what the capacitance matrix of these vertices says, also after the
 * body was made stiffer under their hands. */
TAC_TEST(holding_single_vertices_equals_the_capacitance_matrix) {
  enum { TOOLS = 3 };
  TAC_OWN(tacGreen, green) = make_green("sphere", 0.015);
  const tacTriMesh *mesh = tac_green_surface(green);
  tacGreenBodyDef def = ball_def(green, tac_green_body_def_default().body.friction);
  def.mask_radius = 0.0;
  def.rigid_stiffness = 1e9; /* nothing is clamped */
  def.stiffness = 2.0;
  TAC_OWN(tacWorld, world) = make_world(&def, TOOLS);
  int vertex[TOOLS] = {-1, -1, -1};
  const tacVec3 near[TOOLS] = {{0.0, 0.0, 0.05}, {0.018, 0.0, 0.045}, {-0.05, 0.01, 0.0}};
  for (int t = 0; t < TOOLS; ++t)
    for (int v = 0; v < mesh->vertex_count; ++v)
      if (vertex[t] < 0 ||
          tac_vec3_distance(mesh->vertices[v], near[t]) < tac_vec3_distance(mesh->vertices[vertex[t]], near[t]))
        vertex[t] = v;
  TAC_CREATE(tacCapacitance, c, tac_capacitance_create(green, TOOLS, 0, &c, &error));
  for (int t = 0; t < TOOLS; ++t) ck_assert(tac_capacitance_switch(c, vertex[t]));
  tacRandom random = tac_random_seed(5);
  tacToolOutput out[TOOLS];
  tacTickReport report;
  tacVec3 u[TOOLS];
  for (int trial = 0; trial < 20; ++trial) {
    tacToolInput inputs[TOOLS] = {0};
    double stiffness = trial < 10 ? def.stiffness : 3.0;
    if (trial == 10) set_parameter(world, ".stiffness", stiffness);
    ck_assert(tac_capacitance_scale(c, stiffness));
    for (int t = 0; t < TOOLS; ++t) {
      /* First from the vertex itself, a hair outside, so that it is what is held. */
      tacVec3 out_of = tac_vec3_scale(1e-7, tac_vec3_unit(mesh->vertices[vertex[t]]));
      u[t] = trial == 0 ? out_of : tac_random_in_cube(&random, 0.002);
      inputs[t] = (tacToolInput){.position = to_world(&def.body.pose, tac_vec3_add(mesh->vertices[vertex[t]], u[t])),
                                 .grab = true};
      ck_assert(tac_capacitance_prescribe(c, vertex[t], u[t]));
    }
    tac_world_step(world, inputs, out, &report);
    if (trial == 0) tac_world_step(world, inputs, out, &report); /* in the first step they may only come near */
    if (trial == 0) continue;
    ck_assert_int_eq(report.contact_count, TOOLS);
    tac_capacitance_solve(c);
    for (int t = 0; t < TOOLS; ++t) {
      tacVec3 p;
      tac_capacitance_at(c, 1, &vertex[t], &p);
      tacVec3 expected =
          tac_quat_rotate(tac_quat_of(def.body.pose.orientation), tac_vec3_scale(tac_green_area(green)[vertex[t]], p));
      ck_assert_msg(tac_vec3_distance(expected, out[t].contact.force) < 1e-4 * tac_vec3_norm(expected),
                    "trial %d, tool %d: %g N of %g N", trial, t, tac_vec3_distance(expected, out[t].contact.force),
                    tac_vec3_norm(expected));
      /* The held point is where the hand is. */
      ck_assert_double_lt(tac_vec3_distance(out[t].proxy, inputs[t].position), 1e-6);
    }
    tacVec3 force, torque, sum = {0.0, 0.0, 0.0};
    tac_capacitance_contact_force(c, tac_vec3(0.0, 0.0, 0.0), &force, &torque);
    for (int t = 0; t < TOOLS; ++t) sum = tac_vec3_sub(sum, out[t].force);
    ck_assert_double_lt(tac_vec3_distance(sum, tac_quat_rotate(tac_quat_of(def.body.pose.orientation), force)),
                        1e-4 * tac_vec3_norm(force));
  }
}

/* ---- Coulomb's law where the surface is rigid ---- */

static bool at_top(tacVec3 p) {
  return p.z >= 1.0 - 1e-12;
}

/* The fixed face of a block has K = k I and one normal. A tool pressed in by d sticks until its way along is mu d; then the
 * point follows it on a leash of that length: straight on if it is pulled straight, along a tractrix if pulled aside. */
TAC_TEST(a_rigid_face_obeys_coulomb_in_closed_form) {
  const double mu = 0.3, depth = 0.002, leash = mu * depth, k = 800.0;
  Block b = make_block(make_bricks(unit_box(), 8, 8, 8), at_top, 1e5, 0.3);
  int wanted = 0;
  while (b.fixed[wanted]) ++wanted;
  TAC_OWN(tacGreen, green) = bake_block(&b, 1, &wanted);
  tacGreenBodyDef def = green_def("block", green);
  def.body.pose = turned_pose();
  def.rigid_stiffness = k;
  def.body.friction = mu;
  TAC_OWN(tacWorld, world) = make_world(&def, 1);
  tacQuat turn = tac_quat_of(def.body.pose.orientation);
  tacToolOutput out;
  tacToolInput input = {0};
  const tacVec3 start = {0.41, 0.38, 1.0};
  for (int friction = 0; friction < 2; ++friction) {
    double here_mu = friction == 0 ? mu : 0.0;
    set_parameter(world, ".friction", here_mu);
    tac_world_reset(world);
    input.position = to_world(&def.body.pose, tac_vec3_add(start, tac_vec3(0.0, 0.0, 0.01)));
    step_world(world, &input, &out);
    input.position = to_world(&def.body.pose, tac_vec3_add(start, tac_vec3(0.0, 0.0, -depth)));
    step_world(world, &input, &out);
    if (here_mu > 0.0) ck_assert_int_eq(out.contact.state, TAC_CONTACT_STICKS);
    tacVec3 f = tac_quat_rotate(tac_quat_conjugate(turn), out.force);
    ck_assert_double_lt(tac_vec3_distance(f, tac_vec3(0.0, 0.0, k * depth)), 1e-9);
    /* Straight: way by way against stick, then s - mu d. */
    tacVec3 along = tac_vec3_unit(tac_vec3(2.0, 1.0, 0.0));
    for (int i = 1; i <= 300; ++i) {
      double s = 1e-5 * i + 1e-8; /* not exactly at the threshold */
      tacVec3 y = tac_vec3_mad(tac_vec3_add(start, tac_vec3(0.0, 0.0, -depth)), s, along);
      input.position = to_world(&def.body.pose, y);
      step_world(world, &input, &out);
      double slid = fmax(0.0, s - here_mu * depth);
      ck_assert_int_eq(out.contact.state, slid > 0.0 ? TAC_CONTACT_SLIDES : TAC_CONTACT_STICKS);
      ck_assert_double_lt(tac_vec3_distance(out.contact.at, to_world(&def.body.pose, tac_vec3_mad(start, slid, along))),
                          1e-9);
      ck_assert_double_lt(tac_vec3_distance(out.contact.normal, tac_quat_rotate(turn, tac_vec3(0.0, 0.0, 1.0))), 1e-9);
      tacVec3 expected = tac_vec3_mad(tac_vec3(0.0, 0.0, k * depth), -k * (s - slid), along); /* on the hand */
      ck_assert_double_lt(tac_vec3_distance(tac_quat_rotate(tac_quat_conjugate(turn), out.force), expected), 1e-6);
    }
    if (here_mu == 0.0) { /* Fast: a point goes along with its tool at any speed. */
      for (int i = 1; i <= 20; ++i) {
        tacVec3 y = tac_vec3_mad(start, 3e-3 + 1e-2 * i, along);
        input.position = to_world(&def.body.pose, tac_vec3_add(y, tac_vec3(0.0, 0.0, -depth)));
        step_world(world, &input, &out);
        ck_assert_double_lt(tac_vec3_distance(out.contact.at, to_world(&def.body.pose, y)), 1e-9);
      }
      continue;
    }
    /* Aside: the leash's angle to the way goes as tan(angle / 2) = tan(90 / 2) exp(-s / leash). */
    tacVec3 from = tac_vec3_mad(tac_vec3_add(start, tac_vec3(0.0, 0.0, -depth)), 3e-3 + 1e-8, along);
    tacVec3 aside = tac_vec3(-along.y, along.x, 0.0);
    for (int i = 1; i <= 1200; ++i) {
      double s = 1e-6 * i;
      tacVec3 y = tac_vec3_mad(from, s, aside);
      input.position = to_world(&def.body.pose, y);
      step_world(world, &input, &out);
      double angle = 2.0 * atan(exp(-s / leash));
      tacVec3 expected = tac_vec3_mad(tac_vec3_mad(y, -leash * cos(angle), aside), -leash * sin(angle), along);
      expected.z = 1.0;
      ck_assert_double_lt(tac_vec3_distance(out.contact.at, to_world(&def.body.pose, expected)), 2e-3 * leash);
    }
  }
}

/* ---- energy ---- */

/* With u = K^-1 f the stretch of a tool's own contact, E = sum of f . (y - x) / 2 is stored, the hands' work is the sum of
 * f . dy, and what rubs away is the sum of g . dx with g = f - u.(grad K) u / 2. */
typedef struct {
  const tacTouched *twin;
  tacQuat turn;
  tacVec3 y[TAC_MOST_TOOLS], force[TAC_MOST_TOOLS], drive[TAC_MOST_TOOLS], at[TAC_MOST_TOOLS];
  double work, gross, rubbed; /* J; gross: the sum of the sizes of the work */
  double stored, stored_most;
} Ledger;

/* g in the world's frame. */
static tacVec3 drive_of(const Ledger *l, const tacContact *c) {
  tacSurfacePoint at = {c->triangle, {c->weight[0], c->weight[1], c->weight[2]}};
  tacMat3 compliance;
  ck_assert(tac_mat3_inverse(tac_point_contact_stiffness(l->twin, at), &compliance));
  tacVec3 f = tac_quat_rotate(tac_quat_conjugate(l->turn), c->force), u = tac_mat3_mul_vec(compliance, f), g = f;
  for (int i = 0; i < 3; ++i) {
    int v = l->twin->surface->mesh->triangles[at.triangle].v[i];
    const tacMat3 *gradient = l->twin->body.table->stiffness(l->twin->body.self, 0, v)->gradient;
    g.x -= 0.5 * at.weight[i] * tac_vec3_dot(u, tac_mat3_mul_vec(gradient[0], u));
    g.y -= 0.5 * at.weight[i] * tac_vec3_dot(u, tac_mat3_mul_vec(gradient[1], u));
    g.z -= 0.5 * at.weight[i] * tac_vec3_dot(u, tac_mat3_mul_vec(gradient[2], u));
  }
  return tac_quat_rotate(l->turn, g);
}

static void book(Ledger *l, int tools, const tacVec3 *y, const tacToolOutput *out) {
  l->stored = 0.0;
  for (int t = 0; t < tools; ++t) {
    bool touches = out[t].contact.state != TAC_CONTACT_NONE;
    tacVec3 f = out[t].contact.force, x = touches ? out[t].contact.at : y[t];
    tacVec3 g = touches ? drive_of(l, &out[t].contact) : f;
    double step = 0.5 * tac_vec3_dot(tac_vec3_add(f, l->force[t]), tac_vec3_sub(y[t], l->y[t]));
    l->work += step;
    l->gross += fabs(step);
    l->stored += 0.5 * tac_vec3_dot(f, tac_vec3_sub(y[t], x));
    if (tac_vec3_norm(l->force[t]) > 0.0 && touches)
      l->rubbed += 0.5 * tac_vec3_dot(tac_vec3_add(g, l->drive[t]), tac_vec3_sub(x, l->at[t]));
    l->y[t] = y[t];
    l->force[t] = f;
    l->drive[t] = g;
    l->at[t] = x;
  }
  l->stored_most = fmax(l->stored_most, l->stored);
}

/* Three tools hold a body and go around: E depends on where they are, not on how they came there, and nothing is left when
 * they are back. */
TAC_TEST(loops_of_several_holding_tools_do_no_work) {
  enum { TOOLS = 3, LEGS = 12, STEPS = 40 };
  TAC_OWN(tacGreen, green) = make_green("sphere", 0.015);
  tacGreenBodyDef def = ball_def(green, tac_green_body_def_default().body.friction);
  def.rigid_stiffness = 150.0; /* clamps some */
  def.stiffness = 1.7;
  TAC_OWN(tacWorld, world) = make_world(&def, TOOLS);
  const tacVec3 home[TOOLS] = {{0.0, 0.002, 0.05}, {0.02, 0.0, 0.0458}, {-0.03, 0.03, 0.0264}};
  tacVec3 y[TOOLS], from[TOOLS], to[TOOLS];
  tacRandom random = tac_random_seed(8);
  tacToolInput inputs[TOOLS] = {0};
  tacToolOutput out[TOOLS];
  tacTickReport report;
  for (int t = 0; t < TOOLS; ++t) {
    y[t] = to_world(&def.body.pose, tac_vec3_scale(1.001, home[t]));
    inputs[t] = (tacToolInput){.position = y[t], .grab = true};
  }
  tac_world_step(world, inputs, out, &report);
  tac_world_step(world, inputs, out, &report);
  ck_assert_int_eq(report.contact_count, TOOLS);
  TAC_FREED(destroy_twin, tacTouched, twin) = make_twin(&def);
  Ledger l = {.twin = &twin, .turn = tac_quat_of(def.body.pose.orientation)};
  book(&l, TOOLS, y, out);
  double start = l.stored;
  l.work = l.gross = 0.0;
  for (int leg = 0; leg < LEGS; ++leg) {
    for (int t = 0; t < TOOLS; ++t) {
      from[t] = y[t];
      to[t] = tac_vec3_add(inputs[t].position, tac_random_in_cube(&random, 0.004));
      if (leg == LEGS - 1) to[t] = to_world(&def.body.pose, tac_vec3_scale(1.001, home[t]));
    }
    for (int i = 1; i <= STEPS; ++i) {
      for (int t = 0; t < TOOLS; ++t) inputs[t].position = y[t] = tac_vec3_mix(from[t], to[t], (double)i / STEPS);
      tac_world_step(world, inputs, out, &report);
      ck_assert_int_eq(report.contact_count, TOOLS);
      book(&l, TOOLS, y, out);
      ck_assert_double_eq_tol(l.work, l.stored - start, 1e-5 * l.gross);
    }
  }
  ck_assert_double_gt(l.gross, 1e-4);
  ck_assert_double_lt(fabs(l.work), 1e-5 * l.gross);
}

/* The gradient of K^H at the vertices: along the edges it makes the differences of K^H. */
TAC_TEST(the_gradient_of_stiffness_is_its_derivative) {
  TAC_OWN(tacGreen, green) = make_green("sphere", 0.012);
  TAC_CREATE(tacGreenBody, body, tac_green_body_create(green, 0.025, 1e6, &body, &error));
  const tacTriMesh *mesh = tac_green_surface(green);
  double product = 0.0, square = 0.0;
  for (int t = 0; t < mesh->triangle_count; ++t)
    for (int s = 0; s < 3; ++s) {
      int i = mesh->triangles[t].v[s], j = mesh->triangles[t].v[(s + 1) % 3];
      if (mesh->vertices[i].z < -0.005 || mesh->vertices[j].z < -0.005) continue; /* away from the support */
      const tacVertexStiffness *a = tac_green_body_haptic_stiffness(body, i),
                               *b = tac_green_body_haptic_stiffness(body, j);
      tacVec3 e = tac_vec3_sub(mesh->vertices[j], mesh->vertices[i]);
      const double step[3] = {e.x, e.y, e.z};
      for (int k = 0; k < 9; ++k) {
        double expected = b->value.m[k / 3][k % 3] - a->value.m[k / 3][k % 3], found = 0.0;
        for (int axis = 0; axis < 3; ++axis)
          found += 0.5 * step[axis] * (a->gradient[axis].m[k / 3][k % 3] + b->gradient[axis].m[k / 3][k % 3]);
        product += expected * found;
        square += expected * expected;
      }
    }
  ck_assert_double_eq_tol(product / square, 1.0, 0.15);
}

/* Tools over a ball of 50 mm, that press, slide, lift and come back; `part` of the way from 0 to 1, in its frame. */
static tacVec3 rubbing(int tool, int tools, double depth, double part) {
  const double turn = 2.0 * M_PI;
  double around = turn * tool / tools + 0.7 * sin(2.0 * turn * part + 1.7 * tool);
  double down = 0.7 + 0.3 * sin(3.0 * turn * part + 2.9 * tool);
  double radius = 0.0505 - depth * sin(M_PI * part) * (1.0 + cos(4.0 * turn * part + 4.1 * tool));
  if (part == 0.0 || part == 1.0) radius = 0.06;
  return tac_vec3(radius * sin(down) * cos(around), radius * sin(down) * sin(around), radius * cos(down));
}

/* What the hands give is stored or rubbed away, and rubbing takes. */
static void rub(const tacGreen *green, int tools, double friction, double depth, double tolerance) {
  tacGreenBodyDef def = ball_def(green, friction);
  TAC_OWN(tacWorld, world) = make_world(&def, tools);
  const int steps = tac_test_light() ? 6000 : 30000;
  tacToolInput inputs[TAC_MOST_TOOLS] = {0};
  tacToolOutput out[TAC_MOST_TOOLS];
  tacTickReport report;
  tacVec3 y[TAC_MOST_TOOLS];
  TAC_FREED(destroy_twin, tacTouched, twin) = make_twin(&def);
  Ledger l = {.twin = &twin, .turn = tac_quat_of(def.body.pose.orientation)};
  double least = 0.0;
  int touching = 0;
  for (int i = 0; i <= steps; ++i) {
    for (int t = 0; t < tools; ++t)
      inputs[t].position = y[t] = to_world(&def.body.pose, rubbing(t, tools, depth, (double)i / steps));
    tac_world_step(world, inputs, out, &report);
    if (i == 0) memcpy(l.y, y, sizeof y);
    book(&l, tools, y, out);
    touching += report.contact_count;
    least = fmin(least, l.work - l.stored);
  }
  ck_assert_int_gt(touching, steps * tools / 3);
  ck_assert_double_eq(l.stored, 0.0); /* all have let go */
  const char *what = "%d tools, friction %g, depth %g: of %g J hands gave %g J, rubbed away %g J, at worst %g J";
  char text[200];
  snprintf(text, sizeof text, what, tools, friction, depth, l.gross, l.work, l.rubbed, least);
  ck_assert_msg(fabs(l.work - l.rubbed) < tolerance * l.gross, "%s", text);
  if (friction > 0.0) {
    ck_assert_msg(least > -1e-6 * l.gross, "%s", text);
    ck_assert_msg(l.work > 0.5 * l.gross, "%s", text);
  } else {
    /* A slide that would give something is cut short (contact/point_contact.h): measured, that takes 2.3 %. */
    ck_assert_msg(l.work > -tolerance * l.gross && l.work < fmax(tolerance, 0.04) * l.gross, "%s", text);
  }
}

/* With several tools the balance holds to the order of the strain: that the others' displacement changes along the surface
 * is left out of what drives a contact. */
TAC_TEST(friction_takes_what_the_hands_give) {
  TAC_OWN(tacGreen, green) = make_green("sphere", 0.015);
  rub(green, 1, 0.0, 0.004, 0.01);
  rub(green, 1, 0.3, 0.004, 0.005);
  rub(green, 3, 0.0, 0.002, 0.01);
  rub(green, 3, 0.3, 0.004, 0.02);
  rub(green, 3, 0.3, 0.002, 0.006);
}

/* Each step is solved from where it began, so the order of the tools does not matter. */
TAC_TEST(the_order_of_tools_does_not_matter) {
  enum { TOOLS = 3 };
  const int steps = tac_test_light() ? 500 : 3000, order[TOOLS] = {2, 0, 1};
  TAC_OWN(tacGreen, green) = make_green("sphere", 0.015);
  tacGreenBodyDef def = ball_def(green, 0.3);
  TAC_OWN(tacWorld, first) = make_world(&def, TOOLS);
  TAC_OWN(tacWorld, second) = make_world(&def, TOOLS);
  tacWorld *world[2] = {first, second};
  double difference = 0.0, largest = 0.0;
  int saturated = 0;
  for (int i = 0; i <= steps; ++i) {
    tacToolInput inputs[2][TOOLS] = {0};
    tacToolOutput out[2][TOOLS];
    tacTickReport report[2];
    for (int t = 0; t < TOOLS; ++t)
      inputs[0][t].position = inputs[1][order[t]].position =
          to_world(&def.body.pose, rubbing(t, TOOLS, 0.004, (double)i / steps));
    for (int w = 0; w < 2; ++w) {
      tac_world_step(world[w], inputs[w], out[w], &report[w]);
      saturated += report[w].saturated;
    }
    for (int t = 0; t < TOOLS; ++t) {
      largest = fmax(largest, tac_vec3_norm(out[0][t].force));
      difference = fmax(difference, tac_vec3_distance(out[0][t].force, out[1][order[t]].force));
    }
  }
  ck_assert_int_le(saturated, steps / 500);
  ck_assert_msg(difference < 1e-4 * largest, "%g N of %g N", difference, largest);
}

/* Where a triangle has fixed corners too, the compliance between two far points is what the surface shows. */
TAC_TEST(compliance_is_the_displacement_of_the_surface) {
  TAC_OWN(tacGreen, green) = make_green("sphere", 0.015);
  const tacTriMesh *mesh = tac_green_surface(green);
  tacGreenBodyDef def = ball_def(green, 0.0);
  def.mask_radius = 0.012;
  TAC_FREED(destroy_twin, tacTouched, twin) = make_twin(&def);
  TAC_MEMORY(tacVec3, u) = calloc((size_t)mesh->vertex_count, sizeof *u);
  int mixed = 0;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    int fixed = 0, other = (t + mesh->triangle_count / 2) % mesh->triangle_count;
    for (int k = 0; k < 3; ++k) fixed += tac_green_fixed(green)[mesh->triangles[t].v[k]];
    tacVec3 way = tac_vec3_sub(mesh->vertices[mesh->triangles[t].v[0]], mesh->vertices[mesh->triangles[other].v[0]]);
    if (tac_vec3_norm(way) < 0.04 || fixed == 3) continue;
    mixed += fixed > 0;
    tacSurfacePoint at = {t, {0.2, 0.3, 0.5}};
    tacPointForce force = {{other, {0.4, 0.4, 0.2}}, {0.3, -0.7, 0.5}, NULL};
    tac_green_body_deform(tac_green_kind_body(&twin.body), 1, &force, u, NULL);
    tacVec3 expected = {0.0, 0.0, 0.0};
    double largest = 0.0;
    for (int k = 0; k < 3; ++k) expected = tac_vec3_mad(expected, at.weight[k], u[mesh->triangles[t].v[k]]);
    for (int v = 0; v < mesh->vertex_count; ++v) largest = fmax(largest, tac_vec3_norm(u[v]));
    tacMat3 w;
    ck_assert(tac_green_body_compliance(tac_green_kind_body(&twin.body), at, force.at, &w));
    /* The compliance is the mean of this and of what a mask at `at` feels of a point: a smoother quantity. */
    ck_assert_double_lt(tac_vec3_distance(tac_mat3_mul_vec(w, force.force), expected), 0.1 * largest + 1e-12);
  }
  ck_assert_int_gt(mixed, 10);
}

/* One tool pulls the surface out; another comes from far above and meets it there, before where it was. */
TAC_TEST(tools_touch_a_surface_that_is_pulled_out) {
  TAC_OWN(tacGreen, green) = make_green("sphere", 0.015);
  tacGreenBodyDef def = ball_def(green, 0.3);
  def.rigid_stiffness = 1e5; /* nothing is clamped */
  TAC_OWN(tacWorld, world) = make_world(&def, 2);
  tacToolInput inputs[2] = {{.grab = true}, {.grab = false}};
  tacToolOutput out[2];
  const double pulled = 0.008;
  for (int i = 0; i <= 100; ++i) {
    inputs[0].position = to_world(&def.body.pose, tac_vec3(0.0, 0.0, 0.0501 + pulled * i / 100.0));
    inputs[1].position = to_world(&def.body.pose, tac_vec3(0.004, 0.0, 0.07));
    step_world(world, inputs, out);
  }
  ck_assert_int_eq(out[0].contact.state, TAC_CONTACT_GRABBED);
  double touch_height = 0.0;
  for (int i = 0; i < 2000 && touch_height == 0.0; ++i) {
    double z = 0.07 - 1e-5 * i;
    inputs[1].position = to_world(&def.body.pose, tac_vec3(0.004, 0.0, z));
    step_world(world, inputs, out);
    if (out[1].contact.state != TAC_CONTACT_NONE) touch_height = z;
  }
  double rest = sqrt(0.05 * 0.05 - 0.004 * 0.004);
  ck_assert_msg(touch_height > rest + 0.5 * pulled && touch_height < rest + 1.1 * pulled, "touched at %g m",
                touch_height);
}

/* Two bodies with a tool each: nobody feels the other's, neither in forces nor in shape. */
TAC_TEST(bodies_do_not_feel_each_others_tools) {
  TAC_OWN(tacGreen, green) = make_green("sphere", 0.02);
  int n = tac_green_surface(green)->vertex_count;
  tacGreenBodyDef def[2] = {ball_def(green, 0.3), ball_def(green, 0.3)};
  def[1].body.name = "other";
  def[1].body.pose.position = tac_vec3(-0.2, 0.3, 0.0);
  def[1].stiffness = 2.0;
  TAC_OWN(tacWorld, first) = make_world(&def[0], 1);
  TAC_OWN(tacWorld, second) = make_world(&def[1], 1);
  TAC_OWN(tacWorld, both) = make_world_with(TAC_METHOD_PENALTY, 1);
  tacWorld *alone[2] = {first, second};
  for (int b = 0; b < 2; ++b) tac_test_ok(tac_world_add_green(both, &def[b], NULL, &error), error);
  tac_test_ok(tac_world_add_point_tool(both, &(tacPointToolDef){.name = "a"}, NULL, &error), error);
  tac_test_ok(tac_world_add_point_tool(both, &(tacPointToolDef){.name = "b"}, NULL, &error), error);
  seal(both);
  TAC_MEMORY(tacVec3, expected) = calloc((size_t)n, sizeof *expected);
  TAC_MEMORY(tacVec3, found) = calloc((size_t)n, sizeof *found);
  const int steps = 500;
  for (int i = 0; i <= steps; ++i) {
    tacToolInput inputs[2] = {0};
    tacToolOutput out[2], lone[2];
    for (int t = 0; t < 2; ++t)
      inputs[t].position = to_world(&def[t].body.pose, rubbing(t, 2, 0.003, (double)i / steps));
    step_world(both, inputs, out);
    tacSnapshot snapshot = {.tool_count = 2, .output = {out[0], out[1]}};
    for (int t = 0; t < 2; ++t) {
      step_world(alone[t], &inputs[t], &lone[t]);
      ck_assert_mem_eq(&out[t].force, &lone[t].force, sizeof lone[t].force);
      ck_assert_mem_eq(&out[t].proxy, &lone[t].proxy, sizeof lone[t].proxy);
      if (i % 50 != 0) continue;
      tacSnapshot one = {.tool_count = 1, .output = {lone[t]}};
      tac_world_surface(both, &snapshot, tac_world_body(both, t), found);
      tac_world_surface(alone[t], &one, tac_world_body(alone[t], 0), expected);
      ck_assert_mem_eq(found, expected, (size_t)n * sizeof *found);
    }
  }
}

/* ---- Green's functions that are computed on demand ---- */

TAC_TEST(near_storage_gives_the_same_world) {
  Block b = make_block(make_bricks((tacBox){{0.0, 0.0, 0.0}, {0.1, 0.1, 0.06}}, 6, 6, 4), at_bottom, 2e4, 0.4);
  tacGreenDef def = tac_green_def_default();
  def.error_estimate_loads = 0; /* not of interest here */
  def.problem = (tacReferenceDef){.method = TAC_FINITE_ELEMENTS,
                                  .volume = b.volume,
                                  .material_count = 1,
                                  .materials = &b.material,
                                  .fixed = b.fixed};
  TAC_OWN(tacGreen, whole) = NULL;
  TAC_OWN(tacGreen, near) = NULL;
  tac_test_ok(tac_green_bake(&def, NULL, &whole, &error), error);
  def.storage = TAC_GREEN_NEAR;
  def.near_radius = 0.031;
  tac_test_ok(tac_green_bake(&def, NULL, &near, &error), error);
  TAC_CREATE(tacReferenceProblem, problem, tac_reference_problem_create(&def.problem, NULL, &problem, &error));
  tacGreenBodyDef body = ball_def(whole, 0.3);
  body.mask_radius = 0.03;
  body.rigid_stiffness = 1e5; /* nothing is clamped */
  tacWorld *world[3];
  world[0] = make_world(&body, 2);
  body.green = near;
  world[1] = make_world(&body, 2); /* nothing is computed: tools do not feel each other */
  body.problem = problem;
  world[2] = make_world(&body, 2);
  tacToolInput inputs[2] = {0};
  tacToolOutput out[3][2];
  tacTickReport report[3];
  const tacVec3 touched[2] = {{0.04, 0.05, 0.06}, {0.065, 0.045, 0.06}};
  int patience = 120000;
  for (int i = 0; i <= 20; ++i) {
    for (int t = 0; t < 2; ++t)
      inputs[t].position = to_world(&body.body.pose, tac_vec3_add(touched[t], tac_vec3(0.0, 0.0, 0.003 - 4e-4 * i)));
    for (int w = 0; w < 3; ++w)
      for (;;) { /* until the responses are there, for at most ten minutes in all */
        tac_world_step(world[w], inputs, out[w], &report[w]);
        if (w < 2 || report[w].uncoupled == 0 || patience-- <= 0) break;
        usleep(5000);
      }
    tac_world_step(world[2], inputs, out[2], &report[2]);
  }
  ck_assert_int_eq(report[0].uncoupled, 0);
  ck_assert_int_gt(report[1].uncoupled, 0);
  ck_assert_int_eq(report[2].uncoupled, 0);
  for (int t = 0; t < 2; ++t) {
    ck_assert_int_ne(out[0][t].contact.state, TAC_CONTACT_NONE);
    double size = tac_vec3_norm(out[0][t].force);
    ck_assert_double_lt(tac_vec3_distance(out[0][t].force, out[2][t].force), 1e-4 * size);
    ck_assert_double_gt(tac_vec3_distance(out[0][t].force, out[1][t].force), 0.05 * size);
    ck_assert_double_lt(tac_vec3_distance(out[0][t].proxy, out[2][t].proxy), 1e-6);
    /* Without responses the proxy is by the stiffness alone: where the hand is. */
    ck_assert_double_lt(tac_vec3_distance(out[1][t].proxy, inputs[t].position), 1e-6);
  }
  for (int w = 0; w < 3; ++w) tac_world_destroy(world[w]);
}
