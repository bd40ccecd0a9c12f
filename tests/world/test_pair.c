#include <tactus/world.h>
#include "physics/few_points.h"
#include "world/make_world.h"
#include "world/pair_bench.h"
#include "world/pair_look.h"
#include "world/pairs/pair.h"

/* N/m: of the block's lower side, 256 points of one depth that share (contact/penalty.h). */
static double side_stiffness(const Bench *b) {
  return K * b->pair.full_count * cbrt(256.0 / b->pair.full_count);
}

/* Two springs in series, (4.30). */
TAC_TEST(a_block_on_a_plane_is_as_stiff_as_coupling_and_contact_in_series) {
  Bench b = make_bench();
  TAC_OWN(tacWorld, world) = block_world(&b);
  double depth = 0.004, contact = side_stiffness(&b), together = 1.0 / (1.0 / contact + 1.0 / COUPLING);
  tacToolOutput out = lead(world, tac_vec3(0.0, 0.0, HALF + 0.001), tac_vec3(0.0, 0.0, HALF - depth), 50);
  ck_assert_double_eq_tol(out.force.z, together * depth, 1e-3 * together * depth);
  ck_assert_double_eq_tol(out.force.x, 0.0, 1e-9);
  ck_assert_double_eq_tol(tac_vec3_norm(out.torque), 0.0, 1e-7);
  ck_assert_double_eq_tol(out.depth, out.force.z / contact, 1e-3 * out.depth);
  ck_assert_int_eq(out.contact.state, TAC_CONTACT_SLIDES);
  ck_assert_int_eq((int)out.contact.body, 1);
  ck_assert_double_eq_tol(out.contact.force.z, -out.force.z, 1e-3 * out.force.z);
}

/* The ground as tool, with the block's points fixed: the same force, turned round. */
TAC_TEST(tool_may_hold_either_body_of_a_pair) {
  Bench b = make_bench();
  TAC_OWN(tacWorld, world) = begin_block(&b, 0.0);
  hold(world, &b, tac_world_body(world, 1));
  double together = 1.0 / (1.0 / side_stiffness(&b) + 1.0 / COUPLING);
  tacToolOutput out = lead(world, tac_vec3(0.0, 0.0, 0.0), tac_vec3(0.0, 0.0, 0.005), 50);
  ck_assert_double_eq_tol(out.force.z, -together * 0.004, 1e-3 * together * 0.004);
}

/* In a corner the points of one shell meet two fields, in two pairs. */
TAC_TEST(a_shell_meets_several_fields) {
  Bench b = make_bench();
  TAC_OWN(tacWorld, world) = begin_block(&b, 0.0);
  tacBodyId block = tac_world_body(world, 0);
  pair_up(world, &b, block, add_rigid(world, "wall", b.ground, NULL, b.wall, tac_vec3(0.0, 0.0, 0.0)));
  hold(world, &b, block);
  double together = 1.0 / (1.0 / side_stiffness(&b) + 1.0 / COUPLING);
  tacToolOutput out =
      lead(world, tac_vec3(0.0, 0.0, HALF + 0.001), tac_vec3(0.1 - HALF + 0.003, 0.0, HALF - 0.002), 200);
  ck_assert_double_eq_tol(out.force.z, together * 0.002, 0.03 * together * 0.002);
  ck_assert_double_eq_tol(out.force.x, -together * 0.003, 0.03 * together * 0.003);
}

/* Pressed with N, then dragged: up to mu N it sticks, beyond it slides with mu N. */
TAC_TEST(a_rigid_block_sticks_and_slides) {
  Bench b = make_bench();
  b.pair.friction = 0.4;
  b.tool.turn_stiffness = 500.0; /* dragged at its middle it would tilt */
  TAC_OWN(tacWorld, world) = block_world(&b);
  tacVec3 pressed = tac_vec3(0.0, 0.0, HALF - 0.004);
  tacToolOutput out = lead(world, tac_vec3(0.0, 0.0, HALF + 0.001), pressed, 50);
  double normal = out.force.z, limit = b.pair.friction * normal;
  /* Coupling and sticking in series: this far the drag is below mu N. */
  double stick = 1.0 / (1.0 / COUPLING + 1.0 / (b.pair.tangential * side_stiffness(&b)));
  double way = 0.9 * limit / stick;
  out = lead(world, pressed, tac_vec3_add(pressed, tac_vec3(way, 0.0, 0.0)), 100);
  tacVec3 held = out.proxy;
  ck_assert_int_eq(out.contact.state, TAC_CONTACT_STICKS);
  ck_assert_double_eq_tol(-out.force.x, 0.9 * limit, 0.02 * limit);
  out = lead(world, tac_vec3_add(pressed, tac_vec3(way, 0.0, 0.0)),
             tac_vec3_add(pressed, tac_vec3(3.0 * way, 0.0, 0.0)), 100);
  ck_assert_double_eq_tol(-out.force.x, b.pair.friction * out.force.z, 0.02 * limit);
  ck_assert_double_gt(out.proxy.x, held.x + 1.5 * way);
}

