#include "kinds/green/patch_grip.h"

#include <tactus/green.h>
#include "brick_beam.h"
#include "elastic/reference/reference_problem.h"
#include "physics/block.h"

/* ---- a block of bricks that stands on z = 0, and the same with more vertices held ---- */

enum { MOST_VERTICES = 400 };
static const double edge = 0.01;

typedef struct {
  Block of;
  tacGreen *green;
  const tacVec3 *x;
  int n;
  tacVec3 size;
} Bricks;

static Bricks make_bricks_of(int nx, int ny, int nz) {
  Bricks block = {.of = make_block(brick_beam_mesh(nx, ny, nz, edge), at_bottom, 5e4, 0.3),
                  .size = {nx * edge, ny * edge, nz * edge}};
  block.green = bake_block(&block.of, 0, NULL);
  block.x = block.of.surface->vertices;
  block.n = block.of.surface->vertex_count;
  ck_assert_int_le(block.n, MOST_VERTICES);
  return block;
}

static void destroy_bricks(Bricks *block) {
  tac_green_destroy(block->green);
}

/* Solved directly: the vertices of the snapshot are held too, at the displacements `u` of all vertices; compares
 * tractions there and displacements elsewhere. Largest differences relative to the largest. */
static double disagreement(Bricks *block, const tacPatchSnapshot *snapshot, const tacVec3 *u) {
  bool fixed[MOST_VERTICES];
  int vertices[TAC_PATCH_MOST];
  memcpy(fixed, block->of.fixed, (size_t)block->n * sizeof *fixed);
  for (int i = 0; i < snapshot->count; ++i) {
    vertices[i] = snapshot->loads[i].vertex;
    ck_assert(!fixed[vertices[i]]);
    fixed[vertices[i]] = true;
  }
  const tacReferenceDef def = {.method = TAC_FINITE_ELEMENTS,
                               .volume = block->of.volume,
                               .material_count = 1,
                               .materials = &block->of.material,
                               .fixed = fixed,
                               .thread_count = 1};
  TAC_CREATE(tacReferenceProblem, problem, tac_reference_problem_create(&def, NULL, &problem, &error));
  size_t rows = (size_t)tac_reference_problem_row_count(problem);
  TAC_MEMORY(double, columns) = calloc(3 * (size_t)snapshot->count * rows, sizeof *columns);
  tac_test_ok(tac_reference_problem_columns(problem, snapshot->count, vertices, NULL, columns, &error), error);
  double v[3 * MOST_VERTICES] = {0};
  for (int i = 0; i < snapshot->count; ++i)
    for (int k = 0; k < 3; ++k)
      for (size_t r = 0; r < 3 * (size_t)block->n; ++r)
        v[r] += columns[(3 * (size_t)i + (size_t)k) * rows + r] * (&u[vertices[i]].x)[k];
  double most_u = 0.0, most_p = 0.0, wrong_u = 0.0, wrong_p = 0.0;
  for (int i = 0; i < block->n; ++i) {
    tacVec3 expected = {v[3 * i], v[3 * i + 1], v[3 * i + 2]};
    if (fixed[i]) continue;
    most_u = fmax(most_u, tac_vec3_norm(expected));
    wrong_u = fmax(wrong_u, tac_vec3_distance(expected, u[i]));
  }
  for (int i = 0; i < snapshot->count; ++i) {
    tacVec3 expected = {v[3 * vertices[i]], v[3 * vertices[i] + 1], v[3 * vertices[i] + 2]};
    most_p = fmax(most_p, tac_vec3_norm(expected));
    wrong_p = fmax(wrong_p, tac_vec3_distance(expected, snapshot->loads[i].traction));
  }
  return fmax(wrong_u / most_u, wrong_p / most_p);
}

/* Its snapshot, and the displacements of all vertices. */
static tacPatchSnapshot take_snapshot(const tacPatchGrip *grip, const Bricks *block, tacVec3 *u) {
  tacPatchSnapshot snapshot;
  tac_patch_grip_snapshot(grip, &snapshot);
  memset(u, 0, (size_t)block->n * sizeof *u);
  tac_patch_snapshot_add(&snapshot, block->green, u, NULL, NULL);
  return snapshot;
}

static tacPatchGrip *make_grip(const Bricks *block, int blend_ticks) {
  tacPatchGripDef def = tac_patch_grip_def_default();
  def.blend_ticks = blend_ticks;
  tacPatchGrip *grip;
  tac_test_ok(tac_patch_grip_create(block->green, &def, &grip, &error), error);
  return grip;
}

/* ---- poses ---- */

static const tacPad stick = {TAC_PAD_STICK, 0.016, 0.0};

