/* Free bodies, rigid and reduced, on the floor and against each other, by both methods. */
#include <tactus/distance_field.h>
#include <tactus/reduced.h>
#include <tactus/rigid.h>
#include <tactus/world.h>
#include "asset/contact_field.h"
#include "asset/deformed_field.h"
#include "asset/deformed_pose.h"
#include "asset/distance_field.h"
#include "bake/make_bent.h"
#include "kinds/reduced/embedded/deformed_field_bake.h"
#include "kinds/reduced/reduced.h"
#include "kinds/reduced/reduced_kind.h"
#include "math/random.h"
#include "step_world.h"
#include "world/make_defs.h"
#include "world/world_parts.h"

#define G 9.81

/* A cuboid of bricks of 20 mm as a reduced body, and as a rigid one of the same mass. */
typedef struct Thing {
  tacReduced *reduced;
  tacDeformedField *soft_field;
  tacDistanceField *field;
  tacInertia inertia;
} Thing;

static Thing make_thing(int x, int y, int z, int r) {
  Thing t = {.reduced = tac_test_keep(brick_beam_reduced(x, y, z, 0.02, true, 4, r), tac_reduced_destroy)};
  tacDistanceField *rest = rest_field(t.reduced, 24);
  tacDeformedFieldDef proxies = tac_deformed_field_def_default();
  t.soft_field =
      tac_test_kept(tacDeformedField, tac_deformed_field_bake(t.reduced, 1, &rest, &proxies, NULL, &made, &error));
  tacBox box = {tac_vec3(0.0, 0.0, 0.0), tac_vec3(0.02 * x, 0.02 * y, 0.02 * z)};
  t.field = tac_test_kept(tacDistanceField, tac_distance_field_box(box, &made, &error));
  t.inertia.mass = tac_reduced_info(t.reduced)->mass;
  t.inertia.centre = tac_reduced_centre(t.reduced);
  tac_reduced_inertia(t.reduced, t.inertia.moments);
  return t;
}

typedef struct Things {
  Thing all[3];
} Things;

/* Bricks along x, y and z of each, and coordinates. */
static Things make_things(const int sizes[3][4]) {
  Things t;
  for (int a = 0; a < 3; ++a) t.all[a] = make_thing(sizes[a][0], sizes[a][1], sizes[a][2], sizes[a][3]);
  return t;
}

static const int cube_plate_and_bar[3][4] = {{2, 2, 2, 6}, {4, 4, 1, 10}, {4, 1, 1, 8}};

typedef struct Def {
  const Thing *thing;
  bool rigid;
  tacReducedBodyDef def; /* of a rigid one what both have */
} Def;

static Def def_of(const char *name, const Thing *thing, bool rigid, tacVec3 position) {
  Def d = {thing, rigid, tac_reduced_body_def_default()};
  d.def.body.name = name;
  d.def.reduced = thing->reduced;
  d.def.field = thing->soft_field;
  d.def.body.pose.position = position;
  d.def.body.gravity = tac_vec3(0.0, 0.0, -G);
  d.def.mass_damping = 1.0;
  d.def.stiffness_damping = 0.005;
  return d;
}

static void add(tacWorld *world, const Def *d) {
  if (!d->rigid) {
    tac_test_ok(tac_world_add_reduced(world, &d->def, NULL, &error), error);
    return;
  }
  tacRigidBodyDef def = rigid_def(d->def.body.name, tac_reduced_surface(d->thing->reduced), NULL, d->thing->field);
  def.body.pose = d->def.body.pose;
  def.body.free = true;
  def.inertia = d->thing->inertia;
  def.body.velocity = d->def.body.velocity;
  def.body.spin = d->def.body.spin;
  def.body.gravity = d->def.body.gravity;
  def.body.friction = d->def.body.friction;
  def.body.contact_stiffness = d->def.body.contact_stiffness;
  tac_test_ok(tac_world_add_rigid(world, &def, NULL, &error), error);
}

