#include "elastic/nodal_rotation.h"

#include "elastic/make_body.h"
#include "elastic/solids/assembly.h"
#include "math/geometry/polar3.h"
#include "math/random_matrix.h"

typedef struct {
  int count;
  tacSparse lower;
  double *rest, *x;
  tacMat3 *turn;
  tacNodalRotation *rotation;
} Body;

static Body make_cube(int n, const double *mass) {
  TAC_OWN(tacVolMesh, mesh) = make_uneven((tacBox){{0.0, 0.0, 0.0}, {0.1, 0.1, 0.1}}, false, n, 0.2);
  tacMaterial material = make_isotropic(1000.0, 1e5, 0.4);
  Body b = {.count = mesh->vertex_count, .rest = vector_of(mesh), .x = vector_of(mesh)};
  TAC_SPARSE k;
  tacSparse *lower = tac_test_keep(tac_test_alloc(sizeof *lower), tac_sparse_destroy);
  tac_test_ok(tac_assembly_stiffness(mesh, &material, NULL, &k, &error), error);
  tac_test_ok(tac_sparse_lower(&k, lower, &error), error);
  b.lower = *lower;
  for (int i = 0; i < b.count; ++i) put_vec3(b.rest, i, mesh->vertices[i]);
  b.turn = tac_test_alloc((size_t)b.count * sizeof *b.turn);
  tac_test_ok(tac_nodal_rotation_create(&b.lower, mass, &b.rotation, &error), error);
  tac_test_keep(b.rotation, tac_nodal_rotation_destroy);
  tac_nodal_rotation_begin(b.rotation, b.rest);
  return b;
}

/* x = F x0 + t */
static void move(Body *b, tacMat3 f, tacVec3 t) {
  for (int i = 0; i < b->count; ++i) put_vec3(b->x, i, tac_vec3_add(t, tac_mat3_mul_vec(f, get_vec3(b->rest, i))));
}

static void check_rotations(const Body *b) {
  for (int i = 0; i < b->count; ++i) {
    tacMat3 square = tac_mat3_mul(tac_mat3_transpose(b->turn[i]), b->turn[i]);
    ck_assert_double_lt(mat3_distance(square, tac_mat3_identity()), 1e-13);
    ck_assert_double_gt(tac_mat3_det(b->turn[i]), 0.0);
  }
}

TAC_TEST(rigid_motions_are_found_exactly) {
  Body b = make_cube(3, NULL);
  tacRandom random = tac_random_seed(2);
  tac_nodal_rotation_update(b.rotation, b.rest, b.turn);
  for (int i = 0; i < b.count; ++i) ck_assert_double_lt(mat3_distance(b.turn[i], tac_mat3_identity()), 1e-14);
  for (int round = 0; round < 40; ++round) {
    /* small steps, large ones, and half turns, from which Newton does not find back */
    tacVec3 axis = tac_random_normal3(&random), shift = tac_random_normal3(&random);
    double angle = round % 4 == 0 ? 3.14159265358979 : round % 4 == 1 ? 1e-9 : tac_random_uniform(&random, -3.0, 3.0);
    tacMat3 r = tac_quat_to_mat3(tac_quat_from_axis_angle(axis, angle));
    move(&b, r, shift);
    tac_nodal_rotation_update(b.rotation, b.x, b.turn);
    for (int i = 0; i < b.count; ++i) /* positions of 0.1 m, some metres away, are known to 1e-15 of their distance */
      ck_assert_double_lt(mat3_distance(b.turn[i], r), 1e-12);
    if (round == 20) tac_nodal_rotation_begin(b.rotation, b.rest);
  }
  check_rotations(&b);
}

/* A_i as it is defined, from the places of the matrix, one by one. */
static tacMat3 moment(const Body *b, const double *mass, int i) {
  tacMat3 a = tac_mat3_zero();
  for (int j = 0; j < b->count; ++j) {
    bool near = j != i && tac_sparse_find(&b->lower, 3 * (i > j ? i : j), 3 * (i > j ? j : i)) >= 0;
    if (!near) continue;
    tacVec3 d = tac_vec3_sub(get_vec3(b->x, j), get_vec3(b->x, i));
    tacVec3 d0 = tac_vec3_sub(get_vec3(b->rest, j), get_vec3(b->rest, i));
    a = tac_mat3_add(a, tac_mat3_scale(mass != NULL ? mass[j] : 1.0, tac_mat3_outer(d, d0)));
  }
  return a;
}