/* Static damping is of how contacts give way: a body that slides along a smooth plane, and one in the air, is where its device is. */
TAC_TEST(static_damping_is_not_felt_along_a_smooth_plane) {
  Bench b = make_bench();
  b.pair.friction = 0.0;
  b.tool.turn_stiffness = 500.0;
  ck_assert_double_eq(b.tool.static_damping, 0.5);
  TAC_OWN(tacWorld, world) = block_world(&b);
  const double way = 1e-4; /* 0.1 m/s */
  double pressed = 0.0, felt = 0.0;
  for (int i = 0; i <= 900; ++i) { /* in the air, down within 0.1 s, pressed, up, in the air */
    double down = fmin(1.0, fmax(0.0, fmin(0.01 * (i - 200), 0.01 * (700 - i))));
    tacVec3 at = tac_vec3(-0.04 + way * i, 0.0, HALF + 0.001 - 0.003 * down);
    tacVec3 force = step(world, at, tac_quat_identity(), NULL).force;
    if (i > 50) felt = fmax(felt, fabs(force.x)); /* it began elsewhere */
    pressed = fmax(pressed, force.z);
  }
  ck_assert_double_gt(pressed, 0.5);
  ck_assert_double_lt(felt, 1e-3 * pressed);
}

/* Nor is it felt by a hand that lifts a free body evenly, which weighs m g: both move alike, and only their motion against each other is
 * damped. */
TAC_TEST(static_damping_is_not_felt_where_both_bodies_move_alike) {
  Bench b = make_bench();
  const tacVec3 none = {0.0, 0.0, 0.0}, gravity = {0.0, 0.0, -9.81};
  const double mass = 0.1;
  b.pair.friction = 0.4;
  TAC_OWN(tacWorld, world) = begin(0.0);
  tacBodyId block = add_rigid(world, "block", b.block, b.shell, NULL, none);
  pair_up(world, &b, block,
          add_free_block(world, &b, "free", mass, tac_vec3(0.0, 0.0, 2.0 * HALF + 1e-4), none, gravity));
  hold(world, &b, block);
  double felt = 0.0;
  for (int i = 0; i <= 8000; ++i) /* at rest, then at 0.2 m/s */
    felt = -step(world, tac_vec3(0.0, 0.0, 2e-4 * fmax(0.0, i - 4000)), tac_quat_identity(), NULL).force.z;
  ck_assert_double_eq_tol(felt, mass * 9.81, 1e-3 * mass * 9.81);
}

/* The points of the coarsest level lean aside, by a slope of 1, and all others stand upright: a surface with one small
 * facet in 16. A block on that level alone is led on straight all the same, for its points push as the surface around
 * them does. With their own normals they would push it aside with mu / 2 of what it is pressed with. */
TAC_TEST(a_coarse_level_of_a_rough_block_slides_straight) {
  Bench b = make_bench();
  b.shell = tac_test_keep(make_leaning_box_shell(cube, 16, 1.0), tac_pointshell_destroy);
  b.pair.friction = 0.4;
  b.pair.level_most = 0;
  b.tool.turn_stiffness = 500.0;
  TAC_OWN(tacWorld, world) = block_world(&b);
  const tacVec3 pressed = tac_vec3(0.0, 0.0, HALF - 0.004);
  lead(world, tac_vec3(0.0, 0.0, HALF + 0.001), pressed, 50);
  const tacToolOutput out = lead(world, pressed, tac_vec3_add(pressed, tac_vec3(0.04, 0.0, 0.0)), 1000);
  ck_assert_double_gt(out.force.z, 1.0);
  ck_assert_double_lt(fabs(out.force.y), 0.1 * out.force.z);
}

/* Dragged along a curve, it follows without a tremor: friction turns as the way does, and stays mu N. */
TAC_TEST(a_rigid_block_slides_round_a_curve) {
  Bench b = make_bench();
  b.pair.friction = 0.4;
  b.tool.turn_stiffness = 500.0;
  TAC_OWN(tacWorld, world) = block_world(&b);
  const double radius = 0.05, depth = 0.004;
  tacToolOutput out = lead(world, tac_vec3(0.0, 0.0, HALF + 0.001), tac_vec3(0.0, 0.0, HALF - depth), 50);
  tacVec3 last = out.proxy, before = tac_vec3(0.0, 0.0, 0.0);
  double jerk = 0.0;
  for (int i = 1; i <= 1500; ++i) {
    double angle = 1e-3 * i;
    tacVec3 at = tac_vec3(radius * sin(angle), radius * (1.0 - cos(angle)), HALF - depth);
    out = step(world, at, tac_quat_identity(), NULL);
    tacVec3 way = tac_vec3_sub(out.proxy, last);
    if (i > 500) {
      jerk = fmax(jerk, tac_vec3_distance(way, before));
      ck_assert_double_eq_tol(hypot(out.force.x, out.force.y), b.pair.friction * out.force.z, 0.02 * out.force.z);
    }
    last = out.proxy;
    before = way;
  }
  ck_assert_double_lt(jerk, 0.01 * 1e-3 * radius); /* of the way in a tick */
}