/* +z of a pad's frame along `axis`. */
static tacPadPose facing(tacVec3 centre, tacVec3 axis) {
  tacVec3 z = {0.0, 0.0, 1.0}, about = tac_vec3_cross(z, axis);
  if (tac_vec3_norm(about) == 0.0) about = tac_vec3(1.0, 0.0, 0.0);
  return (tacPadPose){centre, tac_quat_from_axis_angle(about, acos(tac_vec3_dot(z, axis)))};
}

static tacPadPose on_top(const Bricks *block) {
  return facing(tac_vec3(0.5 * block->size.x, 0.5 * block->size.y, block->size.z), tac_vec3(0.0, 0.0, -1.0));
}

/* On the sides of x, at a place of y and z. */
static tacPadPose on_side(const Bricks *block, bool right, double y, double z) {
  return facing(tac_vec3(right ? block->size.x : 0.0, y, z), tac_vec3(right ? -1.0 : 1.0, 0.0, 0.0));
}

static tacPadPose moved(tacPadPose pose, tacVec3 by, tacVec3 turn) {
  tacQuat q = tac_quat_mul(tac_quat_from_rotation_vector(turn), pose.turn);
  return (tacPadPose){tac_vec3_add(pose.centre, by), q};
}

static void settle(tacPatchGrip *grip, int ticks) {
  for (int i = 0; i < ticks; ++i) tac_patch_grip_step(grip);
}

/* Moves in steps that are not refused. */
static void go(tacPatchGrip *grip, int pad, tacPadPose from, tacVec3 by, tacVec3 turn, int steps) {
  for (int i = 1; i <= steps; ++i) {
    double t = (double)i / steps;
    ck_assert(tac_patch_grip_move(grip, pad, moved(from, tac_vec3_scale(t, by), tac_vec3_scale(t, turn))));
    tac_patch_grip_step(grip);
  }
}

static const tacVec3 zero = {0.0, 0.0, 0.0};

/* ---- glued pads ---- */

/* Moved and turned while it still grew: in the end as if all had been held from the start. */
TAC_TEST(glued_patch_matches_the_direct_solution) {
  TAC_FREED(destroy_bricks, Bricks, block) = make_bricks_of(4, 4, 3);
  TAC_OWN(tacPatchGrip, grip) = make_grip(&block, 5);
  tacPadPose start = on_top(&block);
  ck_assert(tac_patch_grip_take(grip, 0, &stick, start));
  tacVec3 by = {0.003, -0.002, 0.004}, turn = {0.2, -0.1, 0.3};
  go(grip, 0, start, by, turn, 10);
  settle(grip, 8);
  tacPadReply reply = tac_patch_grip_reply(grip, 0);
  int near = 0;
  for (int v = 0; v < block.n; ++v)
    near += tac_vec3_distance(block.x[v], start.centre) <= stick.radius && block.x[v].z > 2.5 * edge;
  ck_assert_int_eq(near, 9);
  ck_assert(reply.in_use && reply.held == near && reply.waiting == 0 && reply.leaving == 0);
  tacVec3 u[MOST_VERTICES], force = {0}, torque = {0};
  tacPatchSnapshot snapshot = take_snapshot(grip, &block, u);
  tacPadPose end = moved(start, by, turn);
  tacQuat rotation = tac_quat_from_rotation_vector(turn);
  for (int i = 0; i < snapshot.count; ++i) {
    int v = snapshot.loads[i].vertex;
    tacVec3 y = tac_vec3_add(end.centre, tac_quat_rotate(rotation, tac_vec3_sub(block.x[v], start.centre)));
    ck_assert_double_lt(tac_vec3_distance(tac_vec3_add(block.x[v], u[v]), y), 1e-13);
    tacVec3 f = tac_vec3_scale(tac_green_area(block.green)[v], snapshot.loads[i].traction);
    force = tac_vec3_add(force, f);
    torque = tac_vec3_add(torque, tac_vec3_cross(tac_vec3_sub(y, end.centre), f));
  }
  ck_assert_double_lt(disagreement(&block, &snapshot, u), 1e-10);
  ck_assert_double_lt(tac_vec3_distance(reply.force, force), 1e-12 * tac_vec3_norm(force));
  ck_assert_double_lt(tac_vec3_distance(reply.torque, torque), 1e-12 * tac_vec3_norm(torque));
  ck_assert_double_gt(tac_vec3_dot(reply.force, by), 0.0); /* moving it takes work */
}