static tacWorld *world_of(int count, const Def *defs, tacContactMethod method, double floor_friction) {
  tacWorldDef def = tac_world_def_default();
  def.method = method;
  tacWorld *world = tac_test_made(tacWorld *, tac_world_create(&def, &made, &error));
  for (int b = 0; b < count; ++b) add(world, &defs[b]);
  if (floor_friction >= 0.0)
    tac_test_ok(tac_world_set_floor(world, &(tacFloorDef){{0.0, 0.0, 1.0}, 0.0, floor_friction}, &error), error);
  tac_test_ok(tac_world_seal(world, &error), error);
  return world;
}

static tacFrame *frame_of(const tacWorld *world, int b) {
  return &world->bodies[b].frame;
}

static void throw_it(tacWorld *world, int b, tacVec3 velocity, tacVec3 spin) {
  frame_of(world, b)->linear = velocity;
  frame_of(world, b)->angular = spin;
}

/* What all bodies have: energy (J), the fastest centre (m/s) and turn (rad/s), the lowest vertex (m), momentum (kg m/s) and
 * angular momentum about the origin (kg m^2/s). */
typedef struct Sum {
  double energy, speed, spin, low;
  tacVec3 momentum, turning;
} Sum;

static Sum sum_of(const tacWorld *world) {
  Sum sum = {.low = INFINITY};
  for (int b = 0; b < world->body_count; ++b) {
    const tacWorldBody *body = &world->bodies[b];
    const tacFrame *f = &body->frame;
    const tacReducedBody *soft = tac_reduced_kind_body(&body->body);
    sum.energy += tac_frame_energy(f) - f->mass * tac_vec3_dot(f->gravity, tac_frame_about(f));
    if (soft != NULL) sum.energy += tac_reduced_body_energy(soft);
    sum.momentum = tac_vec3_add(sum.momentum, tac_frame_momentum(f));
    sum.turning = tac_vec3_add(sum.turning, tac_frame_angular_momentum(f));
    sum.speed = fmax(sum.speed, tac_vec3_norm(f->linear));
    sum.spin = fmax(sum.spin, tac_vec3_norm(f->angular));
    for (int i = 0; i < body->surface->mesh->vertex_count; ++i)
      sum.low = fmin(sum.low, tac_frame_to_world(f, body->body.table->vertex(body->body.self, i)).z);
  }
  return sum;
}

static void run(tacWorld *world, int ticks) {
  tacTickReport report;
  for (int i = 0; i < ticks; ++i) {
    tac_world_step(world, NULL, NULL, &report);
    ck_assert_int_eq(report.refused, 0);
  }
}

/* However it falls and however long its steps are, a body comes to rest on the floor and gains no energy on the way. */
TAC_TEST(falling_bodies_come_to_rest) {
  Things things = make_things(cube_plate_and_bar);
  for (int a = 0; a < 3; ++a)
    for (int how = 0; how < 8; ++how) { /* rigid or not, signorini or not, seldom or not */
      bool rigid = how & 1, laws = how & 2, seldom = how & 4;
      if (rigid && seldom) continue;
      Def def = def_of("body", &things.all[a], rigid, tac_vec3(0.0, 0.0, 0.2));
      def.def.body.every = seldom ? 8 : 1;
      def.def.body.velocity = tac_vec3(0.5, 0.0, 0.0);
      def.def.body.spin = tac_vec3(2.0, 7.0, 3.0);
      TAC_OWN(tacWorld, world) = world_of(1, &def, laws ? TAC_METHOD_SIGNORINI : TAC_METHOD_PENALTY, 0.5);
      Sum start = sum_of(world);
      for (int i = 0; i < (tac_test_light() ? 30 : 150); ++i) {
        run(world, 20);
        double energy = sum_of(world).energy;
        ck_assert_msg(energy <= 1.001 * start.energy, "thing %d, how %d: %g J of %g J", a, how, energy, start.energy);
      }
      Sum end = sum_of(world);
      if (!tac_test_light())
        ck_assert_msg(end.speed < 0.02 && end.spin < 0.5, "thing %d, how %d: %g m/s, %g rad/s", a, how, end.speed,
                      end.spin);
      ck_assert_msg(end.low > (laws ? -0.002 : -0.006), "thing %d, how %d: %g m below", a, how, end.low);
    }
}

