/* What pairs do to reduced bodies, against dense solves. */
#include "asset/contact_field.h"
#include "asset/deformed_field.h"
#include "asset/deformed_pose.h"
#include "bake/make_bent.h"
#include "bake/modes/embedded_basis.h"
#include "kinds/reduced/embedded/deformed_field_bake.h"
#include "kinds/reduced/reduced.h"
#include "kinds/reduced/reduced_kind.h"
#include "kinds/reduced/reduced_polynomial.h"
#include "math/dense/dense.h"
#include "mesh/query/embedding.h"
#include "seen_ahead.h"
#include "world/pair_bench.h"
#include "world/pairs/pair.h"

enum { R = 8, ALL = 6 + R };
#define STIFF 50.0 /* times as baked: its end stays level, and all points there are deep */

static tacReducedBody *beam_of(const tacWorld *world) {
  return tac_reduced_kind_body(&world->bodies[0].body);
}

static const double *q_of(const tacWorld *world) {
  return tac_reduced_body_q(beam_of(world));
}

/* Of the only held body. */
static tacGrasp grasp_of(const tacWorld *world) {
  const tacFrame *frame = &world->bodies[world->tools[0].held.body].frame;
  return (tacGrasp){tac_frame_about(frame), frame->orientation};
}

/* K(0). */
static void stiffness_at_rest(const tacReduced *reduced, double k[R][R]) {
  const tacReducedParts *parts = tac_reduced_parts(reduced);
  TAC_DOUBLES *scratch = malloc(tac_reduced_polynomial_scratch(R) * sizeof *scratch);
  double q[R] = {0.0}, f[R], part[R][R];
  memset(k, 0, R * R * sizeof(double));
  for (int p = 0; p < parts->part_count; ++p) {
    tac_reduced_polynomial_evaluate(R, parts->parts[p].coefficients, q, scratch, f, part[0]);
    for (int i = 0; i < R; ++i)
      for (int j = 0; j < R; ++j) k[i][j] += parts->parts[p].weight * part[i][j];
  }
}

/* A beam without inertia, geometrically linear, whose points meet a block that a tool holds below its end: all is linear in a step. */
typedef struct Linear {
  Bench bench;
  tacReduced *beam;
  tacPointshell *shell;
  tacWorld *world;
  tacVec3 start;
} Linear;

static Linear make_linear(double force_most, double damping) {
  Linear l = {.bench = make_bench(), .start = {0.135, 0.02, -HALF - 0.0001}};
  Bench *b = &l.bench;
  l.beam = tac_test_keep(brick_beam_reduced(8, 2, 2, 0.02, false, 4, R), tac_reduced_destroy);
  l.shell = tac_test_keep(embedded_shell(l.beam, tac_vec3(0.16, 0.04, 0.04)), tac_pointshell_destroy);
  l.world = tac_test_keep(begin(0.0), tac_world_destroy);
  tacReducedBodyDef def = reduced_def("beam", l.beam, l.shell);
  def.is_static = def.linear = true;
  tacBodyId beam = add_reduced(l.world, &def);
  tacBodyId block = add_rigid(l.world, "block", b->block, NULL, b->box, l.start);
  b->tool.static_damping = damping;
  b->tool.force_most = force_most;
  b->tool.turn_stiffness = 0.5;
  b->tool.speed_most = 10.0;
  b->tool.turn_most = 1000.0;
  b->pair.stiffness = 40.0; /* points of its lower side alone are in contact, so deep that none leaves in a step */
  pair_up(l.world, b, beam, block);
  hold(l.world, b, block);
  tac_test_ok(tac_world_set_parameter(l.world, tac_world_find_parameter(l.world, "beam.stiffness"), STIFF, &error),
              error);
  tac_world_reset(l.world);
  return l;
}