/* The same of a soft block that a hand holds at its back and presses against a wall: what sticks comes back to where it was, what
 * slides does so with mu N. */
TAC_TEST(a_soft_block_sticks_and_slides) {
  Bench b = make_bench();
  b.pair.friction = 0.4;
  b.tool.turn_stiffness = 500.0;
  TAC_OWN(tacReduced, soft) = brick_beam_reduced(2, 4, 4, 0.01, false, 6, 12);
  TAC_OWN(tacPointshell, shell) = embedded_shell(soft, tac_vec3(0.02, 0.04, 0.04));
  TAC_OWN(tacWorld, world) = begin(0.0);
  tacReducedBodyDef def = reduced_def("cube", soft, shell);
  def.mass_damping = 20.0;
  def.stiffness_damping = 0.005;
  def.body.pose.position = tac_vec3(0.079, 0.0, 0.0); /* its front is 1 mm from the wall */
  tacBodyId id = add_reduced(world, &def);
  tacBodyId wall = add_rigid(world, "wall", b.ground, NULL, b.wall, tac_vec3(0.0, 0.0, 0.0));
  pair_up(world, &b, id, wall);
  hold(world, &b, id);
  /* Stiff enough that its face stays nearly parallel to the wall. */
  tac_test_ok(tac_world_set_parameter(world, tac_world_find_parameter(world, "cube.stiffness"), 8.0, &error), error);
  tac_world_reset(world);
  tacVec3 start = def.body.pose.position, pressed = tac_vec3_add(start, tac_vec3(0.004, 0.0, 0.0));
  tacToolOutput out = lead(world, start, pressed, 300), left = out;
  double limit = -b.pair.friction * out.force.x, stiffness = 0.0;
  ck_assert_double_gt(limit, 0.1);
  /* How stiff it is against being dragged, block and coupling: nothing slides. */
  out = lead(world, pressed, tac_vec3_add(pressed, tac_vec3(0.0, 1e-4, 0.0)), 300);
  stiffness = -(out.force.y - left.force.y) / 1e-4;
  double way = 0.9 * limit / stiffness;
  tacVec3 dragged = tac_vec3_add(pressed, tac_vec3(0.0, way, 0.0)),
          beyond = tac_vec3_add(dragged, tac_vec3(0.0, way, 0.0));
  out = lead(world, tac_vec3_add(pressed, tac_vec3(0.0, 1e-4, 0.0)), dragged, 300);
  tac_test_print("N %g, stiffness %g, way %g, drag %g mu N\n", -left.force.x, stiffness, way,
                 out.force.y / (b.pair.friction * out.force.x));
  ck_assert_int_eq(out.contact.state, TAC_CONTACT_STICKS);
  ck_assert_double_eq_tol(-out.force.y, 0.9 * limit, 0.02 * limit);
  out = lead(world, dragged, pressed, 300);
  tac_test_print("back %g mu N\n", out.force.y / limit);
  ck_assert_double_lt(fabs(out.force.y), 0.02 * limit);
  out = lead(world, pressed, beyond, 300);
  tac_test_print("slides: %g mu N\n", out.force.y / (b.pair.friction * out.force.x));
  ck_assert_double_eq_tol(out.force.y, b.pair.friction * out.force.x, 0.02 * limit);
}

/* A beam that hangs from a wall is lifted by a plate below its end: force of the plate on the hand is that of a spring and coupling in series
 * again, and the beam bends as under that force. Joint or not, the equilibrium is the same. */
typedef struct Lift {
  double force, bend;
} Lift;

static Lift lift_beam(const tacReduced *beam, const tacPointshell *shell, tacCouplingKind coupling) {
  Bench b = make_bench();
  TAC_OWN(tacWorld, world) = begin(0.0);
  tacReducedBodyDef def = reduced_def("beam", beam, shell);
  def.mass_damping = 20.0;
  tacBodyId id = add_reduced(world, &def);
  tacBodyId block = add_rigid(world, "block", b.block, NULL, b.box, tac_vec3(0.15, 0.02, -HALF - 0.001));
  b.tool.coupling = coupling;
  pair_up(world, &b, id, block);
  hold(world, &b, block);
  tacVec3 start = tac_vec3(0.15, 0.02, -HALF - 0.001), end = tac_vec3_add(start, tac_vec3(0.0, 0.0, 0.01));
  tacToolOutput out;
  tacTickReport report;
  for (int i = 1; i <= 3000; ++i)
    out = step(world, tac_vec3_mix(start, end, fmin(1.0, i / 500.0)), tac_quat_identity(), &report);
  ck_assert_int_gt(report.points, 3);
  tacSnapshot snapshot = {.tick = 3000};
  TAC_MEMORY(double, state) = calloc((size_t)tac_world_state_size(world), sizeof *state);
  tac_world_state(world, state);
  snapshot.state = state;
  const tacTriMesh *surface = tac_world_body_surface(world, id);
  TAC_MEMORY(tacVec3, vertices) = calloc((size_t)surface->vertex_count, sizeof *vertices);
  tac_world_surface(world, &snapshot, id, vertices);
  Lift lift = {.force = out.force.z};
  for (int v = 0; v < surface->vertex_count; ++v) lift.bend = fmax(lift.bend, vertices[v].z - surface->vertices[v].z);
  return lift;
}

