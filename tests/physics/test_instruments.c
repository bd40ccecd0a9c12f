/* Graspers and instruments through a trocar, on bodies of every kind, by both methods, at one rate and at two. */
#include "physics/cells.h"
#include "world/world_tick.h"

#define GRAVITY 9.81
#define TORQUE 0.12       /* N m, of the jaws' motor */
#define STIFFNESS 1000.0  /* N/m, of the coupling */
#define SMALL_TORQUE 0.04 /* N m, of one that presses alone */
#define OPEN 0.15         /* rad, of each jaw from where it is parallel to the cube's face */

/* A rigid body that is a box, and what it is made of. */
typedef struct Part {
  tacTriMesh *surface;
  tacPointshell *shell;
  tacDistanceField *field;
} Part;

static Part make_part(tacVec3 lower, tacVec3 upper) {
  tacBox box = {lower, upper};
  return (Part){tac_test_keep(make_box_surface(box), tac_trimesh_destroy),
                tac_test_keep(make_box_shell(box, 8), tac_pointshell_destroy),
                tac_test_kept(tacDistanceField, tac_distance_field_box(box, &made, &error))};
}

static tacBodyId add_part(tacWorld *world, const char *name, const Part *part, tacVec3 at, tacQuat turn) {
  tacRigidBodyDef def = rigid_def(name, part->surface, part->shell, part->field);
  def.body.pose = (tacPose){at, {turn.w, turn.x, turn.y, turn.z}};
  return tac_test_made(tacBodyId, tac_world_add_rigid(world, &def, &made, &error));
}

static void pair_up(tacWorld *world, tacBodyId points, tacBodyId field, tacContactMethod method, double friction) {
  tacPairDef pair = tac_pair_def_default();
  pair.points = points;
  pair.field = field;
  pair.stiffness = 400.0;
  pair.friction = friction;
  pair.method = method;
  tac_test_ok(tac_world_add_pair(world, &pair, NULL, &error), error);
}

/* ---- a grasper ---- */

/* Over a cube on a floor, whose faces x = 0 and x = EDGE its jaws press. Their hinges are 80 mm high, their plates 50 to 70 mm below. */
typedef struct Grasper {
  Part stem, left, right;
  tacWorld *world;
  tacBodyId cube, jaws[2];
} Grasper;

static const tacVec3 hand_at = {0.5 * EDGE, 0.5 * EDGE, 0.12};
static const double hinge_height = 0.08;

static tacBodyId add_lifted(tacWorld *world, const SmallBodies *s, Kind kind) {
  if (!is_free(kind)) return add_body(world, s, kind, 1, 0.0, 0.0);
  Cube c = cube_of(family_of(kind), "cube");
  c.body.free = true;
  c.body.gravity = tac_vec3(0.0, 0.0, -GRAVITY);
  return add_cube(world, s, &c);
}

/* With the right jaw alone, or both. */
static Grasper make_grasper(const SmallBodies *s, Kind kind, tacContactMethod method, double friction, int every,
                            int jaws) {
  Grasper g = {.stem = make_part(tac_vec3(-0.005, -0.005, -0.03), tac_vec3(0.005, 0.005, 0.03)),
               .left = make_part(tac_vec3(-0.004, -0.004, -0.07), tac_vec3(0.0, 0.004, -0.03)),
               .right = make_part(tac_vec3(0.0, -0.004, -0.07), tac_vec3(0.004, 0.004, -0.03))};
  g.world = tac_test_keep(make_world_with(method, every), tac_world_destroy);
  g.cube = add_lifted(g.world, s, kind);
  tac_test_ok(tac_world_set_floor(g.world, &(tacFloorDef){{0.0, 0.0, 1.0}, 0.0, 0.3}, &error), error);
  tacBodyToolDef tool = tac_body_tool_def_default();
  tool.name = "grasper";
  tool.body = add_part(g.world, "stem", &g.stem, hand_at, tac_quat_identity());
  tool.stiffness = STIFFNESS;
  tool.turn_stiffness = 20.0;
  tool.jaw_count = jaws;
  tool.jaw_angle = 2.0 * OPEN;
  tool.jaw_torque = jaws == 1 ? SMALL_TORQUE : TORQUE;
  for (int j = 2 - jaws; j < 2; ++j) {
    tacVec3 hinge = tac_vec3(j == 0 ? 0.0 : EDGE, hand_at.y, hinge_height);
    tacQuat open = tac_quat_from_axis_angle(tac_vec3(0.0, j == 0 ? 1.0 : -1.0, 0.0), OPEN);
    g.jaws[j] = add_part(g.world, j == 0 ? "left" : "right", j == 0 ? &g.left : &g.right, hinge, open);
    tool.jaws[j - 2 + jaws] =
        (tacJawDef){g.jaws[j], tac_vec3_sub(hinge, hand_at), tac_vec3(0.0, j == 0 ? -2.0 : 2.0, 0.0)};
    pair_up(g.world, g.cube, g.jaws[j], method, friction);
  }
  tac_test_ok(tac_world_add_body_tool(g.world, &tool, NULL, &error), error);
  seal(g.world);
  return g;
}