/* One step from where the world is: q and the tool's motion as one system gives them, with the springs that the step sees. */
static void solve_dense(const Linear *l, const tacGrasp *device, double solution[ALL]) {
  tacWorld *world = l->world;
  tacPair *pair = &world->contact_pairs[0];
  const tacHeldBody *held = &world->tools[0].held;
  const double *q = q_of(world);
  tacFrame frames[TAC_MOST_TOOLS];
  tacTwist seen[TAC_MOST_TOOLS];
  tacToolInput input = {.position = device->position};
  tac_quat_put(tac_quat_mul(device->orientation, tac_quat_conjugate(world->bodies[held->body].start.orientation)),
               input.orientation);
  tacGrasp grasp = grasp_of(world);
  double k0[R][R], coupling[6][6], a[ALL][ALL] = {{0.0}}, met[ALL][ALL] = {{0.0}}, shared[ALL] = {0.0};
  see_ahead(world, &input, frames, seen);
  const tacVec3 v = seen->linear, w = seen->angular;
  const double ahead[6] = {v.x, v.y, v.z, w.x, w.y, w.z};
  tac_pair_evaluate(pair, world->bodies); /* without friction it may be done twice */
  see_back(world, frames);
  stiffness_at_rest(l->beam, k0);
  tac_coupling_secant(&held->coupling, &grasp, device, coupling);
  tacWrench pull = tac_coupling_wrench(&held->coupling, &grasp, device, NULL);
  memset(solution, 0, ALL * sizeof *solution);
  const double wrench[6] = {pull.force.x, pull.force.y, pull.force.z, pull.torque.x, pull.torque.y, pull.torque.z};
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < R; ++j) {
      a[i][j] = STIFF * k0[i][j];
      solution[i] -= a[i][j] * q[j];
    }
  for (int i = 0; i < 6; ++i) {
    solution[R + i] = wrench[i];
    for (int j = 0; j < 6; ++j) a[R + i][R + j] = coupling[i][j];
  }
  for (int c = 0; c < pair->count; ++c) {
    const tacContactSpring *s = &pair->springs[c];
    tacVec3 r = tac_vec3_sub(s->at, tac_vec3_add(grasp.position, v));
    /* How the point moves from the block by all unknowns. */
    double row[3][ALL] = {{0.0}}, kr[3][ALL], f[3] = {s->force.x, s->force.y, s->force.z};
    const double turn[3][3] = {{0.0, r.z, -r.y}, {-r.z, 0.0, r.x}, {r.y, -r.x, 0.0}};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < R; ++j) row[i][j] = (double)(pair->rows[c].rows[i * pair->stride + j]);
      row[i][R + i] = -1.0;
      for (int j = 0; j < 3; ++j) row[i][R + 3 + j] = -turn[i][j];
    }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < ALL; ++j) {
        kr[i][j] = 0.0;
        for (int m = 0; m < 3; ++m) kr[i][j] += s->stiffness.m[i][m] * row[m][j];
      }
    for (int i = 0; i < ALL; ++i)
      for (int m = 0; m < 3; ++m) {
        solution[i] += row[m][i] * f[m];
        for (int j = 0; j < ALL; ++j) met[i][j] += row[m][i] * kr[m][j];
      }
    const tacPenaltyPoint *p = &pair->at[c];
    const double push = tac_vec3_dot(s->force, p->normal), n[3] = {p->normal.x, p->normal.y, p->normal.z};
    for (int i = 0; p->alone > 0.0 && i < ALL; ++i)
      for (int m = 0; m < 3; ++m) shared[i] += row[m][i] * push * n[m];
  }
  for (int i = 0; pair->pressed.below > 0.0 && i < ALL;
       ++i) /* points that share answer each other: contact/penalty.h */
    for (int j = 0; j < ALL; ++j) met[i][j] -= 2.0 * shared[i] * shared[j] / pair->pressed.below;
  for (int i = 0; i < ALL; ++i)
    for (int j = 0; j < ALL; ++j) {
      a[i][j] += met[i][j];
      if (j >= R) solution[i] += met[i][j] * ahead[j - R];
    }
  tacDense matrix = {ALL, ALL, ALL, a[0]}; /* symmetric but for roundings */
  int pivot[ALL];
  ck_assert(tac_dense_loop_lu(&matrix, pivot));
  tac_dense_loop_lu_solve(&matrix, pivot, solution);
}

/* Tool and deformation together: 6 + r unknowns, whether the coupling is saturated, turned far, or neither. Panels of
 * floats sum the springs up. */
