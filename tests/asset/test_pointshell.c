#include "asset/make_shell.h"

#include "asset/broken_asset.h"
#include "asset/point_tree.h"
#include "asset/pointshell.h"

TAC_TEST(nearest_points_are_those_of_brute_force) {
  tacRandom random = tac_random_seed(1);
  enum { COUNT = 9000, MOST = 9 }; /* enough for several threads */
  static tacVec3 points[COUNT];
  for (int i = 0; i < COUNT; ++i) {
    points[i] = tac_random_in_box(&random, (tacBox){{-1, -1, -1}, {1, 1, 1}});
    if (i % 5 == 0) points[i] = points[i / 2]; /* points in one place */
    if (i % 7 == 0) points[i].z = 0.25;        /* and many in a plane */
  }
  TAC_CREATE(tacPointTree, tree, tac_point_tree_create(COUNT, points, &tree, &error));
  for (int trial = 0; trial < 300; ++trial) {
    tacVec3 p = trial % 3 == 0 ? points[trial] : tac_random_in_box(&random, (tacBox){{-2, -2, -2}, {2, 2, 2}});
    int nearest[MOST];
    double distance2[MOST], before = -1.0;
    ck_assert_int_eq(tac_point_tree_nearest(tree, p, MOST, nearest, distance2), MOST);
    for (int k = 0; k < MOST; ++k) {
      int nearer = 0;
      for (int i = 0; i < COUNT; ++i) {
        double d2 = tac_vec3_norm2(tac_vec3_sub(points[i], p));
        nearer += d2 < distance2[k] || (d2 == distance2[k] && i < nearest[k]);
      }
      ck_assert_int_eq(nearer, k);
      ck_assert_double_ge(distance2[k], before);
      before = distance2[k];
    }
  }
}

static tacPointshell *shell_of_test(int which) {
  if (which == 0) return make_shell(make_torus_parts(32, 4));
  if (which == 1) return make_shell(make_sphere_parts(1500, 5, 3));
  if (which == 2) return make_shell(make_sphere_parts(1, 1, 4));
  return make_soft_shell(make_shell(make_sphere_parts(600, 4, 5)), 5);
}

TAC_TEST(points_keep_what_they_had) {
  TAC_FREED(free_shell_parts, ShellParts, parts) = make_torus_parts(32, 4);
  tacPointshellParts view = view_shell_parts(&parts);
  int order[1024];
  bool seen[1024] = {false};
  TAC_CREATE(tacPointshell, shell, tac_pointshell_create(&view, order, &shell, &error));
  ck_assert_int_eq(tac_pointshell_level_count(shell), 4);
  for (int l = 0; l < 4; ++l) ck_assert_int_eq(tac_pointshell_size(shell, l), 16 << 2 * l);
  ck_assert_int_eq(tac_pointshell_size(shell, 99), 1024);
  double area = 0.0;
  for (int i = 0; i < 1024; ++i) {
    int from = order[i];
    ck_assert(!seen[from]);
    seen[from] = true;
    ck_assert_double_lt(tac_vec3_distance(tac_pointshell_point(shell, i), parts.positions[from]), 1e-6);
    ck_assert_double_lt(tac_vec3_distance(tac_pointshell_normal(shell, i), parts.normals[from]), 1e-6);
    ck_assert_int_lt(i, tac_pointshell_size(shell, parts.level_of[from]));
    if (parts.level_of[from] > 0) ck_assert_int_ge(i, tac_pointshell_size(shell, parts.level_of[from] - 1));
    for (int l = parts.level_of[from]; l < 4; ++l)
      ck_assert_double_eq_tol(tac_pointshell_area(shell, l, i), parts.areas[l * 1024 + from], 1e-6);
    area += parts.areas[3 * 1024 + from];
  }
  ck_assert_double_eq_tol(tac_pointshell_surface_area(shell), area, 1e-5);
  ck_assert_double_eq_tol(area, 4.0 * M_PI * M_PI * 0.4, 1e-5);
}