/* The nearest rotation is known as well as A's second and third singular values keep it: the sum of the two over the first. */
static void check_nearest(const Body *b, const double *mass) {
  for (int i = 0; i < b->count; ++i) {
    tacMat3 a = moment(b, mass, i), stretch, polar = tac_polar3(a, &stretch);
    tacMat3 square = tac_mat3_mul(stretch, stretch);
    /* the least sum of two eigenvalues of S: of tr(S) I - S, whose inverse's norm bounds it from below */
    tacMat3 sums = tac_mat3_sub(tac_mat3_scale(tac_mat3_trace(stretch), tac_mat3_identity()), stretch), inverse;
    if (!tac_mat3_inverse(sums, &inverse)) continue;
    double sharpness = tac_mat3_norm(inverse) * sqrt(tac_mat3_trace(square));
    if (sharpness < 1e6) ck_assert_double_lt(mat3_distance(b->turn[i], polar), 1e-13 * sharpness + 1e-13);
  }
}

TAC_TEST(the_nearest_rotation_is_found_for_any_deformation) {
  double mass[64];
  tacRandom random = tac_random_seed(4);
  for (int i = 0; i < 64; ++i) mass[i] = tac_random_uniform(&random, 0.5, 2.0);
  for (int with_masses = 0; with_masses < 2; ++with_masses) {
    const double *m = with_masses ? mass : NULL;
    Body b = make_cube(3, m);
    for (int round = 0; round < 60; ++round) {
      tacMat3 gradient = random_matrix(&random); /* half of them inverted */
      tacVec3 shift = tac_random_normal3(&random);
      if (round < 20) move(&b, gradient, shift);
      double jitter = round < 20 ? 0.0 : round < 40 ? 0.003 : 0.1; /* m; cells have 0.033 */
      for (int i = 0; i < 3 * b.count && round >= 20; ++i) b.x[i] = b.rest[i] + jitter * tac_random_normal(&random);
      tac_nodal_rotation_update(b.rotation, b.x, b.turn);
      check_rotations(&b);
      check_nearest(&b, m);
    }
  }
}

TAC_TEST(collapsed_inverted_and_broken_neighbourhoods_give_rotations) {
  Body b = make_cube(2, NULL);
  tacMat3 identity = tac_mat3_identity();
  const tacMat3 maps[] = {tac_mat3_zero(),
                          tac_mat3_diagonal(1.0, 0.0, 0.0),
                          tac_mat3_diagonal(1.0, 1.0, 0.0),
                          tac_mat3_diagonal(-1.0, -1.0, -1.0),
                          tac_mat3_diagonal(1.0, 1.0, -0.5),
                          tac_mat3_diagonal(1e200, 1e200, 1e200),
                          tac_mat3_diagonal(1e-200, 1e-200, 1e-200),
                          tac_mat3_diagonal(NAN, 1.0, 1.0),
                          tac_mat3_diagonal(1.0, INFINITY, 1.0)};
  for (int m = 0; m < (int)(sizeof maps / sizeof *maps); ++m) {
    move(&b, maps[m], tac_vec3(0.0, 0.0, 0.0));
    tac_nodal_rotation_update(b.rotation, b.x, b.turn);
    check_rotations(&b);
    bool undetermined = m <= 1 || m >= 7;
    for (int i = 0; i < b.count && undetermined; ++i) ck_assert_double_eq(mat3_distance(b.turn[i], identity), 0.0);
    for (int i = 0; i < b.count && (m == 5 || m == 6); ++i)
      ck_assert_double_lt(mat3_distance(b.turn[i], identity), 1e-12);
    tac_nodal_rotation_update(b.rotation, b.rest, b.turn); /* and back */
    for (int i = 0; i < b.count; ++i) ck_assert_double_lt(mat3_distance(b.turn[i], identity), 1e-12);
  }
}

TAC_TEST(nodes_without_neighbours_do_not_turn) {
  TAC_SPARSE places;
  tac_test_ok(tac_sparse_identity(6, &places, &error), error);
  tacNodalRotation *rotation;
  tac_test_ok(tac_nodal_rotation_create(&places, NULL, &rotation, &error), error);
  const double then[6] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0}, now[6] = {0.0, 0.0, 0.0, 0.0, 1.0, 0.0};
  tacMat3 turn[2];
  tac_nodal_rotation_begin(rotation, then);
  tac_nodal_rotation_update(rotation, now, turn);
  for (int i = 0; i < 2; ++i) ck_assert_double_eq(mat3_distance(turn[i], tac_mat3_identity()), 0.0);
  tac_nodal_rotation_destroy(rotation);
  tac_nodal_rotation_destroy(NULL);
  places.cols = 4;
  ck_assert_int_eq(tac_nodal_rotation_create(&places, NULL, &rotation, &error), TAC_ERR_ARGUMENT);
  ck_assert_ptr_null(rotation);
  places.cols = 6;
}