/* And the shape does not depend on it. */
TAC_TEST(force_is_linear_in_stiffness) {
  TAC_FREED(destroy_bricks, Bricks, block) = make_bricks_of(4, 4, 3);
  TAC_OWN(tacPatchGrip, grip) = make_grip(&block, 5);
  tacPadPose start = on_top(&block);
  ck_assert(tac_patch_grip_take(grip, 0, &stick, start));
  settle(grip, 10);
  go(grip, 0, start, tac_vec3(0.001, 0.002, -0.003), zero, 1);
  tacVec3 once = tac_patch_grip_reply(grip, 0).force, u[MOST_VERTICES], v[MOST_VERTICES];
  take_snapshot(grip, &block, u);
  ck_assert(tac_patch_grip_set_stiffness(grip, 7.0) && !tac_patch_grip_set_stiffness(grip, -1.0));
  settle(grip, 1);
  ck_assert_double_lt(tac_vec3_distance(tac_patch_grip_reply(grip, 0).force, tac_vec3_scale(7.0, once)),
                      1e-11 * tac_vec3_norm(once));
  take_snapshot(grip, &block, v);
  for (int i = 0; i < block.n; ++i) ck_assert_double_lt(tac_vec3_distance(u[i], v[i]), 1e-14);
}

/* A smooth loop of centre and turn, by up to 0.4 rad: the integrand is periodic, so the trapezoidal rule's error is
 * below round-off. */
TAC_TEST(a_closed_loop_of_a_glued_pad_does_no_work) {
  TAC_FREED(destroy_bricks, Bricks, block) = make_bricks_of(4, 4, 3);
  TAC_OWN(tacPatchGrip, grip) = make_grip(&block, 5);
  tacPadPose start = on_top(&block);
  ck_assert(tac_patch_grip_take(grip, 0, &stick, start));
  settle(grip, 10);
  tacVec3 axis = tac_vec3_unit(tac_vec3(0.3, -0.5, 0.8));
  double work = 0.0, exchanged = 0.0;
  enum { POINTS = 96 };
  for (int lap = 0; lap < 2; ++lap) /* first to get there */
    for (int i = 0; i < POINTS; ++i) {
      double t = 2.0 * 3.14159265358979323846 * i / POINTS, size = lap == 0 ? (double)i / POINTS : 1.0;
      tacVec3 c = {0.004 * cos(t), 0.003 * sin(t), 0.002 * sin(2.0 * t + 1.0)};
      tacVec3 dc = {-0.004 * sin(t), 0.003 * cos(t), 0.004 * cos(2.0 * t + 1.0)};
      double angle = 0.4 * sin(t + 0.5), dangle = 0.4 * cos(t + 0.5);
      ck_assert(
          tac_patch_grip_move(grip, 0, moved(start, tac_vec3_scale(size, c), tac_vec3_scale(size * angle, axis))));
      tac_patch_grip_step(grip);
      tacPadReply reply = tac_patch_grip_reply(grip, 0);
      double power = tac_vec3_dot(reply.force, dc) + dangle * tac_vec3_dot(reply.torque, axis);
      if (lap == 1) work += power;
      if (lap == 1) exchanged += fabs(power);
    }
  ck_assert_double_gt(exchanged, 0.0);
  ck_assert_double_lt(fabs(work), 1e-9 * exchanged);
}

/* A rigid motion of all pads about a point. */
static tacPadPose carried(tacPadPose pose, tacVec3 about, tacVec3 by, tacVec3 turn) {
  tacQuat q = tac_quat_from_rotation_vector(turn);
  tacVec3 arm = tac_quat_rotate(q, tac_vec3_sub(pose.centre, about));
  return (tacPadPose){tac_vec3_add(about, tac_vec3_add(arm, by)), tac_quat_mul(q, pose.turn)};
}

/* Central differences, and their symmetric part where forces turn. One pad about its centre, and two as the jaws of a gripper
 * about another point; at rest, and pulled. */