TAC_TEST(joint_step_solves_one_linear_system) {
  for (int how = 0; how < 3; ++how) {
    Linear l = make_linear(how == 1 ? 0.15 : 0.0, 0.0);
    tacTickReport report;
    tacVec3 at = tac_vec3_add(l.start, tac_vec3(0.0, 0.0, 0.001));
    tacQuat turn = tac_quat_from_rotation_vector(how == 2 ? tac_vec3(1e-4, 2e-4, 0.3) : tac_vec3(1e-4, 2e-4, 0.0));
    for (int i = 1; i <= 50; ++i) step(l.world, tac_vec3_mix(l.start, at, i / 50.0), tac_quat_identity(), &report);
    ck_assert_int_gt(report.points, 10);
    at = tac_vec3_add(at, tac_vec3(3e-5, -2e-5, 5e-5));
    const double *q = q_of(l.world);
    double solution[ALL], before[R];
    tacGrasp grasp = grasp_of(l.world);
    solve_dense(&l, &(tacGrasp){at, turn}, solution);
    memcpy(before, q, sizeof before);
    step(l.world, at, turn, &report);
    ck_assert_int_eq(report.limited, 0);
    tacGrasp now = grasp_of(l.world);
    tacVec3 moved = tac_vec3_sub(now.position, grasp.position),
            want = tac_vec3(solution[R], solution[R + 1], solution[R + 2]);
    tacVec3 turned = tac_quat_to_rotation_vector(tac_quat_mul(now.orientation, tac_quat_conjugate(grasp.orientation)));
    tacVec3 want_turn = tac_vec3(solution[R + 3], solution[R + 4], solution[R + 5]);
    double way = tac_vec3_norm(want), angle = tac_vec3_norm(want_turn), size = 0.0, wrong = 0.0;
    for (int j = 0; j < R; ++j) {
      size += solution[j] * solution[j];
      wrong += pow(q[j] - before[j] - solution[j], 2.0);
    }
    tac_test_print("how %d: way %g (%g), turn %g (%g), q %g (%g)\n", how, way, tac_vec3_distance(moved, want), angle,
                   tac_vec3_distance(turned, want_turn), sqrt(size), sqrt(wrong));
    ck_assert_double_lt(tac_vec3_distance(moved, want), 1e-5 * way);
    ck_assert_double_lt(tac_vec3_distance(turned, want_turn), 1e-5 * angle);
    ck_assert_double_lt(sqrt(wrong), 1e-5 * sqrt(size));
  }
}

/* A device that jumps away in a tick: the tool follows no faster than it may, and the body is not pushed ahead of it. */
TAC_TEST(distant_tool_does_not_fling_the_body) {
  Linear l = make_linear(0.0, 0.5);
  l.world->tools[0].held.coupling.speed_most = 0.5;
  tacTickReport report;
  tacVec3 at = tac_vec3_add(l.start, tac_vec3(0.0, 0.0, 0.002));
  for (int i = 1; i <= 50; ++i) step(l.world, tac_vec3_mix(l.start, at, i / 50.0), tac_quat_identity(), &report);
  tacVec3 body = grasp_of(l.world).position;
  double before[R], most = 0.0;
  memcpy(before, q_of(l.world), sizeof before);
  step(l.world, tac_vec3_add(at, tac_vec3(0.0, 0.0, 0.05)), tac_quat_identity(), &report);
  ck_assert_int_gt(report.limited, 0);
  double way = tac_vec3_distance(grasp_of(l.world).position, body);
  ck_assert_double_eq_tol(way, 0.5e-3, 1e-9);
  const tacPair *pair = &l.world->contact_pairs[0];
  ck_assert_int_gt(pair->count, 10);
  for (int c = 0; c < pair->count; ++c) {
    double up = 0.0;
    for (int j = 0; j < R; ++j) up += (double)pair->rows[c].rows[2 * pair->stride + j] * (q_of(l.world)[j] - before[j]);
    most = fmax(most, up);
  }
  ck_assert_double_gt(most, 0.0);
  ck_assert_double_lt(most, way);
}

/* ---- a field that deforms ---- */

/* A beam with a field, and a block that a tool holds above it, with points. */
typedef struct Soft {
  Bench bench;
  tacReduced *beam;
  tacDeformedField *field;
  tacWorld *world;
  tacVec3 start;
} Soft;