TAC_TEST(a_reduced_body_bends_under_its_points) {
  TAC_OWN(tacReduced, beam) = brick_beam_reduced(8, 2, 2, 0.02, false, 4, 10);
  TAC_OWN(tacPointshell, shell) = embedded_shell(beam, tac_vec3(0.16, 0.04, 0.04));
  Lift alone = lift_beam(beam, shell, TAC_COUPLING_STATIC), heavy = lift_beam(beam, shell, TAC_COUPLING_DYNAMIC);
  ck_assert_double_lt(alone.force, -0.05);
  ck_assert_double_gt(alone.bend, 0.002);
  ck_assert_double_eq_tol(heavy.force, alone.force, 0.01 * fabs(alone.force));
}

/* Along a random path no step of the raw force is larger than that of the coupling held fast, and as much again for what static
 * damping lets the block lag behind; 2 HALF per angle is what turning moves. What repels and has a potential only makes the
 * coupling softer. */
TAC_TEST(forces_are_continuous_along_random_paths) {
  Bench b = make_bench();
  b.pair.ramp = 2e-4;
  TAC_OWN(tacWorld, world) = block_world(&b);
  tacRandom random = tac_random_seed(11);
  tacVec3 at = tac_vec3(0.0, 0.0, HALF + 0.001), last = at, force = tac_vec3(0.0, 0.0, 0.0);
  tacQuat turn = tac_quat_identity();
  int ticks = tac_test_light() ? 500 : 4000;
  for (int i = 0; i < ticks; ++i) {
    last = at;
    at.z = HALF + 0.002 * cos(0.004 * i) - 0.001; /* from where the block is */
    at.x += tac_random_uniform(&random, -2e-4, 2e-4);
    tacVec3 spin = tac_random_in_box(&random, (tacBox){{-2e-3, -2e-3, 0.0}, {2e-3, 2e-3, 0.0}});
    turn = tac_quat_normalise(
        tac_quat_slerp(tac_quat_mul(tac_quat_from_rotation_vector(spin), turn), tac_quat_identity(), 0.01));
    tacToolOutput out = step(world, at, turn, NULL);
    double way = tac_vec3_distance(at, last) + 2e-3 * 2.0 * HALF;
    ck_assert_double_lt(tac_vec3_distance(out.force, force), 2.0 * COUPLING * way + 1e-3);
    force = out.force;
  }
}

/* ---- energy ---- */

/* A ball of 30 mm, sampled every 3 mm. */
static tacDistanceField *sampled_ball(double radius) {
  enum { N = 27 };
  const double spacing = 0.003, first = -spacing * (N - 1) / 2.0;
  tacGrid grid = {N, N, N, {first, first, first}, spacing, calloc(N * N * N, sizeof(float))};
  for (int i = 0; i < N * N * N; ++i) {
    tacVec3 x = {first + spacing * (i % N), first + spacing * (i / N % N), first + spacing * (i / (N * N))};
    grid.values[i] = (float)(tac_vec3_norm(x) - radius);
  }
  return tac_test_made(tacDistanceField *, tac_distance_field_from_grid(&grid, &made, &error));
}

/* The block, held, over a ball of 30 mm about the origin. */
static tacWorld *ball_world(Bench *b, const tacDistanceField *ball) {
  tacWorld *world = begin(0.0);
  tacBodyId block = add_rigid(world, "block", b->block, b->shell, NULL, tac_vec3(0.0, 0.0, 0.06));
  pair_up(world, b, block, add_rigid(world, "ball", b->block, NULL, ball, tac_vec3(0.0, 0.0, 0.0)));
  hold(world, b, block);
  return world;
}

/* Rolls and slides over the ball and comes back: t from 0 to 2 pi. */
static void roll(tacFrame *block, double radius, double t) {
  block->orientation = tac_quat_from_rotation_vector(tac_vec3(0.3 * sin(t), 0.2 * sin(2.0 * t), 0.5 * sin(t)));
  tacVec3 down = tac_quat_rotate(block->orientation, tac_vec3(0.003 * sin(3.0 * t), 0.004 * sin(t), 1.0));
  block->position = tac_vec3_scale(HALF + radius - 0.0012 - 0.0008 * sin(5.0 * t), down);
}