TAC_TEST(stiffness_is_the_gradient_of_force_and_torque) {
  TAC_FREED(destroy_bricks, Bricks, block) = make_bricks_of(4, 4, 3);
  const tacPadPose top = on_top(&block);
  const tacPadPose jaws[2] = {on_side(&block, false, 2.0 * edge, 2.0 * edge),
                              on_side(&block, true, 2.0 * edge, 2.0 * edge)};
  for (int kind = 0; kind < 4; ++kind) {
    TAC_OWN(tacPatchGrip, grip) = make_grip(&block, 5);
    int pads = kind < 2 ? 1 : 2;
    const tacPadPose *start = pads == 1 ? &top : jaws;
    tacVec3 about = pads == 1 ? top.centre : tac_vec3(0.4 * block.size.x, edge, 3.0 * edge);
    tacVec3 by = kind % 2 == 0 ? zero : tac_vec3(0.002, -0.001, 0.003);
    tacVec3 turn = kind % 2 == 0 ? zero : tac_vec3(0.1, 0.05, -0.2);
    for (int p = 0; p < pads; ++p) ck_assert(tac_patch_grip_take(grip, p, &stick, start[p]));
    settle(grip, 15);
    tacPadPose poses[2];
    for (int p = 0; p < pads; ++p) {
      poses[p] = carried(start[p], about, by, turn);
      ck_assert(tac_patch_grip_move(grip, p, poses[p]));
    }
    settle(grip, 1);
    about = tac_vec3_add(about, by);
    double k[6][6], expected[6][6], h = 1e-5;
    tac_patch_grip_stiffness(grip, 0, pads, about, k);
    for (int c = 0; c < 6; ++c) {
      tacVec3 force[2] = {zero, zero}, torque[2] = {zero, zero};
      for (int side = 0; side < 2; ++side) {
        double step[6] = {0};
        step[c] = side == 0 ? -h : h;
        tacVec3 way = tac_vec3(step[0], step[1], step[2]), angle = tac_vec3(step[3], step[4], step[5]);
        for (int p = 0; p < pads; ++p) ck_assert(tac_patch_grip_move(grip, p, carried(poses[p], about, way, angle)));
        settle(grip, 1);
        for (int p = 0; p < pads; ++p) {
          tacPadReply reply = tac_patch_grip_reply(grip, p);
          tacVec3 arm = tac_vec3_sub(carried(poses[p], about, zero, angle).centre, about);
          force[side] = tac_vec3_add(force[side], reply.force);
          torque[side] = tac_vec3_add(torque[side], tac_vec3_add(reply.torque, tac_vec3_cross(arm, reply.force)));
        }
      }
      tacVec3 f = tac_vec3_scale(0.5 / h, tac_vec3_sub(force[1], force[0]));
      tacVec3 t = tac_vec3_scale(0.5 / h, tac_vec3_sub(torque[1], torque[0]));
      const double column[6] = {f.x, f.y, f.z, t.x, t.y, t.z};
      for (int r = 0; r < 6; ++r) expected[r][c] = column[r];
    }
    for (int r = 0; r < 6; ++r)
      for (int c = 0; c < 6; ++c) {
        double unit = (r < 3 ? 1.0 : edge) * (c < 3 ? 1.0 : edge) * k[0][0];
        ck_assert_double_eq_tol(k[r][c], 0.5 * (expected[r][c] + expected[c][r]), 1e-7 * unit);
        ck_assert_double_eq_tol(k[r][c], k[c][r], 1e-10 * unit);
      }
  }
}

/* The pad pulls while it grows. A vertex that joins does not change the force, and what it has missed comes in equal
 * parts: with the pad at rest, no tick changes the force by more than the sum over the vertices of what their
 * offsets make, over the ticks of the blend. The same when it lets go: as it was until all vertices are free, then
 * down in equal parts. */
TAC_TEST(force_is_continuous_while_a_patch_grows_and_releases) {
  TAC_FREED(destroy_bricks, Bricks, block) = make_bricks_of(4, 4, 3);
  enum { BLEND = 1 << 20 }; /* so slow that the joins are seen alone */
  tacPatchGripDef def = tac_patch_grip_def_default();
  tacPadPose start = on_top(&block);
  tacVec3 by = {0.0, 0.001, 0.004};
  for (int slow = 0; slow < 2; ++slow) {
    def.blend_ticks = slow ? BLEND : 25;
    def.most_switches = 1;
    TAC_CREATE(tacPatchGrip, grip, tac_patch_grip_create(block.green, &def, &grip, &error));
    ck_assert(tac_patch_grip_take(grip, 0, &stick, start));
    settle(grip, 1);
    ck_assert_int_eq(tac_patch_grip_reply(grip, 0).held, 1);
    ck_assert_double_eq(tac_vec3_norm(tac_patch_grip_reply(grip, 0).force), 0.0);
    ck_assert(tac_patch_grip_move(grip, 0, moved(start, by, zero)));
    settle(grip, 1); /* the second joined before the pad moved */
    tacVec3 last = tac_patch_grip_reply(grip, 0).force;
    double largest = 0.0, whole = 0.0;
    for (int i = 3; i <= 60; ++i) {
      settle(grip, 1);
      tacPadReply reply = tac_patch_grip_reply(grip, 0);
      ck_assert_int_eq(reply.held, i < 9 ? i : 9);
      largest = fmax(largest, tac_vec3_distance(reply.force, last));
      last = reply.force;
      whole = tac_vec3_norm(last);
    }
    /* Nearly all of it comes during one blend: parts of 1 / 25 and less. A vertex that joined in its place would
     * bring a tenth. */
    ck_assert_double_lt(largest, (slow ? 1e-4 : 1.5 / 25.0) * whole);
    tac_patch_grip_release(grip, 0);
    ck_assert(!tac_patch_grip_take(grip, 0, &stick, start));
    ck_assert(!tac_patch_grip_move(grip, 0, start));
    for (int i = 0; i < 8; ++i) {
      settle(grip, 1);
      tacPadReply reply = tac_patch_grip_reply(grip, 0);
      ck_assert_int_eq(reply.held, 0);
      ck_assert_int_eq(reply.leaving, 9);
      /* Until all are free the blend still goes on where it is slow. */
      ck_assert_double_lt(tac_vec3_distance(reply.force, last), (slow ? 1e-4 : 1e-9) * whole);
    }
    last = tac_patch_grip_reply(grip, 0).force;
    for (int i = 1; !slow && i <= def.blend_ticks; ++i) {
      settle(grip, 1);
      tacPadReply reply = tac_patch_grip_reply(grip, 0);
      tacVec3 expected = tac_vec3_scale(1.0 - (double)i / def.blend_ticks, last);
      ck_assert_double_lt(tac_vec3_distance(reply.force, expected), 1e-9 * whole);
      ck_assert_int_eq(reply.in_use, i < def.blend_ticks);
    }
    if (!slow) {
      tacPatchSnapshot snapshot;
      tac_patch_grip_snapshot(grip, &snapshot);
      ck_assert_int_eq(snapshot.count, 0);
      ck_assert(tac_patch_grip_take(grip, 0, &stick, start));
    }
  }
}

