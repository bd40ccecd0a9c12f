/* A step of a body with step compliance, against the closed form of its sites: contact, external force and spring. */
#include "body/step_response.h"

#include "math/dense/dense.h"
#include "math/random.h"
#include "test.h"

enum { CONTACT, PUSH, SPRING, SITES, N = 3 * SITES };

/* A body that moves by free + C f. */
typedef struct Soft {
  double free[N], c[N][N];
  tacVec3 ended[SITES]; /* forces at the end of the step */
  int again;            /* number of calls of move_again */
} Soft;

static void motion_of(const Soft *b, int count, const tacVec3 *forces, tacVec3 *motion) {
  for (int i = 0; i < 3 * count; ++i) {
    (&motion->x)[i] = b->free[i];
    for (int j = 0; j < 3 * count; ++j) (&motion->x)[i] += b->c[i][j] * (&forces->x)[j];
  }
}

static void begin_step(void *self, const tacBodyStep *step, int count, const tacSite *sites, const tacVec3 *forces,
                       tacVec3 *motion, double *c) {
  const Soft *b = self;
  (void)sites;
  ck_assert_int_eq(step->springs, count - SPRING);
  motion_of(b, count, forces, motion);
  for (int i = 0; i < 3 * count; ++i)
    for (int j = 0; j < 3 * count; ++j) c[3 * count * i + j] = b->c[i][j];
}

static bool move_again(void *self, const tacBodyStep *step, const tacVec3 *forces, tacVec3 *motion) {
  Soft *b = self;
  (void)step;
  ++b->again;
  motion_of(b, SPRING, forces, motion);
  return true;
}

static tacBodyFinish end_step(void *self, const tacBodyStep *step, const tacVec3 *forces) {
  Soft *b = self;
  memcpy(b->ended, forces, ((size_t)SPRING + (size_t)step->springs) * sizeof *forces);
  return (tacBodyFinish){.limited = true};
}

static tacBodyDescription describe(const void *self) {
  (void)self;
  return (tacBodyDescription){.sites = SITES};
}

static const tacBodyTable table = {
    .describe = describe, .begin_step = begin_step, .move_again = move_again, .end_step = end_step};

/* Motions of millimetres, compliances of some mm/N; C is symmetric and positive definite. */
static Soft make_soft(uint64_t seed) {
  tacRandom random = tac_random_seed(seed);
  Soft b = {.again = 0};
  double root[N][N];
  for (int i = 0; i < N; ++i) {
    b.free[i] = tac_random_uniform(&random, -2e-3, 2e-3);
    for (int j = 0; j < N; ++j) root[i][j] = tac_random_uniform(&random, -1.0, 1.0);
  }
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      for (int k = 0; k < N; ++k) b.c[i][j] += 1e-3 * root[i][k] * root[j][k];
  return b;
}

static const tacSite site = {TAC_SITE_SURFACE, 0, {1.0, 0.0, 0.0}};
static const tacVec3 guess = {0.3, -0.2, 0.5}, push = {-0.4, 0.1, 0.2}, final = {0.7, 0.3, -0.1},
                     start = {0.2, 0.6, -0.3};
static const double stiffness = 400.0;

/* Begins a step with a guessed contact force. */
static void begin(tacStepResponse *y, const tacBody *body, tacBodyStep *step, bool spring, tacArena *arena) {
  const tacMat3 k = tac_mat3_diagonal(stiffness, stiffness, stiffness);
  const tacVec3 at = {0.0, 0.0, 0.0};
  ck_assert(tac_step_response_begin(y, body, step, SITES, arena));
  ck_assert_int_eq(tac_response_add_site(&y->response, &site, at, guess), CONTACT);
  y->contacts = 1;
  ck_assert_int_eq(tac_response_add_site(&y->response, &site, at, push), PUSH);
  if (spring) ck_assert(tac_response_add_spring(&y->response, &site, at, start, &k));
  tac_step_response_start(y, step, arena);
}