/* Coulomb: v = v0 - mu g t, then rest; a spinning one stops too. */
TAC_TEST(floor_has_friction) {
  Thing cube = make_thing(2, 2, 2, 6);
  for (int how = 0; how < 4; ++how) {
    Def def = def_of("cube", &cube, how & 1, tac_vec3(0.0, 0.0, 0.0));
    TAC_OWN(tacWorld, world) = world_of(1, &def, how & 2 ? TAC_METHOD_SIGNORINI : TAC_METHOD_PENALTY, 0.2);
    run(world, 500);
    throw_it(world, 0, tac_vec3(0.6, 0.0, 0.0), tac_vec3(0.0, 0.0, 0.0));
    run(world, 100);
    ck_assert_double_eq_tol(frame_of(world, 0)->linear.x, 0.6 - 0.2 * G * 0.1, 0.03);
    run(world, 600);
    tacVec3 at = tac_frame_about(frame_of(world, 0));
    ck_assert_double_eq_tol(at.x, 0.02 + 0.5 * 0.6 * 0.6 / (0.2 * G), 0.006);
    run(world, 500);
    tacVec3 later = tac_frame_about(frame_of(world, 0));
    tac_test_print("how %d: %g %g %g, %g %g %g\n", how, at.x, at.y, at.z, later.x, later.y, later.z);
    ck_assert_double_lt(tac_vec3_distance(later, at), 1e-4);
    throw_it(world, 0, tac_vec3(0.0, 0.0, 0.0), tac_vec3(0.0, 0.0, 10.0));
    run(world, 600);
    ck_assert_msg(fabs(frame_of(world, 0)->angular.z) < 0.01, "how %d: %g rad/s", how, frame_of(world, 0)->angular.z);
  }
}

static tacVec3 random_vector(tacRandom *random, double most) {
  return tac_random_in_box(random, (tacBox){{-most, -most, -most}, {most, most, most}});
}

/* Bodies that fly at each other, spin, rub and bounce, each with a step of its own. Every force is made once and acts on both, opposite,
 * at one point, so the sums of momentum and of angular momentum stay, to rounding, whatever the numbers are: while all bodies step
 * in every tick, at every tick; otherwise as soon as those that were pushed have stepped. No blow gives energy. */