/* ---- two pads ---- */

TAC_TEST(two_pads_on_one_body_feel_each_other) {
  TAC_FREED(destroy_bricks, Bricks, block) = make_bricks_of(4, 4, 5);
  TAC_OWN(tacPatchGrip, grip) = make_grip(&block, 5);
  tacPadPose left = on_side(&block, false, 2.0 * edge, 3.0 * edge);
  tacPadPose right = on_side(&block, true, 2.0 * edge, 3.0 * edge);
  ck_assert(tac_patch_grip_take(grip, 0, &stick, left) && tac_patch_grip_take(grip, 1, &stick, right));
  settle(grip, 15);
  tacVec3 apart = {0.003, 0.0, 0.0};
  go(grip, 0, left, apart, zero, 1); /* the other holds against it: */
  tacPadReply alone = tac_patch_grip_reply(grip, 0), other = tac_patch_grip_reply(grip, 1);
  ck_assert_double_gt(-other.force.x, 0.1 * alone.force.x);
  go(grip, 0, left, tac_vec3_scale(-1.0, apart), zero, 1);
  go(grip, 1, right, apart, zero, 1);
  tacPadReply a = tac_patch_grip_reply(grip, 0), b = tac_patch_grip_reply(grip, 1);
  double size = tac_vec3_norm(a.force);
  ck_assert_double_eq_tol(a.force.x, -b.force.x, 1e-9 * size);
  ck_assert_double_eq_tol(a.force.y, b.force.y, 1e-9 * size);
  ck_assert_double_eq_tol(a.force.z, b.force.z, 1e-9 * size);
  ck_assert_double_lt(a.force.x, 0.0);
  ck_assert_double_gt(fabs(a.force.x), alone.force.x); /* stiffer than against one that is at rest */
  tacVec3 u[MOST_VERTICES];
  tacPatchSnapshot snapshot = take_snapshot(grip, &block, u);
  ck_assert_int_eq(snapshot.count, 18);
  ck_assert_double_lt(disagreement(&block, &snapshot, u), 1e-10);
  /* One lets go: the other is as if it had been alone. */
  tac_patch_grip_release(grip, 1);
  settle(grip, 15);
  ck_assert(!tac_patch_grip_reply(grip, 1).in_use);
  snapshot = take_snapshot(grip, &block, u);
  ck_assert_int_eq(snapshot.count, 9);
  ck_assert_double_lt(disagreement(&block, &snapshot, u), 1e-10);
}

/* One lets go of a body that it has deformed while another takes hold, some vertices of both in one tick: where the
 * surface is when they join has to count what has just left. So slow that nothing fades meanwhile: the new pad's
 * force stays zero. */
TAC_TEST(pad_grips_vertices_just_released_by_another) {
  TAC_FREED(destroy_bricks, Bricks, block) = make_bricks_of(4, 4, 5);
  TAC_OWN(tacPatchGrip, grip) = make_grip(&block, 1 << 20);
  tacPadPose left = on_side(&block, false, 2.0 * edge, 3.0 * edge);
  tacPadPose right = on_side(&block, true, 2.0 * edge, 3.0 * edge);
  ck_assert(tac_patch_grip_take(grip, 0, &stick, left));
  settle(grip, 3);
  go(grip, 0, left, tac_vec3(0.004, 0.002, 0.0), zero, 1);
  double size = tac_vec3_norm(tac_patch_grip_reply(grip, 0).force);
  tac_patch_grip_release(grip, 0);
  ck_assert(tac_patch_grip_take(grip, 1, &stick, right));
  for (int i = 0; i < 10; ++i) {
    settle(grip, 1);
    ck_assert_double_lt(tac_vec3_norm(tac_patch_grip_reply(grip, 1).force), 1e-4 * size);
    ck_assert_double_eq_tol(tac_vec3_norm(tac_patch_grip_reply(grip, 0).force), size, 1e-4 * size);
  }
  ck_assert_int_eq(tac_patch_grip_reply(grip, 1).held, 9);
  ck_assert_int_eq(tac_patch_grip_reply(grip, 0).leaving, 9);
}