static Soft make_soft(bool linear, double friction, double x) {
  Soft s = {.bench = make_bench(), .start = {x, 0.02, 0.04 + HALF + 0.0005}};
  Bench *b = &s.bench;
  s.beam = tac_test_keep(brick_beam_reduced(8, 2, 2, 0.02, false, 4, R), tac_reduced_destroy);
  tacDistanceField *rest = rest_field(s.beam, 48);
  tacDeformedFieldDef field = tac_deformed_field_def_default();
  s.field = tac_test_kept(tacDeformedField, tac_deformed_field_bake(s.beam, 1, &rest, &field, NULL, &made, &error));
  s.world = tac_test_keep(begin(0.0), tac_world_destroy);
  tacReducedBodyDef def = reduced_def("beam", s.beam, NULL);
  def.field = s.field;
  def.is_static = def.linear = linear;
  tacBodyId beam = add_reduced(s.world, &def);
  tacBodyId block = add_rigid(s.world, "block", b->block, b->shell, NULL, s.start);
  b->pair.friction = friction;
  b->tool.turn_stiffness = 50.0;
  pair_up(s.world, b, block, beam);
  hold(s.world, b, block);
  return s;
}

/* U at the material point that is at x in the deformation q: where x - U q is. */
static void find_modes(const tacReduced *reduced, const double *q, tacVec3 x, double u[3][R]) {
  tacVec3 material = x;
  for (int turn = 0; turn < 8; ++turn) {
    tacEmbedding *embedding;
    tac_test_ok(tac_embedding_create(tac_reduced_volume(reduced), 1, &material, &embedding, &error), error);
    tac_embedded_displacements(
        &(tacEmbeddedBasis){tac_reduced_volume(reduced), R, tac_reduced_basis(reduced), embedding}, u[0]);
    tac_embedding_destroy(embedding);
    material = x;
    for (int j = 0; j < R; ++j) material = tac_vec3_mad(material, -q[j], tac_vec3(u[0][j], u[1][j], u[2][j]));
  }
}

/* The beam rests where its elasticity balances the points' forces at the places where they are. */
TAC_TEST(soft_field_balances_forces_at_the_points) {
  Soft s = make_soft(true, 0.0, 0.125);
  lead(s.world, s.start, tac_vec3_add(s.start, tac_vec3(0.0, 0.0, -0.006)), 50);
  tacPair *pair = &s.world->contact_pairs[0];
  const double *q = q_of(s.world);
  double k0[R][R], wrong = 0.0, size = 0.0;
  stiffness_at_rest(s.beam, k0);
  tac_pair_evaluate(pair, s.world->bodies);
  ck_assert_int_gt(pair->count, 10);
  double load[R] = {0.0}, u[3][R];
  for (int c = 0; c < pair->count; ++c) {
    tacVec3 f = pair->springs[c].force;
    find_modes(s.beam, q, pair->springs[c].at, u);
    for (int j = 0; j < R; ++j) load[j] -= f.x * u[0][j] + f.y * u[1][j] + f.z * u[2][j];
  }
  for (int i = 0; i < R; ++i) {
    double elastic = 0.0;
    for (int j = 0; j < R; ++j) elastic += k0[i][j] * q[j];
    wrong += pow(elastic - load[i], 2.0);
    size += load[i] * load[i];
  }
  tac_test_print("load %g, wrong by %g\n", sqrt(size), sqrt(wrong / size));
  ck_assert_double_lt(sqrt(wrong / size), 0.03);
}

/* What a push downwards at the vertex next to `at` does to the coordinates: the same motion, whatever the signs of modes, and
 * however those of equal frequency are turned. */
static void move_down(const tacReduced *reduced, tacVec3 at, double *v) {
  const tacTriMesh *mesh = tac_reduced_surface(reduced);
  int r = tac_reduced_size(reduced), nearest = 0;
  for (int i = 0; i < mesh->vertex_count; ++i)
    if (tac_vec3_distance(mesh->vertices[i], at) < tac_vec3_distance(mesh->vertices[nearest], at)) nearest = i;
  const double *rows = tac_reduced_displacements(reduced) + 3 * (size_t)r * (size_t)nearest;
  for (int j = 0; j < r; ++j) v[j] = -rows[2 * r + j];
}

