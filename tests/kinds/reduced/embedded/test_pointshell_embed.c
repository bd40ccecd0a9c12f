#include <tactus/mesh.h>
#include <tactus/pointshell.h>
#include <tactus/reduced.h>
#include "asset/pointshell.h"
#include "bake/make_bent.h"
#include "kinds/reduced/embedded/pointshell_embed.h"
#include "math/random.h"
#include "mesh/query/embedding.h"
#include "test.h"

enum { R = 6 };

/* Points on the sides of the beam and a little outside of it, on two levels. */
static tacPointshell *make_shell(int count) {
  TAC_MEMORY(tacVec3, positions) = malloc((size_t)count * sizeof *positions);
  TAC_MEMORY(tacVec3, normals) = malloc((size_t)count * sizeof *normals);
  TAC_MEMORY(int, level_of) = malloc((size_t)count * sizeof *level_of);
  TAC_MEMORY(double, areas) = malloc(2 * (size_t)count * sizeof *areas);
  tacRandom random = tac_random_seed(5);
  for (int i = 0; i < count; ++i) {
    double out = i % 3 == 0 ? 0.001 : 0.0;
    positions[i] = tac_random_in_box(&random, (tacBox){{0.0, 0.0, 0.0}, {0.06, 0.02, 0.02}});
    if (i % 2 == 0) {
      positions[i].z = 0.02 + out;
      normals[i] = tac_vec3(0.0, 0.0, 1.0);
    } else {
      positions[i].y = -out;
      normals[i] = tac_vec3(0.0, -1.0, 0.0);
    }
    level_of[i] = i >= count / 4;
    areas[i] = areas[count + i] = 1e-5;
  }
  const tacPointshellParts parts = {count, 2, positions, normals, level_of, areas};
  tacPointshell *shell;
  tac_test_ok(tac_pointshell_create(&parts, NULL, &shell, &error), error);
  return shell;
}

/* u = U q at the vertices of the volume mesh. */
static tacVec3 *move_mesh(const tacReduced *reduced, const double *q) {
  const tacVolMesh *volume = tac_reduced_volume(reduced);
  tacVec3 *u = calloc((size_t)volume->vertex_count, sizeof *u);
  for (int v = 0; v < volume->vertex_count; ++v)
    for (int j = 0; j < R; ++j) {
      const double *row = tac_reduced_basis(reduced) + (size_t)(3 * R) * (size_t)v;
      u[v] = tac_vec3_mad(u[v], q[j], tac_vec3(row[j], row[R + j], row[2 * R + j]));
    }
  return u;
}

/* Points move as the elements that they are in, normals by the deformation gradient there: along them, by
 * differences. */
TAC_TEST(points_and_normals_move_with_the_elements) {
  enum { POINTS = 200 };
  TAC_OWN(tacReduced, reduced) = brick_beam_reduced(6, 2, 2, 0.01, false, 4, R);
  TAC_OWN(tacPointshell, shell) = make_shell(POINTS);
  TAC_CREATE(tacPointshell, embedded, tac_pointshell_embed(shell, reduced, &embedded, &error));
  ck_assert_int_eq(tac_pointshell_coordinates(shell), 0);
  ck_assert_int_eq(tac_pointshell_coordinates(embedded), R);
  ck_assert_int_eq(tac_pointshell_size(embedded, 1), POINTS);
  const double e = 1e-7;
  tacVec3 points[3 * POINTS], moved[3 * POINTS];
  for (int i = 0; i < POINTS; ++i) {
    tacVec3 n = tac_pointshell_normal(shell, i);
    points[i] = tac_pointshell_point(shell, i);
    ck_assert_double_eq(tac_vec3_distance(points[i], tac_pointshell_point(embedded, i)), 0.0);
    points[POINTS + i] = tac_vec3_mad(points[i], -e, n); /* inward, where elements are */
    points[2 * POINTS + i] = tac_vec3_mad(points[i], -2.0 * e, n);
  }
  double load[R] = {0.0}, q[R];
  add_pull(reduced, tac_vec3(0.06, 0.01, 0.01), tac_vec3(0.02, 0.1, 0.1), load);
  solve_statics(reduced, load, q);
  TAC_MEMORY(tacVec3, u) = move_mesh(reduced, q);
  TAC_CREATE(tacEmbedding, embedding,
             tac_embedding_create(tac_reduced_volume(reduced), 3 * POINTS, points, &embedding, &error));
  tac_embedding_apply(embedding, u, moved);
  double farthest = 0.0;
  for (int i = 0; i < POINTS; ++i) {
    farthest = fmax(farthest, tac_vec3_norm(moved[i]));
    ck_assert_double_lt(
        tac_vec3_distance(tac_pointshell_deformed_point(embedded, i, q), tac_vec3_add(points[i], moved[i])),
        1e-7); /* the shell has floats */
    if (embedding->elements[i] != embedding->elements[POINTS + i]) continue;
    tacVec3 along = tac_vec3_scale(1.0 / e, tac_vec3_sub(moved[i], moved[POINTS + i]));
    tacVec3 kink = tac_vec3_add(tac_vec3_sub(moved[i], tac_vec3_scale(2.0, moved[POINTS + i])), moved[2 * POINTS + i]);
    if (tac_vec3_norm(kink) > 1e-10) continue;
    tacVec3 normal = tac_vec3_unit(tac_vec3_add(tac_pointshell_normal(shell, i), along));
    tacVec3 given = tac_vec3_unit(tac_pointshell_deformed_normal(embedded, i, q));
    ck_assert_double_lt(tac_vec3_distance(normal, given), 1e-5);
  }
  ck_assert_double_gt(farthest, 0.01); /* far: a sixth of the length */
}

/* Balls hold what they must in any deformation. */
TAC_TEST(balls_contain_their_points) {
  enum { POINTS = 120 };
  TAC_OWN(tacReduced, reduced) = brick_beam_reduced(6, 2, 2, 0.01, false, 4, R);
  TAC_OWN(tacPointshell, shell) = make_shell(POINTS);
  TAC_CREATE(tacPointshell, embedded, tac_pointshell_embed(shell, reduced, &embedded, &error));
  const tacPointshellView *view = tac_pointshell_view(embedded);
  tacRandom random = tac_random_seed(6);
  for (int trial = 0; trial < 20; ++trial) {
    double q[R];
    for (int j = 0; j < R; ++j) q[j] = tac_random_uniform(&random, -2e-3, 2e-3);
    for (int i = 0; i < tac_pointshell_size(embedded, 0); ++i) {
      tacVec3 centre = tac_pointshell_deformed_point(embedded, i, q);
      double radius = tac_pointshell_deformed_radius(embedded, 0, i, q);
      for (int c = view->nodes[0][i].first_child; c < view->nodes[0][i + 1].first_child; ++c)
        ck_assert_double_le(tac_vec3_distance(centre, tac_pointshell_deformed_point(embedded, c, q)), radius + 1e-9);
    }
  }
}
