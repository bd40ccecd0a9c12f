/* How a body responds to forces at sites, against its own steps and closed forms. */
#include "body/response.h"

#include <tactus/reduced.h>
#include <tactus/rigid.h>
#include "base/memory/arena.h"
#include "body/make_model.h"
#include "kinds/reduced/reduced_kind.h"
#include "kinds/rigid/rigid_kind.h"
#include "math/dense/dense.h"
#include "test.h"

enum { SITES = 4 };
static const double h = 0.01;

typedef struct Body {
  tacBody body;
  tacReduced *reduced;
  tacTriMesh *surface;
  tacArena arena;
} Body;

static void free_body(Body *b) {
  b->body.table->destroy(b->body.self);
  tac_reduced_destroy(b->reduced);
  tac_trimesh_destroy(b->surface);
  tac_arena_destroy(&b->arena);
}

static tacArena make_arena(int n) {
  tacArena arena;
  tac_test_ok(tac_arena_create(tac_response_room(SITES, n), "the test", &arena, &error), error);
  return arena;
}

/* Linear, so that what a response predicts is exact. */
static Body make_linear(void) {
  Model m = make_model(4, 1, 5);
  memset(m.c, 0, sizeof m.c);
  Body b = {.reduced = make_reduced(&m), .arena = make_arena(4)};
  tacReducedBodyDef def = tac_reduced_body_def_default();
  def.reduced = b.reduced;
  tac_test_ok(tac_reduced_kind_create(&def, NULL, &b.body, &error), error);
  return b;
}

static Body make_block(void) {
  Body b = {.arena = make_arena(6)};
  tac_test_ok(tac_trimesh_create(4, 4, &b.surface, &error), error);
  memcpy(b.surface->vertices, corners, sizeof corners);
  memcpy(b.surface->triangles, faces, sizeof faces);
  tacRigidBodyDef def = tac_rigid_body_def_default();
  def.surface = b.surface;
  tac_test_ok(tac_rigid_kind_create(&def, &b.body, &error), error);
  return b;
}

static const tacSite surface_sites[2] = {{TAC_SITE_SURFACE, 2, {0.2, 0.5, 0.3}},
                                         {TAC_SITE_SURFACE, 1, {0.6, 0.1, 0.3}}};
static const tacVec3 pushes[2] = {{0.3, -0.2, 0.5}, {-0.1, 0.4, 0.2}};

/* A step of a body with coordinates under these forces, and against these springs from where it begins. Returns what its sites moved. */
static void step(const tacBody *body, const tacBodyStep *of, const tacVec3 forces[2], tacVec3 moved[2]) {
  double matrix[16], load[4], rows[12];
  tacVec3 before[2];
  ck_assert(body->table->linearise(body->self, of, matrix, load));
  for (int i = 0; i < 2; ++i) {
    before[i] = body->table->place(body->self, &surface_sites[i]);
    body->table->rows(body->self, &surface_sites[i], rows);
    for (int j = 0; j < 4; ++j)
      load[j] += rows[j] * forces[i].x + rows[4 + j] * forces[i].y + rows[8 + j] * forces[i].z;
  }
  tacDense a = {4, 4, 4, matrix};
  ck_assert(tac_dense_loop_cholesky(&a));
  tac_dense_loop_cholesky_solve(&a, load);
  body->table->move(body->self, load);
  ck_assert(!body->table->finish(body->self, of).refused);
  for (int i = 0; i < 2; ++i) moved[i] = tac_vec3_sub(body->table->place(body->self, &surface_sites[i]), before[i]);
}

static void assert_near(tacVec3 a, tacVec3 b, double tolerance) {
  ck_assert_double_lt(tac_vec3_distance(a, b), tolerance);
}

/* Both steps, of a body that moves already; `next` differs by Q, which is a difference of two steps 0.1 % apart: 1e-6 of d. */
TAC_TEST(response_predicts_two_steps_of_the_body) {
  TAC_FREED(free_body, Body, b) = make_linear();
  const tacBodyStep of = {.length = h, .euler = true};
  const tacVec3 none[2] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  tacVec3 moved[2], once[2], next[2], own_once[2], own_next[2];
  for (int i = 0; i < 3; ++i) step(&b.body, &of, pushes, moved);
  tacResponse r;
  ck_assert(tac_response_begin(&r, &b.body, NULL, &of, SITES, true, &b.arena));
  for (int i = 0; i < 2; ++i)
    ck_assert_int_eq(tac_response_add_site(&r, &surface_sites[i], tac_vec3(0, 0, 0), pushes[i]), i);
  ck_assert(tac_response_solve(&r));
  tac_response_predict(&r, true, pushes, once, next);
  tac_response_predict(&r, true, none, own_once, own_next);
  tacVec3 speed = tac_response_speed(&r, 1);
  for (int n = 0; n < 2; ++n) {
    step(&b.body, &of, pushes, moved);
    for (int i = 0; i < 2; ++i) {
      double size = tac_vec3_norm(moved[i]);
      assert_near(n == 0 ? once[i] : next[i], moved[i], (n == 0 ? 1e-12 : 1e-5) * size);
    }
    if (n == 0) assert_near(speed, tac_vec3_scale(1.0 / h, moved[1]), 1e-12 * tac_vec3_norm(speed));
  }
  for (int i = 0; i < 2; ++i) { /* C is what forces do beside */
    tacVec3 by = tac_vec3(0, 0, 0);
    for (int j = 0; j < 2; ++j) by = tac_vec3_add(by, tac_mat3_mul_vec(tac_response_compliance(&r, i, j), pushes[j]));
    assert_near(tac_vec3_sub(once[i], own_once[i]), by, 1e-12 * tac_vec3_norm(by));
  }
}