TAC_TEST(children_are_nearest_to_their_node) {
  for (int which = 0; which < 2; ++which) {
    TAC_OWN(tacPointshell, shell) = shell_of_test(which);
    const tacPointshellView *view = tac_pointshell_view(shell);
    for (int l = 0; l + 1 < view->level_count; ++l) {
      ck_assert_int_eq(view->nodes[l][0].first_child, view->sizes[l]);
      ck_assert_int_eq(view->nodes[l][view->sizes[l]].first_child, view->sizes[l + 1]);
      for (int i = 0; i < view->sizes[l]; ++i)
        for (int c = view->nodes[l][i].first_child; c < view->nodes[l][i + 1].first_child; ++c) {
          tacVec3 p = tac_pointshell_point(shell, c);
          double distance = tac_vec3_distance(p, tac_pointshell_point(shell, i));
          double nearest = INFINITY;
          for (int k = 0; k < view->sizes[l]; ++k)
            nearest = fmin(nearest, tac_vec3_distance(p, tac_pointshell_point(shell, k)));
          ck_assert_double_eq_tol(nearest, distance, 1e-12);
        }
    }
  }
}

/* Counts the points below a node, and finds the farthest from `centre` in the deformation q. */
static void descend(const tacPointshell *shell, int level, int point, tacVec3 centre, const double *q, int *count,
                    double *farthest) {
  const tacPointshellView *view = tac_pointshell_view(shell);
  if (level == view->level_count - 1) {
    ++*count;
    tacVec3 at = q != NULL ? tac_pointshell_deformed_point(shell, point, q) : tac_pointshell_point(shell, point);
    *farthest = fmax(*farthest, tac_vec3_distance(at, centre));
    return;
  }
  descend(shell, level + 1, point, centre, q, count, farthest);
  for (int c = view->nodes[level][point].first_child; c < view->nodes[level][point + 1].first_child; ++c)
    descend(shell, level + 1, c, centre, q, count, farthest);
}

TAC_TEST(balls_hold_all_descendants_tightly_at_rest) {
  for (int which = 0; which < 4; ++which) {
    TAC_OWN(tacPointshell, shell) = shell_of_test(which);
    const tacPointshellView *view = tac_pointshell_view(shell);
    for (int l = 0; l < view->level_count; ++l) {
      int all = 0;
      for (int i = 0; i < view->sizes[l]; ++i) {
        double farthest = 0.0, radius = tac_pointshell_radius(shell, l, i);
        descend(shell, l, i, tac_pointshell_point(shell, i), NULL, &all, &farthest);
        ck_assert_double_le(farthest, radius);
        ck_assert_double_ge(farthest, radius * (1.0 - 1e-6));
      }
      ck_assert_int_eq(all, view->sizes[view->level_count - 1]); /* every point is below one node */
    }
    for (int i = 0; i < tac_pointshell_size(shell, 99); ++i)
      ck_assert_double_le(tac_vec3_distance(tac_pointshell_point(shell, i), view->centre), view->radius);
  }
}

TAC_TEST(balls_hold_all_descendants_in_any_deformation) {
  TAC_OWN(tacPointshell, shell) = shell_of_test(3);
  const tacPointshellView *view = tac_pointshell_view(shell);
  tacRandom random = tac_random_seed(6);
  ck_assert_int_eq(tac_pointshell_coordinates(shell), 5);
  for (int trial = 0; trial < (tac_test_light() ? 5 : 40); ++trial) {
    double q[5], size = pow(10.0, tac_random_uniform(&random, -4.0, 2.0));
    for (int j = 0; j < 5; ++j) q[j] = size * tac_random_normal(&random);
    for (int l = 0; l < view->level_count; ++l)
      for (int i = 0; i < view->sizes[l]; ++i) {
        double farthest = 0.0, radius = tac_pointshell_deformed_radius(shell, l, i, q);
        int count = 0;
        descend(shell, l, i, tac_pointshell_deformed_point(shell, i, q), q, &count, &farthest);
        if (farthest > radius) ck_abort_msg("a descendant is %g m away, the ball has %g m", farthest, radius);
      }
  }
}