/* The block rolls over the ball without friction: the largest of what its wrench has worked since the start
 * and what is stored more, J. */
static double roll_block(const tacDistanceField *ball, double radius, int steps, double *peak) {
  Bench b = make_bench();
  b.pair.ramp = 0.0; /* that of the pair */
  TAC_OWN(tacWorld, world) = ball_world(&b, ball);
  tacPair *pair = &world->contact_pairs[0];
  tacFrame *frame = &world->bodies[0].frame;
  double wrong = 0.0, work = 0.0, start = 0.0, shared = 0.0, counted = 0.0;
  tacWrench before = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  *peak = 0.0;
  for (int s = 0; s <= steps; ++s) {
    tacFrame last = *frame;
    roll(frame, radius, 2.0 * M_PI * s / steps);
    tac_pair_evaluate(pair, world->bodies);
    tacPairAnswer answer = {0};
    tac_pair_answer(pair, world->bodies, frame->position, &answer);
    if (s == 0) {
      start = pair->pressed.energy;
    } else {
      tacVec3 way = tac_vec3_sub(frame->position, last.position);
      tacVec3 spin =
          tac_quat_to_rotation_vector(tac_quat_mul(frame->orientation, tac_quat_conjugate(last.orientation)));
      work += 0.5 * (tac_vec3_dot(tac_vec3_add(before.force, answer.wrench.force), way) +
                     tac_vec3_dot(tac_vec3_add(before.torque, answer.wrench.torque), spin));
      wrong = fmax(wrong, fabs(work + pair->pressed.energy - start));
    }
    *peak = fmax(*peak, pair->pressed.energy);
    shared = fmax(shared, pair->pressed.shared);
    counted = fmax(counted, pair->pressed.counted);
    before = answer.wrench;
  }
  ck_assert(counted > 2.0 * b.pair.full_count && shared < 0.9 * counted); /* many come, go and share */
  tac_test_print("%d steps: %g J of %g J\n", steps, wrong, *peak);
  return wrong;
}

/* It is nothing but the error of steps, which falls with their square. That over a sampled ball falls with the steps alone, for gradients
 * jump from cell to cell: some steps have both. Directions that are a few evaluations old, unit gradients, and shares that are no
 * gradient of an energy leave what steps do not take away. */
TAC_TEST(closed_paths_without_friction_do_no_work) {
  const double radius = 0.03;
  TAC_OWN(tacDistanceField, sampled) = sampled_ball(radius);
  TAC_CREATE(tacDistanceField, exact, tac_distance_field_sphere(tac_vec3(0.0, 0.0, 0.0), radius, &exact, &error));
  double peak, coarse = roll_block(exact, radius, 2000, &peak), fine = roll_block(exact, radius, 8000, &peak);
  ck_assert_msg(fine < 1e-4 * peak && fine < 0.1 * coarse, "%g J, %g J of %g J", coarse, fine, peak);
  double rough = roll_block(sampled, radius, 8000, &peak);
  ck_assert_msg(rough < 1e-3 * peak, "%g J of %g J", rough, peak);
}

/* ---- thin parts ---- */

/* A sheet of 7 x 7 points in the plane z = 0 about the origin, with one side. */
static tacPointshell *make_sheet(double side, tacVec3 normal) {
  enum { N = 7 };
  tacVec3 positions[N * N];
  for (int i = 0; i < N * N; ++i)
    positions[i] = tac_vec3(side * ((i % N + 0.5) / N - 0.5), side * ((i / N + 0.5) / N - 0.5), 0.0);
  return make_points(N * N, positions, normal, side * side / (N * N));
}

/* A sheet, and below it a field that is held. */
static tacWorld *sheet_world(Bench *b, const tacPointshell *sheet, const tacDistanceField *field, double height) {
  tacWorld *world = begin(0.0);
  tacBodyId points = add_rigid(world, "sheet", b->block, sheet, NULL, tac_vec3(0.0, 0.0, 0.0));
  tacBodyId held = add_rigid(world, "field", b->block, NULL, field, tac_vec3(0.0, 0.0, height));
  pair_up(world, b, points, held);
  hold(world, b, held);
  return world;
}

/* A held rod along y, at first 3 mm below a sheet, goes up to `height` and back. What the hand does: the work in all
 * (J), less what holding its force in a tick gives, k |dx|^2 / 2; the force on it at the top is put in `top`. */