static tacVec3 cube_at(const Grasper *g) { /* its middle */
  tacPose pose;
  tac_world_body_motion(g->world, g->cube, &pose, NULL, NULL, NULL);
  return to_world(pose, tac_vec3(0.5 * EDGE, 0.5 * EDGE, 0.5 * EDGE));
}

/* Ticks: jaws have closed; the hand is up; it lets go; the end. */
enum { CLOSED = 700, UP = 1500, RESTED = 2100, ENDED = 3000 };

static tacToolInput grasp_input(int tick, double height) {
  double up = smooth((double)(tick - CLOSED) / (UP - CLOSED));
  return (tacToolInput){.position = tac_vec3_mad(hand_at, height * up, tac_vec3(0.0, 0.0, 1.0)),
                        .orientation = {1.0, 0.0, 0.0, 0.0},
                        .grab = tick > 20 && tick < RESTED};
}

static tacToolOutput grasp_until(Grasper *g, int from, int to, double height) {
  tacToolOutput out = {0};
  tacTickReport report;
  for (int i = from; i < to; ++i) {
    tacToolInput input = grasp_input(i, height);
    tac_world_step(g->world, &input, &out, &report);
    ck_assert_int_eq(report.refused, 0);
  }
  return out;
}

/* The moment of the jaws' contacts for their angle: by virtual work all of what their motor does. Of contacts that obey laws. */
static double grip_moment(const Grasper *g) {
  tacShownContact contacts[64];
  double sum = 0.0;
  int count = tac_world_contacts(g->world, 64, contacts);
  for (int i = 0; i < count; ++i)
    for (int s = 0; s < 2; ++s)
      for (int j = 0; j < 2; ++j) {
        if (contacts[i].body[s] != (int)g->jaws[j].index) continue;
        tacPose pose;
        tac_world_body_motion(g->world, g->jaws[j], &pose, NULL, NULL, NULL); /* its origin is on the hinge */
        tacVec3 axis = tac_vec3(0.0, j == 0 ? -1.0 : 1.0, 0.0);
        tacVec3 way = tac_vec3_cross(axis, tac_vec3_sub(contacts[i].at, pose.position));
        sum += tac_vec3_dot(way, contacts[i].force) * (s == 0 ? 1.0 : -1.0);
      }
  return sum;
}

/* A motor of TORQUE presses with TORQUE / (2 l), l from 40 to 70 mm: friction bears mu TORQUE / l. Where that is more than the cube's
 * weight, it is lifted, and the hand bears its weight, by whatever kind, method and rates; let go, it falls back to the floor.
 * Where it is less, the hand feels that friction, and the cube stays where it is. */