TAC_TEST(deformed_points_and_normals_follow_the_rows) {
  TAC_OWN(tacPointshell, shell) = shell_of_test(3);
  const double q[5] = {0.1, -0.2, 0.05, 0.3, -0.1};
  double reach[5] = {0.0};
  int stride;
  const float *rows = tac_pointshell_displacements(shell, &stride);
  for (int i = 0; i < 600; ++i) {
    const float *x_row = rows + 3 * i * stride, *y_row = x_row + stride, *z_row = y_row + stride;
    tacVec3 p = tac_pointshell_point(shell, i), u = {0.0, 0.0, 0.0}, dn = {0.0, 0.0, 0.0};
    const double x[3] = {p.x, p.y, p.z};
    for (int j = 0; j < 5; ++j) {
      double phase[3];
      for (int a = 0; a < 3; ++a) phase[a] = (1.0 + 0.5 * j) * x[(a + j) % 3] + a + j;
      tacVec3 mode = tac_vec3_scale(1.0 / (1.0 + j), tac_vec3(sin(phase[0]), sin(phase[1]), sin(phase[2])));
      tacVec3 row = tac_vec3((double)x_row[j], (double)y_row[j], (double)z_row[j]);
      ck_assert_double_lt(tac_vec3_distance(row, mode), 1e-6);
      u = tac_vec3_mad(u, q[j], mode);
      dn = tac_vec3_mad(dn, q[j], tac_vec3(cos(phase[0]), cos(phase[1]), cos(phase[2])));
      reach[j] = fmax(reach[j], tac_vec3_norm(mode));
    }
    ck_assert_double_lt(tac_vec3_distance(tac_pointshell_deformed_point(shell, i, q), tac_vec3_add(p, u)), 1e-6);
    tacVec3 normal = tac_vec3_unit(tac_vec3_add(tac_pointshell_normal(shell, i), dn));
    ck_assert_double_lt(tac_vec3_distance(tac_pointshell_deformed_normal(shell, i, q), normal), 1e-6);
  }
  for (int j = 0; j < 5; ++j) ck_assert_double_eq_tol(tac_pointshell_view(shell)->reach[j], reach[j], 1e-6);
}

static tacVec3 level_normal(const tacPointshellView *view, int level, int point) {
  const float *n = view->level_normals[level][point];
  return tac_vec3((double)n[0], (double)n[1], (double)n[2]);
}

/* N + dN q */
static tacVec3 turned_normal(const tacPointshellView *view, int level, int point, const double *q) {
  const float *rows = view->level_normal_changes[level] + 3 * (size_t)view->stride * (size_t)point;
  double n[3];
  for (int a = 0; a < 3; ++a) {
    n[a] = (double)view->level_normals[level][point][a];
    for (int j = 0; j < view->r; ++j) n[a] += (double)rows[a * view->stride + j] * q[j];
  }
  return tac_vec3(n[0], n[1], n[2]);
}

static void roughen(ShellParts *parts, double slope, uint64_t seed) {
  tacRandom random = tac_random_seed(seed);
  for (int i = 0; i < parts->count; ++i) {
    tacVec3 n = parts->normals[i], aside;
    do {
      aside = tac_random_in_cube(&random, 1.0);
      aside = tac_vec3_mad(aside, -tac_vec3_dot(aside, n), n);
    } while (tac_vec3_norm(aside) < 0.1);
    parts->normals[i] = tac_vec3_unit(tac_vec3_mad(n, slope, tac_vec3_unit(aside)));
  }
}

/* Rms of the slopes of a level's normals against those of the ball that the points lie on. */
static double roughness(const tacPointshell *shell, int level) {
  const tacPointshellView *view = tac_pointshell_view(shell);
  double sum = 0.0;
  for (int i = 0; i < view->sizes[level]; ++i) {
    tacVec3 n = level_normal(view, level, i), p = tac_pointshell_point(shell, i);
    double slope = tac_vec3_norm(tac_vec3_cross(n, p)) / tac_vec3_dot(n, p);
    sum += slope * slope;
  }
  return sqrt(sum / view->sizes[level]);
}