/* A sphere of twice the thickness around a pad on one side of a plate, near its rim. */
TAC_TEST(far_side_of_a_sheet_is_not_gripped) {
  TAC_FREED(destroy_bricks, Bricks, block) = make_bricks_of(1, 6, 6);
  TAC_OWN(tacPatchGrip, grip) = make_grip(&block, 5);
  tacPad wide = {TAC_PAD_STICK, 2.1 * edge, 0.0};
  tacPadPose left = on_side(&block, false, 5.0 * edge, 5.0 * edge);
  tacPadPose right = on_side(&block, true, 5.0 * edge, 5.0 * edge);
  ck_assert(tac_patch_grip_take(grip, 0, &wide, left) && tac_patch_grip_take(grip, 1, &wide, right));
  settle(grip, 20);
  tacPatchSnapshot snapshot;
  tac_patch_grip_snapshot(grip, &snapshot);
  int count[2] = {0};
  for (int i = 0; i < snapshot.count; ++i) {
    const tacPatchLoad *load = &snapshot.loads[i];
    ck_assert_double_eq(block.x[load->vertex].x, load->pad == 0 ? 0.0 : edge);
    ++count[load->pad];
  }
  ck_assert_int_ge(count[0], 9);
  ck_assert_int_ge(count[1], 9);
}

/* ---- a plate that presses ---- */

/* Signorini at rest: what is held is on the plate and pushed away from it; what is not, of the block's top
 * and within its radius, is on the body's side. */
static void check_laws(const Bricks *block, const tacPatchGrip *grip, int pad, tacPadPose pose, const tacPad *def) {
  tacVec3 u[MOST_VERTICES];
  bool held[MOST_VERTICES] = {0};
  tacPatchSnapshot snapshot = take_snapshot(grip, block, u);
  tacQuat back = tac_quat_conjugate(pose.turn);
  double largest = 0.0;
  for (int i = 0; i < snapshot.count; ++i) largest = fmax(largest, tac_vec3_norm(snapshot.loads[i].traction));
  for (int i = 0; i < snapshot.count; ++i) {
    const tacPatchLoad *load = &snapshot.loads[i];
    tacVec3 p = tac_quat_rotate(back, load->traction);
    if (load->pad != pad) continue;
    ck_assert_int_ne(load->state, TAC_PATCH_LEAVING);
    ck_assert_double_gt(p.z, -1e-6 * largest);
    ck_assert_double_le(hypot(p.x, p.y), def->friction * p.z + 1e-4 * largest);
    held[load->vertex] = true;
  }
  for (int v = 0; v < block->n; ++v) {
    tacVec3 q = tac_quat_rotate(back, tac_vec3_sub(tac_vec3_add(block->x[v], u[v]), pose.centre));
    if (tac_vec3_norm(q) > def->radius || block->x[v].z < block->size.z) continue;
    ck_assert_double_gt(q.z, -1e-6 * def->radius);
    if (held[v]) ck_assert_double_lt(fabs(q.z), 1e-12);
  }
}

TAC_TEST(a_plate_presses_and_never_pulls) {
  TAC_FREED(destroy_bricks, Bricks, block) = make_bricks_of(6, 6, 3);
  static const double friction[3] = {INFINITY, 0.5, 0.0};
  for (int f = 0; f < 3; ++f) {
    tacPad plate = {TAC_PAD_PRESS, 0.022, friction[f]};
    TAC_OWN(tacPatchGrip, grip) = make_grip(&block, 5);
    tacPadPose start = moved(on_top(&block), tac_vec3(0.001, 0.0005, 0.001), zero);
    ck_assert(tac_patch_grip_take(grip, 0, &plate, start));
    settle(grip, 5);
    ck_assert_int_eq(tac_patch_grip_reply(grip, 0).held, 0); /* 1 mm above */
    tacVec3 down = {0.0, 0.0, -0.004}, tilt = {0.1, 0.25, 0.0};
    go(grip, 0, start, down, tilt, 40);
    settle(grip, 300);
    tacPadReply pressed = tac_patch_grip_reply(grip, 0);
    ck_assert(pressed.held > 2 && pressed.held < 14 && pressed.leaving == 0 && pressed.waiting == 0);
    ck_assert_double_lt(pressed.force.z, 0.0);
    check_laws(&block, grip, 0, moved(start, down, tilt), &plate);
    go(grip, 0, moved(start, down, tilt), tac_vec3(0.0, 0.0, 0.002), zero, 20); /* half of it back */
    settle(grip, 300);
    tacPadReply less = tac_patch_grip_reply(grip, 0);
    ck_assert(less.held > 0 && less.held < pressed.held && less.leaving == 0);
    check_laws(&block, grip, 0, moved(start, tac_vec3(0.0, 0.0, -0.002), tilt), &plate);
    go(grip, 0, moved(start, tac_vec3(0.0, 0.0, -0.002), tilt), tac_vec3(0.0, 0.0, 0.008), zero, 20);
    settle(grip, 20);
    tacPadReply away = tac_patch_grip_reply(grip, 0);
    ck_assert(away.in_use && away.held + away.leaving == 0);
    ck_assert_double_eq(tac_vec3_norm(away.force), 0.0);
  }
}