/* Solves u = free + C f with f = start - k u at the spring, for a contact force. */
static void solve(const Soft *b, tacVec3 contact, tacVec3 u[SITES]) {
  const tacVec3 given[SITES] = {contact, push, start};
  double a[N][N] = {{0.0}}, *x = &u[0].x; /* (1 + C K) u = free + C (contact, push, start) */
  motion_of(b, SITES, given, u);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) a[j][i] = (i == j ? 1.0 : 0.0) + (j >= 3 * SPRING ? b->c[i][j] * stiffness : 0.0);
  tacDense matrix = {N, N, N, &a[0][0]}; /* column-major */
  int pivot[N];
  ck_assert(tac_dense_loop_lu(&matrix, pivot));
  tac_dense_loop_lu_solve(&matrix, pivot, x);
}

static tacArena make_arena(void) {
  tacArena arena;
  tac_test_ok(tac_arena_create(tac_step_response_room(SITES) + 1024, "the test", &arena, &error), error);
  return arena;
}

TAC_TEST(springs_are_part_of_the_motion_of_contacts) {
  tacArena arena = make_arena();
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Soft b = make_soft(seed);
    const tacBody body = {&table, &b};
    tacBodyStep step = {.length = 1e-3};
    tacStepResponse y;
    tacVec3 u[SITES];
    tac_arena_reset(&arena);
    begin(&y, &body, &step, true, &arena);
    solve(&b, final, u);
    /* contact: motion without its force, plus the compliance with the spring times the force */
    tacVec3 moved = tac_vec3_add(y.motion[CONTACT],
                                 tac_mat3_mul_vec(tac_response_compliance(&y.response, CONTACT, CONTACT), final));
    ck_assert_double_eq_tol(tac_vec3_distance(moved, u[CONTACT]), 0.0, 1e-4 * tac_vec3_norm(u[CONTACT]));
    ck_assert(!tac_step_response_may_repeat(&y));
    /* the spring */
    const tacVec3 change = tac_vec3_sub(final, guess);
    double sum[3] = {0.0};
    tac_step_response_add_change(&y, SPRING, CONTACT, change, sum);
    tacVec3 stretched = tac_step_response_motion(&y, SPRING, stiffness, sum);
    ck_assert_double_eq_tol(tac_vec3_distance(stretched, u[SPRING]), 0.0, 1e-4 * tac_vec3_norm(u[SPRING]));
    /* the forces at the end of the step */
    y.response.forces[CONTACT] = final;
    ck_assert(tac_step_response_end(&y, &change.x, &arena).limited);
    ck_assert_double_eq_tol(tac_vec3_distance(b.ended[SPRING], tac_vec3_mad(start, -stiffness, u[SPRING])), 0.0, 1e-4);
    ck_assert_double_eq(b.ended[CONTACT].x, final.x);
    ck_assert_double_eq(b.ended[PUSH].x, push.x);
  }
  tac_arena_destroy(&arena);
}

TAC_TEST(a_body_without_springs_recomputes_its_motion) {
  tacArena arena = make_arena();
  Soft b = make_soft(7);
  const tacBody body = {&table, &b};
  tacBodyStep step = {.length = 1e-3};
  tacStepResponse y;
  begin(&y, &body, &step, false, &arena);
  ck_assert(tac_step_response_may_repeat(&y));
  const tacVec3 before = y.motion[CONTACT];
  y.response.forces[CONTACT] = final;
  tac_step_response_repeat(&y);
  ck_assert_int_eq(b.again, 1);
  /* The body is linear: its motion without the contact force does not depend on that force. */
  ck_assert_double_eq_tol(tac_vec3_distance(y.motion[CONTACT], before), 0.0, 1e-4 * tac_vec3_norm(before));
  tac_arena_destroy(&arena);
}

TAC_TEST(a_full_arena_is_reported) {
  tacArena arena;
  Soft b = make_soft(1);
  const tacBody body = {&table, &b};
  const tacBodyStep step = {.length = 1e-3};
  tacStepResponse y;
  tac_test_ok(tac_arena_create(512, "the test", &arena, &error), error);
  ck_assert(!tac_step_response_begin(&y, &body, &step, SITES, &arena));
  ck_assert_int_eq(y.response.count, -1);
  ck_assert(!tac_step_response_may_repeat(&y));
  tac_arena_destroy(&arena);
}