TAC_TEST(jaws_lift_what_friction_holds_and_nothing_else) {
  static const Kind kinds[] = {RIGID_FREE, REDUCED_FREE, COROTATIONAL_FREE};
  SmallBodies s = make_small_bodies();
  for (int c = 0; c < 24; ++c) {
    Kind kind = kinds[c % 3];
    tacContactMethod method = c / 3 % 2 ? TAC_METHOD_SIGNORINI : TAC_METHOD_PENALTY;
    int every = c / 6 % 2 ? 10 : 1;
    bool holds = c / 12 == 0;
    double weight = s.inertia.mass * GRAVITY, height = 0.02, friction = holds ? 0.6 : 0.1;
    /* Each kind by each method, at one of the two rates: a checkerboard. TACTUS_TEST_ALL plays all that hold. */
    bool left_out = !tac_test_all() && (c % 3 + c / 3 % 2 + c / 6 % 2) % 2 != 0;
    if (tac_test_light() ? c % 11 != 0 : left_out || (!holds && c % 2 != 0)) continue;
    Grasper g = make_grasper(&s, kind, method, friction, every, 2);
    grasp_until(&g, 0, CLOSED, height);
    double before = cube_at(&g).z;
    tacToolOutput out = grasp_until(&g, CLOSED, RESTED, height);
    double rise = cube_at(&g).z - before, felt = -out.force.z;
    if (every == 1) ck_assert_double_eq_tol(grip_moment(&g), -TORQUE, 2e-3 * TORQUE);
    if (holds) {
      ck_assert_msg(fabs(felt - weight) < 0.01 * weight, "%s %d %d: %g N of %g", kind_names[kind], method, every, felt,
                    weight);
      ck_assert_msg(fabs(rise - height + weight / STIFFNESS) < 1e-3, "%s %d %d: rises by %g m", kind_names[kind],
                    method, every, rise);
    } else {
      ck_assert_msg(felt > 0.9 * friction * TORQUE / 0.07 && felt < 1.1 * friction * TORQUE / 0.04, "%s %d %d: %g N",
                    kind_names[kind], method, every, felt);
      ck_assert_double_lt(fabs(rise), 1e-3);
    }
    grasp_until(&g, RESTED, ENDED, height);
    ck_assert_double_lt(tac_world_tool_jaw_angle(g.world, 0), 1e-6);
    ck_assert_double_eq_tol(cube_at(&g).z, before, 1e-3);
  }
}

/* One jaw against what rests, soft or not: it presses with the torque of its motor over the lever, and the hand feels the reaction. */
TAC_TEST(a_jaw_presses_with_its_torque_over_its_lever) {
  static const Kind kinds[] = {RIGID_RESTS, GREEN_RESTS, REDUCED_ANCHORED, COROTATIONAL_RESTS};
  SmallBodies s = make_small_bodies();
  for (int c = 0; c < 16; ++c) {
    Kind kind = kinds[c % 4];
    tacContactMethod method = c / 4 % 2 ? TAC_METHOD_SIGNORINI : TAC_METHOD_PENALTY;
    int every = c / 8 % 2 ? 10 : 1;
    if (tac_test_light() && c % 7 != 0) continue;
    Grasper g = make_grasper(&s, kind, method, 0.3, every, 1);
    tacToolOutput out = grasp_until(&g, 0, CLOSED, 0.0);
    tacPose pose;
    tac_world_body_motion(g.world, g.jaws[1], &pose, NULL, NULL, NULL); /* its origin is on the hinge */
    tacVec3 f = out.contact.force, axis = tac_vec3(0.0, 1.0, 0.0);
    double moment = tac_vec3_dot(tac_vec3_cross(axis, tac_vec3_sub(out.contact.at, pose.position)), f);
    ck_assert_msg(fabs(moment - SMALL_TORQUE) < 0.03 * SMALL_TORQUE, "%s %d %d: %g N m", kind_names[kind], method,
                  every, moment);
    ck_assert_double_lt(tac_vec3_norm(tac_vec3_add(out.force, f)), 0.01 * tac_vec3_norm(f));
  }
}

/* Two jaws without anything between them: they go to where the motor leads, no faster than that, whatever the
 * button and the grip do. */