TAC_TEST(plates_rest_where_the_contact_laws_hold) {
  TAC_FREED(destroy_bricks, Bricks, block) = make_bricks_of(6, 6, 3);
  static const double friction[3] = {INFINITY, 0.8, 0.3};
  for (uint64_t seed = 1; seed <= (tac_test_light() ? 2 : 12); ++seed) {
    tacRandom random = tac_random_seed(seed);
    tacPad plate = {TAC_PAD_PRESS, tac_random_uniform(&random, 0.012, 0.03), friction[seed % 3]};
    tacVec3 at = tac_random_in_cube(&random, 0.01), by = tac_random_in_cube(&random, 0.004);
    tacVec3 tilt = tac_random_in_cube(&random, 0.3);
    at.z = 0.002;
    by.z -= 0.007;
    TAC_OWN(tacPatchGrip, grip) = make_grip(&block, 20);
    tacPadPose start = moved(on_top(&block), at, zero);
    ck_assert(tac_patch_grip_take(grip, 0, &plate, start));
    go(grip, 0, start, by, tilt, 200);
    settle(grip, 600);
    tacPadReply reply = tac_patch_grip_reply(grip, 0);
    ck_assert(reply.held > 0 && reply.leaving + reply.waiting == 0);
    check_laws(&block, grip, 0, moved(start, by, tilt), &plate);
  }
}

/* Dragged along the surface: friction holds back with mu times the pressing force while everything slips, and the
 * work that the hand does never comes back. */
TAC_TEST(sliding_plate_is_resisted_by_friction) {
  TAC_FREED(destroy_bricks, Bricks, block) = make_bricks_of(6, 6, 3);
  tacPad plate = {TAC_PAD_PRESS, 0.016, 0.3};
  TAC_OWN(tacPatchGrip, grip) = make_grip(&block, 5);
  tacPadPose start = on_top(&block);
  ck_assert(tac_patch_grip_take(grip, 0, &plate, start));
  go(grip, 0, start, tac_vec3(0.0, 0.0, -0.002), zero, 20);
  settle(grip, 100);
  tacPadPose pressed = moved(start, tac_vec3(0.0, 0.0, -0.002), zero);
  ck_assert_int_eq(tac_patch_grip_reply(grip, 0).held, 9);
  for (int i = 1; i <= 200; ++i) {
    ck_assert(tac_patch_grip_move(grip, 0, moved(pressed, tac_vec3(2e-5 * i, 0.0, 0.0), zero)));
    tac_patch_grip_step(grip);
    tacPadReply reply = tac_patch_grip_reply(grip, 0);
    ck_assert_double_le(hypot(reply.force.x, reply.force.y), -0.3 * reply.force.z * 1.1);
  }
  tacPadReply reply = tac_patch_grip_reply(grip, 0);
  ck_assert_int_gt(reply.slipping, 0);
  ck_assert_double_gt(reply.force.x, -0.3 * reply.force.z * 0.9); /* on the body, the way that the pad goes */
  settle(grip, 300);
  check_laws(&block, grip, 0, moved(pressed, tac_vec3(2e-5 * 200, 0.0, 0.0), zero), &plate);
}

/* ---- whatever comes in ---- */