TAC_TEST(collisions_conserve_momentum) {
  enum { BODIES = 5 };
  static const int steps[][BODIES] = {{1, 1, 1, 1, 1}, {12, 12, 12, 12, 12}, {1, 12, 3, 7, 1}, {5, 2, 8, 1, 12}};
  static const int sizes[3][4] = {{2, 2, 2, 6}, {3, 3, 3, 6}, {3, 2, 1, 6}};
  Things things = make_things(sizes);
  int all = 0;
  for (uint64_t seed = 1; seed <= (tac_test_light() ? 2 : tac_test_all() ? 16 : 8); ++seed)
    for (int pace = 0; pace < 4; ++pace) {
      tacRandom random = tac_random_seed(seed);
      tacContactMethod method = seed % 2 == 0 ? TAC_METHOD_SIGNORINI : TAC_METHOD_PENALTY;
      Def defs[BODIES];
      tacVec3 places[BODIES];
      static const char *names[BODIES] = {"a", "b", "c", "d", "e"};
      for (int b = 0; b < BODIES; ++b) {
        places[b] = tac_vec3_mad(random_vector(&random, 0.02), 0.15 * (b - 2), tac_vec3(b % 2, 1 - b % 2, 0.5));
        const Thing *thing = &things.all[tac_random_bits(&random) % 3];
        defs[b] = def_of(names[b], thing, tac_random_bits(&random) % 2, places[b]);
        tacReducedBodyDef *def = &defs[b].def;
        def->body.gravity = tac_vec3(0.0, 0.0, 0.0);
        def->body.every = defs[b].rigid ? 1 : steps[pace][b];
        def->body.friction = tac_random_uniform(&random, 0.0, 0.8);
        def->body.contact_stiffness = tac_random_uniform(&random, 200.0, 5000.0);
        def->body.contact_damping = tac_random_uniform(&random, 0.0, 1.0);
        def->body.velocity = tac_vec3_mad(random_vector(&random, 0.3), -4.0, places[b]);
        def->body.spin = random_vector(&random, 10.0);
      }
      TAC_OWN(tacWorld, world) = world_of(BODIES, defs, method, -1.0);
      Sum before = sum_of(world), after;
      double speed = tac_vec3_norm(before.momentum) + 0.1, turn = tac_vec3_norm(before.turning) + 0.01;
      tacTickReport report;
      int met = 0;
      for (int tick = 0, quiet = 0; tick < 1000 && (met == 0 || quiet < 100); ++tick) {
        tac_world_step(world, NULL, NULL, &report);
        ck_assert_int_eq(report.refused, 0);
        met += report.touching;
        quiet = report.touching > 0 ? 0 : quiet + 1;
        if (pace > 0 && quiet < 13) continue;
        after = sum_of(world);
        double lost = tac_vec3_distance(before.momentum, after.momentum) / speed;
        double turned = tac_vec3_distance(before.turning, after.turning) / turn;
        ck_assert_msg(lost < 1e-12 && turned < 1e-12,
                      "seed %d, pace %d, tick %d: %g of momentum, %g of angular momentum", (int)seed, pace, tick, lost,
                      turned);
      }
      all += met;
      after = sum_of(world);
      ck_assert_msg(after.energy <= before.energy, "seed %d, pace %d: %g J of %g J", (int)seed, pace, after.energy,
                    before.energy);
    }
  ck_assert_int_gt(all, 0);
}

/* A stack of ten boxes at rest: nothing creeps, in three seconds or (TACTUS_TEST_ALL) a minute. */
TAC_TEST(a_stack_does_not_creep) {
  enum { COUNT = 10 };
  Thing cube = make_thing(2, 2, 2, 6);
  Def defs[COUNT];
  static char names[COUNT][8];
  for (int i = 0; i < COUNT; ++i) {
    snprintf(names[i], sizeof names[i], "%d", i);
    defs[i] = def_of(names[i], &cube, true, tac_vec3(0.001 * (i % 3), 0.001 * (i % 2), 0.04 * i));
  }
  TAC_OWN(tacWorld, world) = world_of(COUNT, defs, TAC_METHOD_SIGNORINI, 0.5);
  run(world, 3000);
  tacVec3 start[COUNT];
  for (int i = 0; i < COUNT; ++i) start[i] = frame_of(world, i)->position;
  run(world, tac_test_light() ? 1000 : tac_test_all() ? 60000 : 3000);
  for (int i = 0; i < COUNT; ++i)
    ck_assert_msg(tac_vec3_distance(frame_of(world, i)->position, start[i]) < (tac_test_all()     ? 1e-5
                                                                               : tac_test_light() ? 2e-6
                                                                                                  : 0.75e-6),
                  "box %d moved by %g m", i, tac_vec3_distance(frame_of(world, i)->position, start[i]));
}

