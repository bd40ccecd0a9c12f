#include "bake/modes/embedded_basis.h"
#include "math/random.h"
#include "mesh/make_mesh.h"
#include "mesh/query/embedding.h"
#include "test.h"

enum { R = 4, POINTS = 300 };

/* Bricks with bent faces and a tetrahedron on top. */
static tacVolMesh *make_mixed(void) {
  tacVolMesh *mesh = make_volmesh(13, 1, 2);
  tacRandom random = tac_random_seed(1);
  for (int v = 0; v < 12; ++v) {
    int x = v % 4 == 1 || v % 4 == 2, y = v % 4 >= 2;
    mesh->vertices[v] = tac_vec3_add(tac_vec3(x, y, v / 4), tac_random_in_cube(&random, 0.1));
  }
  mesh->vertices[12] = tac_vec3(0.6, 0.4, 3.0);
  for (int c = 0; c < 8; ++c)
    for (int b = 0; b < 2; ++b) mesh->bricks[b].v[c] = 4 * b + c;
  mesh->tets[0] = (tacTet){{8, 9, 10, 12}};
  return mesh;
}

static double *make_basis(int vertex_count) {
  tacRandom random = tac_random_seed(2);
  double *basis = malloc((size_t)(3 * R * vertex_count) * sizeof *basis);
  for (int i = 0; i < 3 * R * vertex_count; ++i) basis[i] = tac_random_normal(&random);
  return basis;
}

/* Displacements of mode j at some points, through the mesh's own interpolation. */
static void move_points(const tacVolMesh *mesh, const double *basis, int j, int count, const tacVec3 *points,
                        tacVec3 *moved) {
  tacEmbedding *embedding;
  tacVec3 u[13];
  for (int v = 0; v < mesh->vertex_count; ++v)
    u[v] = tac_vec3(basis[3 * R * v + j], basis[3 * R * v + R + j], basis[3 * R * v + 2 * R + j]);
  tac_test_ok(tac_embedding_create(mesh, count, points, &embedding, &error), error);
  tac_embedding_apply(embedding, u, moved);
  tac_embedding_destroy(embedding);
}

/* Displacements are those of the mesh, gradients their derivatives, normals change along them. */
TAC_TEST(points_follow_the_mesh) {
  TAC_OWN(tacVolMesh, mesh) = make_mixed();
  double *basis = make_basis(mesh->vertex_count), e = 1e-6;
  TAC_MEMORY(double, displacements) = malloc(3 * R * POINTS * sizeof(double));
  TAC_MEMORY(double, changes) = malloc(3 * R * POINTS * sizeof(double));
  TAC_MEMORY(double, gradients) = malloc(9 * R * POINTS * sizeof(double));
  tacVec3 points[POINTS], normals[POINTS], moved[POINTS], side[POINTS], beside[2][POINTS];
  tacRandom random = tac_random_seed(3);
  tacBox box = {{-0.2, -0.2, -0.2}, {1.2, 1.2, 2.5}}; /* some are outside */
  for (int i = 0; i < POINTS; ++i) {
    points[i] = tac_random_in_box(&random, box);
    normals[i] = tac_vec3_unit(tac_random_normal3(&random));
  }
  TAC_CREATE(tacEmbedding, embedding, tac_embedding_create(mesh, POINTS, points, &embedding, &error));
  ck_assert_int_gt(embedding->outside_count, 20);
  const tacEmbeddedBasis all = {mesh, R, basis, embedding};
  tac_embedded_displacements(&all, displacements);
  tac_embedded_normal_changes(&all, normals, changes);
  tac_embedded_gradients(&all, gradients);
  int compared = 0;
  for (int j = 0; j < R; ++j) {
    move_points(mesh, basis, j, POINTS, points, moved);
    for (int axis = 0; axis < 3; ++axis) {
      for (int s = 0; s < 2; ++s) {
        double step = s == 0 ? e : -e;
        for (int i = 0; i < POINTS; ++i)
          side[i] =
              tac_vec3_add(points[i], tac_vec3(axis == 0 ? step : 0.0, axis == 1 ? step : 0.0, axis == 2 ? step : 0.0));
        move_points(mesh, basis, j, POINTS, side, beside[s]);
      }
      for (int i = 0; i < POINTS; ++i) {
        tacVec3 slope = tac_vec3_scale(0.5 / e, tac_vec3_sub(beside[0][i], beside[1][i]));
        tacVec3 kink = tac_vec3_sub(tac_vec3_add(beside[0][i], beside[1][i]), tac_vec3_scale(2.0, moved[i]));
        const double *f = gradients + 9 * R * i + j;
        tacVec3 column = tac_vec3(f[axis * R], f[(3 + axis) * R], f[(6 + axis) * R]);
        bool outside = false;
        for (int c = 0; c < 8; ++c) outside |= embedding->weights[i][c] < -1e-9;
        if (outside || tac_vec3_norm(kink) > 1e-9) continue; /* between elements, or beyond them */
        ck_assert_double_lt(tac_vec3_distance(column, slope), 1e-6 * (1.0 + tac_vec3_norm(slope)));
        ++compared;
      }
    }
    for (int i = 0; i < POINTS; ++i) {
      const double *u = displacements + 3 * R * i + j, *n = changes + 3 * R * i + j, *f = gradients + 9 * R * i + j;
      ck_assert_double_lt(tac_vec3_distance(tac_vec3(u[0], u[R], u[2 * R]), moved[i]), 1e-12);
      for (int a = 0; a < 3; ++a)
        ck_assert_double_lt(fabs(n[a * R] - f[3 * a * R] * normals[i].x - f[(3 * a + 1) * R] * normals[i].y -
                                 f[(3 * a + 2) * R] * normals[i].z),
                            1e-11);
    }
  }
  ck_assert_int_gt(compared, POINTS * R);
  free(basis);
}

/* Modes that turn and stretch everything alike have the same gradient everywhere, inside and outside. */
TAC_TEST(affine_modes_have_one_gradient) {
  TAC_OWN(tacVolMesh, mesh) = make_mixed();
  tacRandom random = tac_random_seed(4);
  double matrix[3][3], *basis = tac_test_alloc((size_t)(3 * mesh->vertex_count) * sizeof *basis), gradients[9 * 50];
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) matrix[a][b] = tac_random_normal(&random);
  for (int v = 0; v < mesh->vertex_count; ++v)
    for (int a = 0; a < 3; ++a)
      basis[3 * v + a] =
          matrix[a][0] * mesh->vertices[v].x + matrix[a][1] * mesh->vertices[v].y + matrix[a][2] * mesh->vertices[v].z;
  tacVec3 points[50];
  tacBox box = {{-0.5, -0.5, -0.5}, {1.5, 1.5, 3.5}};
  for (int i = 0; i < 50; ++i) points[i] = tac_random_in_box(&random, box);
  TAC_CREATE(tacEmbedding, embedding, tac_embedding_create(mesh, 50, points, &embedding, &error));
  const tacEmbeddedBasis all = {mesh, 1, basis, embedding};
  tac_embedded_gradients(&all, gradients);
  for (int i = 0; i < 50; ++i)
    for (int c = 0; c < 9; ++c) ck_assert_double_lt(fabs(gradients[9 * i + c] - matrix[c / 3][c % 3]), 1e-11);
}