static double lift_rod(double radius, double stiffness, tacVec3 normal, double height, tacToolOutput *top) {
  Bench b = make_bench();
  TAC_OWN(tacPointshell, sheet) = make_sheet(0.02, normal);
  double bottom = -radius - 0.003, work = 0.0;
  TAC_CREATE(tacDistanceField, rod,
             tac_distance_field_capsule(tac_vec3(0.0, -0.05, 0.0), tac_vec3(0.0, 0.05, 0.0), radius, &rod, &error));
  b.pair.friction = 0.3;
  b.tool.stiffness = stiffness;
  TAC_OWN(tacWorld, world) = sheet_world(&b, sheet, rod, bottom);
  tacToolOutput out = {0};
  enum { TICKS = 2000 };
  for (int i = 0; i <= 2 * TICKS; ++i) {
    double before = bottom + (height - bottom) * (1.0 - fabs((double)(i - 1) / TICKS - 1.0));
    double now = bottom + (height - bottom) * (1.0 - fabs((double)i / TICKS - 1.0)), dx = i > 0 ? now - before : 0.0;
    work += -out.force.z * dx + 0.5 * stiffness * dx * dx;
    out = step(world, tac_vec3(0.0, 0.0, now), tac_quat_identity(), NULL);
    if (i == TICKS) *top = out;
  }
  return work;
}

/* Met from behind, a sheet pushes back as from its front. Along its normals it would draw the rod through, and give
 * energy. */
TAC_TEST(a_sheet_pushes_back_on_both_sides) {
  for (int behind = 0; behind < 2; ++behind) {
    tacToolOutput top = {0};
    double work = lift_rod(0.005, COUPLING, tac_vec3(0.0, 0.0, behind ? 1.0 : -1.0), 0.0, &top);
    ck_assert_msg(top.force.z < -1.0 && top.depth < 0.004, "behind %d: %g N, %g m", behind, top.force.z, top.depth);
    ck_assert_msg(work >= 0.0, "behind %d: %g J", behind, work);
  }
}

/* A thin rod that is led past its middle into a sheet is still pushed back, not through, and gives no energy on its way
 * back. */
TAC_TEST(rod_past_the_middle_is_pushed_back) {
  tacToolOutput top = {0};
  double work = lift_rod(0.001, 1e5, tac_vec3(0.0, 0.0, -1.0), 0.0004, &top);
  ck_assert_msg(top.proxy.z > 0.0002 && top.force.z < -1.0, "%g N at %g m", top.force.z, top.proxy.z);
  ck_assert_msg(work >= 0.0, "%g J", work);
}

/* The way out of a field is looked for again and again while a point stays inside: a ball that is led round a small sheet without
 * friction, and waits for a moment, is pushed along the line from the sheet to its middle, wherever it came in. */
TAC_TEST(forces_follow_the_field_while_points_stay_inside) {
  const double radius = 0.01, held = 0.009;
  Bench b = make_bench();
  TAC_OWN(tacPointshell, sheet) = make_sheet(1e-4, tac_vec3(0.0, 0.0, -1.0));
  TAC_CREATE(tacDistanceField, ball, tac_distance_field_sphere(tac_vec3(0.0, 0.0, 0.0), radius, &ball, &error));
  b.pair.friction = 0.0;
  TAC_OWN(tacWorld, world) = sheet_world(&b, sheet, ball, -1.1 * radius);
  lead(world, tac_vec3(0.0, 0.0, -1.1 * radius), tac_vec3(0.0, 0.0, -held), 300);
  for (int place = 1; place <= 5; ++place) {
    tacToolOutput out = {0};
    tacTickReport report;
    for (int i = 1; i <= 130; ++i) { /* 0.2 rad, then a rest */
      double angle = 0.2 * (place - 1 + fmin(1.0, i / 100.0));
      out = step(world, tac_vec3(-held * sin(angle), 0.0, -held * cos(angle)), tac_quat_identity(), &report);
      ck_assert_int_gt(report.points, 0); /* they never come out */
    }
    tacVec3 along = tac_vec3_unit(out.proxy), push = tac_vec3_unit(out.force);
    ck_assert_double_gt(tac_vec3_norm(out.force), 0.1);
    ck_assert_msg(tac_vec3_distance(along, push) < 0.02, "place %d: the force is off by %g rad", place,
                  tac_vec3_distance(along, push));
  }
}

/* With friction, over a ball: in every evaluation each direction has a slope of at most half of friction's against the gradient
 * of that moment, and forces the length that goes with it, whether they are kept, brought back or found anew. Directions are
 * kept to single precision. */