/* A ball with normals that stand anyhow, by 27 degrees: of that the less is left the coarser the level. And a normal
 * turns as the mean of those around it does. */
TAC_TEST(normals_of_coarse_levels_are_those_of_their_surroundings) {
  const double slope = 0.5, q[3] = {0.02, -0.03, 0.01};
  ShellParts parts = make_sphere_parts(20000, 3, 3);
  roughen(&parts, slope, 7);
  TAC_OWN(tacPointshell, shell) = make_soft_shell(make_shell(parts), 3);
  const tacPointshellView *view = tac_pointshell_view(shell);
  ck_assert_double_eq_tol(roughness(shell, 2), slope, 1e-5);
  for (int l = 1; l >= 0; --l) ck_assert_double_lt(roughness(shell, l), 0.7 * roughness(shell, l + 1));
  for (int l = 0; l < 2; ++l)
    for (int i = 0; i < view->sizes[l]; i += 10) {
      const double spacing2 = 2.0 / sqrt(3.0) * tac_pointshell_surface_area(shell) / view->sizes[l];
      tacVec3 own = level_normal(view, l + 1, i), rest = {0.0, 0.0, 0.0}, turned = rest;
      for (int k = 0; k < view->sizes[l + 1]; ++k) {
        const double apart2 =
            tac_vec3_norm2(tac_vec3_sub(tac_pointshell_point(shell, i), tac_pointshell_point(shell, k)));
        const double weight = (double)view->areas[l + 1][k] * (1.0 - apart2 / spacing2);
        if (!(weight > 0.0 && tac_vec3_dot(level_normal(view, l + 1, k), own) > 0.0)) continue;
        rest = tac_vec3_mad(rest, weight, level_normal(view, l + 1, k));
        turned = tac_vec3_mad(turned, weight, turned_normal(view, l + 1, k, q));
      }
      turned = tac_vec3_scale(1.0 / tac_vec3_norm(rest), turned);
      ck_assert_double_lt(tac_vec3_distance(level_normal(view, l, i), tac_vec3_unit(rest)), 1e-6);
      ck_assert_double_lt(tac_vec3_distance(turned_normal(view, l, i, q), turned), 1e-5);
    }
}

/* The sides of a sheet that is thinner than its points are apart share no normals. */
TAC_TEST(sides_of_a_sheet_keep_their_normals) {
  enum { SIDE = 16 };
  ShellParts parts = make_shell_room(2 * SIDE * SIDE, 3);
  for (int i = 0; i < parts.count; ++i) {
    int u = i / 2 / SIDE, v = i / 2 % SIDE;
    double up = i % 2 == 0 ? 1.0 : -1.0;
    parts.positions[i] = tac_vec3(u, v, 0.01 * up);
    parts.normals[i] = tac_vec3(0.0, 0.0, up);
    parts.level_of[i] = u % 4 == 0 && v % 4 == 0 && i % 2 == 0 ? 0 : u % 2 == 0 && v % 2 == 0 ? 1 : 2;
    for (int l = 0; l < 3; ++l) parts.areas[l * parts.count + i] = 1.0;
  }
  TAC_OWN(tacPointshell, shell) = make_shell(parts);
  const tacPointshellView *view = tac_pointshell_view(shell);
  for (int l = 0; l < 3; ++l)
    for (int i = 0; i < view->sizes[l]; ++i)
      ck_assert_double_eq_tol(tac_vec3_dot(level_normal(view, l, i), tac_pointshell_normal(shell, i)), 1.0, 1e-6);
}