TAC_TEST(jaws_close_at_a_finite_speed) {
  SmallBodies s = make_small_bodies();
  Grasper g = make_grasper(&s, RIGID_FREE, TAC_METHOD_SIGNORINI, 0.5, 1, 2);
  tacToolOutput out;
  double before = 0.0, most = 2.0 * OPEN / 0.5 * period; /* rad a tick, in the time of its default */
  for (int i = 0; i < 1500; ++i) {
    tacToolInput input = {.position = tac_vec3_add(hand_at, tac_vec3(0.0, 0.0, 0.1)),
                          .orientation = {1.0, 0.0, 0.0, 0.0},
                          .grab = i > 500 && (i < 1100 || i % 2 == 0)};
    step_world(g.world, &input, &out);
    double angle = tac_world_tool_jaw_angle(g.world, 0);
    ck_assert_double_le(fabs(angle - before), most * (1.0 + 1e-9));
    if (i == 1099) ck_assert_double_eq_tol(angle, 2.0 * OPEN, 1e-9);
    before = angle;
  }
  const double grips[] = {NAN, 1.0, INFINITY, -1e300, 0.3, 1e308, -INFINITY, 0.7};
  for (int i = 0; i < 1600; ++i) { /* each for 20 ticks, then another in each tick */
    tacToolInput input = {.position = tac_vec3_add(hand_at, tac_vec3(0.0, 0.0, 0.1)),
                          .orientation = {1.0, 0.0, 0.0, 0.0},
                          .grip = grips[(i < 800 ? i / 20 : i) % 8]};
    step_world(g.world, &input, &out);
    double angle = tac_world_tool_jaw_angle(g.world, 0);
    ck_assert_double_le(fabs(angle - before), most * (1.0 + 1e-9));
    ck_assert(angle >= -1e-9 && angle <= 2.0 * OPEN * (1.0 + 1e-9));
    ck_assert(tac_vec3_finite(out.force) && tac_vec3_finite(out.torque));
    before = angle;
  }
}

/* ---- a rod through a trocar ---- */

typedef struct Rod {
  Part part;
  tacWorld *world;
  tacBodyId rod;
} Rod;

/* Upright beside the face x = EDGE; its tip 15 mm over the plane z = 0, its pivot 120 mm farther, its handle 80 mm beyond that. */
static const double rod_half = 0.004;
static const tacVec3 pivot = {EDGE + 0.006, 0.5 * EDGE, 0.135}, handle = {EDGE + 0.006, 0.5 * EDGE, 0.215};

static Rod make_rod(const SmallBodies *s, Kind kind, tacContactMethod method, tacCouplingKind coupling, int every) {
  Rod r = {.part = make_part(tac_vec3(-rod_half, -rod_half, -0.1), tac_vec3(rod_half, rod_half, 0.1))};
  r.world = tac_test_keep(make_world_with(method, every), tac_world_destroy);
  tacBodyId cube = add_body(r.world, s, kind, 1, 0.0, 0.0);
  r.rod = add_part(r.world, "rod", &r.part, tac_vec3(handle.x, handle.y, 0.115), tac_quat_identity());
  pair_up(r.world, r.rod, cube, method, 0.3);
  tacBodyToolDef tool = tac_body_tool_def_default();
  tool.name = "rod";
  tool.body = r.rod;
  tool.grasp = tac_vec3(0.0, 0.0, 0.1);
  tool.coupling = coupling;
  tool.trocar = true;
  tool.pivot = pivot;
  tac_test_ok(tac_world_add_body_tool(r.world, &tool, NULL, &error), error);
  seal(r.world);
  return r;
}

static double off_pivot(const Rod *r) {
  tacPose pose;
  tac_world_body_motion(r->world, r->rod, &pose, NULL, NULL, NULL);
  tacVec3 shaft = tac_vec3_sub(to_world(pose, tac_vec3(0.0, 0.0, 1.0)), pose.position);
  return tac_vec3_norm(tac_vec3_cross(shaft, tac_vec3_sub(pivot, pose.position)));
}