/* With f = f0 - K u of the second site: C' = C - C_12 (K^-1 + C_22)^-1 C_21. */
TAC_TEST(springs_stiffen_a_response) {
  TAC_FREED(free_body, Body, b) = make_linear();
  const tacBodyStep of = {.length = h, .euler = true};
  tacMat3 k = tac_mat3_diagonal(900.0, 300.0, 600.0), inverse, soft;
  tacResponse free_one, held;
  tacArena room = make_arena(4);
  ck_assert(tac_response_begin(&free_one, &b.body, NULL, &of, SITES, false, &room));
  ck_assert(tac_response_begin(&held, &b.body, NULL, &of, SITES, false, &b.arena));
  for (int i = 0; i < 2; ++i) tac_response_add_site(&free_one, &surface_sites[i], tac_vec3(0, 0, 0), tac_vec3(0, 0, 0));
  tac_response_add_site(&held, &surface_sites[0], tac_vec3(0, 0, 0), tac_vec3(0, 0, 0));
  ck_assert(tac_response_add_spring(&held, &surface_sites[1], tac_vec3(0, 0, 0), tac_vec3(0, 0, 0), &k));
  ck_assert(tac_response_solve(&free_one) && tac_response_solve(&held));
  ck_assert(tac_mat3_inverse(k, &inverse));
  ck_assert(tac_mat3_inverse(tac_mat3_add(inverse, tac_response_compliance(&free_one, 1, 1)), &soft));
  tacMat3 c = tac_response_compliance(&free_one, 0, 0), across = tac_response_compliance(&free_one, 0, 1);
  tacMat3 less = tac_mat3_mul(across, tac_mat3_mul(soft, tac_mat3_transpose(across)));
  tacMat3 off = tac_mat3_sub(tac_response_compliance(&held, 0, 0), tac_mat3_sub(c, less));
  ck_assert_double_gt(tac_mat3_norm(less), 1e-3 * tac_mat3_norm(c));
  ck_assert_double_lt(tac_mat3_norm(off), 1e-12 * tac_mat3_norm(c));
  tac_arena_destroy(&room);
}

/* A free body that lies turned in the world, moves and spins: C = h^2 (1 / m - r~ J^-1 r~) in its frame, and a force through its centre goes
 * on as x' - x = d + h^2 f / m. */
TAC_TEST(free_body_responds_by_mass_and_inertia) {
  TAC_FREED(free_body, Body, b) = make_block();
  tacFrame frame = {.mode = TAC_FRAME_FREE,
                    .orientation = tac_quat_from_rotation_vector(tac_vec3(0.4, -0.7, 0.3)),
                    .position = {0.3, 0.1, -0.2}};
  const tacInertia inertia = {0.2, {0.02, 0.03, 0.025}, {{2e-4, 0.0, 0.0}, {0.0, 3e-4, 0.0}, {0.0, 0.0, 4e-4}}};
  ck_assert(tac_frame_set_inertia(&frame, &inertia));
  frame.about = frame.centre;
  frame.linear = tac_vec3(0.2, 0.1, -0.3);
  const tacBodyStep of = {.length = h, .euler = true};
  const tacVec3 at[2] = {{0.02, 0.03, 0.025}, {0.07, -0.01, 0.04}}, f[2] = {{1.0, 2.0, -0.5}, {0.0, 0.0, 0.0}};
  tacVec3 once[2], next[2];
  tacResponse r;
  ck_assert(tac_response_begin(&r, &b.body, &frame, &of, SITES, true, &b.arena));
  for (int i = 0; i < 2; ++i) tac_response_add_site(&r, &(tacSite){TAC_SITE_FRAME, 0, at[i]}, at[i], f[i]);
  ck_assert(tac_response_solve(&r));
  tacMat3 arm = tac_mat3_skew(tac_vec3_sub(at[1], frame.centre)), back;
  ck_assert(tac_mat3_inverse(frame.moments, &back));
  tacMat3 c = tac_mat3_sub(tac_mat3_diagonal(5.0, 5.0, 5.0), tac_mat3_mul(arm, tac_mat3_mul(back, arm)));
  tacMat3 off = tac_mat3_sub(tac_response_compliance(&r, 1, 1), tac_mat3_scale(h * h, c));
  ck_assert_double_lt(tac_mat3_norm(off), 1e-12 * h * h * tac_mat3_norm(c));
  tac_response_predict(&r, true, f, once, next);
  tacVec3 v = tac_quat_rotate(tac_quat_conjugate(frame.orientation), frame.linear);
  tacVec3 expected = tac_vec3_mad(tac_vec3_scale(h, v), 5.0 * h * h, f[0]);
  assert_near(once[0], expected, 1e-12 * tac_vec3_norm(expected));
  assert_near(next[0], tac_vec3_mad(expected, 5.0 * h * h, f[0]), 1e-5 * tac_vec3_norm(expected));
}

TAC_TEST(sites_beyond_capacity_are_rejected) {
  TAC_FREED(free_body, Body, b) = make_linear();
  const tacBodyStep of = {.length = h, .euler = true};
  tacResponse r;
  ck_assert(tac_response_begin(&r, &b.body, NULL, &of, 1, false, &b.arena));
  ck_assert_int_eq(tac_response_add_site(&r, &surface_sites[0], tac_vec3(0, 0, 0), pushes[0]), 0);
  ck_assert_int_eq(tac_response_add_site(&r, &surface_sites[1], tac_vec3(0, 0, 0), pushes[1]), -1);
  ck_assert_int_eq(r.count, 1);
}