TAC_TEST(a_heap_comes_to_rest) {
  enum { SIDE = 3, COUNT = SIDE * SIDE * SIDE };
  Thing cube = make_thing(2, 2, 2, 6);
  static Def defs[COUNT];
  static char names[COUNT][8];
  int side = tac_test_all() ? SIDE : 2, count = side * side * side;
  for (int i = 0; i < count; ++i) {
    snprintf(names[i], sizeof names[i], "%d", i);
    defs[i] = def_of(names[i], &cube, i % 2 == 0,
                     tac_vec3(0.075 * (i % side), 0.075 * (i / side % side), 0.1 + 0.08 * (i / side / side)));
    tacQuat q = tac_quat_from_axis_angle(tac_vec3(0.6, 0.0, 0.8), 0.7 * i);
    memcpy(defs[i].def.body.pose.orientation, (double[4]){q.w, q.x, q.y, q.z},
           sizeof defs[i].def.body.pose.orientation);
  }
  for (int method = 0; method < 2; ++method) {
    TAC_OWN(tacWorld, world) = world_of(count, defs, (tacContactMethod)method, 0.5);
    Sum start = sum_of(world);
    for (int i = 0; i < 50; ++i) {
      run(world, tac_test_light() ? 20 : 60);
      ck_assert_msg(sum_of(world).energy <= 1.001 * start.energy, "method %d, %d: %g J of %g J", method, i,
                    sum_of(world).energy, start.energy);
    }
    Sum end = sum_of(world);
    if (!tac_test_light())
      ck_assert_msg(end.speed < 0.1 && end.spin < 5.0, "method %d: %g m/s, %g rad/s", method, end.speed, end.spin);
    ck_assert_double_gt(end.low, -0.01);
  }
}

/* A hand that holds a plate under a body feels its weight, however seldom that steps, and not as blows. */
TAC_TEST(hand_feels_the_weight_of_bodies_with_long_steps) {
  Thing cube = make_thing(2, 2, 2, 6);
  Thing plate = make_thing(3, 3, 1, 6);
  for (int every = 1; every <= 8; every += 7)
    for (int method = 0; method < 2; ++method) {
      tacWorldDef world_def = tac_world_def_default();
      world_def.method = (tacContactMethod)method;
      TAC_CREATE(tacWorld, world, tac_world_create(&world_def, &world, &error));
      tacRigidBodyDef held = rigid_def("plate", tac_reduced_surface(plate.reduced), NULL, plate.field);
      tacBodyId id = tac_test_made(tacBodyId, tac_world_add_rigid(world, &held, &made, &error));
      Def def = def_of("cube", &cube, false, tac_vec3(0.01, 0.01, 0.021));
      def.def.body.every = every;
      add(world, &def);
      tacBodyToolDef tool = tac_body_tool_def_default();
      tool.name = "hand";
      tool.body = id;
      tool.grasp = tac_vec3(0.03, 0.03, 0.01);
      tool.turn_stiffness = 50.0;
      tac_test_ok(tac_world_add_body_tool(world, &tool, NULL, &error), error);
      tac_test_ok(tac_world_seal(world, &error), error);
      tacToolInput input = {.position = tool.grasp, .orientation = {1.0, 0.0, 0.0, 0.0}};
      tacToolOutput output;
      double sum = 0.0, most = 0.0, weight = cube.inertia.mass * G;
      int ticks = tac_test_light() ? 800 : 3000;
      for (int n = 0; n < ticks; ++n) {
        step_world(world, &input, &output);
        if (n < ticks - 400) continue;
        sum += output.force.z / 400.0;
        most = fmax(most, fabs(output.force.z));
      }
      ck_assert_msg(fabs(sum + weight) < 0.03 * weight && most < 3.0 * weight,
                    "every %d, method %d: %g N on average, %g N at most, of %g N", every, method, sum, most, weight);
    }
}

/* ---- what is found ---- */

/* A deformation of which no vertex moves by more than `most` (m), or none. */
static void deform(const tacWorldBody *body, tacRandom *random, double most) {
  const tacBodyTable *table = body->body.table;
  double state[3 * 10 + 16] = {0.0};
  if (body->size == 0) return;
  int n = tac_body_describe(&body->body).shown;
  ck_assert_int_le(tac_body_describe(&body->body).state, (int)(sizeof state / sizeof *state));
  for (int pass = 0; pass < 2; ++pass) { /* of some size; then of the wanted one */
    double swelling = pass == 1 ? table->bounds(body->body.self).swelling : 1.0;
    for (int i = 0; i < n; ++i) state[i] = pass == 0 ? 1e-4 * tac_random_normal(random) : state[i] * most / swelling;
    ck_assert(table->load(body->body.self, state));
  }
}