TAC_TEST(contact_directions_stay_within_their_cones) {
  const double radius = 0.03, friction = 0.2;
  Bench b = make_bench();
  TAC_OWN(tacDistanceField, ball) = sampled_ball(radius);
  b.pair.friction = friction;
  TAC_OWN(tacWorld, world) = ball_world(&b, ball);
  tacPair *pair = &world->contact_pairs[0];
  tacFrame *frame = &world->bodies[0].frame;
  int at_edge = 0, within = 0;
  for (int s = 0; s <= 1000; ++s) {
    roll(frame, radius, 2.0 * M_PI * s / 1000.0);
    tac_pair_evaluate(pair, world->bodies);
    for (int i = 0; i < pair->count; ++i) {
      const tacPenaltyPoint *p = &pair->at[i];
      tacVec3 gradient;
      tac_distance_field_gradient(ball, p->at, &gradient);
      const double slope = tac_vec3_norm(tac_vec3_cross(p->normal, gradient)) / -tac_vec3_dot(p->normal, gradient);
      ck_assert_msg(slope >= 0.0 && slope < 0.5 * friction + 1e-6, "evaluation %d: a slope of %.9g", s, slope);
      ck_assert_double_eq_tol(p->steep, tac_penalty_steep(p->normal, gradient), 1e-6);
      at_edge += slope > 0.49 * friction;
      within += slope < 0.45 * friction;
    }
  }
  ck_assert_int_gt(at_edge, 1000);
  ck_assert_int_gt(within, 1000);
}

static void rub(int i, tacToolInput *inputs) {
  tacQuat q = tac_quat_from_axis_angle(tac_vec3(0.0, 1.0, 0.0), 0.001 * i);
  inputs[0] = (tacToolInput){.position = {0.001 * sin(0.1 * i), 0.0, HALF + 0.001 - 0.00002 * i},
                             .orientation = {q.w, q.x, q.y, q.z}};
}

TAC_TEST(reset_world_repeats_bitwise) {
  Bench b = make_bench();
  b.pair.friction = 0.3;
  TAC_OWN(tacWorld, world) = block_world(&b);
  tacToolOutput out[TAC_MOST_TOOLS];
  check_repeats(world, 300, rub, out);
}

/* A look finds what the step found, from the snapshot alone. */
TAC_TEST(pair_look_shows_the_points_in_contact) {
  Bench b = make_bench();
  TAC_OWN(tacWorld, world) = block_world(&b);
  tacToolOutput out = lead(world, tac_vec3(0.0, 0.0, HALF + 0.001), tac_vec3(0.003, 0.0, HALF - 0.004), 50);
  double state[16];
  ck_assert_int_le(tac_world_state_size(world), 16);
  tac_world_state(world, state);
  tacSnapshot snapshot = {.state = state};
  TAC_CREATE(tacPairLook, look, tac_pair_look_create(world, 0, &look, &error));
  tacPairSeen seen = tac_pair_look_at(look, &snapshot);
  ck_assert_int_eq(seen.point_count, 256);
  ck_assert_int_eq(seen.level, 2);
  ck_assert_int_gt(seen.ball_count, 256);
  for (int i = 0; i < seen.point_count; ++i) {
    ck_assert_double_eq_tol(seen.points[i].at.z, -out.depth, 1e-7);
    ck_assert_double_eq_tol(seen.points[i].depth, out.depth, 1e-7);
    ck_assert_double_eq_tol(seen.points[i].normal.z, -1.0, 1e-6);
  }
}

/* Surfaces need neither points nor a field: there is nothing to look at, and what the pair's parameters are, they can be
 * set to. */
TAC_TEST(pairs_of_surfaces_have_no_points) {
  Bench b = make_bench();
  b.pair.method = TAC_METHOD_SIGNORINI;
  b.pair.laws.detect = TAC_DETECT_SURFACES;
  TAC_OWN(tacWorld, world) = block_world(&b);
  tacToolOutput out = lead(world, tac_vec3(0.0, 0.0, HALF + 0.001), tac_vec3(0.0, 0.0, HALF - 0.004), 50);
  ck_assert_double_eq_tol(out.proxy.z, HALF, 1e-5);
  ck_assert_double_eq_tol(out.force.z, 0.004 * COUPLING, 0.01 * 0.004 * COUPLING);
  tacPairLook *look;
  ck_assert_int_eq(tac_pair_look_create(world, 0, &look, &error), TAC_ERR_ARGUMENT);
  ck_assert_str_eq(error.text, "pair 0 uses surface detection, so it has no points to look at");
  ck_assert_ptr_null(look);
  for (int i = 0; i < tac_world_parameter_count(world); ++i)
    tac_test_ok(tac_world_set_parameter(world, i, tac_world_parameter(world, i).value, &error), error);
}

static const tacTriMesh *block_surface;

static tacBodyDescription (*plain)(const void *self);

static tacBodyDescription with_a_number(const void *self) {
  tacBodyDescription is = plain(self);
  is.state = is.shown = 1;
  return is;
}

static void save_zero(const void *self, int count, double *state) {
  (void)self;
  (void)count;
  *state = 0.0;
}

static void raised(const void *self, const double *shown, tacVec3 *vertices) {
  (void)self;
  for (int v = 0; v < block_surface->vertex_count; ++v)
    vertices[v] = tac_vec3_add(block_surface->vertices[v], tac_vec3(0.0, 0.0, shown != NULL ? *shown : 0.0));
}

