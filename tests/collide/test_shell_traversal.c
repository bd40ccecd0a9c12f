#include "collide/shell_traversal.h"

#include "asset/deformed_pose.h"
#include "asset/distance_field.h"
#include "asset/make_grid.h"
#include "asset/make_load.h"
#include "asset/make_shell.h"
#include "asset/pointshell.h"
#include "collide/traversal_cost.h"
#include "math/geometry/quat.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

/* ---- how often memory was asked for ---- */

static long allocations;

#ifndef SANITIZED
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void *realloc(void *block, size_t size) {
  ++allocations;
  return __libc_realloc(block, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
#endif

/* ---- scenes ---- */

enum { FIELDS = 6, SHELLS = 4, MOST_POINTS = 1500, R = 5 };

static double rounded_cube(tacVec3 p) {
  tacVec3 q = {fabs(p.x) - 0.5, fabs(p.y) - 0.5, fabs(p.z) - 0.5};
  return tac_vec3_norm(tac_vec3_max(q, tac_vec3(0.0, 0.0, 0.0))) + fmin(fmax(q.x, fmax(q.y, q.z)), 0.0) - 0.1;
}

static tacRandom rough;

/* Rough samples: nothing like distances. */
static double noise(tacVec3 p) {
  double factor = tac_random_uniform(&rough, 0.5, 2.0), shift = tac_random_uniform(&rough, -0.1, 0.05);
  return fmax(rounded_cube(p), 0.0) * factor + shift;
}

static tacDistanceField *make_field(int which) {
  tacDistanceField *field = NULL, *parts[2];
  if (which == 0) tac_test_ok(tac_distance_field_sphere(tac_vec3(0.0, 0.0, 0.0), 0.6, &field, &error), error);
  if (which == 1) tac_test_ok(tac_distance_field_plane(tac_vec3(0.3, 0.2, 1.0), 0.1, &field, &error), error);
  if (which == 2) tac_test_ok(tac_distance_field_box((tacBox){{-1, -1, -0.1}, {1, 1, 0.1}}, &field, &error), error);
  rough = tac_random_seed(2);
  if (which == 3) field = make_grid_field(25, 1.2, rounded_cube);
  if (which == 4) field = make_grid_field(9, 1.2, noise);
  if (which == 5) {
    parts[0] = make_grid_field(17, 1.2, rounded_cube);
    tac_test_ok(tac_distance_field_capsule(tac_vec3(1, 0, 0), tac_vec3(2, 1, 0), 0.3, &parts[1], &error), error);
    tac_test_ok(tac_distance_field_union(2, parts, &field, &error), error);
  }
  return field;
}

static tacPointshell *make_test_shell(int which) {
  if (which == 0) return make_shell(make_torus_parts(32, 4));
  if (which == 1) return make_shell(make_sphere_parts(MOST_POINTS, 6, 3));
  if (which == 2) return make_soft_shell(make_shell(make_torus_parts(32, 4)), R);
  return make_soft_shell(make_shell(make_sphere_parts(700, 3, 4)), 1);
}

static tacMat3 matrix_of(tacQuat q) {
  return tac_mat3_from_columns(tac_quat_rotate(q, tac_vec3(1, 0, 0)), tac_quat_rotate(q, tac_vec3(0, 1, 0)),
                               tac_quat_rotate(q, tac_vec3(0, 0, 1)));
}

/* A walk: mostly short steps of very different lengths, sometimes a jump. */
typedef struct {
  tacRandom random;
  tacVec3 at;
  tacQuat turn;
  double q[R];
  tacShellPose pose;
} Walk;

static const tacBox cube = {{-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}};

static void step(Walk *walk) {
  tacRandom *random = &walk->random;
  bool jumps = walk->turn.w == 0.0 || tac_random_uniform(random, 0.0, 1.0) < 0.1;
  double size = pow(10.0, tac_random_uniform(random, -6.0, -1.5));
  tacVec3 turn = tac_random_in_box(random, cube);
  if (jumps) {
    walk->at = tac_vec3_scale(1.8, tac_random_in_box(random, cube));
    walk->turn = tac_quat_from_rotation_vector(tac_vec3_scale(3.0, turn));
  } else {
    walk->at = tac_vec3_mad(walk->at, size, tac_random_in_box(random, cube));
    walk->turn =
        tac_quat_normalise(tac_quat_mul(tac_quat_from_rotation_vector(tac_vec3_scale(size, turn)), walk->turn));
  }
  for (int j = 0; j < R; ++j)
    walk->q[j] = jumps ? 0.2 * tac_random_normal(random) : walk->q[j] + size * tac_random_normal(random);
  walk->pose = (tacShellPose){matrix_of(walk->turn), walk->at, walk->q};
}

/* A shell and what it meets, with a traversal of both, or two. */
typedef struct {
  tacPointshell *shell;
  const tacPointshellView *view;
  tacDistanceField *field;
  tacContactField contact;
  tacShellTraversal *traversal, *other;
  const tacShellContact *contacts; /* of the last run */
} Rig;

static Rig make_rig(tacPointshell *shell, tacDistanceField *field) {
  Rig rig = {.shell = shell, .view = tac_pointshell_view(shell), .field = field};
  if (field != NULL) rig.contact = (tacContactField){.field = field, .reach = tac_field_reach(field)};
  tac_test_ok(tac_shell_traversal_create(shell, 0, &rig.traversal, &error), error);
  tac_test_ok(tac_shell_traversal_create(shell, 0, &rig.other, &error), error);
  return rig;
}

static void free_rig(Rig *rig) {
  tac_shell_traversal_destroy(rig->traversal);
  tac_shell_traversal_destroy(rig->other);
  tac_distance_field_destroy(rig->field);
  tac_pointshell_destroy(rig->shell);
}

static tacTraversalReport run(Rig *rig, const tacShellPose *pose, const tacTraversalLimits *limits) {
  return tac_shell_traversal_run(rig->traversal, &rig->contact, pose, limits, &rig->contacts);
}

/* One assertion for all: each takes longer than a traversal. */
static void check_equal(int count, const tacShellContact *a, int other_count, const tacShellContact *b) {
  bool equal = count == other_count;
  for (int i = 0; equal && i < count; ++i)
    equal = a[i].point == b[i].point && a[i].depth == b[i].depth && a[i].depth > 0.0 && a[i].at.x == b[i].at.x &&
            a[i].at.y == b[i].at.y && a[i].at.z == b[i].at.z && a[i].domain == b[i].domain && a[i].proxy == b[i].proxy;
  if (!equal) ck_abort_msg("%d contacts, expected %d, or others", count, other_count);
}

static tacShellContact expected[MOST_POINTS];

static int expect(Rig *rig, const tacShellPose *pose, int level) {
  return tac_shell_exhaustive(rig->shell, &rig->contact, pose, level, MOST_POINTS, expected);
}

/* With temporal coherence and without, to the last level or to a random one. Returns how many poses had contacts. */
static int compare_along_walk(Rig *rig, int poses, uint64_t seed) {
  Walk walk = {.random = tac_random_seed(seed)};
  int levels = rig->view->level_count, touched = 0;
  for (int i = 0; i < poses; ++i) {
    tacTraversalLimits limits = tac_traversal_limits_none();
    int level = i % 4 == 0 ? (i / 4) % levels : levels - 1;
    if (level < levels - 1) limits.level_most = level;
    step(&walk);
    if (i % 500 == 499) tac_shell_traversal_reset(rig->traversal);
    int count = expect(rig, &walk.pose, level);
    for (int c = 0; c < 2; ++c) {
      limits.coherent = c == 0;
      tacTraversalReport report = tac_shell_traversal_run(c == 0 ? rig->traversal : rig->other, &rig->contact,
                                                          &walk.pose, &limits, &rig->contacts);
      check_equal(report.contact_count, rig->contacts, count, expected);
      if (report.level != level || report.degraded || report.lost != 0 || (c == 1 && report.asleep != 0))
        ck_abort_msg("level %d of %d", report.level, level);
    }
    touched += count > 0;
  }
  return touched;
}

TAC_TEST(contacts_match_exhaustive_lookup) {
  int poses = tac_test_light() ? 30 : 420; /* 10,080 in all */
  for (int f = 0; f < FIELDS; ++f)
    for (int s = 0; s < SHELLS; ++s) {
      TAC_FREED(free_rig, Rig, rig) = make_rig(make_test_shell(s), make_field(f));
      int touched = compare_along_walk(&rig, poses, (uint64_t)(10 * f + s));
      ck_assert_msg(tac_test_light() || (touched > poses / 20 && touched < poses), "%d %d: %d", f, s, touched);
    }
}

enum { PROXIES = 14, MODES = LOAD_SIZE };
static tacVec3 proxy_at[PROXIES];
static double u[PROXIES][3][MODES], f[PROXIES][3][3][MODES];

static tacDeformedField *make_of_proxies(int count, tacDistanceField *domain) {
  tacProxyParts proxies = {count, proxy_at, &u[0][0][0], &f[0][0][0][0], false};
  tacDeformedField *field = NULL;
  tac_test_ok(tac_deformed_field_create(MODES, 5, 1, &domain, &proxies, &field, &error), error);
  return field;
}

/* A ball that is pressed flat and bent: two modes, 12 proxies. */
static tacDeformedField *make_deformed_field(void) {
  for (int i = 0; i < 12; ++i) {
    double z = 0.5 - 1.0 * i / 11;
    proxy_at[i] = tac_vec3(0.4 * cos(2.4 * i), 0.4 * sin(2.4 * i), z);
    u[i][2][0] = proxy_at[i].z; /* z -> z (1 + q0) */
    f[i][2][2][0] = 1.0;
    u[i][0][1] = z * z; /* x -> x + q1 z^2 */
    f[i][0][2][1] = 2.0 * z;
  }
  return make_of_proxies(12, make_grid_field(17, 1.2, rounded_cube));
}

static double load_at_rest(tacVec3 p) {
  return load_distance(-1, p);
}

/* The ball of make_load.h, whose proxies know two of its coordinates. */
static tacDeformedField *make_loaded_field(void) {
  for (int i = 0; i < PROXIES; ++i) {
    double z = 0.35 - 0.7 * i / (PROXIES - 1), ring = sqrt(LOAD_RADIUS * LOAD_RADIUS - z * z);
    proxy_at[i] = tac_vec3(ring * cos(2.4 * i), ring * sin(2.4 * i), z);
    u[i][0][0] = 1.0 + 0.5 * z; /* moves, and shears */
    f[i][0][2][0] = 0.5;
    u[i][2][1] = 1.0 + proxy_at[i].x * proxy_at[i].x; /* moves, and bends */
    f[i][2][0][1] = 2.0 * proxy_at[i].x;
  }
  return make_of_proxies(PROXIES, make_grid_field(LOAD_SIDE, 0.5 * (LOAD_SIDE - 1) * LOAD_SPACING, load_at_rest));
}

/* Points are asked for one by one. */
static void check_each_point(const tacPointshell *shell, const tacDeformedPose *deformed, const tacShellPose *pose,
                             int count, const tacShellContact *contacts) {
  int found = 0;
  for (int i = 0; i < tac_pointshell_size(shell, 99); ++i) {
    tacVec3 p = tac_pointshell_deformed_point(shell, i, pose->q);
    tacVec3 at = tac_vec3_add(tac_mat3_mul_vec(pose->rotation, p), pose->translation);
    double value = tac_deformed_pose_value(deformed, at);
    bool is_contact = found < count && contacts[found].point == i;
    ck_assert(fabs(value) < 1e-12 || is_contact == (value < 0.0));
    if (!is_contact) continue;
    tacDeformedAnswer answer = tac_deformed_pose_gradient(deformed, contacts[found].at, NULL);
    ck_assert_double_lt(fabs(answer.value + contacts[found].depth), 1e-13);
    ck_assert_int_eq(answer.domain, contacts[found].domain);
    ck_assert_int_eq(answer.proxy, contacts[found++].proxy);
  }
  ck_assert_int_eq(found, count);
}

/* Walks, with loads among the baked deformations, which come and go; q by steps up to 10^`longest`, within `most`. */
static void compare_deformed(const tacDeformedField *field, const tacLoadField *loads, int poses, double longest,
                             double most) {
  TAC_FREED(free_rig, Rig, rig) = make_rig(make_test_shell(2), NULL);
  tacShellTraversal *const traversals[2] = {rig.traversal, rig.other};
  TAC_CREATE(tacDeformedPose, pose, tac_deformed_pose_create_loaded(field, loads, &pose, &error));
  TAC_CREATE(tacDeformedPose, plain, tac_deformed_pose_create(field, &plain, &error));
  tacContactField contact[2] = {{.deformed = pose}, {.deformed = pose}}; /* both runs take `moved` */
  Walk walk = {.random = tac_random_seed(loads != NULL ? 11 : 8)};
  double q[MODES] = {0.0, 0.0}, aside = 0.0;
  int touched = 0, asleep = 0;
  for (int i = 0; i < poses; ++i) {
    tacTraversalLimits limits = tac_traversal_limits_none();
    step(&walk);
    double size = pow(10.0, tac_random_uniform(&walk.random, -6.0, longest));
    if (loads != NULL && i % 100 == 0) load_state(i / 100 % LOAD_COLUMNS, q);
    for (int j = 0; j < MODES; ++j) q[j] = fmax(-most, fmin(most, q[j] + size * tac_random_normal(&walk.random)));
    double moved = tac_deformed_pose_set(pose, q);
    tac_deformed_pose_set(plain, q);
    int count = tac_shell_exhaustive(rig.shell, &contact[0], &walk.pose, 99, MOST_POINTS, expected);
    check_each_point(rig.shell, pose, &walk.pose, count, expected);
    if (count > 0) aside = fmax(aside, fabs(tac_deformed_pose_value(plain, expected[0].at) + expected[0].depth));
    for (int c = 0; c < 2; ++c) {
      limits.coherent = c == 0;
      contact[c].moved += moved;
      tacTraversalReport report =
          tac_shell_traversal_run(traversals[c], &contact[c], &walk.pose, &limits, &rig.contacts);
      check_equal(report.contact_count, rig.contacts, count, expected);
      ck_assert_double_eq(contact[c].moved, 0.0);
      asleep += report.asleep;
    }
    touched += count > 0;
  }
  ck_assert(tac_test_light() || (touched > poses / 20 && touched < poses && asleep > 0));
  if (loads != NULL) ck_assert_double_gt(aside, 1e-3); /* loads were asked */
}

TAC_TEST(contacts_with_a_deforming_field_are_complete) {
  TAC_OWN(tacDeformedField, field) = make_deformed_field();
  compare_deformed(field, NULL, tac_test_light() ? 30 : 500, -2.0, 0.4);
}

TAC_TEST(contacts_with_a_load_field_are_complete) {
  TAC_OWN(tacDeformedField, field) = make_loaded_field();
  TAC_OWN(tacLoadField, loads) = make_load_field();
  compare_deformed(field, loads, tac_test_light() ? 30 : 600, -2.5, 0.15);
}

/* ---- what passes ---- */

/* Points that go through a sheet from one run to the next, and are outside it in both, are all told, with their ways: of shells
 * that move, that turn, and that deform where they are. */
TAC_TEST(points_that_pass_a_sheet_are_reported) {
  for (int which = 0; which < SHELLS; ++which) {
    tacDistanceField *field = NULL;
    tac_test_ok(tac_distance_field_box((tacBox){{-5, -5, -1e-4}, {5, 5, 1e-4}}, &field, &error), error);
    TAC_FREED(free_rig, Rig, rig) = make_rig(make_test_shell(which), field);
    const tacPointshellView *view = rig.view;
    const int runs = tac_test_light() ? 20 : 200, size = tac_pointshell_size(rig.shell, 99);
    static tacVec3 before[MOST_POINTS];
    tacRandom random = tac_random_seed(5);
    double q[R] = {0.0};
    int through = 0, told = 0, changed = 0;
    for (int n = 0; n < runs; ++n) {
      const double way = 0.02 * sin(0.7 * (n / 3)), turn = 0.1 * sin(0.6 * ((n + 2) / 3)); /* one after the other */
      tacShellPose pose = {.rotation = matrix_of(tac_quat_from_rotation_vector(tac_vec3(turn, 0.5 * turn, 0.0))),
                           .translation = {0.6, -0.4, way},
                           .q = q};
      for (int j = 0; j < view->r && n % 3 == 2; ++j) q[j] = 0.02 * tac_random_normal(&random);
      const tacTraversalLimits limits = tac_traversal_limits_none();
      const tacShellPassed *passed = NULL;
      run(&rig, &pose, &limits);
      const int count = tac_shell_traversal_passed(rig.traversal, &passed);
      static bool is_told[MOST_POINTS];
      memset(is_told, 0, sizeof is_told);
      for (int i = 0; i < count; ++i) {
        const tacShellPassed *of = &passed[i];
        is_told[of->point] = true;
        ck_assert_double_le(of->free, tac_distance_field_value(field, of->at));
        ck_assert_double_gt(tac_vec3_distance(of->at, of->from), of->free);
        ck_assert_double_lt(tac_vec3_distance(of->from, before[of->point]), 1e-12);
      }
      for (int i = 0; i < size; ++i) {
        tacVec3 p = view->r > 0 ? tac_pointshell_deformed_point(rig.shell, i, q) : tac_pointshell_point(rig.shell, i);
        tacVec3 now = tac_vec3_add(tac_mat3_mul_vec(pose.rotation, p), pose.translation);
        const bool passes = n > 0 && now.z * before[i].z < 0.0 && fmin(fabs(now.z), fabs(before[i].z)) > 1.1e-4;
        ck_assert(!passes || is_told[i]);
        through += passes;
        changed += passes && n % 3 == 2;
        before[i] = now;
      }
      told += count;
    }
    ck_assert_int_gt(through, 0);
    ck_assert(view->r == 0 || changed > 0);
    ck_assert_int_lt(told, runs * size / 4); /* and not just all */
  }
}

/* ---- budgets ---- */

/* The node above a point that appears on a level. */
static int parent_of(const tacPointshellView *view, int level, int point) {
  const tacPointshellNode *nodes = view->nodes[level - 1];
  int parent = 0;
  while (nodes[parent + 1].first_child <= point) ++parent;
  return parent;
}

static int most_children(const tacPointshellView *view) {
  int most = 0;
  for (int l = 0; l < view->level_count - 1; ++l)
    for (int i = 0; i < view->sizes[l]; ++i) {
      int count = view->nodes[l][i + 1].first_child - view->nodes[l][i].first_child;
      if (count > most) most = count;
    }
  return most;
}

/* What a run found, by point: all that is inside up to its level, and below that all or none of the children of each of
 * its nodes, of the deeper ones first. `slack`: by which a node may be deeper and yet be left out. */
typedef struct {
  double depth[MOST_POINTS]; /* 0: not found */
  int level[MOST_POINTS];
} Found;

static void check_found(const Rig *rig, const tacTraversalReport *report, int count, double slack, Found *found) {
  const tacPointshellView *view = rig->view;
  const tacShellContact *contacts = rig->contacts;
  const uint8_t *levels = tac_shell_traversal_levels(rig->traversal);
  int size = view->sizes[report->level], wrong = 0;
  double least_open = INFINITY, most_left = 0.0;
  memset(found, 0, sizeof *found);
  for (int i = 0; i < report->contact_count; ++i) {
    int point = contacts[i].point;
    wrong += found->depth[point] != 0.0; /* twice */
    found->depth[point] = contacts[i].depth;
    found->level[point] = levels != NULL ? levels[i] : report->level;
    wrong += point >= size ? found->level[point] != report->level + 1 : found->level[point] < report->level;
  }
  for (int i = 0; i < count; ++i) {
    int point = expected[i].point;
    double depth = found->depth[point];
    if (point < size) {
      wrong += depth != expected[i].depth;
      if (found->level[point] > report->level)
        least_open = fmin(least_open, depth);
      else
        most_left = fmax(most_left, depth);
      continue;
    }
    int parent = parent_of(view, report->level + 1, point);
    bool known = found->depth[parent] > 0.0, open = found->level[parent] > report->level;
    if (known) wrong += depth != (open ? expected[i].depth : 0.0);
    if (!known) wrong += depth != 0.0 && depth != expected[i].depth;
    if (!known && depth != 0.0 && most_left > 0.0) ++wrong; /* contacts come first */
  }
  wrong += report->degraded && most_left > slack * least_open;
  if (wrong > 0) ck_abort_msg("%d points of %d are wrong; %g left, %g open", wrong, count, most_left, least_open);
}

TAC_TEST(cost_limits_hold_and_are_used) {
  TAC_FREED(free_rig, Rig, rig) = make_rig(make_test_shell(2), make_field(3));
  Walk walk = {.random = tac_random_seed(9)};
  static Found found;
  int parts = 0, levels[4] = {0}, most = most_children(rig.view);
  for (int i = 0; i < (tac_test_light() ? 100 : 2000); ++i) {
    tacTraversalLimits limits = tac_traversal_limits_none();
    limits.cost = pow(10.0, tac_random_uniform(&walk.random, 1.0, 3.5));
    limits.contact_cost = tac_random_uniform(&walk.random, 0.0, 3.0);
    limits.coherent = i % 3 != 0;
    step(&walk);
    tacTraversalReport report = run(&rig, &walk.pose, &limits);
    ck_assert_double_eq_tol(report.cost, report.visited - report.copied + limits.contact_cost * report.contact_count,
                            1e-9);
    /* The first level is always rendered. */
    bool more = report.level > 0 || report.part > 0.0;
    if (more) ck_assert_double_le(report.cost, limits.cost);
    if (more && report.degraded) ck_assert_double_gt(report.cost, limits.cost - (1.0 + limits.contact_cost) * most);
    ck_assert(report.degraded == (report.level < 3));
    int below = report.level < 3 ? report.level + 1 : 3;
    check_found(&rig, &report, expect(&rig, &walk.pose, below), 1.376, &found); /* three grades */
    parts += report.part > 0.0;
    ++levels[report.level];
  }
  ck_assert(tac_test_light() || (parts > 100 && levels[0] > 20 && levels[1] > 20 && levels[2] > 20 && levels[3] > 20));
}

/* From one limit to a larger one nothing is lost, points come by a node's children at a time, and where all of the shell
 * is inside, what is found has its surface. */
TAC_TEST(larger_limit_opens_more_nodes) {
  for (int which = 0; which < SHELLS; ++which) {
    tacDistanceField *field = NULL;
    tac_test_ok(tac_distance_field_sphere(tac_vec3(0.5, 0.2, 0.1), 4.0, &field, &error), error);
    TAC_FREED(free_rig, Rig, rig) = make_rig(make_test_shell(which), field);
    const tacPointshellView *view = rig.view;
    tacShellPose pose = {.rotation = tac_mat3_identity(), .translation = {0.1, 0.0, 0.0}};
    static Found before, now;
    int last = view->level_count - 1, most = most_children(view), count_before = 0;
    double area = tac_pointshell_surface_area(rig.shell), apart = tac_test_light() ? 37.0 : 3.0;
    memset(&before, 0, sizeof before);
    for (double cost = view->sizes[0];; cost += apart) {
      tacTraversalLimits limits = tac_traversal_limits_none();
      limits.cost = cost;
      limits.contact_cost = 1.5;
      tac_shell_traversal_reset(rig.traversal);
      tacTraversalReport report = run(&rig, &pose, &limits);
      int below = report.level < last ? report.level + 1 : last, lost = 0;
      check_found(&rig, &report, expect(&rig, &pose, below), 1.126, &now); /* a grade */
      double sum = 0.0;
      for (int i = 0; i < view->sizes[last]; ++i) {
        lost += before.depth[i] > 0.0 && (now.depth[i] == 0.0 || now.level[i] < before.level[i]);
        if (now.depth[i] > 0.0) sum += (double)view->tree_areas[now.level[i]][i];
      }
      ck_assert_int_eq(lost, 0);
      ck_assert_double_eq_tol(sum, area, 1e-5 * area);
      if (count_before > 0) ck_assert_int_le(report.contact_count, count_before + (int)apart + most);
      count_before = report.contact_count;
      before = now;
      if (!report.degraded) break;
    }
    ck_assert_int_eq(count_before, view->sizes[last]);
  }
}

/* A shell that rests, or trembles, with a limit: the same nodes stay open. */
TAC_TEST(open_nodes_stay_open) {
  TAC_FREED(free_rig, Rig, rig) = make_rig(make_test_shell(0), make_field(0));
  tacRandom random = tac_random_seed(5);
  static Found before, now;
  int gone = 0, opened = 0;
  for (int i = 0; i < 200; ++i) {
    tacTraversalLimits limits = tac_traversal_limits_none();
    tacVec3 off = tac_random_in_box(&random, cube);
    tacShellPose pose = {.rotation = tac_mat3_identity(), .translation = tac_vec3_scale(5e-3, off)};
    pose.translation.x += 1.05;
    limits.cost = 350.0;
    limits.contact_cost = 1.5;
    limits.coherent = false;
    tacTraversalReport report = run(&rig, &pose, &limits);
    ck_assert(report.part > 0.2 && report.part < 0.8);
    check_found(&rig, &report, expect(&rig, &pose, report.level + 1), 1.376, &now);
    for (int p = 0; p < rig.view->sizes[report.level] && i > 0; ++p) {
      gone += before.level[p] > report.level && now.depth[p] > 0.0 && now.level[p] <= report.level;
      opened += now.level[p] > report.level;
    }
    before = now;
  }
  ck_assert_int_gt(opened, 199 * 10);
  ck_assert_int_lt(gone, opened / 100);
}

/* Bytes that are kept, or brought back. */
typedef struct {
  unsigned char bytes[1 << 18];
  size_t size;
  bool back;
} Kept;

static void keep_part(void *context, void *memory, size_t bytes) {
  Kept *kept = context;
  if (kept->back)
    memcpy(memory, kept->bytes + kept->size, bytes);
  else
    memcpy(kept->bytes + kept->size, memory, bytes);
  kept->size += bytes;
}

/* What comes after is the same: what sleeps, what it costs, what is open and in which order it is found. */
TAC_TEST(restored_state_continues_bitwise) {
  TAC_FREED(free_rig, Rig, rig) = make_rig(make_test_shell(2), make_field(0));
  static Kept kept;
  enum { RUNS = 20 };
  static tacTraversalReport reports[RUNS];
  static int points[RUNS];
  for (int turn = 0; turn < 2; ++turn) {
    Walk walk = {.random = tac_random_seed(8)};
    for (int i = -RUNS; i < RUNS; ++i) {
      tacVec3 off = tac_random_in_box(&walk.random, cube);
      const double q[R] = {1e-2 * off.y, 1e-2 * off.z};
      tacShellPose pose = {.rotation = tac_mat3_identity(), .translation = tac_vec3_scale(5e-3, off), .q = q};
      pose.translation.x += 1.05;
      tacTraversalLimits limits = tac_traversal_limits_none();
      limits.cost = 350.0;
      limits.contact_cost = 1.5;
      if (i == 0) {
        kept.size = 0;
        kept.back = turn == 1;
        tac_shell_traversal_visit(rig.traversal, keep_part, &kept);
      }
      if (turn == 1 && i < 0) continue; /* it is somewhere else now */
      tacTraversalReport report = run(&rig, &pose, &limits);
      int sum = 0;
      for (int k = 0; k < report.contact_count; ++k) sum = (31 * sum + rig.contacts[k].point) % 1000003;
      if (i < 0) continue;
      ck_assert(turn == 0 || (memcmp(&reports[i], &report, sizeof report) == 0 && points[i] == sum));
      reports[i] = report;
      points[i] = sum;
      ck_assert(report.part > 0.0);
    }
  }
}

TAC_TEST(contacts_beyond_the_capacity_are_counted) {
  TAC_FREED(free_rig, Rig, rig) = make_rig(make_test_shell(0), make_field(0));
  TAC_CREATE(tacShellTraversal, traversal, tac_shell_traversal_create(rig.shell, 10, &traversal, &error));
  tacShellPose pose = {.rotation = tac_mat3_identity(), .translation = {1.1, 0.0, 0.0}};
  tacTraversalLimits limits = tac_traversal_limits_none();
  const tacShellContact *contacts = NULL;
  tacTraversalReport report = tac_shell_traversal_run(traversal, &rig.contact, &pose, &limits, &contacts);
  int count = tac_shell_exhaustive(rig.shell, &rig.contact, &pose, 99, 10, expected);
  ck_assert_int_gt(count, 10);
  ck_assert_int_eq(report.contact_count, 10);
  ck_assert_int_eq(report.lost, count - 10);
  check_equal(10, contacts, 10, expected);
}

/* ---- coherence ---- */

TAC_TEST(slow_motion_leaves_most_nodes_asleep) {
  TAC_FREED(free_rig, Rig, rig) = make_rig(make_test_shell(0), make_field(3));
  tacTraversalLimits limits = tac_traversal_limits_none(), plain = limits;
  plain.coherent = false;
  double with = 0.0, without = 0.0;
  long asked = 0;
  for (int i = 0; i < 200; ++i) {
    tacShellPose pose = {
        matrix_of(tac_quat_from_rotation_vector(tac_vec3(0.0, 1e-4 * i, 0.0))), {1.95 - 2e-4 * i, 0.0, 0.3}, NULL};
    long begin = allocations;
    tacTraversalReport report = run(&rig, &pose, &limits);
    asked += allocations - begin;
    with += report.visited;
    tacTraversalReport same = tac_shell_traversal_run(rig.other, &rig.contact, &pose, &limits, &rig.contacts);
    ck_assert_int_eq(memcmp(&report, &same, sizeof report), 0); /* nothing but poses decides */
    without += run(&rig, &pose, &plain).visited;
  }
  ck_assert_double_lt(with, 0.5 * without);
  ck_assert_int_eq(asked, 0); /* nothing is allocated */
}

TAC_TEST(non_finite_pose_is_harmless) {
  TAC_FREED(free_rig, Rig, rig) = make_rig(make_test_shell(2), make_field(3));
  tacTraversalLimits limits = tac_traversal_limits_none();
  const double q[R] = {0.0, 0.1}, bad_q[R] = {0.0, INFINITY};
  tacShellPose good = {tac_mat3_identity(), {1.2, 0.0, 0.0}, q}, bad[3] = {good, good, good};
  bad[0].translation.y = NAN;
  bad[1].rotation.m[1][1] = INFINITY;
  bad[2].q = bad_q;
  int count = expect(&rig, &good, 99);
  ck_assert_int_gt(count, 10);
  for (int i = 0; i < 6; ++i) {
    tacTraversalReport report = run(&rig, &bad[i % 3], &limits);
    for (int k = 0; k < report.contact_count; ++k) ck_assert(tac_vec3_finite(rig.contacts[k].at));
    report = run(&rig, &good, &limits);
    check_equal(report.contact_count, rig.contacts, count, expected);
  }
}

/* ---- display and costs ---- */

TAC_TEST(visited_balls_are_those_of_the_run) {
  TAC_FREED(free_rig, Rig, rig) = make_rig(make_test_shell(2), make_field(3));
  static tacVisitedBall balls[4 * MOST_POINTS];
  ck_assert_int_eq(tac_shell_traversal_visited(rig.traversal, 10, balls), 0);
  const double q[R] = {0.05, -0.1, 0.02, 0.0, 0.1};
  tacShellPose pose = {matrix_of(tac_quat_from_rotation_vector(tac_vec3(0.3, 0.2, 0.1))), {1.4, 0.2, 0.1}, q};
  tacTraversalLimits limits = tac_traversal_limits_none();
  tacTraversalReport report = run(&rig, &pose, &limits);
  int count = tac_shell_traversal_visited(rig.traversal, 4 * MOST_POINTS, balls), per_level[4] = {0};
  ck_assert_int_eq(count, report.visited);
  ck_assert_int_eq(tac_shell_traversal_visited(rig.traversal, 7, balls), 7);
  count = tac_shell_traversal_visited(rig.traversal, 4 * MOST_POINTS, balls);
  for (int i = 0; i < count; ++i) {
    ++per_level[balls[i].level];
    if (i > 0) ck_assert(balls[i - 1].opened > balls[i].opened || balls[i - 1].level <= balls[i].level);
    double value = tac_distance_field_value(rig.field, balls[i].centre);
    if (balls[i].level < 3) ck_assert(balls[i].opened == !(value > balls[i].radius) || balls[i].opened);
    if (value < 0.0 && balls[i].level < 3) ck_assert(balls[i].opened);
  }
  ck_assert_int_eq(per_level[0], tac_pointshell_size(rig.shell, 0));
  ck_assert_int_gt(per_level[3], 0);
}

/* A machine whose clock the test makes: times of a run, of a node and of a contact, ns. */
static struct { int64_t now, run, node, contact; } machine = {.run = 5000, .node = 100, .contact = 150};

int64_t __wrap_tac_clock_now(void);
int64_t __wrap_tac_clock_thread(void);
tacTraversalReport __real_tac_shell_traversal_run(tacShellTraversal *t, tacContactField *field,
                                                  const tacShellPose *pose, const tacTraversalLimits *limits,
                                                  const tacShellContact **contacts);
tacTraversalReport __wrap_tac_shell_traversal_run(tacShellTraversal *t, tacContactField *field,
                                                  const tacShellPose *pose, const tacTraversalLimits *limits,
                                                  const tacShellContact **contacts);

int64_t __wrap_tac_clock_now(void) {
  return machine.now;
}

int64_t __wrap_tac_clock_thread(void) {
  return machine.now;
}

tacTraversalReport __wrap_tac_shell_traversal_run(tacShellTraversal *t, tacContactField *field,
                                                  const tacShellPose *pose, const tacTraversalLimits *limits,
                                                  const tacShellContact **contacts) {
  tacTraversalReport report = __real_tac_shell_traversal_run(t, field, pose, limits, contacts);
  machine.now += machine.run + machine.node * (report.visited - report.copied) + machine.contact * report.contact_count;
  return report;
}

TAC_TEST(costs_are_positive_and_measuring_leaves_no_trace) {
  TAC_FREED(free_rig, Rig, rig) = make_rig(make_test_shell(0), make_field(3));
  tacShellPose pose = {.rotation = tac_mat3_identity(), .translation = {8.0, 0.0, 0.0}};
  tacTraversalCost cost = tac_traversal_cost_measure(rig.traversal, &rig.contact, &pose);
  ck_assert(cost.node > 0.0 && cost.contact >= 0.0 && cost.base > 0.0);
  ck_assert(isfinite(cost.node) && isfinite(cost.contact) && isfinite(cost.base));
  tacTraversalLimits limits = tac_traversal_limits_none();
  for (int i = 0; i < 20; ++i) {
    pose.translation.x = 2.1 - 0.05 * i;
    tacTraversalReport a = run(&rig, &pose, &limits);
    tacTraversalReport b = tac_shell_traversal_run(rig.other, &rig.contact, &pose, &limits, &rig.contacts);
    ck_assert_int_eq(memcmp(&a, &b, sizeof a), 0);
  }
}

TAC_TEST(measured_costs_are_those_of_the_machine) {
  TAC_FREED(free_rig, Rig, rig) = make_rig(make_test_shell(0), make_field(3));
  tacShellPose pose = {.rotation = tac_mat3_identity(), .translation = {8.0, 0.0, 0.0}};
  for (int k = 0; k < 3; ++k) {
    machine.contact = 150 * k;
    tacTraversalCost cost = tac_traversal_cost_measure(rig.traversal, &rig.contact, &pose);
    ck_assert_double_eq_tol(cost.base, 5e-6, 1e-15);
    ck_assert_double_eq_tol(cost.node, 1e-7, 1e-15);
    ck_assert_double_eq_tol(cost.contact, 1.5e-7 * k, 1e-15);
  }
}