typedef struct Seen {
  int count; /* places within the margin */
  double deepest;
} Seen;

static double value_in(const tacWorldBody *to, tacVec3 x) {
  tacBodyDescription is = tac_body_describe(&to->body);
  return to->size > 0 ? tac_deformed_pose_value(is.deformed_field->deformed, x) : tac_distance_field_value(is.field, x);
}

/* Every place of `a` that may be met against the field of `b`, in the box around b's surface: points that are spread over `a`, or where it has many
 * vertices, these. */
static void see(const tacWorld *world, int a, int b, double margin, Seen *seen) {
  const tacWorldBody *of = &world->bodies[a], *to = &world->bodies[b];
  const tacBodyTable *table = to->body.table;
  tacBox box = tac_box_empty();
  int vertices = of->surface->mesh->vertex_count;
  bool by_vertices = of->size == 0 && vertices >= 192;
  int most = of->size > 0 ? 96 : 192, spread = of->surface->point_count < most ? of->surface->point_count : most;
  for (int v = 0; v < to->surface->mesh->vertex_count; ++v) box = tac_box_add(box, table->vertex(to->body.self, v));
  for (int i = 0; i < (by_vertices ? vertices : spread); ++i) {
    tacVec3 x = by_vertices ? of->body.table->vertex(of->body.self, i)
                            : tac_body_surface_point(of->surface, &of->body, of->surface->points[i]);
    x = tac_frame_from_world(&to->frame, tac_frame_to_world(&of->frame, x));
    tacVec3 beside = tac_vec3_sub(x, tac_vec3_min(tac_vec3_max(x, box.lower), box.upper));
    double value = value_in(to, x), out = fmax(fabs(beside.x), fmax(fabs(beside.y), fabs(beside.z)));
    if (!(value < margin) || out > margin) continue;
    seen->deepest = fmin(seen->deepest, value);
    ++seen->count;
  }
}

/* Bodies here and there, turned and deformed anyhow: what is found of every two of them is what looking at every
 * place for itself finds, and all of it where there is room. */