TAC_TEST(mismatched_parts_are_refused) {
  for (int fault = 0; fault < 8; ++fault) {
    TAC_FREED(free_shell_parts, ShellParts, parts) = make_torus_parts(8, 2);
    tacPointshellParts view = view_shell_parts(&parts);
    if (fault == 0) parts.positions[5].y = NAN;
    if (fault == 1) parts.normals[7] = tac_vec3(0.0, 0.0, 0.5);
    if (fault == 2) parts.level_of[3] = 2;
    if (fault == 3) parts.level_of[3] = -1;
    if (fault == 4) parts.areas[parts.count + 9] = -1.0;
    if (fault == 5) view.level_count = TAC_POINTSHELL_MOST_LEVELS + 1;
    if (fault == 6) view.point_count = 0;
    for (int i = 0; fault == 7 && i < parts.count; ++i) parts.level_of[i] = 1;
    tacPointshell *shell = NULL;
    tac_test_refused(tac_pointshell_create(&view, NULL, &shell, &error), TAC_ERR_ARGUMENT, error, " ");
    ck_assert_ptr_null(shell);
  }
}

static void check_same(const tacPointshell *a, const tacPointshell *b) {
  const tacPointshellView *x = tac_pointshell_view(a), *y = tac_pointshell_view(b);
  ck_assert_int_eq(x->level_count, y->level_count);
  ck_assert_int_eq(x->r, y->r);
  size_t count = (size_t)x->sizes[x->level_count - 1], row = (size_t)x->stride * sizeof(float);
  for (int l = 0; l < x->level_count; ++l) {
    ck_assert_int_eq(x->sizes[l], y->sizes[l]);
    size_t size = (size_t)x->sizes[l];
    ck_assert_int_eq(memcmp(x->nodes[l], y->nodes[l], size * sizeof **x->nodes), 0);
    ck_assert_int_eq(x->nodes[l][size].first_child, y->nodes[l][size].first_child);
    ck_assert_int_eq(memcmp(x->areas[l], y->areas[l], size * sizeof **x->areas), 0);
    if (x->growth[l] != NULL) ck_assert_int_eq(memcmp(x->growth[l], y->growth[l], size * row), 0);
    ck_assert_int_eq(memcmp(x->level_normals[l], y->level_normals[l], size * sizeof **x->level_normals), 0);
    if (x->r > 0) ck_assert_int_eq(memcmp(x->level_normal_changes[l], y->level_normal_changes[l], 3 * size * row), 0);
  }
  ck_assert_int_eq(memcmp(x->normals, y->normals, count * sizeof *x->normals), 0);
  if (x->r == 0) return;
  ck_assert_int_eq(memcmp(x->displacements, y->displacements, 3 * count * row), 0);
  ck_assert_int_eq(memcmp(x->normal_changes, y->normal_changes, 3 * count * row), 0);
}

TAC_TEST(a_file_gives_the_same_shell) {
  const char *path = tac_test_path("a.pointshell");
  for (int which = 0; which < 4; ++which) {
    TAC_OWN(tacPointshell, shell) = shell_of_test(which);
    tac_test_ok(tac_pointshell_write(shell, path, &error), error);
    TAC_CREATE(tacPointshell, read, tac_pointshell_read(path, &read, &error));
    check_same(shell, read);
    ck_assert_double_eq(tac_pointshell_surface_area(shell), tac_pointshell_surface_area(read));
  }
}

TRY_READ(tacPointshell, tac_pointshell_read)