/* About the pivot, of what the rod does to the cube. False where that is not known: of springs, and of slower bodies. */
static bool moment_of(const Rod *r, tacVec3 *moment) {
  tacShownContact contacts[64];
  int count = tac_world_contacts(r->world, 64, contacts);
  if (count > 0) *moment = tac_vec3(0.0, 0.0, 0.0);
  for (int i = 0; i < count; ++i) {
    double sign = contacts[i].body[0] == (int)r->rod.index ? -1.0 : 1.0;
    tacVec3 force = tac_vec3_scale(sign, contacts[i].force);
    *moment = tac_vec3_add(*moment, tac_vec3_cross(tac_vec3_sub(contacts[i].at, pivot), force));
  }
  return count > 0;
}

/* A hand leads the handle away from the cube, and the tip presses into it: a lever. The pivot stays on the shaft; what the hand feels has
 * the moment about the pivot of what presses the tip; and nothing gives the hand energy, before any guard. */
TAC_TEST(a_rod_through_a_trocar_is_a_lever) {
  static const Kind kinds[] = {RIGID_RESTS, GREEN_RESTS, REDUCED_ANCHORED, COROTATIONAL_RESTS};
  SmallBodies s = make_small_bodies();
  for (int c = 0; c < 16; ++c) {
    Kind kind = kinds[c % 4];
    tacContactMethod method = c / 4 % 2 ? TAC_METHOD_SIGNORINI : TAC_METHOD_PENALTY;
    int every = c / 8 % 2 ? 10 : 1;
    tacCouplingKind coupling = (c + c / 4 + c / 8) % 2 ? TAC_COUPLING_DYNAMIC : TAC_COUPLING_STATIC;
    if (tac_test_light() && c % 7 != 0) continue;
    Rod r = make_rod(&s, kind, method, coupling, every);
    const double mass = 0.15, k = 400.0, damping = 2.0 * sqrt(mass * k);
    tacVec3 at = handle, velocity = tac_vec3(0.0, 0.0, 0.0);
    double given = 0.0, least = 0.0, work = 0.0;
    tacToolOutput out = {0};
    tacTickReport report;
    for (int i = 0; i < 1500; ++i) {
      tacToolInput input = {.position = at, .orientation = {1.0, 0.0, 0.0, 0.0}};
      tac_world_step(r.world, &input, &out, &report);
      ck_assert_int_eq(report.refused, 0);
      ck_assert_double_lt(off_pivot(&r), 1e-12);
      if (i == 900) { /* it has come to rest, pressed */
        tacVec3 of_hand = tac_vec3_add(tac_vec3_cross(tac_vec3_sub(at, pivot), out.force), out.torque);
        tacVec3 of_tip = tac_vec3_cross(tac_vec3_sub(out.contact.at, pivot), out.contact.force);
        bool known = moment_of(&r, &of_tip); /* else that of their sum, at the mean of their places */
        double size = tac_vec3_norm(of_tip);
        ck_assert_double_gt(size, 0.02);
        ck_assert_double_lt(tac_vec3_dot(out.force, tac_vec3(1.0, 0.0, 0.0)), -0.2); /* back to where it came from */
        /* Points of a slower body that share are springs for themselves between its steps, and tremble a little. */
        double most = !known ? 0.03 : report.points > 0 ? 0.004 : 0.001;
        ck_assert_double_lt(tac_vec3_norm(tac_vec3_add(of_hand, of_tip)), most * size);
      }
      double in = smooth(i / 300.0) - smooth((i - 1000) / 300.0), aside = sin(0.0126 * fmin(i, 500.0));
      tacVec3 target = tac_vec3_mad(handle, in, tac_vec3(0.008, 0.0015 * aside, 0.002));
      tacVec3 pull = tac_vec3_mad(tac_vec3_scale(k, tac_vec3_sub(target, at)), -damping, velocity);
      velocity = tac_vec3_mad(velocity, period / mass, tac_vec3_add(pull, out.force));
      double power = tac_vec3_dot(out.force, velocity) * period;
      at = tac_vec3_mad(at, period, velocity);
      given -= power;
      work += fabs(power);
      least = fmin(least, given);
    }
    ck_assert_msg(least > -0.02 * work - 1e-6, "%s %d %d: %g J of %g", kind_names[kind], method, every, least, work);
  }
}