TAC_TEST(detected_contacts_match_brute_force) {
  Things things = make_things(cube_plate_and_bar);
  Def defs[6];
  static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
  for (int b = 0; b < 6; ++b) defs[b] = def_of(names[b], &things.all[b % 3], b == 4, tac_vec3(0.0, 0.0, 0.0));
  TAC_OWN(tacWorld, world) = world_of(6, defs, TAC_METHOD_SIGNORINI, -1.0);
  tacRandom random = tac_random_seed(77);
  int pairs = 0, few = 0, many = 0;
  size_t size_of_state = tac_world_memory_size(world);
  void *state = tac_test_alloc(size_of_state);
  tacSetContact *list = tac_test_alloc(256 * sizeof *list);
  for (int trial = 0; trial < (tac_test_light() ? 150 : 300); ++trial) {
    static Seen seen[6][6];
    tac_contact_set_reset(&world->contacts);
    for (int b = 0; b < 6; ++b) {
      tacVec3 position = tac_random_in_cube(&random, 0.12), axis = tac_random_normal3(&random);
      double angle = tac_random_uniform(&random, 0.0, 3.0);
      frame_of(world, b)->position = position;
      frame_of(world, b)->orientation = tac_quat_from_rotation_vector(tac_vec3_scale(angle, tac_vec3_unit(axis)));
      throw_it(world, b, tac_vec3(0.0, 0.0, 0.0), tac_vec3(0.0, 0.0, 0.0));
      if (trial % 3 > 0) deform(&world->bodies[b], &random, trial % 3 == 1 ? 0.008 : 0.0);
    }
    for (int a = 0; a < 6; ++a)
      for (int b = a + 1; b < 6; ++b) {
        double h = world->period, most = 20.0 * h * h;
        seen[a][b] = (Seen){.deepest = INFINITY};
        see(world, a, b, most + 1e-3 * world->bodies[a].surface->radius, &seen[a][b]);
        see(world, b, a, most + 1e-3 * world->bodies[b].surface->radius, &seen[a][b]);
      }
    tac_test_ok(tac_world_save(world, size_of_state, state, &error), error);
    step_world(world, NULL, NULL);
    int count = world->contacts.count;
    ck_assert_int_le(count, 256);
    memcpy(list, world->contacts.list, (size_t)count * sizeof *list);
    tac_test_ok(tac_world_load(world, size_of_state, state, &error), error); /* where they were found */
    for (int a = 0; a < 6; ++a)
      for (int b = a + 1; b < 6; ++b) {
        int found = 0;
        double deepest = INFINITY;
        for (int i = 0; i < count; ++i) {
          const tacSetContact *c = &list[i];
          if (!(c->body[0] == a && c->body[1] == b) && !(c->body[0] == b && c->body[1] == a)) continue;
          const tacWorldBody *of = &world->bodies[c->body[0]], *to = &world->bodies[c->body[1]];
          tacVec3 at = tac_frame_to_world(&of->frame, tac_body_place(&of->body, &c->site[0]));
          ck_assert_double_le(tac_vec3_distance(at, c->at), 1e-12);
          ck_assert_double_le(fabs(c->gap - value_in(to, tac_frame_from_world(&to->frame, at))), 1e-12);
          deepest = fmin(deepest, c->gap);
          ++found;
        }
        double size = fmin(world->bodies[a].surface->radius, world->bodies[b].surface->radius);
        ck_assert_int_eq(found, seen[a][b].count < 8 ? seen[a][b].count : 8);
        if (found > 0) ck_assert_double_le(deepest, seen[a][b].deepest + 2e-3 * size + 1e-12);
        pairs += found > 0;
        few += found > 0 && found < 8;
        many += seen[a][b].count > 8;
      }
  }
  ck_assert_msg(pairs > 50 && few > 5 && many > 10, "%d pairs, %d with few, %d with many", pairs, few, many);
}

/* What is shown of contacts carries the body: their forces are its weight, along their normals and within their cones. */
TAC_TEST(shown_contacts_carry_the_weight) {
  Thing cube = make_thing(2, 2, 2, 6);
  for (int rigid = 0; rigid < 2; ++rigid) {
    Def def = def_of("cube", &cube, rigid, tac_vec3(0.0, 0.0, 0.0));
    TAC_OWN(tacWorld, world) = world_of(1, &def, TAC_METHOD_SIGNORINI, 0.2);
    run(world, 1000);
    tacShownContact contacts[64];
    int count = tac_world_contacts(world, 64, contacts), touching = 0;
    tacVec3 sum = tac_vec3(0.0, 0.0, 0.0);
    for (int i = 0; i < count; ++i) {
      const tacShownContact *c = &contacts[i];
      if (c->state == TAC_CONTACT_NONE) continue;
      ++touching;
      ck_assert(c->body[0] == 0 && c->body[1] == -1);
      ck_assert_double_eq_tol(tac_vec3_distance(c->normal, tac_vec3(0.0, 0.0, 1.0)), 0.0, 1e-9);
      ck_assert_double_lt(fabs(c->at.z), 1e-3);
      ck_assert_double_le(hypot(c->force.x, c->force.y), c->friction * c->force.z + 1e-6);
      sum = tac_vec3_add(sum, c->force);
    }
    ck_assert_int_ge(touching, 3);
    double weight = cube.inertia.mass * G;
    ck_assert_double_lt(tac_vec3_distance(sum, tac_vec3(0.0, 0.0, weight)), 0.01 * weight);
    ck_assert_int_eq(tac_world_contacts(world, 2, contacts), 2);
  }
}