/* A beam without damping that swings onto a block at rest and off it, as shell or as field: contacts that come and go give no energy. */
TAC_TEST(a_beam_that_bounces_gains_no_energy) {
  TAC_OWN(tacReduced, beam) = brick_beam_reduced(8, 2, 2, 0.02, false, 4, R);
  TAC_OWN(tacPointshell, shell) = embedded_shell(beam, tac_vec3(0.16, 0.04, 0.04));
  tacDistanceField *rest = rest_field(beam, 32);
  tacDeformedFieldDef proxies = tac_deformed_field_def_default();
  TAC_CREATE(tacDeformedField, field, tac_deformed_field_bake(beam, 1, &rest, &proxies, NULL, &field, &error));
  double downwards[R], size = 0.0;
  move_down(beam, tac_vec3(0.16, 0.02, 0.0), downwards);
  for (int j = 0; j < R; ++j) size += downwards[j] * downwards[j];
  for (int j = 0; j < R; ++j) downwards[j] *= 0.02 / sqrt(size);
  for (int how = 0; how < 4; ++how) {
    Bench b = make_bench();
    TAC_OWN(tacWorld, world) = begin(0.0);
    tacReducedBodyDef def = reduced_def("beam", beam, shell);
    def.field = field;
    def.mass_damping = def.stiffness_damping = 0.0;
    tacBodyId id = add_reduced(world, &def);
    tacVec3 start = tac_vec3(0.15, 0.02, -HALF - 0.0005);
    tacBodyId block = add_rigid(world, "block", b.block, b.shell, b.box, start);
    b.pair.stiffness = how < 2 ? 300.0 : 5000.0;
    b.pair.friction = how % 2 == 0 ? 0.3 : 0.0;
    pair_up(world, &b, how % 2 == 0 ? id : block, how % 2 == 0 ? block : id);
    hold(world, &b, block);
    tacReducedBody *body = beam_of(world);
    tac_reduced_body_set(body, (double[R]){0.0}, downwards);
    double energy = tac_reduced_body_energy(body), start_energy = energy;
    int bounces = 0, points = 0, ticks = tac_test_light() ? 500 : 3000;
    for (int i = 0; i < ticks; ++i) {
      tacToolInput input = {.position = start, .orientation = {1.0, 0.0, 0.0, 0.0}, .lifted = true};
      tacToolOutput output;
      tacTickReport report = step_world(world, &input, &output);
      bounces += points > 0 && report.points == 0;
      points = report.points;
      if (points == 0) energy = tac_reduced_body_energy(body); /* none is in the contact */
      ck_assert_double_lt(energy, 1.001 * start_energy);       /* one Newton step a tick is not exact */
    }
    ck_assert_int_gt(bounces, tac_test_light() ? 0 : 4);
    ck_assert_double_gt(energy, 0.005 * start_energy);
  }
}

/* After a long slide anchors move as the beam does where they are now, not as where they were first. */
TAC_TEST(anchors_after_sliding_move_with_the_field) {
  Soft s = make_soft(false, 0.2, 0.03);
  tacVec3 pressed = tac_vec3_add(s.start, tac_vec3(0.0, 0.0, -0.003));
  lead(s.world, s.start, pressed, 50);
  lead(s.world, pressed, tac_vec3_add(pressed, tac_vec3(0.1, 0.0, 0.0)), 500);
  tacPair *pair = &s.world->contact_pairs[0];
  const tacBody *beam = &s.world->bodies[0].body;
  tacDeformedPose *pose = tac_body_describe(beam).deformed_field->deformed;
  ck_assert_int_gt(pair->count, 10);
  double q[R], turned[R], u[3][R], worst = 0.0;
  memcpy(q, q_of(s.world), sizeof q);
  memcpy(turned, q, sizeof q);
  int places = 0;
  for (int j = 0; j < 4; ++j) {
    turned[j] = q[j] + 1e-6;
    for (int p = 0; p < tac_pointshell_size(s.bench.shell, 2); ++p) {
      const tacPairAnchor *a = &pair->anchors[p];
      if (a->evaluation != pair->evaluation) continue;
      tac_deformed_pose_set(pose, q);
      tacVec3 at = tac_deformed_pose_push_forward(pose, a->under.domain, a->under.proxy, a->at);
      tac_deformed_pose_set(pose, turned);
      tacVec3 then = tac_deformed_pose_push_forward(pose, a->under.domain, a->under.proxy, a->at);
      find_modes(s.beam, q, at, u);
      tacVec3 way = tac_vec3_scale(1e-6, tac_vec3(u[0][j], u[1][j], u[2][j]));
      worst = fmax(worst, tac_vec3_distance(tac_vec3_sub(then, at), way) / tac_vec3_norm(way));
      ++places;
    }
    turned[j] = q[j];
  }
  tac_test_print("%d anchors, wrong by %g\n", places / 4, worst);
  ck_assert_int_gt(places, 40);
  ck_assert_double_lt(worst, 0.2);
}