/* A number of one chunk; floats by their bits. */
TAC_TEST(a_broken_file_is_an_error) {
  const char *good = tac_test_path("good.pointshell");
  TAC_OWN(tacPointshell, shell) = make_soft_shell(make_shell(make_torus_parts(8, 2)), 2); /* 16 points, then 64 */
  enum { MINUS_ONE = (int)0xbf800000, TWO = 0x40000000, INFINITE = 0x7f800000, NOT_A_NUMBER = 0x7fc00000 };
  static const struct {
    const char *chunk;
    int place, number;
  } faults[] = {{"layout", 0, -1},
                {"layout", 0, 1000},
                {"sizes", 1, 16},
                {"parents", 63, 16},
                {"parents", 0, 0},
                {"parents", 16, -1},
                {"parents", 40, 0},
                {"points", 8, NOT_A_NUMBER},
                {"points", 11, TWO},
                {"areas 1", 1, MINUS_ONE},
                {"displacements", 4, INFINITE}};
  tac_pointshell_set_checks(shell, &some_checks);
  tac_test_ok(tac_pointshell_write(shell, good, &error), error);
  ck_assert_int_eq(check_chunks(try_read, good, NULL, NULL), 10);
  for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i)
    check_unread(try_read, spoil(good, faults[i].chunk, OTHER_NUMBER, faults[i].place, faults[i].number),
                 faults[i].chunk);
  check_other(try_read, "pointshell", "reduced body");
  check_cut(try_read, good, 50);
}

TAC_TEST(ply_gives_the_same_points) {
  const char *path = tac_test_path("a.ply");
  for (int which = 0; which < 2; ++which) {
    TAC_OWN(tacPointshell, shell) = shell_of_test(which);
    tac_test_ok(tac_pointshell_write_ply(shell, path, &error), error);
    TAC_CREATE(tacPointshell, read, tac_pointshell_read_ply(path, &read, &error));
    int last = tac_pointshell_level_count(shell) - 1, count = tac_pointshell_size(shell, last);
    ck_assert_int_eq(tac_pointshell_level_count(read), last + 1);
    for (int l = 0; l <= last; ++l) {
      ck_assert_int_eq(tac_pointshell_size(read, l), tac_pointshell_size(shell, l));
      double sum = 0.0;
      for (int i = 0; i < tac_pointshell_size(read, l); ++i) sum += tac_pointshell_area(read, l, i);
      ck_assert_double_eq_tol(sum, tac_pointshell_surface_area(shell), 1e-4);
    }
    for (int i = 0; i < count; ++i) { /* sorted before, so in the same order */
      ck_assert_double_eq(tac_vec3_distance(tac_pointshell_point(read, i), tac_pointshell_point(shell, i)), 0.0);
      ck_assert_double_lt(tac_vec3_distance(tac_pointshell_normal(read, i), tac_pointshell_normal(shell, i)), 1e-6);
      ck_assert_double_eq(tac_pointshell_area(read, last, i), tac_pointshell_area(shell, last, i));
    }
  }
}

static void write_text(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  fputs(text, file);
  fclose(file);
}

TAC_TEST(points_of_other_programs_get_even_levels_and_areas) {
  const char *path = tac_test_path("cloud.ply");
  FILE *file = fopen(path, "w");
  enum { COUNT = 2000 };
  fprintf(file, "ply\nformat ascii 1.0\nelement camera 1\nproperty list uchar int id\nelement vertex %d\n", COUNT);
  fputs("property double nx\nproperty double ny\nproperty double nz\nproperty uchar red\n", file);
  fputs("property float x\nproperty float y\nproperty float z\nelement face 0\nend_header\n2 7 8\n", file);
  TAC_FREED(free_shell_parts, ShellParts, sphere) = make_sphere_parts(COUNT, 1, 7);
  for (int i = 0; i < COUNT; ++i) {
    tacVec3 p = sphere.positions[i]; /* normals of twice the length, radius 3 */
    fprintf(file, "%.17g %.17g %.17g 200 %.9g %.9g %.9g\n", 2 * p.x, 2 * p.y, 2 * p.z, 3 * p.x, 3 * p.y, 3 * p.z);
  }
  fclose(file);
  TAC_CREATE(tacPointshell, shell, tac_pointshell_read_ply(path, &shell, &error));
  const int sizes[3] = {125, 500, 2000};
  ck_assert_int_eq(tac_pointshell_level_count(shell), 3);
  for (int l = 0; l < 3; ++l) {
    ck_assert_int_eq(tac_pointshell_size(shell, l), sizes[l]);
    double sum = 0.0;
    for (int i = 0; i < sizes[l]; ++i) sum += tac_pointshell_area(shell, l, i);
    ck_assert_double_eq_tol(sum, 36.0 * M_PI, 0.02 * 36.0 * M_PI);
  }
  for (int i = 0; i < COUNT; ++i) { /* the lattice is even */
    ck_assert_double_eq_tol(tac_pointshell_area(shell, 2, i), 36.0 * M_PI / COUNT, 0.2 * 36.0 * M_PI / COUNT);
    ck_assert_double_eq_tol(tac_vec3_dot(tac_pointshell_normal(shell, i), tac_pointshell_point(shell, i)), 3.0, 1e-5);
  }
  /* Farthest points: no point is farther from the level than its points are from each other. */
  for (int l = 0; l < 2; ++l) {
    double apart = INFINITY, farthest = 0.0;
    for (int i = 0; i < COUNT; ++i) {
      double nearest = INFINITY;
      for (int k = 0; k < sizes[l]; ++k)
        if (k != i)
          nearest = fmin(nearest, tac_vec3_distance(tac_pointshell_point(shell, i), tac_pointshell_point(shell, k)));
      if (i < sizes[l])
        apart = fmin(apart, nearest);
      else
        farthest = fmax(farthest, nearest);
    }
    ck_assert_double_le(farthest, apart * (1.0 + 1e-6));
  }
}