TAC_TEST(invalid_values_and_jumps_are_rejected) {
  TAC_FREED(destroy_bricks, Bricks, block) = make_bricks_of(4, 4, 3);
  TAC_OWN(tacPatchGrip, grip) = make_grip(&block, 5);
  tacPadPose start = on_top(&block), wrong = start;
  tacPatchGripDef def = tac_patch_grip_def_default();
  tacPatchGrip *none;
  def.most_pads = 5;
  ck_assert_int_eq(tac_patch_grip_create(block.green, &def, &none, &error), TAC_ERR_ARGUMENT);
  def = tac_patch_grip_def_default();
  def.blend_ticks = 0;
  ck_assert_int_eq(tac_patch_grip_create(block.green, &def, &none, &error), TAC_ERR_ARGUMENT);
  ck_assert_ptr_null(none);
  wrong.centre.y = NAN;
  ck_assert(!tac_patch_grip_take(grip, 0, &stick, wrong));
  ck_assert(!tac_patch_grip_take(grip, 0, &stick, (tacPadPose){start.centre, tac_quat(0.0, 0.0, 0.0, 0.0)}));
  ck_assert(!tac_patch_grip_take(grip, 2, &stick, start) && !tac_patch_grip_take(grip, -1, &stick, start));
  ck_assert(!tac_patch_grip_take(grip, 0, &(tacPad){TAC_PAD_STICK, NAN, 0.0}, start));
  ck_assert(!tac_patch_grip_take(grip, 0, &(tacPad){TAC_PAD_PRESS, 0.01, -1.0}, start));
  ck_assert(!tac_patch_grip_take(grip, 0, &stick, moved(start, tac_vec3(0.0, 0.0, 0.1), zero)));   /* out of reach */
  ck_assert(!tac_patch_grip_take(grip, 0, &stick, facing(start.centre, tac_vec3(0.0, 0.0, 1.0)))); /* faces away */
  ck_assert(!tac_patch_grip_move(grip, 0, start) && !tac_patch_grip_reply(grip, 0).in_use);
  ck_assert(tac_patch_grip_take(grip, 0, &stick, start) && !tac_patch_grip_take(grip, 0, &stick, start));
  ck_assert(!tac_patch_grip_take(grip, 1, &stick, start)); /* all are taken */
  settle(grip, 10);
  go(grip, 0, start, tac_vec3(0.001, 0.0, 0.0), zero, 1);
  tacPadReply before = tac_patch_grip_reply(grip, 0);
  ck_assert(!tac_patch_grip_move(grip, 0, moved(start, tac_vec3(0.02, 0.0, 0.0), zero)));
  ck_assert(!tac_patch_grip_move(grip, 0, moved(start, zero, tac_vec3(0.0, 1.0, 0.0))));
  ck_assert(!tac_patch_grip_move(grip, 0, moved(start, tac_vec3(INFINITY, 0.0, 0.0), zero)));
  wrong = start;
  wrong.turn.w = NAN;
  ck_assert(!tac_patch_grip_move(grip, 0, wrong));
  settle(grip, 1);
  tacPadReply after = tac_patch_grip_reply(grip, 0);
  ck_assert_double_eq(tac_vec3_distance(before.force, after.force), 0.0);
  tac_patch_grip_reset(grip);
  ck_assert(!tac_patch_grip_reply(grip, 0).in_use);
  ck_assert(tac_patch_grip_take(grip, 0, &stick, start));
}

/* Two pads at random for a while, whatever they hold and however they press. */
TAC_TEST(random_use_gives_finite_forces) {
  TAC_FREED(destroy_bricks, Bricks, block) = make_bricks_of(3, 3, 3);
  tacRandom random = tac_random_seed(5);
  tacPatchGripDef def = tac_patch_grip_def_default();
  def.most_vertices = 12;
  def.blend_ticks = 3;
  TAC_CREATE(tacPatchGrip, grip, tac_patch_grip_create(block.green, &def, &grip, &error));
  tacPadPose pose[2] = {on_top(&block), on_top(&block)};
  int held = 0;
  for (int tick = 0; tick < (tac_test_light() ? 400 : 4000); ++tick) {
    for (int p = 0; p < 2; ++p) {
      double chance = tac_random_uniform(&random, 0.0, 1.0);
      double radius = tac_random_uniform(&random, 0.005, 0.03), friction = tac_random_uniform(&random, 0.0, 1.0);
      tacVec3 by = tac_vec3_scale(1e-3, tac_random_normal3(&random));
      tacVec3 turn = tac_vec3_scale(0.05, tac_random_normal3(&random));
      if (chance < 0.02)
        tac_patch_grip_release(grip, p);
      else if (chance < 0.3)
        tac_patch_grip_take(grip, p, &(tacPad){tick % 3 ? TAC_PAD_STICK : TAC_PAD_PRESS, radius, friction}, pose[p]);
      tacPadPose next = moved(pose[p], by, turn);
      next.centre =
          tac_vec3_add(on_top(&block).centre, tac_vec3_scale(0.9, tac_vec3_sub(next.centre, on_top(&block).centre)));
      tac_patch_grip_move(grip, p, next);
      pose[p] = next;
    }
    tac_patch_grip_step(grip);
    tacPatchSnapshot snapshot;
    tac_patch_grip_snapshot(grip, &snapshot);
    ck_assert_int_le(snapshot.count, 24);
    for (int i = 0; i < snapshot.count; ++i)
      for (int j = 0; j < i; ++j) ck_assert_int_ne(snapshot.loads[i].vertex, snapshot.loads[j].vertex);
    for (int p = 0; p < 2; ++p) {
      tacPadReply reply = tac_patch_grip_reply(grip, p);
      ck_assert(tac_vec3_finite(reply.force) && tac_vec3_finite(reply.torque));
      held += reply.held;
    }
  }
  ck_assert_int_gt(held, 100);
}