/* A kind may show a state of something that does not deform. */
TAC_TEST(rigid_surfaces_with_a_state_touch) {
  Bench b = make_bench();
  b.pair.method = TAC_METHOD_SIGNORINI;
  b.pair.laws.detect = TAC_DETECT_SURFACES;
  TAC_OWN(tacWorld, world) = begin_block(&b, 0.0);
  tacBodyTable table = *world->bodies[0].body.table;
  block_surface = b.block;
  tacBodyLooks looks = {.vertices = raised};
  plain = table.describe;
  table.describe = with_a_number;
  table.save = save_zero;
  table.looks = &looks;
  world->bodies[0].body.table = &table;
  hold(world, &b, tac_world_body(world, 0));
  tacToolOutput out = lead(world, tac_vec3(0.0, 0.0, HALF + 0.001), tac_vec3(0.0, 0.0, HALF - 0.004), 50);
  ck_assert_double_eq_tol(out.proxy.z, HALF, 1e-5);
}

/* With room for few nodes the coarse levels carry the force alone, with nearly the same stiffness: areas weigh them. */
TAC_TEST(cost_limit_omits_deep_levels) {
  Bench b = make_bench();
  TAC_OWN(tacWorld, world) = block_world(&b);
  int nodes = tac_world_find_parameter(world, "block-ground.nodes");
  ck_assert_int_ge(nodes, 0);
  tacVec3 start = tac_vec3(0.0, 0.0, HALF + 0.001), end = tac_vec3(0.0, 0.0, HALF - 0.004);
  tacToolOutput full = lead(world, start, end, 50);
  tac_world_reset(world);
  tac_test_ok(tac_world_set_parameter(world, nodes, 300.0, &error), error);
  tacToolOutput few = lead(world, start, end, 50);
  tacTickReport report;
  step(world, end, tac_quat_identity(), &report);
  ck_assert_int_eq(report.degraded, 1);
  ck_assert_int_lt(report.level, 2);
  ck_assert_int_le(report.visited, 300);
  ck_assert_double_eq_tol(few.force.z, full.force.z, 0.01 * full.force.z);
  ck_assert_int_ne(tac_world_set_parameter(world, nodes, -1.0, &error), TAC_OK);
}

/* A recording keeps parameters, and sets them again: what a world has, it takes. */
TAC_TEST(measured_budgets_can_be_set_as_parameters) {
  Bench b = make_bench();
  TAC_OWN(tacWorld, world) = begin_block(&b, 1e-4);
  TAC_OWN(tacWorld, again) = block_world(&b);
  hold(world, &b, tac_world_body(world, 0));
  ck_assert_int_eq(tac_world_parameter_count(world), tac_world_parameter_count(again));
  for (int i = 0; i < tac_world_parameter_count(world); ++i) {
    tacParameter p = tac_world_parameter(world, i);
    tac_test_ok(tac_world_set_parameter(again, i, p.value, &error), error);
    ck_assert(tac_world_parameter(again, i).value == p.value);
    ck_assert_str_eq(tac_world_parameter(again, i).name, p.name);
  }
  tacTraversalLimits one = world->contact_pairs[0].limits, other = again->contact_pairs[0].limits;
  ck_assert(one.cost == other.cost && one.contact_cost == other.contact_cost);
}

static void refuse_pair(tacWorld *world, tacPairDef pair, const char *says) {
  tac_test_refused(tac_world_add_pair(world, &pair, NULL, &error), TAC_ERR_ARGUMENT, error, says);
}

static void refuse_tool(tacWorld *world, tacBodyToolDef tool, const char *says) {
  tac_test_refused(tac_world_add_body_tool(world, &tool, NULL, &error), TAC_ERR_ARGUMENT, error, says);
}

TAC_TEST(invalid_pairs_and_tools_are_rejected) {
  Bench b = make_bench();
  TAC_OWN(tacWorld, world) = begin_block(&b, 0.0);
  tacBodyId block = tac_world_body(world, 0), ground = tac_world_body(world, 1);
  tacPairDef pair = b.pair;
  tacBodyToolDef tool = b.tool;
  refuse_pair(world, pair, "block-ground: this pair already exists");
  refuse_pair(world, (pair.points = ground, pair.field = block, pair), "ground has no points");
  refuse_pair(world, (pair.points = block, pair), "two bodies of the world");
  refuse_pair(world, (pair = b.pair, pair.stiffness = 1e10, pair), "between 1e-9 and 1e9"); /* as parameters are */
  refuse_tool(world, (tool.body = (tacBodyId){7, 7}, tool), "the body to hold does not exist");
  refuse_tool(world, (tool.body = block, tool.static_damping = 1.0, tool), "static damping 1 must be");
  tool.static_damping = 0.5;
  tac_test_ok(tac_world_add_body_tool(world, &tool, NULL, &error), error);
  refuse_tool(world, (tool.name = "other", tool), "held by tool hand");
}