TAC_TEST(a_byte_order_mark_before_ply_changes_nothing) {
  const char *path = tac_test_path("marked.ply");
  write_text(path, "\xef\xbb\xbfply\r\nformat ascii 1.0\r\nelement vertex 2\r\nproperty float x\r\nproperty float y\r\n"
                   "property float z\r\nproperty float nx\r\nproperty float ny\r\nproperty float nz\r\nend_header\r\n"
                   "0 0 1 0 0 1\r\n0 0 -1 0 0 -1\r\n");
  TAC_CREATE(tacPointshell, shell, tac_pointshell_read_ply(path, &shell, &error));
  ck_assert_int_eq(tac_pointshell_size(shell, tac_pointshell_level_count(shell) - 1), 2);
}

TAC_TEST(ply_without_required_properties_is_an_error) {
  const char *path = tac_test_path("bad.ply");
  const char *const texts[][2] = {
      {"element vertex 1\nproperty float x\nproperty float y\nproperty float z\nend_header\n0 0 0\n", "nx, ny and nz"},
      {"element vertex 1\nproperty float nx\nproperty float ny\nproperty float nz\nend_header\n0 0 1\n", "x, y and z"},
      {"element face 0\nend_header\n", "no vertices"},
      {"element vertex 1\nproperty float x\nproperty float y\nproperty float z\nproperty float nx\nproperty float ny\n"
       "property float nz\nend_header\n0 0 0 0 0 0\n",
       "no normal"},
      {"element vertex 1\nproperty float x\nproperty float y\nproperty float z\nproperty float nx\nproperty float ny\n"
       "property float nz\nproperty int level\nend_header\n0 0 0 0 0 1 99\n",
       "level of a point"},
      {"element vertex 1\nproperty float x\nproperty float y\nproperty float z\nproperty float nx\nproperty float ny\n"
       "property float nz\nproperty int level\nend_header\n0 0 0 0 0 1 1\n",
       "level 0 of the pointshell has no points"},
      {"element vertex 999999999\nproperty float x\nproperty float y\nproperty float z\nproperty float nx\nproperty "
       "float "
       "ny\nproperty float nz\nend_header\n0 0 0 0 0 1\n",
       "999999999"}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    char text[600];
    snprintf(text, sizeof text, "ply\nformat ascii 1.0\n%s", texts[i][0]);
    write_text(path, text);
    tacPointshell *shell = NULL;
    tac_test_refused(tac_pointshell_read_ply(path, &shell, &error), TAC_ERR_FORMAT, error, texts[i][1]);
    ck_assert_ptr_nonnull(strstr(error.text, "bad.ply"));
    ck_assert_ptr_null(shell);
  }
}
